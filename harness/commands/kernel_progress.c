// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/kernel_progress.h"

#include <stdio.h>

static const char *const stages[] = {
	[STAGE_WAITING] = "waiting for another process that makes the same",
	[STAGE_HASHING] = "reading the source",
	[STAGE_UNPACKING] = "unpacking the source",
	[STAGE_PATCHING] = "patching",
	[STAGE_CONFIGURING] = "configuring",
	[STAGE_COMPILING] = "compiling",
};

void kernel_progress_start(struct kernel_progress *p)
{
	*p = (struct kernel_progress){ .stage = -1 };
	progress_start(&p->progress);
}

void kernel_progress_show(
	void *context, enum kernel_stage stage, unsigned int done, unsigned int expected)
{
	struct kernel_progress *d = context;
	double fraction = expected ? (double)done / expected : 0;

	if (done == 0 && (int)stage != d->stage) {
		/* The time left is that of this stage: others have another pace. */
		progress_start(&d->progress);
		if (!d->progress.shown)
			fprintf(stderr, "shootdown kernel: %s: %s\n", d->variant,
				stages[stage]);
	}
	d->stage = (int)stage;
	if (expected)
		progress_show(&d->progress, fraction < 0.99 ? fraction : 0.99,
			"%s: %s, %u of about %u", d->variant, stages[stage], done,
			expected);
	else
		progress_show(&d->progress, 0, "%s: %s", d->variant, stages[stage]);
}
