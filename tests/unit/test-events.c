// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sets of events and their encoding. The descriptions in tests/fixtures/pmu were
 * written after the formats of the kernel's drivers (drivers/perf/arm_pmuv3.c,
 * arm-cmn.c, hisilicon/, arch/powerpc/perf); no machine gave them.
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "measure/counters.h"
#include "measure/event_code.h"
#include "measure/perf_parts.h"
#include "made-root.h"
#include "recorded.h"

#define FIXTURES "tests/fixtures/pmu"

Test(events, sets_are_parsed)
{
	static const char text[] = "# a comment\n"
				   "cpu GenuineIntel-6-85 0x41-*\n"
				   "\n"
				   "pfm skx\tclx\n"
				   "event a pfm TLB_FLUSH:STLB_ANY  # one\n"
				   "event b sysfs arm_cmn_* dn_dvmsync # two";
	struct event_set s;
	struct err err;

	cr_assert_eq(event_set_parse("x.events", text, &s, &err), 0, "%s", err.text);
	cr_expect_eq(s.n_cpus, 2);
	cr_expect_eq(s.n_tables, 2);
	cr_expect_str_eq(s.tables[1], "clx");
	cr_assert_eq(s.n_events, 2);
	cr_expect_null(s.events[0].pmu);
	cr_expect_str_eq(s.events[0].event, "TLB_FLUSH:STLB_ANY");
	cr_expect_str_eq(s.events[0].tells, "one");
	cr_expect_str_eq(s.events[1].pmu, "arm_cmn_*");
	cr_expect(event_set_fits(&s, "GenuineIntel-6-85"));
	cr_expect(event_set_fits(&s, "0x41-0xd0c"));
	cr_expect_not(event_set_fits(&s, "GenuineIntel-6-8"));
	event_set_clear(&s);
}

