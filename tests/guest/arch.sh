#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Guests of other architectures: $GUESTS names them, some with a page size.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

# page_bytes ARCH PAGES: that of a guest
page_bytes() {
	case $1:$2 in
	ppc64le:) echo 65536 ;;
	*:) echo 4096 ;;
	*) echo $((${2%K} * 1024)) ;;
	esac
}

expect "an architecture that there is not" 2 "only for x86_64, arm64, riscv64, ppc64le" \
	"$run" ab nobatch batch --arch vax
expect "pages that there are not" 2 "arm64 has pages of 4K, 16K, 64K" \
	"$run" ab nobatch batch --arch arm64 --pages 8K
expect "x86_64 has no choice" 2 "x86_64 has pages of 4K" \
	"$run" kernel show batch --arch x86_64 --pages 64K

# per_page SIDE METRIC: of swap in $dir/$guest
per_page() {
	"$O/compare-results" --out csv --show all --workload swap --metric "$2" \
		"$dir/$guest/base.json" "$dir/$guest/cand.json" |
		awk -v column="$1" -f "$tests/column.awk"
}

between() {
	echo "$1 $2 $3" | awk '{ exit !($1 != "" && $1 >= $2 && $1 <= $3) }'
}

# What is counted there, a page; few: not more than a batch of the smallest call has.
check_arm64() {
	few=0.15
	[ "$(page_bytes "$arch" "$pages")" = 4096 ] || few=0.5
	check "$guest: unbatched, a TLBI a page" between "$(per_page base tlbi_per_page)" 0.95 1.2
	check "$guest: and a DSB ISH a page" between "$(per_page base dsb_ish_per_page)" 0.95 1.5
	check "$guest: that ptep_clear_flush waits with" between \
		"$(per_page base dsb_ish:ptep_clear_flush_per_page)" 0.95 1.05
	check "$guest: batched, a TLBI a page" between "$(per_page cand tlbi_per_page)" 0.95 1.2
	check "$guest: and few DSB ISH" between "$(per_page cand dsb_ish_per_page)" 0 $few
	check "$guest: none of ptep_clear_flush" between \
		"$(per_page cand dsb_ish:ptep_clear_flush_per_page)" 0 0
	check "$guest: some of the batch's flush" between \
		"$(per_page cand dsb_ish:try_to_unmap_flush_per_page)" 0.001 $few
}

# The firmware executes those of each CPU that has to; the kernel one for a new page.
check_riscv64() {
	check "$guest: unbatched, each CPU's firmware has an sfence.vma a page" between \
		"$(per_page base sfence_vma:outside_kernel_per_page)" 1.9 2.1
	check "$guest: batched, few" between \
		"$(per_page cand sfence_vma:outside_kernel_per_page)" 0 0.3
}

# It does not batch, so that both arms are alike. Of POWER9, an erratum's workaround
# makes three of one.
check_ppc64le() {
	check "$guest: no switch, which is said" grep -q \
		"has no ARCH_WANT_BATCHED_UNMAP_TLB_FLUSH" "$dir/err"
	for side in base cand; do
		check "$guest: $side has three tlbie a page" between \
			"$(per_page $side tlbie_per_page)" 2.9 3.1
		check "$guest: one of them its own" between \
			"$(per_page $side tlbie:radix__flush_tlb_page_psize_per_page)" 0.95 1.05
	done
}

for guest in ${GUESTS:-arm64}; do
	arch=${guest%%:*} pages=${guest#"$arch"}
	pages=${pages#:}
	if [ ! -x "$(dirname "$O")/build-$arch/shootdown" ]; then
		skip "$guest" "no programs: make cross ARCH=$arch"
		continue
	fi
	# shellcheck disable=SC2086 # an option or none
	expect "$guest: the kernel is built, or was" 0 "^batch" \
		"$run" kernel build batch --arch "$arch" ${pages:+--pages $pages}
	expect "$guest: a CPU that there is not" 2 "no such CPU" \
		"$run" ab nobatch batch --arch "$arch" --cpu vax --boots 1 -o "$dir/none"
	# shellcheck disable=SC2086
	expect "$guest: boots and measures" 0 "1 of 1 boots ended well" \
		"$run" ab nobatch batch --arch "$arch" ${pages:+--pages $pages} --boots 1 \
		--time 200ms -o "$dir/$guest" null swap:size=1M,threads=1
	for side in base cand; do
		result="$dir/$guest/$side.json"
		check "$guest: $side ran swap" grep -q '"workload": "swap"' "$result"
		check "$guest: pages of the size asked for" grep -q \
			"\"page_bytes\": $(page_bytes "$arch" "$pages")," "$result"
	done
	"check_$arch"
done
echo "1..$n"
