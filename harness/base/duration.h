/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as people type them. Pure. */
#ifndef BASE_DURATION_H
#define BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* "500ms", "1.5s", "2m"; above 0, and at most 100000 s. False for anything else. */
bool duration_parse(const char *text, uint64_t *ret_ns);

#endif
