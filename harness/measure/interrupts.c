// SPDX-License-Identifier: GPL-2.0-or-later
#include "interrupts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define CPU_MAX 65535

struct parser {
	struct interrupts in;
	size_t rows_room;
	uint64_t *counts; /* of the row at hand, in->n_cpus of them */
};

static bool cpu_word(struct span word, int *ret_cpu)
{
	uint64_t cpu;

	if (!span_starts(word, "CPU"))
		return false;
	word = (struct span){ word.at + 3, word.length - 3 };
	if (!span_number(word, &cpu) || cpu > CPU_MAX)
		return false;
	*ret_cpu = (int)cpu;
	return true;
}

/*
 * How many CPUs a header line names: "CPU0 CPU2 ...", ascending, and nothing
 * else; 0 for any other line. cpus may be NULL.
 */
static size_t header_cpus(struct span line, int *cpus)
{
	struct span word;
	int last = -1, cpu;
	size_t n = 0;

	while (span_first_word(&line, &word)) {
		if (!cpu_word(word, &cpu) || cpu <= last)
			return 0;
		if (cpus)
			cpus[n] = cpu;
		last = cpu;
		n++;
	}
	return n;
}

static int find_header(struct parser *p, struct lines *l, struct err *err)
{
	while (lines_next(l)) {
		p->in.n_cpus = header_cpus(l->line, NULL);
		if (p->in.n_cpus == 0)
			continue;
		p->in.cpus = calloc(p->in.n_cpus, sizeof(*p->in.cpus));
		p->counts = calloc(p->in.n_cpus, sizeof(*p->counts));
		if (!p->in.cpus || !p->counts)
			return -ENOMEM;
		header_cpus(l->line, p->in.cpus);
		return 0;
	}
	return err_set(err, -EINVAL, "interrupts: no header line that names the CPUs");
}

/*
 * Reads the numbers that follow the label into p->counts and leaves the name
 * in *rest. A word that merely begins with a digit ("15100000.mmc") belongs to
 * the name. False for more numbers than CPUs, or one out of range.
 */
static bool take_counts(struct parser *p, struct span *rest, size_t *ret_n)
{
	struct span word, after = *rest;
	size_t n = 0;

	while (span_first_word(&after, &word)) {
		if (strspn(word.at, "0123456789") < word.length)
			break;
		if (n == p->in.n_cpus || !span_number(word, &p->counts[n]) ||
			p->counts[n] > INT64_MAX)
			return false;
		n++;
		*rest = after;
	}
	*rest = span_trim(*rest);
	*ret_n = n;
	return true;
}

/*
 * A row has a count for each CPU. The exceptions are few, and known: totals of
 * the machine, and arm's FIQ, which has a name only. Anything else has lost
 * something on its way here, and which column a count belongs to is unknown.
 */
static bool may_be_short(struct span label, size_t n_counts, struct span name)
{
	static const char *const totals[] = { "ERR", "Err", "MIS", "BAD" };

	if (n_counts == 0)
		return span_is(label, "FIQ") && name.length > 0;
	if (n_counts > 1 || name.length > 0)
		return false;
	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++)
		if (span_is(label, totals[i]))
			return true;
	return false;
}

static bool is_label(struct span label)
{
	struct span word;

	return span_first_word(&label, &word) && !span_first_word(&label, &word);
}

static int keep_row(struct parser *p, struct span label, struct span name, size_t n_counts)
{
	struct interrupts *in = &p->in;
	struct interrupt_row *row;

	if (in->n_rows == p->rows_room) {
		size_t room = p->rows_room ? p->rows_room * 2 : 64;

		row = reallocarray(in->rows, room, sizeof(*row));
		if (!row)
			return -ENOMEM;
		in->rows = row;
		p->rows_room = room;
	}
	row = &in->rows[in->n_rows++];
	row->label = span_copy(label);
	row->name = span_copy(name);
	row->n_counts = n_counts;
	row->counts = calloc(n_counts + 1, sizeof(*row->counts));
	if (!row->label || !row->name || !row->counts)
		return -ENOMEM;
	if (n_counts > 0)
		memcpy(row->counts, p->counts, n_counts * sizeof(*row->counts));
	return 0;
}

static int parse_row(struct parser *p, const struct lines *l)
{
	struct span label, rest;
	size_t n_counts;
	bool is_row = span_split(l->line, ':', &label, &rest) && is_label(label) &&
		      take_counts(p, &rest, &n_counts) &&
		      (n_counts == p->in.n_cpus || may_be_short(label, n_counts, rest)) &&
		      /* The last count of a text that was cut may lack digits. */
		      (l->whole || rest.length > 0);

	if (is_row)
		return keep_row(p, span_trim(label), rest, n_counts);
	p->in.n_refused++;
	return 0;
}

static int parse_text(struct parser *p, const char *text, struct err *err)
{
	struct lines lines = { .next = text };
	int r = find_header(p, &lines, err);

	while (r == 0 && lines_next(&lines)) {
		/*
		 * Either a header that a mailer wrapped, so that the rows lack
		 * the columns of its second line, or another snapshot.
		 */
		if (header_cpus(lines.line, NULL) > 0)
			return err_set(err, -EINVAL,
				"interrupts: line %u: a second header: wrapped, or several "
				"snapshots",
				lines.number);
		r = parse_row(p, &lines);
	}
	if (r < 0)
		return r;
	if (p->in.n_rows == 0)
		return err_set(err, -EINVAL, "interrupts: no row behind the header");
	if (p->in.n_refused > p->in.n_rows)
		return err_set(err, -EINVAL, "interrupts: %zu of %zu lines are no rows",
			p->in.n_refused, p->in.n_refused + p->in.n_rows);
	return 0;
}

int interrupts_parse(const char *text, struct interrupts *ret, struct err *err)
{
	struct parser p = { 0 };
	int r = parse_text(&p, text, err);

	free(p.counts);
	if (r < 0) {
		interrupts_clear(&p.in);
		return r;
	}
	*ret = p.in;
	return 0;
}

int interrupts_read(const char *root, struct interrupts *ret, struct err *err)
{
	char *text;
	int r = text_read(root, "/proc/interrupts", &text, err);

	if (r < 0)
		return r;
	r = interrupts_parse(text, ret, err);
	free(text);
	return r;
}

void interrupts_clear(struct interrupts *in)
{
	for (size_t i = 0; i < in->n_rows; i++) {
		free(in->rows[i].label);
		free(in->rows[i].name);
		free(in->rows[i].counts);
	}
	free(in->rows);
	free(in->cpus);
	*in = (struct interrupts){ 0 };
}
