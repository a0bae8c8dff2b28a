#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown report: the page and its pictures, of an experiment whose every name is
# hostile, of one result, of a sweep and of nights.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

shootdown=$O/shootdown
ab=$dir/ab
page=$ab/report.html
pictures=$ab/report-pictures
# A tag, the end of an attribute, an entity, mathematics, a control character and
# one that turns the line around, as JSON holds them.
# shellcheck disable=SC2016 # dollars are meant
name='<img src=x onerror=alert(1)>\"&lt;$x$\u001b\u202e'

# arm N: a result of six boots, with about 10/N shootdowns for each page
arm() {
	cat <<END
{"schema": "shootdown-result-1", "complete": true,
 "identity": {"cpu_model": "$name", "arch": "x86_64"},
 "subject": {"kernel_release": "$name $1"}, "state": {},
 "runs": [{"workload": "$name", "revision": 1, "unit": "page", "status": "ok",
  "params": {"size": 4096},
  "samples": {"block": [1, 2, 3, 4, 5, 6], "boot": [1, 2, 3, 4, 5, 6],
   "process": [0, 0, 0, 0, 0, 0], "iteration": [0, 0, 0, 0, 0, 0],
   "warmup": [0, 0, 0, 0, 0, 0]},
  "work": [10, 10, 10, 10, 10, 10],
  "metrics": [
   {"name": "ns_per_page", "unit": "ns/page", "source": "clock", "better": "lower",
    "kind": "sample", "per_unit": true,
    "values": [10000, 10100, 10010, 10000, 10020, 10030]},
   {"name": "tlb_shootdowns_per_page", "unit": "interrupts/page", "source": "irq",
    "better": "lower", "kind": "sample", "per_unit": true,
    "values": [$((100 / $1)), $((101 / $1)), $((99 / $1)), $((102 / $1)),
     $((100 / $1)), $((100 / $1))],
    "by_cpu": {"cpus": [0, 3], "nodes": [0, 1],
     "values": [[0, 99], [0, 98], [1, 99], [0, 99], [2, 99], [0, 99]]}},
   {"name": "invlpg:f<b>_per_page", "unit": "instructions/page", "source": "plugin",
    "better": "none", "kind": "sample", "per_unit": true,
    "values": [10, 10, 10, 10, 10, 10]},
   {"name": "share:<i>", "unit": "of hits", "source": "perf", "better": "none",
    "kind": "share", "values": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]}]}]}
END
}

make_experiment() {
	mkdir "$ab"
	arm 1 >"$ab/base.json"
	arm 2 >"$ab/cand.json"
	boots=
	for boot in 1 2 3 4 5 6; do
		boots="$boots${boots:+,} {\"boot\": $boot, \"result\": \"ok\",
  \"phase\": \"shutdown\", \"reason\": \"\", \"attempts\": 1, \"duration_ms\": 1500}"
	done
	cat >"$ab/manifest.json" <<END
{"schema": "shootdown-experiment-1",
 "options": {"base": "$name 1", "cand": "$name 2"},
 "seed": 1, "one_image": true, "n_boots": 6, "n_blocks": 1, "boots": [$boots]}
END
}

# A program that prints to the console, or a page that does, fails the test.
console_of() {
	chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr \
		--user-data-dir="$dir/chromium" --dump-dom "file://$1" 2>"$dir/log" >"$dir/dom"
	grep CONSOLE "$dir/log"
}

is_quiet() {
	! console_of "$1"
}

# size FILE: of a PNG, as "width height", from its header
size() {
	head -c 8 "$1" | od -An -tx1 | grep -q '89 50 4e 47 0d 0a 1a 0a' &&
		od -An -j16 -N8 --endian=big -tu4 "$1" | xargs
}

count() {
	xmllint --xpath "count($1)" "$page"
}

# Ratios of contrast of a style sheet, WCAG 2: text needs 4.5 on what is behind it.
too_faint() {
	awk '
	function channel(hex, at,	c) {
		c = (index(digits, substr(hex, at, 1)) - 1) * 16
		c = (c + index(digits, substr(hex, at + 1, 1)) - 1) / 255
		return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ^ 2.4
	}
	function light(hex) {
		return 0.2126 * channel(hex, 2) + 0.7152 * channel(hex, 4) + 0.0722 * channel(hex, 6)
	}
	function check(text, behind,	a, b, ratio) {
		a = light(color[text]); b = light(color[behind])
		ratio = a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05)
		n++
		if (ratio < 4.5) printf "%s on %s: %.2f\n", text, behind, ratio
	}
	BEGIN { digits = "0123456789abcdef" }
	/^\t+--[a-z-]+: #/ { name = $1; gsub(/[-][-]|:/, "", name); color[name] = substr($2, 1, 7) }
	/^\t*}/ && color["bad"] != last {
		last = color["bad"]
		k = split("ink muted base cand good bad doubt", texts)
		for (i = 1; i <= k; i++) check(texts[i], "paper")
		check("ink", "wash"); check("muted", "wash"); check("good", "good-wash")
		check("bad", "bad-wash"); check("doubt", "doubt-wash")
	}
	END { if (n != 24) print n " pairs of colours, and not those of two schemes" }' "$1"
}

