// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown bisect: good and bad, and one commit between them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/bisect_parts.h"

/* A wrong answer leads all later ones astray. */
#define ALPHA 0.01
#define FIRST_BOOTS 3

/* The boots of the next round; 0: the last one was. */
static unsigned int more_boots(unsigned int now, unsigned int most)
{
	if (now >= most)
		return 0;
	return now * 2 < most ? now * 2 : most;
}

static unsigned int first_boots(const struct bisect_arguments *a)
{
	return a->ab.n_boots < FIRST_BOOTS ? a->ab.n_boots : FIRST_BOOTS;
}

/* What one tree is called in the folder: two commits with the same one are alike. */
static int find_tree_id(
	const struct bisect_arguments *a, const char *commit, char **ret, struct err *err)
{
	struct source s;
	const int code = source_find(SOURCE_GIT, a->ab.tree, commit, NULL, &s, err);

	if (code < 0)
		return code;
	*ret = mem_format("%.16s", s.id);
	source_clear(&s);
	return 0;
}

/* Of one experiment. The row points into comparison, and that into the records. */
struct measured {
	struct record *arms[2];
	struct comparison *comparison;
	const struct compare_row *row;
};

static void measured_clear(struct measured *m)
{
	comparison_free(m->comparison);
	record_free(m->arms[ARM_BASE]);
	record_free(m->arms[ARM_CAND]);
}

static int look(const struct bisect_arguments *a, struct measured *m, struct err *err)
{
	const struct compare_options options = {
		.metric = a->metric, .alpha = ALPHA, .correction = CORRECT_NONE
	};

	if (compare_records(
		    m->arms[ARM_BASE], m->arms[ARM_CAND], &options, &m->comparison) < 0) {
		err_set(err, -ENOMEM, "out of memory");
		return -ENOMEM;
	}
	if (!m->comparison->comparable) {
		err_set(err, -ENODATA, "the machines differ: %s",
			m->comparison->identity[0].key);
		return -ENODATA;
	}
	return bisect_find_row(m->comparison, a->metric, &m->row, err);
}

/* The variant as it is in a commit, by its full path. */
static int take_variant(
	const struct bisect_arguments *a, const char *commit, char **ret, struct err *err)
{
	char *id, *folder;
	int code = find_tree_id(a, commit, &id, err);

	if (code < 0)
		return code;
	folder = mem_format("%s/%s-files", a->ab.own_folder, id);
	code = bisect_extract(a->ab.tree, commit, folder, err);
	if (code == 0)
		*ret = mem_format("%s/%s", folder, a->file);
	free(folder);
	free(id);
	return code;
}

/* What is built of both commits. owned: two texts, to be freed by the caller. */
static int choose_arms(const struct bisect_arguments *a, const char *commit,
	struct ab_arguments *ab, char *owned[2], struct err *err)
{
	const char *const commits[] = { [ARM_BASE] = a->good, [ARM_CAND] = commit };
	int code = 0;

	for (int arm = ARM_BASE; arm <= ARM_CAND && code == 0; arm++) {
		if (!a->file) {
			ab->commits[arm] = commits[arm];
			continue;
		}
		code = take_variant(a, commits[arm], &owned[arm], err);
		ab->names[arm] = owned[arm];
		ab->tree = NULL;
	}
	return code;
}

/* In guests, in a folder of its own. */
static int measure_in_guests(const struct bisect_arguments *a, const char *commit,
	const char *id, unsigned int n_boots, struct record *ret_arms[2], struct err *err)
{
	struct ab_arguments ab = a->ab;
	char *owned[2] = { NULL, NULL };
	struct manifest manifest;
	int code = choose_arms(a, commit, &ab, owned, err);

	ab.n_boots = n_boots;
	ab.own_folder = mem_format("%s/%s-%u", a->ab.own_folder, id, n_boots);
	ab.folder = ab.own_folder;
	ab.what = commit;
	if (code == 0)
		code = ab_measure(&ab, &manifest, ret_arms, err);
	if (code == 0)
		manifest_clear(&manifest);
	free(ab.own_folder);
	free(owned[ARM_BASE]);
	free(owned[ARM_CAND]);
	return code;
}

