#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: tests/overhead/overhead.sh [PAIRS [ITERATIONS]]
# What the harness costs: the published loop alone (bare-swap.c) and `shootdown
# run swap` with the same parameters, in turn, AB BA AB ... Prints the time per
# page of each pair and the median of the ratios. Root; uses the swap that is
# there, or makes one of zram meanwhile.
set -eu

pairs=${1:-10} iterations=${2:-500}
O=${O:-build}
bytes=1048576
cpu=$(($(nproc) - 1))
dir=$(mktemp -d)
device=

cleanup() {
	if [ -n "$device" ]; then
		swapoff "$device" || true
		zramctl --reset "$device" || true
	fi
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

if [ "$(wc -l </proc/swaps)" = 1 ]; then
	device=$(zramctl --find --size 256M)
	mkswap "$device" >/dev/null
	swapon "$device"
fi

bare() {
	"$O/tests/overhead/bare-swap" "$bytes" "$iterations" "$cpu"
}

harness() {
	"$O/shootdown" run "swap:size=$bytes,iterations=$iterations,cpu=$cpu" --samples 1 \
		--warmup 1 -o "$dir/result.json" >/dev/null
	"$O/compare-results" --out csv --metric ns_per_page "$dir/result.json" \
		"$dir/result.json" | awk -v column=base -f tests/column.awk
}

i=0
while [ "$i" -lt "$pairs" ]; do
	if [ $((i % 2)) = 0 ]; then
		a=$(bare) b=$(harness)
	else
		b=$(harness) a=$(bare)
	fi
	i=$((i + 1))
	echo "$a $b" | awk '{ printf "%.1f %.1f %.4f\n", $1, $2, $2 / $1 }' | tee -a "$dir/pairs"
done

sort -k 3 -n "$dir/pairs" | awk '{ ratio[NR] = $3 } END {
	m = int((NR + 1) / 2)
	median = NR % 2 ? ratio[m] : (ratio[m] + ratio[m + 1]) / 2
	printf "harness / bare loop, median of %d pairs: %.4f (%.4f to %.4f)\n", NR, median,
		ratio[1], ratio[NR]
}'
