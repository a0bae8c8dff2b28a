// SPDX-License-Identifier: GPL-2.0-or-later
/* On the running kernel: its own clock, or the CPU's cycles. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "measure/profile.h"
#include "measure/sampling.h"

#define TEST_HZ 997

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* In user mode, or in the kernel. */
static void spin(uint64_t ns, bool in_kernel)
{
	const uint64_t end = cpu_ns() + ns;
	volatile unsigned int n;

	while (cpu_ns() < end)
		for (n = 0; n < 10000; n++)
			if (in_kernel)
				syscall(SYS_getppid);
}

static void count(void *arg, const struct sampling_hit *hit)
{
	uint64_t *hits = arg;

	hits[hit->in_kernel]++;
	cr_expect_gt(hit->n_chain, 0);
}

static struct sampling *open_or_skip(const struct sampling_options *options)
{
	struct sampling *s;
	struct err err = { "" };

	if (sampling_open(options, &s, &err) < 0)
		cr_skip("%s", err.text);
	return s;
}

/* Within a factor of 2, as the thread's time is known: other loads do not matter. */
Test(sampling, hits_come_at_the_frequency)
{
	const struct sampling_options options = {
		.hz = TEST_HZ, .bytes = 65536, .bytes_min = 65536
	};
	struct sampling *s = open_or_skip(&options);
	uint64_t hits[2] = { 0 }, lost;

	spin(20000000, false);
	sampling_start();
	spin(300000000, false);
	sampling_stop();
	lost = sampling_drain(s, count, hits);
	cr_expect_eq(lost, 0);
	cr_expect(hits[0] > 130 && hits[0] + hits[1] < 600, "%lu user, %lu kernel", hits[0],
		hits[1]);
	cr_expect_lt(hits[1], hits[0] / 2 + 10);
	hits[0] = hits[1] = 0;
	spin(50000000, false);
	cr_expect_eq(sampling_drain(s, count, hits), 0);
	cr_expect_eq(hits[0] + hits[1], 0, "stopped");
	sampling_close(s);
}

Test(sampling, tells_kernel_from_user)
{
	const struct sampling_options options = {
		.hz = TEST_HZ, .bytes = 65536, .bytes_min = 65536
	};
	struct sampling *s = open_or_skip(&options);
	uint64_t hits[2] = { 0 };

	sampling_start();
	spin(300000000, true);
	sampling_stop();
	sampling_drain(s, count, hits);
	cr_expect_gt(hits[1], 30, "%lu user, %lu kernel", hits[0], hits[1]);
	sampling_close(s);
}

Test(sampling, a_full_buffer_loses_hits_and_says_so)
{
	const struct sampling_options options = { .hz = 20000, .bytes = 1, .bytes_min = 1 };
	struct sampling *s = open_or_skip(&options);
	struct profile_counts counts = { 0 };
	uint64_t hits[2] = { 0 };

	sampling_start();
	spin(200000000, false);
	sampling_stop();
	counts.lost = sampling_drain(s, count, hits);
	counts.hits = hits[0] + hits[1];
	cr_expect_gt(counts.lost, 100);
	cr_expect(profile_is_void(&counts));
	/* What is read has made room again, and the loss was told once. */
	sampling_start();
	spin(2000000, false);
	sampling_stop();
	cr_expect_eq(sampling_drain(s, count, hits), 0);
	sampling_close(s);
}

