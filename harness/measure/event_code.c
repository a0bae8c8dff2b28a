// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/event_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#if __has_include(<perfmon/pfmlib_perf_event.h>)
#include <perfmon/pfmlib_perf_event.h>

int event_code_by_table(
	const char *table, const char *event, struct event_code *ret, struct err *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	char *name = mem_format("%s%s%s", table, *table ? "::" : "", event);
	/* Again does no harm. */
	int code = pfm_initialize();

	if (code == PFM_SUCCESS)
		code = pfm_get_os_event_encoding(
			name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	free(name);
	if (code == PFM_SUCCESS) {
		*ret = (struct event_code){ .type = attr.type,
			.config = attr.config,
			.config1 = attr.config1,
			.config2 = attr.config2 };
		return 0;
	}
	return err_set(err, code == PFM_ERR_ATTR ? -EINVAL : -ENOENT,
		"libpfm does not know %s here: %s", event, pfm_strerror(code));
}
#else
int event_code_by_table(
	const char *table, const char *event, struct event_code *ret, struct err *err)
{
	(void)table;
	(void)ret;
	return err_set(err, -ENOTSUP,
		"%s: this program was built without libpfm (libpfm4-dev)", event);
}
#endif

void event_codes_clear(struct event_codes *c)
{
	for (size_t i = 0; i < c->count; i++)
		event_code_clear(&c->items[i]);
	free(c->items);
	*c = (struct event_codes){ 0 };
}

static int find_by_pmu(const char *root, const struct event_name *event,
	struct event_codes *ret, struct err *err)
{
	char **pmus;
	const size_t n = pmu_list(root, event->pmu, &pmus);
	struct event_codes c = { 0 };
	int code = 0;

	if (n == 0)
		code = err_set(err, -ENOENT, "this machine has no PMU %s", event->pmu);
	else
		c.items = mem_zeroed(n, sizeof(*c.items));
	for (size_t i = 0; i < n; i++) {
		if (code == 0)
			code = pmu_encode(
				root, pmus[i], event->event, &c.items[c.count], err);
		c.count += code == 0;
		free(pmus[i]);
	}
	free(pmus);
	if (code < 0)
		event_codes_clear(&c);
	else
		*ret = c;
	return code;
}

int event_codes_find(const char *root, const struct event_name *event,
	struct event_codes *ret, struct err *err)
{
	struct event_code code = { 0 };
	int status;

	if (event->pmu)
		return find_by_pmu(root, event, ret, err);
	status = event_code_by_table("", event->event, &code, err);
	if (status < 0)
		return status;
	ret->items = mem_zeroed(1, sizeof(*ret->items));
	ret->items[0] = code;
	ret->count = 1;
	return 0;
}
