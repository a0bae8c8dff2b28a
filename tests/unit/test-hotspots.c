// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>

#include "measure/hotspots.h"

/* Chains as the kernel gives them, innermost first. */
Test(hotspots, the_nearest_named_function_decides)
{
	static const struct {
		const char *names[4];
		enum hotspot_group group;
	} cases[] = {
		{ { "flush_tlb_mm_range" }, GROUP_TLB_FLUSH },
		{ { "native_write_msr", "x2apic_send_IPI", "try_to_unmap_one" },
			GROUP_TLB_FLUSH },
		{ { "smp_call_function_many_cond", "arch_tlbbatch_flush" },
			GROUP_TLB_FLUSH },
		{ { "ptep_clear_flush", "try_to_unmap_one" }, GROUP_TLB_FLUSH },
		{ { "try_to_unmap_flush_dirty.part.0" }, GROUP_TLB_FLUSH },
		{ { "__flush_tlb_range" }, GROUP_TLB_FLUSH },
		{ { "radix__flush_tlb_page_psize" }, GROUP_TLB_FLUSH },
		{ { "tlb_flush_mmu" }, GROUP_TLB_FLUSH },
		{ { "sbi_remote_sfence_vma" }, GROUP_TLB_FLUSH },
		{ { "try_to_unmap_one.isra.0" }, GROUP_PAGE_TABLES },
		{ { "try_to_migrate_one" }, GROUP_PAGE_TABLES },
		{ { "folio_add_file_rmap_ptes" }, GROUP_PAGE_TABLES },
		{ { "exc_page_fault" }, GROUP_PAGE_TABLES },
		{ { "__handle_mm_fault" }, GROUP_PAGE_TABLES },
		{ { "clear_page_erms", "do_anonymous_page" }, GROUP_PAGE_TABLES },
		{ { "shrink_folio_list" }, GROUP_LRU_MEMCG },
		{ { "mem_cgroup_charge" }, GROUP_LRU_MEMCG },
		{ { "__mod_memcg_lruvec_state" }, GROUP_LRU_MEMCG },
		{ { "__folio_throttle_swaprate" }, GROUP_LRU_MEMCG },
		{ { "lzorle1x_1_compress", "zram_write_page" }, GROUP_SWAP },
		{ { "memcpy_orig", "zs_malloc" }, GROUP_SWAP },
		{ { "swap_read_folio" }, GROUP_SWAP },
		{ { "_raw_spin_lock_irq", "shrink_inactive_list" }, GROUP_LOCKS },
		{ { "native_queued_spin_lock_slowpath" }, GROUP_LOCKS },
		{ { "down_read_trylock" }, GROUP_LOCKS },
		{ { "handle_softirqs" }, GROUP_OTHER },
		{ { "update_load_avg", "handle_softirqs", "__irq_exit_rcu",
			  "smp_call_function_many_cond" },
			GROUP_OTHER },
		{ { "sched_tick", "sysvec_apic_timer_interrupt", "try_to_unmap_one" },
			GROUP_OTHER },
		{ { "flush_tlb_func", "sysvec_call_function", "lzo1x_decompress_safe" },
			GROUP_TLB_FLUSH },
		{ { NULL, "madvise_vma_behavior" }, GROUP_PAGE_TABLES },
		{ { NULL }, GROUP_OTHER },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		cr_expect_eq(hotspot_group_of(cases[i].names, 4), cases[i].group,
			"case %zu: %s", i, cases[i].names[0]);
}

Test(hotspots, what_is_watched_has_a_group)
{
	for (size_t i = 0; i < HOTSPOTS_WATCHED; i++)
		cr_expect(hotspot_group_of(&hotspots_watched[i], 1) == GROUP_TLB_FLUSH ||
				  hotspot_group_of(&hotspots_watched[i], 1) ==
					  GROUP_PAGE_TABLES,
			"%s", hotspots_watched[i]);
	for (size_t i = 0; i < HOTSPOT_GROUPS; i++)
		cr_expect(hotspot_group_names[i] != NULL);
}

Test(hotspots, suffixes_of_compilers)
{
	cr_expect(hotspot_is_named("flush_tlb_func", "flush_tlb_func"));
	cr_expect(hotspot_is_named("flush_tlb_func.constprop.0", "flush_tlb_func"));
	cr_expect_not(hotspot_is_named("flush_tlb_func_remote", "flush_tlb_func"));
	cr_expect_not(hotspot_is_named("flush_tlb", "flush_tlb_func"));
}
