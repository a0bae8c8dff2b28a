// SPDX-License-Identifier: GPL-2.0-or-later
/* From a workload and its parameters back to what a user types. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/spec.h"

char *param_format(const struct param *param, uint64_t value)
{
	static const char suffixes[] = "\0KMGT";
	size_t unit = 0;

	if (param->type == PARAM_CHOICE)
		return mem_text(param->choices[value]);
	if (param->type == PARAM_NODE && value == BENCH_NODE_AUTO)
		return mem_text("auto");
	while (param->type == PARAM_BYTES && value && value % 1024 == 0 && unit < 4) {
		value /= 1024;
		unit++;
	}
	return mem_format("%llu%.1s", (unsigned long long)value, &suffixes[unit]);
}

char *spec_value_text(const struct spec *spec, size_t i)
{
	const struct param *p = &spec->workload->params[i];

	return p->type == PARAM_FILES ? mem_text(spec->texts[i])
				      : param_format(p, spec->values[i]);
}

static bool is_default(const struct param *param, const char *shown)
{
	return strcmp(param->preset, shown) == 0;
}

char *spec_format(const struct spec *spec)
{
	char *text = mem_text(spec->workload->name);
	char separator = ':';

	for (size_t i = 0; spec->workload->params[i].name; i++) {
		const struct param *p = &spec->workload->params[i];
		char *value = spec_value_text(spec, i);

		if (!is_default(p, value)) {
			char *longer =
				mem_format("%s%c%s=%s", text, separator, p->name, value);

			free(text);
			text = longer;
			separator = ',';
		}
		free(value);
	}
	if (spec->iterations) {
		char *longer = mem_format("%s%citerations=%llu", text, separator,
			(unsigned long long)spec->iterations);

		free(text);
		text = longer;
	}
	return text;
}
