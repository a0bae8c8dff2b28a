#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The variant luf: what it saves, and that nothing is stale. Sound kernels are tried
# for $REWRITE_SECONDS; that a forgotten flush is found is shown by make test-zoo.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

# value SIDE METRIC: of base or cand
value() {
	"$O/compare-results" --out csv --show all --metric "$2_per_page" \
		"$dir/readers/base.json" "$dir/readers/cand.json" |
		grep -e ^workload, -e readers | awk -v column="$1" -f "$tests/column.awk"
}

# tenth OF THAN: at most a tenth of it
tenth() {
	echo "$1 $2" | awk '{ exit !($1 != "" && $2 != "" && $2 > 0 && $1 <= $2 / 10) }'
}

above() {
	echo "$1" | awk -v least="$2" '{ exit !($1 > least) }'
}

expect "the kernel is built, or was" 0 "luf" "$run" kernel build luf
expect "nothing stale in ${REWRITE_SECONDS:=15} s" 0 "1 of 1 boots ended well" \
	"$run" ab luf-off luf rewrite:threads=3 --cpus 4 --boots 1 --samples 1 \
	--time "${REWRITE_SECONDS}s" -o "$dir/rewrite"
expect "three readers, in less memory than their models" 0 "1 of 1 boots ended well" \
	"$run" ab luf-off luf --boots 1 -o "$dir/readers" --cpus 4 --memory 256M --samples 1 \
	readers:processes=3,size=96M,tokens=1,limit=0
check "kswapd reclaims" grep -q '"reclaimed by kswapd ([1-9]' "$dir/readers/boots/001/cand-1.json"
check "pages wait for their flush" above "$(value cand luf_deferred)" 0.1
check "a tenth of the shootdowns" tenth "$(value cand tlb_shootdowns)" \
	"$(value base tlb_shootdowns)"
check "none waits where it is off" [ "$(value base luf_deferred)" = 0 ]
echo "1..$n"
