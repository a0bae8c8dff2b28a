#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# litmus finds a kernel that uses stale translations, and accuses no sound one.
# Each sound kernel is tried for $LITMUS_SECONDS timed, and as long traced.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
broken=$tests/zoo/skip-flush.variant

# ab BASE CAND SECONDS: each in one boot, for that time
ab() {
	"$run" ab "$1" "$2" litmus:threads=2 --boots 1 --samples 1 --time "$3s" \
		-o "$dir/$(basename "$2" .variant)"
}

expect "the kernel with switches for faults is built, or was" 0 "skip-flush" \
	"$run" kernel build "$broken"
expect "forgotten flushes are found within a minute, and loud" 3 \
	"is failed: stale translation: [1-9].* violations in .* checks" ab "$broken" "$broken" 60
check "and give no number" sh -c "! grep -q checks_per_turn '$dir/out'"
expect "sound kernels: nothing in ${LITMUS_SECONDS:=15} s" 0 "1 of 1 boots ended well" \
	ab nobatch batch "$LITMUS_SECONDS"
for side in base cand; do
	check "$side: there were checks" grep -q '"name":"checks_per_turn"' \
		"$dir/batch/$side.json"
done
echo "1..$n"
