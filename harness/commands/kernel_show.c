// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown kernel list and show. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/kernel_parts.h"
#include "kernels/kconfig.h"

/* What every other variant is held against. */
#define BASE "batch"

int kernel_plan_named(const struct kernel_arguments *a, const char *name,
	const struct kernel_watch *watch, struct variant *ret_variant,
	struct kernel_plan *ret_plan, struct err *err)
{
	struct kernel_request request = {
		.arch = a->arch,
		.pages_kib = a->pages_kib,
		.tree = a->tree,
		.commit = a->commit,
		.patches = a->patches,
		.config = &a->config,
	};
	struct variant v;
	int code = variant_load(name, &v, err);

	if (code < 0)
		return code;
	request.variant = &v;
	code = kernel_plan(&request, watch, ret_plan, err);
	if (code < 0)
		variant_clear(&v);
	else
		*ret_variant = v;
	return code;
}

static int list_one(const struct kernel_arguments *a, const char *name, struct err *err)
{
	const char *state = "not built";
	struct kernel_image image;
	struct kernel_plan plan;
	struct variant v;
	int code = kernel_plan_named(a, name, NULL, &v, &plan, NULL);

	if (code == 0) {
		if (kernel_find(&plan, &image) == 0) {
			state = "built";
			kernel_image_clear(&image);
		}
		kernel_plan_clear(&plan);
	} else {
		/* A source or compiler that is missing is show's and build's to tell. */
		code = variant_load(name, &v, err);
		if (code < 0)
			return code;
	}
	printf("%-26s %-10s %s\n", name, state, v.summary);
	variant_clear(&v);
	return 0;
}

int kernel_list(const struct kernel_arguments *a, struct err *err)
{
	struct words names;
	int code = variant_list(&names, err);

	for (size_t i = 0; code == 0 && i < names.count; i++)
		code = list_one(a, names.items[i], err);
	words_clear(&names);
	return code;
}

static void print_words(const char *head, const struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		printf("%-10s %s\n", i ? "" : head, words->items[i]);
	if (words->count == 0)
		printf("%-10s none\n", head);
}

static char *join(const struct words *words)
{
	char *text = mem_text(words->count ? "" : "none");

	for (size_t i = 0; i < words->count; i++) {
		char *more = mem_format("%s%s%s", text, i ? " " : "", words->items[i]);

		free(text);
		text = more;
	}
	return text;
}

static void print_difference(
	const char *head, const struct words *base, const struct words *ours)
{
	char *a = join(base), *b = join(ours);

	if (strcmp(a, b) != 0)
		printf("  %-8s %s -> %s\n", head, a, b);
	free(a);
	free(b);
}

/* Of two images; without both of them, the fragments are all that is known. */
static int print_config_difference(
	const struct kernel_plan *base, const struct kernel_plan *ours, struct err *err)
{
	struct kernel_image images[2] = { 0 };
	struct kconfig configs[2] = { 0 };
	int code = kernel_find(base, &images[0]);
	char *diff;

	if (code == 0)
		code = kernel_find(ours, &images[1]);
	if (code < 0) {
		printf("  config   to be seen once both are built\n");
		print_difference("fragments", &base->fragments, &ours->fragments);
		code = 0;
	} else {
		for (int i = 0; code == 0 && i < 2; i++)
			code = kconfig_load(images[i].config, &configs[i], err);
		diff = code == 0 ? kconfig_diff(&configs[0], &configs[1]) : mem_text("");
		if (code == 0 && !*diff)
			printf("  config   no difference\n");
		for (char *rest = diff, *line; *diff && (line = strsep(&rest, "\n"));)
			if (*line)
				printf("  config   %s\n", line);
		free(diff);
	}
	for (int i = 0; i < 2; i++) {
		kernel_image_clear(&images[i]);
		kconfig_clear(&configs[i]);
	}
	return code;
}

static int print_differences(const struct kernel_arguments *a, const struct variant *v,
	const struct kernel_plan *plan, const struct kernel_watch *watch, struct err *err)
{
	struct kernel_plan base_plan;
	struct variant base;
	int code = kernel_plan_named(a, BASE, watch, &base, &base_plan, err);

	if (code < 0)
		return code;
	printf("against " BASE ":\n");
	if (strcmp(plan->key, base_plan.key) == 0) {
		printf("  image    the same\n  config   no difference\n");
	} else {
		printf("  image    another\n");
		if (strcmp(plan->source.id, base_plan.source.id) != 0)
			printf("  source   %s -> %s\n", base_plan.source.text,
				plan->source.text);
		print_difference("patches", &base_plan.patches, &plan->patches);
		code = print_config_difference(&base_plan, plan, err);
	}
	print_difference("cmdline", &base.cmdline, &v->cmdline);
	print_difference("sysctl", &base.sysctls, &v->sysctls);
	kernel_plan_clear(&base_plan);
	variant_clear(&base);
	return code;
}

int kernel_show(const struct kernel_arguments *a, const char *name,
	const struct kernel_watch *watch, struct err *err)
{
	struct kernel_image image;
	struct kernel_plan plan;
	struct variant v;
	int code = kernel_plan_named(a, name, watch, &v, &plan, err);

	if (code < 0)
		return code;
	printf("%s: %s\n", name, v.summary);
	printf("%-10s %s\n%-10s %s\n", "source", plan.source.text, "", plan.source.id);
	print_words("patches", &plan.patches);
	print_words("config", &plan.fragments);
	print_words("cmdline", &v.cmdline);
	print_words("sysctl", &v.sysctls);
	if (v.sysctls_if)
		printf("%-10s if %s\n", "", v.sysctls_if);
	print_words("least", &v.least);
	printf("%-10s %s\n", "arch", plan.arch->name);
	printf("%-10s %s\n", "compiler", plan.compiler);
	printf("%-10s %s\n", "key", plan.key);
	if (kernel_find(&plan, &image) == 0) {
		printf("%-10s %s\n", "image", image.image);
		kernel_image_clear(&image);
	} else {
		printf("%-10s not built\n", "image");
	}
	if (strcmp(name, BASE) != 0)
		code = print_differences(a, &v, &plan, watch, err);
	kernel_plan_clear(&plan);
	variant_clear(&v);
	return code;
}