Test(profile, loss_beyond_one_in_a_hundred_voids_it)
{
	static const struct {
		uint64_t hits, lost;
		bool is_void;
	} cases[] = {
		{ 1000, 0, false },
		{ 990, 10, false },
		{ 989, 11, true },
		{ 0, 0, false },
		{ 0, 1, true },
		{ 1000, SAMPLING_LOST_UNKNOWN, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct profile_counts c = { .hits = cases[i].hits,
			.lost = cases[i].lost };

		cr_expect_eq(profile_is_void(&c), cases[i].is_void, "case %zu", i);
	}
}

Test(profile, groups_add_up_to_the_hits)
{
	struct profile_function top[3];
	const struct profile_counts *c;
	struct profile *p;
	struct err err = { "" };
	char source[64], *chains;
	uint64_t sum = 0, n = 0;
	size_t n_top;

	if (profile_open("", NULL, &p, &err) < 0)
		cr_skip("%s", err.text);
	for (int round = 0; round < 2; round++) {
		profile_start(p);
		spin(200000000, true);
		profile_stop(p);
	}
	c = profile_counts(p);
	for (size_t i = 0; i < HOTSPOT_GROUPS; i++)
		sum += c->groups[i];
	cr_expect_eq(sum, c->hits);
	cr_expect(c->hits > 25 && c->hits < 160, "%lu, of the last round", c->hits);
	n_top = profile_top(p, top, 3);
	for (size_t i = 0; i < n_top; i++) {
		cr_expect(i == 0 || top[i].hits <= top[i - 1].hits);
		cr_expect_null(strchr(top[i].name, '.'));
		n += top[i].hits;
	}
	cr_expect(n > 0 && n <= c->hits - c->groups[GROUP_USER]);
	chains = profile_folded(p, "top");
	n = 0;
	for (const char *line = chains; *line; line = strchr(line, '\n') + 1) {
		const char *blank = strchr(line, ' ');

		cr_assert(strncmp(line, "top;", 4) == 0 && blank, "%s", chains);
		n += strtoul(blank, NULL, 10);
	}
	cr_expect_eq(n, c->hits, "each hit has a chain");
	cr_expect(strstr(chains, ";do_syscall_64") || !strstr(chains, "getppid"), "%s",
		chains);
	free(chains);
	profile_source(p, source, sizeof(source));
	cr_expect(strstr(source, " Hz, thread"), "%s", source);
	profile_close(p);
}

Test(profile, says_why_not)
{
	struct profile *p;
	struct err err;

	cr_expect_eq(profile_open("/nonexistent", NULL, &p, &err), -ENOENT);
	cr_expect(strstr(err.text, "CONFIG_KALLSYMS"), "%s", err.text);
}

/* One descriptor for each CPU: of 256, more than a usual limit leaves. */
Test(sampling, says_that_there_are_too_many_cpus)
{
	int ids[] = { 0, 1 };
	const struct cpulist cpus = { .ids = ids, .count = 2 };
	const struct sampling_options options = {
		.cpus = &cpus, .hz = TEST_HZ, .bytes = 65536, .bytes_min = 65536
	};
	const struct rlimit few = { 4, 4 };
	struct sampling *s = open_or_skip(&options);
	struct err err = { "" };

	sampling_close(s);
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	cr_expect_eq(sampling_open(&options, &s, &err), -EMFILE);
	cr_expect(strstr(err.text, "ulimit -n"), "%s", err.text);
}

/* All that runs, by the CPU that it runs on. */
Test(sampling, of_the_whole_machine)
{
	int ids[] = { 0 };
	const struct cpulist cpus = { .ids = ids, .count = 1 };
	const struct sampling_options options = {
		.cpus = &cpus, .hz = TEST_HZ, .bytes = 65536, .bytes_min = 65536
	};
	struct sampling *s = open_or_skip(&options);
	uint64_t hits[2] = { 0 };

	sampling_start();
	usleep(200000);
	sampling_stop();
	cr_expect_eq(sampling_drain(s, count, hits), 0);
	/* The clock of an idle CPU hits nothing on some kernels. */
	cr_expect_leq(hits[0] + hits[1], 300);
	sampling_close(s);
}

/* A size that the kernel refuses, here for it is no power of 2. */
Test(sampling, falls_back_to_a_smaller_buffer)
{
	const struct sampling_options options = {
		.hz = TEST_HZ, .bytes = (size_t)3 << 20, .bytes_min = 65536
	};
	struct sampling *s = open_or_skip(&options);
	uint64_t hits[2] = { 0 };

	sampling_start();
	spin(100000000, false);
	sampling_stop();
	cr_expect_eq(sampling_drain(s, count, hits), 0);
	cr_expect_gt(hits[0], 30);
	sampling_close(s);
}

/* Without the right to look into the kernel: no profile of a part of it. */
Test(sampling, needs_a_right)
{
	const struct sampling_options options = {
		.hz = TEST_HZ, .bytes = 1, .bytes_min = 1
	};
	struct sampling *s;
	struct err err = { "" };

	if (setuid(65534) < 0)
		cr_skip("not root");
	if (sampling_open(&options, &s, &err) == 0)
		cr_skip("perf_event_paranoid permits it");
	cr_expect(strstr(err.text, "perf_event_paranoid is"), "%s", err.text);
}