is_legible() {
	[ -z "$(too_faint "$1" | tee "$dir/faint")" ]
}

make_experiment
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
	expect "an experiment has a page" 0 "^Report: $page" "$shootdown" report "$ab"
	check "it says what was found" grep -q '<b>-</b> improvement' "$page"
	check "a picture for each metric that decides" \
		[ "$(size "$pictures/samples-01-ns-per-page.png") $(
			size "$pictures/samples-02-tlb-shootdowns-per-page.png")" = "800 490 800 490" ]
	check "a picture of the interrupts by CPU" \
		[ "$(size "$pictures/cpus-tlb-shootdowns-per-page.png" | cut -d' ' -f1)" = 1440 ]
	check "and which node each CPU is of" \
		grep -q 'Memory nodes: 0 has CPU 0; 1 has CPU 3\.' "$page"
	check "a picture of the instructions" grep -q 'invlpg in f&lt;b&gt;' \
		"$pictures"/functions-04-*.svg
	check "a picture of the profile" grep -q '&lt;i&gt;' "$pictures"/symbols-05-*.svg
	check "one SVG for each PNG" \
		[ "$(find "$pictures" -name '*.svg' | wc -l)" = 5 ]
	check "and all of them in the page" [ "$(grep -c '<svg ' "$page")" = 5 ]
	check "the colours are the page's" grep -q 'fill: var(--cand)' "$page"
else
	skip "pictures" "no matplotlib for /usr/bin/python3: make deps"
	"$shootdown" report "$ab" >/dev/null 2>&1
fi

if command -v xmllint >/dev/null; then
	check "the page is well-formed" xmllint --noout "$page"
	check "no hostile name became a tag" \
		[ "$(count '//*[local-name()="img" or local-name()="script"]')" = 0 ]
	check "nor an attribute" [ "$(count '//@*[starts-with(local-name(), "on")]')" = 0 ]
	check "nothing is fetched" [ "$(count '//@*[(local-name()="href" or local-name()="src")
		and not(starts-with(., "#"))]')" = 0 ]
	check "no name is there twice" [ "$(xmllint --xpath '//@id' "$page" | sort | uniq -d)" = "" ]
else
	skip "the page is well-formed" "no xmllint: make deps"
fi
check "no style sheet fetches anything" sh -c "! grep -E '@import|url\\([^#]' '$page'"

if command -v chromium >/dev/null; then
	echo '<script>console.error("seen")</script>' >"$dir/bad.html"
	check "chromium's errors are seen" console_of "$dir/bad.html"
	check "the page has none" is_quiet "$page"
	check "and is read whole" grep -q 'Written by shootdown' "$dir/dom"
else
	skip "chromium opens the page" "no chromium: make deps"
fi

check "its colours can be read" is_legible "$tests/../harness/plots/report.css"
sed 's/--muted: #[0-9a-f]*/--muted: #999999/' "$tests/../harness/plots/report.css" \
	>"$dir/faint.css"
check "and grey ones could not" [ -n "$(too_faint "$dir/faint.css")" ]

arm 1 >"$dir/one.json"
expect "one result has a page beside it" 0 "^Report: $dir/one.html" \
	"$shootdown" report "$dir/one.json"
check "without a verdict" sh -c "grep -q '<h2>Values</h2>' '$dir/one.html' &&
	! grep -q improvement '$dir/one.html'"

expect "a comparison as a page" 1 ": 1 worse" "$O/compare-results" --out text \
	--out "html:$dir/c.html" "$ab/cand.json" "$ab/base.json"
check "with its verdict, and how to repeat it" sh -c \
	"grep -q '<b>+</b> regression' '$dir/c.html' && grep -q 'To repeat' '$dir/c.html'"
expect "whose name says what it is" 2 "end with .html" "$O/compare-results" \
	--out "html:$dir/c" "$ab/cand.json" "$ab/base.json"
expect "and is there" 2 "give a path" "$O/compare-results" --out html a b

