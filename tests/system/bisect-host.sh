#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown nightly --source, and shootdown bisect --host, without a machine: ssh and scp
# are stood in for by scripts that run the real `shootdown nightly` here, with kernels
# whose build makes a file of one line. No kernel takes that for a kernel, so that each
# night ends after two attempts to jump; then the stand-in lays down what a night would have
# measured: results drawn from real ones (tests/fixtures/nights), by the commit that was
# built.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

python=/usr/bin/python3
tree=$dir/linux
lab=$dir/lab
planted=5 broken=2 hangs=3 garbled=7
export XDG_CACHE_HOME="$dir/cache"

if [ "$(uname -m)" != x86_64 ]; then
	skip "a bisection on a lab machine" "the stand-in for a kernel is one of x86_64"
	echo "1..$n"
	exit
fi

# A kernel tree as far as it is asked for anything.
mkdir -p "$tree/scripts/kconfig" "$lab/etc" "$dir/bin"
git init -q "$tree"
cat >"$tree/scripts/kconfig/merge_config.sh" <<'END'
#!/bin/sh
# -m -O OBJECTS BASE FRAGMENT...: the last line of a symbol counts.
shift 2
objects=$1
shift
cat "$@" | sed -n 's/^\(CONFIG_[A-Za-z0-9_]*\)=.*/\1 &/p; s/^# \(CONFIG_[A-Za-z0-9_]*\) is not set.*/\1 &/p' |
	awk '{ key = $1; sub(/^[^ ]* /, ""); last[key] = $0 } END { for (k in last) print last[k] }' \
	>"$objects/.config.new"
mv "$objects/.config.new" "$objects/.config"
END
chmod +x "$tree/scripts/kconfig/merge_config.sh"
for i in $(seq 0 8); do
	fails=
	[ "$i" = $broken ] && fails=false
	cat >"$tree/Makefile" <<END
tinyconfig:
	touch \$(O)/.config
olddefconfig:
bzImage:
	mkdir -p \$(O)/arch/x86/boot
	echo commit $i | tee \$(O)/vmlinux \$(O)/System.map >\$(O)/arch/x86/boot/bzImage
	$fails
END
	git -C "$tree" add .
	git -C "$tree" -c user.name=n -c user.email=n@example.org commit -q -m "commit $i"
	git -C "$tree" tag "c$i"
	git -C "$tree" rev-parse HEAD >>"$lab/commits"
done

# pool/2024-01-01 is of a kernel like the reference, pool/2024-01-02 of one that is not.
$python "$tests/resample-nights.py" "$tests/fixtures/nights/arm64.json" "$dir/pool" 2 1 \
	swap dsb_ish_per_page 2 4
$python - "$dir"/pool/*/*.json <<'END'
import json, sys
for path in sys.argv[1:]:
    with open(path) as file:
        result = json.load(file)
    result["runs"] = [run for run in result["runs"] if run["workload"] == "swap"][:1]
    with open(path, "w") as file:
        json.dump(result, file)
END

cat >"$dir/bin/ssh" <<END
#!/bin/sh
while [ "\$1" != -- ]; do shift; done
if [ "\$2" = nowhere ]; then
	echo "ssh: Could not resolve hostname nowhere" >&2
	exit 255
fi
echo "\$3" >>"$lab/asked"
command=\$(echo "\$3" | sed "s,/etc/,$lab/etc/,g")
sh -c "\$command"
status=\$?
case \$command in
*--apart*) ;;
*) exit \$status ;;
esac
i=\$(grep -n -F "\$(cat "$lab/state/images/tonight/commit")" "$lab/commits" | cut -d : -f 1)
i=\$((i - 1))
name=\$(echo "\$command" | sed 's/.*--apart \([^ ]*\).*/\1/')
# Not built, or refused.
tail -n 1 "$lab/state/journal" | grep -q ' done ' && [ \$status = 3 ] || exit \$status
grep -q -- "-\$name " "$lab/state/journal" || exit \$status
[ \$i != $hangs ] || exit \$status
mkdir -p "$lab/state/apart/\$name"
cp "$dir/pool/2024-01-0\$((1 + (i >= $planted)))"/*.json "$lab/state/apart/\$name/"
[ \$i != $garbled ] || echo '{ "schema": ' >"$lab/state/apart/\$name/tonight.json"
# The connection is lost with the jump.
exit 255
END
cat >"$dir/bin/scp" <<END
#!/bin/sh
while [ "\$1" != -- ]; do shift; done
case \$2\$3 in *nowhere:*) exit 1 ;; esac
cp "\$(echo "\$2" | sed 's,^lab:/etc/,$lab/etc/,; s,^lab:,,')" \\
	"\$(echo "\$3" | sed 's,^lab:/etc/,$lab/etc/,; s,^lab:,,')"
END
chmod +x "$dir/bin/ssh" "$dir/bin/scp"
PATH=$dir/bin:$O:$PATH
echo initrd >"$lab/initrd"
machine=$dir/test.machine
cat >"$machine" <<END
summary = a stand-in
arch = x86_64
boot = kexec
reference = stock
tonight = stock
suite = seeds
initrd = $lab/initrd
state = $lab/state
results = $lab/results
END
sed 's/= stock/= prebuilt/' "$machine" >"$dir/prebuilt.machine"

nightly() {
	shootdown nightly --machine "$machine" "$@"
}

expect "a commit needs a tree" 2 "need --source" nightly --ref c1
expect "a tree needs a variant to be configured as" 2 "prebuilt.machine: tonight = prebuilt: " \
	shootdown nightly --machine "$dir/prebuilt.machine" --source "$tree" --ref c1
expect "a commit that is not there" 2 "Needed a single revision" \
	nightly --source "$tree" --ref nothing
expect "a name that leads elsewhere" 2 "a name of letters" nightly --apart ../x
nightly --source "$tree" --ref c1 --reference c0 >"$dir/out" 2>"$dir/err"
if grep -q "building kernels needs" "$dir/err"; then
	skip "kernels of a tree" "$(tail -n 1 "$dir/err")"
	echo "1..$n"
	exit
fi
check "a kernel that does not boot ends the night" grep -q \
	"done .*failed twice and is skipped\|done .* has no result" "$dir/err"
check "tonight's commit is written down" grep -q "$(git -C "$tree" rev-parse c1)" \
	"$lab/state/images/tonight/commit"
check "so is the reference's" grep -q "$(git -C "$tree" rev-parse c0)" \
	"$lab/state/images/reference/commit"
check "and its kernel was taken" grep -q "commit 0" "$lab/state/images/reference/image"
expect "one that cannot be built has no result" 3 "the build failed" \
	nightly --source "$tree" --ref c$broken --reference c0
nightly --source "$tree" --ref c1 --reference c0 --apart alone 2>&1 | :
check "a night goes on without whoever began it" [ "$(sed -n '1s/.*-\(alone\) .*/\1/p
	$s/.* \(done\) .*/\1/p' "$lab/state/journal" | tr '\n' ' ')" = "alone done " ]

