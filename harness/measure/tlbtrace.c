// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/tlbtrace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/perf_parts.h"

#ifdef __powerpc__
#define SYSTEM "powerpc"
#define EVENT "tlbie"
/* Its field local tells an instruction that stays on its CPU. */
const struct tlbtrace_kind tlbtrace_kinds[] = {
	{ "traced_tlbie", "local==0" },
	{ "traced_tlbiel", "local!=0" },
	{ NULL, NULL },
};
#else
#define SYSTEM "tlb"
#define EVENT "tlb_flush"
/* By enum tlb_flush_reason (include/linux/mm_types.h). */
const struct tlbtrace_kind tlbtrace_kinds[] = {
	{ "tlb_flush:task_switch", "reason==0" },
	{ "tlb_flush:remote_shootdown", "reason==1" },
	{ "tlb_flush:local_shootdown", "reason==2" },
	{ "tlb_flush:local_mm_shootdown", "reason==3" },
	{ "tlb_flush:remote_send_ipi", "reason==4" },
	{ "tlb_flush:remote_wrong_cpu", "reason==5" }, /* since 6.14 */
	{ NULL, NULL },
};
#endif
#define N_KINDS (sizeof(tlbtrace_kinds) / sizeof(tlbtrace_kinds[0]) - 1)

const char tlbtrace_source[] = "tracepoint " SYSTEM ":" EVENT;

struct tlbtrace {
	size_t n_fds;
	int *fds; /* by CPU, then by kind */
};

/* A descriptor of the folder tracefs/events, mounted or not. */
static int open_events_dir(void)
{
	static const char *const mounted[] = { "/sys/kernel/tracing/events",
		"/sys/kernel/debug/tracing/events" };
	int context, mount, fd;

	for (size_t i = 0; i < 2; i++) {
		fd = open(mounted[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			return fd;
	}
	context = fsopen("tracefs", FSOPEN_CLOEXEC);
	if (context < 0)
		return -errno;
	if (fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0) {
		fd = -errno;
		close(context);
		return fd;
	}
	mount = fsmount(context, FSMOUNT_CLOEXEC, 0);
	fd = mount < 0 ? -errno : openat(mount, "events", O_PATH | O_DIRECTORY | O_CLOEXEC);
	close(context);
	if (mount >= 0)
		close(mount);
	return fd;
}

static int read_id(uint64_t *ret_id, struct err *err)
{
	int dir = open_events_dir(), fd;
	char text[32];
	ssize_t got;

	if (dir < 0)
		return err_set(err, dir == -EPERM ? -EACCES : dir,
			"tracefs is not mounted and cannot be (%s): run as root, or "
			"mount -t tracefs tracefs /sys/kernel/tracing",
			strerror(-dir));
	fd = openat(dir, SYSTEM "/" EVENT "/id", O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -errno : read(fd, text, sizeof(text) - 1);
	close(dir);
	if (fd >= 0)
		close(fd);
	if (got == -EACCES)
		return err_set(err, -EACCES, "tracefs is closed to this user: run as root");
	if (got <= 0)
		return err_set(err, -ENOENT,
			"this kernel has no tracepoint " SYSTEM ":" EVENT
			" (needs CONFIG_TRACEPOINTS "
			"and an event tracer)");
	text[got] = '\0';
	*ret_id = strtoull(text, NULL, 10);
	return 0;
}

/* libperf does not export its filters, hence the bare system call. */
static int open_one(uint64_t id, int cpu, const char *filter)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_TRACEPOINT,
		.config = id,
	};
	int fd =
		(int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) < 0) {
		int ret = -errno;

		close(fd);
		return ret;
	}
	return fd;
}

static int open_all(struct tlbtrace *t, uint64_t id, const struct cpulist *cpus)
{
	perf_raise_file_limit(cpus->count * N_KINDS);
	for (size_t cpu = 0; cpu < cpus->count; cpu++) {
		for (size_t kind = 0; kind < N_KINDS; kind++) {
			const int fd =
				open_one(id, cpus->ids[cpu], tlbtrace_kinds[kind].filter);

			if (fd < 0)
				return fd;
			t->fds[t->n_fds++] = fd;
		}
	}
	return 0;
}

int tlbtrace_open(const struct cpulist *cpus, struct tlbtrace **ret, struct err *err)
{
	struct tlbtrace *t;
	uint64_t id = 0;
	int status;

#if !defined(__x86_64__) && !defined(__i386__) && !defined(__powerpc__)
	return err_set(err, -EOPNOTSUPP,
		"tlb:tlb_flush is present and never fires on this "
		"architecture, only on x86");
#endif
	status = read_id(&id, err);
	if (status < 0)
		return status;
	t = mem_zeroed(1, sizeof(*t));
	t->fds = mem_zeroed(cpus->count * N_KINDS, sizeof(*t->fds));
	status = open_all(t, id, cpus);
	if (status < 0) {
		tlbtrace_close(t);
		if (status == -EMFILE)
			return err_set(err, status,
				"the limit of open files is too low for %zu CPUs: ulimit -n %zu",
				cpus->count, cpus->count * N_KINDS + PERF_FILES_BESIDE);
		return err_set(err, status,
			"perf refuses " SYSTEM ":" EVENT " (%s): run as root",
			strerror(-status));
	}
	*ret = t;
	return 0;
}

void tlbtrace_close(struct tlbtrace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_fds; i++)
		close(t->fds[i]);
	free(t->fds);
	free(t);
}

int tlbtrace_read(const struct tlbtrace *t, uint64_t ret[TLBTRACE_KINDS_MAX])
{
	uint64_t sums[TLBTRACE_KINDS_MAX] = { 0 };

	for (size_t i = 0; i < t->n_fds; i++) {
		uint64_t count;

		if (read(t->fds[i], &count, sizeof(count)) != sizeof(count))
			return -EIO;
		sums[i % N_KINDS] += count;
	}
	memcpy(ret, sums, sizeof(sums));
	return 0;
}
