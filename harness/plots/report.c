// SPDX-License-Identifier: GPL-2.0-or-later
#include "plots/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "plots/page.h"

/* Debian's own: another python3 may come first in PATH, and has no matplotlib. */
#define PYTHON "/usr/bin/python3"
#define ENDING ".html"

/* The line that says why is the program's last. */
static char *last_line(char *text)
{
	size_t length = strlen(text);
	const char *line;

	while (length > 0 && text[length - 1] == '\n')
		text[--length] = '\0';
	line = strrchr(text, '\n');
	return mem_text(line ? line + 1 : text);
}

/* Draws all of them; what keeps them away is r->no_pictures. */
static void draw(struct report *r, const char *folder, const char *spec)
{
	char *script = NULL, *output = NULL;
	struct err err;
	int ret = data_path("harness/plots/plot.py", &script);
	const char *const argv[] = { PYTHON, "-B", script, spec, folder, NULL };
	const struct process_spec process = { .argv = argv };

	if (ret < 0) {
		r->no_pictures = mem_text("no pictures: harness/plots/plot.py is not here");
		return;
	}
	ret = process_capture(&process, &output, &err);
	if (ret == -ENOENT)
		r->no_pictures = mem_text(
			"no pictures: " PYTHON " is missing: install python3-matplotlib");
	else if (ret < 0 && (!output || !*output))
		r->no_pictures = mem_format("no pictures: %s", err.text);
	else if (ret < 0)
		r->no_pictures = last_line(output);
	free(output);
	free(script);
}

static int read_pictures(struct report *r, const char *folder, struct err *err)
{
	for (size_t i = 0; i < r->figures.count; i++) {
		struct figure *figure = &r->figures.items[i];
		char *path = mem_format("%s/%s.svg", folder, figure->name);
		int ret = file_read("", path, &figure->svg, NULL);

		if (ret == 0 && strncmp(figure->svg, "<svg", 4) != 0)
			ret = -EBADMSG;
		if (ret < 0)
			err_set(err, ret, "%s: %s", path, strerror(-ret));
		free(path);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int make_pictures(struct report *r, const char *folder, struct err *err)
{
	char *spec, *json;
	int ret;

	figures_make(r, &r->figures);
	if (r->figures.count == 0)
		return 0;
	ret = file_make_dirs(folder);
	if (ret < 0)
		return err_set(err, ret, "%s: %s", folder, strerror(-ret));
	/* Not *.json: such files are results. */
	spec = mem_format("%s/figures.data", folder);
	json = figures_json(&r->figures);
	ret = file_replace(spec, json, strlen(json));
	free(json);
	if (ret < 0)
		err_set(err, ret, "%s: %s", spec, strerror(-ret));
	else
		draw(r, folder, spec);
	free(spec);
	if (ret == 0 && !r->no_pictures)
		ret = read_pictures(r, folder, err);
	return ret;
}

static int read_css(char **ret_css, struct err *err)
{
	char *path;
	int ret = data_path("harness/plots/report.css", &path);

	if (ret < 0)
		return err_set(err, ret, "harness/plots/report.css is not here");
	ret = file_read("", path, ret_css, NULL);
	if (ret < 0)
		err_set(err, ret, "%s: %s", path, strerror(-ret));
	free(path);
	return ret;
}

static int write_page(
	const struct report *r, const char *page, const char *css, struct err *err)
{
	char *text = page_make(r, css);
	int ret = file_replace(page, text, strlen(text));

	free(text);
	if (ret < 0)
		err_set(err, ret, "%s: %s", page, strerror(-ret));
	return ret;
}

int report_write(struct report *r, const char *page, struct err *err)
{
	const size_t length = strlen(page);
	const char *slash = strrchr(page, '/');
	char *folder, *css;
	int ret;

	if (length <= strlen(ENDING) || strcmp(page + length - strlen(ENDING), ENDING) != 0)
		return err_set(
			err, -EINVAL, "%s: the page's name has to end with " ENDING, page);
	ret = read_css(&css, err);
	if (ret < 0)
		return ret;
	folder = mem_format("%.*s-pictures", (int)(length - strlen(ENDING)), page);
	r->pictures = mem_text(slash ? folder + (slash + 1 - page) : folder);
	ret = make_pictures(r, folder, err);
	if (ret == 0)
		ret = write_page(r, page, css, err);
	free(folder);
	free(css);
	return ret;
}

void report_clear(struct report *r)
{
	figures_clear(&r->figures);
	free(r->pictures);
	free(r->no_pictures);
}
