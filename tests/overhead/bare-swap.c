// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The published loop without a harness, to compare the harness with:
 * bare-swap BYTES ITERATIONS CPU prints nanoseconds per page.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
	const size_t bytes = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	const long iterations = argc > 3 ? atol(argv[2]) : 0;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile unsigned char *memory;
	cpu_set_t cpus;
	double start = 0;

	CPU_ZERO(&cpus);
	CPU_SET(argc > 3 ? atoi(argv[3]) : 0, &cpus);
	memory = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || sched_setaffinity(0, sizeof(cpus), &cpus) < 0)
		return 2;
	memset((void *)memory, 0x88, bytes);
	for (long i = -1; i < iterations; i++) {
		if (i == 0) /* the first one found the pages resident */
			start = now_ns();
		for (size_t at = 0; at < bytes; at += page)
			(void)memory[at];
		madvise((void *)memory, bytes, MADV_PAGEOUT);
	}
	printf("%.3f\n", (now_ns() - start) / (double)iterations / (double)(bytes / page));
	return 0;
}
