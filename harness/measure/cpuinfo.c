// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpuinfo.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text.h"

/* What an entry tells, under the names of all architectures. */
enum field {
	MODEL_NAME,
	IMPLEMENTER, /* arm, with the next three */
	PART,
	VARIANT,
	REVISION,
	FAMILY, /* x86, with the next three */
	MODEL,
	STEPPING,
	MICROCODE,
	PPC_REVISION,
	ISA,
	N_FIELDS,
};

static const struct {
	const char *key;
	enum field field;
} keys[] = {
	{ "model name", MODEL_NAME },
	{ "Model Name", MODEL_NAME }, /* loongarch */
	{ "cpu model", MODEL_NAME },  /* mips */
	{ "cpu", MODEL_NAME },        /* powerpc */
	{ "uarch", MODEL_NAME },      /* riscv; without it the isa is all there is */
	{ "isa", ISA },
	{ "CPU implementer", IMPLEMENTER },
	{ "CPU part", PART },
	{ "CPU variant", VARIANT },
	{ "CPU revision", REVISION },
	{ "cpu family", FAMILY },
	{ "model", MODEL },
	{ "stepping", STEPPING },
	{ "microcode", MICROCODE },
	{ "revision", PPC_REVISION },
};

/* Core designs, which several machines share. */
static const struct {
	const char *id, *name;
} arm_parts[] = {
	{ "0x41/0xd03", "Cortex-A53" },
	{ "0x41/0xd05", "Cortex-A55" },
	{ "0x41/0xd07", "Cortex-A57" },
	{ "0x41/0xd08", "Cortex-A72" },
	{ "0x41/0xd0b", "Cortex-A76" },
	{ "0x41/0xd0c", "Neoverse-N1" },
	{ "0x41/0xd0d", "Cortex-A77" },
	{ "0x41/0xd40", "Neoverse-V1" },
	{ "0x41/0xd41", "Cortex-A78" },
	{ "0x41/0xd49", "Neoverse-N2" },
	{ "0x41/0xd4f", "Neoverse-V2" },
	{ "0x41/0xd84", "Neoverse-V3" },
	{ "0x41/0xd8e", "Neoverse-N3" },
	{ "0x43/0x0a1", "ThunderX" },
	{ "0x43/0x0af", "ThunderX2" },
	{ "0x46/0x001", "A64FX" },
	{ "0x48/0xd01", "Kunpeng-920" },
	{ "0xc0/0xac3", "Ampere-1" },
	{ "0xc0/0xac4", "Ampere-1a" },
};

/* Different texts in order of first appearance. */
struct kinds {
	char **items;
	size_t count;
};

struct parser {
	struct span fields[N_FIELDS]; /* of the entry at hand; length 0: not told */
	struct span vendor;           /* s390x: told once, ahead of the entries */
	struct kinds models, steppings, microcodes;
	uint64_t last_cpu;
	uint64_t n_promised; /* s390x: the number of entries that it says it has */
	int n_cpus;
};

/* Takes text over; NULL: not told. */
static void add_kind(struct kinds *k, char *text)
{
	bool is_known = !text;

	for (size_t i = 0; i < k->count && !is_known; i++)
		is_known = strcmp(k->items[i], text) == 0;
	if (is_known) {
		free(text);
		return;
	}
	k->items = mem_resize(k->items, k->count + 1, sizeof(*k->items));
	k->items[k->count++] = text;
}

static char *join_kinds(const struct kinds *k)
{
	char *joined = mem_text(k->count > 0 ? k->items[0] : "");

	for (size_t i = 1; i < k->count; i++) {
		char *more = mem_format("%s + %s", joined, k->items[i]);

		free(joined);
		joined = more;
	}
	return joined;
}

static void clear_kinds(struct kinds *k)
{
	for (size_t i = 0; i < k->count; i++)
		free(k->items[i]);
	free(k->items);
}

/* The fields joined by '-' or '/'; NULL where one is not told. */
static char *join_fields(const struct parser *p, enum field first, size_t n, char between)
{
	char *joined = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct span *s = &p->fields[first + i];
		char *more;

		if (s->length == 0) {
			free(joined);
			return NULL;
		}
		more = joined ? mem_format(
					"%s%c%.*s", joined, between, (int)s->length, s->at)
			      : mem_format("%.*s", (int)s->length, s->at);
		free(joined);
		joined = more;
	}
	return joined;
}

static char *arm_model(const struct parser *p)
{
	char *id = join_fields(p, IMPLEMENTER, 2, '/');

	for (size_t i = 0; id && i < sizeof(arm_parts) / sizeof(*arm_parts); i++) {
		if (strcmp(id, arm_parts[i].id) == 0) {
			free(id);
			return mem_text(arm_parts[i].name);
		}
	}
	return id;
}

/* The kernel writes the variant as hexadecimal and the revision as decimal. */
static char *arm_stepping(const struct parser *p)
{
	struct span variant = p->fields[VARIANT], revision = p->fields[REVISION];

	if (!span_starts(variant, "0x") || revision.length == 0)
		return NULL;
	return mem_format("r%lup%.*s", strtoul(variant.at, NULL, 16), (int)revision.length,
		revision.at);
}

