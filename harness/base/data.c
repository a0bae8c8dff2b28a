// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/data.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define LEVELS_UP 3

static int found_in(const char *dir, const char *below, const char *relative, char **ret)
{
	char *path = mem_format("%s%s/%s", dir, below, relative);

	if (access(path, F_OK) == 0) {
		*ret = path;
		return 0;
	}
	free(path);
	return -ENOENT;
}

int data_path(const char *relative, char **ret)
{
	const char *root = getenv("SHOOTDOWN_DATA");
	char dir[PATH_MAX];
	ssize_t length;
	int code;

	if (root)
		return found_in(root, "", relative, ret);
	length = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	if (length < 0)
		return -ENOENT;
	dir[length] = '\0';
	*strrchr(dir, '/') = '\0';
	code = found_in(dir, "/../share/shootdown", relative, ret);
	for (int i = 0; code < 0 && i < LEVELS_UP && *dir; i++) {
		*strrchr(dir, '/') = '\0';
		code = found_in(dir, "", relative, ret);
	}
	return code;
}
