// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each parser of /proc and /sys over all recorded files of its kind. The facts
 * were counted apart from the parsers. A recorded file that no table knows is
 * a failure: it has to be looked at, and given its facts.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "measure/cpuinfo.h"
#include "measure/cpulist.h"
#include "measure/interrupts.h"
#include "measure/swaps.h"
#include "measure/vmstat.h"
#include "recorded-facts.h"
#include "recorded.h"

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static void expect_refusal(const char *file, int r, const struct err *err, const char *part)
{
	cr_expect_eq(r, -EINVAL, "%s: taken, or %d", file, r);
	cr_expect(
		strstr(err->text, part), "%s: \"%s\" lacks \"%s\"", file, err->text, part);
	cr_expect_null(strchr(err->text, '\n'), "%s: more than a line", file);
}

static void check_row(const struct interrupts_facts *f, const struct interrupts *in)
{
	const struct interrupt_row *row = NULL;
	uint64_t sum = 0;

	for (size_t i = 0; i < in->n_rows; i++)
		if (strcmp(in->rows[i].label, f->label) == 0)
			row = &in->rows[i];
	cr_assert(row, "%s: no row %s", f->file, f->label);
	cr_assert_eq(row->n_counts, f->n_cpus, "%s: %s: %zu counts", f->file, f->label,
		row->n_counts);
	for (size_t i = 0; i < row->n_counts; i++)
		sum += row->counts[i];
	cr_expect_eq(sum, f->sum, "%s: sum %lu", f->file, sum);
	cr_expect_eq(row->counts[f->n_cpus - 1], f->last, "%s: last %lu", f->file,
		row->counts[f->n_cpus - 1]);
}

static int parse_recorded(const char *file, struct interrupts *in, struct err *err)
{
	char *text = recorded_text(recorded_or_skip(), file);
	int r = interrupts_parse(text, in, err);

	free(text);
	return r;
}

Test(recorded, interrupts)
{
	struct interrupts in;
	struct err err;

	for (size_t i = 0; i < COUNT(interrupts_facts); i++) {
		const struct interrupts_facts *f = &interrupts_facts[i];

		cr_assert_eq(
			parse_recorded(f->file, &in, &err), 0, "%s: %s", f->file, err.text);
		cr_assert_eq(in.n_cpus, f->n_cpus, "%s: %zu CPUs", f->file, in.n_cpus);
		cr_expect_eq(in.cpus[f->n_cpus - 1], f->last_cpu, "%s", f->file);
		cr_expect_eq(in.n_rows, f->n_rows, "%s: %zu rows", f->file, in.n_rows);
		cr_expect_eq(in.n_refused, f->n_refused, "%s: %zu", f->file, in.n_refused);
		check_row(f, &in);
		interrupts_clear(&in);
	}
	for (size_t i = 0; i < COUNT(interrupts_refused); i++) {
		const char *file = interrupts_refused[i].file;

		expect_refusal(file, parse_recorded(file, &in, &err), &err,
			interrupts_refused[i].refusal);
	}
}

static void expect_counter(
	const char *file, const struct vmstat *v, const char *name, uint64_t value)
{
	uint64_t found = ABSENT;
	int r = vmstat_find(v, name, &found);

	cr_expect_eq(r, value == ABSENT ? -ENODATA : 0, "%s: %s: %d", file, name, r);
	cr_expect_eq(found, value, "%s: %s: %lu", file, name, found);
}

Test(recorded, vmstat)
{
	const char *dir = recorded_or_skip();

	for (size_t i = 0; i < COUNT(vmstat_facts); i++) {
		const struct vmstat_facts *f = &vmstat_facts[i];
		struct vmstat v = { 0 };
		struct err err = { "" };
		char *text = recorded_text(dir, f->file);

		cr_assert_eq(vmstat_parse(text, &v, &err), 0, "%s: %s", f->file, err.text);
		free(text);
		cr_expect_eq(v.count, f->count, "%s: %zu", f->file, v.count);
		expect_counter(f->file, &v, "pswpout", f->pswpout);
		expect_counter(f->file, &v, "nr_tlb_remote_flush", f->remote_flush);
		expect_counter(f->file, &v, "pgmigrate_fail", f->migrate_fail);
		vmstat_clear(&v);
	}
}

Test(recorded, swaps)
{
	const char *dir = recorded_or_skip();

	for (size_t i = 0; i < COUNT(swaps_facts); i++) {
		const struct swaps_facts *f = &swaps_facts[i];
		struct swaps s = { 0 };
		struct err err = { "" };
		char *text = recorded_text(dir, f->file);
		int r = swaps_parse(text, &s, &err);

		free(text);
		if (f->refusal) {
			expect_refusal(f->file, r, &err, f->refusal);
			continue;
		}
		cr_assert_eq(r, 0, "%s: %s", f->file, err.text);
		cr_assert_eq(s.count, f->count, "%s: %zu", f->file, s.count);
		if (s.count > 0) {
			const struct swap_area *last = &s.areas[s.count - 1];

			cr_expect_str_eq(last->path, f->last_path);
			cr_expect_str_eq(last->type, f->type);
			cr_expect_eq(last->size_bytes, f->size_kib * 1024, "%s", f->file);
			cr_expect_eq(last->used_bytes, f->used_kib * 1024, "%s", f->file);
			cr_expect_eq(last->priority, f->priority, "%s", f->file);
		}
		swaps_clear(&s);
	}
}

