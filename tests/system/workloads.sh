#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each workload for real on this kernel: a number with its proof, or a reason.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
quick="--time 200ms --samples 2"

# measured NAME WORKLOAD: it is ok; or it is skipped, with the fix, and so is the test
measured() {
	# shellcheck disable=SC2086 # $quick is words
	"$run" run "$2" $quick >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	if [ $status = 3 ] && grep -q "is skipped: .*; fix: " "$dir/out" "$dir/err"; then
		skip "$1" "$(sed -n 's/.* is skipped: \(.*\); fix: .*/\1/p' "$dir/out" "$dir/err")"
	elif [ $status = 0 ] && grep -q " ok$" "$dir/out"; then
		report ok "$1"
	else
		report "not ok" "$1"
		cat "$dir/out" "$dir/err" | sed "s/^/# status $status: /"
	fi
}

nothing_left() {
	! find /sys/fs/cgroup -maxdepth 2 -name 'shootdown-*' | grep .
}

measured "munmap" munmap
measured "munmap of one page" munmap:size=64K
measured "mprotect" mprotect
if [ "$(nproc)" -gt 1 ]; then
	measured "munmap beside a thread" munmap:threads=1
	measured "mprotect beside a thread" mprotect:threads=1
else
	skip "munmap and mprotect beside a thread" "one CPU"
fi
measured "migrate" migrate
measured "migrate page by page" migrate:batch=1,size=256K
measured "migrate by migrate_pages" migrate:call=migrate_pages
measured "migrate by mbind" migrate:call=mbind
measured "migrate shared memory" migrate:kind=shm
measured "migrate a file" migrate:kind=file
measured "migrate beside threads, under observers" migrate:threads=max,observers=max
measured "wander" wander
measured "wander to busy CPUs" wander:then=busy
measured "wander, and one stays" wander:then=parted
measured "storm" storm
if [ "$(nproc)" -gt 1 ]; then
	measured "victim" victim
	measured "victim of a working set beyond the TLB" victim:wset=16384
	measured "victim of migration" victim:work=migrate
	measured "victim of nothing" victim:work=none
	measured "allocate" allocate
	measured "litmus" litmus
	measured "rewrite" rewrite
else
	skip "victim, allocate, litmus and rewrite" "one CPU"
fi
measured "allocate beside nothing" allocate:reclaimers=0
measured "reclaim of one process" reclaim:processes=1
measured "reclaim of private memory" reclaim
measured "reclaim of shared memory" reclaim:kind=shm
measured "reclaim of a file" reclaim:kind=file
measured "reclaim of 128 processes" reclaim:processes=128,size=1M
measured "readers, mapped" readers
measured "readers by pread" readers:io=pread
measured "readers by io_uring" readers:io=uring
measured "readers of two tokens, one thread" readers:processes=1,threads=1,limit=32M
check "no cgroup is left" nothing_left

expect "more batch than pages" 1 "batch=2 is more than the 1 pages of size: give at most 1" \
	"$run" run "migrate:size=$(getconf PAGESIZE),batch=2"
expect "a batch out of range" 2 "give 0 to 512" "$run" run migrate:batch=513
expect "a node that is not there" 3 "node 1000 is not there" "$run" run migrate:to=1000
expect "no word for a node" 2 "is no node" "$run" run migrate:to=near
expect "no processes" 2 "give 1 to 256" "$run" run reclaim:processes=0

head -c 100 /dev/zero >"$dir/zeros"
expect "a model that is none" 1 "zeros: offset 0: this is no GGUF file" \
	"$run" run "readers:model=$dir/zeros"
expect "a folder as a model" 1 "is a folder" "$run" run "readers:model=$dir"
mkfifo "$dir/fifo"
expect "a FIFO as a model, without waiting" 1 "is a FIFO" timeout 20 \
	"$run" run "readers:model=$dir/fifo"
expect "more memory than models" 1 "not below the 134217728 bytes of the models" \
	"$run" run readers:limit=128M
expect "a limit below the working minimum" 3 "less than these readers need.*fix: give a higher limit" \
	"$run" run readers:limit=4M

if [ "$(id -u)" = 0 ]; then
	mount -t tmpfs tmpfs "$dir" 2>/dev/null && mounted=yes || mounted=
	if [ "$mounted" ]; then
		expect "a file in memory is no file" 3 "not on a disk" \
			env TMPDIR="$dir" "$run" run reclaim:kind=file
		umount "$dir"
	else
		skip "a file in memory" "cannot mount a tmpfs"
	fi

	disabled=/proc/sys/kernel/io_uring_disabled
	if [ -w $disabled ]; then
		before=$(cat $disabled)
		trap 'echo $before >$disabled; rm -rf "$dir"' EXIT
		echo 2 >$disabled
		expect "io_uring is disabled" 3 "fix: sysctl kernel.io_uring_disabled=0" \
			"$run" run readers:io=uring
		echo "$before" >$disabled
		trap 'rm -rf "$dir"' EXIT
	else
		skip "io_uring is disabled" "this kernel has no kernel.io_uring_disabled"
	fi

	truncate -s 40M "$dir/disk"
	mkdir "$dir/small"
	if mke2fs -q -t ext4 "$dir/disk" && mount -o loop "$dir/disk" "$dir/small" 2>/dev/null; then
		expect "a disk too small for the models" 3 "no room for files of 130 MiB in" \
			env TMPDIR="$dir/small" "$run" run readers
		umount "$dir/small"
	else
		skip "a disk too small for the models" "cannot mount a loop device"
	fi

	# A reader that the kernel kills, as its cgroup is taken away beneath it.
	"$run" run readers --time 20s --samples 2 >"$dir/out" 2>"$dir/err" </dev/null &
	pid=$!
	sleep 3
	limit=$(find /sys/fs/cgroup -path "*shootdown-$pid/memory.max" -o \
		-path "*shootdown-$pid/memory.limit_in_bytes")
	# Down to what cannot be reclaimed: with a little more the readers get by.
	tries=0 kib=1024
	while kill -0 $pid 2>/dev/null && [ $tries -lt 400 ]; do
		[ $kib -gt 16 ] && echo ${kib}K >"$limit" && kib=$((kib - 16))
		tries=$((tries + 1))
		sleep 0.02
	done 2>/dev/null
	wait $pid
	status=$?
	check "an OOM kill fails the run" [ $status = 1 ]
	check "and is told as what it is" grep -q \
		"the kernel killed a reader for want of memory within limit" "$dir/out"
	check "and leaves no cgroup" nothing_left
	check "and no reader" sh -c "! pgrep -P $pid"

	# A kill leaves the cgroup with the processes in it; both go.
	"$run" run reclaim --time 20s >/dev/null 2>&1 &
	pid=$!
	sleep 2
	kill -KILL $pid
	wait $pid 2>/dev/null
	sleep 1
	expect "doctor names the cgroup that a killed run left" 1 "the cgroup .*shootdown-$pid" \
		"$run" doctor
	expect "doctor takes it away" 0 "" "$run" doctor --restore
	check "no cgroup is left after the kill" nothing_left
fi
