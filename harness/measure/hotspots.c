// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/hotspots.h"

#include <fnmatch.h>
#include <string.h>

const char *const hotspot_group_names[HOTSPOT_GROUPS] = {
	[GROUP_TLB_FLUSH] = "tlb_flush",
	[GROUP_PAGE_TABLES] = "page_tables",
	[GROUP_LRU_MEMCG] = "lru_memcg",
	[GROUP_SWAP] = "swap",
	[GROUP_LOCKS] = "locks",
	[GROUP_USER] = "user",
	[GROUP_OTHER] = "other",
};

const char *const hotspots_watched[HOTSPOTS_WATCHED] = {
	"ptep_clear_flush", "try_to_unmap_one", "try_to_migrate_one",
	"set_tlb_ubc_flush_pending", "try_to_unmap_flush", "try_to_unmap_flush_dirty",
	"arch_tlbbatch_flush", "flush_tlb_batched_pending", "flush_tlb_mm_range",
	"flush_tlb_func", "flush_tlb_multi", /* x86 */
	"smp_call_function_many_cond",       /* waits for the other CPUs */
	"__flush_tlb_range",                 /* riscv */
	"radix__flush_tlb_page_psize",       /* powerpc */
};

/*
 * The first pattern that fits decides, so what is special stands before what
 * is general. Function calls to other CPUs count as flushes: on these paths
 * they are sent for nothing else.
 */
