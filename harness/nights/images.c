// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/images.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "nights/night.h"

#define BLANKS " \t\n"

void night_image_clear(struct night_image *image)
{
	free(image->image);
	free(image->initrd);
	free(image->release);
	free(image->cmdline);
	free(image->commit);
	words_clear(&image->sysctls);
	*image = (struct night_image){ 0 };
}

static char *path_of(const struct machine_file *m, enum arm arm, const char *file)
{
	return mem_format("%s/%s/%s", m->images, night_arm_names[arm], file);
}

/* A missing file is empty where it may be missing. */
static int read_text(const struct machine_file *m, enum arm arm, const char *file,
	bool required, char **ret, struct err *err)
{
	char *path = path_of(m, arm, file);
	int code = file_read_line("", path, ret);

	if (code == -ENOENT && !required) {
		*ret = mem_text("");
		code = 0;
	} else if (code < 0) {
		err_set(err, code, "%s: %s", path, strerror(-code));
	}
	free(path);
	return code;
}

static int check_there(const char *path, struct err *err)
{
	return access(path, R_OK) < 0 ? err_set(err, -errno, "%s: %m", path) : 0;
}

static void add_words(struct words *to, const char *text)
{
	char *copy = mem_text(text), *rest = NULL;

	for (char *word = strtok_r(copy, BLANKS, &rest); word;
		word = strtok_r(NULL, BLANKS, &rest))
		words_add(to, word);
	free(copy);
}

int night_image_load(const struct machine_file *m, enum arm arm, struct night_image *ret,
	struct err *err)
{
	struct night_image image = { .image = path_of(m, arm, "image"),
		.initrd = path_of(m, arm, "initrd") };
	char *sysctls = NULL;
	int code = check_there(image.image, err);

	if (code == 0)
		code = check_there(image.initrd, err);
	if (code == 0)
		code = read_text(m, arm, "release", true, &image.release, err);
	if (code == 0)
		code = read_text(m, arm, "cmdline", false, &image.cmdline, err);
	if (code == 0)
		code = read_text(m, arm, "commit", false, &image.commit, err);
	if (code == 0)
		code = read_text(m, arm, "sysctl", false, &sysctls, err);
	if (code == 0)
		add_words(&image.sysctls, sysctls);
	free(sysctls);
	if (code < 0)
		night_image_clear(&image);
	else
		*ret = image;
	return code;
}

static int copy_file(const char *from, const char *to, struct err *err)
{
	size_t bytes;
	char *data;
	int code = file_read("", from, &data, &bytes);

	if (code < 0)
		return err_set(err, code, "%s: %s", from, strerror(-code));
	code = file_replace(to, data, bytes);
	free(data);
	return code < 0 ? err_set(err, code, "%s: %s", to, strerror(-code)) : 0;
}

/* Each word with this character after it; freed by the caller. */
static char *join(const struct words *w, char after)
{
	char *text = mem_text("");

	for (size_t i = 0; i < w->count; i++) {
		char *longer = mem_format("%s%s%c", text, w->items[i], after);

		free(text);
		text = longer;
	}
	return text;
}

static int write_words(const char *path, const struct words *w, struct err *err)
{
	char *text = join(w, '\n');
	const int code = file_replace(path, text, strlen(text));
	free(text);
	return code < 0 ? err_set(err, code, "%s: %s", path, strerror(-code)) : 0;
}

int night_image_store(const struct machine_file *m, enum arm arm, const struct variant *v,
	const char *image, const char *release, const char *commit, struct err *err)
{
	const struct words releases = { .items = (char *[]){ (char *)release },
		.count = 1 },
			   commits = { .items = (char *[]){ (char *)commit },
				   .count = commit ? 1 : 0 };
	char *folder = path_of(m, arm, ""),
	     *paths[] = { path_of(m, arm, "image"), path_of(m, arm, "initrd"),
		     path_of(m, arm, "release"), path_of(m, arm, "cmdline"),
		     path_of(m, arm, "sysctl"), path_of(m, arm, "commit") };
	int code = file_make_dirs(folder);

	if (code < 0)
		err_set(err, code, "%s: %s", folder, strerror(-code));
	if (code == 0)
		code = copy_file(image, paths[0], err);
	if (code == 0 && m->initrd)
		code = copy_file(m->initrd, paths[1], err);
	if (code == 0)
		code = write_words(paths[2], &releases, err);
	if (code == 0)
		code = write_words(paths[3], &v->cmdline, err);
	if (code == 0)
		code = write_words(paths[4], &v->sysctls, err);
	/* Also where it is not known: that of the kernel before is not this one's. */
	if (code == 0)
		code = write_words(paths[5], &commits, err);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		free(paths[i]);
	free(folder);
	return code;
}

/* Words that tell where a kernel came from, or which arm it was. */
static bool is_left_out(const char *word)
{
	static const char *const starts[] = {
		"BOOT_IMAGE=", "initrd=", "shootdown.night=", "shootdown.arm="
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (strncmp(word, starts[i], strlen(starts[i])) == 0)
			return true;
	return false;
}

/* Each word once. */
static void append(struct words *line, const char *text)
{
	struct words words = { 0 };

	add_words(&words, text);
	for (size_t i = 0; i < words.count; i++) {
		bool there = is_left_out(words.items[i]);

		for (size_t k = 0; k < line->count && !there; k++)
			there = strcmp(line->items[k], words.items[i]) == 0;
		if (!there)
			words_add(line, words.items[i]);
	}
	words_clear(&words);
}

/* Without the lines that start with #. */
static void append_file(struct words *line, const char *text)
{
	char *copy = mem_text(text), *rest = copy, *one;

	while ((one = strsep(&rest, "\n")) != NULL)
		if (*one != '#')
			append(line, one);
	free(copy);
}

char *night_command_line(const char *running, const char *fixed,
	const struct machine_file *m, const struct night_image *image, const char *night_id,
	enum arm arm)
{
	struct words line = { 0 };
	char *words, *all;

	append(&line, running);
	append_file(&line, fixed);
	for (size_t i = 0; i < m->cmdline.count; i++)
		append(&line, m->cmdline.items[i]);
	append(&line, image->cmdline);
	words = join(&line, ' ');
	words_clear(&line);
	all = mem_format("%sshootdown.night=%s shootdown.arm=%s", words, night_id,
		night_arm_names[arm]);
	free(words);
	return all;
}

char *night_find_word(const char *command_line, const char *key)
{
	struct words words = { 0 };
	char *found = NULL;

	add_words(&words, command_line);
	for (size_t i = 0; i < words.count && !found; i++)
		if (strncmp(words.items[i], key, strlen(key)) == 0 &&
			words.items[i][strlen(key)] == '=')
			found = mem_text(words.items[i] + strlen(key) + 1);
	words_clear(&words);
	return found;
}
