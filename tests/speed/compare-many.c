// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast result files are read and compared: compare-many FOLDER FILES
 * PROCESSES writes so many files like those of `shootdown run` into the folder,
 * then reads each and compares it with the first, in so many processes, and
 * prints time, speed and memory. It fails beyond 10 s of work for each of two CPUs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "verdicts/compare.h"

enum { N_RUNS = 6, N_METRICS = 25, N_UNAVAILABLE = 10, N_SAMPLES = 11, N_CPUS = 2 };
enum { N_DIFFERENT = 50 };
enum { LIMIT_S = 10, LIMIT_CPUS = 2 };

static uint64_t state = 20261130;

/* xorshift; the same figures each time. */
static int64_t some_number(int64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)below);
}

static void add_by_cpu(struct metric *m)
{
	struct by_cpu *by = mem_zeroed(1, sizeof(*by));

	by->n_cpus = N_CPUS;
	by->cpus = mem_zeroed(N_CPUS, sizeof(*by->cpus));
	by->values = mem_zeroed((size_t)N_SAMPLES * N_CPUS, sizeof(*by->values));
	for (int i = 0; i < N_CPUS; i++)
		by->cpus[i] = i;
	for (int i = 0; i < N_SAMPLES * N_CPUS; i++)
		by->values[i] = some_number(2000);
	m->by_cpu = by;
}

static void add_metric(struct run *run, int number)
{
	char *name = number == 0 ? mem_text("ns_per_page")
				 : mem_format("counter_%d_per_page", number);
	struct metric *m = run_add_metric(
		run, name, "events/page", "/proc/vmstat", BETTER_LOWER, KIND_SAMPLE);

	free(name);
	m->per_unit = true;
	if (number >= N_METRICS) {
		m->unavailable = mem_text("the machine has no PMU that counts it");
		return;
	}
	m->values = mem_zeroed(N_SAMPLES, sizeof(*m->values));
	for (int i = 0; i < N_SAMPLES; i++) {
		m->values[i].is_real = number % 10 == 1;
		if (m->values[i].is_real)
			m->values[i].real = 1e-6 * (double)some_number(1000000000);
		else
			m->values[i].integer = 1 + some_number(number ? 100000 : 100000000);
	}
	if (number % 10 == 2)
		add_by_cpu(m);
}

static void add_run(struct record *r, int number)
{
	struct run *run = record_add_run(r, "swap", 1, "page");

	fields_set_number(&run->params, "size", 1048576);
	fields_set_number(&run->params, "threads", number);
	fields_set_text(&run->params, "touch", "read");
	fields_set_text(&run->params, "iterations", "auto");
	run->n_samples = N_SAMPLES;
	run->places = mem_zeroed(N_SAMPLES, sizeof(*run->places));
	run->work = mem_zeroed(N_SAMPLES, sizeof(*run->work));
	for (unsigned int i = 0; i < N_SAMPLES; i++) {
		run->places[i].iteration = i;
		run->places[i].warmup = i == 0;
		run->work[i] = 25600;
	}
	for (int i = 0; i < N_METRICS + N_UNAVAILABLE; i++)
		add_metric(run, i);
}

static char *path_of(const char *folder, int number)
{
	return mem_format("%s/%05d.json", folder, number);
}

/* 0 or -errno, and why. */
static int write_result(const char *path, struct err *err)
{
	struct record *r = record_new();
	int ret;

	r->complete = true;
	fields_set_text(&r->identity, "cpu_model", "a CPU");
	fields_set_number(&r->identity, "memory_bytes", 4294967296);
	for (int i = 0; i < N_RUNS; i++)
		add_run(r, i);
	ret = record_save(r, path, err);
	record_free(r);
	return ret;
}

static int copy_file(const char *from, const char *to, struct err *err)
{
	size_t bytes;
	char *text;
	int ret = file_read("", from, &text, &bytes);
	FILE *out;

	if (ret < 0)
		return err_set(err, ret, "%s: %s", from, strerror(-ret));
	out = fopen(to, "w");
	if (!out || fwrite(text, 1, bytes, out) != bytes || fclose(out) != 0)
		ret = err_set(err, -errno, "%s: %s", to, strerror(errno));
	free(text);
	return ret;
}

/*
 * The size of them all; ends the program where one cannot be written. Only
 * N_DIFFERENT are written with care for the disk, which takes its time.
 */
static double write_files(const char *folder, int n)
{
	double bytes = 0;

	for (int i = 0; i < n; i++) {
		char *path = path_of(folder, i), *like = path_of(folder, i % N_DIFFERENT);
		struct err err = { "" };
		struct stat st;

		if ((i < N_DIFFERENT ? write_result(path, &err)
				     : copy_file(like, path, &err)) < 0 ||
			stat(path, &st) < 0) {
			fprintf(stderr, "compare-many: %s\n", err.text);
			exit(2);
		}
		bytes += (double)st.st_size;
		free(path);
		free(like);
	}
	return bytes;
}

static struct record *load(const char *folder, int number)
{
	char *path = path_of(folder, number);
	struct record *r = NULL;
	struct err err;

	if (record_load(path, &r, &err) < 0) {
		fprintf(stderr, "compare-many: %s\n", err.text);
		_exit(2);
	}
	free(path);
	return r;
}

/* Every step-th file from first on. Exits. */
static void compare_files(const char *folder, int first, int step, int n)
{
	struct record *base = load(folder, 0);

	for (int i = first; i < n; i += step) {
		struct record *cand = load(folder, i);
		struct comparison *c;

		if (compare_records(base, cand, &(struct compare_options){ 0 }, &c) < 0 ||
			!c->comparable || c->n_paired != (size_t)N_RUNS * N_METRICS) {
			fprintf(stderr,
				"compare-many: file %d is not compared as it was "
				"written\n",
				i);
			_exit(1);
		}
		comparison_free(c);
		record_free(cand);
	}
	record_free(base);
	_exit(0);
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

static int report(int n, int n_processes, double bytes, double elapsed_s)
{
	struct rusage used;
	double cpu_s;

	getrusage(RUSAGE_CHILDREN, &used);
	cpu_s = seconds(&used.ru_utime) + seconds(&used.ru_stime);
	printf("%d files of %.1f KB read and compared by %d processes: %.2f s (%.2f s of CPU: "
	       "%.2f s on each of %d), at most %ld KB of memory in each\n",
		n, bytes / 1000 / n, n_processes, elapsed_s, cpu_s, cpu_s / LIMIT_CPUS,
		LIMIT_CPUS, used.ru_maxrss);
	if (cpu_s / LIMIT_CPUS <= LIMIT_S)
		return 0;
	fprintf(stderr, "compare-many: more than %d s on each of %d CPUs\n", LIMIT_S,
		LIMIT_CPUS);
	return 1;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0, failed = 0, status;
	int n_processes = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
	double bytes, start;

	if (n < 1 || n_processes < 1) {
		fputs("Usage: compare-many FOLDER FILES PROCESSES\n", stderr);
		return 2;
	}
	bytes = write_files(argv[1], n);
	start = now_s();
	for (int i = 0; i < n_processes; i++) {
		pid_t pid = fork();

		if (pid == 0)
			compare_files(argv[1], i, n_processes, n);
		if (pid < 0)
			return 2;
	}
	while (wait(&status) > 0)
		failed |= status;
	if (failed)
		return 1;
	return report(n, n_processes, bytes, now_s() - start);
}
