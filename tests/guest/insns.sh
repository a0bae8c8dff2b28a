#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a gate on kernel_insns_per_page finds in a guest of one CPU: 50 instructions
# more for each unmapped page, in some 20,000; and nothing in the same kernel.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
zoo=$(cd "$(dirname "$0")/../zoo" && pwd)

# gate CAND: measures it against the sound kernel; the folder is $dir/CAND
measure() {
	"$run" ab "$zoo/sound.variant" "$zoo/$1.variant" --cpus 1 --boots 6 --time 300ms \
		-o "$dir/$1" swap:size=256K >"$dir/out" 2>&1
	check "$1: all boots are good" grep -q "6 of 6 boots ended well" "$dir/out"
}

# gate CAND STATUS PATTERN
gate() {
	expect "$1: $3" "$2" "kernel_insns_per_page.*$3" \
		"$O/compare-results" --metric kernel_insns_per_page --show all \
		--min-effect kernel_insns_per_page=0.1% "$dir/$1/base.json" "$dir/$1/cand.json"
	sed -n 's/^\(swap .*\)/# \1/p' "$dir/out"
}

expect "the kernel is built, or was" 0 "^" "$run" kernel build "$zoo/sound.variant"
expect "one CPU: rows that need others are left out" 2 \
	"threads=1 is left out: threads=1 is more than the other CPUs" \
	"$run" ab batch none --cpus 1 -o "$dir/none"
measure extra-insns
gate extra-insns 1 regression
measure twin
gate twin 0 equivalent

# The same work in each boot, so that what a boot counts hardly varies.
spread() {
	"$O/compare-results" --explain kernel_insns_per_page "$dir/twin/base.json" \
		"$dir/twin/cand.json" >"$dir/out"
	cat "$dir/out"
}
spread | sed 's/^/# /' | head -n 40
echo "1..$n"
