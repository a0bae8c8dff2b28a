// SPDX-License-Identifier: GPL-2.0-or-later
#include "paged_out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int page_out(struct bench *b, void *memory, size_t bytes)
{
	if (madvise(memory, bytes, MADV_PAGEOUT) == 0)
		return 0;
	if (errno == EINVAL)
		return bench_skip(
			b, "this kernel has no MADV_PAGEOUT", "use Linux 5.4 or later");
	return bench_fail(b, -errno, "MADV_PAGEOUT: %s", strerror(errno));
}

int64_t paged_in_count(struct bench *b, void *memory, size_t bytes)
{
	const size_t pages = bytes / b->page_bytes;
	unsigned char *resident = malloc(pages);
	int64_t count = 0;

	if (!resident)
		return bench_fail(b, -ENOMEM, "no memory");
	if (mincore(memory, bytes, resident) < 0)
		count = bench_fail(b, -errno, "mincore: %s", strerror(errno));
	for (size_t i = 0; count >= 0 && i < pages; i++)
		count += resident[i] & 1;
	free(resident);
	return count;
}

int paged_out_check(struct bench *b, void *memory, size_t bytes, uint64_t asked, bool clean)
{
	const uint64_t pages = bytes / b->page_bytes;
	const int64_t in = paged_in_count(b, memory, bytes);
	uint64_t written, read;
	int ret;

	if (in < 0)
		return (int)in;
	if (!bench_enough(pages - (uint64_t)in, pages))
		return bench_fail(b, -EIO, "%lld of %llu pages are still resident",
			(long long)in, (unsigned long long)pages);
	ret = b->vmstat_delta(b, "pswpout", &written);
	if (ret < 0)
		return bench_fail(
			b, ret, "no pswpout in /proc/vmstat to prove the page-out");
	if (bench_enough(written, asked))
		return 0;
	if (clean && b->vmstat_delta(b, "pswpin", &read) == 0 && bench_enough(read, asked))
		return 0;
	return bench_fail(b, -EIO, "only %llu of %llu pages were written to swap (pswpout)",
		(unsigned long long)written, (unsigned long long)asked);
}
