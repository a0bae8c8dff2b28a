// SPDX-License-Identifier: GPL-2.0-or-later
#include "boots/sysctls.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

/* As one line of words: files with several numbers print tabs between them. */
static int read_value(
	const char *root, const struct job_sysctl *s, char **ret, struct err *err)
{
	char *path = job_sysctl_path(s->name);
	const int code = file_read_line(root, path, ret);

	free(path);
	if (code < 0)
		return err_set(err, code, "sysctl %s: %s", s->name, strerror(-code));
	for (char *c = *ret; *c; c++)
		if (*c == '\t')
			*c = ' ';
	return 0;
}

static int set(const char *root, const struct job_sysctl *s, struct err *err)
{
	char *relative = job_sysctl_path(s->name), *now;
	char *path = mem_format("%s%s", root, relative);
	int code = file_poke(path, s->value);

	free(path);
	free(relative);
	if (code < 0)
		return err_set(err, code, "sysctl %s: %s", s->name, strerror(-code));
	code = read_value(root, s, &now, err);
	if (code < 0)
		return code;
	if (strcmp(now, s->value) != 0)
		code = err_set(err, -EIO, "sysctl %s: wrote %s and read back %s", s->name,
			s->value, now);
	free(now);
	return code;
}

static bool has_name(const struct job_sysctls *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->items[i].name, name) == 0)
			return true;
	return false;
}

int sysctls_set(const char *root, const struct job_sysctls *s,
	struct job_sysctls *ret_before, struct err *err)
{
	struct job_sysctls before = { 0 };
	int code = 0;

	for (size_t i = 0; i < s->count && code == 0; i++) {
		const struct job_sysctl *one = &s->items[i];
		char *was;

		code = read_value(root, one, &was, err);
		if (code < 0)
			break;
		/* Of one that is set twice, the first tells how it was. */
		if (!has_name(&before, one->name))
			job_add_sysctl(&before, one->name, was);
		free(was);
		code = set(root, one, err);
	}
	if (code == 0)
		*ret_before = before;
	else
		job_sysctls_clear(&before);
	return code;
}
