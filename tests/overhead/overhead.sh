#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: tests/overhead/overhead.sh [swap|readers [PAIRS [ITERATIONS]]]
# What the harness costs: the workload's loop alone (bare-*.c) and `shootdown run`
# with the same parameters, in turn, AB BA AB ... Prints the time per page of each
# pair and the median of the ratios. Root. swap: the published loop; uses the swap
# that is there, or makes one of zram meanwhile. readers: so many rounds, in a memory
# cgroup; the time is that of reclaim and of the disk, and varies by some percent. What
# does not is counted in a guest: tests/guest/test-overhead.c.
set -eu

workload=${1:-swap} pairs=${2:-10}
O=${O:-build}
cpu=$(($(nproc) - 1))
dir=$(mktemp -d)
device=''

cleanup() {
	if [ -n "$device" ]; then
		swapoff "$device" || true
		zramctl --reset "$device" || true
	fi
	# Of a bare-readers that was interrupted.
	rmdir /sys/fs/cgroup/bare-readers /sys/fs/cgroup/memory/bare-readers 2>/dev/null || true
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

case $workload in
swap)
	bytes=1048576 iterations=${3:-500} samples=1
	if [ "$(wc -l </proc/swaps)" = 1 ]; then
		device=$(zramctl --find --size 256M)
		mkswap "$device" >/dev/null
		swapon "$device"
	fi
	spec="swap:size=$bytes,iterations=$iterations,cpu=$cpu"
	bare() {
		"$O/tests/overhead/bare-swap" "$bytes" "$iterations" "$cpu"
	}
	;;
readers)
	bytes=67108864 samples=${3:-9}
	spec="readers:size=$bytes,limit=$bytes,processes=2,threads=3,tokens=4,iterations=1"
	bare() {
		"$O/tests/overhead/bare-readers" "$bytes" "$bytes" 2 3 4 "$samples"
	}
	;;
*)
	echo "overhead.sh: $workload: give swap or readers" >&2
	exit 2
	;;
esac

harness() {
	"$O/shootdown" run "$spec" --samples "$samples" --warmup 1 --no-trace --no-profile \
		-o "$dir/result.json" >/dev/null
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
