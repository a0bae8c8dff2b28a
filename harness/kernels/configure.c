// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/configure.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "kernels/kconfig.h"

/* What a caller's environment could change in a build. */
static const char *const clean_env[] = { "LC_ALL=C", "MAKEFLAGS=", "MFLAGS=", "MAKELEVEL=",
	"KCFLAGS=", "KAFLAGS=", "KCPPFLAGS=", "KCONFIG_ALLCONFIG=", "CONFIG_=CONFIG_",
	NULL };

#define WORDS_MAX 16

int kernel_make_run(
	const struct kernel_make *make, const char *const *words, struct err *err)
{
	char *objects = mem_format("O=%s", make->objects);
	char *arch = mem_format("ARCH=%s", make->arch->kernel_arch);
	char *cross = mem_format("CROSS_COMPILE=%s", kernel_arch_prefix(make->arch));
	const char *argv[WORDS_MAX + 8] = { "make", "-C", make->tree, objects, arch,
		cross };
	const struct process_spec spec = { .argv = argv,
		.env = clean_env,
		.log = make->log,
		.on_line = make->on_line,
		.context = make->context };
	int code;

	for (size_t i = 0; words[i]; i++)
		argv[6 + i] = words[i];
	code = process_run(&spec, kernel_stop_flag(make->watch), err);
	free(objects);
	free(arch);
	free(cross);
	return code;
}

static int merge(
	const struct kernel_make *make, const struct words *fragments, struct err *err)
{
	char *script = mem_format("%s/scripts/kconfig/merge_config.sh", make->tree);
	char *config = mem_format("%s/.config", make->objects);
	const char **argv = mem_zeroed(fragments->count + 6, sizeof(*argv));
	const struct process_spec spec = {
		.argv = argv, .cwd = make->objects, .env = clean_env, .log = make->log
	};
	int code;

	argv[0] = script;
	argv[1] = "-m"; /* merge only: olddefconfig follows */
	argv[2] = "-O";
	argv[3] = make->objects;
	argv[4] = config;
	for (size_t i = 0; i < fragments->count; i++)
		argv[5 + i] = fragments->items[i];
	code = process_run(&spec, kernel_stop_flag(make->watch), err);
	free(argv);
	free(script);
	free(config);
	return code;
}

/* Kconfig files of other architectures define symbols of the same names. */
static bool is_foreign(const FTSENT *at, const struct kernel_arch *arch)
{
	/* The image is at arch/OURS/boot/... */
	const char *ours = arch->image + strlen("arch/");
	size_t length = strcspn(ours, "/");

	return at->fts_level == 2 && at->fts_info == FTS_D &&
	       strcmp(at->fts_parent->fts_name, "arch") == 0 &&
	       (at->fts_namelen != length || strncmp(at->fts_name, ours, length) != 0);
}

/* What the tree's Kconfig says that a symbol needs; freed by the caller. */
static char *explain(
	const struct kernel_make *make, const char *symbol, const struct kconfig *final)
{
	char *const roots[] = { (char *)make->tree, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	char *reason = NULL, *text;
	int found = 0;
	FTSENT *at;

	while (tree && (at = fts_read(tree))) {
		if (is_foreign(at, make->arch)) {
			fts_set(tree, at, FTS_SKIP);
			continue;
		}
		if (strncmp(at->fts_name, "Kconfig", 7) != 0 ||
			file_read("", at->fts_accpath, &text, NULL) < 0)
			continue;
		found += kconfig_explain(text, symbol, final, &reason);
		free(text);
	}
	if (tree)
		fts_close(tree);
	if (!reason)
		reason = mem_text(found ? "another choice or a select decides"
					: "this kernel has no such symbol");
	return reason;
}

static bool is_changed_later(
	const struct kconfig *fragments, size_t n, size_t from, const char *symbol)
{
	for (size_t i = from; i < n; i++)
		for (size_t k = 0; k < fragments[i].count; k++)
			if (strcmp(fragments[i].lines[k].symbol, symbol) == 0)
				return true;
	return false;
}

static int verify(const struct kernel_make *make, const struct words *names,
	const struct kconfig *fragments, const struct kconfig *final, struct err *err)
{
	for (size_t i = 0; i < names->count; i++) {
		const struct kconfig_line *line;
		char *why;

		for (size_t at = 0; (line = kconfig_next_unmet(&fragments[i], final, &at));
			at++) {
			if (is_changed_later(fragments, names->count, i + 1, line->symbol))
				continue;
			why = explain(make, line->symbol, final);
			err_set(err, -EBADMSG,
				"%s:%d: CONFIG_%s=%s did not take, it is %s: %s",
				names->items[i], line->number, line->symbol, line->value,
				kconfig_value(final, line->symbol), why);
			free(why);
			return -EBADMSG;
		}
	}
	return 0;
}

static int load_and_verify(
	const struct kernel_make *make, const struct words *names, struct err *err)
{
	struct kconfig *fragments = mem_zeroed(names->count + 1, sizeof(*fragments));
	struct kconfig final = { 0 };
	char *path = mem_format("%s/.config", make->objects);
	int code = kconfig_load(path, &final, err);

	for (size_t i = 0; code == 0 && i < names->count; i++)
		code = kconfig_load(names->items[i], &fragments[i], err);
	if (code == 0)
		code = verify(make, names, fragments, &final, err);
	for (size_t i = 0; i < names->count; i++)
		kconfig_clear(&fragments[i]);
	kconfig_clear(&final);
	free(fragments);
	free(path);
	return code;
}

int kernel_configure(
	const struct kernel_make *make, const struct words *fragments, struct err *err)
{
	static const char *const base[] = { "tinyconfig", NULL };
	static const char *const complete[] = { "olddefconfig", NULL };
	int code = kernel_make_run(make, base, err);

	if (code == 0)
		code = merge(make, fragments, err);
	if (code == 0)
		code = kernel_make_run(make, complete, err);
	return code == 0 ? load_and_verify(make, fragments, err) : code;
}
