// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown nightly: the kernels of both arms. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/interrupt.h"
#include "commands/kernel_parts.h"
#include "commands/kernel_progress.h"
#include "commands/nightly_parts.h"
#include "kernels/arch.h"

static int build(const struct machine_file *m, enum arm arm,
	const struct nightly_source *source, struct err *err)
{
	struct kernel_progress display;
	const struct kernel_watch watch = { kernel_progress_show, &display, &interrupted };
	const char *name = m->variants[arm];
	struct kernel_arguments a = { 0 };
	struct kernel_image image;
	struct kernel_plan plan;
	struct variant v;
	char *release;
	int ret = kernel_arch_find(m->arch, &a.arch, err);

	if (ret < 0)
		return ret;
	kernel_progress_start(&display);
	display.variant = name;
	a.pages_kib = a.arch->pages_kib[0];
	if (source->commits[arm]) {
		a.tree = source->tree;
		a.commit = source->commits[arm];
	}
	ret = kernel_plan_named(&a, name, &watch, &v, &plan, err);
	if (ret < 0)
		return ret;
	ret = kernel_build(&plan, (unsigned int)sysconf(_SC_NPROCESSORS_ONLN), &watch,
		&image, NULL, err);
	progress_clear(&display.progress);
	if (ret == 0) {
		release = kernel_release_end(&plan);
		ret = night_image_store(m, arm, &v, image.image, release, a.commit, err);
		free(release);
		kernel_image_clear(&image);
	}
	kernel_plan_clear(&plan);
	variant_clear(&v);
	return ret;
}

int nightly_provide_images(
	const struct machine_file *m, const struct nightly_source *source, struct err *err)
{
	int ret = 0;

	for (int arm = ARM_BASE; arm <= ARM_CAND && ret == 0; arm++)
		if (strcmp(m->variants[arm], MACHINE_PREBUILT) != 0)
			ret = build(m, arm, source, err);
	return ret;
}
