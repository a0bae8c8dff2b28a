#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The variant luf: what it saves, and that nothing is stale while kswapd reclaims. Sound
# kernels are tried for $REWRITE_SECONDS; that a forgotten flush is found is shown by make test-zoo.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

# value RUN SIDE METRIC: of base or cand of $dir/RUN, where one workload ran
value() {
	"$O/compare-results" --out csv --show all --metric "$3_per_page" \
		"$dir/$1/base.json" "$dir/$1/cand.json" |
		awk -v column="$2" -f "$tests/column.awk"
}

# tenth OF THAN: at most a tenth of it
tenth() {
	echo "$1 $2" | awk '{ exit !($1 != "" && $2 != "" && $2 > 0 && $1 <= $2 / 10) }'
}

above() {
	echo "$1" | awk -v least="$2" '{ exit !($1 > least) }'
}

expect "the kernel is built, or was" 0 "luf" "$run" kernel build luf
for by in reclaim migration; do
	expect "nothing stale in ${REWRITE_SECONDS:=15} s, by $by" 0 "1 of 1 boots ended well" \
		"$run" ab luf-off luf rewrite:threads=3,by=$by,pressure=200M --memory 256M \
		--cpus 4 --boots 1 --samples 1 --time "${REWRITE_SECONDS}s" \
		-o "$dir/rewrite-$by"
done

# saves RUN WHAT WORD...: of a run of luf-off and luf in $dir/RUN
saves() {
	of=$1 what=$2
	shift 2
	expect "$what" 0 "1 of 1 boots ended well" \
		"$run" ab luf-off luf --boots 1 -o "$dir/$of" --cpus 4 --samples 1 "$@"
	check "$of: pages wait for their flush" above "$(value "$of" cand luf_deferred)" 0.1
	check "$of: a tenth of the shootdowns" tenth "$(value "$of" cand tlb_shootdowns)" \
		"$(value "$of" base tlb_shootdowns)"
	check "$of: none waits where it is off" [ "$(value "$of" base luf_deferred)" = 0 ]
}

saves readers "three readers, in less memory than their models" --memory 256M \
	readers:processes=3,size=96M,tokens=1,limit=0
check "kswapd reclaims" grep -q '"reclaimed by kswapd ([1-9]' "$dir/readers/boots/001/cand-1.json"
saves migrate "a file's pages, moved between two nodes" migrate:kind=rofile,threads=3 \
	--time 200ms
saves reclaim "a file's pages, reclaimed from four processes" reclaim:kind=rofile --time 200ms
echo "1..$n"
