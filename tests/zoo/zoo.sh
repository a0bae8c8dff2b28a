#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Puts past faults back, one after the other, and has the suite find them, in guests;
# and has it find nothing where what was put back changes nothing. Prints a table (markdown):
# what found a fault, and after how long, kernel and guest started included.
# Usage: tests/zoo/zoo.sh [FAULT...]     all; "twin" is the null twin
# The environment: O, the folder of the built programs; ARM64=1, if there are
# programs for arm64 guests, too (make cross).
set -u

O=$(cd "${O:-build}" && pwd)
zoo=$(cd "$(dirname "$0")" && pwd)
run=$O/shootdown
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0

# What is counted here hardly varies, so that three boots are enough for a verdict,
# where six are asked for otherwise, and one for the alarm. How long CPUs wait for a
# lock does vary.
verdict="--boots 3 --samples 2 --time 200ms"
waiting="--boots 6 --samples 2 --time 200ms"
glance="--boots 1 --samples 2 --time 200ms"
rewrite="--cpus 4 --boots 1 --samples 1 rewrite:threads=3"

# try METRIC FAULT WORD...: shootdown ab of the sound kernel of its folder and this one;
# sets status, seconds. METRIC: what is judged then, or "-" for what ab said.
try() {
	metric=$1 fault=$2
	shift 2
	start=$(date +%s)
	rm -rf "$dir/ab"
	"$run" ab "$(dirname "$zoo/$fault")/sound.variant" "$zoo/$fault.variant" -o "$dir/ab" "$@" \
		>"$dir/out" 2>&1 </dev/null
	status=$?
	if [ "$metric" != - ] && { [ $status = 0 ] || [ $status = 1 ]; }; then
		"$O/compare-results" --min-n 3 --metric "$metric" --show all \
			"$dir/ab/base.json" "$dir/ab/cand.json" >"$dir/out" 2>&1
		status=$?
	fi
	seconds=$(($(date +%s) - start))
}

row() {
	echo "| $1 | $2 | $3 | $4 |"
}

# seek FAULT DETECTOR METRIC STATUS PATTERN WORD...: a line of the output must be PATTERN
seek() {
	what=$1 detector=$2 judged=$3 want=$4 pattern=$5
	shift 5
	try "$judged" "$what" "$@"
	line=$(grep -m 1 -e "$pattern" "$dir/out")
	if [ $status = "$want" ] && [ -n "$line" ]; then
		row "$what" "$detector" "$seconds s" "$(echo "$line" | tr -d '|' | tr -s ' ' | cut -c 1-160)"
	else
		bad=1
		row "$what" "**not by** $detector" "$seconds s" "exit status $status"
		sed 's/^/    /' "$dir/out" >&2
	fi
}

# quiet TWIN DETECTOR METRIC WORD...: of it nothing is said
quiet() {
	what=$1 detector=$2 judged=$3
	shift 3
	try "$judged" "$what" "$@"
	if { [ $status = 0 ] || [ $status = 4 ]; } && ! grep -q -e '+ regression' "$dir/out"; then
		row "$what" "nothing: $detector" "$seconds s" "quiet"
	else
		bad=1
		row "$what" "**accused** by $detector" "$seconds s" "exit status $status"
		sed 's/^/    /' "$dir/out" >&2
	fi
}

# The options of each detector, which are a word each.
# shellcheck disable=SC2086
find_fault() {
	case $1 in
	skip-flush)
		seek skip-flush "low-flush alarm (swap)" - 3 "too few flushes" \
			swap:size=512K,threads=1 $glance
		seek skip-flush litmus - 3 "stale translation: " \
			litmus:threads=2 --boots 1 --samples 1 --time 60s
		;;
	lost-pending)
		# Of more pages the flush of those that are changed covers the forgotten one.
		seek lost-pending "litmus, of one page" - 3 "stale translation: " \
			litmus:size=4K,threads=2 --boots 1 --samples 1 --time 60s
		;;
	local-dsb)
		if [ "${ARM64:-0}" = 1 ]; then
			seek local-dsb "low-flush alarm (swap, arm64)" - 3 "too few flushes" \
				swap:size=256K --arch arm64 $glance
		else
			row local-dsb "not tried: no programs for arm64 (make cross)" "" ""
		fi
		;;
	stale-cpumask)
		seek stale-cpumask "interrupts per page (wander)" "tlb_*" 1 \
			"^wander.*tlb_shootdowns_per_page.*+ regression" \
			wander:size=256K,then=parted $verdict
		;;
	flush-each)
		seek flush-each "batch sweep (migrate)" "tlb_*" 1 \
			"^migrate:batch=32.*tlb_shootdowns_per_page.*+ regression" \
			migrate:size=256K,threads=1,batch=1 \
			migrate:size=256K,threads=1,batch=32 $verdict
		;;
	lazy-cpumask)
		seek lazy-cpumask "interrupts per page (wander)" "tlb_*" 1 \
			"^wander.*tlb_shootdowns_per_page.*+ regression" \
			wander:size=256K,then=busy $verdict
		;;
	flush-lock)
		seek flush-lock "scaling (storm)" "kernel_insns_*" 1 \
			"^storm:threads=7.*kernel_insns_per_page.*+ regression" \
			storm:threads=0 storm:threads=7 --cpus 8 $waiting
		;;
	twin)
		quiet twin "low-flush alarm, interrupts, batch sweep" "tlb_*" swap:size=512K,threads=1 \
			wander:size=256K,then=parted wander:size=256K,then=busy \
			migrate:size=256K,threads=1,batch=1 \
			migrate:size=256K,threads=1,batch=32 \
			$verdict
		quiet twin scaling "kernel_insns_*" storm:threads=0 storm:threads=7 --cpus 8 $waiting
		quiet twin litmus - litmus:threads=2 litmus:size=4K,threads=2 \
			--boots 1 --samples 1 --time 30s
		;;
	luf/free | luf/write | luf/copy)
		seek "$1" rewrite - 3 "stale translation: " $rewrite --time 60s
		;;
	luf/moved)
		seek luf/moved "rewrite, by migration" - 3 "stale translation: " \
			$rewrite,by=migration --time 60s
		;;
	luf/sound)
		quiet luf/sound rewrite - $rewrite rewrite:threads=3,by=migration --time 30s
		;;
	*)
		echo "$0: $1: there are $faults" >&2
		exit 2
		;;
	esac
}

faults="skip-flush lost-pending local-dsb stale-cpumask flush-each lazy-cpumask flush-lock twin
	luf/free luf/write luf/copy luf/moved luf/sound"
[ $# -gt 0 ] || {
	# shellcheck disable=SC2086
	set -- $faults
	echo "| fault | found by | after | in these words |"
	echo "| --- | --- | --- | --- |"
}
for fault in "$@"; do
	find_fault "$fault"
done
exit $bad
