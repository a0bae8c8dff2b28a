#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown claims from the outside: no published figure is left out.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
figures=$(cat "$tests"/../results/published/*.json | grep -c '"arm": "base"')
list=${RECORDED:-$tests/../../shared/recorded}/../published.tsv

# lines: how many claims have a line, by number
lines() {
	grep -E '^ *[0-9]+ [^:]+: ' "$dir/out" | awk '{ print $1 }' | sort -u | wc -l
}

cd "$dir" || exit 1
expect "each has a line where nothing was measured" 0 "not measured" "$run" claims
check "and a command that measures it" \
	[ "$(grep -c '^  [0-9]*: shootdown ' "$dir/out")" = "$(lines)" ]
check "at least one for each workload that was published" [ "$(lines)" -ge "$figures" ]
if [ -e "$list" ]; then
	check "as many as there are rows in published.tsv" \
		[ "$(lines)" = "$(grep -vc -e '^#' -e '^seed' "$list")" ]
else
	skip "as many as there are rows in published.tsv" "there is no such file here"
fi

mkdir ab
expect "a folder that is no experiment" 2 "ab/manifest.json" "$run" claims ab
echo '{' >ab/manifest.json
expect "a manifest that is none" 2 "ab/manifest.json" "$run" claims ab
echo "1..$n"
