#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown plan from the outside.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

# result METRIC NS...: one boot for each, of the metric, which took 2 s of measuring
result() {
	metric=$1
	shift
	places=$(seq -s, $#)
	numbers=$(echo "$@" | tr ' ' ,)
	zeros=$(echo "$places" | sed 's/[0-9][0-9]*/0/g')
	ones=$(echo "$places" | sed 's/[0-9][0-9]*/1/g')
	times=$(echo "$places" | sed 's/[0-9][0-9]*/2000000000/g')
	cat <<END
{"schema": "shootdown-result-1", "complete": true,
 "identity": {"cpu_model": "Test CPU"}, "subject": {}, "state": {},
 "runs": [{"workload": "swap", "revision": 1, "unit": "page", "status": "ok",
  "params": {},
  "samples": {"block": [$zeros], "boot": [$places], "process": [$zeros],
   "iteration": [$zeros], "warmup": [$zeros]},
  "work": [$ones],
  "metrics": [
   {"name": "$metric", "unit": "ns/page", "source": "clock", "better": "lower",
    "kind": "sample", "values": [$numbers]},
   {"name": "wall_ns", "unit": "ns", "source": "clock", "better": "none",
    "kind": "sample", "values": [$times]}]}]}
END
}

# power.t.test(sd = sd(log(x)), delta = log(1.03), power = 0.8)$n is 3.7, of which a
# verdict takes 6; and 22.99 for 1 %
result ns_per_page 1000 1010 1020 1030 1000 1010 1020 1030 >"$dir/result.json"
result ns_per_page 1000 >"$dir/one.json"
result other_per_page 1000 1010 >"$dir/other.json"

expect "a result of several boots" 0 "^swap *ns_per_page *8 *1.18% *3% *6 *24 s not paired" \
	"$run" plan --detect 3% "$dir/result.json"
check "the sum is named, with its time" grep -q "^All of them: 6 boots of each side, about 24 s" \
	"$dir/out"
expect "a smaller effect takes more" 0 "^swap *ns_per_page *8 *1.18% *1% *23 *92 s not paired" \
	"$run" plan --detect 1% "$dir/result.json"
expect "an effect in the unit of the metric" 0 "12 ns/page *5 ns/page *91 *6 min" \
	"$run" plan --detect 0.001%,5 "$dir/result.json"
expect "one boot has no answer" 3 "one boot: how boots differ is not known" \
	"$run" plan --detect 3% "$dir/one.json"
expect "nothing that decides" 3 "no value of such a metric" \
	"$run" plan --detect 3% "$dir/other.json"
expect "--metric" 0 "^swap *other_per_page" \
	"$run" plan --detect 3% --metric 'oth*' "$dir/other.json"
expect "--workload" 3 "no value of such a metric" \
	"$run" plan --detect 3% --workload null "$dir/result.json"
mkdir "$dir/none" "$dir/bad"
echo '{}' >"$dir/bad/manifest.json"
expect "an empty folder" 2 "none: no \*.json in this folder" "$run" plan --detect 3% "$dir/none"
expect "a broken experiment" 2 "bad/manifest.json: " "$run" plan --detect 3% "$dir/bad"
expect "no file" 2 "nofile: No such file" "$run" plan --detect 3% "$dir/nofile"
expect "no effect" 2 "needed are --detect" "$run" plan "$dir/result.json"
expect "no result" 2 "needed are --detect" "$run" plan --detect 3%
expect "two results" 2 "not more" "$run" plan --detect 3% "$dir/result.json" "$dir/one.json"
for bad in 0% 0 -3% x % 3%%; do
	expect "--detect $bad" 2 "give an effect above 0" "$run" plan --detect="$bad" "$dir/result.json"
done
echo "1..$n"
