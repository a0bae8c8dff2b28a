// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpulist.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "text.h"

#define ID_MAX 65535

/* Marks the ids of "8" or "10-12". */
static bool mark_range(struct span range, unsigned char *is_member)
{
	struct span low = range, high = range;
	uint64_t first, last;

	span_split(range, '-', &low, &high);
	if (!span_number(low, &first) || !span_number(high, &last))
		return false;
	if (first > last || last > ID_MAX)
		return false;
	memset(is_member + first, 1, last - first + 1);
	return true;
}

static int mark_all(struct span text, unsigned char *is_member)
{
	struct span range, rest = text;

	while (span_split(rest, ',', &range, &rest))
		if (!mark_range(range, is_member))
			return -EINVAL;
	return mark_range(rest, is_member) ? 0 : -EINVAL;
}

static int collect(const unsigned char *is_member, struct cpulist *ret)
{
	struct cpulist list = { 0 };

	for (int id = 0; id <= ID_MAX; id++)
		list.count += is_member[id];
	list.ids = malloc(list.count * sizeof(*list.ids));
	if (!list.ids)
		return -ENOMEM;
	for (int id = 0, n = 0; id <= ID_MAX; id++)
		if (is_member[id])
			list.ids[n++] = id;
	*ret = list;
	return 0;
}

int cpulist_parse(const char *text, struct cpulist *ret)
{
	struct lines lines = { .next = text };
	unsigned char *is_member;
	struct span list;
	int r;

	if (!lines_next(&lines)) {
		*ret = (struct cpulist){ 0 };
		return 0;
	}
	list = lines.line;
	if (lines_next(&lines))
		return -EINVAL;
	is_member = calloc(ID_MAX + 1, 1);
	if (!is_member)
		return -ENOMEM;
	r = mark_all(list, is_member);
	if (r == 0)
		r = collect(is_member, ret);
	free(is_member);
	return r;
}

int cpulist_read(const char *root, const char *path, struct cpulist *ret)
{
	char *text;
	int r = file_read(root, path, &text, NULL);

	if (r < 0)
		return r;
	/* A copied sysfs file is padded with NULs to a page; the list ends before. */
	r = cpulist_parse(text, ret);
	free(text);
	return r;
}

int cpulist_index(const struct cpulist *list, int id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->ids[i] == id)
			return (int)i;
	return -1;
}

char *cpulist_format(const struct cpulist *list)
{
	size_t bytes;
	char *text = NULL;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	for (size_t i = 0; i < list->count;) {
		size_t end = i;

		while (end + 1 < list->count && list->ids[end + 1] == list->ids[end] + 1)
			end++;
		fprintf(out, "%s%d", i > 0 ? "," : "", list->ids[i]);
		if (end > i)
			fprintf(out, "-%d", list->ids[end]);
		i = end + 1;
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

void cpulist_clear(struct cpulist *list)
{
	free(list->ids);
	*list = (struct cpulist){ 0 };
}
