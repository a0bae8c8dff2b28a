// SPDX-License-Identifier: GPL-2.0-or-later
#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MAX_BYTES ((size_t)1 << 30)

static int read_all(int fd, char **ret_text, size_t *ret_bytes)
{
	size_t room = 16384, used = 0;
	char *text = malloc(room);
	ssize_t got;

	if (!text)
		return -ENOMEM;
	while ((got = read(fd, text + used, room - used - 1)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || used + (size_t)got > READ_MAX_BYTES) {
			int ret = got < 0 ? -errno : -EFBIG;

			free(text);
			return ret;
		}
		used += (size_t)got;
		if (room - used < 2) {
			char *more = realloc(text, room * 2);

			if (!more) {
				free(text);
				return -ENOMEM;
			}
			text = more;
			room *= 2;
		}
	}
	text[used] = '\0';
	*ret_text = text;
	if (ret_bytes)
		*ret_bytes = used;
	return 0;
}

int file_read(const char *dir, const char *path, char **ret_text, size_t *ret_bytes)
{
	char full[PATH_MAX];
	int fd, ret;

	if (snprintf(full, sizeof(full), "%s%s", dir, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	ret = read_all(fd, ret_text, ret_bytes);
	close(fd);
	return ret;
}

int file_read_line(const char *dir, const char *path, char **ret_text)
{
	char *text = NULL;
	size_t bytes = 0;
	int ret = file_read(dir, path, &text, &bytes);

	if (ret < 0)
		return ret;
	while (bytes > 0 && isspace((unsigned char)text[bytes - 1]))
		text[--bytes] = '\0';
	*ret_text = text;
	return 0;
}

static int write_all(int fd, const char *data, size_t bytes)
{
	while (bytes > 0) {
		ssize_t put = write(fd, data, bytes);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -errno;
		data += put;
		bytes -= (size_t)put;
	}
	return 0;
}

/* Into what is there: a device, a pipe. */
static int write_into(const char *path, const char *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), ret;

	if (fd < 0)
		return -errno;
	ret = write_all(fd, data, bytes);
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

int file_replace(const char *path, const char *data, size_t bytes)
{
	char temp[PATH_MAX];
	struct stat st;
	int fd, ret;

	/* /dev/stdout may lead to a regular file, and is to stay where it is. */
	if (strncmp(path, "/dev/", strlen("/dev/")) == 0 ||
		(stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return write_into(path, data, bytes);

	if (snprintf(temp, sizeof(temp), "%s.XXXXXX", path) >= (int)sizeof(temp))
		return -ENAMETOOLONG;
	fd = mkostemp(temp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write_all(fd, data, bytes);
	if (ret == 0 && (fchmod(fd, 0644) < 0 || fsync(fd) < 0))
		ret = -errno;
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	if (ret == 0 && rename(temp, path) < 0)
		ret = -errno;
	if (ret < 0)
		unlink(temp);
	return ret;
}

int file_poke(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	return ret;
}

int file_make_dirs(const char *path)
{
	char part[PATH_MAX];
	size_t length = strlen(path);

	if (length >= sizeof(part))
		return -ENAMETOOLONG;
	memcpy(part, path, length + 1);
	for (size_t i = 1; i <= length; i++) {
		if (part[i] != '/' && part[i] != '\0')
			continue;
		part[i] = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return -errno;
		part[i] = i < length ? '/' : '\0';
	}
	return 0;
}
