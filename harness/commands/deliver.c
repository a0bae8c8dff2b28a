// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/deliver.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

int deliver(const char *path, const char *text, struct err *err)
{
	int ret;

	if (!path) {
		if (fputs(text, stdout) < 0 || fflush(stdout) != 0)
			return err_set(err, -errno, "%s", strerror(errno));
		return 0;
	}
	ret = file_replace(path, text, strlen(text));
	if (ret < 0)
		return err_set(err, ret, "%s: %s", path, strerror(-ret));
	return 0;
}