bisect() {
	shootdown bisect --tree "$tree" --good c0 --bad c8 -o "$dir/runs" --host lab \
		--machine "$machine" --metric dsb_ish_per_page "$@"
}

expect "a host needs a machine's file" 2 "go together" \
	shootdown bisect --tree "$tree" --good c0 --bad c8 --host lab
expect "options of guests have no place" 2 "of guests' options --boots alone" bisect --cpus 2
expect "kernels of others are not replaced" 2 "prebuilt.machine: reference = prebuilt: " \
	bisect --machine "$dir/prebuilt.machine"
expect "a machine that is not reached" 2 "nowhere is not reached by ssh: ssh: Could not" \
	bisect --host nowhere
expect "ends a git bisect run as well" 255 "nowhere is not reached" bisect --host nowhere \
	--commit c1

expect "the planted commit" 0 \
	"^$(git -C "$tree" rev-parse c$planted) is the first bad commit" bisect
sed 's/^/# /' "$dir/out"
check "in nights of both ends and three commits" \
	[ "$(grep -c -- --apart "$lab/asked")" = 4 ]
check "of so many blocks, and of the workload" grep -q "^workloads = swap:threads=max$" \
	"$lab/etc/shootdown-bisect.machine"
check "without the suite" [ "$(grep -c "^suite" "$lab/etc/shootdown-bisect.machine")" = 0 ]
check "none of which is one of the history" [ ! -e "$lab/results" ]
: >"$lab/asked"
expect "once more, nothing is measured again" 0 "is the first bad commit" bisect
check "nor is the machine asked" [ ! -s "$lab/asked" ]
expect "a good one" 0 "c1: good: dsb_ish_per_page" bisect --commit c1
expect "a bad one" 1 "c6: bad: dsb_ish_per_page" bisect --commit c6
expect "one that cannot be built is skipped" 125 "not measured: lab: .*the build failed" \
	bisect --commit c$broken
expect "so is one without a result" 125 "not measured: lab: .*failed twice and is skipped" \
	bisect --commit c$hangs
expect "a result that is none ends it" 255 "tonight.json is no result: " \
	bisect --commit c$garbled
expect "also when it is asked for again" 255 "tonight.json is no result: " \
	bisect --commit c$garbled

# journal EVENT...: of these records
journal() {
	$python - "$@" <<'END'
import sys, zlib
for number, event in enumerate(sys.argv[1:], 1):
    rest = f"{number} 1800000000 {event}"
    print(f"{zlib.crc32(rest.encode()):08x} {rest}")
END
}
# What was measured of c1 is under way once more, as after an interruption.
night=$(basename "$dir/runs/$(git -C "$tree" rev-parse c1: | cut -c 1-16)"-3-*)
night=${night#*-3-}
rm "$dir"/runs/*-"$night"/*.json
mv "$lab/state/apart/$night" "$lab/later"
begun="night 2027-01-15-$night 5 3 12 3600"
journal "$begun" >"$lab/state/journal"
{
	sleep 2
	mv "$lab/later" "$lab/state/apart/$night"
	journal "$begun" "done all boots measured" >"$lab/state/journal.new"
	mv "$lab/state/journal.new" "$lab/state/journal"
} &
: >"$lab/asked"
expect "a night of its own that is under way is waited for" 0 "c1: good" bisect --commit c1
wait
check "and not begun again" [ "$(grep -c -- --apart "$lab/asked")" = 0 ]
rm "$dir"/runs/*-"$night"/*.json
rm -r "$lab/state/apart/$night"
journal "$begun" >"$lab/state/journal"
{
	sleep 2
	shootdown nightly --abort --state "$lab/state"
} 2>/dev/null &
expect "one that somebody ends there has no answer" 255 "$night was aborted there" \
	bisect --commit c1
wait

journal "night 2027-01-15 5 3 12 3600" >"$lab/state/journal"
expect "another night is waited for by whoever asks" 255 "lab: night 2027-01-15 is under way" \
	bisect --commit c4 --workload migrate
expect "nor does nightly replace its kernels" 2 "night 2027-01-15 is under way" \
	nightly --source "$tree" --ref c4
check "which stay" grep -q "$(git -C "$tree" rev-parse c$garbled)" \
	"$lab/state/images/tonight/commit"
echo "1..$n"
