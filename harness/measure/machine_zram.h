/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The zram swap of machine.c: how it comes, and how each step is undone. */
#ifndef MEASURE_MACHINE_ZRAM_H
#define MEASURE_MACHINE_ZRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "machine_journal.h"

/*
 * Writes the header of a swap area over a whole page; last_page is the number
 * of pages less one. Pure. The format: union swap_header in the kernel's
 * include/linux/swap.h, version 1, magic in the last ten bytes of the page.
 */
void swap_header_format(unsigned char *page, size_t page_bytes, uint32_t last_page);

/* See machine_add_zram_swap(); each step is noted in the journal before it is taken. */
int zram_swap_on(struct journal *j, uint64_t bytes, char *ret_device, struct err *err);

/*
 * Undoes one change of a zram kind. 0 also where it was not made, was undone
 * already, or the device is by now another's.
 */
int zram_undo(const struct change *c, struct err *err);

#endif
