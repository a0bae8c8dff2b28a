// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole way: `shootdown run` in a guest, the switch off and on within one
 * boot, and results on the host that tell the two apart. Environment as in
 * test-boot-faults.c.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "boots/guest.h"
#include "boots/layers.h"
#include "tests/guest/scratch.h"
#include "verdicts/record.h"

#define SWITCH "vm.batched_unmap_tlb_flush"

static void add_block(struct job *job, const char *name, const char *value)
{
	static const char *const words[] = { "/bin/shootdown", "run",
		"swap:size=1M,threads=3", "--samples=2", "--time=300ms", "-o",
		"/run/result.json", NULL };
	struct job_step *step = job_add_step(job, name, 60000);

	job_add_sysctl(&step->sysctls, SWITCH, value);
	for (size_t i = 0; words[i]; i++)
		job_add_arg(step, words[i]);
	step->send = mem_text("/run/result.json");
}

static void boot(const struct guest_config *config, struct guest_outcome *ret)
{
	struct err err = { "" };

	cr_assert_eq(guest_boot(config, ret, &err), 0, "%s", err.text);
	cr_assert_eq(ret->result, GUEST_OK, "%s in %s: %s\n%s\n%s",
		guest_result_name(ret->result), guest_phase_name(ret->phase), ret->reason,
		ret->channel.log ? ret->channel.log : "", ret->console_tail);
}

/* The last sample of it. */
static double shootdowns_per_page(const struct channel_file *file)
{
	struct record *r;
	struct err err = { "" };
	struct metric *m;
	double value;

	cr_assert_eq(record_parse(file->name, file->data, file->bytes, &r, &err), 0, "%s",
		err.text);
	/* The timed pass, before the traced one. */
	cr_assert_geq(r->n_runs, 1);
	cr_assert_eq(r->runs[0].status, RUN_OK, "%s", r->runs[0].reason);
	m = run_find_metric(&r->runs[0], "tlb_shootdowns_per_page");
	cr_assert(m && !m->unavailable, "%s", m ? m->unavailable : "no such metric");
	value = record_value(&r->runs[0], m, r->runs[0].n_samples - 1);
	record_free(r);
	return value;
}

Test(guest, tells_batched_flushes_from_others, .init = scratch_make, .fini = scratch_remove,
	.timeout = 400)
{
	const char *built = getenv("O") ? getenv("O") : "build", *kernel = getenv("KERNEL");
	char *program = mem_format("%s/shootdown", built);
	char *init = mem_format("%s/guest-init", built);
	const char *const programs[] = { program, NULL };
	struct job job = { 0 };
	struct guest_outcome o;
	struct err err = { "" };
	struct guest_config config = {
		.arch = "x86_64",
		.accel = ACCEL_TCG,
		.cpus = 4,
		.nodes = 2,
		.memory_bytes = (uint64_t)512 << 20,
		.kernel = kernel,
		.job = &job,
		.words = "",
		.run_id = "run-1",
		.folder = scratch,
	};

	if (!kernel)
		cr_skip_test("KERNEL names no image");
	config.base_layer = mem_format("%s/base.img", scratch);
	cr_assert_eq(guest_write_base(config.base_layer, init, programs, "", &err), 0, "%s",
		err.text);
	add_block(&job, "nobatch", "0");
	add_block(&job, "batch", "1");
	boot(&config, &o);
	cr_assert_eq(o.channel.n_files, 2);
	printf("%.1f s; per page %.2f and %.2f\n", (double)o.duration_ns / 1e9,
		shootdowns_per_page(&o.channel.files[0]),
		shootdowns_per_page(&o.channel.files[1]));
	cr_assert_geq(shootdowns_per_page(&o.channel.files[0]), 2.5);
	cr_assert_leq(shootdowns_per_page(&o.channel.files[1]), 0.3);
	guest_outcome_clear(&o);
	job_clear(&job);
}
