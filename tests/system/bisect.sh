#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown bisect where it has nothing to build; tests/guest/bisect.sh has the rest.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
tree=$dir/linux

git init -q "$tree"
commit() {
	git -C "$tree" -c user.name=n -c user.email=n@example.org commit -q --allow-empty -m "$1"
}
commit one
commit two

bisect() {
	"$run" bisect --tree "$tree" -o "$dir/runs" "$@"
}

expect "both ends are needed" 2 "tree, --good and --bad are needed" bisect --good HEAD
expect "workloads have an option" 2 "is given by --workload" \
	bisect --good HEAD~ --bad HEAD swap
expect "a typing error must not be an answer to git bisect run" 255 "unrecognized option" \
	bisect --good HEAD~ --bad HEAD --commit HEAD --bots 3
expect "a tree that is not there" 2 "No such file" \
	"$run" bisect --tree "$dir/none" -o "$dir/runs" --good a --bad b
expect "a commit that is not there" 2 "Needed a single revision" \
	bisect --good nothing --bad HEAD
expect "and for git bisect run, that ends it" 255 "Needed a single revision" \
	bisect --good nothing --bad HEAD --commit HEAD
expect "a variant that is not there" 2 "no such variant\|no variant" \
	bisect --good HEAD~ --bad HEAD --variant nothing
git -C "$tree" bisect start HEAD HEAD~ >"$dir/log" 2>&1
git -C "$tree" bisect log >"$dir/before"
expect "a bisection of somebody else's is left alone" 2 "git bisect reset ends it" \
	bisect --good HEAD~ --bad HEAD
git -C "$tree" bisect log >"$dir/after"
check "and stays as it is" cmp "$dir/before" "$dir/after"
