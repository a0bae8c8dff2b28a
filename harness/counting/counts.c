// SPDX-License-Identifier: GPL-2.0-or-later
#include "counting/counts.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct reader {
	struct counts *c;
	struct count_window *open; /* or NULL */
};

static char *next_word(char **rest)
{
	return strsep(rest, " ");
}

static bool take_number(char **rest, uint64_t *ret)
{
	const char *word = next_word(rest);
	char *end;

	if (!word || !isdigit((unsigned char)word[0]))
		return false;
	errno = 0;
	*ret = strtoull(word, &end, 10);
	return *end == '\0' && errno == 0;
}

/* One for each CPU, and nothing after it; added to sums. */
static bool take_by_cpu(
	const struct counts *c, char *rest, uint64_t *sums, uint64_t *ret_all)
{
	for (unsigned int i = 0; i < c->n_vcpus; i++) {
		uint64_t n;

		/* Of a foreign file; so that no sum goes beyond the type. */
		if (!take_number(&rest, &n) || n > INT64_MAX / COUNTS_VCPUS_MAX ||
			sums[i] > INT64_MAX / COUNTS_VCPUS_MAX - n)
			return false;
		sums[i] += n;
		*ret_all += n;
	}
	return !rest;
}

static bool take_vcpus(struct counts *c, char *rest)
{
	uint64_t n;

	if (!take_number(&rest, &n) || rest || n < 1 || n > COUNTS_VCPUS_MAX)
		return false;
	c->n_vcpus = (unsigned int)n;
	return true;
}

static bool take_classes(struct counts *c, char *rest)
{
	while (rest && c->n_classes < CLASSES_MAX)
		c->classes[c->n_classes++] = next_word(&rest);
	return !rest && c->n_classes > 0 && c->n_vcpus > 0;
}

static bool take_window(struct reader *r, char *rest)
{
	struct counts *c = r->c;
	uint64_t number;

	if (r->open || c->n_classes == 0 || !take_number(&rest, &number) || rest)
		return false;
	c->windows = mem_resize(c->windows, c->n_windows + 1, sizeof(*c->windows));
	r->open = &c->windows[c->n_windows++];
	*r->open = (struct count_window){
		.number = number,
		.kernel_insns = mem_zeroed(c->n_vcpus, sizeof(uint64_t)),
		.classes = mem_zeroed(c->n_vcpus * c->n_classes, sizeof(uint64_t)),
	};
	return true;
}

static bool take_place(struct reader *r, char *rest)
{
	const char *class = next_word(&rest), *function = rest ? next_word(&rest) : NULL;
	struct counts *c = r->c;
	struct count_window *w = r->open;
	struct count_place *p;
	size_t i = 0;

	while (i < c->n_classes && strcmp(c->classes[i], class ? class : "") != 0)
		i++;
	if (!w || i == c->n_classes || !function || !function[0])
		return false;
	w->places = mem_resize(w->places, w->n_places + 1, sizeof(*w->places));
	p = &w->places[w->n_places++];
	*p = (struct count_place){ .class = i, .function = function };
	return take_by_cpu(c, rest, &w->classes[i * c->n_vcpus], &p->count);
}

static bool take_line(struct reader *r, char *line)
{
	char *rest = line;
	const char *key = next_word(&rest);
	uint64_t all = 0;

	if (r->open && strcmp(key, "kernel") == 0)
		return take_by_cpu(r->c, rest, r->open->kernel_insns, &all);
	if (strcmp(key, "at") == 0)
		return take_place(r, rest);
	if (strcmp(key, "window") == 0)
		return take_window(r, rest);
	if (r->open && strcmp(key, "end") == 0) {
		r->open = NULL;
		return !rest;
	}
	if (r->c->n_classes == 0 && strcmp(key, "classes") == 0)
		return take_classes(r->c, rest);
	if (r->c->n_vcpus == 0 && strcmp(key, "vcpus") == 0)
		return take_vcpus(r->c, rest);
	return r->c->n_classes == 0 && strcmp(key, "arch") == 0 && rest;
}

static void clear_window(struct count_window *w)
{
	free(w->kernel_insns);
	free(w->classes);
	free(w->places);
}

void counts_clear(struct counts *c)
{
	for (size_t i = 0; i < c->n_windows; i++)
		clear_window(&c->windows[i]);
	free(c->windows);
	free(c->text);
	*c = (struct counts){ 0 };
}

int counts_parse(const char *text, struct counts *ret, struct err *err)
{
	struct counts c = { .text = mem_text(text) };
	struct reader r = { .c = &c };
	char *rest = c.text, *line = strsep(&rest, "\n");
	unsigned int n = 1;

	if (strcmp(line, COUNTS_SCHEMA) != 0) {
		counts_clear(&c);
		return err_set(err, -EBADMSG, "line 1: not '" COUNTS_SCHEMA "'");
	}
	/* What follows the last newline was not written to its end. */
	while (rest && strchr(rest, '\n')) {
		line = strsep(&rest, "\n");
		n++;
		if (take_line(&r, line))
			continue;
		counts_clear(&c);
		return err_set(err, -EBADMSG, "line %u: not what comes there", n);
	}
	if (r.open)
		clear_window(&c.windows[--c.n_windows]);
	if (c.n_classes == 0) {
		counts_clear(&c);
		return err_set(err, -EBADMSG, "cut within its head");
	}
	*ret = c;
	return 0;
}

const struct count_window *counts_find(const struct counts *c, uint64_t number)
{
	for (size_t i = c->n_windows; i > 0; i--)
		if (c->windows[i - 1].number == number)
			return &c->windows[i - 1];
	return NULL;
}
