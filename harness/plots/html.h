/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that comes from outside, in a page. Pure. */
#ifndef PLOTS_HTML_H
#define PLOTS_HTML_H

#include <stdio.h>

/*
 * Any bytes as the text of an element or of an attribute in double quotes, valid
 * as HTML and as XML: what has a meaning there is escaped, and what may not stand
 * there (bytes that are no UTF-8, control characters) or would reorder the text
 * around it (Unicode's bidirectional controls) becomes U+FFFD. NULL is "".
 */
void html_put(FILE *out, const char *text);

/* The same without the escapes, for a picture's text; freed by the caller. */
char *html_clean(const char *text);

#endif
