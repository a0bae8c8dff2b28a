// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"

#define NAMES_MAX 32

enum { COMMON_ITERATIONS, COMMON_CPU };

const struct param spec_common_params[] = {
	[COMMON_ITERATIONS] = {
		.name = "iterations",
		.type = PARAM_COUNT,
		.preset = "0",
		.unit = "operations",
		.max = 1000000000,
		.help = "operations in each sample; 0: as many as the time budget allows",
	},
	[COMMON_CPU] = {
		.name = "cpu",
		.type = PARAM_CPU,
		.preset = "auto",
		.help = "the CPU that the measuring thread is pinned to; auto: the last one",
	},
	{ 0 },
};

/* Where a value of this workload is kept, and what it may be. */
struct slot {
	const struct param *param;
	uint64_t *value;
	char **text; /* likewise */
};

static const struct param *find_param(
	const struct param *table, const char *name, size_t *ret_i)
{
	for (size_t i = 0; table[i].name; i++) {
		if (strcmp(table[i].name, name) == 0) {
			*ret_i = i;
			return &table[i];
		}
	}
	return NULL;
}

static size_t param_names(const struct param *table, const char **ret, size_t count)
{
	for (; table->name && count < NAMES_MAX; table++)
		ret[count++] = table->name;
	return count;
}

static int unknown(const char *what, const char *of, const char *word,
	const char *const *names, size_t count, struct err *err)
{
	const int near = nearest(word, names, count);

	if (near >= 0)
		return err_set(err, -EINVAL, "unknown %s '%s'%s: did you mean '%s'?", what,
			word, of, names[near]);
	return err_set(err, -EINVAL, "unknown %s '%s'%s: 'shootdown list' shows all", what,
		word, of);
}

static const struct workload *find_workload(const char *name, struct err *err)
{
	const char *names[NAMES_MAX];
	size_t count = 0;

	for (; count < NAMES_MAX && workloads[count]; count++) {
		names[count] = workloads[count]->name;
		if (strcmp(names[count], name) == 0)
			return workloads[count];
	}
	unknown("workload", "", name, names, count, err);
	return NULL;
}

/* 0, or -EINVAL; *ret_end is where the digits stop. */
static int parse_digits(const char *text, uint64_t *ret, const char **ret_end)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	*ret_end = end;
	return errno ? -EINVAL : 0;
}

static int parse_bytes(const char *text, uint64_t *ret)
{
	static const char suffixes[] = "KMGT";
	const char *end, *suffix;
	uint64_t value;
	unsigned int shift;

	if (parse_digits(text, &value, &end) < 0)
		return -EINVAL;
	if (*end) {
		suffix = strchr(suffixes, toupper((unsigned char)*end));
		if (!suffix || end[1])
			return -EINVAL;
		shift = 10 * (unsigned int)(suffix - suffixes + 1);
		if (value > UINT64_MAX >> shift)
			return -EINVAL;
		value <<= shift;
	}
	*ret = value;
	return 0;
}

static int parse_count(const char *text, uint64_t *ret)
{
	const char *end;

	return parse_digits(text, ret, &end) < 0 || *end ? -EINVAL : 0;
}

static int set_number(const struct slot *slot, const char *text,
	const struct spec_machine *machine, struct err *err)
{
	const struct param *p = slot->param;
	const bool bytes = p->type == PARAM_BYTES;
	uint64_t value;

	if ((bytes ? parse_bytes(text, &value) : parse_count(text, &value)) < 0)
		return err_set(err, -EINVAL, "%s=%s is no number: give %s", p->name, text,
			bytes ? "bytes, as 1048576, 1024K or 1M" : "a whole number");
	if (value < p->min || value > p->max)
		return err_set(err, -EINVAL, "%s=%s is out of range: give %llu to %llu",
			p->name, text, (unsigned long long)p->min,
			(unsigned long long)p->max);
	if (bytes && value % machine->page_bytes)
		return err_set(err, -EINVAL,
			"%s=%s is not a multiple of the page: give %llu or %llu", p->name,
			text, (unsigned long long)(value - value % machine->page_bytes),
			(unsigned long long)(value - value % machine->page_bytes +
					     machine->page_bytes));
	*slot->value = value;
	return 0;
}

static int set_choice(const struct slot *slot, const char *text, struct err *err)
{
	size_t count = 0;
	char of[64];

	for (; slot->param->choices[count]; count++) {
		if (strcmp(slot->param->choices[count], text) == 0) {
			*slot->value = count;
			return 0;
		}
	}
	snprintf(of, sizeof(of), " of %s", slot->param->name);
	return unknown("value", of, text, slot->param->choices, count, err);
}

static int set_threads(const struct slot *slot, const char *text,
	const struct spec_machine *machine, struct err *err)
{
	const uint64_t others = machine->cpus.count - 1;
	uint64_t value = others;

	if (strcmp(text, "max") != 0 && parse_count(text, &value) < 0)
		return err_set(err, -EINVAL, "%s=%s is no number: give 0 to %llu, or max",
			slot->param->name, text, (unsigned long long)others);
	if (value > others)
		return err_set(err, -ENODEV,
			"%s=%s is more than the other CPUs of this machine: give 0 to %llu, or max",
			slot->param->name, text, (unsigned long long)others);
	*slot->value = value;
	return 0;
}

