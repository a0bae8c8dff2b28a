// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kallsyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "measure/hotspots.h"

/* "name\t[module]" */
static void cut_module(struct symbol *s)
{
	char *tab = strchr(s->name, '\t');

	if (tab)
		*tab = '\0';
}

static bool is_hidden(const struct symbols *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].is_code && s->items[i].address != 0)
			return false;
	return true;
}

static int refuse(int code, struct err *err)
{
	switch (code) {
	case -EACCES:
		return err_set(err, code,
			"the kernel hides the addresses of its functions: run as root, "
			"or sysctl kernel.kptr_restrict=0");
	case -ENOMEM:
		return err_set(err, code, "/proc/kallsyms is too large for the memory");
	default:
		return err_set(err, code,
			"/proc/kallsyms has a line that is no \"ADDRESS TYPE NAME\"");
	}
}

int kallsyms_parse(char *text, struct kallsyms *ret, struct err *err)
{
	struct kallsyms k = { .text = text };
	int code;

	/* What old kernels print for an address that they hide. */
	if (strstr(text, "(null) ") || text[0] == '\0') {
		free(text);
		return refuse(-EACCES, err);
	}
	code = symbols_parse(text, &k.symbols);
	if (code == 0 && is_hidden(&k.symbols))
		code = -EACCES;
	if (code < 0) {
		kallsyms_clear(&k);
		return refuse(code, err);
	}
	for (size_t i = 0; i < k.symbols.count; i++)
		cut_module(&k.symbols.items[i]);
	*ret = k;
	return 0;
}

int kallsyms_read(const char *root, struct kallsyms *ret, struct err *err)
{
	char *text;
	const int code = file_read(root, "/proc/kallsyms", &text, NULL);

	if (code == -ENOENT)
		return err_set(err, code, "this kernel has no CONFIG_KALLSYMS");
	if (code < 0)
		return err_set(err, code, "/proc/kallsyms: %s", strerror(-code));
	return kallsyms_parse(text, ret, err);
}

void kallsyms_clear(struct kallsyms *k)
{
	free(k->text);
	free(k->symbols.items);
	*k = (struct kallsyms){ 0 };
}

bool kallsyms_has(const struct kallsyms *k, const char *name)
{
	for (size_t i = 0; i < k->symbols.count; i++)
		if (k->symbols.items[i].is_code &&
			hotspot_is_named(k->symbols.items[i].name, name))
			return true;
	return false;
}
