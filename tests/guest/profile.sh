#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The profile in a guest: an unbatched kernel spends its time in the flush, a batched
# one does not; and the parts of the difference are the whole of it.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

expect "two kernels, profiled" 0 "2 of 2 boots ended well" \
	"$run" ab nobatch batch swap:threads=3 --profile --boots 2 --time 300ms -o "$dir/ab"

# compare OPTION...: of both, to $dir/compared
compare() {
	"$O/compare-results" "$@" "$dir/ab/base.json" "$dir/ab/cand.json" >"$dir/compared"
}

# fell SYMBOL: its share of the hits is at least 1 % without batching, and a tenth with
fell() {
	compare --out csv --show all --metric "share:$1"
	base=$(awk -v column=base -f "$tests/column.awk" "$dir/compared")
	cand=$(awk -v column=cand -f "$tests/column.awk" "$dir/compared")
	echo "# share:$1 $base $cand"
	echo "$base $cand" | awk '{ exit !($1 >= 0.01 && $2 <= $1 / 10) }'
}

for symbol in ptep_clear_flush flush_tlb_mm_range; do
	check "$symbol is in the profile without batching, and not with it" fell $symbol
done
compare --out json --show all
jq -c '.attribution[]' "$dir/compared" >"$dir/attribution"
check "one workload has its difference divided" [ "$(wc -l <"$dir/attribution")" = 1 ]
check "the parts are the whole, within 5 %" jq -e \
	'(.whole.difference as $whole | [.parts[].difference] | add / $whole - 1 | fabs) <= 0.05' \
	"$dir/attribution"
check "each has its interval" jq -e '[.parts[].interval | select(. == null)] == []' \
	"$dir/attribution"
check "the flush is the largest of them" jq -e \
	'.parts | max_by(.difference | fabs).group == "tlb_flush"' "$dir/attribution"
echo "# $(jq -c '[.whole, .parts[] | [.group, .difference]]' "$dir/attribution")"
echo "1..$n"
