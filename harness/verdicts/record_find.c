// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/record_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

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

int record_find(const char *path, char **ret, struct err *err)
{
	struct stat st;
	char *file;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)) {
		*ret = mem_text(path);
		return 0;
	}
	file = newest_result(path);
	if (!file)
		return err_set(err, -ENOENT, "%s: no *.json in this folder", path);
	*ret = file;
	return 0;
}
