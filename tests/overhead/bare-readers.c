// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `readers` does, without a harness and without its proof, to compare the
 * harness with: bare-readers LIMIT BYTES PROCESSES THREADS TOKENS ROUNDS prints
 * nanoseconds per page, the median of so many rounds after one that warms up. The
 * processes are in a memory cgroup of that limit. Only the division of a model into
 * tensors is shared with the workload.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/gguf.h"

#define ROUNDS_MAX 100

static struct gguf model;
static uint64_t file_bytes;
static unsigned long threads, tokens;
static const unsigned char *map;
static pthread_barrier_t barrier;
static volatile uint64_t sink;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void write_text(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
		perror(path);
		exit(2);
	}
}

/* Of either version; the path of the group, static. */
static const char *make_cgroup(const char *limit)
{
	const bool v2 = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0;
	const char *path =
		v2 ? "/sys/fs/cgroup/bare-readers" : "/sys/fs/cgroup/memory/bare-readers";

	if (v2)
		write_text("/sys/fs/cgroup", "cgroup.subtree_control", "+memory");
	if (mkdir(path, 0755) < 0) {
		perror(path);
		exit(2);
	}
	write_text(path, v2 ? "memory.max" : "memory.limit_in_bytes", limit);
	return path;
}

static int make_file(void)
{
	static unsigned char buffer[1 << 20];
	const int fd = open("/var/tmp", O_TMPFILE | O_RDWR, 0600);

	for (uint64_t at = 0; at < file_bytes; at += sizeof(buffer)) {
		for (size_t i = 0; i < sizeof(buffer); i += 256)
			if (getrandom(buffer + i, 256, 0) != 256)
				exit(2);
		if (write(fd, buffer, sizeof(buffer)) != (ssize_t)sizeof(buffer))
			exit(2);
	}
	fsync(fd);
	return fd;
}

static void *read_model(void *arg)
{
	const unsigned long n = (unsigned long)(uintptr_t)arg;
	uint64_t sum = 0;

	for (unsigned long token = 0; token < tokens; token++) {
		for (size_t i = 0; i < model.n_tensors; i++) {
			const struct gguf_tensor *t = &model.tensors[i];
			const uint64_t share = t->rows / threads, more = t->rows % threads;
			const uint64_t first = share * n + (n < more ? n : more);
			const uint64_t rows = share + (n < more);
			const uint64_t *at =
				(const uint64_t *)(map + t->offset + first * t->row_bytes);

			for (uint64_t w = 0; w < rows * t->row_bytes / 8; w++)
				sum += at[w];
			pthread_barrier_wait(&barrier);
		}
	}
	sink += sum;
	return NULL;
}

/* Reads whenever it is told to, and tells when it has. */
static void serve(int fd, int in, int out)
{
	pthread_t *ids = calloc(threads, sizeof(*ids));
	char word;

	map = mmap(NULL, file_bytes, PROT_READ, MAP_SHARED, fd, 0);
	pthread_barrier_init(&barrier, NULL, (unsigned int)threads);
	while (read(in, &word, 1) == 1) {
		for (unsigned long i = 1; i < threads; i++)
			pthread_create(&ids[i], NULL, read_model, (void *)(uintptr_t)i);
		read_model(NULL);
		for (unsigned long i = 1; i < threads; i++)
			pthread_join(ids[i], NULL);
		if (write(out, &word, 1) != 1 || read(in, &word, 1) != 1)
			break;
		madvise((void *)map, file_bytes, MADV_DONTNEED);
		if (write(out, &word, 1) != 1)
			break;
	}
	_exit(0);
}

/* Each has a pipe of its own: one that is done must not take another's word. */
static void tell(int (*to)[2], int from, unsigned long processes)
{
	char word = 0;

	for (unsigned long i = 0; i < processes; i++)
		if (write(to[i][1], &word, 1) != 1)
			exit(2);
	for (unsigned long i = 0; i < processes; i++)
		if (read(from, &word, 1) != 1)
			exit(2);
}

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	const uint64_t bytes = argc == 7 ? strtoull(argv[2], NULL, 10) : 0;
	const unsigned long processes = argc == 7 ? strtoul(argv[3], NULL, 10) : 0;
	const unsigned long rounds = argc == 7 ? strtoul(argv[6], NULL, 10) : 0;
	const char *cgroup;
	unsigned char *head;
	size_t head_bytes;
	double took[ROUNDS_MAX + 1];
	int in[64][2], out[2];

	if (argc != 7 || processes > 64 || rounds == 0 || rounds > ROUNDS_MAX ||
		pipe(out) < 0)
		return 2;
	threads = strtoul(argv[4], NULL, 10);
	tokens = strtoul(argv[5], NULL, 10);
	gguf_compose(bytes, &model, &head, &head_bytes);
	file_bytes = head_bytes + bytes;
	cgroup = make_cgroup(argv[1]);
	for (unsigned long i = 0; i < processes; i++) {
		const int fd = make_file();

		if (pipe(in[i]) < 0)
			return 2;
		if (fork() == 0) {
			write_text(cgroup, "cgroup.procs", "0");
			for (unsigned long k = 0; k <= i; k++)
				close(in[k][1]);
			serve(fd, in[i][0], out[1]);
		}
	}
	for (unsigned long round = 0; round <= rounds; round++) {
		write_text("/proc/sys/vm", "drop_caches", "3");
		took[round] = now_ns();
		tell(in, out[0], processes);
		took[round] = now_ns() - took[round];
		tell(in, out[0], processes);
	}
	for (unsigned long i = 0; i < processes; i++)
		close(in[i][1]);
	while (wait(NULL) > 0)
		;
	rmdir(cgroup);
	qsort(took + 1, rounds, sizeof(*took), ascending);
	printf("%.3f\n", took[(rounds + 1) / 2] / (double)(processes * tokens * bytes) *
				 (double)sysconf(_SC_PAGESIZE));
	return 0;
}
