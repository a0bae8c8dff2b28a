// SPDX-License-Identifier: GPL-2.0-or-later
#include "tlb_misses.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int tlb_misses_open(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HW_CACHE,
		.config = PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 |
			  PERF_COUNT_HW_CACHE_RESULT_MISS << 16,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.read_format =
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	const long fd = syscall(
		SYS_perf_event_open, &attr, 0, -1, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int tlb_misses_read(int fd, uint64_t *ret)
{
	struct {
		uint64_t count, enabled_ns, running_ns;
	} now;

	if (read(fd, &now, sizeof(now)) != sizeof(now))
		return -EIO;
	if (now.running_ns == 0)
		return -ENODATA;
	*ret = (uint64_t)((double)now.count * (double)now.enabled_ns /
			  (double)now.running_ns);
	return 0;
}
