/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of one JSON text while it is read: a tree of thousands of small pieces
 * that go all at once. Taking and freeing each by itself is a third of the time
 * that reading takes. For record_read.c only.
 */
#ifndef VERDICTS_RECORD_ARENA_H
#define VERDICTS_RECORD_ARENA_H

#include <stddef.h>

/*
 * Until arena_close(), whatever jansson allocates in this thread lies in one
 * arena, of which bytes is a first guess; freeing it does nothing. No JSON value
 * outlives the arena, and none is open already.
 */
void arena_open(size_t bytes);
void arena_close(void);

#endif
