// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands/compare_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "commands/deliver.h"
#include "commands/terminal.h"
#include "plots/report.h"
#include "verdicts/compare_render.h"
#include "verdicts/published.h"

static int render_text(const struct comparison *c, const struct compare_arguments *a,
	const struct render_options *options, const struct published *published, char **ret)
{
	char *table, *beside;
	int code = a->explain ? compare_explain(c, a->explain, &table)
			      : compare_render_text(c, options, &table);

	if (code < 0 || !published->figures) {
		if (code == 0)
			*ret = table;
		return code;
	}
	code = published_text(c, published, options->width, &beside);
	if (code == 0) {
		*ret = mem_format("%s\n%s", table, beside);
		free(beside);
	}
	free(table);
	return code;
}

static int render(const struct comparison *c, const struct compare_arguments *a,
	enum compare_form form, const struct render_options *options,
	const struct published *published, char **ret)
{
	switch (form) {
	case FORM_JSON:
		return compare_render_json(c, options, ret);
	case FORM_CSV:
		return compare_render_csv(c, ret);
	case FORM_MARKDOWN:
		return compare_render_markdown(c, options, ret);
	case FORM_LKML:
		return compare_render_lkml(c, options, ret);
	case FORM_JUNIT:
		return compare_render_junit(c, options, ret);
	case FORM_KTAP:
		return compare_render_ktap(c, ret);
	default:
		return render_text(c, a, options, published, ret);
	}
}

static int refuse(const struct comparison *c, const struct render_options *options)
{
	char *text;
	int ret = compare_render_text(c, options, &text);

	if (ret < 0)
		return ret;
	fputs(text, stderr);
	free(text);
	return 0;
}

/* Each form knows whether it goes to a terminal. */
static struct render_options options_for(const struct compare_out *out,
	const struct compare_arguments *a, const struct compare_side sides[2])
{
	return (struct render_options){
		.base_name = sides[0].name,
		.cand_name = sides[1].name,
		.width = out->path ? 0 : terminal_width(),
		.color = a->color == COLOR_AUTO ? !out->path && terminal_color()
						: a->color == COLOR_ALWAYS,
		.base = sides[0].record,
		.repeat = a->repeat,
	};
}

/* A page, which can also say that the two are not comparable. */
static int write_page(const char *path, const struct comparison *c,
	const struct compare_side sides[2], const struct render_options *options,
	struct err *err)
{
	struct report r = {
		.names = { options->base_name, options->cand_name },
		.arms = { sides[0].record, sides[1].record },
		.comparison = c,
	};
	char *mail = NULL;
	int ret = c->comparable ? compare_render_lkml(c, options, &mail) : 0;

	r.mail = mail;
	if (ret < 0)
		err_set(err, ret, "%s", strerror(-ret));
	else
		ret = report_write(&r, path, err);
	if (ret == 0 && r.no_pictures)
		fprintf(stderr, "compare-results: %s\n", r.no_pictures);
	report_clear(&r);
	free(mail);
	return ret;
}

int compare_output(const struct comparison *c, const struct compare_arguments *a,
	const struct compare_side sides[2], const struct record *published, struct err *err)
{
	const struct published beside = { published, sides[0].record, sides[1].record };
	bool refused = false;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < a->n_outs; i++) {
		const struct compare_out *out = &a->outs[i];
		const struct render_options options = options_for(out, a, sides);
		char *text;

		if (out->form == FORM_HTML) {
			ret = write_page(out->path, c, sides, &options, err);
			continue;
		}
		if (!c->comparable && out->form != FORM_JSON) {
			ret = refused ? 0 : refuse(c, &options);
			refused = true;
			continue;
		}
		ret = render(c, a, out->form, &options, &beside, &text);
		if (ret < 0)
			return err_set(err, ret, "%s", strerror(-ret));
		ret = deliver(out->path, text, err);
		free(text);
	}
	return ret;
}
