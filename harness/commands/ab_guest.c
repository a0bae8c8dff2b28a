// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: what the guests are made of, but for their kernels. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "boots/accel.h"
#include "boots/layers.h"
#include "commands/ab_parts.h"
#include "commands/interrupt.h"
#include "kernels/cache.h"

static bool has_word(const char *text, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
		const bool begins = at == text || strchr(" \n", at[-1]);

		if (begins && strchr(" \n", at[length]))
			return true;
	}
	return false;
}

/* QEMU would say it as well, but in each boot. */
static int check_cpu(const struct qemu_machine *m, const char *cpu, struct err *err)
{
	/* "max,sve=off" has a model and its features. */
	char *model = mem_format("%.*s", (int)strcspn(cpu, ","), cpu), *known = NULL;
	const char *const argv[] = { m->program, "-machine", m->machine, "-cpu", "help",
		NULL };
	const struct process_spec spec = { .argv = argv };
	int ret = process_capture(&spec, &known, err);

	if (ret == 0 && !has_word(known, model) && strcmp(model, "host") != 0)
		ret = err_set(err, -EINVAL,
			"--cpu=%s: no such CPU: %s -cpu help lists them", cpu, m->program);
	free(known);
	free(model);
	return ret;
}

/* What goes into the initramfs. */
struct programs {
	char *init, *shootdown;
	char *root; /* of their libraries, as in layers.h */
};

static void programs_clear(struct programs *p)
{
	free(p->init);
	free(p->shootdown);
	free(p->root);
}

/* A file of this build, or of the one for another architecture beside it. */
static int find_built(const struct kernel_arch *arch, const char *name, char **ret)
{
	char *beside;
	int code;

	if (kernel_arch_is_native(arch))
		return data_program(name, ret);
	beside = mem_format("../build-%s/%s", arch->name, name);
	code = data_program(beside, ret);
	free(beside);
	return code;
}

static int find_programs(
	const struct kernel_arch *arch, struct programs *ret, struct err *err)
{
	const bool native = kernel_arch_is_native(arch);
	struct programs p = { 0 };
	int code = find_built(arch, "guest-init", &p.init);

	if (code == 0)
		code = find_built(arch, "shootdown", &p.shootdown);
	if (code == 0 && native)
		p.root = mem_text("");
	else if (code == 0)
		code = find_built(arch, "sysroot", &p.root);
	if (code == 0) {
		*ret = p;
		return 0;
	}
	programs_clear(&p);
	if (native)
		return err_set(err, code,
			"guest-init was not found beside shootdown: run 'make all', or 'make "
			"install'");
	return err_set(err, code,
		"the programs for guests of %s are missing: run 'make cross ARCH=%s'",
		arch->name, arch->name);
}

int ab_check_guest(const struct ab_arguments *a, struct err *err)
{
	const struct qemu_machine *m = qemu_find_machine(a->arch->name);
	struct programs p;
	char *path;
	int ret;

	if (!m)
		return err_set(err, -EINVAL, "there are no guests of %s", a->arch->name);
	ret = process_find(m->program, &path);
	if (ret < 0)
		return err_set(err, ret, "%s was not found: install the package %s",
			m->program, m->package);
	free(path);
	ret = find_programs(a->arch, &p, err);
	if (ret < 0)
		return ret;
	programs_clear(&p);
	return a->cpu ? check_cpu(m, a->cpu, err) : 0;
}

int ab_write_base_layer(const struct ab_arguments *a, const char *path, struct err *err)
{
	struct programs p;
	int ret = find_programs(a->arch, &p, err);

	if (ret < 0)
		return ret;
	ret = guest_write_base(
		path, p.init, (const char *const[]){ p.shootdown, NULL }, p.root, err);
	programs_clear(&p);
	return ret;
}

int ab_choose_accel(const struct ab_arguments *a, struct experiment *x, struct err *err)
{
	char *folder = mem_format("%s/probe", x->folder), *cache = NULL, *reason = NULL;
	struct accel_probe probe = {
		.arch = x->guest.arch,
		.kernel = x->arms[ARM_BASE].kernel,
		.base_layer = x->guest.base_layer,
		.folder = folder,
		.stop = &interrupted,
	};
	int ret = cache_folder("accel", &cache, err);

	if (ret == 0)
		ret = file_make_dirs(folder);
	probe.cache = cache;
	if (ret == 0)
		ret = accel_choose(&probe, &x->guest.accel, &reason, err);
	if (ret == 0 && x->guest.accel == ACCEL_TCG && !a->again)
		fprintf(stderr,
			"shootdown %s: guests are emulated (TCG), so counts are judged "
			"and durations are not: %s\n",
			a->command, reason);
	free(reason);
	free(folder);
	free(cache);
	return ret;
}
