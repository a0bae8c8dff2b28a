// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/mem.h"
#include "verdicts/compare_verdict.h"

/* What the CPU or its kernel does to a flush. */
static const struct {
	const char *key, *part; /* part: of a value of either side; NULL: any */
	const char *why;
} causes[] = {
	{ "errata", NULL,
		"a workaround may repeat each TLBI and its wait, or flush more than asked" },
	{ "mitigations", "PTI",
		"with isolated page tables each flush is of two address spaces" },
	{ "broadcast_tlb_flush", NULL,
		"one side flushes other CPUs without interrupting them, so that a change of "
		"tlb_shootdowns says nothing of batching" },
};

char *compare_flush_warning(const struct compare_key *key)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++) {
		if (strcmp(key->key, causes[i].key) != 0)
			continue;
		if (causes[i].part && (strstr(key->base, causes[i].part) != NULL) ==
					      (strstr(key->cand, causes[i].part) != NULL))
			continue;
		return mem_format("%s differs, which may explain a change: %s", key->key,
			causes[i].why);
	}
	return NULL;
}
