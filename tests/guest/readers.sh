#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Workloads that read files, on the disk of real guests.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

run=$O/shootdown

# value EXPERIMENT SIDE WORKLOAD [METRIC]: of base or cand
value() {
	"$O/compare-results" --out csv --show all --metric "${4:-tlb_shootdowns_per_page}" \
		"$dir/$1/base.json" "$dir/$1/cand.json" | grep -e ^workload, -e "$3" |
		awk -v column="$2" -f "$tests/column.awk"
}

# half OF THAN: at most half of it
half() {
	echo "$1 $2" | awk '{ exit !($1 != "" && $2 != "" && $2 > 0 && $1 <= $2 / 2) }'
}

# A model of somebody else's: one quantised tensor and one of F32, 8 MiB together.
model() {
	/usr/bin/python3 - "$1" <<'END'
import random, struct, sys
def text(s): return struct.pack("<Q", len(s)) + s
rows, row = 3855, 64 * 34
big, small = rows * row, 4096
head = b"GGUF" + struct.pack("<IQQ", 3, 2, 1)
head += text(b"general.architecture") + struct.pack("<I", 8) + text(b"llama")
head += text(b"blk.0.ffn_up.weight") + struct.pack("<IQQIQ", 2, 2048, rows, 8, 0)
start = -(-big // 32) * 32
head += text(b"output_norm.weight") + struct.pack("<IQIQ", 1, small // 4, 0, start)
head += bytes(-len(head) % 32)
data = random.Random(1).randbytes(big).ljust(start, b"\0") + bytes(small)
open(sys.argv[1], "wb").write(head + data)
END
}

expect "files on a guest's disk: all is measured" 0 "1 of 1 boots ended well" \
	"$run" ab nobatch batch --boots 1 -o "$dir/a" readers:size=4M,limit=6M \
	readers:size=4M,limit=6M,io=pread readers:size=4M,limit=6M,io=uring,depth=2 \
	reclaim:kind=file migrate:kind=file
check "nothing was skipped" sh -c "! grep -E 'skipped|invalid|failed' '$dir'/a/boots/001/*.json"
check "mapped models: fewer shootdowns with batching" half \
	"$(value a cand readers:io=mmap)" "$(value a base readers:io=mmap)"
check "the disk is gone" [ ! -e "$dir/a/disk.img" ]

expect "without a limit, in less memory than the models" 0 "1 of 1 boots ended well" \
	"$run" ab nobatch batch --boots 1 -o "$dir/b" --memory 256M --samples 1 \
	readers:size=124M,tokens=1,limit=0
check "kswapd reclaims" grep -q '"reclaimed by kswapd ([1-9]' "$dir/b/boots/001/cand-1.json"
check "fewer shootdowns with batching" half "$(value b cand readers)" "$(value b base readers)"

if [ -x /usr/bin/python3 ]; then
	model "$dir/some.gguf"
	expect "a model of the user's is taken along" 0 "1 of 1 boots ended well" \
		"$run" ab nobatch batch --boots 1 --keep -o "$dir/c" \
		"readers:model=$dir/some.gguf,processes=1,threads=2,limit=4M"
	check "and named as the guest has it" grep -q '/var/tmp/some.gguf' "$dir/c/cand.json"
	check "a disk that is kept has it" sh -c \
		"/usr/sbin/debugfs -R 'ls /' '$dir/c/disk.img' 2>&1 | grep -q some.gguf"
else
	skip "a model of the user's" "no python3 to make one"
fi
expect "a model that is not there" 2 "gone.gguf: cannot be put on a guest's disk" \
	"$run" ab nobatch batch --boots 1 -o "$dir/d" "readers:model=$dir/gone.gguf"
