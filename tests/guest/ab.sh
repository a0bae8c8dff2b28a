#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown ab from the outside, with real kernels in real guests.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
quick="--time 300ms"

# value SIDE WORKLOAD: tlb_shootdowns_per_page of base or cand in $dir/a
value() {
	"$O/compare-results" --out csv --show all --metric tlb_shootdowns_per_page \
		"$dir/a/base.json" "$dir/a/cand.json" | grep -e ^workload, -e "$2" |
		awk -v column="$1" -f "$tests/column.awk"
}

between() {
	echo "$1 $2 $3" | awk '{ exit !($1 != "" && $1 >= $2 && $1 <= $3) }'
}

no_guests() {
	! pgrep -f "qemu.*$dir" >/dev/null
}

empty=$dir/empty
mkdir "$empty"
expect "without QEMU the package is named" 2 "install the package qemu-system-x86" \
	env PATH="$empty" "$run" ab nobatch batch -o "$dir/none"
expect "unknown variant" 2 "no such variant; there are" "$run" ab nobatch batchh -o "$dir/none"
expect "unknown workload" 2 "did you mean 'swap'" "$run" ab nobatch batch swp
expect "CPUs that do not divide" 2 "do not come out even" "$run" ab nobatch batch --cpus 3

# The main experiment: interrupted in the middle, then finished.
# shellcheck disable=SC2086 # $quick is words
setsid "$run" ab nobatch batch --boots 6 $quick -o "$dir/a" >"$dir/out1" 2>&1 &
pid=$!
while [ ! -e "$dir/a/boots/004" ] && kill -0 $pid 2>/dev/null; do sleep 0.2; done
expect "a second one at the same time is refused" 2 "$pid" "$run" ab nobatch batch --boots 1 \
	-o "$dir/b"
kill -INT $pid
wait $pid
check "Ctrl-C ends with 130" [ $? = 130 ]
check "no guest is left" no_guests
seed=$(grep '"seed"' "$dir/a/manifest.json")
first=$(stat -c %Y "$dir/a/boots/001/console.log")
expect "other options are refused there" 2 "holds another experiment (boots is 6 there" \
	"$run" ab nobatch batch --boots 7 -o "$dir/a"
# shellcheck disable=SC2086
expect "the same command finishes it: an improvement" 0 "improvement" \
	"$run" ab nobatch batch --boots 6 $quick -o "$dir/a"
cp "$dir/out" "$dir/table"
check "with the same seed" [ "$(grep '"seed"' "$dir/a/manifest.json")" = "$seed" ]
check "and finished boots are not repeated" \
	[ "$(stat -c %Y "$dir/a/boots/001/console.log")" = "$first" ]
check "it ends with the text for a mail" grep -q "^To repeat:" "$dir/table"
check "which is kept, in lines of 72 columns" test -z "$(awk 'length > 72 && !/^ *[^ ]*$/' \
	"$dir/a/lkml.txt")"
expect "the boots and the time that 3 % take" 0 "^swap:threads=3 *tlb_shootdowns_per_page *6 .* paired" \
	"$run" plan --detect 3% "$dir/a"
check "all boots are good" grep -q "6 of 6 boots ended well" "$dir/table"
check "nobatch, 3 threads: at least 2.5 shootdowns a page" between \
	"$(value base swap:threads=3)" 2.5 4
check "batch, 3 threads: at most 0.3" between "$(value cand swap:threads=3)" 0 0.3
check "nobatch, 1 thread: at least 0.9" between "$(value base swap:threads=1)" 0.9 2
check "batch, 1 thread: at most 0.1" between "$(value cand swap:threads=1)" 0 0.1
# At 0.05 one table in twenty of a sound kernel has a flag: no level for a test.
strict() {
	"$O/compare-results" --alpha 0.001 "$1/base.json" "$1/cand.json" >"$dir/strict"
	! grep -E "$2(improvement|regression)" "$dir/strict"
}
check "the controls are not flagged" strict "$dir/a" "^(null|dontneed).*"
check "times of an emulator are not judged" sh -c \
	"! grep -E ' ns_per_page .*(improvement|regression)' '$dir/table'"
expect "the other way round it is a regression" 1 "regression" \
	"$O/compare-results" "$dir/a/cand.json" "$dir/a/base.json"

# shellcheck disable=SC2086
"$run" ab batch batch --boots 6 $quick -o "$dir/same" >"$dir/out" 2>&1
check "a kernel against itself: all boots are good" grep -q "6 of 6 boots ended well" \
	"$dir/out"
check "and nothing is flagged" strict "$dir/same" ""

# A workload that fails gives an outcome, its phase and the console, and no number.
expect "a failed workload is missing from the result" 3 \
	"workload failed in phase workload" "$run" ab nobatch batch swap:size=1G --boots 1 \
	--memory 256M -o "$dir/fails"
check "with the last lines of the console" grep -q "^    | " "$dir/out"
check "and no number" sh -c "! grep -q ns_per_page '$dir/out'"

# A host without room says so, and the guest is not started.
mkdir "$dir/full"
if mount -t tmpfs -o size=64k tmpfs "$dir/full" 2>/dev/null; then
	expect "a full disk is said" 2 "No space left" "$run" ab nobatch batch --boots 1 \
		-o "$dir/full/x"
	umount "$dir/full"
else
	skip "full disk" "cannot mount a tmpfs"
fi
check "nothing is left running" no_guests
