// SPDX-License-Identifier: GPL-2.0-or-later
#include "mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *or_abort(void *p)
{
	if (!p)
		abort();
	return p;
}

void *mem_zeroed(size_t count, size_t bytes)
{
	return or_abort(calloc(count ? count : 1, bytes));
}

void *mem_resize(void *old, size_t count, size_t bytes)
{
	return or_abort(reallocarray(old, count ? count : 1, bytes));
}

char *mem_text(const char *text)
{
	return text ? or_abort(strdup(text)) : NULL;
}

char *mem_format(const char *fmt, ...)
{
	va_list args;
	char *text;
	int ret;

	va_start(args, fmt);
	ret = vasprintf(&text, fmt, args);
	va_end(args);
	return or_abort(ret < 0 ? NULL : text);
}
