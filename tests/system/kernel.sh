#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown kernel, with a source tree of five files in place of a kernel:
# what is built, what is not, and what is said.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

export XDG_CACHE_HOME="$dir/cache" SHOOTDOWN_DATA="$dir/data"
kernels=$XDG_CACHE_HOME/shootdown/kernels
tree=$dir/tree
shootdown=$O/shootdown

mkdir -p "$tree/scripts/kconfig" "$tree/mm" "$dir/data/kconfigs/variants" \
	"$dir/data/kconfigs/patches" "$dir/series"

cat >"$tree/Makefile" <<'END'
tinyconfig:
	@echo CONFIG_TINY=y >$(O)/.config
olddefconfig:
	@sed -i /CONFIG_STUBBORN/d $(O)/.config
bzImage:
	@echo "  CC      mm/rmap.o"
	@if grep -q SLOW mm/rmap.c; then sleep 60; fi
	@if grep -q BROKEN mm/rmap.c; then echo "$(CURDIR)/mm/rmap.c:3:1: error: it is broken"; exit 1; fi
	@mkdir -p $(O)/arch/x86/boot
	@echo "$(LOCALVERSION) $(KBUILD_BUILD_TIMESTAMP) [$(KCFLAGS)]" >$(O)/vmlinux
	@cp mm/rmap.c $(O)/arch/x86/boot/bzImage
	@touch $(O)/System.map
END
cat >"$tree/scripts/kconfig/merge_config.sh" <<'END'
#!/bin/sh
shift 3
base=$1
cat "$@" >"$base.new"
mv "$base.new" "$base"
END
chmod +x "$tree/scripts/kconfig/merge_config.sh"
cat >"$tree/Kconfig" <<'END'
menu "Things"
	depends on THINGS
config STUBBORN
	bool "does not take"
endmenu
END
seq 1 40 >"$tree/mm/rmap.c"

cat >"$dir/data/kconfigs/variants/batch.variant" <<END
summary = one
source = tree $tree
patches = patches
config = common.config
sysctl = vm.switch=1
END
sed 's/one/two/; s/switch=1/switch=0/' "$dir/data/kconfigs/variants/batch.variant" \
	>"$dir/data/kconfigs/variants/nobatch.variant"
echo CONFIG_SWAP=y >"$dir/data/kconfigs/common.config"

# change FILE FROM TO: a patch of one hunk, on standard output
change() {
	mkdir -p "$dir/a/mm" "$dir/b/mm"
	cp "$tree/mm/rmap.c" "$dir/a/mm"
	sed "s/^$1\$/$2/" "$dir/a/mm/rmap.c" >"$dir/b/mm/rmap.c"
	(cd "$dir" && diff -u a/mm/rmap.c b/mm/rmap.c)
}
change 5 five >"$dir/data/kconfigs/patches/0001-five.patch"

nothing_built() {
	[ -z "$(find "$kernels" -name image)" ] && [ -z "$(find "$XDG_CACHE_HOME" -name '*.part')" ]
}

if [ "$(uname -m)" != x86_64 ]; then
	skip "shootdown kernel" "the tree of this test builds for x86_64"
	echo "1..$n"
	exit 0
fi

expect "a variant that does not exist: those that do are named" 2 \
	"nobtach: no such variant; there are batch, nobatch" "$shootdown" kernel build nobtach
expect "an action that does not exist: the nearest is named" 2 \
	"did you mean 'build'" "$shootdown" kernel biuld batch
expect "build without a variant" 2 "build which variant" "$shootdown" kernel build
expect "another architecture is refused" 2 "only for x86_64" \
	"$shootdown" kernel build --arch vax batch
expect "a commit needs a tree" 2 "commit needs --tree" \
	"$shootdown" kernel build --commit HEAD batch
expect "a source that is not there" 2 "No such file" \
	"$shootdown" kernel build --tree "$dir/nowhere" batch
expect "a folder that is no kernel source" 2 "not the root of a kernel source" \
	"$shootdown" kernel build --tree "$dir" batch

change 20 twenty >"$dir/series/0001-good.patch"
change 20 score >"$dir/series/0002-bad.patch"
echo "Subject: [PATCH 0/2] a cover letter, without a diff" >"$dir/series/0000-cover.patch"
expect "a series that does not apply: patch, file and hunk are named" 2 \
	"0002-bad.patch: hunk 1 of mm/rmap.c (line 17) does not apply" \
	"$shootdown" kernel build --patches "$dir/series" batch
check "... and nothing is built or left" nothing_built
rm "$dir/series/0002-bad.patch"

echo CONFIG_STUBBORN=y >"$dir/stubborn.config"
expect "a line that does not take: symbol and dependency are named" 2 \
	"stubborn.config:1: CONFIG_STUBBORN=y did not take.*needs THINGS: THINGS is n" \
	"$shootdown" kernel build --config "$dir/stubborn.config" batch
check "... and nothing is built or left" nothing_built