mkdir "$dir/sweep"
arm 1 >"$dir/sweep/result.json"
cat >"$dir/sweep/sweep.json" <<END
{"schema": "shootdown-sweep-1", "what": "$name", "machine": "$name", "param": "size",
 "metric": "ns_per_page", "unit": "ns/page", "better": "lower", "emulated": false,
 "ordered": true, "base": "$name", "cand": "b",
 "crossover": {"kind": "from", "label": "2", "x": 2, "text": "b is better from size=2 on"},
 "points": [
  {"label": "1", "x": 1, "known": true, "better": false, "ratio": 1, "ratio_low": null,
   "ratio_high": null, "word": "inconclusive", "note": "<u>",
   "base": {"value": 3, "boots": 1, "samples": 2, "dots_are": "samples", "dots": [3, 3]},
   "cand": {"value": 3, "boots": 1, "samples": 2, "dots_are": "samples", "dots": [3, 3]}},
  {"label": "2", "x": 2, "known": true, "better": true, "ratio": 0.5, "ratio_low": 0.4,
   "ratio_high": 0.6, "word": "improvement", "note": null,
   "base": {"value": 4, "boots": 1, "samples": 2, "dots_are": "samples", "dots": [4, 4]},
   "cand": {"value": 2, "boots": 1, "samples": 2, "dots_are": "samples", "dots": [2, 2]}}]}
END
expect "a sweep has a page" 0 "^Report: $dir/sweep/report.html" \
	"$shootdown" report "$dir/sweep"
check "with what it concludes, and its rows" sh -c \
	"grep -q 'lede.>b is better from' '$dir/sweep/report.html' &&
	grep -q '0.5000 \[0.4000, 0.6000\]' '$dir/sweep/report.html'"
if command -v xmllint >/dev/null; then
	check "well-formed" xmllint --noout "$dir/sweep/report.html"
fi
sed -i 's/"samples": 2/"samples": "two"/' "$dir/sweep/sweep.json"
expect "a broken sweep is named" 2 "sweep.json: points\[0\]" "$shootdown" report "$dir/sweep"

mkdir -p "$dir/nights/altra" "$dir/fake"
TZ=UTC awk -v dir="$dir/nights/altra" -v n=45 -v step=40=1.1 -v again=40 \
	-f "$tests/nights.awk"
expect "nights have a page" 0 "^Report: $dir/nights/report.html" \
	"$shootdown" report "$dir/nights"
check "with their alert" sh -c "grep -q '<b>+</b> regression' '$dir/nights/report.html' &&
	grep -q '2024-02-08' '$dir/nights/report.html'"
cp -r "$dir/nights/altra" "$dir/nights/<b>kunpeng"
rm -r "$dir/nights/<b>kunpeng/2024-02-14"
expect "a fleet has a page" 0 "^Report: $dir/nights/fleet.html" \
	"$shootdown" report --fleet "$dir/nights"
check "with a column for each machine" grep -q \
	'scope="col">altra .*class="silent">\|class="silent">&lt;b>kunpeng .*scope="col">altra' \
	"$dir/nights/fleet.html"
check "a curve and a verdict in each cell" test \
	"$(grep -o '<td class="bad" data-label="altra"><svg class="trend"[^>]*>.*regression' \
		"$dir/nights/fleet.html" | wc -l)" = 1
if command -v xmllint >/dev/null; then
	check "well-formed" xmllint --noout "$dir/nights/fleet.html"
fi
if command -v chromium >/dev/null; then
	check "a browser has nothing to say about it" is_quiet "$dir/nights/fleet.html"
fi
expect "a fleet of nothing" 2 "no results" "$shootdown" report --fleet "$dir/fake"
rm -r "$dir/nights/<b>kunpeng"
expect "and can be read on" 1 "^altra: 45 nights" "$shootdown" history "$dir/nights"

echo 'raise ImportError("not here", name="matplotlib")' >"$dir/fake/matplotlib.py"
rm -rf "$pictures"
expect "without matplotlib one line says so" 0 "install python3-matplotlib" \
	env PYTHONPATH="$dir/fake" "$shootdown" report "$ab"
check "in the page too, which has its table" sh -c \
	"grep -q 'install python3-matplotlib' '$page' && grep -q '<b>-</b> improvement' '$page'"

rm "$ab/cand.json"
expect "an unfinished experiment is no failure of its own" 2 "not finished" \
	"$shootdown" report "$ab"
expect "a folder without results" 2 "fake" "$shootdown" report "$dir/fake"
expect "no folder" 2 "No such file" "$shootdown" report "$dir/none"
expect "no argument" 2 "Usage" "$shootdown" report

echo "1..$n"