Test(recorded, cpuinfo)
{
	const char *dir = recorded_or_skip();

	for (size_t i = 0; i < COUNT(cpuinfo_facts); i++) {
		const struct cpuinfo_facts *f = &cpuinfo_facts[i];
		struct cpuinfo c = { 0 };
		struct err err = { "" };
		char *text = recorded_text(dir, f->file);

		cr_assert_eq(cpuinfo_parse(text, &c, &err), 0, "%s: %s", f->file, err.text);
		free(text);
		cr_expect_eq(c.n_cpus, f->n_cpus, "%s: %d", f->file, c.n_cpus);
		cr_expect_str_eq(c.model, f->model, "%s: %s", f->file, c.model);
		cr_expect_str_eq(c.stepping, f->stepping, "%s: %s", f->file, c.stepping);
		cr_expect_str_eq(c.microcode, f->microcode, "%s: %s", f->file, c.microcode);
		cpuinfo_clear(&c);
	}
}

/* "/sys/devices/system/cpu/online", "/sys/devices/system/node/has_cpu", ".../cpulist" */
static bool names_a_list(const char *path)
{
	static const char *const names[] = { "cpulist", "online", "offline", "possible",
		"present" };
	const char *name = strrchr(path, '/') + 1;

	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "has_", 4) == 0;
}

/* The file is "path:content" lines; checks each list and counts them. */
static size_t check_lists(const struct sysfs_facts *f, char *text)
{
	size_t n_lists = 0;
	char *line, *content, *again;
	struct cpulist list;

	while ((line = strsep(&text, "\n"))) {
		content = strchr(line, ':');
		if (!content)
			continue;
		*content++ = '\0';
		if (!names_a_list(line))
			continue;
		n_lists++;
		cr_assert_eq(cpulist_parse(content, &list), 0, "%s: %s", f->file, content);
		again = cpulist_format(&list);
		cr_expect_str_eq(again, content, "%s: %s", f->file, again);
		if (strcmp(line, "/sys/devices/system/cpu/online") == 0)
			cr_expect_eq(
				list.count, f->n_online, "%s: %zu", f->file, list.count);
		free(again);
		cpulist_clear(&list);
	}
	return n_lists;
}

Test(recorded, sysfs_lists)
{
	const char *dir = recorded_or_skip();

	for (size_t i = 0; i < COUNT(sysfs_facts); i++) {
		char *text = recorded_text(dir, sysfs_facts[i].file);
		size_t n = check_lists(&sysfs_facts[i], text);

		cr_expect_eq(n, sysfs_facts[i].n_lists, "%s: %zu", sysfs_facts[i].file, n);
		free(text);
	}
}

/* The tables begin each row with the file's name. */
#define FIND(table, name)                                                                  \
	for (size_t i_ = 0; i_ < COUNT(table); i_++)                                       \
		if (strcmp((table)[i_].file, (name)) == 0)                                 \
			return true;

static bool has_facts(const char *file)
{
	FIND(interrupts_facts, file);
	FIND(interrupts_refused, file);
	FIND(vmstat_facts, file);
	FIND(swaps_facts, file);
	FIND(cpuinfo_facts, file);
	FIND(sysfs_facts, file);
	return false;
}

static bool is_parsed(const char *kind)
{
	static const char *const kinds[] = { "interrupts", "vmstat", "swaps", "cpuinfo",
		"sysfs-lists" };

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (strcmp(kind, kinds[i]) == 0)
			return true;
	return false;
}

/* The kind that INDEX.tsv gives to a file, freed by the caller; NULL: none. */
static char *kind_of(const char *index, const char *file)
{
	size_t length = strlen(file);

	while (*index) {
		size_t line = strcspn(index, "\n");

		if (strncmp(index, file, length) == 0 && index[length] == '\t') {
			const char *kind = index + length + 1;

			return strndup(kind, strcspn(kind, "\t\n"));
		}
		index += line + (index[line] == '\n');
	}
	return NULL;
}

Test(recorded, every_file_has_its_facts)
{
	const char *dir = recorded_or_skip();
	char *index = recorded_text(dir, "INDEX.tsv");
	DIR *d = opendir(dir);
	struct dirent *e;

	cr_assert(d);
	while ((e = readdir(d))) {
		char *kind;

		if (!strstr(e->d_name, ".txt"))
			continue;
		kind = kind_of(index, e->d_name);
		cr_expect(kind, "%s: not in INDEX.tsv", e->d_name);
		if (kind && is_parsed(kind))
			cr_expect(has_facts(e->d_name), "%s: no facts in %s", e->d_name,
				__FILE__);
		free(kind);
	}
	closedir(d);
	free(index);
}
