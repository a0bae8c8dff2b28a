// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown bisect: the file of a lab machine, as its nights have it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/bisect_parts.h"
#include "nights/night.h"

static char *join(const struct words *w)
{
	char *text = mem_text("");

	for (size_t i = 0; i < w->count; i++) {
		char *longer = mem_format("%s %s", text, w->items[i]);

		free(text);
		text = longer;
	}
	return text;
}

int bisect_change_machine(const struct bisect_arguments *a, unsigned int n_blocks,
	char **ret_text, struct machine_file *ret, struct err *err)
{
	struct machine_file m;
	char *text, *changed, *changes, *workloads;
	const char *variant;
	int code = machine_file_load(a->machine, &m, err);

	if (code < 0)
		return code;
	code = file_read("", a->machine, &text, NULL);
	if (code < 0) {
		err_set(err, code, "%s: %s", a->machine, strerror(-code));
		machine_file_clear(&m);
		return code;
	}
	variant = a->ab.names[ARM_BASE] ? a->ab.names[ARM_BASE] : m.variants[ARM_CAND];
	workloads = join(&a->ab.workloads);
	changes = mem_format("name = %s\nreference = %s\ntonight = %s\nsuite =\n"
			     "workloads =%s\nblocks = %u\nboots_max =\n",
		m.name, variant, variant, workloads, n_blocks);
	changed = machine_file_change(text, changes);
	code = machine_file_parse(m.name, a->machine, changed, ret, err);
	if (code == 0)
		*ret_text = changed;
	else
		free(changed);
	free(changes);
	free(workloads);
	free(text);
	machine_file_clear(&m);
	return code;
}

int bisect_check_machine(const struct bisect_arguments *a, struct err *err)
{
	struct machine_file m;
	char *text;
	int code = machine_file_load(a->machine, &m, err);

	if (code < 0)
		return code;
	for (int arm = ARM_BASE; arm <= ARM_CAND && code == 0; arm++)
		if (strcmp(m.variants[arm], MACHINE_PREBUILT) == 0)
			code = err_set(err, -EINVAL,
				"%s: %s = " MACHINE_PREBUILT ": bisect would put its own "
				"kernels there; name a variant, or other images, in a copy",
				a->machine, night_arm_names[arm]);
	machine_file_clear(&m);
	for (size_t i = 0; i < a->ab.workloads.count && code == 0; i++)
		if (strpbrk(a->ab.workloads.items[i], " \t\r\n"))
			code = err_set(err, -EINVAL,
				"%s: a workload without blanks is wanted",
				a->ab.workloads.items[i]);
	if (code == 0)
		code = bisect_change_machine(a, a->ab.n_boots, &text, &m, err);
	if (code == 0) {
		machine_file_clear(&m);
		free(text);
	}
	return code;
}
