/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/meminfo: "Name:  number kB" lines. */
#ifndef MEASURE_MEMINFO_H
#define MEASURE_MEMINFO_H

#include <stdint.h>

/* Pure. name as "MemAvailable". 0; -ENODATA: not in text; -EINVAL: no number. */
int meminfo_find(const char *text, const char *name, uint64_t *ret_bytes);

int meminfo_read(const char *root, const char *name, uint64_t *ret_bytes);

#endif
