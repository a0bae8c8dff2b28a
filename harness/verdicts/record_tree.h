/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of a JSON text as jansson has it, made by yajl, which is faster by
 * half. The one user of yajl. Pure.
 */
#ifndef VERDICTS_RECORD_TREE_H
#define VERDICTS_RECORD_TREE_H

#include <jansson.h>
#include <stddef.h>

/*
 * NULL for what is not plain: malformed, a key twice, a number out of range,
 * deeper than a result is, or with characters beyond ASCII. jansson is then to
 * be asked, which says what is wrong, if anything is.
 */
json_t *record_tree(const char *text, size_t bytes);

#endif
