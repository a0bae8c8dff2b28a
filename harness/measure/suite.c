// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"

#define SUITES_DIR "bench/suites"
#define SUFFIX ".suite"

void suite_parse(const char *text, struct suite *ret)
{
	char *copy = mem_text(text), *rest = NULL;
	struct suite s = { 0 };

	for (char *line = strtok_r(copy, "\n", &rest); line;
		line = strtok_r(NULL, "\n", &rest)) {
		char *spec, *inner = NULL;

		line[strcspn(line, "#")] = '\0';
		spec = strtok_r(line, " \t\r", &inner);
		if (!spec)
			continue;
		s.specs = mem_resize(s.specs, s.count + 1, sizeof(*s.specs));
		s.specs[s.count++] = mem_text(spec);
	}
	free(copy);
	*ret = s;
}

static int is_suite(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && strcmp(dot, SUFFIX) == 0;
}

char **suite_names(size_t *ret_count)
{
	struct dirent **entries;
	char *dir, **names;
	int n = data_path(SUITES_DIR, &dir);

	*ret_count = 0;
	if (n < 0)
		return NULL;
	n = scandir(dir, &entries, is_suite, alphasort);
	free(dir);
	if (n < 0)
		return NULL;
	names = mem_zeroed((size_t)n + 1, sizeof(*names));
	for (int i = 0; i < n; i++) {
		names[(*ret_count)++] = mem_format("%.*s",
			(int)(strlen(entries[i]->d_name) - strlen(SUFFIX)),
			entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return names;
}

/* "full, quick, seeds" */
static char *known_suites(void)
{
	char *all = mem_text("");
	size_t n;
	char **names = suite_names(&n);

	for (size_t i = 0; i < n; i++) {
		char *longer = mem_format("%s%s%s", all, i ? ", " : "", names[i]);

		free(all);
		free(names[i]);
		all = longer;
	}
	free(names);
	return all;
}

int suite_read(const char *name, struct suite *ret, struct err *err)
{
	char *relative = mem_format(SUITES_DIR "/%s" SUFFIX, name);
	char *path = NULL, *text = NULL, *known;
	int status = strchr(name, '/') ? -ENOENT : data_path(relative, &path);

	free(relative);
	if (status == 0) {
		status = file_read("", path, &text, NULL);
		free(path);
	}
	if (status < 0) {
		known = known_suites();
		err_set(err, status, "no suite '%s': there are %s", name,
			known[0] ? known : "none (is bench/suites installed?)");
		free(known);
		return status;
	}
	suite_parse(text, ret);
	free(text);
	return 0;
}

void suite_clear(struct suite *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->specs[i]);
	free(s->specs);
	*s = (struct suite){ 0 };
}
