// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/tools.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/process.h"

/* Programs by the Debian package that brings them. */
static const struct {
	const char *program, *package;
} tools[] = {
	{ "gcc", "gcc" },
	{ "make", "make" },
	{ "flex", "flex" },
	{ "bison", "bison" },
	{ "bc", "bc" },
	{ "patch", "patch" },
	{ "tar", "tar" },
	{ "xz", "xz-utils" },
};

/* objtool is linked with it; a compiler that is asked knows where it is. */
static bool has_libelf(void)
{
	const struct process_spec spec = { .argv = (const char *const[]){ "gcc", "-E",
						   "-include", "gelf.h", "-x", "c",
						   "/dev/null", NULL } };
	char *output;
	int code = process_capture(&spec, &output, NULL);

	if (code == 0 || code == -ECHILD)
		free(output);
	return code == 0;
}

static void note(char **list, const char *program, const char *package)
{
	char *more = mem_format("%s%s%s (package %s)", *list ? *list : "",
		*list ? ", " : "", program, package);

	free(*list);
	*list = more;
}

static bool has(const char *prefix, const char *program)
{
	char *name = mem_format("%s%s", prefix, program), *path;
	bool is = process_find(name, &path) == 0;

	if (is)
		free(path);
	free(name);
	return is;
}

int kernel_tools_check(const struct kernel_arch *arch, struct err *err)
{
	const char *prefix = kernel_arch_prefix(arch);
	char *missing = NULL;

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (!has("", tools[i].program))
			note(&missing, tools[i].program, tools[i].package);
	if (*prefix && !has(prefix, "gcc"))
		note(&missing, arch->cross, arch->package);
	if (has("", "gcc") && !has_libelf())
		note(&missing, "gelf.h", "libelf-dev");
	if (!missing)
		return 0;
	err_set(err, -ENOENT, "building kernels needs %s; make deps installs all", missing);
	free(missing);
	return -ENOENT;
}

static int version_of(const char *program, char **ret, struct err *err)
{
	const struct process_spec spec = { .argv = (const char *const[]){ program,
						   "--version", NULL },
		.env = (const char *const[]){ "LC_ALL=C", NULL } };
	char *output;
	int code = process_capture(&spec, &output, err);

	if (code == -ECHILD)
		free(output);
	if (code < 0)
		return code;
	output[strcspn(output, "\n")] = '\0';
	*ret = output;
	return 0;
}

int kernel_tools_version(const struct kernel_arch *arch, char **ret, struct err *err)
{
	const char *prefix = kernel_arch_prefix(arch);
	char *gcc = mem_format("%sgcc", prefix), *ld = mem_format("%sld", prefix);
	char *compiler = NULL, *linker = NULL, *path = NULL;
	int code = process_find(gcc, &path);

	if (code < 0)
		err_set(err, code, "building kernels needs %s (package %s)", gcc,
			*prefix ? arch->package : "gcc");
	else
		code = version_of(gcc, &compiler, err);
	if (code == 0)
		code = version_of(ld, &linker, err);
	if (code == 0)
		*ret = mem_format("%s; %s", compiler, linker);
	free(compiler);
	free(linker);
	free(path);
	free(gcc);
	free(ld);
	return code;
}
