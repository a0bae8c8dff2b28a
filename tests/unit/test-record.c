// SPDX-License-Identifier: GPL-2.0-or-later
/* Records in memory, and through a file and back. */
#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "sample-record.h"

static char dir[] = "/tmp/test-record-XXXXXX";
static char path[64];

static void make_dir(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.json", dir);
}

static void remove_dir(void)
{
	unlink(path);
	rmdir(dir);
}

TestSuite(record, .init = make_dir, .fini = remove_dir);

Test(record, fields_keep_their_order_and_replace)
{
	struct fields f = { 0 };

	fields_set_text(&f, "b", "x");
	fields_set_number(&f, "a", 7);
	fields_set_text(&f, "b", fields_find(&f, "b")->text);
	fields_set_number(&f, "b", INT64_MIN);
	cr_expect_eq(f.count, 2);
	cr_expect_str_eq(f.items[0].name, "b");
	cr_expect_null(f.items[0].text);
	cr_expect_eq(f.items[0].number, INT64_MIN);
	cr_expect_null(fields_find(&f, "c"));
	fields_clear(&f);
	cr_expect_eq(f.count, 0);
}

Test(record, value_scales_and_divides)
{
	struct record *r = record_new();
	struct run *run = sample_run(r, "swap", 2);
	struct metric *m = sample_metric(run, "m", 500, 500);

	cr_expect_float_eq(record_value(run, m, 0), 5, 1e-12);
	m->per_unit = false;
	cr_expect_float_eq(record_value(run, m, 0), 500, 1e-12);
	m->enabled_ns = mem_zeroed(2, sizeof(uint64_t));
	m->running_ns = mem_zeroed(2, sizeof(uint64_t));
	m->enabled_ns[0] = 30;
	m->running_ns[0] = 10;
	cr_expect_float_eq(record_value(run, m, 0), 1500, 1e-12);
	cr_expect(isnan(record_value(run, m, 1)), "a counter that never ran has no value");
	m->per_unit = true;
	run->work[0] = 0;
	cr_expect(isnan(record_value(run, m, 0)), "nothing done, nothing per unit");
	record_free(r);
}

/* Every member with a value of its own, extremes included. */
static struct record *full_record(void)
{
	struct record *r = record_new();
	struct run *run;
	struct metric *m;

	r->complete = true;
	fields_set_text(&r->identity, "cpu_model", "A \"quoted\" \\ model\n\x1b[31m");
	fields_set_number(&r->identity, "memory_bytes", INT64_MAX);
	fields_set_text(&r->subject, "cmdline", "latin1=\xe9");
	fields_set_number(&r->state, "load_milli", INT64_MIN);
	run = sample_run(r, "swap", 2);
	fields_set_number(&run->params, "size", 1048576);
	fields_set_text(&run->params, "touch", "read");
	run->places[0] = (struct place){ 1, 2, 3, UINT32_MAX, true };
	run->work[1] = INT64_MAX;
	m = sample_metric(run, "cycles:u_per_page", 0, 7);
	m->values[0].integer = INT64_MAX;
	m->enabled_ns = mem_zeroed(2, sizeof(uint64_t));
	m->running_ns = mem_zeroed(2, sizeof(uint64_t));
	m->enabled_ns[1] = 9;
	m->by_cpu = mem_zeroed(1, sizeof(*m->by_cpu));
	m->by_cpu->n_cpus = 2;
	m->by_cpu->cpus = mem_zeroed(2, sizeof(int));
	m->by_cpu->cpus[1] = 9;
	m->by_cpu->nodes = mem_zeroed(2, sizeof(int));
	m->by_cpu->nodes[1] = 1;
	m->by_cpu->values = mem_zeroed(4, sizeof(int64_t));
	m->by_cpu->values[3] = -5;
	m = sample_metric(run, "share:x", 0, 0);
	m->kind = KIND_SHARE;
	m->better = BETTER_NONE;
	m->emulated = true;
	m->per_unit = false;
	m->values[0] = (struct number){ .is_real = true, .real = 0.1 };
	m->values[1] = (struct number){ .is_real = true, .real = 3 };
	m = run_add_metric(run, "gone", "1", "perf", BETTER_HIGHER, KIND_EXACT);
	m->unavailable = mem_text("no PMU");
	run = sample_run(r, "migrate", 0);
	run->status = RUN_SKIPPED;
	run->reason = mem_text("one node");
	run->fix = mem_text("numa=fake=2");
	return r;
}

