#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sixty nights of three machines, drawn from what was measured (tests/fixtures/nights: a
# guest of x86_64 and one of arm64, both emulated, so that their counts are judged, and
# a virtual machine, whose times are; kept are the metrics that decide, and of the last one
# the command line is shortened): the history finds the change that was planted,
# on its night, and nothing else; the fleet page and the exports show it.
. "$(dirname "$0")/../tap.sh"

python=/usr/bin/python3
nights=60
planted=41 # the night of 2024-02-10
sources=$tests/fixtures/nights

# machine NAME SOURCE SEED [CHANGE]: see resample-nights.py
machine() {
	name=$1 source=$2 seed=$3
	shift 3
	$python "$tests/resample-nights.py" "$sources/$source.json" "$dir/nightly/$name" \
		$nights "$seed" "$@"
}

history() {
	"$O/shootdown" history "$@"
}

# ask EXPRESSION: of the history h, in Python
ask() {
	$python -c "import json, sys
h = json.load(open('$dir/history.json'))
alerts = [(m['machine'], s['workload'], s['metric'], a) for m in h['machines']
          for s in m['series'] for a in s['alerts'] if a['state'] not in ('outlier', 'suspect')]
print($1)"
}

cd "$dir" || exit 1
machine ampere-altra arm64 1 swap dsb_ish_per_page $planted 1.6
machine server-x86_64 x86_64 1
machine virtual native 1

expect "the planted change is a regression" 1 "^1. after 2024-02-09 ([0-9a-f]*), by 2024-02-10 " \
	history --out text --out json:history.json --out openmetrics:nightly.om \
	--out kcidb:nightly.kcidb nightly
check "which is the only change" test "$(grep -c '^[0-9]*\. after' out)" = 1
check "of the workload and the metric, and of no other" test \
	"$(ask "sorted({(m, w.split(':')[0], x) for m, w, x, _ in alerts})")" = \
	"[('ampere-altra', 'swap', 'dsb_ish_per_page')]"
check "found on its night" test "$(ask "min(a['found'] for *_, a in alerts)")" = 2024-02-10
check "by its commit" test "$(ask "h['alerts'][0]['bad_commit']")" = \
	"$(printf %s "night$planted" | sha1sum | cut -d ' ' -f 1)"

rm -r nightly/*/2024-02-1? nightly/*/2024-02-2?
expect "the night before, there was nothing" 0 ": 0 worse, 0 better, 0 changed, 0 suspect" \
	history nightly

# Twelve machines on which nothing changes: 112 series, for 40 nights that are judged,
# are 12.3 years of a series, in which 0.3 false alarms a year are 3.7. More than 9
# have a chance of 0.4 %.
rm -r nightly
for seed in 11 12 13 14; do
	machine "altra-$seed" arm64 "$seed"
	machine "server-$seed" x86_64 "$seed"
	machine "virtual-$seed" native "$seed"
done
history --out json:history.json nightly
series=$(ask "sum(len(m['series']) for m in h['machines'])")
alarms=$(ask "len(alerts)")
check "as many series as were counted on" test "$series" = 112
check "false alarms within the stated rate" test "$alarms" -le 9
echo "# $alarms false alarms of $series series in 40 nights"

rm -r nightly
machine ampere-altra arm64 1 swap dsb_ish_per_page $planted 1.6
machine server-x86_64 x86_64 1
expect "the fleet page" 0 "^Report: nightly/fleet.html" "$O/shootdown" report --fleet nightly
check "shows it" grep -q '<td class="bad" data-label="ampere-altra"><svg.*regression' \
	nightly/fleet.html
check "three times, as often as history" test "$(grep -o '<td class="bad"' nightly/fleet.html |
	wc -l)" = 3

history --out openmetrics:nightly.om --out kcidb:nightly.kcidb --origin lab_1 nightly
expect "KCIDB's schema allows the report" 0 "^1 checkouts 2 builds 25 tests$" \
	$python "$tests/check-kcidb.py" nightly.kcidb
check "in which the regression fails" test "$(grep -c '"status": "FAIL"' nightly.kcidb)" = 3
check "by who reports" grep -q '"id": "lab_1:ampere-altra/2024-02-29"' nightly.kcidb
check "OpenMetrics: the regression" test \
	"$(grep -c '^shootdown_verdict.*shootdown_verdict="regression"} 1$' nightly.om)" = 3
if $python -c 'import prometheus_client.openmetrics.parser' 2>/dev/null; then
	expect "a strict parser reads the metrics" 0 "^shootdown_tonight gauge 25$" \
		$python "$tests/check-openmetrics.py" nightly.om
	# A machine's name is a folder's, which may be anything.
	mv nightly/server-x86_64 "$(printf 'nightly/a"b\\c\nd\377')"
	history --out openmetrics:nightly.om --out kcidb:nightly.kcidb nightly >/dev/null
	expect "and those of a hostile name" 0 "^shootdown_tonight gauge 25$" \
		$python "$tests/check-openmetrics.py" nightly.om
	expect "as KCIDB does" 0 "25 tests" $python "$tests/check-kcidb.py" nightly.kcidb
else
	skip "a strict parser reads the metrics" "python3-prometheus-client is missing: make deps"
fi

expect "an origin that is none" 2 "is not of a-z" history --out kcidb --origin Lab nightly
expect "two forms for standard output" 2 "two forms" history --out json --out kcidb nightly
expect "no path" 2 "no path" history --out kcidb: nightly
expect "a folder that is not there" 2 "none/x: No such" history --out kcidb:none/x nightly
echo "1..$n"
