// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/ab_workloads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "boots/guest-paths.h"
#include "measure/run.h"
#include "measure/suite.h"

static bool has_word(const struct words *w, const char *word)
{
	for (size_t i = 0; i < w->count; i++)
		if (strcmp(w->items[i], word) == 0)
			return true;
	return false;
}

/* "a.gguf:x/b.gguf" as the guest has them, freed by the caller; they go to files. */
static char *move_files(const char *paths, struct words *files)
{
	char *copy = mem_text(paths), *rest = copy, *path, *moved = mem_text("");

	while ((path = strsep(&rest, ":"))) {
		const char *slash = strrchr(path, '/');
		char *longer = mem_format("%s%s" GUEST_DISK "/%s", moved, *moved ? ":" : "",
			slash ? slash + 1 : path);

		if (!has_word(files, path))
			words_add(files, path);
		free(moved);
		moved = longer;
	}
	free(copy);
	return moved;
}

/* A parameter as it was typed: of files, with the guest's paths. Freed by the caller. */
static char *move_pair(const struct spec *spec, const char *pair, struct words *files)
{
	const size_t name_bytes = strcspn(pair, "=");
	const struct param *p = spec->workload->params;

	for (; p->name; p++) {
		char *moved, *text;

		if (p->type != PARAM_FILES || strncmp(p->name, pair, name_bytes) != 0 ||
			p->name[name_bytes] ||
			strcmp(pair + name_bytes + 1, p->preset) == 0)
			continue;
		moved = move_files(pair + name_bytes + 1, files);
		text = mem_format("%s=%s", p->name, moved);
		free(moved);
		return text;
	}
	return mem_text(pair);
}

/* "readers:model=a.gguf,tokens=3" likewise. */
static void move_word(const struct spec *spec, const char *word, struct ab_workloads *w)
{
	char *copy = mem_text(word), *rest = copy, *pair, *moved;
	const char *separator = ":";

	moved = mem_text(strsep(&rest, ":"));
	while ((pair = strsep(&rest, ","))) {
		char *new_pair = move_pair(spec, pair, &w->files);
		char *longer = mem_format("%s%s%s", moved, separator, new_pair);

		separator = ",";
		free(new_pair);
		free(moved);
		moved = longer;
	}
	words_add(&w->words, moved);
	free(moved);
	free(copy);
}

static int look_at(const struct ab_arguments *a, const char *word,
	const struct spec_machine *guest, bool typed, struct ab_workloads *w,
	struct err *err)
{
	struct spec spec;
	uint64_t bytes;
	int ret = spec_parse(word, guest, &spec, err);

	/* What a suite asks for and the guest has not is left out there, and said here. */
	if (ret == -ENODEV && !typed) {
		if (!a->again)
			fprintf(stderr, "shootdown %s: %s is left out: %s\n", a->command,
				word, err->text);
		return 0;
	}
	if (ret < 0)
		return ret;
	bytes = run_disk(&spec, guest->page_bytes);
	w->disk_bytes = bytes > w->disk_bytes ? bytes : w->disk_bytes;
	w->count++;
	if (typed)
		move_word(&spec, word, w);
	spec_clear(&spec);
	return 0;
}

int ab_look_at_workloads(
	const struct ab_arguments *a, struct ab_workloads *ret, struct err *err)
{
	struct spec_machine guest = { .page_bytes = (size_t)a->pages_kib << 10 };
	struct ab_workloads w = { 0 };
	struct suite suite = { 0 };
	int status = a->suite ? suite_read(a->suite, &suite, err) : 0;

	guest.cpus.count = a->cpus;
	guest.cpus.ids = mem_zeroed(a->cpus, sizeof(*guest.cpus.ids));
	for (unsigned int i = 0; i < a->cpus; i++)
		guest.cpus.ids[i] = (int)i;
	for (size_t i = 0; i < suite.count && status == 0; i++)
		status = look_at(a, suite.specs[i], &guest, false, &w, err);
	for (size_t i = 0; i < a->workloads.count && status == 0; i++)
		status = look_at(a, a->workloads.items[i], &guest, true, &w, err);
	cpulist_clear(&guest.cpus);
	suite_clear(&suite);
	if (status < 0)
		ab_workloads_clear(&w);
	else
		*ret = w;
	return status;
}

void ab_workloads_clear(struct ab_workloads *w)
{
	words_clear(&w->words);
	words_clear(&w->files);
	*w = (struct ab_workloads){ 0 };
}
