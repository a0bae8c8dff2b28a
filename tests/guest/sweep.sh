#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown sweep in real guests: two points, and a third that is added.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
quick="--boots 1 --samples 1 --time 200ms"

# point LABEL SIDE: the value of base or cand in $dir/cpus/sweep.json
point() {
	awk -v label="\"$1\"," -v side="\"$2\":" '/"label"/ { here = $2 == label }
		here && $1 == side { wanted = 1 }
		here && wanted && /"value"/ { print $2 + 0; exit }' "$dir/$3/sweep.json"
}

between() {
	echo "$1 $2 $3" | awk '{ exit !($1 != "" && $1 >= $2 && $1 <= $3) }'
}

expect "points that do not divide are found before the first" 2 "do not come out even" \
	"$run" sweep cpus=2,3 nobatch batch --nodes 2 -o "$dir/none"
check "and nothing is there" [ ! -e "$dir/none" ]
expect "a typing error, too" 2 "did you mean 'swap'" \
	"$run" sweep cpus=1,2 nobatch batch swp -o "$dir/none"

# shellcheck disable=SC2086 # $quick is words
expect "CPUs: batching pays from two on" 0 "batch is better than nobatch from cpus=2 on" \
	"$run" sweep cpus=1,2 nobatch batch $quick -o "$dir/cpus"
check "one CPU: no shootdowns" between "$(point 1 base cpus)" 0 0.01
check "two, unbatched: one a page" between "$(point 2 base cpus)" 0.9 1.2
check "two, batched: few" between "$(point 2 cand cpus)" 0 0.3
check "each point is an experiment" [ -e "$dir/cpus/cpus-2/manifest.json" ]
before=$(stat -c %Y "$dir/cpus/cpus-2/base.json" "$dir/cpus/cpus-2/boots/001/console.log")
# shellcheck disable=SC2086
expect "a third point is added" 0 "from cpus=2 on" \
	"$run" sweep cpus=1,2,3 nobatch batch $quick -o "$dir/cpus"
check "and the others are not measured again" [ "$(stat -c %Y \
	"$dir/cpus/cpus-2/boots/001/console.log")" = "${before##*
}" ]
check "three, unbatched: two a page" between "$(point 3 base cpus)" 1.8 2.4
expect "another metric, of the same boots" 0 "^kernel_insns_per_page of swap" \
	"$run" sweep cpus=1,2,3 nobatch batch --boots 1 --samples 1 --time 200ms \
	--metric kernel_insns_per_page -o "$dir/cpus"
expect "emulated time has no crossover" 0 "time is not time" \
	"$run" sweep cpus=1,2,3 nobatch batch --boots 1 --samples 1 --time 200ms \
	--metric ns_per_page -o "$dir/cpus"
expect "other options are refused there" 2 "holds another experiment" \
	"$run" sweep cpus=1,2 nobatch batch --boots 2 --samples 1 --time 200ms -o "$dir/cpus"

# shellcheck disable=SC2086
expect "a parameter: the workloads of one experiment" 0 \
	"batch is better than nobatch from threads=1 on" \
	"$run" sweep swap:size=256K,threads=0,1 nobatch batch --cpus 2 $quick -o "$dir/threads"
check "which keeps its files" [ -e "$dir/threads/manifest.json" ]

# A guest without memory for it: the point has no value, and the rest is shown.
expect "a point that fails is named" 3 "no boot ended well" \
	"$run" sweep cpus=1,2 nobatch batch swap:size=1G --boots 1 --memory 256M \
	-o "$dir/fails"
echo "1..$n"
