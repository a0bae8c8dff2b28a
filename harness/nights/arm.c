// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/arm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "boots/job.h"
#include "nights/watchdog.h"

#define GRACE_MS 5000
#define PING_MS 5000

static int set_sysctl(const char *word, struct err *err)
{
	char *copy = mem_text(word), *value = strchr(copy, '='), *path, *now = NULL;
	int code;

	*value++ = '\0';
	path = job_sysctl_path(copy);
	code = file_poke(path, value);
	if (code == 0)
		code = file_read_line("", path, &now);
	if (code < 0)
		err_set(err, code, "sysctl %s: %s", copy, strerror(-code));
	else if (strcmp(now, value) != 0)
		code = err_set(err, -EIO, "sysctl %s: wrote %s and read back %s", copy,
			value, now);
	free(now);
	free(path);
	free(copy);
	return code;
}

static int set_sysctls(const struct words *sysctls, struct err *err)
{
	int code = 0;

	for (size_t i = 0; i < sysctls->count && code == 0; i++)
		code = set_sysctl(sysctls->items[i], err);
	return code;
}

/* A service that cannot be stopped would disturb every sample. */
static int stop_service(const char *name, struct err *err)
{
	const char *const stop[] = { "systemctl", "stop", name, NULL };
	const char *const ask[] = { "systemctl", "is-active", "--quiet", name, NULL };
	const struct process_spec stopping = { .argv = stop }, asking = { .argv = ask };
	int code = process_run(&stopping, NULL, err);

	if (code == 0 && process_run(&asking, NULL, NULL) == 0)
		code = err_set(err, -EBUSY, "service %s is still active", name);
	return code;
}

/* As process_wait(), for the machine's deadline, and pings. */
static int wait_pinging(const struct machine_file *m, struct process *p, int watchdog,
	const volatile sig_atomic_t *stop, int *ret_status)
{
	uint64_t left_ms = m->deadline_s * 1000;
	int code = -ETIMEDOUT;

	while (code == -ETIMEDOUT && left_ms) {
		const uint64_t slice_ms = left_ms < PING_MS ? left_ms : PING_MS;

		watchdog_ping(watchdog);
		code = process_wait(p, (int)slice_ms, stop, ret_status);
		left_ms -= slice_ms;
	}
	return code;
}

/* The command, as an argument vector. */
static void add_words_of_run(
	const struct machine_file *m, const char *result, struct words *to)
{
	const char *const pairs[][2] = { { "--governor", m->governor }, { "--thp", m->thp },
		{ "--suite", m->workloads.count ? NULL : m->suite }, { "-o", result } };

	words_add(to, "/proc/self/exe");
	words_add(to, "run");
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (!pairs[i][1])
			continue;
		words_add(to, pairs[i][0]);
		words_add(to, pairs[i][1]);
	}
	for (size_t i = 0; i < m->workloads.count; i++)
		words_add(to, m->workloads.items[i]);
	to->items = mem_resize(to->items, to->count + 1, sizeof(*to->items));
	to->items[to->count] = NULL;
}

static int run_suite(const struct machine_file *m, const char *result, int watchdog,
	const volatile sig_atomic_t *stop, struct err *err)
{
	char *log = mem_format("%s.log", result), *how;
	struct words words = { 0 };
	struct process_spec spec = { .log = log };
	struct process *p;
	int status = 0, code;

	add_words_of_run(m, result, &words);
	spec.argv = (const char *const *)words.items;
	code = process_start(&spec, &p, err);
	words_clear(&words);
	free(log);
	if (code < 0)
		return code;
	code = wait_pinging(m, p, watchdog, stop, &status);
	if (code == -ETIMEDOUT)
		err_set(err, code, "not measured within %llu s",
			(unsigned long long)m->deadline_s);
	else if (code < 0)
		err_set(err, code, "stopped");
	if (code < 0)
		process_stop(p, GRACE_MS, NULL);
	process_free(p);
	if (code == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
		how = process_describe(status);
		code = err_set(err, -ECHILD, "shootdown run: %s; %s.log has the rest", how,
			result);
		free(how);
	}
	return code;
}

int night_measure(const struct machine_file *m, const struct night_image *image,
	const char *result, int watchdog, const volatile sig_atomic_t *stop,
	struct err *err)
{
	int code = set_sysctls(&m->sysctls, err);

	if (code == 0)
		code = set_sysctls(&image->sysctls, err);
	for (size_t i = 0; i < m->services.count && code == 0; i++)
		code = stop_service(m->services.items[i], err);
	unlink(result);
	return code == 0 ? run_suite(m, result, watchdog, stop, err) : code;
}
