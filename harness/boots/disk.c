// SPDX-License-Identifier: GPL-2.0-or-later
#include "boots/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/process.h"

/* What the file system takes for itself: inodes, bitmaps, a journal. */
#define OWN_BYTES ((uint64_t)64 << 20)

/* It is where root looks for it, which others may not. */
static int find_mke2fs(char **ret, struct err *err)
{
	static const char *const names[] = { "mke2fs", "/usr/sbin/mke2fs", "/sbin/mke2fs" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (process_find(names[i], ret) == 0)
			return 0;
	return err_set(err, -ENOENT,
		"mke2fs, which makes a guest's disk, was not found: install the package "
		"e2fsprogs");
}

static int copy(const char *from, const char *to)
{
	const int in = open(from, O_RDONLY | O_CLOEXEC);
	const int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	ssize_t done = -1;
	int ret;

	if (in >= 0 && out >= 0)
		while ((done = copy_file_range(in, NULL, out, NULL, 1 << 30, 0)) > 0)
			;
	ret = done < 0 ? -errno : 0;
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

static int add_file(const char *folder, const char *path, uint64_t *bytes, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char *to = mem_format("%s/%s", folder, slash ? slash + 1 : path);
	struct stat st;
	int ret = stat(path, &st) < 0 ? -errno : 0;

	if (ret == 0 && !S_ISREG(st.st_mode)) {
		err_set(err, -EINVAL, "%s: is no regular file", path);
		free(to);
		return -EINVAL;
	}
	if (ret == 0 && link(path, to) < 0)
		ret = -errno;
	/* Another disk, or a file that may be read and not linked. */
	if (ret == -EXDEV || ret == -EPERM || ret == -EMLINK)
		ret = copy(path, to);
	if (ret < 0)
		err_set(err, ret, "%s: cannot be put on a guest's disk: %s", path,
			strerror(-ret));
	else
		*bytes += (uint64_t)st.st_size;
	free(to);
	return ret;
}

static void remove_folder(const char *folder, const char *const *files)
{
	for (; *files; files++) {
		const char *slash = strrchr(*files, '/');
		char *path = mem_format("%s/%s", folder, slash ? slash + 1 : *files);

		unlink(path);
		free(path);
	}
	rmdir(folder);
}

static int format(const char *program, const char *path, const char *folder, uint64_t bytes,
	struct err *err)
{
	char *size = mem_format("%lluk", (unsigned long long)(bytes >> 10)), *said = NULL;
	const char *const argv[] = { program, "-q", "-F", "-t", "ext4", "-m", "0", "-d",
		folder, path, size, NULL };
	const struct process_spec spec = { .argv = argv };
	struct err why;
	int ret;

	unlink(path);
	ret = process_capture(&spec, &said, &why);
	if (ret < 0) {
		for (char *c = said; c && *c; c++)
			*c = *c == '\n' ? ' ' : *c;
		err_set(err, ret, "%s: the guest's disk cannot be made: %.300s %.300s",
			path, why.text, said ? said : "");
	}
	free(said);
	free(size);
	return ret;
}

int disk_make(const char *path, const struct disk_plan *plan, struct err *err)
{
	char *folder = mem_format("%s.d", path), *program = NULL;
	uint64_t bytes = 0;
	int ret = find_mke2fs(&program, err);

	if (ret == 0 && mkdir(folder, 0700) < 0 && errno != EEXIST)
		ret = err_set(err, -errno, "%s: %s", folder, strerror(errno));
	for (size_t i = 0; plan->files[i] && ret == 0; i++)
		ret = add_file(folder, plan->files[i], &bytes, err);
	/* A twentieth more: extents, and rounding up to blocks. */
	bytes += plan->free_bytes;
	bytes += bytes / 20 + OWN_BYTES;
	if (ret == 0)
		ret = format(program, path, folder, bytes, err);
	remove_folder(folder, plan->files);
	free(program);
	free(folder);
	return ret;
}
