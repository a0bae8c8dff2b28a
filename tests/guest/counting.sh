#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The counting plugin counts exactly: programs of known instructions, each alone
# on an emulated machine (count-ARCH.S); and it is refused where it cannot count.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

here=$(dirname "$0")
plugin=$O/counting.so

# assemble ARCH COMPILER OPTION...: $dir/ARCH.elf
assemble() {
	arch=$1 compiler=$2
	shift 2
	"$compiler" -I"$here/../.." -nostdlib -static -Wl,--build-id=none "$@" \
		-o "$dir/$arch.elf" "$here/count-$arch.S"
}

# on ARCH OPTION...: runs it, the counts go to $dir/ARCH.counts
on() {
	arch=$1
	shift
	timeout 60 "qemu-system-$arch" -nodefaults -display none -no-reboot "$@" \
		-plugin "$plugin,kernel_from=0,out=$dir/$arch.counts" >"$dir/qemu.log" 2>&1
}

# Its lines "at CLASS FUNCTION COUNT", summed up: "CLASS COUNT CLASS COUNT ..."
sums() {
	awk '$1 == "at" { n[$2] += $4 } END { for (c in n) print c, n[c] }' \
		"$dir/$1.counts" | sort | tr '\n' ' '
}

# The insns of the window, but for those of the blocks that open and close it.
kernel() {
	awk '$1 == "kernel" { print $2 }' "$dir/$1.counts"
}

# counts ARCH KERNEL CLASS COUNT...: what is expected
counts() {
	arch=$1 least=$2
	shift 2
	want="$* "
	got=$(sums "$arch")
	check "$arch: N executed are N counted" [ "$got" = "$want" ] ||
		cat "$dir/qemu.log"
	[ "$got" = "$want" ] || echo "# got $got"
	check "$arch: one window, of the number that it was given" \
		[ "$(grep -c '^window' "$dir/$arch.counts")" = 1 ]
	check "$arch: its number" grep -qx 'window 81985529216486895' "$dir/$arch.counts"
	got=$(kernel "$arch")
	check "$arch: $least instructions and a few are $got" \
		[ $((got >= least && got <= least + 64)) = 1 ]
}

# have COMMAND...: the first that is missing is $missing
have() {
	for missing in "$@"; do
		command -v "$missing" >/dev/null || return 1
	done
}

if ! have qemu-system-x86_64 gcc; then
	skip "x86_64" "no $missing"
elif ! assemble x86_64 gcc -m32 -Wl,-Ttext=0x100000 2>"$dir/gcc.log"; then
	skip "x86_64" "gcc -m32 does not work here"
else
	on x86_64 -device isa-debug-exit,iobase=0xf4 -kernel "$dir/x86_64.elf"
	counts x86_64 $((1620 * 3)) cr3 300 cr4 200 invlpg 1070
fi

if ! have qemu-system-aarch64 aarch64-linux-gnu-gcc; then
	skip "aarch64" "no $missing"
else
	assemble aarch64 aarch64-linux-gnu-gcc -Wl,-Ttext=0x40080000
	on aarch64 -M virt -cpu max -kernel "$dir/aarch64.elf"
	counts aarch64 $((6350 * 3)) dsb_ish 2000 dsb_ishst 1500 dsb_nsh 600 dsb_sy 500 \
		tlbi_all_is 70 tlbi_all_local 100 tlbi_asid_is 200 tlbi_range_is 50 \
		tlbi_va_is 1000 tlbi_va_local 300 tlbi_va_os 30
fi

if ! have qemu-system-riscv64 riscv64-linux-gnu-gcc; then
	skip "riscv64" "no $missing"
else
	assemble riscv64 riscv64-linux-gnu-gcc -Wl,-Ttext=0x80000000
	on riscv64 -M virt -bios none -kernel "$dir/riscv64.elf"
	counts riscv64 $((2100 * 3)) sfence_vma_all 100 sfence_vma_asid 300 sfence_vma_va 1700
fi

if ! have qemu-system-ppc64 powerpc64le-linux-gnu-gcc powerpc64le-linux-gnu-objcopy; then
	skip "ppc64" "no $missing"
else
	assemble ppc64 powerpc64le-linux-gnu-gcc -Wl,-Ttext=0
	powerpc64le-linux-gnu-objcopy -O binary -j .text "$dir/ppc64.elf" "$dir/ppc64.bin"
	on ppc64 -M pseries,cap-htm=off -cpu power9 -bios "$dir/ppc64.bin"
	counts ppc64 $((2700 * 2)) ptesync 500 tlbie 1000 tlbiel 700 tlbsync 300
fi

if have qemu-system-x86_64; then
	expect "an option that there is not" 1 "no such option" \
		qemu-system-x86_64 -M none -display none -plugin "$plugin,outt=x"
	expect "a file that cannot be written" 1 "No such file" \
		qemu-system-x86_64 -M none -display none -plugin "$plugin,out=$dir/no/file"
	echo "no map" >"$dir/map"
	expect "a map that is none" 1 "$dir/map: Bad message" \
		qemu-system-x86_64 -M none -display none -plugin "$plugin,map=$dir/map"
else
	skip "options" "no qemu-system-x86_64"
fi
