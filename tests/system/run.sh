#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown run from the outside: real samples on this kernel, and bad input.
# shellcheck disable=SC2086 # $quick and $nobody are words
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
root=$([ "$(id -u)" = 0 ] && echo yes)
quick="--time 300ms --samples 3"

# metric FILE METRIC: its values per unit, one a line, without the warm-up
metric() {
	"$O/compare-results" --out csv --metric "$2" --show all "$1" "$1" |
		awk -v column=base -f "$tests/column.awk"
}

# between VALUE LOW HIGH
between() {
	echo "$1 $2 $3" | awk '{ exit !($1 != "" && $1 >= $2 && $1 <= $3) }'
}

swap_before=$(cat /proc/swaps)
thp=/sys/kernel/mm/transparent_hugepage/enabled
thp_before=$(cat $thp 2>/dev/null)

machine_as_before() {
	[ "$(cat /proc/swaps)" = "$swap_before" ] && [ "$(cat $thp 2>/dev/null)" = "$thp_before" ]
}

# Bad words, each with one clear line and status 2.
expect "unknown workload" 2 "did you mean 'swap'" "$run" run swp
expect "unknown parameter" 2 "did you mean 'threads'" "$run" run swap:thread=1
expect "no number" 2 "is no number" "$run" run swap:size=big
expect "out of range" 2 "out of range" "$run" run swap:size=0
expect "no multiple of the page" 2 "multiple of the page" "$run" run swap:size=5000
expect "more threads than CPUs" 2 "give 0 to" "$run" run swap:threads=100000
expect "a CPU that is not online" 2 "CPU 4095 is offline" "$run" run swap:cpu=4095
expect "a size beyond memory" 2 "needs 1048576 MiB of memory" "$run" run swap:size=1T
expect "unknown suite" 2 "there are each, full, guest, quick, seeds" "$run" run --suite quik
expect "unknown command" 2 "did you mean 'run'" "$run" rum
expect "bad samples" 2 "give a number" "$run" run --samples 0 null
expect "bad time" 2 "give a time" "$run" run --time 5 null
expect "a folder that is not there" 2 "cannot write to the folder" "$run" run null -o \
	"$dir/none/a.json"
expect "one line each" 0 "^1 " sh -c "'$run' run swp 2>&1 | wc -l | sed 's/$/ /'"
expect "help teaches" 0 "shootdown run swap:threads=max" "$run" run --help
expect "list" 0 "^swap: " "$run" list
expect "list as JSON" 0 '"name": "swap"' "$run" list --json

# What a suite takes is said before it is run.
expect "suites, with their time and memory" 0 \
	"^full .* workloads, about [0-9]* min.* [0-9]* MiB of memory, [0-9]* MiB of swap" \
	"$run" list --suites
expect "and as JSON" 0 '"name": "quick"' "$run" list --suites --json
check "quick takes at most 2 minutes" between "$(awk '/"name"/ { name = $2 }
	/"time_ns"/ && name ~ /quick/ { print $2 + 0 }' "$dir/out")" 1 120000000000
# lacks SUITE: a workload that it has not; nothing if it has all
lacks() {
	"$run" list | sed -n 's/^\([a-z]*\): .*/\1/p' | while read -r workload; do
		grep -q "^$workload\(:\|$\)" "$tests/../bench/suites/$1.suite" ||
			echo "$workload"
	done
}
for suite in each quick full; do
	check "$suite has every workload" [ -z "$(lacks $suite)" ]
done
"$run" run --suite full --time 1000s >"$dir/out" 2>"$dir/err" &
pid=$!
sleep 2
kill -INT $pid
wait $pid
check "a run says it before it starts" grep -q \
	"suite full: [0-9]* workloads, about [0-9]* min.* MiB of memory" "$dir/err"

expect "null is measured" 0 "^null .* ok" "$run" run null $quick -o "$dir/null.json"
check "its cost per operation is below 50 ns" between \
	"$(metric "$dir/null.json" ns_per_op)" 0.01 50
if grep -q '"profile_hits"' "$dir/null.json" && ! grep -q 'nothing can be sampled' \
	"$dir/null.json"; then
	expect "its profile says where the time went" 0 "^null: its time.*user [0-9]" "$run" \
		run null $quick -o "$dir/profile.json"
	check "the groups add up to the hits" between "$(metric "$dir/profile.json" \
		'group_share:*' | awk '{ sum += $1 } END { print sum }')" 0.999 1.001
	check "and above 9 of 10 hits are user mode" between \
		"$(metric "$dir/profile.json" group_share:user)" 0.9 1
else
	skip "the profile" "nothing can be sampled here"
fi
if "$run" run null --no-trace --time 100ms --samples 1 --folded "$dir/folded" 2>/dev/null |
	grep -q 'kernel functions'; then
	check "call chains for a flame graph" grep -q '^null;user [0-9]' "$dir/folded/null.folded"
fi
expect "perf is not there" 2 "install linux-perf" env PATH=/nonexistent "$run" run null \
	--perf-data "$dir/perf"
