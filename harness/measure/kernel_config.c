// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/mem.h"

#define CONFIG_MAX_BYTES (16u << 20)

/* gzread passes on as it is what is not compressed. */
static int read_maybe_packed(const char *path, char **ret_text)
{
	gzFile file;
	char *text;
	int got;

	errno = 0;
	file = gzopen(path, "rbe");
	if (!file)
		return errno ? -errno : -ENOMEM;
	text = malloc(CONFIG_MAX_BYTES + 1);
	got = text ? gzread(file, text, CONFIG_MAX_BYTES) : -1;
	/* gzclose also tells of a stream that was cut short. */
	if (gzclose(file) != Z_OK || got < 0) {
		free(text);
		return -EBADMSG;
	}
	text[got] = '\0';
	*ret_text = mem_text(text);
	free(text);
	return 0;
}

int kernel_config_read(const char *root, char **ret_text, char **ret_source)
{
	char *release, *source = mem_text("/proc/config.gz");
	char *path = mem_format("%s%s", root, source);
	int r = read_maybe_packed(path, ret_text);

	if (r == -ENOENT &&
		file_read_line(root, "/proc/sys/kernel/osrelease", &release) == 0) {
		free(source);
		free(path);
		source = mem_format("/boot/config-%s", release);
		path = mem_format("%s%s", root, source);
		free(release);
		r = read_maybe_packed(path, ret_text);
	}
	free(path);
	if (r < 0 || !ret_source)
		free(source);
	else
		*ret_source = source;
	return r;
}

char kernel_config_find(const char *text, const char *symbol)
{
	size_t length = strlen(symbol);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, symbol, length) == 0 && line[length] == '=' &&
			(line[length + 1] == 'y' || line[length + 1] == 'm'))
			return line[length + 1];
	}
	return 'n';
}
