/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What other commands end with. */
#ifndef COMMANDS_REPORT_H
#define COMMANDS_REPORT_H

#include "boots/manifest.h"
#include "verdicts/record.h"

/*
 * Writes FOLDER/report.html with its pictures, prints its path, and says on
 * stderr if there are no pictures.
 */
int report_experiment(const char *folder, const struct manifest *m,
	const struct record *const arms[2], struct err *err);

#endif
