// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/record_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "verdicts/compare_pair.h"

/* The newest *.json of a folder by its time, then its name; NULL: there is none. */
static char *newest_result(const char *folder)
{
	DIR *dir = opendir(folder);
	struct timespec newest = { 0 };
	struct dirent *entry;
	char *best = NULL;

	while (dir && (entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');
		char *path = mem_format("%s/%s", folder, entry->d_name);
		struct stat st;
		long order = 0;

		if (dot && strcmp(dot, ".json") == 0 && stat(path, &st) == 0 &&
			S_ISREG(st.st_mode)) {
			order = st.st_mtim.tv_sec != newest.tv_sec
					? st.st_mtim.tv_sec - newest.tv_sec
					: st.st_mtim.tv_nsec - newest.tv_nsec;
			if (!best || order > 0 || (order == 0 && strcmp(path, best) > 0)) {
				free(best);
				best = path;
				newest = st.st_mtim;
				continue;
			}
		}
		free(path);
	}
	if (dir)
		closedir(dir);
	return best;
}

/* The folder of a shootdown ab: it has a result of each side, and neither is it. */
static bool is_experiment(const char *folder)
{
	char *path = mem_format("%s/manifest.json", folder);
	bool is = access(path, F_OK) == 0;

	free(path);
	return is;
}

int record_find(const char *path, char **ret, struct err *err)
{
	struct stat st;
	char *file;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)) {
		*ret = mem_text(path);
		return 0;
	}
	if (is_experiment(path))
		return err_set(err, -EINVAL,
			"%s: an experiment: give %s/base.json or %s/cand.json", path, path,
			path);
	file = newest_result(path);
	if (!file)
		return err_set(err, -ENOENT, "%s: no *.json in this folder", path);
	*ret = file;
	return 0;
}

/* How many results are opened in search of another machine's. */
#define OTHERS_MAX 20

static int is_result(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && strcmp(dot, ".json") == 0;
}

/* A key of the identity that the other has otherwise, or not at all; or NULL. */
static const char *other_key(const struct fields *a, const struct fields *b)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct field *f = fields_find(b, a->items[i].name);

		if (!f || !field_equal(&a->items[i], f))
			return a->items[i].name;
	}
	return NULL;
}

static int check_other(
	const char *path, const char *file, const struct record *r, struct err *err)
{
	struct record *other;
	const char *key;
	int ret = 0;

	if (record_load(path, &other, NULL) < 0)
		return 0;
	key = other_key(&r->identity, &other->identity);
	if (key)
		ret = err_set(err, -ESTALE,
			"%s: the folder also holds results of another machine or set-up: %s differs in "
			"%s",
			file, path, key);
	record_free(other);
	return ret;
}

int record_find_others(const char *file, const struct record *r, struct err *err)
{
	const char *slash = strrchr(file, '/');
	char *folder =
		mem_format("%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
	struct dirent **entries;
	const int n = scandir(folder, &entries, is_result, alphasort);
	int ret = 0;

	for (int i = n - 1; i >= 0; i--) {
		char *path = mem_format("%s/%s", folder, entries[i]->d_name);

		if (ret == 0 && n - i <= OTHERS_MAX)
			ret = check_other(path, file, r, err);
		free(path);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	free(folder);
	return ret;
}
