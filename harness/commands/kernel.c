// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown kernel: builds the kernels that are compared, once for each content. */
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/nearest.h"
#include "commands/commands.h"
#include "commands/interrupt.h"
#include "commands/kernel_parts.h"
#include "commands/kernel_progress.h"
#include "kernels/cache.h"

#define JOBS_MAX 4096

enum {
	OPTION_ARCH = 256,
	OPTION_PAGES,
	OPTION_TREE,
	OPTION_COMMIT,
	OPTION_PATCHES,
	OPTION_CONFIG,
	OPTION_OLDER
};

static const struct argp_option options[] = {
	{ "arch", OPTION_ARCH, "NAME", 0, "Build for this architecture (this machine's)",
		0 },
	{ "pages", OPTION_PAGES, "SIZE", 0,
		"With pages of this size, as 64K, where the architecture has a choice", 0 },
	{ "tree", OPTION_TREE, "DIR", 0,
		"Take the source from DIR: unpacked, or a git tree at HEAD without uncommitted "
		"changes",
		0 },
	{ "commit", OPTION_COMMIT, "COMMIT", 0, "Take this commit of --tree", 0 },
	{ "patches", OPTION_PATCHES, "DIR", 0,
		"Apply the patches of DIR, as mailed, in the order of their names, after the "
		"variant's",
		0 },
	{ "config", OPTION_CONFIG, "FILE", 0,
		"Put this configuration fragment over the variant's; may be repeated", 0 },
	{ "jobs", 'j', "N", 0, "Compile N files at a time (the number of CPUs)", 0 },
	{ "older-than", OPTION_OLDER, "AGE", 0,
		"clean: keep what was used since, as 30d or 12h", 0 },
	{ 0 },
};

static unsigned int parse_jobs(const char *text, struct argp_state *state)
{
	char *end;
	const unsigned long value = strtoul(text, &end, 10);

	if (!isdigit((unsigned char)text[0]) || *end || value < 1 || value > JOBS_MAX)
		argp_error(state, "--jobs=%s: give a number from 1 to %d", text, JOBS_MAX);
	return (unsigned int)value;
}

static uint64_t parse_age(const char *text, struct argp_state *state)
{
	char *end;
	const unsigned long value = strtoul(text, &end, 10);
	const uint64_t unit_s = strcmp(end, "d") == 0   ? 86400
				: strcmp(end, "h") == 0 ? 3600
				: strcmp(end, "m") == 0 ? 60
							: 0;

	if (!isdigit((unsigned char)text[0]) || unit_s == 0 || value > 1000000)
		argp_error(state, "--older-than=%s: give an age as 30d, 12h or 90m", text);
	return value * unit_s;
}

