// SPDX-License-Identifier: GPL-2.0-or-later
/* results/published: every figure, and how they are laid beside others. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "sample-arms.h"
#include "verdicts/published.h"

/* As published: in seconds, per cent, milliseconds, interrupts. NAN: no number. */
static const struct figure {
	const char *file, *workload, *metric;
	double base, cand;
	double units;  /* that base and cand are divided by, in units of 1e-9 */
	double change; /* in per cent, to the digit that was published; NAN: not said */
} figures[] = {
#define PAGES_4K 2560000e-9
#define PAGES_64K 1600000e-9
	{ "arm64-snapdragon-888", "swap", "ns_per_page", 14.69, 13.80, PAGES_4K, -6.1 },
	{ "arm64-snapdragon-888", "swap", "system_ns_per_page", 14.34, 13.45, PAGES_4K,
		-6.2 },
	{ "arm64-snapdragon-888", "swap", "share:ptep_clear_flush", 5.36, 0, 1, NAN },
	{ "arm64-snapdragon-888", "swap", "share_of_ptep_clear_flush:final_dsb", 95, NAN, 1,
		NAN },
	{ "arm64-kunpeng-920", "swap", "ns_per_page", 13.460, 11.771, PAGES_4K, -12.5 },
	{ "arm64-kunpeng-920", "swap", "system_ns_per_page", 12.039, 11.458, PAGES_4K,
		-4.8 },
	{ "arm64-kunpeng-920", "swap", "share:ptep_clear_flush", 16.99, 0, 1, NAN },
	{ "arm64-two-nodes", "migrate", "ns_per_page", NAN, NAN, 1, NAN },
	{ "x86-batched-unmap", "tlb shootdown", "performance", 100, 190, 1, 90 },
	{ "arm64-review", "swap", "ns_per_page", NAN, NAN, 1, NAN },
	{ "arm64-review", "switch", "batched_unmap_tlb_flush", NAN, NAN, 1, NAN },
	{ "x86-xeon-gold-6430-luf", "llama.cpp", "total_time", 882132.93, 842526.47, 1,
		-4.5 },
	{ "x86-xeon-gold-6430-luf", "llama.cpp", "tlb_shootdowns", 7859322631, 219066035, 1,
		-97.2 },
	{ "ppc64le-power-radix", "swap", "ns_per_page", 23.538, 8.593, PAGES_64K, -63.5 },
	{ "ppc64le-power-radix", "swap", "system_ns_per_page", 5.270, 1.610, PAGES_64K,
		-69.4 },
	{ "ppc64le-power-radix", "swap", "share:radix__flush_tlb_page_psize", 7.19, 0, 1,
		NAN },
};

enum { N_FIGURES = sizeof(figures) / sizeof(*figures) };

static struct record *load(const char *file)
{
	char *name = mem_format("results/published/%s.json", file), *path;
	struct record *r = NULL;
	struct err err = { "" };

	cr_assert_eq(data_path(name, &path), 0, "%s", name);
	cr_assert_eq(published_load(path, &r, &err), 0, "%s", err.text);
	free(path);
	free(name);
	return r;
}

/* NAN: the file has no number for it. */
static double value_of(const struct record *r, const struct figure *f, const char *arm)
{
	struct compare_value v = { 0 };

	for (size_t i = 0; i < r->n_runs; i++) {
		const struct run *run = &r->runs[i];
		const struct metric *m = run_find_metric(run, f->metric);

		if (strcmp(run->workload, f->workload) != 0 ||
			strcmp(fields_find(&run->params, "arm")->text, arm) != 0)
			continue;
		if (!m)
			return NAN;
		cr_assert_eq(compare_value_of(run, m, &v), 0);
		compare_value_clear(&v);
		return v.known ? v.value : NAN;
	}
	cr_expect_fail("%s: no %s of %s", f->file, arm, f->workload);
	return NAN;
}