static const struct pattern {
	enum hotspot_group group;
	const char *glob;
} patterns[] = {
	/* Interrupts that are no function calls: whom they hit has not asked for them. */
	{ GROUP_OTHER, "handle_softirqs" },
	{ GROUP_OTHER, "*do_softirq*" },
	{ GROUP_OTHER, "*irq_exit*" },
	{ GROUP_OTHER, "*timer_interrupt*" },
	{ GROUP_OTHER, "common_interrupt" },
	{ GROUP_OTHER, "el1_interrupt" },

	{ GROUP_TLB_FLUSH, "*flush_tlb*" },
	{ GROUP_TLB_FLUSH, "*tlb_flush*" },
	{ GROUP_TLB_FLUSH, "arch_tlbbatch_*" },
	{ GROUP_TLB_FLUSH, "try_to_unmap_flush*" },
	{ GROUP_TLB_FLUSH, "set_tlb_ubc_flush_pending" },
	{ GROUP_TLB_FLUSH, "*ptep_clear_flush*" },
	{ GROUP_TLB_FLUSH, "pmdp_*_flush*" },
	{ GROUP_TLB_FLUSH, "*smp_call_function*" },
	{ GROUP_TLB_FLUSH, "on_each_cpu*" },
	{ GROUP_TLB_FLUSH, "*sysvec_call_function*" },
	{ GROUP_TLB_FLUSH, "*send_call_func*" },
	{ GROUP_TLB_FLUSH, "*send_IPI*" },
	{ GROUP_TLB_FLUSH, "*send_ipi*" },
	{ GROUP_TLB_FLUSH, "*ipi_send*" },
	{ GROUP_TLB_FLUSH, "*sfence*" },
	{ GROUP_TLB_FLUSH, "*tlbie*" },

	{ GROUP_LOCKS, "*raw_spin_*" },
	{ GROUP_LOCKS, "*queued_*lock*" },
	{ GROUP_LOCKS, "down_*" },
	{ GROUP_LOCKS, "up_read*" },
	{ GROUP_LOCKS, "up_write*" },
	{ GROUP_LOCKS, "*rwsem_*" },
	{ GROUP_LOCKS, "*mutex_*" },
	{ GROUP_LOCKS, "osq_*" },
	{ GROUP_LOCKS, "folio_wait_bit*" },

	{ GROUP_LRU_MEMCG, "*throttle_swaprate" }, /* of memory, swap or not */
	{ GROUP_LRU_MEMCG, "*charge_swap" },
	{ GROUP_SWAP, "*swap*" },
	{ GROUP_SWAP, "pageout" },
	{ GROUP_SWAP, "shmem_writepage*" },
	{ GROUP_SWAP, "shmem_writeout" },
	{ GROUP_SWAP, "swp_*" },
	{ GROUP_SWAP, "zram_*" },
	{ GROUP_SWAP, "zs_*" },
	{ GROUP_SWAP, "zcomp_*" },
	{ GROUP_SWAP, "*lzo*" },
	{ GROUP_SWAP, "*[lL][zZ]4*" },
	{ GROUP_SWAP, "*[zZ][sS][tT][dD]*" },
	{ GROUP_SWAP, "*submit_bio*" },
	{ GROUP_SWAP, "bio_*" },
	{ GROUP_SWAP, "blk_*" },

	{ GROUP_LRU_MEMCG, "shrink_*" },
	{ GROUP_LRU_MEMCG, "lru_*" },
	{ GROUP_LRU_MEMCG, "*_lru*" },
	{ GROUP_LRU_MEMCG, "lruvec_*" },
	{ GROUP_LRU_MEMCG, "isolate_*" },
	{ GROUP_LRU_MEMCG, "*folio_isolate*" },
	{ GROUP_LRU_MEMCG, "*putback*" },
	{ GROUP_LRU_MEMCG, "folio_mark_accessed" },
	{ GROUP_LRU_MEMCG, "folio_batch_*" },
	{ GROUP_LRU_MEMCG, "*workingset_*" },
	{ GROUP_LRU_MEMCG, "*mem*cgroup_*" },
	{ GROUP_LRU_MEMCG, "*memcg*" },
	{ GROUP_LRU_MEMCG, "*charge_*" },
	{ GROUP_LRU_MEMCG, "obj_cgroup_*" },
	{ GROUP_LRU_MEMCG, "*rstat*" },
	{ GROUP_LRU_MEMCG, "page_counter_*" },
	{ GROUP_LRU_MEMCG, "*mod_*_state" },

	{ GROUP_PAGE_TABLES, "try_to_unmap*" },
	{ GROUP_PAGE_TABLES, "try_to_migrate*" },
	{ GROUP_PAGE_TABLES, "*rmap*" },
	{ GROUP_PAGE_TABLES, "*folio_referenced*" },
	{ GROUP_PAGE_TABLES, "page_vma_*" },
	{ GROUP_PAGE_TABLES, "*migration_pte*" },
	{ GROUP_PAGE_TABLES, "anon_vma_*" },
	{ GROUP_PAGE_TABLES, "*mmu_notifier_*" },
	{ GROUP_PAGE_TABLES, "unmap_*" },
	{ GROUP_PAGE_TABLES, "zap_*" },
	{ GROUP_PAGE_TABLES, "tlb_*" }, /* of struct mmu_gather; its flushes are above */
	{ GROUP_PAGE_TABLES, "*walk_p[agmu4]*" },
	{ GROUP_PAGE_TABLES, "follow_p*" },
	{ GROUP_PAGE_TABLES, "*pte_*" },
	{ GROUP_PAGE_TABLES, "*ptep_*" },
	{ GROUP_PAGE_TABLES, "*pmd_*" },
	{ GROUP_PAGE_TABLES, "*pmdp_*" },
	{ GROUP_PAGE_TABLES, "free_pg*" },
	{ GROUP_PAGE_TABLES, "change_p*" },
	{ GROUP_PAGE_TABLES, "mprotect_*" },
	{ GROUP_PAGE_TABLES, "madvise_*" },
	{ GROUP_PAGE_TABLES, "vm_normal_*" },
	{ GROUP_PAGE_TABLES, "vma_*" },
	{ GROUP_PAGE_TABLES, "*vma_under_rcu" },
	{ GROUP_PAGE_TABLES, "mas_*" },
	{ GROUP_PAGE_TABLES, "*mm_fault*" },
	{ GROUP_PAGE_TABLES, "*page_fault*" },
	{ GROUP_PAGE_TABLES, "*addr_fault*" },
	{ GROUP_PAGE_TABLES, "do_*fault*" },
	{ GROUP_PAGE_TABLES, "do_mem_abort" },
	{ GROUP_PAGE_TABLES, "finish_fault" },
	{ GROUP_PAGE_TABLES, "do_anonymous_page" },
	{ GROUP_PAGE_TABLES, "do_wp_page" },
	{ GROUP_PAGE_TABLES, "filemap_map_pages" },
};

/* Up to the compiler's suffix. */
static size_t name_length(const char *symbol)
{
	return strcspn(symbol, ".");
}

bool hotspot_is_named(const char *symbol, const char *function)
{
	const size_t length = strlen(function);

	return name_length(symbol) == length && strncmp(symbol, function, length) == 0;
}

/* false: no pattern fits. */
static bool find_group(const char *symbol, enum hotspot_group *ret)
{
	char name[128];
	size_t length = name_length(symbol);

	if (length >= sizeof(name))
		length = sizeof(name) - 1;
	memcpy(name, symbol, length);
	name[length] = '\0';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (fnmatch(patterns[i].glob, name, 0) == 0) {
			*ret = patterns[i].group;
			return true;
		}
	return false;
}

enum hotspot_group hotspot_group_of(const char *const *names, size_t n)
{
	enum hotspot_group group = GROUP_OTHER;

	for (size_t i = 0; i < n; i++)
		if (names[i] && find_group(names[i], &group))
			break;
	return group;
}
