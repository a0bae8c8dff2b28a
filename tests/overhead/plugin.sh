#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: tests/overhead/plugin.sh [PAIRS [OPTION OF AB...]]
# What counting costs an emulated guest: one boot with the plugin and one without,
# in turn, AB BA AB ..., each of the same work. Prints, of each pair, the
# processor time (QEMU's, mostly) and the wall time of the guest, and the median
# of the ratios. Kernels, and for another architecture its programs, are as for
# shootdown ab.
set -eu

pairs=${1:-5}
[ $# = 0 ] || shift
O=$(cd "${O:-build}" && pwd)
# Beside the other builds, where guests of other architectures are looked for.
plain=$(mktemp -d "$O/../plain.XXXXXX")
dir=$(mktemp -d)
trap 'rm -rf "$plain" "$dir"' EXIT
trap 'exit 130' INT TERM
cp "$O/shootdown" "$O/guest-init" "$plain"

# Processor seconds of all children so far
used() {
	times >"$dir/times"
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); s += t[1] * 60 + t[2] }
		printf "%.2f\n", s }' "$dir/times" >"$dir/used"
	read -r seconds <"$dir/used"
}

# guest FOLDER NAME OPTION...: $dir/NAME holds processor and wall seconds
guest() {
	programs=$1 name=$2
	shift 2
	used
	before=$seconds
	"$programs/shootdown" ab batch batch --boots 1 -o "$dir/$name.ab" "$@" \
		swap:size=256K,iterations=20,threads=0 >"$dir/out" 2>&1 || {
		cat "$dir/out" >&2
		exit 1
	}
	used
	wall=$(awk -F '[:,]' '/"duration_ms"/ { print $2 / 1000 }' "$dir/$name.ab/manifest.json")
	echo "$before $seconds $wall" | awk '{ print $2 - $1, $3 }' >"$dir/$name"
	rm -rf "$dir/$name.ab"
}

# Builds what is missing, and finds out about KVM.
guest "$O" first "$@"

i=0
while [ "$i" -lt "$pairs" ]; do
	if [ $((i % 2)) = 0 ]; then
		guest "$plain" without "$@"
		guest "$O" with "$@"
	else
		guest "$O" with "$@"
		guest "$plain" without "$@"
	fi
	i=$((i + 1))
	cat "$dir/without" "$dir/with" | tr '\n' ' ' |
		awk '{ printf "%.2f %.2f %.3f  %.2f %.2f %.3f\n", $1, $3, $3 / $1, $2, $4, $4 / $2 }' |
		tee -a "$dir/pairs"
done

# median COLUMN WHAT
median() {
	sort -k "$1" -n "$dir/pairs" | awk -v column="$1" -v what="$2" '{ ratio[NR] = $column } END {
		m = int((NR + 1) / 2)
		median = NR % 2 ? ratio[m] : (ratio[m] + ratio[m + 1]) / 2
		printf "%s with the plugin / without, median of %d pairs: %.3f (%.3f to %.3f)\n",
			what, NR, median, ratio[1], ratio[NR]
	}'
}
median 3 "processor time"
median 6 "wall time"
