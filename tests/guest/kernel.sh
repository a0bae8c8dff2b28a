#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shootdown kernel with the real source: the project's patch, configuration and
# variants. What needs no kernel is in tests/system/kernel.sh. The images stay
# in the cache for the tests after this one.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

shootdown=$O/shootdown
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shootdown

expect "batch and nobatch are built, or were" 0 "^nobatch  *cached" \
	"$shootdown" kernel build batch nobatch
expect "nobatch differs from batch in the switch and nothing else" 0 \
	"sysctl   vm.batched_unmap_tlb_flush=1 -> vm.batched_unmap_tlb_flush=0" \
	"$shootdown" kernel show nobatch
check "... its image is the same" grep -q '^  image    the same' "$dir/out"
check "... and nothing more is said" test \
	"$(sed -n '/^against/,$p' "$dir/out" | wc -l)" = 4

folder=$(dirname "$(sed -n 's/^image  *//p' "$dir/out")")
for file in image vmlinux System.map config log; do
	check "$file is kept" test -s "$folder/$file"
done
check "the switch is in the kernel" grep -q 'rmap_sysctl_init' "$folder/System.map"
key=$(sed -n 's/^key  *\(.\{8\}\).*/\1/p' "$dir/out")
check "the release has a part of the key" grep -q -a "6\.12\.[0-9]*-shootdown-$key" \
	"$folder/vmlinux"
"$shootdown" kernel fetch batch >"$dir/fetched"
check "fetch finds the patched source" grep -q batched_unmap_tlb_flush \
	"$(sed -n 's/^batch  *//p' "$dir/fetched")/mm/rmap.c"

images=$(find "$cache/kernels" -name image | wc -l)
# The same patch a second time, after the variant's.
expect "a patch that is applied already is named" 2 \
	"0001-mm-rmap.*: .* seems to be patched already" \
	"$shootdown" kernel build --patches "$(dirname "$0")/../../kconfigs/patches" batch
echo CONFIG_ZRAM_MULTI_COMP_NOT_THERE=y >"$dir/a.config"
expect "a symbol that this kernel does not have is named" 2 \
	"a.config:1: CONFIG_ZRAM_MULTI_COMP_NOT_THERE=y did not take.*no such symbol" \
	"$shootdown" kernel build --config "$dir/a.config" batch
echo CONFIG_XFS_QUOTA=y >"$dir/b.config"
expect "a symbol whose dependency is off is named with it" 2 \
	"b.config:1: CONFIG_XFS_QUOTA=y did not take, it is n: needs XFS_FS: XFS_FS is n" \
	"$shootdown" kernel build --config "$dir/b.config" batch
check "none of these built anything" test \
	"$images" = "$(find "$cache/kernels" -name image | wc -l)"
echo "1..$n"