/* Boots the good kernel beside that of the commit. */
static int measure(const struct bisect_arguments *a, const char *commit, const char *id,
	unsigned int n_boots, struct measured *ret, struct err *err)
{
	struct measured m = { 0 };
	int code = (a->host ? bisect_measure_on_host : measure_in_guests)(
		a, commit, id, n_boots, m.arms, err);

	if (code == 0)
		code = look(a, &m, err);
	if (code == 0)
		*ret = m;
	else
		measured_clear(&m);
	return code;
}

static void say(const struct bisect_arguments *a, const char *commit, const char *word,
	const struct measured *m)
{
	printf("%s: %s: %s %.4g, of the good kernel %.4g (%zu boots of each)\n", commit,
		word, a->metric, m->row->cand.value, m->row->base.value,
		m->row->cand.n_boots);
	fflush(stdout);
}

int bisect_measure_ends(
	const struct bisect_arguments *a, double *ret_difference, struct err *err)
{
	char *id;
	bool differ = false;
	int code = find_tree_id(a, a->bad, &id, err);

	if (code < 0)
		return code;
	for (unsigned int n = first_boots(a); n && !differ && code == 0;
		n = more_boots(n, a->ab.n_boots)) {
		struct measured m;

		code = measure(a, a->bad, id, n, &m, err);
		if (code != 0)
			break;
		differ = bisect_ends_differ(&m.row->judgement, ret_difference);
		if (!a->commit)
			say(a, a->bad, differ ? "differs" : "no difference yet", &m);
		measured_clear(&m);
	}
	free(id);
	if (code == 0 && !differ)
		code = err_set(err, -ENODATA,
			"%s and %s do not differ in %s: there is nothing to look for",
			a->good, a->bad, a->metric);
	return code;
}

static int judge(const struct bisect_arguments *a, const char *id, double ends_difference,
	enum bisect_answer *ret, struct err *err)
{
	static const char *const words[] = { [BISECT_GOOD] = "good",
		[BISECT_BAD] = "bad",
		[BISECT_UNDECIDED] = "not decided" };
	enum bisect_answer answer = BISECT_UNDECIDED;

	for (unsigned int n = first_boots(a); n && answer == BISECT_UNDECIDED;
		n = more_boots(n, a->ab.n_boots)) {
		struct measured m;
		const int code = measure(a, a->commit, id, n, &m, err);

		if (code != 0)
			return code;
		answer = bisect_judge(&m.row->judgement, ends_difference);
		say(a, a->commit, words[answer], &m);
		measured_clear(&m);
	}
	*ret = answer;
	return 0;
}

/* A kernel that does not build or has no result is none to answer for. */
static int excuse(const struct bisect_arguments *a, int code, enum bisect_answer *ret,
	const struct err *err)
{
	if (code != -ECHILD && code != -ENODATA && code != -ENOENT)
		return code;
	printf("%s: not measured: %s\n", a->commit, err->text);
	*ret = BISECT_UNDECIDED;
	return 0;
}

int bisect_step(const struct bisect_arguments *a, enum bisect_answer *ret, struct err *err)
{
	char *good = NULL, *bad = NULL, *id = NULL;
	double difference;
	int code = find_tree_id(a, a->good, &good, err);

	if (code == 0)
		code = find_tree_id(a, a->bad, &bad, err);
	if (code == 0)
		code = find_tree_id(a, a->commit, &id, err);
	if (code == 0)
		code = bisect_measure_ends(a, &difference, err);
	if (code == 0 && strcmp(id, good) == 0) {
		printf("%s: good: its tree is that of the good commit\n", a->commit);
		*ret = BISECT_GOOD;
	} else if (code == 0 && strcmp(id, bad) == 0) {
		printf("%s: bad: its tree is that of the bad commit\n", a->commit);
		*ret = BISECT_BAD;
	} else if (code == 0) {
		code = excuse(a, judge(a, id, difference, ret, err), ret, err);
	}
	free(good);
	free(bad);
	free(id);
	return code;
}
