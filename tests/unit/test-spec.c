// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "measure/run.h"
#include "measure/spec.h"

static int ids[] = { 0, 2, 5 };
static const struct spec_machine machine = {
	.page_bytes = 4096,
	.cpus = { .ids = ids, .count = 3 },
};

static uint64_t value_of(const struct spec *spec, const char *name)
{
	for (size_t i = 0; spec->workload->params[i].name; i++)
		if (strcmp(spec->workload->params[i].name, name) == 0)
			return spec->values[i];
	cr_assert_fail("no parameter %s", name);
	return 0;
}

Test(spec, defaults)
{
	struct spec spec;

	cr_assert_eq(spec_parse("swap", &machine, &spec, NULL), 0);
	cr_assert_str_eq(spec.workload->name, "swap");
	cr_assert_eq(value_of(&spec, "size"), 1 << 20);
	cr_assert_eq(value_of(&spec, "threads"), 0);
	cr_assert_eq(value_of(&spec, "touch"), 0);
	cr_assert_eq(spec.iterations, 0);
	cr_assert_eq(spec.cpu, 5, "auto is the last CPU");
	spec_clear(&spec);
}

Test(spec, every_default_is_a_valid_value)
{
	for (size_t i = 0; workloads[i]; i++) {
		struct spec spec;
		struct err err = { "" };

		cr_assert_eq(spec_parse(workloads[i]->name, &machine, &spec, &err), 0,
			"%s: %s", workloads[i]->name, err.text);
		spec_clear(&spec);
	}
}

Test(spec, workloads_are_sorted)
{
	for (size_t i = 0; workloads[i] && workloads[i + 1]; i++)
		cr_assert_lt(strcmp(workloads[i]->name, workloads[i + 1]->name), 0);
}

