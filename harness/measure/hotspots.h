/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel functions whose share of the time tells a story: those that are
 * watched one by one, and the groups into which all others fall. Pure.
 */
#ifndef MEASURE_HOTSPOTS_H
#define MEASURE_HOTSPOTS_H

#include <stdbool.h>
#include <stddef.h>

enum hotspot_group {
	GROUP_TLB_FLUSH,   /* flushing, and the interrupts that carry it */
	GROUP_PAGE_TABLES, /* page tables, rmap, faults, areas */
	GROUP_LRU_MEMCG,   /* lists of pages, their accounting */
	GROUP_SWAP,        /* swap, its cache, zram and its compression */
	GROUP_LOCKS,
	GROUP_USER,  /* user mode */
	GROUP_OTHER, /* what nothing here names */
};
#define HOTSPOT_GROUPS 7

/* "tlb_flush"; by enum hotspot_group. */
extern const char *const hotspot_group_names[HOTSPOT_GROUPS];

/* Functions on the path of a flush, on any architecture. */
#define HOTSPOTS_WATCHED 14
extern const char *const hotspots_watched[HOTSPOTS_WATCHED];

/*
 * The group of a sample: that of its function, or of the nearest caller that
 * a group names. So an allocation belongs to whoever asked for it; a timer's
 * interrupt to nobody that it hit. names[0]
 * is the innermost function; NULL: unknown.
 */
enum hotspot_group hotspot_group_of(const char *const *names, size_t n);

/*
 * Whether a symbol is the function of that name. What compilers make out of
 * one, as try_to_unmap_one.isra.0, is it too.
 */
bool hotspot_is_named(const char *symbol, const char *function);

#endif