static void expect_value(const struct figure *f, double found, double published)
{
	double wanted = published / f->units;

	if (isnan(wanted))
		cr_expect(isnan(found), "%s %s: %g", f->file, f->metric, found);
	else
		cr_expect_float_eq(found, wanted, 1e-9 * wanted + 1e-12, "%s %s: %.12g",
			f->file, f->metric, found);
}

Test(published, every_figure)
{
	for (size_t i = 0; i < N_FIGURES; i++) {
		const struct figure *f = &figures[i];
		struct record *r = load(f->file);
		double base = value_of(r, f, "base"), cand = value_of(r, f, "cand");

		expect_value(f, base, f->base);
		expect_value(f, cand, f->cand);
		if (!isnan(f->change))
			cr_expect_float_eq(100 * (cand / base - 1), f->change, 0.0501,
				"%s %s: %g", f->file, f->metric, 100 * (cand / base - 1));
		record_free(r);
	}
}

Test(published, no_other_figure)
{
	char *folder;
	DIR *dir;
	struct dirent *entry;
	size_t n = 0;

	cr_assert_eq(data_path("results/published", &folder), 0);
	dir = opendir(folder);
	cr_assert_not_null(dir);
	while ((entry = readdir(dir))) {
		struct record *r;

		if (entry->d_name[0] == '.')
			continue;
		*strrchr(entry->d_name, '.') = '\0';
		r = load(entry->d_name);
		for (size_t i = 0; i < r->n_runs; i++)
			if (strcmp(fields_find(&r->runs[i].params, "arm")->text, "base") ==
				0)
				n += r->runs[i].n_metrics;
		record_free(r);
	}
	closedir(dir);
	free(folder);
	cr_expect_eq(n, N_FIGURES, "%zu", n);
}

/* A machine's own ratio, with 6 boots, and another size. */
static struct record *own(double level)
{
	static const double wave[] = { 1.000, 0.996, 1.005, 0.998, 1.003, 0.995 };
	struct record *r = record_new();
	struct run *run = arm_run(r, "swap", 6, 1, 1);
	double values[6];

	r->complete = true;
	fields_set_text(&r->identity, "arch", "aarch64");
	fields_set_text(&r->identity, "cpu_model", "Altra\x1b");
	fields_set_number(&run->params, "size", 16 << 20);
	for (size_t i = 0; i < 6; i++)
		values[i] = level * wave[level > 5000 ? i : 5 - i];
	arm_metric(run, "ns_per_page", "ns/page", KIND_SAMPLE, values);
	return r;
}

Test(published, beside_a_comparison)
{
	static const char *const parts[] = { "Published: arm64: support batched",
		"\n  arch: aarch64; here: aarch64 (the same)\n",
		"\n  cpu_model: Snapdragon 888; here: Altra?\n",
		"\n  swap: zram; here: not recorded\n", " 5738 ", " 0.9394 ", " 0.8",
		"- improvement", "size=1M (here 16M)", "diff -5.360", "not measured here" };
	struct record *base = own(6000), *cand = own(4900),
		      *r = load("arm64-snapdragon-888");
	const struct published p = { r, base, cand };
	struct comparison *c;
	char *text;

	cr_assert_eq(compare_records(base, cand, &(struct compare_options){ 0 }, &c), 0);
	cr_assert_eq(published_text(c, &p, 0, &text), 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		cr_expect_not_null(
			strstr(text, parts[i]), "\"%s\" is not in\n%s", parts[i], text);
	free(text);
	comparison_free(c);
	record_free(r);
	record_free(base);
	record_free(cand);
}

Test(published, another_result_is_refused)
{
	char *path;
	struct record *r = NULL;
	struct err err = { "" };

	cr_assert_eq(data_path("tests/fixtures/results/every-key.json", &path), 0);
	cr_expect_eq(published_load(path, &r, &err), -EINVAL);
	cr_expect_null(r);
	cr_expect_not_null(strstr(err.text, "not of published figures"));
	free(path);
}
