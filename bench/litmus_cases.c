// SPDX-License-Identifier: GPL-2.0-or-later
/* The calls that race with reclaim and migration, and what each promises. */
#include "litmus_case.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

uint64_t litmus_mark(
	const struct bench *b, const struct arena *a, size_t page, uint64_t stage)
{
	const uint64_t since = stage % RULES == RULE_FRESH ? stage : 0;

	return bench_pattern_word(
		b, (since * LITMUS_CASES + a->number) * (a->bytes / b->page_bytes) + page);
}

uint64_t litmus_next(const struct arena *a, enum litmus_rule rule)
{
	return (atomic_load(&a->stage) / RULES + 1) * RULES + rule;
}

static int failed(struct bench *b, const char *call)
{
	return bench_fail(b, -errno, "%s: %s", call, strerror(errno));
}

static int protect(struct bench *b, const struct arena *a, uint64_t stage)
{
	const int prot =
		stage % RULES == RULE_READ_ONLY ? PROT_READ : PROT_READ | PROT_WRITE;

	return mprotect(a->home, a->bytes, prot) < 0 ? failed(b, "mprotect") : 0;
}

/*
 * Where something was, nothing else may come to lie. It takes no page, and so
 * flushes none: what could be loaded there before can be if it was forgotten.
 */
static int keep_place(struct bench *b, unsigned char *at, size_t bytes)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;

	return mmap(at, bytes, PROT_NONE, flags, -1, 0) == MAP_FAILED ? failed(b, "mmap")
								      : 0;
}

static int unmap(struct bench *b, const struct arena *a, uint64_t stage)
{
	(void)stage;
	return munmap(a->home, a->bytes) < 0 ? failed(b, "munmap")
					     : keep_place(b, a->home, a->bytes);
}

int litmus_map(struct bench *b, const struct arena *a, uint64_t stage)
{
	void *at = mmap(a->home, a->bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (at == MAP_FAILED)
		return failed(b, "mmap");
	if (madvise(at, a->bytes, MADV_NOHUGEPAGE) < 0 && errno != EINVAL)
		return failed(b, "MADV_NOHUGEPAGE");
	for (size_t at_byte = 0; at_byte < a->bytes; at_byte += b->page_bytes)
		*(volatile uint64_t *)(a->home + at_byte) =
			litmus_mark(b, a, at_byte / b->page_bytes, stage);
	return 0;
}

static int move(struct bench *b, const struct arena *a, uint64_t stage)
{
	unsigned char *from = stage % RULES == RULE_MOVED ? a->home : a->away;
	unsigned char *to = stage % RULES == RULE_MOVED ? a->away : a->home;

	return mremap(from, a->bytes, a->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
			       MAP_FAILED
		       ? failed(b, "mremap")
		       : keep_place(b, from, a->bytes);
}

static int let_go(struct bench *b, const struct arena *a, uint64_t stage)
{
	(void)stage;
	return madvise(a->home, a->bytes, MADV_FREE) < 0 ? failed(b, "MADV_FREE") : 0;
}

const struct litmus_case litmus_cases[LITMUS_CASES] = {
	{ "write", RULE_KEPT, RULE_KEPT, NULL, NULL, false },
	{ "lazy", RULE_KEPT, RULE_KEPT, NULL, NULL, true },
	{ "mprotect", RULE_KEPT, RULE_READ_ONLY, protect, protect, false },
	{ "munmap", RULE_FRESH, RULE_GONE, litmus_map, unmap, false },
	{ "mremap", RULE_KEPT, RULE_MOVED, move, move, false },
	{ "free", RULE_FREED, RULE_FREED, let_go, let_go, false },
};
