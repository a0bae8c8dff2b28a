// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/meminfo.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

int meminfo_find(const char *text, const char *name, uint64_t *ret_bytes)
{
	const size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		uint64_t value;
		char *end;

		line += *line == '\n';
		if (strncmp(line, name, length) != 0 || line[length] != ':')
			continue;
		line += length + 1;
		line += strspn(line, " \t");
		if (!isdigit((unsigned char)*line))
			return -EINVAL;
		errno = 0;
		value = strtoull(line, &end, 10);
		if (errno || value > UINT64_MAX / 1024 || strncmp(end, " kB", 3) != 0)
			return -EINVAL;
		*ret_bytes = value * 1024;
		return 0;
	}
	return -ENODATA;
}

int meminfo_read(const char *root, const char *name, uint64_t *ret_bytes)
{
	char *text;
	int ret = file_read(root, "/proc/meminfo", &text, NULL);

	if (ret < 0)
		return ret;
	ret = meminfo_find(text, name, ret_bytes);
	free(text);
	return ret;
}