static void take_word(struct kernel_arguments *a, const char *word)
{
	if (!a->action)
		a->action = word;
	else
		words_add(&a->variants, word);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct kernel_arguments *a = state->input;
	struct err err;

	switch (key) {
	case OPTION_ARCH:
		if (kernel_arch_find(arg, &a->arch, &err) < 0)
			argp_error(state, "--arch: %s", err.text);
		break;
	case OPTION_PAGES:
		a->pages = arg;
		break;
	case OPTION_TREE:
		a->tree = arg;
		break;
	case OPTION_COMMIT:
		a->commit = arg;
		break;
	case OPTION_PATCHES:
		a->patches = arg;
		break;
	case OPTION_CONFIG:
		words_add(&a->config, arg);
		break;
	case OPTION_OLDER:
		a->older_than_s = parse_age(arg, state);
		break;
	case 'j':
		a->jobs = parse_jobs(arg, state);
		break;
	case ARGP_KEY_ARG:
		take_word(a, arg);
		break;
	case ARGP_KEY_END:
		if (!a->action)
			argp_usage(state);
		if (a->commit && !a->tree)
			argp_error(state, "--commit needs --tree");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static int build(const struct kernel_arguments *a, const char *name,
	const struct kernel_watch *watch, struct err *err)
{
	struct kernel_image image;
	struct kernel_plan plan;
	struct variant v;
	bool was_built;
	int code = kernel_plan_named(a, name, watch, &v, &plan, err);

	if (code < 0)
		return code;
	code = kernel_build(&plan, a->jobs, watch, &image, &was_built, err);
	if (code == 0) {
		progress_clear(&((struct kernel_progress *)watch->context)->progress);
		printf("%-12s %-7s %s\n", name, was_built ? "built" : "cached",
			image.image);
		kernel_image_clear(&image);
	}
	kernel_plan_clear(&plan);
	variant_clear(&v);
	return code;
}

static int fetch(const struct kernel_arguments *a, const char *name,
	const struct kernel_watch *watch, struct err *err)
{
	struct kernel_plan plan;
	struct variant v;
	char *path;
	int code = kernel_plan_named(a, name, watch, &v, &plan, err);

	if (code < 0)
		return code;
	code = source_unpack(&plan.source, &plan.patches, watch, &path, err);
	if (code == 0) {
		progress_clear(&((struct kernel_progress *)watch->context)->progress);
		printf("%-12s %s\n", name, path);
		free(path);
	}
	kernel_plan_clear(&plan);
	variant_clear(&v);
	return code;
}

static void print_removed(void *context, const char *path, uint64_t bytes)
{
	*(uint64_t *)context += bytes;
	printf("removed %s (%llu MiB)\n", path, (unsigned long long)(bytes >> 20));
}

static int clean(const struct kernel_arguments *a, struct err *err)
{
	static const char *const kinds[] = { "kernels", "sources" };
	uint64_t bytes = 0;
	int code = 0;

	for (size_t i = 0; code == 0 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		code = cache_clean(kinds[i], a->older_than_s, print_removed, &bytes, err);
	printf("%llu MiB freed\n", (unsigned long long)(bytes >> 20));
	return code;
}

static const struct action {
	const char *name;
	int (*for_all)(
		const struct kernel_arguments *a, struct err *err); /* takes no variant */
	int (*for_one)(const struct kernel_arguments *a, const char *name,
		const struct kernel_watch *watch, struct err *err);
} actions[] = {
	{ "build", NULL, build },
	{ "clean", clean, NULL },
	{ "fetch", NULL, fetch },
	{ "list", kernel_list, NULL },
	{ "show", NULL, kernel_show },
};
#define N_ACTIONS (sizeof(actions) / sizeof(actions[0]))

static const struct action *find_action(const char *name, struct err *err)
{
	const char *names[N_ACTIONS];
	int near;

	for (size_t i = 0; i < N_ACTIONS; i++) {
		names[i] = actions[i].name;
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	}
	near = nearest(name, names, N_ACTIONS);
	err_set(err, -EINVAL, "unknown action '%s': %s%s%s", name,
		near >= 0 ? "did you mean '" : "there are build, clean, fetch, list, show",
		near >= 0 ? names[near] : "", near >= 0 ? "'?" : "");
	return NULL;
}

static int act(const struct kernel_arguments *a, struct err *err)
{
	struct kernel_progress display;
	const struct kernel_watch watch = { kernel_progress_show, &display, &interrupted };
	const struct action *action = find_action(a->action, err);
	int code = 0;

	if (!action)
		return -EINVAL;
	if (action->for_all && a->variants.count)
		return err_set(err, -EINVAL, "%s takes no variant", action->name);
	if (action->for_all)
		return action->for_all(a, err);
	if (a->variants.count == 0)
		return err_set(err, -EINVAL,
			"%s which variant? shootdown kernel list names them", action->name);
	kernel_progress_start(&display);
	for (size_t i = 0; code == 0 && i < a->variants.count; i++) {
		display.variant = a->variants.items[i];
		code = action->for_one(a, display.variant, &watch, err);
	}
	progress_clear(&display.progress);
	return code;
}

/* This machine's architecture and the usual pages, unless others were asked for. */
static int complete(struct kernel_arguments *a, struct err *err)
{
	struct utsname machine;
	int code = 0;

	uname(&machine);
	if (!a->arch)
		code = kernel_arch_find(machine.machine, &a->arch, err);
	return code < 0 ? code : kernel_arch_pages(a->arch, a->pages, &a->pages_kib, err);
}

int cmd_kernel(int argc, char **argv)
{
	static const struct argp argp = {
		.options = options,
		.parser = parse,
		.args_doc =
			"list\nfetch VARIANT...\nbuild VARIANT...\nshow VARIANT...\nclean",
		.doc = "Builds the kernels that are compared, and keeps them by their content.\v"
		       "A variant is a file in kconfigs/variants: source, patches, configuration, "
		       "command line and sysctls. Kernels are kept in ~/.cache/shootdown.\n\n"
		       "Examples:\n"
		       "  shootdown kernel build batch nobatch\n"
		       "  shootdown kernel build batch --arch arm64 --pages 64K\n"
		       "  shootdown kernel build stock --tree ~/linux --patches my-series/\n"
		       "  shootdown kernel clean --older-than 30d\n\n"
		       "Exit codes: 0 done; 2 usage, or it cannot be built; 130 interrupted.",
	};
	struct kernel_arguments a = { .jobs = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN) };
	struct err err = { "" };
	int code;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	interrupt_catch();
	code = complete(&a, &err);
	if (code == 0)
		code = act(&a, &err);
	if (code < 0)
		fprintf(stderr, "shootdown kernel: %s\n", err.text);
	words_clear(&a.variants);
	words_clear(&a.config);
	if (code == -EINTR)
		return EXIT_STOPPED;
	return code < 0 ? EXIT_USAGE : EXIT_OK;
}