static int set_cpu(const struct slot *slot, const char *text,
	const struct spec_machine *machine, struct err *err)
{
	uint64_t value = (uint64_t)machine->cpus.ids[machine->cpus.count - 1];
	char *online;

	if (strcmp(text, "auto") != 0 && parse_count(text, &value) < 0)
		return err_set(err, -EINVAL, "%s=%s is no CPU: give its number, or auto",
			slot->param->name, text);
	if (value > INT32_MAX || cpulist_index(&machine->cpus, (int)value) < 0) {
		online = cpulist_format(&machine->cpus);
		err_set(err, -ENODEV,
			"CPU %s is offline or not allowed to this process: give one of %s",
			text, online);
		free(online);
		return -ENODEV;
	}
	*slot->value = value;
	return 0;
}

/* Whether the machine has that node is for the workload to say, which skips. */
static int set_node(const struct slot *slot, const char *text, struct err *err)
{
	uint64_t value = BENCH_NODE_AUTO;

	if (strcmp(text, "auto") != 0 &&
		(parse_count(text, &value) < 0 || value >= BENCH_NODES_MAX))
		return err_set(err, -EINVAL, "%s=%s is no node: give its number, or auto",
			slot->param->name, text);
	*slot->value = value;
	return 0;
}

/* Whether there are such files is for the workload to say. */
static int set_files(const struct slot *slot, const char *text)
{
	char *before = *slot->text;

	*slot->text = mem_text(text);
	/* The analyzer takes another slot's value for this one's text. */
	free(before); /* NOLINT(clang-analyzer-unix.Malloc) */
	return 0;
}

static int set_value(const struct slot *slot, const char *text,
	const struct spec_machine *machine, struct err *err)
{
	switch (slot->param->type) {
	case PARAM_CHOICE:
		return set_choice(slot, text, err);
	case PARAM_THREADS:
		return set_threads(slot, text, machine, err);
	case PARAM_CPU:
		return set_cpu(slot, text, machine, err);
	case PARAM_NODE:
		return set_node(slot, text, err);
	case PARAM_FILES:
		return set_files(slot, text);
	case PARAM_COUNT:
	case PARAM_BYTES:
		break;
	}
	return set_number(slot, text, machine, err);
}

/* The values under construction, common ones last. */
struct draft {
	const struct workload *workload;
	uint64_t *values;
	char **texts;
	uint64_t common[2];
	char *common_text; /* of none of these */
	const struct spec_machine *machine;
};

static int set_defaults(struct draft *d, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; d->workload->params[i].name && ret == 0; i++)
		ret = set_value(&(struct slot){ &d->workload->params[i], &d->values[i],
					&d->texts[i] },
			d->workload->params[i].preset, d->machine, err);
	for (size_t i = 0; spec_common_params[i].name && ret == 0; i++)
		ret = set_value(&(struct slot){ &spec_common_params[i], &d->common[i],
					&d->common_text },
			spec_common_params[i].preset, d->machine, err);
	return ret;
}

static int set_pair(struct draft *d, char *pair, struct err *err)
{
	const char *names[NAMES_MAX];
	struct slot slot;
	char *equals = strchr(pair, '=');
	size_t i, count;
	char of[64];

	if (!equals || equals == pair || !equals[1])
		return err_set(err, -EINVAL, "'%s': give parameters of %s as key=value",
			pair, d->workload->name);
	*equals = '\0';
	slot.param = find_param(d->workload->params, pair, &i);
	if (slot.param) {
		slot.value = &d->values[i];
		slot.text = &d->texts[i];
		return set_value(&slot, equals + 1, d->machine, err);
	}
	slot.param = find_param(spec_common_params, pair, &i);
	if (slot.param) {
		slot.value = &d->common[i];
		slot.text = &d->common_text;
		return set_value(&slot, equals + 1, d->machine, err);
	}
	count = param_names(d->workload->params, names, 0);
	count = param_names(spec_common_params, names, count);
	snprintf(of, sizeof(of), " of %s", d->workload->name);
	return unknown("parameter", of, pair, names, count, err);
}

static size_t count_params(const struct workload *w)
{
	size_t n = 0;

	while (w->params[n].name)
		n++;
	return n;
}

static int fill_draft(struct draft *d, char *pairs, struct err *err)
{
	char *rest = NULL;
	int ret = set_defaults(d, err);

	for (char *pair = pairs ? strtok_r(pairs, ",", &rest) : NULL; pair && ret == 0;
		pair = strtok_r(NULL, ",", &rest))
		ret = set_pair(d, pair, err);
	return ret;
}

int spec_parse(const char *text, const struct spec_machine *machine, struct spec *ret,
	struct err *err)
{
	struct draft d = { .machine = machine };
	char *copy = mem_text(text), *colon = strchr(copy, ':');
	struct spec made;
	int status = -EINVAL;

	if (colon)
		*colon++ = '\0';
	d.workload = find_workload(copy, err);
	if (d.workload) {
		d.values = mem_zeroed(count_params(d.workload), sizeof(*d.values));
		d.texts = mem_zeroed(count_params(d.workload), sizeof(*d.texts));
		status = fill_draft(&d, colon, err);
	}
	free(copy);
	made = (struct spec){
		.workload = d.workload,
		.values = d.values,
		.texts = d.texts,
		.iterations = d.common[COMMON_ITERATIONS],
		.cpu = (int)d.common[COMMON_CPU],
	};
	if (status < 0)
		spec_clear(&made);
	else
		*ret = made;
	return status;
}

void spec_clear(struct spec *spec)
{
	for (size_t i = 0; spec->workload && i < count_params(spec->workload); i++)
		free(spec->texts[i]);
	free(spec->texts);
	free(spec->values);
	*spec = (struct spec){ 0 };
}
