// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "kernels/build_log.h"
#include "kernels/cache.h"
#include "kernels/configure.h"
#include "kernels/tools.h"

#define IMAGES "kernels"

void kernel_image_clear(struct kernel_image *image)
{
	free(image->folder);
	free(image->image);
	free(image->vmlinux);
	free(image->system_map);
	free(image->config);
	free(image->log);
	*image = (struct kernel_image){ 0 };
}

static struct kernel_image files_in(const char *folder)
{
	return (struct kernel_image){
		.folder = mem_text(folder),
		.image = mem_format("%s/image", folder),
		.vmlinux = mem_format("%s/vmlinux", folder),
		.system_map = mem_format("%s/System.map", folder),
		.config = mem_format("%s/config", folder),
		.log = mem_format("%s/log", folder),
	};
}

int kernel_find(const struct kernel_plan *plan, struct kernel_image *ret)
{
	char *folder;
	int code = cache_find(IMAGES, plan->key, &folder);

	if (code < 0)
		return code;
	*ret = files_in(folder);
	free(folder);
	return 0;
}

/* How many steps the last build of this architecture took, or the table's guess. */
static char *steps_path(const struct kernel_arch *arch)
{
	char *folder, *path;

	if (cache_folder("steps", &folder, NULL) < 0)
		return NULL;
	path = mem_format("%s/%s", folder, arch->name);
	free(folder);
	return path;
}

static unsigned int recall_steps(const struct kernel_arch *arch)
{
	char *path = steps_path(arch), *text;
	unsigned int steps = 0;

	if (path && file_read_line("", path, &text) == 0) {
		steps = (unsigned int)strtoul(text, NULL, 10);
		free(text);
	}
	free(path);
	return steps ? steps : arch->steps;
}

/* A count that cannot be kept is only a worse guess next time. */
static void remember_steps(const struct kernel_arch *arch, unsigned int steps)
{
	char *path = steps_path(arch), text[16];
	int length = snprintf(text, sizeof(text), "%u\n", steps);

	if (path)
		file_replace(path, text, (size_t)length);
	free(path);
}

struct compiling {
	const struct kernel_watch *watch;
	unsigned int done, expected;
};

static void on_line(void *context, const char *line)
{
	struct compiling *c = context;

	if (build_log_is_step(line))
		kernel_tell(c->watch, STAGE_COMPILING, ++c->done, c->expected);
}

/* As long as any other: the text of the kernel must not move for its name. */
char *kernel_release_end(const struct kernel_plan *plan)
{
	return mem_format("-shootdown-%.8s", plan->key);
}

static int compile(const struct kernel_plan *plan, const struct kernel_make *make,
	unsigned int jobs, struct err *err)
{
	struct compiling c = { make->watch, 0, recall_steps(plan->arch) };
	struct kernel_make counted = *make;
	char *parallel = mem_format("-j%u", jobs);
	char *end = kernel_release_end(plan), *name = mem_format("LOCALVERSION=%s", end);
	const char *const words[] = { parallel, name, "KBUILD_BUILD_TIMESTAMP=1970-01-01",
		"KBUILD_BUILD_VERSION=1", "KBUILD_BUILD_USER=shootdown",
		"KBUILD_BUILD_HOST=shootdown", plan->arch->target, NULL };
	int code;

	counted.on_line = on_line;
	counted.context = &c;
	kernel_tell(make->watch, STAGE_COMPILING, 0, c.expected);
	code = kernel_make_run(&counted, words, err);
	if (code == 0)
		remember_steps(plan->arch, c.done);
	free(parallel);
	free(end);
	free(name);
	return code;
}

/*
 * Takes what is kept out of the build folder, and removes the rest. By links:
 * the image may be vmlinux itself.
 */
static int keep(const struct kernel_plan *plan, const char *objects, const char *folder,
	struct err *err)
{
	const struct {
		const char *from, *to;
	} kept[] = {
		{ plan->arch->image, "image" },
		{ "vmlinux", "vmlinux" },
		{ "System.map", "System.map" },
		{ ".config", "config" },
	};
	int code = 0;

	for (size_t i = 0; code == 0 && i < sizeof(kept) / sizeof(kept[0]); i++) {
		char *from = mem_format("%s/%s", objects, kept[i].from);
		char *to = mem_format("%s/%s", folder, kept[i].to);

		if (link(from, to) < 0)
			code = err_set(err, -errno, "%s: %m", from);
		free(from);
		free(to);
	}
	if (code == 0) {
		code = cache_remove_tree(objects, NULL);
		if (code < 0)
			err_set(err, code, "%s: %s", objects, strerror(-code));
	}
	return code;
}

/* The log of a failed build stays beside its entry, and the line says what it says. */
static int say_failed(
	const struct kernel_make *make, const char *kept, int code, struct err *err)
{
	char *log, *why = NULL;

	if (file_read("", make->log, &log, NULL) == 0) {
		why = build_log_first_error(log, make->tree);
		free(log);
	}
	if (rename(make->log, kept) < 0)
		kept = "lost";
	err_set(err, code, "the build failed: %s (log: %s)",
		why ? why : "no error in its log", kept);
	free(why);
	return code;
}

static int build_in(const struct kernel_plan *plan, const char *tree, unsigned int jobs,
	const struct kernel_watch *watch, struct cache_entry *entry, struct err *err)
{
	char *objects = mem_format("%s/objects", entry->part);
	char *log = mem_format("%s/log", entry->part);
	char *kept_log = mem_format("%s.log", entry->path);
	struct kernel_make make = { .tree = tree,
		.objects = objects,
		.log = log,
		.arch = plan->arch,
		.watch = watch };
	int code = file_make_dirs(objects);

	kernel_tell(watch, STAGE_CONFIGURING, 0, 0);
	if (code == 0)
		code = kernel_configure(&make, &plan->fragments, err);
	else
		err_set(err, code, "%s: %s", objects, strerror(-code));
	if (code == 0)
		code = compile(plan, &make, jobs, err);
	if (code == -ECHILD)
		code = say_failed(&make, kept_log, code, err);
	if (code == 0)
		code = keep(plan, objects, entry->part, err);
	if (code == 0)
		unlink(kept_log);
	free(objects);
	free(log);
	free(kept_log);
	return code;
}

static void tell_waiting(void *watch)
{
	kernel_tell(watch, STAGE_WAITING, 0, 0);
}

static int make_entry(const struct kernel_plan *plan, unsigned int jobs,
	const struct kernel_watch *watch, struct cache_entry *entry, struct err *err)
{
	char *tree = NULL;
	int code = kernel_tools_check(plan->arch, err);

	if (code == 0)
		code = source_unpack(&plan->source, &plan->patches, watch, &tree, err);
	if (code == 0)
		code = build_in(plan, tree, jobs, watch, entry, err);
	if (code == 0)
		code = cache_commit(entry, err);
	else
		cache_abandon(entry);
	free(tree);
	return code;
}

int kernel_build(const struct kernel_plan *plan, unsigned int jobs,
	const struct kernel_watch *watch, struct kernel_image *ret, bool *ret_was_built,
	struct err *err)
{
	struct cache_entry entry;
	bool found;
	int code = cache_open(IMAGES, plan->key, tell_waiting, (void *)watch,
		kernel_stop_flag(watch), &entry, &found, err);

	if (code < 0)
		return code;
	if (!found)
		code = make_entry(plan, jobs, watch, &entry, err);
	if (code == 0) {
		*ret = files_in(entry.path);
		if (ret_was_built)
			*ret_was_built = !found;
	}
	cache_clear(&entry);
	return code;
}
