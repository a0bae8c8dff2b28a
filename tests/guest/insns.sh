#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a gate on kernel_insns_per_page finds in a guest of one CPU: 50 instructions
# more for each unmapped page, in some 20,000; and nothing in the same kernel.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
zoo=$(cd "$(dirname "$0")/../zoo" && pwd)

# measure CAND: it and the sound kernel; the folder is $dir/CAND. The median of five
# samples leaves out the one in which the kernel does something that it does rarely.
measure() {
	"$run" ab "$zoo/sound.variant" "$zoo/$1.variant" --cpus 1 --boots 6 --samples 5 \
		--time 500ms -o "$dir/$1" swap:size=256K >"$dir/out" 2>&1
	check "$1: all boots are good" grep -q "6 of 6 boots ended well" "$dir/out"
}

# gate CAND ALPHA: the comparison is left in $dir/out
gate() {
	"$O/compare-results" --metric kernel_insns_per_page --show all --alpha "$2" \
		--min-effect kernel_insns_per_page=0.1% "$dir/$1/base.json" \
		"$dir/$1/cand.json" >"$dir/out"
	status=$?
	sed -n 's/^\(swap .*\)/# \1/p' "$dir/out"
	return $status
}

expect "the kernel is built, or was" 0 "^" "$run" kernel build "$zoo/sound.variant"
expect "one CPU: rows that need others are left out" 2 \
	"threads=1 is left out: threads=1 is more than the other CPUs" \
	"$run" ab batch none --cpus 1 -o "$dir/none"
measure extra-insns
gate extra-insns 0.05
check "extra-insns: a regression" [ $? = 1 ]
# At 0.05 one run in twenty of the same kernel is flagged: no level for a test.
measure twin
gate twin 0.001
check "twin: none" [ $? = 0 ]
check "twin: nor an improvement" sh -c "! grep -q '^swap.*improvement' '$dir/out'"
echo "1..$n"
