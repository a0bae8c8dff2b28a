// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/perf_parts.h"

#include <errno.h>
#include <perf/core.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

char *perf_explain(int code)
{
	char *paranoid, *text;

	switch (-code) {
	case EACCES:
	case EPERM:
		if (file_read_line("", "/proc/sys/kernel/perf_event_paranoid", &paranoid) <
			0)
			return mem_text("no right to open it: run as root");
		text = mem_format("perf_event_paranoid is %s: run as root, or "
				  "sysctl kernel.perf_event_paranoid=1",
			paranoid);
		free(paranoid);
		return text;
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
