// SPDX-License-Identifier: GPL-2.0-or-later
/* From what the boots of a night left to one result of each arm. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "nights/session.h"
#include "verdicts/merge.h"
#include "verdicts/record.h"

/* A result that is gone or cannot be read is missing, and the rest counts. */
static int add_boot(struct night_session *s, const struct plan_boot *boot,
	struct record *arms[2], struct err *err)
{
	const struct plan_step *step = &boot->steps[0];
	char *path = night_boot_path(&s->machine, boot->boot);
	struct record *one;
	struct err why;
	int code = record_load(path, &one, &why);

	free(path);
	if (code < 0) {
		if (s->noted)
			s->noted(s->arg, "lost", why.text);
		return 0;
	}
	code = record_merge(arms[step->arm], one, step->block, boot->boot, err);
	record_free(one);
	return code;
}

/* The history tells changes apart by it. */
static int add_commit(
	const struct machine_file *m, enum arm arm, struct record *record, struct err *err)
{
	struct night_image image;
	const int code = night_image_load(m, arm, &image, err);

	if (code < 0)
		return code;
	if (*image.commit)
		fields_set_text(&record->subject, "commit", image.commit);
	night_image_clear(&image);
	return 0;
}

static int save(const struct machine_file *m, const char *id, enum arm arm,
	const struct record *record, struct err *err)
{
	char *path = night_result_path(m, id, arm);
	char *folder = mem_format("%.*s", (int)(strrchr(path, '/') - path), path);
	int code = file_make_dirs(folder);

	if (code < 0)
		err_set(err, code, "%s: %s", folder, strerror(-code));
	else
		code = record_save(record, path, err);
	free(folder);
	free(path);
	return code;
}

int night_collect(struct night_session *s, struct err *err)
{
	struct record *arms[2] = { record_new(), record_new() };
	struct night n;
	int code = night_fold(&s->journal, &n, err);

	if (code == 0) {
		for (size_t i = 0; i < n.plan.n_boots && code == 0; i++)
			if (n.measured[i])
				code = add_boot(s, &n.plan.boots[i], arms, err);
		for (int arm = ARM_BASE; arm <= ARM_CAND && code == 0; arm++)
			if (arms[arm]->n_runs == 0)
				code = err_set(err, -ENODATA, "%s has no result",
					night_arm_names[arm]);
		for (int arm = ARM_BASE; arm <= ARM_CAND && code == 0; arm++)
			code = add_commit(&s->machine, arm, arms[arm], err);
		for (int arm = ARM_BASE; arm <= ARM_CAND && code == 0; arm++)
			code = save(&s->machine, n.id, arm, arms[arm], err);
		night_clear(&n);
	}
	record_free(arms[ARM_BASE]);
	record_free(arms[ARM_CAND]);
	return code;
}