if perf record -o "$dir/perf.data" true >/dev/null 2>&1; then
	expect "perf records too" 0 "" "$run" run null:iterations=1000 $quick --perf-data "$dir/perf"
	check "and perf report reads it" sh -c \
		"perf report --stdio -i '$dir/perf/null:iterations=1000.data' 2>/dev/null | grep -q null"
else
	skip "a file for perf report" "perf record does not work here"
fi
expect "no profile if not wanted" 0 "" "$run" run null $quick --no-profile -o "$dir/none.json"
check "and none is there" sh -c "! grep -q profile_hits '$dir/none.json'"
expect "a profile of what" 2 "thread or machine" "$run" run null --profile=all
expect "dontneed is measured" 0 "^dontneed .* ok" "$run" run dontneed $quick

# sends NAME FILE LOW HIGH: shootdowns a page
sends() {
	if grep -q "flushes by hypercall" "$2"; then
		skip "$1" "this hypervisor flushes by hypercall, which is not counted"
	else
		check "$1" between "$(metric "$2" tlb_shootdowns_per_page)" "$3" "$4"
	fi
}

if [ -n "$root" ]; then
	expect "swap is measured" 0 "^swap .* ok" "$run" run swap:iterations=200 --samples 3 \
		-o "$dir/swap.json"
	check "95 % of the pages went to swap" between \
		"$(metric "$dir/swap.json" pswpout_per_page | head -n 1)" 0.95 1.5
	sends "swap alone sends no shootdowns" "$dir/swap.json" 0 0.1
	check "and leaves the machine as it was" machine_as_before
	if [ "$(nproc)" -gt 1 ]; then
		expect "swap beside a thread is measured" 0 "^swap:threads=1 .* ok" "$run" run \
			swap:threads=1 $quick -o "$dir/threads.json"
		sends "and sends shootdowns" "$dir/threads.json" 0.001 2
	else
		skip "swap beside a thread" "one CPU"
	fi
	expect "written pages come back" 0 "ok" "$run" run swap:touch=write $quick
	expect "private pages come back" 0 "ok" "$run" run swap:mapping=private $quick

	# A file that cannot be written leaves the old one, and the result is kept.
	mkdir "$dir/full"
	if mount -t tmpfs -o size=16k tmpfs "$dir/full" 2>/dev/null; then
		echo old >"$dir/full/a.json"
		expect "a full disk is said" 2 "No space left" "$run" run null $quick -o \
			"$dir/full/a.json"
		check "the old file stays" grep -qx old "$dir/full/a.json"
		rescue=$(sed -n 's/.*is kept in //p' "$dir/err")
		check "the result is kept elsewhere" grep -q shootdown-result "${rescue:-/none}"
		rm -f "$rescue"
		umount "$dir/full"
	else
		skip "full disk" "cannot mount a tmpfs"
	fi

	# Ctrl-C, and a second run meanwhile.
	"$run" run swap null --time 20s --thp never -o "$dir/int.json" >/dev/null 2>"$dir/int" &
	pid=$!
	sleep 2
	expect "a second run is refused" 2 "$pid" "$run" run null $quick
	kill -INT $pid
	wait $pid
	status=$?
	check "Ctrl-C ends with 130" [ $status = 130 ]
	check "the file says that it is incomplete" grep -q '"complete": *false' "$dir/int.json"
	check "the machine is as before" machine_as_before

	# A kill leaves things behind, which are named and taken away.
	"$run" run swap --time 20s --thp never >/dev/null 2>&1 &
	pid=$!
	sleep 2
	kill -KILL $pid
	wait $pid 2>/dev/null
	sleep 1
	expect "doctor names what a killed run left" 1 "zram" "$run" doctor
	expect "a new run refuses to start on top" 2 "doctor --restore" "$run" run null $quick
	expect "doctor takes it away" 0 "" "$run" doctor --restore
	check "the machine is as before the kill" machine_as_before

	# As nobody.
	mkdir "$dir/bin"
	cp "$run" "$dir/bin/"
	chmod -R a+rX "$dir"
	nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	if [ "$(wc -l </proc/swaps)" = 1 ]; then
		expect "without swap and root: skipped with the fix" 3 "run as root" $nobody \
			"$dir/bin/shootdown" run swap $quick
		check "and without a number" sh -c "! grep -E '^swap .*[0-9]' '$dir/out'"
	else
		skip "no swap and no root" "swap is on"
	fi
	mkdir -m 777 "$dir/nobody"
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
		expect "without the right to perf" 0 "^null .* ok" $nobody "$dir/bin/shootdown" \
			run null $quick -o "$dir/nobody/a.json"
		check "kernel counters are unavailable, with the reason" \
			grep -q "perf_event_paranoid is" "$dir/nobody/a.json"
		check "and so is the tracepoint" grep -q "tracefs" "$dir/nobody/a.json"
		check "and the profile" sh -c "grep '\"profile_hits\"' '$dir/nobody/a.json' |
			grep -qE 'kptr_restrict|perf_event_paranoid'"
	else
		skip "no right to perf" "perf_event_paranoid permits it"
	fi
else
	expect "swap without root" 3 "run as root" "$run" run swap $quick
fi
