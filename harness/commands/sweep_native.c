// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown sweep: on the running kernel. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/progress.h"
#include "commands/sweep_parts.h"
#include "measure/session.h"

static bool is_interrupted(void *arg)
{
	(void)arg;
	return interrupted != 0;
}

static void show_progress(void *arg, double done, const char *what)
{
	progress_show(arg, done, "%s", what);
}

static int make_folder(const char *folder, struct err *err)
{
	const int ret = file_make_dirs(folder);

	return ret < 0 ? err_set(err, ret, "%s: %s: give another folder with -o", folder,
				 strerror(-ret))
		       : 0;
}

static int measure(const struct sweep_arguments *a, struct record *record, struct err *err)
{
	struct progress progress;
	struct session_options options = session_preset;
	struct session *s;
	int ret;

	if (a->ab.n_samples)
		options.n_samples = a->ab.n_samples;
	if (a->ab.time_ns)
		options.budget_ns = a->ab.time_ns;
	options.no_profile = true; /* of many points a list of functions is too much */
	options.progress = show_progress;
	options.stop = is_interrupted;
	options.arg = &progress;
	ret = session_open(&options, &s, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < a->list.count && ret == 0; i++)
		ret = session_add(s, a->list.specs[i], err);
	if (ret == 0)
		ret = make_folder(a->ab.own_folder, err);
	progress_start(&progress);
	if (ret == 0)
		ret = session_run(s, record, err);
	progress_clear(&progress);
	session_close(s);
	return ret;
}

int sweep_native(const struct sweep_arguments *a, int *ret_code, struct err *err)
{
	struct record *record = record_new();
	char *path = mem_format("%s/result.json", a->ab.own_folder);
	int ret = measure(a, record, err);

	if ((ret == 0 || ret == -EINTR) && record->n_runs) {
		const int saved = record_save(record, path, err);

		ret = saved < 0 ? saved : ret;
	}
	if (ret == 0)
		*ret_code = sweep_report(a, record, NULL);
	free(path);
	record_free(record);
	return ret;
}
