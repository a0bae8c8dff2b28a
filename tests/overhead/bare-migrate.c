// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `migrate` does, without a harness and without its proof, to compare the
 * harness with: bare-migrate BYTES ITERATIONS CPU moves pages to the other of
 * nodes 0 and 1 and back, and prints nanoseconds per page moved.
 */
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BATCH 512

static void **addresses;
static int *status, nodes[BATCH];
static size_t pages;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void move_all(int node)
{
	for (size_t i = 0; i < BATCH; i++)
		nodes[i] = node;
	for (size_t at = 0; at < pages; at += BATCH) {
		const size_t n = pages - at < BATCH ? pages - at : BATCH;

		if (syscall(SYS_move_pages, 0, n, addresses + at, nodes, status + at,
			    MPOL_MF_MOVE) < 0) {
			perror("move_pages");
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t bytes = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
	const long iterations = argc == 4 ? atol(argv[2]) : 0;
	unsigned int cpu = argc == 4 ? (unsigned int)atoi(argv[3]) : 0, home = 0;
	unsigned char *memory = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double start = 0;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	pages = bytes / page;
	addresses = calloc(pages, sizeof(*addresses));
	status = calloc(pages, sizeof(*status));
	if (memory == MAP_FAILED || !addresses || !status || iterations < 1 ||
		sched_setaffinity(0, sizeof(cpus), &cpus) < 0 ||
		syscall(SYS_getcpu, &cpu, &home, NULL) < 0)
		return 2;
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	memset(memory, 0x88, bytes);
	for (size_t i = 0; i < pages; i++)
		addresses[i] = memory + i * page;
	move_all((int)home);
	for (long i = -1; i < iterations; i++) {
		if (i == 0) /* the first one warms up */
			start = now_ns();
		move_all(!home);
		move_all((int)home);
	}
	printf("%.3f\n", (now_ns() - start) / (double)iterations / (double)(2 * pages));
	for (size_t i = 0; i < pages; i++)
		if (status[i] != (int)home)
			return 2;
	return 0;
}
