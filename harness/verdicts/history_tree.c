// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdicts/history_tree.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "verdicts/record.h"

enum { REFERENCE, TONIGHT, REFERENCE_AGAIN, TONIGHT_AGAIN, N_FILES };

static const char *const files[N_FILES] = {
	[REFERENCE] = "reference.json",
	[TONIGHT] = "tonight.json",
	[REFERENCE_AGAIN] = "reference-confirm.json",
	[TONIGHT_AGAIN] = "tonight-confirm.json",
};

/* One night while it is read. */
struct reading_night {
	struct history *h;
	struct machine *m;
	char *path; /* of its folder */
	const char *date;
	bool newest;
	struct record *records[N_FILES]; /* NULL: not there, or no result */
};

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* In the order of their names, which are freed by free_names(). Returns how many. */
static int list(const char *folder, struct dirent ***ret)
{
	return scandir(folder, ret, is_visible, alphasort);
}

static void free_names(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	if (n >= 0)
		free(entries);
}

static bool ends_in_json(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && strcmp(dot, ".json") == 0;
}

static bool is_ours(const char *name)
{
	for (int i = 0; i < N_FILES; i++)
		if (strcmp(files[i], name) == 0)
			return true;
	return false;
}

/* A second result of the same night under another name: which counts is not ours to say. */
static void note_strangers(struct reading_night *n)
{
	struct dirent **entries;
	int count = list(n->path, &entries);

	for (int i = 0; i < count; i++)
		if (ends_in_json(entries[i]->d_name) && !is_ours(entries[i]->d_name))
			history_add_note(n->h,
				mem_format(
					"%s/%s: not read; a night is read from %s and %s "
					"only",
					n->path, entries[i]->d_name, files[REFERENCE],
					files[TONIGHT]));
	free_names(entries, count);
}

static void load_file(struct reading_night *n, int file)
{
	char *path = mem_format("%s/%s", n->path, files[file]);
	struct err err;
	int ret = record_load(path, &n->records[file], &err);

	if (ret < 0 && ret != -ENOENT) {
		history_add_note(n->h, mem_text(err.text));
		n->h->unread |= n->newest;
	}
	free(path);
}

/* The clock was wrong when this night got its name. */
static bool is_impossible(struct reading_night *n, long today)
{
	const struct field *f;
	long day = 0, built = 0;

	night_day(n->date, &day);
	f = n->records[TONIGHT] ? fields_find(&n->records[TONIGHT]->subject, "commit_time")
				: NULL;
	if (f && !f->text)
		built = (long)(f->number / 86400);
	/* A day more, as the night is named where the machine stands. */
	if (day <= today + 1 && day >= built - 1)
		return false;
	history_add_note(n->h,
		mem_format("%s: this date %s; its clock was wrong: rename it", n->path,
			day > today + 1 ? "is yet to come"
					: "is before the commit that was measured"));
	n->h->unread = true;
	return true;
}

static void add_night(struct reading_night *n, long today, const struct series_rules *rules)
{
	const struct night_results results = {
		.reference = n->records[REFERENCE],
		.tonight = n->records[TONIGHT],
		.reference_again = n->records[REFERENCE_AGAIN],
		.tonight_again = n->records[TONIGHT_AGAIN],
	};
	struct err err;

	if (is_impossible(n, today))
		return;
	if (!results.reference || !results.tonight) {
		history_add_note(n->h,
			mem_format("%s: no night: %s is missing or no result", n->path,
				files[results.reference ? TONIGHT : REFERENCE]));
		n->h->lost |= n->newest;
		return;
	}
	if (!results.reference_again != !results.tonight_again)
		history_add_note(
			n->h, mem_format("%s: half a second run: not read", n->path));
	if (machine_add_night(n->m, n->date, &results, rules, &err) < 0) {
		history_add_note(n->h, mem_format("%s: no night: %s", n->path, err.text));
		n->h->lost |= n->newest;
	}
}

/* The last entry that is a night; -1: none. */
static int newest_night(struct dirent *const *entries, int count)
{
	long day;

	while (count > 0 && !night_day(entries[count - 1]->d_name, &day))
		count--;
	return count - 1;
}

static void load_machine(struct history *h, struct machine *m, const char *folder,
	long today, const struct series_rules *rules)
{
	struct dirent **entries;
	int count = list(folder, &entries), newest = newest_night(entries, count);
	long day;

	for (int i = 0; i < count; i++) {
		struct reading_night n = { .h = h,
			.m = m,
			.path = mem_format("%s/%s", folder, entries[i]->d_name),
			.date = entries[i]->d_name,
			.newest = i == newest };

		if (!night_day(n.date, &day)) {
			history_add_note(h, mem_format("%s: not read; a night is named by "
						       "its date, as 2026-11-30",
						    n.path));
		} else {
			for (int file = 0; file < N_FILES; file++)
				load_file(&n, file);
			note_strangers(&n);
			add_night(&n, today, rules);
		}
		for (int file = 0; file < N_FILES; file++)
			record_free(n.records[file]);
		free(n.path);
	}
	free_names(entries, count);
}

static void note_bad_line(void *context, const char *text)
{
	history_add_note(context, mem_text(text));
}

static void add_machine(struct history *h, const char *folder, const char *name, long today,
	const struct series_rules *rules)
{
	char *path = mem_format("%s/%s", folder, name);

	if (is_folder(path)) {
		h->machines =
			mem_resize(h->machines, h->n_machines + 1, sizeof(*h->machines));
		machine_init(&h->machines[h->n_machines], name);
		h->n_machines++;
		load_machine(h, &h->machines[h->n_machines - 1], path, today, rules);
	}
	free(path);
}

int history_load(const char *folder, long today, const struct series_rules *rules,
	struct history *ret, struct err *err)
{
	struct history h = { 0 };
	struct dirent **entries;
	int count = list(folder, &entries), code;
	long day;

	if (count < 0)
		return err_set(err, -errno, "%s: %s", folder, strerror(errno));
	code = decisions_load(folder, &h.decisions, note_bad_line, &h, err);
	for (int i = 0; code == 0 && i < count; i++) {
		if (night_day(entries[i]->d_name, &day))
			code = err_set(err, -EINVAL,
				"%s: holds nights, so it is one machine's: give the folder "
				"above",
				folder);
		else
			add_machine(&h, folder, entries[i]->d_name, today, rules);
	}
	free_names(entries, count);
	if (code == 0 && h.n_machines == 0)
		code = err_set(err, -ENOENT,
			"%s: no results: a night lies in MACHINE/2026-11-30/", folder);
	if (code < 0)
		history_clear(&h);
	else
		*ret = h;
	return code;
}
