// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/perf_parts.h"

#include <errno.h>
#include <perf/core.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/mem.h"

static int silent(enum libperf_print_level level, const char *fmt, va_list args)
{
	(void)level;
	(void)fmt;
	(void)args;
	return 0;
}

void perf_start_library(void)
{
	libperf_init(silent);
}

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* Frees it. */
static char *explain_paranoid(char *paranoid)
{
	char *text = mem_format("perf_event_paranoid is %s: run as root, or "
				"sysctl kernel.perf_event_paranoid=1",
		paranoid);

	free(paranoid);
	return text;
}

/* Someone else has the PMU, or the one counter that can count it. */
static char *explain_busy(const char *root)
{
	char *watchdog;
	bool on = false;

	if (file_read_line(root, "/proc/sys/kernel/nmi_watchdog", &watchdog) == 0) {
		on = strcmp(watchdog, "1") == 0;
		free(watchdog);
	}
	return mem_text(
		on ? "the NMI watchdog has taken its counter "
		     "(/proc/sys/kernel/nmi_watchdog is 1): sysctl "
		     "kernel.nmi_watchdog=0"
		   : "another program has taken the PMU: end it (perf, a profiler, a "
		     "hypervisor)");
}

char *perf_explain(const char *root, int code)
{
	char *paranoid;

	switch (-code) {
	case EACCES:
	case EPERM:
		if (file_read_line(root, PARANOID, &paranoid) < 0)
			return mem_text("no right to open it: run as root");
		return explain_paranoid(paranoid);
	case EBUSY:
		return explain_busy(root);
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
	case EINVAL:
		return mem_text(
			"this CPU offers no such counter (usual in a virtual machine)");
	case ENOSYS:
		return mem_text("this kernel has no CONFIG_PERF_EVENTS");
	case EMFILE:
		return mem_text("the limit of open files is too low: raise ulimit -n");
	default:
		return mem_format("perf_event_open: %s", strerror(-code));
	}
}

uint64_t perf_file_limit(uint64_t now, uint64_t most, size_t more)
{
	const uint64_t wanted = (uint64_t)more + PERF_FILES_BESIDE;

	if (now >= wanted)
		return now;
	return wanted < most ? wanted : most;
}

void perf_raise_file_limit(size_t more)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	limit.rlim_cur = perf_file_limit(limit.rlim_cur, limit.rlim_max, more);
	setrlimit(RLIMIT_NOFILE, &limit);
}
