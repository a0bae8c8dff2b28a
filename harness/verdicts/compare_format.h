/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of a comparison, as every output for people words them. Pure. */
#ifndef VERDICTS_COMPARE_FORMAT_H
#define VERDICTS_COMPARE_FORMAT_H

#include "verdicts/compare.h"

/* Texts are freed by the caller; NULL: the cell is empty. */

/* Four significant digits; with a + where signs is true. */
char *format_number(double value, bool signs);

/* "0.0652" or "diff +0.5"; "[0.0610, 0.0701]"; both. */
char *format_effect(const struct compare_row *row);
char *format_interval(const struct compare_row *row);
char *format_change(const struct compare_row *row);

/* "2.1%", or "0.012" in the row's unit: the smallest effect that would be found. */
char *format_detectable(const struct compare_row *row);

/* The adjusted p. */
char *format_p(const struct compare_row *row);

/* "6", or "6/7" where the sides differ. */
char *format_boots(const struct compare_row *row);

/* "+ regression"; and with "(needs 14)". */
char *format_word(const struct compare_row *row);
char *format_verdict(const struct compare_row *row);

/* "regression", "gone" and the like, as all outputs print it. */
const char *compare_word_text(enum compare_word word);

/* "boot", "block", "none". */
const char *compare_pairing_text(enum pairing pairing);

/* What n and needs mean in the table, in full lines; "" where they do not occur. */
char *format_method(const struct comparison *c);

/*
 * What the table as a whole says, in full lines: how many regressions and
 * improvements, and what n, p and needs mean where they occur.
 */
char *format_conclusion(const struct comparison *c);

#endif