Test(record, comes_back_as_it_was)
{
	struct record *r = full_record(), *back = NULL;
	struct err err = { .text = "" };
	struct metric *m;
	char *first, *second;

	cr_assert_eq(record_save(r, path, &err), 0, "%s", err.text);
	cr_assert_eq(record_load(path, &back, &err), 0, "%s", err.text);
	cr_assert_eq(file_read("", path, &first, NULL), 0);
	cr_assert_eq(record_save(back, path, &err), 0);
	cr_assert_eq(file_read("", path, &second, NULL), 0);
	cr_expect_str_eq(first, second);

	cr_expect(back->complete);
	cr_expect_str_eq(back->identity.items[0].text, "A \"quoted\" \\ model\n\x1b[31m");
	cr_expect_eq(back->identity.items[1].number, INT64_MAX);
	cr_expect_str_eq(back->subject.items[0].text, "latin1=\xc3\xa9");
	cr_expect_eq(back->state.items[0].number, INT64_MIN);
	cr_assert_eq(back->n_runs, 2);
	cr_expect_eq(back->runs[0].places[0].iteration, UINT32_MAX);
	cr_expect(back->runs[0].places[0].warmup);
	cr_expect_not(back->runs[0].places[1].warmup);
	cr_expect_eq(back->runs[0].work[1], (uint64_t)INT64_MAX);
	m = run_find_metric(&back->runs[0], "cycles:u_per_page");
	cr_assert_not_null(m);
	cr_expect_not(m->values[0].is_real);
	cr_expect_eq(m->values[0].integer, INT64_MAX);
	cr_expect_eq(m->enabled_ns[1], 9);
	cr_expect_eq(m->by_cpu->cpus[1], 9);
	cr_assert_not_null(m->by_cpu->nodes);
	cr_expect(m->by_cpu->nodes[0] == 0 && m->by_cpu->nodes[1] == 1);
	cr_expect_eq(m->by_cpu->values[3], -5);
	m = run_find_metric(&back->runs[0], "share:x");
	cr_expect(m->values[1].is_real && m->values[1].real == 3);
	cr_expect(m->values[0].real == 0.1 && m->emulated && m->kind == KIND_SHARE);
	cr_expect_str_eq(run_find_metric(&back->runs[0], "gone")->unavailable, "no PMU");
	cr_expect_eq(back->runs[1].status, RUN_SKIPPED);
	cr_expect_str_eq(back->runs[1].fix, "numa=fake=2");
	free(first);
	free(second);
	record_free(r);
	record_free(back);
}

Test(record, refuses_to_write_what_no_reader_takes)
{
	struct record *r = record_new();
	struct run *run = sample_run(r, "swap", 1);
	struct metric *m = sample_metric(run, "m", 1);
	struct err err;

	m->values[0] = (struct number){ .is_real = true, .real = NAN };
	cr_expect_eq(record_save(r, path, &err), -ERANGE);
	cr_expect_str_eq(err.text, "swap: m has a value that is no number");
	m->values[0] = (struct number){ .integer = 1 };
	run->work[0] = UINT64_MAX;
	cr_expect_eq(record_save(r, path, &err), -ERANGE);
	cr_expect_str_eq(err.text, "swap: work beyond 2^63");
	cr_expect_eq(access(path, F_OK), -1);
	record_free(r);
}

Test(record, full_disk_leaves_the_old_file)
{
	struct record *r = full_record(), *back = NULL;
	struct err err;
	char file[80], *big;

	if (geteuid() != 0 || mount("none", dir, "tmpfs", 0, "size=64k") < 0)
		cr_skip_test("needs the right to mount a small tmpfs");
	snprintf(file, sizeof(file), "%s/b.json", dir);
	cr_expect_eq(record_save(r, file, &err), 0);
	big = mem_zeroed(1 << 17, 1);
	memset(big, 'x', (1 << 17) - 1);
	fields_set_text(&r->state, "big", big);
	cr_expect_eq(record_save(r, file, &err), -ENOSPC);
	cr_expect_not_null(strstr(err.text, "b.json: No space left on device"));
	cr_expect_eq(record_load(file, &back, &err), 0);
	cr_expect_null(fields_find(&back->state, "big"));
	unlink(file);
	cr_expect_eq(umount(dir), 0, "and no temporary file is left open");
	free(big);
	record_free(r);
	record_free(back);
}

Test(record, folder_that_is_not_there)
{
	struct record *r = record_new();
	struct err err;

	cr_expect_eq(record_save(r, "/nonexistent/a.json", &err), -ENOENT);
	cr_expect_str_eq(err.text, "/nonexistent/a.json: No such file or directory");
	record_free(r);
}
