/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as a page: valid as HTML and as XML, and it loads nothing. Pure. */
#ifndef PLOTS_PAGE_H
#define PLOTS_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "plots/report.h"

/* css: report.css. Freed by the caller. */
char *page_make(const struct report *r, const char *css);

/* Its parts. */
bool page_has_kind(const struct report *r, enum figure_kind kind);
void page_put_sweep(FILE *out, const struct report *r, const char *css);
void page_put_kind(
	FILE *out, const struct report *r, enum figure_kind kind, const char *css);
void page_put_history(FILE *out, const struct report *r, const char *css);
void page_put_fleet(FILE *out, const struct history *h);
void page_put_verdict(FILE *out, const struct report *r);
void page_put_values(FILE *out, const struct report *r);
void page_put_facts(FILE *out, const struct report *r);

#endif
