#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown history on trees of small nightly results: what it prints, what it
# returns, and that a decision loses nothing.
. "$(dirname "$0")/../tap.sh"

history() {
	"$O/shootdown" history "$@"
}

# machine NAME AWK-VARIABLE...: see nights.awk
machine() {
	mkdir -p "$dir/tree/$1"
	name=$1
	shift
	for variable; do
		set -- "$@" -v "$variable"
		shift
	done
	TZ=UTC awk -v dir="$dir/tree/$name" "$@" -f "$tests/nights.awk"
}

fresh() {
	rm -rf "$dir/tree"
}

cd "$dir" || exit 1

machine altra n=40
expect "a quiet series" 0 "^swap *ns_per_page .* = steady$" history tree
check "nights are counted" grep -q "^altra: 40 nights from 2024-01-01 to 2024-02-09, 0 days without; tonight c40$" out
check "no colour in a file" test -z "$(grep "$(printf '\033')" out)"
check "false alarms are announced" grep -q "^False alarms to expect" out

fresh
machine altra n=12
expect "a young series" 0 "learning 12/20" history tree

fresh
machine altra n=40 step=40=1.1
expect "a step, measured once" 4 "? suspect +[0-9.]* %: measure again" history tree
machine altra n=40 step=40=1.1 again=40
expect "a step, measured twice" 1 "+ regression +[0-9.]* % since 2024-02-09" history tree
check "a step: the range" grep -q "^1. after 2024-02-08 (c39), by 2024-02-09 (c40):" out
check "no bisection when not asked for" test "$(grep -c bisect out)" = 0
expect "--bisect-hint" 1 "^   git bisect start c40 c39 " history --bisect-hint tree
expect "--out json" 1 '"word": "regression"' history --out json tree
check "JSON: commits" grep -q '"good_commit": "c39"' out
check "JSON: the exit code" grep -q '"exit_code": 1' out
machine altra n=45 step=40=1.1 again=40
expect "a step stays an alert" 1 "+ regression +[0-9.]* % since 2024-02-09" history tree

expect "accept needs a reason" 2 "why is needed" history accept tree --series '*'
expect "accept needs a series" 2 "series is needed" history accept tree --why x
expect "accept nothing that is open" 3 "open alert" history accept tree --series '*shootdowns*' --why x
check "which leaves no file" test ! -e tree/decisions.jsonl
expect "accept" 0 "^altra/.*/ns_per_page: from 2024-02-09 on, a fix costs this$" \
	history accept tree --series 'ns_per_page' --why "a fix costs this" --by someone
cp tree/decisions.jsonl accepted.jsonl
check "who, why, commit are kept" grep -q '"by":"someone","why":"a fix costs this".*"commit":"c40"' accepted.jsonl
expect "an accepted step" 0 "learning 6/20" history tree
check "an accepted step is told" grep -q "accepted from 2024-02-09: .*, by someone: a fix costs this" out
expect "accepting it again" 3 "open alert" history accept tree --series '*' --why again
machine altra n=70 "step=40=1.1 66=1.25" "again=40 66"
expect "a step after it" 1 "since 2024-03-06" history tree
history accept tree --series '*' --why "another" --by else >/dev/null
check "a decision is added" test "$(wc -l <tree/decisions.jsonl)" = 2
check "and loses nothing" cmp -s -n "$(wc -c <accepted.jsonl)" accepted.jsonl tree/decisions.jsonl
printf '{"decision":"acc' >>tree/decisions.jsonl
expect "a torn decision" 0 "warning: tree/decisions.jsonl:3: " history tree
history anchor tree --night 2024-01-25 --why v6.13 >/dev/null
check "the next one has a line of its own" grep -q '^{"decision":"anchor"' tree/decisions.jsonl
expect "an anchor" 0 "^anchor 2024-01-25: all, by .*: v6.13" history tree

fresh
machine altra n=40 odd=35=1.2 again=35
expect "an outlier night" 0 "1 outlier nights" history tree

fresh
machine altra n=45 step=40=1.1 again=40 "missing=37 38 39"
expect "missing nights: the range spans them" 1 "^1. after 2024-02-05 (c36), by 2024-02-09 (c40):" history tree
check "missing nights are counted" grep -q "42 nights .* 3 days without" out

fresh
machine altra n=60 step=40=1.025 noise=0.008
expect "a small step" 0 "= small$" history tree
expect "a step in the noise, found by its level" 1 "its level moved" \
	history --min-effect 'ns*=1%' tree

expect "what was found so is accepted so" 0 "from 2024-02-0" \
	history accept tree --series '*' --min-effect 'ns*=1%' --why small

