#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown bisect in real guests: a commit among 16 of a repository of a variant, so
# that one image does for all of them.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown
tree=$dir/variants
planted=11

git init -q "$tree"
# commit N SWITCH: the Nth text of the variant, with the switch on (1) or off (0)
commit() {
	sed -e "s/^summary .*/summary = as of commit $1/" \
		-e "s/batched_unmap_tlb_flush=1/batched_unmap_tlb_flush=$2/" \
		"$tests/../kconfigs/variants/batch.variant" >"$tree/lab.variant"
	git -C "$tree" add lab.variant
	git -C "$tree" -c user.name=n -c user.email=n@example.org commit -q -m "commit $1"
	git -C "$tree" tag "c$1"
}
for i in $(seq 0 16); do
	commit "$i" $((i < planted))
done

bisect() {
	"$run" bisect --tree "$tree" --good c0 --variant-file lab.variant -o "$dir/runs" \
		--workload swap:size=256K,threads=1 --samples 1 --time 200ms --cpus 2 "$@"
}

expect "a planted commit among 16" 0 \
	"^$(git -C "$tree" rev-parse "c$planted") is the first bad commit" bisect --bad c16
sed 's/^/# /' "$dir/out"
check "both ends and at most four commits between were measured" \
	[ "$(find "$dir/runs" -name manifest.json | wc -l)" -le 6 ]
check "nothing is left of the bisection" [ ! -e "$tree/.git/BISECT_LOG" ]
expect "a good one, for git bisect run" 0 ": good" bisect --bad c16 --commit c8
expect "a bad one" 1 ": bad" bisect --bad c16 --commit c12
expect "one that has no such variant is skipped" 125 "not measured" \
	bisect --bad c16 --commit "$(git -C "$tree" -c user.name=n -c user.email=n@example.org \
		commit-tree -m empty "$(git -C "$tree" hash-object -t tree -w /dev/null)")"
expect "a duration of an emulator is none to go by" 2 "name a count" \
	bisect --bad c16 --metric ns_per_page --boots 3
