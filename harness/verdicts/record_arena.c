// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/record_arena.h"

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define ALIGNMENT sizeof(max_align_t)

struct block {
	struct block *older;
	size_t size, used; /* of bytes */
	_Alignas(max_align_t) char bytes[];
};

static _Thread_local struct {
	bool open;
	size_t size; /* of the next block */
	struct block *newest;
} arena;

static struct block *add_block(size_t least)
{
	size_t size = arena.size > least ? arena.size : least;
	struct block *b = malloc(sizeof(*b) + size);

	if (!b)
		return NULL;
	*b = (struct block){ .older = arena.newest, .size = size };
	arena.newest = b;
	return b;
}

static void *take(size_t bytes)
{
	struct block *b = arena.newest;
	char *taken;

	if (!arena.open)
		return malloc(bytes);
	if (bytes > SIZE_MAX / 2)
		return NULL;
	bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (!b || b->size - b->used < bytes)
		b = add_block(bytes);
	if (!b)
		return NULL;
	taken = b->bytes + b->used;
	b->used += bytes;
	return taken;
}

static bool is_inside(const char *p)
{
	for (const struct block *b = arena.newest; b; b = b->older)
		if (p >= b->bytes && p < b->bytes + b->size)
			return true;
	return false;
}

static void give_back(void *p)
{
	if (!arena.open || !is_inside(p))
		free(p);
}

static void install(void)
{
	json_set_alloc_funcs(take, give_back);
}

void arena_open(size_t bytes)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install);
	arena.open = true;
	arena.size = bytes;
}

void arena_close(void)
{
	struct block *b, *older;

	for (b = arena.newest; b; b = older) {
		older = b->older;
		free(b);
	}
	arena.newest = NULL;
	arena.open = false;
}
