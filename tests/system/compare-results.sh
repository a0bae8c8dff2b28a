#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# compare-results from the outside: what it prints where, and its exit codes.
set -u

O=${O:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0

# result NS SHOOTDOWNS [CPU [WORKLOAD]]: a small result file on stdout
result() {
	cat <<END
{"schema": "shootdown-result-1", "complete": true,
 "identity": {"cpu_model": "${3:-Test CPU}"}, "subject": {}, "state": {},
 "runs": [{"workload": "${4:-swap}", "revision": 1, "unit": "page", "status": "ok",
  "params": {"size": 4096},
  "samples": {"block": [0, 0], "boot": [0, 0], "process": [0, 0], "iteration": [0, 1],
   "warmup": [1, 0]},
  "work": [10, 10],
  "metrics": [
   {"name": "ns_per_page", "unit": "ns/page", "source": "clock", "better": "lower",
    "kind": "sample", "per_unit": true, "values": [99999, $1]},
   {"name": "tlb_shootdowns_per_page", "unit": "interrupts/page", "source": "irq",
    "better": "lower", "kind": "exact", "per_unit": true, "values": [0, $2]},
   {"name": "pswpout_per_page", "unit": "pages/page", "source": "vmstat",
    "better": "none", "kind": "exact", "per_unit": true, "values": [10, 10]}]}]}
END
}

# arm VALUE...: a result of an experiment on stdout, one boot in its own block for each
# value, of $metric in $unit
metric=ns_per_page unit=ns/page
arm() {
	places=$(seq -s, $#)
	numbers=$(echo "$@" | tr ' ' ,)
	zeros=$(echo "$places" | sed 's/[0-9]*/0/g')
	ones=$(echo "$places" | sed 's/[0-9][0-9]*/1/g')
	cat <<END
{"schema": "shootdown-result-1", "complete": true,
 "identity": {"cpu_model": "Test CPU"}, "subject": {}, "state": {},
 "runs": [{"workload": "swap", "revision": 1, "unit": "page", "status": "ok",
  "params": {},
  "samples": {"block": [$places], "boot": [$places], "process": [$zeros],
   "iteration": [$zeros], "warmup": [$zeros]},
  "work": [$ones],
  "metrics": [
   {"name": "$metric", "unit": "$unit", "source": "clock", "better": "lower",
    "kind": "sample", "values": [$numbers]}]}]}
END
}

# expect NAME STATUS PATTERN ARGUMENT...: stdout and stderr have the pattern
expect() {
	name=$1 status=$2 pattern=$3
	shift 3
	n=$((n + 1))
	"$O/compare-results" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	if [ $got = "$status" ] && cat "$dir/out" "$dir/err" | grep -qe "$pattern"; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		echo "# status $got instead of $status, or no \"$pattern\" in:"
		cat "$dir/out" "$dir/err" | sed 's/^/# /'
	fi
}

# check NAME COMMAND...: on what the last expect left in $dir/out and $dir/err
check() {
	name=$1
	shift
	n=$((n + 1))
	if "$@"; then echo "ok $n - $name"; else echo "not ok $n - $name"; fi
}

# A table, and no escape sequence in it
colourless() {
	grep -q ^workload out && ! grep -q "$(printf '\033')" out
}

man=$(cd "$(dirname "$0")/../../man" && pwd)/compare-results.1
cd "$dir" || exit 1
case $O in /*) ;; *) O=$OLDPWD/$O ;; esac
result 2000 0 >base.json
result 3000 5 >cand.json
result 3000 5 "Other CPU" >other.json
result 3000 5 "Test CPU" null >null.json
head -c 300 base.json >cut.json
: >empty.json
echo "no result" >text.json
mkdir folder none
cp cand.json folder/newer.json
cp base.json folder/older.json
touch -d '2020-01-01' folder/older.json
cp base.json a=b.json

expect "two results" 0 "^swap *ns_per_page .* 200.0 .* 300.0 1.500  *1 ? inconclusive (needs 6)" base.json cand.json
check "a zero base gives a difference" grep -q "0 *0.5000 diff +0.5000  *1 ? inconclusive" out
check "rows that are hidden are counted" grep -q "^2 of 3 rows shown" out
check "one boot gives no verdict" grep -q "a verdict takes 6" out
check "stderr is empty" test ! -s err
check "no colour in a file" colourless
expect "the same file" 0 "1.000  *1 ? inconclusive" base.json base.json
expect "--show all" 0 "pswpout_per_page" --show all base.json cand.json
expect "--metric" 0 "pswpout_per_page" --metric 'pswp*' base.json cand.json
check "--metric hides the rest" test "$(grep -c ns_per_page out)" = 0
expect "label=path" 0 "^cand: new (cand.json)" old=base.json new=cand.json
expect "a file with = in its name" 0 "^base: a=b.json" a=b.json cand.json
expect "newest result of a folder" 0 "^cand: folder/newer.json" base.json folder
expect "--out csv" 0 "^swap,ns_per_page,ns/page,lower,sample,200,300,1.5,100,,,,,none,1,1,6,,1,inconclusive,$" \
	--out csv base.json cand.json
expect "--out json" 0 '"word": "inconclusive"' --out json base.json cand.json
expect "colour when asked" 3 "$(printf '\033')" --color always base.json null.json
script -qec "'$O/compare-results' base.json null.json" /dev/null >out 2>&1 </dev/null
check "colour on a terminal" grep -q "$(printf '\033')" out
NO_COLOR=1 script -qec "'$O/compare-results' base.json null.json" /dev/null >out 2>&1 </dev/null
check "NO_COLOR on a terminal" colourless

arm 2000 2020 1980 2010 1990 2000 >a.json
arm 2205 2222 2178 2211 2184 2200 >b.json
arm 2000 2200 1900 2100 1800 2300 >noisy.json
arm 2000 2020 1980 2010 1990 >five.json
expect "a regression" 1 "+ regression$" a.json b.json
check "a regression: n is pairs" grep -q "1.1[0-9]* \[.*<.0001 6 0.[0-9]*% + regression" out
check "a regression is counted" grep -q "^Metrics that decide: 1 worse, 0 better, 0 inc" out
expect "an improvement" 0 "[-] improvement$" b.json a.json
expect "identical" 0 "= same$" a.json a.json
expect "a noisy side" 0 "? inconclusive (needs [0-9]*)$" a.json noisy.json
check "needs is explained" grep -q "^needs: boots of each side, at least, to find" out
expect "--fail-on inconclusive" 4 "? inconclusive" --fail-on inconclusive a.json noisy.json
expect "--fail-on missing leaves out regressions" 0 "+ regression" --fail-on missing a.json b.json
expect "--fail-on regression leaves out missing" 3 "in common" --fail-on regression a.json null.json
expect "too few boots" 0 "? inconclusive (needs 6)" five.json b.json
expect "--min-n" 1 "+ regression" --min-n 5 five.json b.json
expect "a boot without its partner" 1 "without a partner on the other side, in no pair: 1;" --min-n 5 five.json b.json
expect "--pair none" 1 "not paired" --pair none a.json b.json
expect "--min-effect" 0 "= small$" --min-effect 'ns_*=12%' a.json b.json
expect "--alpha" 0 "? inconclusive" --alpha 1e-12 a.json b.json
expect "--metric decides" 1 "+ regression" --metric 'ns*' a.json b.json
for out in json csv markdown lkml junit ktap; do
	expect "--out $out: the same verdict" 1 regression --out $out a.json b.json
done
expect "--out lkml" 1 "^  compare-results a.json b.json$" --out lkml a.json b.json
check "--out lkml: 72 columns" test -z "$(awk 'length > 72' out)"
expect "--out ktap" 1 "^not ok 1 swap ns_per_page # + regression" --out ktap a.json b.json
expect "--out junit" 1 'failures="1" skipped="0"' --out junit a.json b.json
: >one.xml
expect "--out several times" 1 "^| swap | ns" --out markdown --out junit:one.xml --out csv:two.csv \
	--out json:three.json --out lkml:four.txt --out ktap:five.tap --out text:six.txt a.json b.json
check "--out: each file is whole" sh -c "grep -q '^</testsuite>' one.xml &&
	test \$(wc -l <two.csv) = 2 && grep -q '^}' three.json && grep -q 'To repeat' four.txt &&
	grep -q '^not ok' five.tap && grep -q '+ regression' six.txt"
check "--out: standard output has one form" test "$(grep -c regression out)" = 1
expect "--out to a file" 2 "folder: Is a directory" --out csv:folder a.json b.json
check "--out to a file only: nothing is printed" test -z "$("$O/compare-results" --out csv:two.csv \
	a.json b.json)"
expect "--out to a device" 1 "^workload,metric" --out csv:/dev/stdout a.json b.json
check "--out to a device: it is still one" test -L /dev/stdout
expect "--out of a refusal" 3 "not comparable" --out csv:never.csv --out text base.json other.json
check "--out of a refusal: no file" test ! -e never.csv
expect "the command to repeat has the options" 1 "^  compare-results --pair=none '--metric=ns\*' " \
	--pair none --out lkml --metric 'ns*' --color never a.json b.json
published=$(dirname "$man")/../results/published
expect "--published" 1 "^swap *ns_per_page *5738 *5391 *0.9394 1.100 " \
	--published "$published/arm64-snapdragon-888.json" a.json b.json
check "--published says how the machines differ" \
	grep -q "^  cpu_model: Snapdragon 888; here: Test CPU" out
expect "--published of a result" 2 "a.json: a result, but not of published figures" \
	--published a.json a.json b.json
expect "--explain" 1 "verdict: + regression" --explain ns_per_page a.json b.json
# The manual's examples say from what they are made, and their figures are the program's.
grep '^\.\\" example ' "$man" >examples
check "the manual has three examples" test "$(wc -l <examples)" = 3
while read -r line; do
	echo "$line" | {
		# shellcheck disable=SC2034 # the first words are the mark
		read -r mark word metric unit option base cand
		# shellcheck disable=SC2046 # one word for each boot
		arm $(echo "$base" | tr , ' ') >man-base.json
		# shellcheck disable=SC2046
		arm $(echo "$cand" | tr , ' ') >man-cand.json
		"$O/compare-results" "$option" --explain "$metric" man-base.json man-cand.json
	} | grep -v '^$' >explained
	line=$line awk '$0 == ENVIRON["line"] { found = 1 } found && /^\.Ed/ { exit }
		inside; found && /^\.Bd/ { inside = 1 }' "$man" >example
	check "the manual's example is true: $line" cmp explained example
done <examples
script -qec "stty cols 60; '$O/compare-results' a.json b.json" /dev/null >out 2>&1 </dev/null
check "a narrow terminal" test -z "$(tr -d '\r' <out | sed '1,/^$/d; /^[0-9n] *[o:]/,$d' |
	sed 's/\x1b\[[0-9;]*m//g' | awk 'length > 60')"

# Bad input: each has a test, and is said in one line.
arm 2000 >one.json
sed 's/"status": "ok"/"status": "invalid", "reason": "3 pages were still resident"/' a.json >invalid.json
sed 's/"warmup": \[0,0,0,0,0,0\]/"warmup": [1,1,1,1,1,1]/' a.json >warm.json
sed 's/2000,2020/NaN,2020/' a.json >nan.json
sed 's/\[1,2,3,4,5,6\]/[1,1,3,4,5,6]/g' a.json >twice.json
arm 2000 2020 -1980 2010 1990 2000 >jumped.json
unit=us/page
arm 2 2 2 2 2 2 >micro.json
unit=ns/page
arm 0 0 0 0 0 0 >zero.json
metric=swap_in_ns_per_page
arm 1 2 3 1 2 3 >phase.json
metric=ns_per_page
mkdir mixed experiment
cp base.json mixed/1.json
cp other.json mixed/2.json
cp a.json experiment/base.json
echo '{}' >experiment/manifest.json
expect "arms with one boot" 0 "? inconclusive (needs 6)" one.json one.json
expect "all samples invalid" 3 "^\[1\] cand: 3 pages were still resident" a.json invalid.json
check "all samples invalid: no number" sh -c "! grep -q 2000 out"
expect "all samples are warm-up" 3 "^\[1\] cand: no sample counts" a.json warm.json
expect "NaN" 2 "nan.json:[0-9:]* invalid token near 'NaN'" a.json nan.json
expect "a clock that jumped" 3 "^\[1\] cand: a duration below 0; its clock jumped" a.json jumped.json
expect "units that differ" 3 "^\[1\] units differ: ns/page against us/page" a.json micro.json
expect "one result taken in twice" 2 "two samples of boot 1, block 1, process 0, iteration 0" a.json twice.json
expect "one result on both sides" 0 "^warning: base and cand hold the very same samples" a.json a.json
expect "0 against 0" 0 " 0  *0 diff 0 .*= same$" zero.json zero.json
expect "a metric of one arm only" 3 "swap_in_ns_per_page .* new$" a.json phase.json
check "a metric of one arm only: both are rows" grep -q "  ns_per_page .* gone$" out
expect "a folder of two machines" 3 "warning: mixed/2.json: the folder also holds results of another" base.json mixed
check "a folder of two machines: the key is named" grep -q "mixed/1.json differs in cpu_model" err
expect "the folder of an experiment" 2 "experiment: an experiment: give experiment/base.json" a.json experiment

expect "another machine" 3 "^  cpu_model: Test CPU -> Other CPU" base.json other.json
check "another machine: no table" test ! -s out
expect "another machine, allowed" 0 "^mismatch allowed: cpu_model: Test CPU -> Other CPU" \
	--allow-mismatch cpu_model base.json other.json
expect "another machine, other key allowed" 3 "not comparable" \
	--allow-mismatch cpu base.json other.json
expect "another machine as JSON" 3 '"comparable": false' --out json base.json other.json
expect "missing workload" 3 "^Values of base that cand lacks: 1" base.json null.json
expect "nothing in common" 3 "no measurement in common" base.json null.json

expect "two patterns" 2 "metric is given twice" --metric a --metric b a.json b.json
expect "no arguments" 2 "two results are needed"
expect "one argument" 2 "two results are needed" base.json
expect "three arguments" 2 "not more" base.json base.json base.json
expect "unknown option" 2 "unrecognized option" --force base.json cand.json
expect "two forms on standard output" 2 "give one of them a path" --out csv --out json a.json b.json
expect "no path after the colon" 2 "no path after the colon" --out csv: a.json b.json
expect "a path that cannot be written" 2 "none/at/all: No such file" --out csv:none/at/all a.json b.json
expect "unknown word" 2 '"tex" is none of text, json, csv' --out tex base.json cand.json
expect "unknown pairing" 2 '"boot" is none of auto, block, none' --pair boot a.json b.json
expect "unknown failure" 2 '"x" is none of regression' --fail-on regression,x a.json b.json
expect "bad --alpha" 2 "not above 0 and below 0.5" --alpha 1 a.json b.json
expect "bad --min-n" 2 "no number from 2 to 1000" --min-n 1 a.json b.json
expect "bad --min-effect" 2 "no METRIC=3%" --min-effect ns_per_page a.json b.json
expect "missing file" 2 "nofile.json: No such file" base.json nofile.json
expect "empty file" 2 "empty.json: the file is empty" base.json empty.json
expect "cut file" 2 "cut.json:.*cut short" base.json cut.json
expect "no JSON" 2 "text.json:1:" base.json text.json
expect "empty folder" 2 "none: no \*.json in this folder" base.json none
expect "--help" 0 "Exit status" --help
expect "--version" 0 "^compare-results [0-9]" --version

"$O/compare-results" base.json cand.json >/dev/full 2>err
check "full output" test $? = 2
check "full output is said" grep -q "No space left" err
echo "1..$n"
