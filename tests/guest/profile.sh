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

# holds FILTER: of what the workload's difference was divided into
holds() {
	jq -e "$1" "$dir/attribution" >/dev/null
}

# at_least VALUE LEAST
at_least() {
	echo "$1 $2" | awk '{ exit !($1 != "" && $1 >= $2) }'
}

# An x86 kernel waits there for the CPUs that it has flush; for a batch, too.
compare --out csv --show all --metric share:smp_call_function_many_cond
check "without batching a fifth of the time or more is the wait for other CPUs" at_least \
	"$(awk -v column=base -f "$tests/column.awk" "$dir/compared")" 0.2
compare --out json --show all
jq -c '.attribution[]' "$dir/compared" >"$dir/attribution"
check "one workload has its difference divided" [ "$(wc -l <"$dir/attribution")" = 1 ]
check "the parts are the whole, within 5 %" holds \
	'([.parts[].difference] | add) / .whole.difference - 1 | fabs <= 0.05'
check "each has its interval" holds '[.parts[].interval | select(. == null)] == []'
check "the flush is the largest of them" holds \
	'.parts | max_by(.difference | fabs).group == "tlb_flush"'
check "a page takes a tenth of the time in it" holds \
	'.parts[] | select(.group == "tlb_flush") | .cand <= .base / 10'
echo "# $(jq -c '[.whole, .parts[] | [.group, .base, .cand]]' "$dir/attribution")"
echo "1..$n"
