// SPDX-License-Identifier: GPL-2.0-or-later
/* What an image is made of, and the key that follows from it. */
#include "kernels/build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/digest.h"
#include "base/mem.h"
#include "kernels/patches.h"
#include "kernels/tools.h"

/* Raised when the same inputs are built in another way. */
#define RECIPE "kernel-1"
#define KEY_CHARS 32

void kernel_plan_clear(struct kernel_plan *plan)
{
	source_clear(&plan->source);
	words_clear(&plan->patches);
	words_clear(&plan->fragments);
	free(plan->compiler);
	free(plan->key);
	*plan = (struct kernel_plan){ 0 };
}

/* "ARCH.config" of a variant is "x86_64.config" here. */
static char *name_fragment(const char *word, const char *arch)
{
	const char *at = strstr(word, "ARCH");

	if (!at)
		return mem_text(word);
	return mem_format("%.*s%s%s", (int)(at - word), word, arch, at + strlen("ARCH"));
}

static int data_file(const char *name, char **ret, struct err *err)
{
	char *relative;
	int code;

	if (name[0] == '/') {
		*ret = mem_text(name);
		return 0;
	}
	relative = mem_format("kconfigs/%s", name);
	code = data_path(relative, ret);
	if (code < 0)
		err_set(err, code, "%s: no such file of the project", relative);
	free(relative);
	return code;
}

static int find_patches(
	const struct kernel_request *request, struct words *patches, struct err *err)
{
	const struct words *names = &request->variant->patches;
	int code = 0;

	for (size_t i = 0; code == 0 && i < names->count; i++) {
		char *path;

		code = data_file(names->items[i], &path, err);
		if (code < 0)
			break;
		code = patches_find(path, patches, err);
		free(path);
	}
	if (code == 0 && request->patches)
		code = patches_find(request->patches, patches, err);
	return code;
}

/* Takes name over. */
static int add_fragment(struct words *fragments, char *name, struct err *err)
{
	char *path;
	int code = data_file(name, &path, err);

	if (code == 0) {
		words_add(fragments, path);
		free(path);
	}
	free(name);
	return code;
}

/* Those of the variant, that of the page size, those that were given. */
static int find_fragments(
	const struct kernel_request *request, struct words *fragments, struct err *err)
{
	const struct words *names = &request->variant->config;
	const struct kernel_arch *arch = request->arch;
	int code = 0;

	for (size_t i = 0; code == 0 && i < names->count; i++)
		code = add_fragment(
			fragments, name_fragment(names->items[i], arch->name), err);
	if (code == 0 && request->pages_kib != arch->pages_kib[0])
		code = add_fragment(fragments,
			mem_format("%s-%uk.config", arch->name, request->pages_kib), err);
	for (size_t i = 0; code == 0 && request->config && i < request->config->count;
		i++) {
		/* merge_config.sh runs elsewhere: a relative name would be lost. */
		char *full = realpath(request->config->items[i], NULL);

		if (!full)
			return err_set(err, -errno, "%s: %m", request->config->items[i]);
		words_add(fragments, full);
		free(full);
	}
	return code;
}

static int find_source(const struct kernel_request *request,
	const struct kernel_watch *watch, struct source *source, struct err *err)
{
	const struct variant *v = request->variant;

	if (!request->tree)
		return source_find(v->kind, v->source, v->commit, watch, source, err);
	return source_find(request->commit ? SOURCE_GIT : SOURCE_TREE, request->tree,
		request->commit, watch, source, err);
}

static int make_key(struct kernel_plan *plan, struct err *err)
{
	struct digest *d = digest_new();
	int code;

	digest_add_text(d, RECIPE);
	digest_add_text(d, plan->source.id);
	digest_add_text(d, plan->arch->name);
	digest_add_text(d, plan->arch->target);
	digest_add_text(d, plan->compiler);
	code = source_digest_files(d, &plan->patches, err);
	digest_add_text(d, "fragments");
	if (code == 0)
		code = source_digest_files(d, &plan->fragments, err);
	plan->key = digest_finish(d);
	plan->key[KEY_CHARS] = '\0';
	return code;
}

int kernel_plan(const struct kernel_request *request, const struct kernel_watch *watch,
	struct kernel_plan *ret, struct err *err)
{
	struct kernel_plan plan = { .arch = request->arch };
	int code = find_patches(request, &plan.patches, err);

	if (code == 0)
		code = find_fragments(request, &plan.fragments, err);
	if (code == 0)
		code = kernel_tools_version(plan.arch, &plan.compiler, err);
	if (code == 0)
		code = find_source(request, watch, &plan.source, err);
	if (code == 0)
		code = make_key(&plan, err);
	if (code < 0)
		kernel_plan_clear(&plan);
	else
		*ret = plan;
	return code;
}
