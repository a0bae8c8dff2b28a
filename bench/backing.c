// SPDX-License-Identifier: GPL-2.0-or-later
#include "backing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <unistd.h>

const char *const backing_names[] = { "anon", "shm", "file", "rofile", NULL };

bool backing_is_file(enum backing backing)
{
	return backing == BACKING_FILE || backing == BACKING_ROFILE;
}

static int skip_file(struct bench *b, const char *folder, const char *why)
{
	char reason[200];

	snprintf(reason, sizeof(reason), "no file can be made in %.100s: %s", folder, why);
	return bench_skip(b, reason, "set TMPDIR to a folder on a disk");
}

uint64_t backing_disk(const struct bench *b)
{
	return backing_is_file((enum backing)bench_param(b, "kind"))
		       ? bench_param(b, "size")
		       : 0;
}

static const char *file_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/var/tmp";
}

static int skip_full(struct bench *b, uint64_t bytes)
{
	char reason[200];

	snprintf(reason, sizeof(reason), "no room for files of %llu MiB in %.100s",
		(unsigned long long)(bytes >> 20), file_folder());
	return bench_skip(b, reason,
		"give a smaller size, or set TMPDIR to a folder on a disk with more room");
}

int backing_need_room(struct bench *b, uint64_t bytes)
{
	struct statfs fs;

	/* What cannot be found out here, opening a file will tell. */
	if (statfs(file_folder(), &fs) < 0 ||
		bytes / (uint64_t)fs.f_bsize < (uint64_t)fs.f_bavail)
		return 0;
	return skip_full(b, bytes);
}

int backing_open_file(struct bench *b, size_t bytes)
{
	const char *folder = file_folder();
	struct statfs fs;
	int fd, ret;

	if (statfs(folder, &fs) < 0)
		return skip_file(b, folder, strerror(errno));
	/* Its pages would be swapped, as those of shm. */
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC)
		return skip_file(b, folder, "it is in memory, not on a disk");
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return skip_file(b, folder, strerror(errno));
	/* Room is found now: a full disk would be a signal later. */
	ret = posix_fallocate(fd, 0, (off_t)bytes);
	if (ret == 0)
		return fd;
	close(fd);
	if (ret == ENOSPC)
		return skip_full(b, bytes);
	return bench_fail(
		b, -ret, "a file of %zu bytes in %s: %s", bytes, folder, strerror(ret));
}

int backing_open_again(struct bench *b, int fd, int flags)
{
	char path[32];
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, flags | O_CLOEXEC);
	if (again < 0)
		return bench_fail(
			b, -errno, "cannot open a file again: %s", strerror(errno));
	return again;
}

/* A huge page would be one unmap for hundreds of pages. */
static int keep_small(struct bench *b, unsigned char *memory, size_t bytes)
{
	if (madvise(memory, bytes, MADV_NOHUGEPAGE) < 0 && errno != EINVAL)
		return bench_fail(b, -errno, "MADV_NOHUGEPAGE: %s", strerror(errno));
	return 0;
}

static int map(
	struct bench *b, int fd, int prot, int flags, size_t bytes, unsigned char **ret)
{
	unsigned char *memory = mmap(NULL, bytes, prot, flags, fd, 0);
	int status;

	if (memory == MAP_FAILED)
		return bench_fail(
			b, -errno, "mmap of %zu bytes: %s", bytes, strerror(errno));
	status = keep_small(b, memory, bytes);
	if (status < 0)
		munmap(memory, bytes);
	else
		*ret = memory;
	return status;
}

static int map_filled(struct bench *b, int fd, int flags, size_t bytes, unsigned char **ret)
{
	int status = map(b, fd, PROT_READ | PROT_WRITE, flags, bytes, ret);

	if (status < 0)
		return status;
	bench_pattern_fill(b, *ret, bytes);
	if (fd < 0 || msync(*ret, bytes, MS_SYNC) == 0)
		return 0;
	status = bench_fail(b, -errno, "msync: %s", strerror(errno));
	munmap(*ret, bytes);
	return status;
}

/* Maps a file anew, for reading only; of what it was written by, nothing is left. */
static int map_again(struct bench *b, int *fd, size_t bytes, unsigned char **ret)
{
	const int again = backing_open_again(b, *fd, O_RDONLY);
	int status;

	if (again < 0)
		return again;
	close(*fd);
	*fd = again;
	status = map(b, again, PROT_READ, MAP_SHARED, bytes, ret);
	if (status == 0)
		bench_read_pages(*ret, bytes, b->page_bytes);
	return status;
}

static int map_file(
	struct bench *b, enum backing backing, size_t bytes, unsigned char **ret)
{
	int fd = backing_open_file(b, bytes), status;

	if (fd < 0)
		return fd;
	status = map_filled(b, fd, MAP_SHARED, bytes, ret);
	if (status == 0 && backing == BACKING_ROFILE) {
		munmap(*ret, bytes);
		status = map_again(b, &fd, bytes, ret);
	}
	close(fd);
	return status;
}

int backing_map(struct bench *b, enum backing backing, size_t bytes, unsigned char **ret)
{
	unsigned char *memory = NULL;
	int status;

	if (backing_is_file(backing))
		status = map_file(b, backing, bytes, &memory);
	else
		status = map_filled(b, -1,
			MAP_ANONYMOUS | (backing == BACKING_SHM ? MAP_SHARED : MAP_PRIVATE),
			bytes, &memory);
	if (status == 0)
		*ret = memory;
	return status;
}
