#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown sweep on this kernel, and what it refuses.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

expect "no list" 2 "give a list" "$run" sweep swap
expect "one value" 2 "no parameter has two values" "$run" sweep swap:threads=1
expect "two lists" 2 "threads and size both have several" "$run" sweep \
	swap:threads=0,1,size=1M,2M
expect "an unknown parameter" 2 "did you mean 'threads'" "$run" sweep swap:thread=0,1
expect "a value out of range" 2 "out of range" "$run" sweep dontneed:size=0,1M
expect "guests without variants" 2 "name two variants" "$run" sweep cpus=1,2
expect "one variant" 2 "nothing to compare" "$run" sweep cpus=1,2 nobatch
expect "options of guests" 2 "is of guests\|are of guests\|that is of guests" "$run" sweep \
	null:iterations=10,20 --boots 2
expect "what no guest has" 2 "no property of guests" "$run" sweep nodes=1,2 nobatch batch
expect "no number of CPUs" 2 "cpus=two: give a number" "$run" sweep cpus=1,two nobatch batch
expect "CPUs twice" 2 "leave it out" "$run" sweep cpus=1,2 nobatch batch --cpus 4
expect "a second workload" 2 "one too many" "$run" sweep cpus=1,2 nobatch batch null swap
expect "help" 0 "one more value of the parameter" "$run" sweep --help

# A real sweep: the time of an operation of dontneed grows with its size.
out=$dir/sizes
expect "a sweep is measured" 0 "^ *4M .* ok" "$run" sweep dontneed:size=256K,1M,4M \
	--time 300ms --samples 3 -o "$out"
check "its points are in order" sh -c "grep -oE '^ *(256K|1M|4M) ' '$dir/out' | tr -d ' ' |
	tr '\n' ' ' | grep -qx '256K 1M 4M '"
check "the result is kept" grep -q '"complete": *true' "$out/result.json"
check "with its data" grep -q '"schema": *"shootdown-sweep-1"' "$out/sweep.json"
if /usr/bin/python3 -c "import matplotlib" 2>/dev/null; then
	check "and a picture" sh -c "grep -q 'The picture is' '$dir/out' ||
		! sed -n 's/^No picture/# &/p' '$dir/out'"
	check "that is a PNG" sh -c "head -c 4 '$out/sweep.png' | grep -q PNG"
	check "and an SVG with all labels" sh -c "for label in 256K 1M 4M ns/page; do
		grep -q \">\$label<\" '$out/sweep.svg' || exit; done"
else
	skip "the picture" "no python3-matplotlib"
fi
if [ "$(id -u)" = 0 ]; then
	expect "words are points too" 0 "^ *private .* ok" "$run" sweep \
		swap:mapping=private,shared,size=256K --time 100ms --samples 2 -o "$dir/words"
else
	expect "without root, why and the fix" 3 "run as root" "$run" sweep \
		swap:mapping=private,shared --time 100ms --samples 2 -o "$dir/words"
fi
expect "another metric" 0 "^page_faults_per_page of dontneed" "$run" sweep \
	dontneed:size=256K,1M --time 100ms --samples 2 --metric page_faults_per_page -o "$out"
expect "a metric that there is not" 3 "no point has the metric speed" "$run" sweep \
	dontneed:size=256K,1M --time 100ms --samples 2 --metric speed -o "$out"

# Where no folder is named, the newest sweep has the name to itself.
expect "a default folder" 0 "results/runs/sweep/dontneed-size/sweep.png\|No picture" \
	env -C "$dir" "$run" sweep dontneed:size=256K,1M --time 100ms --samples 2
expect "and once more" 0 "^ *1M .* ok" \
	env -C "$dir" "$run" sweep dontneed:size=256K,1M --time 100ms --samples 2
check "the first is set aside" [ -e "$dir"/results/runs/sweep/dontneed-size.before-*/sweep.json ]
check "the second is where it was" [ -e "$dir/results/runs/sweep/dontneed-size/sweep.json" ]

# Without matplotlib the table is as good as ever.
mkdir -p "$dir/data/harness/plots" "$dir/bad"
cp -r "$tests/../bench" "$dir/data/"
echo 'import sys; sys.exit("matplotlib is missing: install the package python3-matplotlib")' \
	>"$dir/data/harness/plots/sweep.py"
expect "no matplotlib is no failure" 0 "No picture was drawn: matplotlib is missing" \
	env SHOOTDOWN_DATA="$dir/data" "$run" sweep dontneed:size=256K,1M --time 100ms \
	--samples 2 -o "$dir/bare"
check "and there is the table" grep -q "^ *256K .* ok" "$dir/out"

# Interrupted.
"$run" sweep dontneed:size=1M,2M,4M --time 20s -o "$dir/int" >/dev/null 2>"$dir/int.err" &
pid=$!
sleep 2
kill -INT $pid
wait $pid
check "Ctrl-C ends with 130" [ $? = 130 ]
check "the file says that it is incomplete" grep -q '"complete": *false' "$dir/int/result.json"
