// SPDX-License-Identifier: GPL-2.0-or-later
/* What the readings around samples make a run remark. */
#include "bench/common.h"
#include "made-root.h"
#include "measure/counters.h"
#include "measure/window.h"

#define MSR "/sys/bus/event_source/devices/msr/"

static const struct workload nothing = { .name = "nothing", .unit = "op" };

/* Of one sample on a machine of that root. */
static char *remark_on(const char *root, char **ret_unavailable)
{
	static int ids[] = { 0 };
	const struct cpulist cpus = { .ids = ids, .count = 1 };
	const struct window_plan plan = { .root = root, .cpus = &cpus };
	struct bench b = { .workload = &nothing };
	struct sheet *sheet = sheet_new(0, 1, 1);
	struct window *window;
	char *remark;

	cr_assert_eq(window_open(&plan, &b, sheet, &window), 0);
	window_begin(window, &b);
	window_end(window);
	window_fill(window, &b, sheet_slot(sheet, 0));
	sheet->n_done = 1;
	remark = window_remark(window);
	for (size_t i = 0; i < sheet->n_metrics; i++)
		if (strcmp(sheet->metrics[i].name, COUNTERS_SMIS "_per_op") == 0)
			*ret_unavailable = mem_text(sheet->metrics[i].unavailable);
	window_close(window);
	sheet_free(sheet);
	return remark;
}

/*
 * The time stamp counter in their place, of the same PMU, as the description below
 * this root has it: what it counts is never 0.
 */
Test(remark, names_smis)
{
	char *root = made_root(), *type, *file, *unavailable = NULL, *remark;

	if (file_read_line("", MSR "type", &type) < 0)
		cr_skip("this kernel has no PMU msr");
	file = mem_format(MSR "type:%s", type);
	made_root_add(root, file);
	made_root_add(root, MSR "format/event:config:0-63");
	made_root_add(root, MSR "events/smi:event=0x00");
	remark = remark_on(root, &unavailable);
	cr_assert_not_null(unavailable);
	cr_expect_str_eq(unavailable, "");
	cr_assert_not_null(remark);
	cr_expect(strstr(remark, "firmware took the CPU away"), "%s", remark);
	free(remark);
	free(unavailable);
	free(file);
	free(type);
	made_root_free(root);
}

Test(remark, is_none_where_none_are_counted)
{
	char *root = made_root(), *unavailable = NULL, *remark;

	remark = remark_on(root, &unavailable);
	cr_assert_not_null(unavailable);
	cr_expect(strstr(unavailable, "only Intel's CPUs count SMIs"), "%s", unavailable);
	cr_expect_null(remark, "%s", remark);
	free(unavailable);
	made_root_free(root);
}

#define CPU "/sys/bus/event_source/devices/cpu/"

/*
 * A CPU whose two events are the kernel's own, so that each machine counts them:
 * faults of alignment, of which there are none, and the time of the CPU.
 */
Test(remark, names_an_event_that_stays_0)
{
	static const struct {
		const char *data, *code, *part;
	} cases[] = {
		{ "event=0x7", "event=0x0",
			"dtlb_misses ran and counted 0 in every sample" },
		{ "event=0x0", "event=0x7",
			"itlb_misses ran and counted 0 in every sample" },
		{ "event=0x0", "event=0x0", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *root = made_root(), *unavailable = NULL, *remark;
		char *data = mem_format(CPU "events/dTLB-load-misses:%s", cases[i].data);
		char *code = mem_format(CPU "events/iTLB-load-misses:%s", cases[i].code);

		made_root_add(root, "/proc/cpuinfo:cpu\t: POWER9, altivec supported\n");
		made_root_add(root, CPU "type:1\n"); /* PERF_TYPE_SOFTWARE */
		made_root_add(root, CPU "format/event:config:0-7\n");
		made_root_add(root, data);
		made_root_add(root, code);
		remark = remark_on(root, &unavailable);
		if (cases[i].part)
			cr_expect(remark && strstr(remark, cases[i].part), "case %zu: %s",
				i, remark ? remark : "no remark");
		else
			cr_expect_null(remark, "case %zu: %s", i, remark);
		free(remark);
		free(unavailable);
		free(code);
		free(data);
		made_root_free(root);
	}
}
