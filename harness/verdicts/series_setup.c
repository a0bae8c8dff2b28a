// SPDX-License-Identifier: GPL-2.0-or-later
/* What must be the same from night to night: the machine, and the reference kernel. */
#include "verdicts/series_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/mem.h"
#include "verdicts/compare_pair.h"

static int by_name(const void *left, const void *right)
{
	const struct field *const *a = left, *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

/* The fields in the order of their names; freed by the caller. */
static const struct field **sorted_fields(const struct fields *f)
{
	const struct field **sorted = mem_zeroed(f->count, sizeof(*sorted));

	for (size_t i = 0; i < f->count; i++)
		sorted[i] = &f->items[i];
	qsort(sorted, f->count, sizeof(*sorted), by_name);
	return sorted;
}

char *series_run_name(const struct run *run)
{
	const struct field **sorted = sorted_fields(&run->params);
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		abort();
	fprintf(out, "%s@%u", run->workload, run->revision);
	for (size_t i = 0; i < run->params.count; i++) {
		char *value = field_format(sorted[i]);

		fprintf(out, "%c%s=%s", i ? ',' : ':', sorted[i]->name, value);
		free(value);
	}
	fclose(out);
	free(sorted);
	return text;
}

static char *setup_digest(const struct fields *f)
{
	const struct field **sorted = sorted_fields(f);
	struct digest *d = digest_new();
	char *all, *first;

	for (size_t i = 0; i < f->count; i++) {
		char *value = field_format(sorted[i]);

		digest_add_text(d, sorted[i]->name);
		digest_add_text(d, value);
		free(value);
	}
	free(sorted);
	all = digest_finish(d);
	first = mem_format("%.8s", all);
	free(all);
	return first;
}

static void copy_field(struct fields *to, const char *name, const struct field *f)
{
	if (f->text)
		fields_set_text(to, name, f->text);
	else
		fields_set_number(to, name, f->number);
}

static void find_setup(
	const struct record *reference, const char *allowed, struct fields *ret)
{
	static const char *const subject[] = { "commit", "kernel_release", "kernel_version",
		"config_hash", "batched_unmap_tlb_flush", "cmdline_variant" };

	for (size_t i = 0; i < reference->identity.count; i++) {
		const struct field *f = &reference->identity.items[i];

		if (!name_is_listed(allowed, f->name))
			copy_field(ret, f->name, f);
	}
	for (size_t i = 0; i < sizeof(subject) / sizeof(*subject); i++) {
		const struct field *f = fields_find(&reference->subject, subject[i]);
		char *name = mem_format("reference %s", subject[i]);

		if (f)
			copy_field(ret, name, f);
		free(name);
	}
}

size_t series_setup(struct machine *m, const struct record *reference, const char *allowed)
{
	struct fields fields = { 0 };
	char *digest;
	size_t i = 0;

	find_setup(reference, allowed, &fields);
	digest = setup_digest(&fields);
	while (i < m->n_setups && strcmp(m->setups[i].digest, digest) != 0)
		i++;
	if (i < m->n_setups) {
		free(digest);
		fields_clear(&fields);
		return i;
	}
	m->setups = mem_resize(m->setups, m->n_setups + 1, sizeof(*m->setups));
	m->setups[m->n_setups++] = (struct setup){ .digest = digest, .fields = fields };
	return i;
}

static bool has_same(const struct fields *in, const struct field *f)
{
	const struct field *other = fields_find(in, f->name);

	return other && field_equal(other, f);
}

int series_check_identity(const struct fields *a, const struct fields *b,
	const char *allowed, struct err *err)
{
	for (int side = 0; side < 2; side++) {
		const struct fields *from = side ? b : a, *in = side ? a : b;

		for (size_t i = 0; i < from->count; i++)
			if (!has_same(in, &from->items[i]) &&
				!name_is_listed(allowed, from->items[i].name))
				return err_set(err, -ESTALE,
					"its results differ in %s, as if of two machines",
					from->items[i].name);
	}
	return 0;
}