Test(events, bad_sets_are_refused_by_their_line)
{
	static const struct {
		const char *text, *part;
	} cases[] = {
		{ "", "line 1: the file names no CPU" },
		{ "cpu a\n", "no event" },
		{ "cpu a\nevents x pfm A # t\n", "line 2: it begins with none of" },
		{ "cpu a\nevent x\n", "line 2: an event needs a name and a source" },
		{ "cpu a\nevent x raw 12 # t\n", "pfm or sysfs" },
		{ "cpu a\nevent x pfm A B # t\n", "NAME pfm EVENT" },
		{ "cpu a\nevent x sysfs cpu # t\n", "NAME pfm EVENT" },
		{ "cpu a\nevent x sysfs ../cpu e # t\n", "one folder" },
		{ "cpu a\nevent x sysfs cpu ../type # t\n", "one file" },
		{ "cpu a\nevent x pfm A\n", "a comment" },
		{ "cpu a\nevent x pfm A #\n", "a comment" },
		{ "cpu a\nevent x pfm A # t\nevent x pfm B # t\n", "line 3: a second" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct event_set s;
		struct err err = { "" };

		cr_expect_eq(event_set_parse("x", cases[i].text, &s, &err), -EINVAL,
			"case %zu", i);
		cr_expect(strstr(err.text, cases[i].part), "case %zu: %s", i, err.text);
	}
}

/* Machines that people had, and the set that they get. */
Test(events, recorded_machines_are_told)
{
	static const struct {
		const char *file, *identity;
	} cases[] = {
		{ "cpuinfo-aarch64-ampere-altra-max-128.txt", "0x41-0xd0c" },
		{ "cpuinfo-aarch64-kunpeng920-128.txt", "0x48-0xd01" },
		{ "cpuinfo-aarch64-rpi5.txt", "0x41-0xd0b" },
		{ "cpuinfo-ppc64le-power9-176.txt", "POWER9" },
		{ "cpuinfo-x86_64-epyc7451-96.txt", "AuthenticAMD-23-1" },
		{ "cpuinfo-x86_64-knl-272.txt", "GenuineIntel-6-87" },
		{ "cpuinfo-riscv64-d1.txt", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = recorded_text(recorded_or_skip(), cases[i].file);
		char *identity = event_set_identity(text);

		cr_expect_str_eq(identity ? identity : "none",
			cases[i].identity ? cases[i].identity : "none", "%s",
			cases[i].file);
		free(identity);
		free(text);
	}
}

Test(events, places_in_a_format)
{
	static const struct {
		const char *format;
		uint64_t value, config, config1, config2;
		int code;
	} cases[] = {
		{ "config:0-7", 0x35, 0x35, 0, 0, 0 },
		{ "config:0-7,32-35", 0xabc, 0xa000000bc, 0, 0, 0 },
		{ "config:0-63", UINT64_MAX, UINT64_MAX, 0, 0, 0 },
		{ "config1:4", 1, 0, 0x10, 0, 0 },
		{ "config2:8-15", 0xff, 0, 0, 0xff00, 0 },
		{ "config:0-7", 0x100, 0, 0, 0, -EINVAL },
		{ "config:63-64", 1, 0, 0, 0, -EINVAL },
		{ "config:8-7", 1, 0, 0, 0, -EINVAL },
		{ "config:", 1, 0, 0, 0, -EINVAL },
		{ "config:0-", 1, 0, 0, 0, -EINVAL },
		{ "config:0-7;", 1, 0, 0, 0, -EINVAL },
		{ "config9:0-7", 1, 0, 0, 0, -EINVAL },
		{ "0-7", 1, 0, 0, 0, -EINVAL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct event_code c = { 0 };

		cr_expect_eq(pmu_place(cases[i].format, cases[i].value, &c), cases[i].code,
			"case %zu", i);
		cr_expect(c.config == cases[i].config && c.config1 == cases[i].config1 &&
				  c.config2 == cases[i].config2,
			"case %zu: %lx %lx %lx", i, c.config, c.config1, c.config2);
	}
}

Test(events, descriptions_of_sysfs)
{
	static const struct {
		const char *machine, *pmu, *event;
		uint64_t config, config1;
		uint32_t type;
		size_t n_cpus;
		int code;
	} cases[] = {
		{ "altra", "armv8_pmuv3_0", "dtlb_walk", 0x34, 0, 8, 0, 0 },
		{ "altra", "arm_cmn_0", "dn_rxreq_dvmsync", 0x20001, 0, 10, 1, 0 },
		{ "cmn700", "arm_cmn_0", "dn_dvmop_tlbi", 0x10001, 0, 12, 1, 0 },
		{ "kunpeng920", "hisi_sccl1_l3c0", "back_invalid", 0x29, 0, 10, 1, 0 },
		{ "kunpeng920", "hisi_sccl3_ddrc0", "flux_rd", 1, 0, 14, 1, 0 },
		{ "power9", "cpu", "dTLB-load-misses", 0x300fc, 0, 4, 0, 0 },
		{ "odd", "x", "split", 0xa000400bc, 3, 9, 0, 0 },
		{ "odd", "x", "open", 0, 0, 0, 0, -EINVAL },
		{ "odd", "x", "large", 0, 0, 0, 0, -EINVAL },
		{ "odd", "x", "unknown", 0, 0, 0, 0, -EINVAL },
		{ "odd", "x", "none", 0, 0, 0, 0, -ENOENT },
		{ "odd", "y", "e", 0, 0, 0, 0, -EINVAL },
		{ "odd", "z", "e", 0, 0, 0, 0, -ENOENT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *root = mem_format(FIXTURES "/%s", cases[i].machine);
		struct event_code c = { 0 };
		struct err err = { "" };

		cr_expect_eq(pmu_encode(root, cases[i].pmu, cases[i].event, &c, &err),
			cases[i].code, "case %zu: %s", i, err.text);
		cr_expect(c.type == cases[i].type && c.config == cases[i].config &&
				  c.config1 == cases[i].config1 &&
				  c.cpus.count == cases[i].n_cpus,
			"case %zu: %u %lx", i, c.type, c.config);
		cr_expect_eq(cases[i].code < 0, err.text[0] != '\0');
		event_code_clear(&c);
		free(root);
	}
}

static bool encodes(const struct event_set *s, const struct event_name *event)
{
	static const char *const machines[] = { "altra", "cmn700", "kunpeng920", "power9" };
	struct event_codes codes;
	struct event_code code;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines) && event->pmu; i++) {
		char *root = mem_format(FIXTURES "/%s", machines[i]);

		if (event_codes_find(root, event, &codes, NULL) == 0) {
			n += codes.count;
			event_codes_clear(&codes);
		}
		free(root);
	}
	if (event->pmu)
		return n > 0;
	for (size_t i = 0; i < s->n_tables; i++)
		n += event_code_by_table(s->tables[i], event->event, &code, NULL) == 0;
	/* In each table, or a CPU of the set has an event less than its file says. */
	return n == s->n_tables;
}

/* Whether libpfm is there, and has the tables of this set's architecture. */
static bool has_tables(const struct event_set *s)
{
	struct event_code code;

	return s->n_tables == 0 ||
	       event_code_by_table(s->tables[0], "CYCLES", &code, NULL) == 0 ||
	       event_code_by_table(s->tables[0], "UNHALTED_CORE_CYCLES", &code, NULL) ==
		       0 ||
	       event_code_by_table(s->tables[0], "CYCLES_NOT_IN_HALT", &code, NULL) == 0;
}

Test(events, those_of_every_shipped_set_encode)
{
	char *folder;
	struct dirent *e;
	DIR *dir;
	size_t n_sets = 0;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	cr_assert_eq(data_path("events", &folder), 0);
	dir = opendir(folder);
	cr_assert(dir);
	while ((e = readdir(dir)) != NULL) {
		char *path = mem_format("%s/%s", folder, e->d_name), *text;
		struct event_set s;
		struct err err;

		if (fnmatch("*.events", e->d_name, 0) == 0) {
			cr_assert_eq(file_read("", path, &text, NULL), 0);
			cr_assert_eq(event_set_parse(e->d_name, text, &s, &err), 0, "%s",
				err.text);
			n_sets++;
			for (size_t i = 0; i < s.n_events; i++)
				cr_expect((!s.events[i].pmu && !has_tables(&s)) ||
						  encodes(&s, &s.events[i]),
					"%s: %s", e->d_name, s.events[i].name);
			event_set_clear(&s);
			free(text);
		}
		free(path);
	}
	closedir(dir);
	free(folder);
	cr_expect_geq(n_sets, 7);
}

Test(events, a_machine_gets_the_set_of_its_cpu)
{
	struct event_set s;
	struct err err;

	cr_expect_eq(event_set_find("/nonexistent", &s, &err), -ENOENT);
	cr_expect(strstr(err.text, "does not tell"), "%s", err.text);
}

/* By the files that are shipped: of sets that fit, the first by name is taken. */
Test(events, machines_get_the_set_of_their_family)
{
	static const struct {
		const char *cpuinfo, *set;
	} cases[] = {
		{ "cpuinfo-aarch64-ampere-altra-max-128.txt", "arm64.events" },
		{ "cpuinfo-aarch64-ampereone-192.txt", "arm64.events" },
		{ "cpuinfo-aarch64-graviton2.txt", "arm64.events" },
		{ "cpuinfo-aarch64-rpi5.txt", "arm64.events" },
		{ "cpuinfo-aarch64-kunpeng920-128.txt", "kunpeng.events" },
		{ "cpuinfo-aarch64-kunpeng920-24.txt", "kunpeng.events" },
		{ "cpuinfo-ppc64le-power9-176.txt", "power.events" },
		{ "cpuinfo-x86_64-epyc7451-96.txt", NULL }, /* Zen 1 */
		{ "cpuinfo-x86_64-knl-272.txt", NULL },
		{ "cpuinfo-riscv64-jh7110.txt", NULL },
	};
	const char *dir = recorded_or_skip();

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = recorded_text(dir, cases[i].cpuinfo), *root = made_root();
		char *file = mem_format("/proc/cpuinfo:%s", text);
		struct event_set s = { 0 };
		struct err err = { "" };

		made_root_add(root, file);
		cr_expect_eq(event_set_find(root, &s, &err), cases[i].set ? 0 : -ENOENT,
			"%s: %s", cases[i].cpuinfo, err.text);
		cr_expect_str_eq(s.name ? s.name : "none",
			cases[i].set ? cases[i].set : "none", "%s", cases[i].cpuinfo);
		event_set_clear(&s);
		made_root_free(root);
		free(file);
		free(text);
	}
}

Test(counters, the_watchdog_takes_one)
{
	static const struct {
		const char *file;
		size_t at_once;
	} cases[] = { { "/proc/sys/kernel/nmi_watchdog:1\n", 3 },
		{ "/proc/sys/kernel/nmi_watchdog:0\n", 4 }, { "/proc/none:1", 4 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *root = made_root();

		made_root_add(root, cases[i].file);
		cr_expect_eq(counters_at_once(root), cases[i].at_once, "case %zu", i);
		made_root_free(root);
	}
}

Test(counters, say_why_they_do_not_open)
{
	static const struct {
		const char *file;
		int code;
		const char *part;
	} cases[] = {
		{ "/proc/sys/kernel/perf_event_paranoid:2\n", -EACCES,
			"paranoid is 2: run" },
		{ "/proc/sys/kernel/perf_event_paranoid:4\n", -EPERM,
			"paranoid is 4: run" },
		{ "/proc/none:", -EACCES, "no right to open it: run as root" },
		{ "/proc/sys/kernel/nmi_watchdog:1\n", -EBUSY,
			"/proc/sys/kernel/nmi_watchdog is 1): sysctl kernel.nmi_watchdog=0" },
		{ "/proc/sys/kernel/nmi_watchdog:0\n", -EBUSY, "another program" },
		{ "/proc/none:", -ENOENT, "usual in a virtual machine" },
		{ "/proc/none:", -ENOSYS, "CONFIG_PERF_EVENTS" },
		{ "/proc/none:", -EMFILE, "ulimit -n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *root = made_root(), *text;

		made_root_add(root, cases[i].file);
		text = perf_explain(root, cases[i].code);
		cr_expect(strstr(text, cases[i].part), "case %zu: %s", i, text);
		free(text);
		made_root_free(root);
	}
}

/* Where nothing describes the register that counts them: never 0. */
Test(counters, of_smis_say_where_they_are_not)
{
	struct counters *c;
	size_t n = 0;

	cr_assert_eq(counters_open("/nonexistent", 1, &c), 0);
	for (size_t i = 0; i < counters_count(c); i++) {
		const struct counter_info info = counters_info(c, i);

		if (strcmp(info.name, COUNTERS_SMIS) != 0)
			continue;
		n++;
		cr_expect(info.unavailable && strstr(info.unavailable, "only Intel's"));
	}
	cr_expect_eq(n, 1);
	counters_close(c);
}

Test(counters, groups)
{
	static const struct {
		size_t i, n, at_once, group, n_groups;
	} cases[] = {
		{ 0, 0, 4, 0, 1 },
		{ 3, 4, 4, 0, 1 },
		{ 3, 5, 4, 0, 2 },
		{ 4, 5, 4, 1, 2 },
		{ 12, 13, 3, 4, 5 },
		{ 11, 13, 3, 3, 5 },
	};

	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		size_t n_groups, group = counters_group(cases[k].i, cases[k].n,
					 cases[k].at_once, &n_groups);

		cr_expect_eq(group, cases[k].group, "case %zu", k);
		cr_expect_eq(n_groups, cases[k].n_groups, "case %zu", k);
	}
}
