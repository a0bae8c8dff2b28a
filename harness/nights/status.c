// SPDX-License-Identifier: GPL-2.0-or-later
#include "nights/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* What follows the key at the start of a line, up to one of ends; or NULL. */
static char *find_value(const char *text, const char *key, const char *ends)
{
	const size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) != 0 || line[length] != ' ')
			continue;
		line += length + strspn(line + length, " ");
		return mem_format("%.*s", (int)strcspn(line, ends), line);
	}
	return NULL;
}

void night_status_clear(struct night_status *s)
{
	free(s->id);
	free(s->last);
	*s = (struct night_status){ 0 };
}

int night_status_parse(const char *text, struct night_status *ret, struct err *err)
{
	struct night_status s = { .id = find_value(text, "night", " \n"),
		.last = find_value(text, "last", "\n") };
	char *state = find_value(text, "state", " \n");
	int code = 0;

	if (!s.id || !*s.id || !s.last || !state)
		code = err_set(err, -EBADMSG, "no status of a night: %.*s",
			(int)strcspn(text, "\n"), text);
	if (code == 0) {
		s.ended = strcmp(state, "ended") == 0;
		s.aborted = strncmp(s.last, "aborted ", strlen("aborted ")) == 0;
		*ret = s;
	} else {
		night_status_clear(&s);
	}
	free(state);
	return code;
}