fresh
machine altra n=300 "step=20=1.006 50=1.012 80=1.018 110=1.024 140=1.03 170=1.036 200=1.042 230=1.048" noise=0.01
expect "a creep" 1 "creep" history tree
history accept tree --series '*' --why slow >/dev/null
expect "a creep, accepted" 0 "accepted from" history tree

fresh
machine altra n=30 "count=30=2"
expect "an exact count changes once" 1 "a count that should not vary" history tree
machine altra n=31 "count=30=2 31=1"
expect "and comes back" 0 "1 recovered" history tree

fresh
machine altra n=40 step=40=1.1 again=40
machine kunpeng n=40 step=40=1.1 again=40 seed=7
machine quiet n=40 seed=9
expect "machines that saw the same commit" 1 "^1. after 2024-02-08 (c39), by 2024-02-09 (c40):" history tree
check "are one group" test "$(grep -c '^[0-9]*\. after' out)" = 1
check "of two series" test "$(grep -c '^   .* regression ' out)" = 2
expect "--series of one machine" 0 "= steady" history --series 'quiet/*' tree

fresh
machine altra n=40 "cpu=31=Other"
expect "another machine from one night on" 0 "^warning: altra: from 2024-01-31 on other series: cpu_model Test CPU -> Other" history tree
machine altra n=31 "cpu=31=Other"
rm -r tree/altra/2024-02-*
expect "on that night itself" 3 "x missing: the machine or the reference" history tree
sed -i 's/Other/Test CPU/' tree/altra/2024-01-31/reference.json
expect "two machines in one night" 3 "2024-01-31: no night: its results differ in cpu_model" history tree

fresh
machine altra n=30
head -c 300 tree/altra/2024-01-30/tonight.json >torn
cp torn tree/altra/2024-01-30/tonight.json
expect "a torn file of the newest night" 2 "cut short" history tree
machine altra n=31
cp torn tree/altra/2024-01-30/tonight.json
expect "a torn file of an older night" 0 "2024-01-30: no night: tonight.json is missing or no result" history tree
rm tree/altra/2024-01-31/tonight.json
expect "a night without a result" 3 "2024-01-31: no night: tonight.json is missing" history tree
machine altra n=31
cp tree/altra/2024-01-31/tonight.json tree/altra/2024-01-31/tonight-2.json
expect "two results of one night" 0 "tonight-2.json: not read" history tree
rm tree/altra/2024-01-31/tonight-2.json
cp -r tree/altra/2024-01-31 tree/altra/2124-01-31
expect "a clock ahead" 2 "2124-01-31: this date is yet to come" history tree
mv tree/altra/2124-01-31 tree/altra/2001-01-31
sed -i 's/"commit": "c31"/&, "commit_time": 1700000000/' tree/altra/2001-01-31/tonight.json
expect "a clock set back" 2 "2001-01-31: this date is before the commit" history tree
mv tree/altra/2001-01-31 tree/altra/31-01-2001
expect "a folder that is no night" 0 "31-01-2001: not read" history tree

mv tree/altra/2024-01-31/tonight.json .
expect "which hides no night that is not whole" 3 "2024-01-31: no night" history tree
mv tonight.json tree/altra/2024-01-31

expect "no folder" 2 "nowhere: No such file" history nowhere
mkdir empty
expect "an empty folder" 2 "no results" history empty
expect "a machine's folder" 2 "give the folder above" history tree/altra
expect "no argument" 2 "folder of nightly results is needed" history
expect "two arguments" 2 "not more" history tree tree
expect "an unknown form" 2 '"xml" is none of text, json' history --out xml tree
expect "no such series" 3 "^0 series" history --series nothing tree
expect "a bad anchor" 2 "is no day" history anchor tree --night yesterday --why x
expect "--help" 0 "Exit status" history --help
expect "accept --help" 0 "^Usage: shootdown history accept .* DIR$" history accept --help
history tree >/dev/full 2>err
check "full output" test $? = 2

LC_ALL=C.UTF-8 script -qec "stty cols 80; '$O/shootdown' history tree" /dev/null >out 2>&1 </dev/null
check "a curve on a terminal" grep -q "[▁▂▃▄▅▆▇█]" out
check "a narrow terminal" test "$(tr -d '\r' <out | sed -n '/^workload/,/^$/p' |
	sed 's/\x1b\[[0-9;]*m//g' | LC_ALL=C.UTF-8 wc -L)" -le 80
check "colour on a terminal" grep -q "$(printf '\033')" out
NO_COLOR=1 script -qec "'$O/shootdown' history tree" /dev/null >out 2>&1 </dev/null
check "NO_COLOR" test -z "$(grep "$(printf '\033')" out)"
echo "1..$n"
