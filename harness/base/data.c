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

/* The folder of the executable. */
static int own_folder(char *dir, size_t room)
{
	const ssize_t length = readlink("/proc/self/exe", dir, room - 1);

	if (length < 0)
		return -ENOENT;
	dir[length] = '\0';
	*strrchr(dir, '/') = '\0';
	return 0;
}

int data_path(const char *relative, char **ret)
{
	const char *root = getenv("SHOOTDOWN_DATA");
	char dir[PATH_MAX];
	int code;

	if (root)
		return found_in(root, "", relative, ret);
	code = own_folder(dir, sizeof(dir));
	if (code < 0)
		return code;
	code = found_in(dir, "/../share/shootdown", relative, ret);
	for (int i = 0; code < 0 && i < LEVELS_UP && *dir; i++) {
		*strrchr(dir, '/') = '\0';
		code = found_in(dir, "", relative, ret);
	}
	return code;
}

int data_program(const char *name, char **ret)
{
	char dir[PATH_MAX];
	int code = own_folder(dir, sizeof(dir));

	if (code == 0)
		code = found_in(dir, "", name, ret);
	return code == 0 || !*dir ? code
				  : found_in(dir, "/../libexec/shootdown", name, ret);
}
