// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

char *setting_chosen(const char *text)
{
	const char *start = strchr(text, '['), *end = start ? strchr(start, ']') : NULL;

	return end ? mem_format("%.*s", (int)(end - start - 1), start + 1) : mem_text(text);
}

int setting_read(const char *root, const char *path, char **ret_value)
{
	char *text;
	int r = file_read_line(root, path, &text);

	if (r < 0)
		return r;
	*ret_value = setting_chosen(text);
	free(text);
	return 0;
}
