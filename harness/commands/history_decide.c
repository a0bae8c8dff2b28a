// SPDX-License-Identifier: GPL-2.0-or-later
/* shootdown history accept, and anchor. */
#include <argp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "commands/commands.h"
#include "commands/history_parts.h"
#include "verdicts/history_group.h"
#include "verdicts/history_text.h"

enum {
	OPT_SERIES = 256,
	OPT_WHY,
	OPT_BY,
	OPT_COMMIT,
	OPT_NIGHT,
	OPT_MACHINE,
	OPT_ALLOW,
	OPT_MIN_EFFECT
};

struct arguments {
	const char *folder, *why, *by;
	const char *commit, *night, *machine;
	struct series_rules rules;
};

static const struct argp_option accept_options[] = {
	{ "series", OPT_SERIES, "GLOB", 0,
		"Accept the open alerts of the series whose key or metric matches", 0 },
	{ "why", OPT_WHY, "TEXT", 0, "The reason, for those who come later", 0 },
	{ "commit", OPT_COMMIT, "COMMIT", 0,
		"The commit to blame (that of the first bad night)", 0 },
	{ "by", OPT_BY, "NAME", 0, "Who decides (the user)", 0 },
	{ "allow-mismatch", OPT_ALLOW, "KEY[,KEY]", 0, "As for history", 0 },
	{ "min-effect", OPT_MIN_EFFECT, "METRIC=V", 0, "As for history", 0 },
	{ 0 },
};

static const struct argp_option anchor_options[] = {
	{ "night", OPT_NIGHT, "DATE", 0, "The night that measured the release", 0 },
	{ "why", OPT_WHY, "TEXT", 0, "Which release it was", 0 },
	{ "machine", OPT_MACHINE, "NAME", 0, "Of this machine only", 0 },
	{ "by", OPT_BY, "NAME", 0, "Who decides (the user)", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;
	const char **texts[] = { &a->rules.pattern, &a->why, &a->by, &a->commit, &a->night,
		&a->machine, &a->rules.allow_mismatch };
	long day;

	if (key >= OPT_SERIES && key <= OPT_ALLOW) {
		if (arg[0] == '\0')
			argp_error(state, "an option is empty");
		*texts[key - OPT_SERIES] = arg;
		if (key == OPT_NIGHT && !night_day(arg, &day))
			argp_error(state, "--night: \"%s\" is no day, as 2026-11-30", arg);
		return 0;
	}
	if (key == OPT_MIN_EFFECT) {
		history_add_effect(state, &a->rules, arg);
		return 0;
	}
	if (key == ARGP_KEY_ARG && !a->folder) {
		a->folder = arg;
		return 0;
	}
	if (key == ARGP_KEY_ARG)
		argp_error(state, "one folder, not more");
	if (key == ARGP_KEY_END && !a->folder)
		argp_error(state, "a folder of nightly results is needed");
	if (key == ARGP_KEY_END && !a->why)
		argp_error(state, "--why is needed: a decision without a reason is none");
	return key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

static char *now(void)
{
	const time_t seconds = time(NULL);
	char text[32];
	struct tm utc;

	gmtime_r(&seconds, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	return mem_text(text);
}

static struct decision decide(enum decision_kind kind, const struct arguments *a)
{
	const struct passwd *user = getpwuid(getuid());

	return (struct decision){ .kind = kind,
		.time = now(),
		.by = mem_text(a->by  ? a->by
			       : user ? user->pw_name
				      : "unknown"),
		.why = mem_text(a->why) };
}

/* A creep has no first night: from the one that showed it on, the level is new. */
static void accept_alert(struct decisions *list, const struct arguments *a,
	const struct machine *m, const struct series *s, const struct alert *alert)
{
	size_t first = alert->kind == ALERT_CREEP ? alert->found : alert->first;
	struct decision d = decide(DECISION_ACCEPT, a);

	d.series = mem_text(s->key);
	d.night = mem_text(m->nights[s->points[first].night].date);
	d.commit = mem_text(
		a->commit ? a->commit : m->nights[s->points[alert->bad].night].commit);
	decisions_add(list, &d);
}

static void accept_all(
	struct decisions *list, const struct arguments *a, const struct history *h)
{
	for (size_t m = 0; m < h->n_machines; m++)
		for (size_t i = 0; i < h->machines[m].n_series; i++) {
			const struct verdict *v = &h->verdicts[m][i];

			for (size_t k = 0; k < v->n_alerts; k++)
				if (v->alerts[k].state == ALERT_OPEN)
					accept_alert(list, a, &h->machines[m], v->series,
						&v->alerts[k]);
		}
}

static int append(const char *folder, const struct decisions *list)
{
	struct err err;

	if (decisions_append(folder, list->items, list->count, &err) < 0)
		return history_trouble(err.text);
	for (size_t i = 0; i < list->count; i++) {
		const struct decision *d = &list->items[i];

		printf("%s: from %s on, %s\n", d->series ? d->series : "anchor", d->night,
			d->why);
	}
	return EXIT_OK;
}

int history_accept(int argc, char **argv)
{
	static const struct argp argp = {
		.options = accept_options,
		.parser = parse,
		.args_doc = "DIR",
		.doc = "Accepts what open alerts tell: from the night of the change on, a "
		       "series is judged by its new level, which it learns anew. The "
		       "decision is added to DIR/decisions.jsonl.\v"
		       "Exit status: 0 accepted; 2 usage, input or output; 3 no such alert "
		       "is open.",
	};
	struct arguments a = { 0 };
	struct decisions list = { 0 };
	struct history h;
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (!a.rules.pattern)
		return history_trouble("accept: --series is needed, as --series '*swap*'");
	ret = history_read(a.folder, &a.rules, &h);
	if (ret != EXIT_OK)
		return ret;
	accept_all(&list, &a, &h);
	if (list.count == 0) {
		history_trouble("accept: no series that matches has an open alert");
		ret = EXIT_NOTHING;
	} else {
		ret = append(a.folder, &list);
	}
	decisions_clear(&list);
	history_clear(&h);
	history_clear_effects(&a.rules);
	return ret;
}

int history_anchor(int argc, char **argv)
{
	static const struct argp argp = {
		.options = anchor_options,
		.parser = parse,
		.args_doc = "DIR",
		.doc = "Says that a night measured a release: creep is found against it. "
		       "The decision is added to DIR/decisions.jsonl.",
	};
	const struct series_rules none = { 0 };
	struct arguments a = { 0 };
	struct decisions list = { 0 };
	struct decision d;
	struct history h;
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (!a.night)
		return history_trouble("anchor: --night is needed, as --night 2026-11-30");
	/* A folder that is none gets no file. */
	ret = history_read(a.folder, &none, &h);
	if (ret != EXIT_OK)
		return ret;
	history_clear(&h);
	d = decide(DECISION_ANCHOR, &a);
	d.night = mem_text(a.night);
	d.machine = mem_text(a.machine);
	decisions_add(&list, &d);
	ret = append(a.folder, &list);
	decisions_clear(&list);
	return ret;
}
