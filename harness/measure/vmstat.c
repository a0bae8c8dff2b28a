// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmstat.h"

#include <ctype.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#include "text.h"

static int add_item(struct vmstat *v, const struct lines *l, struct err *err)
{
	struct span rest = l->line, name, number, more;
	struct vmstat_item *item = &v->items[v->count];

	/* Digits may be missing from the last number of a text that was cut. */
	if (!l->whole)
		return err_set(err, -EINVAL, "vmstat: line %u: cut: no newline at its end",
			l->number);
	if (!span_first_word(&rest, &name) || !isalpha((unsigned char)*name.at) ||
		!span_first_word(&rest, &number) || !span_number(number, &item->value) ||
		span_first_word(&rest, &more))
		return err_set(err, -EINVAL,
			"vmstat: line %u: not a name and a number: %.*s", l->number,
			(int)l->line.length, l->line.at);
	/* v->text is ours, and a blank follows the name. */
	v->text[name.at - v->text + name.length] = '\0';
	item->name = name.at;
	for (size_t i = 0; i < v->count; i++)
		if (strcmp(v->items[i].name, item->name) == 0)
			return err_set(err, -EINVAL,
				"vmstat: line %u: a second %s: two snapshots?", l->number,
				item->name);
	v->count++;
	return 0;
}

int vmstat_parse(const char *text, struct vmstat *ret, struct err *err)
{
	struct vmstat v = { .text = strdup(text) };
	struct lines lines = { .next = v.text };
	size_t n_lines = 0;
	int r = 0;

	for (const char *c = text; *c; c++)
		n_lines += *c == '\n';
	v.items = calloc(n_lines + 1, sizeof(*v.items));
	if (!v.text || !v.items)
		r = -ENOMEM;
	while (r == 0 && lines_next(&lines))
		r = add_item(&v, &lines, err);
	if (r == 0 && v.count == 0)
		r = err_set(err, -EINVAL, "vmstat: no counter in it");
	if (r < 0) {
		vmstat_clear(&v);
		return r;
	}
	*ret = v;
	return 0;
}

int vmstat_read(const char *root, struct vmstat *ret, struct err *err)
{
	struct statfs fs;
	char *text;
	int r;

	/*
	 * Containers without the right to read it put a constant text in its
	 * place, whose differences of 0 would pass for a measurement.
	 */
	if (!*root && statfs("/proc/vmstat", &fs) == 0 && fs.f_type != PROC_SUPER_MAGIC)
		return err_set(err, -EINVAL,
			"/proc/vmstat: not the kernel's: another file is mounted over it");
	r = text_read(root, "/proc/vmstat", &text, err);
	if (r < 0)
		return r;
	r = vmstat_parse(text, ret, err);
	free(text);
	return r;
}

void vmstat_clear(struct vmstat *v)
{
	free(v->items);
	free(v->text);
	*v = (struct vmstat){ 0 };
}

int vmstat_find(const struct vmstat *v, const char *name, uint64_t *ret_value)
{
	for (size_t i = 0; i < v->count; i++) {
		if (strcmp(v->items[i].name, name) == 0) {
			*ret_value = v->items[i].value;
			return 0;
		}
	}
	return -ENODATA;
}

int vmstat_delta(const struct vmstat *before, const struct vmstat *after, const char *name,
	uint64_t *ret_delta)
{
	uint64_t old, new;

	if (vmstat_find(before, name, &old) < 0 || vmstat_find(after, name, &new) < 0)
		return -ENODATA;
	if (new < old)
		return -ESTALE;
	*ret_delta = new - old;
	return 0;
}