Test(spec, values)
{
	static const struct {
		const char *text, *name;
		uint64_t value;
	} table[] = {
		{ "swap:size=8192", "size", 8192 },
		{ "swap:size=8K", "size", 8192 },
		{ "swap:size=2m", "size", 2 << 20 },
		{ "swap:size=1G", "size", 1 << 30 },
		{ "swap:threads=max", "threads", 2 },
		{ "swap:threads=1", "threads", 1 },
		{ "swap:touch=write", "touch", 1 },
		{ "swap:threads=2,mapping=private", "mapping", 1 },
		{ "swap:size=8K,size=16K", "size", 16384 },
		{ "migrate", "from", BENCH_NODE_AUTO },
		{ "migrate:to=auto", "to", BENCH_NODE_AUTO },
		{ "migrate:to=1023", "to", 1023 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct spec spec;
		struct err err = { "" };

		cr_assert_eq(spec_parse(table[i].text, &machine, &spec, &err), 0, "%s: %s",
			table[i].text, err.text);
		cr_assert_eq(value_of(&spec, table[i].name), table[i].value, "%s",
			table[i].text);
		spec_clear(&spec);
	}
}

Test(spec, common_parameters)
{
	struct spec spec;

	cr_assert_eq(spec_parse("null:iterations=7,cpu=2", &machine, &spec, NULL), 0);
	cr_assert_eq(spec.iterations, 7);
	cr_assert_eq(spec.cpu, 2);
	spec_clear(&spec);
}

Test(spec, refusals)
{
	static const struct {
		const char *text;
		int code;
		const char *says;
	} table[] = {
		{ "swp", -EINVAL, "unknown workload 'swp': did you mean 'swap'?" },
		{ "dontned", -EINVAL, "did you mean 'dontneed'?" },
		{ "", -EINVAL, "unknown workload ''" },
		{ "completely-else", -EINVAL, "'shootdown list' shows all" },
		{ "swap:thread=1", -EINVAL,
			"unknown parameter 'thread' of swap: did you mean "
			"'threads'?" },
		{ "swap:iteration=1", -EINVAL, "did you mean 'iterations'?" },
		{ "swap:touch=wirte", -EINVAL, "did you mean 'write'?" },
		{ "swap:size", -EINVAL, "key=value" },
		{ "swap:size=", -EINVAL, "key=value" },
		{ "swap:=4", -EINVAL, "key=value" },
		{ "swap:size=big", -EINVAL, "is no number" },
		{ "swap:size=-4096", -EINVAL, "is no number" },
		{ "swap:size=4Kb", -EINVAL, "is no number" },
		{ "swap:size=99999999999999999999", -EINVAL, "is no number" },
		{ "swap:size=99999999999T", -EINVAL, "is no number" },
		{ "swap:size=0", -EINVAL, "out of range" },
		{ "swap:size=2T", -EINVAL, "out of range" },
		{ "swap:size=6000", -EINVAL, "give 4096 or 8192" },
		{ "swap:threads=x", -EINVAL, "is no number" },
		{ "swap:threads=3", -ENODEV, "give 0 to 2, or max" },
		{ "swap:cpu=x", -EINVAL, "is no CPU" },
		{ "swap:cpu=1", -ENODEV, "give one of 0,2,5" },
		{ "swap:cpu=99999999999", -ENODEV, "give one of 0,2,5" },
		{ "null:iterations=1x", -EINVAL, "is no number" },
		{ "migrate:batch=513", -EINVAL, "give 0 to 512" },
		{ "migrate:to=x", -EINVAL, "is no node: give its number, or auto" },
		{ "migrate:to=1024", -EINVAL, "is no node" },
		{ "migrate:to=-1", -EINVAL, "is no node" },
		{ "reclaim:processes=0", -EINVAL, "give 1 to 256" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct spec spec = { 0 };
		struct err err = { "" };

		cr_assert_eq(spec_parse(table[i].text, &machine, &spec, &err),
			table[i].code, "%s", table[i].text);
		cr_assert(
			strstr(err.text, table[i].says), "%s: %s", table[i].text, err.text);
		cr_assert_null(spec.values, "an output was touched");
	}
}

Test(spec, format_gives_back_what_was_typed)
{
	static const char *const table[] = { "swap", "swap:size=4M,threads=1",
		"null:iterations=9", "swap:touch=write,mapping=private",
		"migrate:batch=8,to=3",
		"readers:tokens=3,model=/a.gguf:b/c.gguf,limit=8M" };

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct spec spec;
		char *text;

		cr_assert_eq(spec_parse(table[i], &machine, &spec, NULL), 0);
		text = spec_format(&spec);
		cr_assert_str_eq(text, table[i]);
		free(text);
		spec_clear(&spec);
	}
}

/* The last one counts, as with numbers, and the one before is not kept. */
Test(spec, files_are_kept_as_text)
{
	struct spec spec;

	cr_assert_eq(spec_parse("readers:model=a,model=b:c", &machine, &spec, NULL), 0);
	for (size_t i = 0; spec.workload->params[i].name; i++) {
		const struct param *p = &spec.workload->params[i];

		if (p->type == PARAM_FILES)
			cr_assert_str_eq(spec.texts[i], "b:c");
		else
			cr_assert_null(spec.texts[i], "%s", p->name);
	}
	spec_clear(&spec);
}

/* A limit is set by a cgroup; without one none is made. */
Test(spec, needs_depend_on_parameters)
{
	static const struct {
		const char *text;
		unsigned int needs;
		uint64_t disk;
	} table[] = {
		{ "readers:size=1M,processes=3", NEED_COLD | NEED_CGROUP, 6 << 20 },
		{ "readers:limit=0,model=a", NEED_COLD, 0 },
		{ "migrate:kind=file,size=8K", 0, 8192 },
		{ "migrate", 0, 0 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct spec spec;

		cr_assert_eq(spec_parse(table[i].text, &machine, &spec, NULL), 0);
		cr_assert_eq(run_needs(&spec), table[i].needs, "%s", table[i].text);
		cr_assert_eq(run_disk(&spec, 4096), table[i].disk, "%s", table[i].text);
		spec_clear(&spec);
	}
}

Test(nearest, table)
{
	static const char *const names[] = { "swap", "dontneed", "null" };
	static const struct {
		const char *word;
		int index;
	} table[] = {
		{ "swap", 0 },
		{ "sawp", 0 },
		{ "wap", 0 },
		{ "dontneeed", 1 },
		{ "dont-need", 1 },
		{ "nul", 2 },
		{ "xyz", -1 },
		{ "", -1 },
		{ "a-word-that-is-much-too-long-for-the-table-of-distances-that-is-kept",
			-1 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		cr_assert_eq(nearest(table[i].word, names, 3), table[i].index, "%s",
			table[i].word);
}
