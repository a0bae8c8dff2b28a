#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every workload has a number with its proof, in guests of two architectures with two
# memory nodes; and where pages are reclaimed or migrated, batching sends less.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

# value SIDE WORKLOAD METRIC: of $dir/$arch
value() {
	"$O/compare-results" --out csv --show all --metric "$3" \
		"$dir/$arch/base.json" "$dir/$arch/cand.json" | grep -e ^workload, -e "^$2[,:]" |
		awk -v column="$1" -f "$tests/column.awk"
}

# has_time WORKLOAD: of both sides, more than 0
has_time() {
	unit=$("$run" list | sed -n "/^$1:/{n;s/.*counts in \(.*\)s$/\1/p}")
	echo "${unit:-op} $(value base "$1" "ns_per_${unit:-op}")" \
		"$(value cand "$1" "ns_per_${unit:-op}")" | awk '{ exit !($2 > 0 && $3 > 0) }'
}

half() {
	echo "$1 $2" | awk '{ exit !($1 != "" && $2 > 0 && $1 <= $2 / 2) }'
}

for arch in x86_64 arm64; do
	case $arch in
	x86_64) metric=tlb_shootdowns_per_page ;;
	*) metric=dsb_ish:ptep_clear_flush_per_page ;;
	esac
	if [ "$arch" != x86_64 ] && [ ! -x "$(dirname "$O")/build-$arch/shootdown" ]; then
		skip "$arch" "no programs: make cross ARCH=$arch"
		continue
	fi
	expect "$arch: a guest with two nodes" 0 "1 of 1 boots ended well" \
		"$run" ab nobatch batch --arch "$arch" --suite each --boots 1 --samples 1 \
		--time 100ms -o "$dir/$arch"
	for workload in $("$run" list | sed -n 's/^\([a-z]*\): .*/\1/p' | grep -v ^every); do
		check "$arch: $workload has a time" has_time "$workload"
	done
	for workload in swap migrate reclaim; do
		check "$arch: $workload: batching leaves half of the flushes or less" half \
			"$(value cand $workload $metric)" "$(value base $workload $metric)"
	done
done
echo "1..$n"