change 35 BROKEN >"$dir/broken.patch"
expect "a build that fails: first error, file, line and log" 2 \
	"the build failed: mm/rmap.c:3: it is broken (log: $kernels/.*\.log)" \
	"$shootdown" kernel build --patches "$dir/broken.patch" batch
check "... and the log is there" grep -q "it is broken" "$(find "$kernels" -name '*.log')"
check "... and nothing is built or left" nothing_built

mkdir "$dir/bin"
for tool in gcc ld make flex bc patch tar xz as cc1 collect2; do
	ln -s "$(command -v $tool)" "$dir/bin/$tool" 2>/dev/null
done
expect "a missing tool is named with its package" 2 "needs bison (package bison)" \
	env PATH="$dir/bin" "$shootdown" kernel build batch

expect "it builds" 0 "^batch  *built .*/image" env KCFLAGS=-O0 "$shootdown" kernel build batch
check "... patched" grep -q '^five$' "$(find "$kernels" -name image)"
check "... with a version of fixed length, a fixed date, and nobody's flags" \
	grep -qx -- '-shootdown-[0-9a-f]\{8\} 1970-01-01 \[\]' "$(find "$kernels" -name vmlinux)"
expect "a second build finds it" 0 "^batch  *cached" "$shootdown" kernel build batch
expect "a variant with another switch is the same image" 0 "^nobatch  *cached" \
	"$shootdown" kernel build nobatch
expect "show: no difference but the switch" 0 "config   no difference" \
	"$shootdown" kernel show nobatch
check "... which it shows" grep -q "sysctl   vm.switch=1 -> vm.switch=0" "$dir/out"
check "... and one line more would be a difference" test \
	"$(sed -n '/^against/,$p' "$dir/out" | wc -l)" = 4
expect "a series makes another image" 0 "^batch  *built" \
	"$shootdown" kernel build --patches "$dir/series" batch
expect "list tells what is built" 0 "^nobatch  *built  *two" "$shootdown" kernel list

echo changed >>"$tree/mm/rmap.c"
expect "another content of the tree makes another image" 0 "^batch  *built" \
	"$shootdown" kernel build batch
touch "$tree/.config"
expect "a tree that was built in is refused" 2 "make mrproper" "$shootdown" kernel build batch
rm "$tree/.config"

if command -v git >/dev/null; then
	git="git -C $tree -c user.name=x -c user.email=x@localhost"
	{ $git init -q && $git add . && $git commit -qm one; } >/dev/null 2>&1
	expect "a git tree is taken at HEAD" 0 "^batch  *built" "$shootdown" kernel build batch
	seq 1 40 >"$tree/mm/rmap.c"
	expect "... but not with changes that are not committed" 2 "not committed" \
		"$shootdown" kernel build batch
	$git commit -qam two
	expect "a commit can be named" 0 "^batch  *cached" \
		"$shootdown" kernel build --tree "$tree" --commit HEAD~1 batch
	expect "a commit that does not exist" 2 "$tree: fatal" \
		"$shootdown" kernel build --tree "$tree" --commit nowhere batch
else
	skip "git trees" "git is not installed"
fi

change 35 SLOW >"$dir/slow.patch"
setsid "$shootdown" kernel build --patches "$dir/slow.patch" batch >"$dir/out" 2>"$dir/err" &
pid=$!
while ! ls "$kernels"/*.part/objects >/dev/null 2>&1; do sleep 0.1; done
timeout 2 "$shootdown" kernel build --patches "$dir/slow.patch" batch >/dev/null 2>"$dir/second"
check "a second build of the same waits for the first" grep -q "waiting for another" "$dir/second"
sleep 0.5
kill -INT $pid
wait $pid
check "Ctrl-C ends it with 130" test $? = 130
check "... and leaves nothing behind" test -z "$(find "$XDG_CACHE_HOME" -name '*.part*' -o -name '*.lock')"
check "... and no process" test -z "$(pgrep -f "$dir/cache" || true)"

setsid "$shootdown" kernel build --patches "$dir/slow.patch" batch >"$dir/out" 2>"$dir/err" &
pid=$!
while ! ls "$kernels"/*.part/objects >/dev/null 2>&1; do sleep 0.1; done
kill -KILL $pid
wait $pid 2>/dev/null
sleep 0.5
check "kill -9 leaves no process" test -z "$(pgrep -f "$dir/cache" || true)"
expect "clean --older-than keeps what is young, removes what a kill left" 0 "removed .*\.part" \
	"$shootdown" kernel clean --older-than 1d
check "... images stay" test -n "$(find "$kernels" -name image)"
expect "clean removes all" 0 "MiB freed" "$shootdown" kernel clean
check "... indeed" test -z "$(ls "$kernels")$(ls "$XDG_CACHE_HOME/shootdown/sources")"

printf 'summary = x\nsorce = y\n' >"$dir/data/kconfigs/variants/wrong.variant"
expect "a wrong variant: file and line" 2 "wrong.variant:2: unknown key" \
	"$shootdown" kernel show wrong
echo "1..$n"
