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

expect "two results" 0 "^swap *ns_per_page .* 200.0 .* 300.0 .* 1.500 1 higher" base.json cand.json
check "a zero base gives a difference" grep -q "0 *0.5000 diff +0.5000 1 higher" out
check "rows that are hidden are counted" grep -q "^2 of 3 rows shown" out
check "no verdict is pretended" grep -q "no statistical verdict" out
check "stderr is empty" test ! -s err
check "no colour in a file" colourless
expect "the same file" 0 "same" base.json base.json
expect "--show all" 0 "pswpout_per_page" --show all base.json cand.json
expect "--metric" 0 "pswpout_per_page" --metric 'pswp*' base.json cand.json
check "--metric hides the rest" test "$(grep -c ns_per_page out)" = 0
expect "label=path" 0 "^cand: new (cand.json)" old=base.json new=cand.json
expect "a file with = in its name" 0 "^base: a=b.json" a=b.json cand.json
expect "newest result of a folder" 0 "^cand: folder/newer.json" base.json folder
expect "--out csv" 0 "^swap,ns_per_page,ns/page,lower,sample,200,300,1.5,100,1,1,higher,$" \
	--out csv base.json cand.json
expect "--out json" 0 '"word": "higher"' --out json base.json cand.json
expect "colour when asked" 3 "$(printf '\033')" --color always base.json null.json
script -qec "'$O/compare-results' base.json null.json" /dev/null >out 2>&1 </dev/null
check "colour on a terminal" grep -q "$(printf '\033')" out
NO_COLOR=1 script -qec "'$O/compare-results' base.json null.json" /dev/null >out 2>&1 </dev/null
check "NO_COLOR on a terminal" colourless

expect "another machine" 3 "^  cpu_model: Test CPU -> Other CPU" base.json other.json
check "another machine: no table" test ! -s out
expect "another machine, allowed" 0 "^mismatch allowed: cpu_model: Test CPU -> Other CPU" \
	--allow-mismatch cpu_model base.json other.json
expect "another machine, other key allowed" 3 "not comparable" \
	--allow-mismatch cpu base.json other.json
expect "another machine as JSON" 3 '"comparable": false' --out json base.json other.json
expect "missing workload" 3 "^Values of base that cand lacks: 1" base.json null.json
expect "nothing in common" 3 "no measurement in common" base.json null.json

expect "no arguments" 2 "two results are needed"
expect "one argument" 2 "two results are needed" base.json
expect "three arguments" 2 "not more" base.json base.json base.json
expect "unknown option" 2 "unrecognized option" --force base.json cand.json
expect "unknown word" 2 '"tex" is none of text, json, csv' --out tex base.json cand.json
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
