// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown ab: the kernels of both arms. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/ab_parts.h"
#include "commands/interrupt.h"
#include "commands/kernel_progress.h"
#include "kernels/kconfig.h"

void ab_kernels_clear(struct ab_kernels *k)
{
	for (int arm = ARM_BASE; arm <= ARM_CAND; arm++) {
		kernel_image_clear(&k->images[arm]);
		kernel_plan_clear(&k->plans[arm]);
		variant_clear(&k->variants[arm]);
	}
}

static int build_arm(
	const struct ab_arguments *a, enum arm arm, struct ab_kernels *k, struct err *err)
{
	struct kernel_progress display;
	const struct kernel_watch watch = { kernel_progress_show, &display, &interrupted };
	struct kernel_request request = {
		.variant = &k->variants[arm],
		.arch = a->arch,
		.pages_kib = a->pages_kib,
		.tree = a->tree,
		.commit = a->commits[arm],
		.patches = arm == ARM_CAND ? a->patches : NULL,
	};
	int ret;

	kernel_progress_start(&display);
	display.variant = a->names[arm];
	ret = variant_load(a->names[arm], &k->variants[arm], err);
	if (ret == 0)
		ret = kernel_plan(&request, &watch, &k->plans[arm], err);
	if (ret == 0)
		ret = kernel_build(
			&k->plans[arm], a->jobs, &watch, &k->images[arm], NULL, err);
	progress_clear(&display.progress);
	return ret;
}

static bool same_words(const struct words *a, const struct words *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return true;
}

/* What this kernel has no switch for is not set. */
static int drop_sysctls(
	const struct ab_arguments *a, enum arm arm, struct ab_kernels *k, struct err *err)
{
	struct variant *v = &k->variants[arm];
	struct kconfig config;
	int ret;

	if (!v->sysctls_if)
		return 0;
	ret = kconfig_load(k->images[arm].config, &config, err);
	if (ret < 0)
		return ret;
	if (strcmp(kconfig_value(&config, v->sysctls_if), "n") == 0) {
		if (!a->again)
			fprintf(stderr,
				"shootdown %s: %s of %s has no %s: its sysctls are not "
				"there, and not set\n",
				a->command, a->names[arm], a->arch->name, v->sysctls_if);
		words_clear(&v->sysctls);
	}
	kconfig_clear(&config);
	return 0;
}

int ab_build(const struct ab_arguments *a, struct ab_kernels *ret, struct err *err)
{
	struct ab_kernels k = { 0 };
	int status = build_arm(a, ARM_BASE, &k, err);

	if (status == 0)
		status = build_arm(a, ARM_CAND, &k, err);
	for (int arm = ARM_BASE; arm <= ARM_CAND && status == 0; arm++)
		status = drop_sysctls(a, arm, &k, err);
	if (status < 0) {
		ab_kernels_clear(&k);
		return status;
	}
	k.one_image =
		strcmp(k.plans[ARM_BASE].key, k.plans[ARM_CAND].key) == 0 &&
		same_words(&k.variants[ARM_BASE].cmdline, &k.variants[ARM_CAND].cmdline);
	*ret = k;
	return 0;
}
