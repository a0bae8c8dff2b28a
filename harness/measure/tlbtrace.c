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
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

const char *const tlbtrace_reasons[] = {
	"task_switch",
	"remote_shootdown",
	"local_shootdown",
	"local_mm_shootdown",
	"remote_send_ipi",
	"remote_wrong_cpu", /* since 6.14 */
	NULL,
};

struct tlbtrace {
	size_t n_fds;
	int *fds; /* by CPU, then by reason */
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
	fd = openat(dir, "tlb/tlb_flush/id", O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -errno : read(fd, text, sizeof(text) - 1);
	close(dir);
	if (fd >= 0)
		close(fd);
	if (got == -EACCES)
		return err_set(err, -EACCES, "tracefs is closed to this user: run as root");
	if (got <= 0)
		return err_set(err, -ENOENT,
			"this kernel has no tracepoint tlb:tlb_flush (needs CONFIG_TRACEPOINTS "
			"and an event tracer)");
	text[got] = '\0';
	*ret_id = strtoull(text, NULL, 10);
	return 0;
}

/* libperf does not export its filters, hence the bare system call. */
static int open_one(uint64_t id, int cpu, int reason)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_TRACEPOINT,
		.config = id,
	};
	char filter[32];
	int fd =
		(int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	snprintf(filter, sizeof(filter), "reason==%d", reason);
	if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) < 0) {
		int ret = -errno;

		close(fd);
		return ret;
	}
	return fd;
}

static void raise_file_limit(size_t more)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= more + 64)
		return;
	limit.rlim_cur = more + 64 < limit.rlim_max ? more + 64 : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_all(struct tlbtrace *t, uint64_t id, const struct cpulist *cpus)
{
	raise_file_limit(cpus->count * TLBTRACE_REASONS);
	for (size_t cpu = 0; cpu < cpus->count; cpu++) {
		for (int reason = 0; reason < TLBTRACE_REASONS; reason++) {
			const int fd = open_one(id, cpus->ids[cpu], reason);

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

#if !defined(__x86_64__) && !defined(__i386__)
	return err_set(err, -EOPNOTSUPP,
		"tlb:tlb_flush is present and never fires on this "
		"architecture, only on x86");
#endif
	status = read_id(&id, err);
	if (status < 0)
		return status;
	t = mem_zeroed(1, sizeof(*t));
	t->fds = mem_zeroed(cpus->count * TLBTRACE_REASONS, sizeof(*t->fds));
	status = open_all(t, id, cpus);
	if (status < 0) {
		tlbtrace_close(t);
		if (status == -EMFILE)
			return err_set(err, status,
				"the limit of open files is too low for %zu CPUs: ulimit -n %zu",
				cpus->count, cpus->count * TLBTRACE_REASONS + 64);
		return err_set(err, status, "perf refuses tlb:tlb_flush (%s): run as root",
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

int tlbtrace_read(const struct tlbtrace *t, uint64_t ret[TLBTRACE_REASONS])
{
	uint64_t sums[TLBTRACE_REASONS] = { 0 };

	for (size_t i = 0; i < t->n_fds; i++) {
		uint64_t count;

		if (read(t->fds[i], &count, sizeof(count)) != sizeof(count))
			return -EIO;
		sums[i % TLBTRACE_REASONS] += count;
	}
	memcpy(ret, sums, sizeof(sums));
	return 0;
}
