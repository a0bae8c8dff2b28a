# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# For the shell tests in the folders below this one, which is $tests: a temporary
# folder in $dir, results as TAP, and
#
#   expect NAME STATUS PATTERN COMMAND...   runs COMMAND; its exit status and a
#       line of its output (basic regular expression) must be these. The output
#       is left in $dir/out and $dir/err.
#   check NAME COMMAND...   COMMAND must succeed
#   skip NAME REASON
set -u

n=0
tests=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'rm -rf "$dir"' EXIT
O=$(cd "${O:-build}" && pwd)

report() {
	n=$((n + 1))
	echo "$1 $n - $2"
}

skip() {
	report ok "$1 # SKIP $2"
}

expect() {
	name=$1 status=$2 pattern=$3
	shift 3
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	if [ $got = "$status" ] && cat "$dir/out" "$dir/err" | grep -q -e "$pattern"; then
		report ok "$name"
		return
	fi
	report "not ok" "$name"
	echo "# status $got instead of $status, or no \"$pattern\" in:"
	cat "$dir/out" "$dir/err" | sed 's/^/# /'
}

check() {
	name=$1
	shift
	if "$@"; then
		report ok "$name"
	else
		report "not ok" "$name"
		echo "# failed: $*"
	fi
}