static void finish_entry(struct parser *p)
{
	char *model = arm_model(p), *stepping = arm_stepping(p);

	if (!model)
		model = join_fields(p, MODEL_NAME, 1, 0);
	if (!model)
		model = join_fields(p, ISA, 1, 0);
	if (!stepping)
		stepping = join_fields(p, FAMILY, 3, '-');
	if (!stepping)
		stepping = join_fields(p, PPC_REVISION, 1, 0);
	add_kind(&p->models, model);
	add_kind(&p->steppings, stepping);
	add_kind(&p->microcodes, join_fields(p, MICROCODE, 1, 0));
	memset(p->fields, 0, sizeof(p->fields));
}

/* "processor : 3", and s390x's "processor 3: version = ..., machine = 2817" */
static bool is_entry(struct span key, struct span value, struct span *ret_number)
{
	struct span word;

	if (!span_first_word(&key, &word) || !span_is(word, "processor"))
		return false;
	if (!span_first_word(&key, ret_number))
		*ret_number = value;
	return true;
}

static int start_entry(struct parser *p, struct span number, struct err *err)
{
	uint64_t cpu;

	if (!span_number(number, &cpu) || cpu > INT_MAX)
		return err_set(err, -EINVAL, "cpuinfo: processor %.*s: not a number",
			(int)number.length, number.at);
	if (p->n_cpus > 0 && cpu <= p->last_cpu)
		return err_set(err, -EINVAL,
			"cpuinfo: processor %d after %d: more than one machine's?",
			(int)cpu, (int)p->last_cpu);
	if (p->n_cpus > 0)
		finish_entry(p);
	p->last_cpu = cpu;
	p->n_cpus++;
	return 0;
}

static void s390x_machine(struct parser *p, struct span value)
{
	static const char machine[] = "machine = ";
	const char *at = memmem(value.at, value.length, machine, strlen(machine));
	struct span rest, number;

	if (!at)
		return;
	at += strlen(machine);
	rest = (struct span){ at, value.length - (size_t)(at - value.at) };
	if (span_first_word(&rest, &number))
		add_kind(&p->models, mem_format("%.*s %.*s", (int)p->vendor.length,
					     p->vendor.length ? p->vendor.at : "",
					     (int)number.length, number.at));
}

static int parse_line(struct parser *p, const struct lines *l, struct err *err)
{
	struct span key, value, number;
	int r;

	if (!span_split(l->line, ':', &key, &value)) {
		/* Words ahead of the first entry are a paste's, not the kernel's. */
		if (p->n_cpus == 0)
			return 0;
		return err_set(err, -EINVAL,
			"cpuinfo: line %u: not a key and a value: %.*s", l->number,
			(int)l->line.length, l->line.at);
	}
	key = span_trim(key);
	value = span_trim(value);
	if (is_entry(key, value, &number)) {
		r = start_entry(p, number, err);
		if (r == 0 && number.at != value.at)
			s390x_machine(p, value);
		return r;
	}
	if (span_is(key, "vendor_id"))
		p->vendor = value;
	if (span_is(key, "# processors") && !span_number(value, &p->n_promised))
		return err_set(err, -EINVAL, "cpuinfo: line %u: not a number", l->number);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (span_is(key, keys[i].key) && p->fields[keys[i].field].length == 0)
			p->fields[keys[i].field] = value;
	return 0;
}

static int parse_text(struct parser *p, const char *text, struct err *err)
{
	struct lines lines = { .next = text };
	int r = 0;

	while (r == 0 && lines_next(&lines))
		r = parse_line(p, &lines, err);
	if (r < 0)
		return r;
	if (p->n_cpus == 0)
		return err_set(err, -EINVAL, "cpuinfo: no processor in it");
	if (p->n_promised > 0 && p->n_promised != (uint64_t)p->n_cpus)
		return err_set(err, -EINVAL, "cpuinfo: %d entries of %llu processors",
			p->n_cpus, (unsigned long long)p->n_promised);
	finish_entry(p);
	return 0;
}

int cpuinfo_parse(const char *text, struct cpuinfo *ret, struct err *err)
{
	struct parser p = { 0 };
	int r = parse_text(&p, text, err);

	if (r == 0) {
		ret->model = join_kinds(&p.models);
		ret->stepping = join_kinds(&p.steppings);
		ret->microcode = join_kinds(&p.microcodes);
		ret->n_cpus = p.n_cpus;
	}
	clear_kinds(&p.models);
	clear_kinds(&p.steppings);
	clear_kinds(&p.microcodes);
	return r;
}

int cpuinfo_read(const char *root, struct cpuinfo *ret, struct err *err)
{
	char *text;
	int r = text_read(root, "/proc/cpuinfo", &text, err);

	if (r < 0)
		return r;
	r = cpuinfo_parse(text, ret, err);
	free(text);
	return r;
}

void cpuinfo_clear(struct cpuinfo *c)
{
	free(c->model);
	free(c->stepping);
	free(c->microcode);
	*c = (struct cpuinfo){ 0 };
}
