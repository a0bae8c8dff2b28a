// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the profile costs: sampling BYTES ITERATIONS PAIRS. The published loop with
 * and without sampling in turn, AB BA AB ..., in one process; prints the median of
 * the ratios of the times per page, by the clock and by the thread's own time. Root;
 * uses the swap that is there, or makes one of zram meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/machine.h"
#include "measure/profile.h"
#include "measure/swaps.h"

struct times {
	double wall_ns, cpu_ns;
};

static double now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void page_out(volatile unsigned char *memory, size_t bytes, long iterations)
{
	for (long i = 0; i < iterations; i++) {
		for (size_t at = 0; at < bytes; at += 4096)
			(void)memory[at];
		madvise((void *)memory, bytes, MADV_PAGEOUT);
	}
}

static struct times take(
	volatile unsigned char *memory, size_t bytes, long iterations, struct profile *p)
{
	struct times t;

	if (p)
		profile_start(p);
	t.wall_ns = now_ns(CLOCK_MONOTONIC);
	t.cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	page_out(memory, bytes, iterations);
	t.cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - t.cpu_ns;
	t.wall_ns = now_ns(CLOCK_MONOTONIC) - t.wall_ns;
	if (p)
		profile_stop(p);
	return t;
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void print(const char *what, double *ratios, size_t n)
{
	qsort(ratios, n, sizeof(*ratios), ascending);
	printf("sampled / not, %s, median of %zu pairs: %.4f (quartiles %.4f to %.4f)\n",
		what, n, (ratios[(n - 1) / 2] + ratios[n / 2]) / 2, ratios[n / 4],
		ratios[n - 1 - n / 4]);
}

static void compare(volatile unsigned char *memory, size_t bytes, long iterations, size_t n,
	struct profile *p)
{
	double *wall = mem_zeroed(n, sizeof(*wall)), *cpu = mem_zeroed(n, sizeof(*cpu));
	uint64_t hits = 0;

	page_out(memory, bytes, iterations);
	for (size_t i = 0; i < n; i++) {
		struct times with, without = { 0 };

		if (i % 2)
			without = take(memory, bytes, iterations, NULL);
		with = take(memory, bytes, iterations, p);
		hits += profile_counts(p)->hits;
		if (i % 2 == 0)
			without = take(memory, bytes, iterations, NULL);
		wall[i] = with.wall_ns / without.wall_ns;
		cpu[i] = with.cpu_ns / without.cpu_ns;
	}
	print("by the clock", wall, n);
	print("by the thread's time", cpu, n);
	printf("%.0f hits a sample\n", (double)hits / (double)n);
	free(wall);
	free(cpu);
}

int main(int argc, char **argv)
{
	const size_t bytes = argc > 3 ? strtoul(argv[1], NULL, 10) : 1048576;
	const long iterations = argc > 3 ? atol(argv[2]) : 60;
	const size_t pairs = argc > 3 ? strtoul(argv[3], NULL, 10) : 50;
	struct swaps swaps = { 0 };
	struct machine *machine;
	struct profile *profile;
	char device[64];
	struct err err;
	unsigned char *memory = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || machine_open(MACHINE_RUN_DIR, &machine, &err) < 0)
		return fprintf(stderr, "sampling: %s\n", err.text), 2;
	swaps_read("", &swaps, NULL);
	if ((swaps.count == 0 && machine_add_zram_swap(
					 machine, (uint64_t)256 << 20, device, &err) < 0) ||
		profile_open("", NULL, &profile, &err) < 0) {
		machine_close(machine, NULL);
		return fprintf(stderr, "sampling: %s\n", err.text), 2;
	}
	memset(memory, 0x88, bytes);
	compare(memory, bytes, iterations, pairs, profile);
	profile_close(profile);
	swaps_clear(&swaps);
	munmap(memory, bytes);
	return machine_close(machine, NULL) < 0;
}
