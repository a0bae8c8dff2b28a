// SPDX-License-Identifier: GPL-2.0-or-later
#include "boots/counting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "boots/guest.h"
#include "counting/join.h"

#define PLUGIN "counting.so"

/* The last line of a program's output is the one that says why it ended. */
static const char *last_line(char *output)
{
	size_t length = strlen(output);
	const char *start;

	while (length && output[length - 1] == '\n')
		output[--length] = '\0';
	start = strrchr(output, '\n');
	return start ? start + 1 : output;
}

/* Asked with its option probe, the plugin says so and ends QEMU. */
static int probe(const struct qemu_machine *machine, const char *plugin, struct err *err)
{
	char *option = mem_format("%s,probe=on", plugin), *output;
	const char *const argv[] = { machine->program, "-M", "none", "-nodefaults",
		"-display", "none", "-plugin", option, NULL };
	const struct process_spec spec = { .argv = argv };
	int ret = process_capture(&spec, &output, err);

	free(option);
	if (ret < 0 && ret != -ECHILD)
		return ret;
	ret = 0;
	if (!strstr(output, COUNTS_READY))
		ret = err_set(err, -ENOTSUP,
			"instructions are not counted: %s was built without plugins, or for "
			"others: %.200s",
			machine->program, last_line(output));
	free(output);
	return ret;
}

int counting_find(const struct qemu_machine *machine, char **ret_plugin, struct err *err)
{
	char *plugin;
	int ret = data_program(PLUGIN, &plugin);

	if (ret < 0)
		return err_set(err, ret,
			"instructions are not counted: " PLUGIN
			" was not found beside shootdown: run 'make all', or 'make install'");
	ret = probe(machine, plugin, err);
	if (ret < 0)
		free(plugin);
	else
		*ret_plugin = plugin;
	return ret;
}

static int read_counts(const char *path, struct counts *ret, struct err *err)
{
	struct err why;
	char *text;
	int status = file_read("", path, &text, NULL);

	if (status < 0)
		return err_set(err, status, "%s: %s", path, strerror(-status));
	status = counts_parse(text, ret, &why);
	free(text);
	return status < 0 ? err_set(err, status, "%s: %.900s", path, why.text) : 0;
}

static int write_functions(const char *path, const struct counts *counts,
	const struct record *record, struct err *err)
{
	char *text = counts_format_functions(counts, record);
	const int ret = file_replace(path, text, strlen(text));

	free(text);
	return ret < 0 ? err_set(err, ret, "%s: %s", path, strerror(-ret)) : 0;
}

int counting_add(const char *folder, const char *name, struct err *err)
{
	char *counts_path = mem_format("%s/" GUEST_COUNTS, folder);
	char *result = mem_format("%s/%s.json", folder, name);
	char *functions = mem_format("%s/%s.functions", folder, name);
	struct record *record = NULL;
	struct counts counts = { 0 };
	int ret = read_counts(counts_path, &counts, err);

	if (ret == 0)
		ret = record_load(result, &record, err);
	if (ret == 0) {
		counts_join(&counts, record);
		ret = write_functions(functions, &counts, record, err);
	}
	if (ret == 0)
		ret = record_save(record, result, err);
	record_free(record);
	counts_clear(&counts);
	free(functions);
	free(result);
	free(counts_path);
	return ret;
}
