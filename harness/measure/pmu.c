// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/pmu.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

#define DEVICES "/sys/bus/event_source/devices"

void event_code_clear(struct event_code *c)
{
	cpulist_clear(&c->cpus);
	*c = (struct event_code){ 0 };
}

static uint64_t *find_word(const char *format, struct event_code *code)
{
	if (strncmp(format, "config:", 7) == 0)
		return &code->config;
	if (strncmp(format, "config1:", 8) == 0)
		return &code->config1;
	if (strncmp(format, "config2:", 8) == 0)
		return &code->config2;
	return NULL;
}

/* "3" or "3-7" from *text on, which moves behind it. */
static bool parse_bits(const char **text, unsigned int *ret_low, unsigned int *ret_high)
{
	char *end;
	unsigned long low = strtoul(*text, &end, 10), high = low;

	if (end == *text)
		return false;
	if (*end == '-') {
		const char *from = end + 1;

		high = strtoul(from, &end, 10);
		if (end == from)
			return false;
	}
	if (high > 63 || low > high)
		return false;
	*ret_low = (unsigned int)low;
	*ret_high = (unsigned int)high;
	*text = end;
	return true;
}

int pmu_place(const char *format, uint64_t value, struct event_code *code)
{
	uint64_t *word = find_word(format, code), bits = 0;
	const char *at = strchr(format, ':');

	if (!word)
		return -EINVAL;
	do {
		unsigned int low, high, n;

		at++;
		if (!parse_bits(&at, &low, &high))
			return -EINVAL;
		n = high - low + 1;
		bits |= (n == 64 ? value : value & ((UINT64_C(1) << n) - 1)) << low;
		value = n == 64 ? 0 : value >> n;
	} while (*at == ',');
	if (*at || value)
		return -EINVAL;
	*word |= bits;
	return 0;
}

/* The one line of a file of the PMU; freed by the caller. */
static int read_part(
	const char *root, const char *pmu, const char *folder, const char *file, char **ret)
{
	char *path =
		mem_format(DEVICES "/%s/%s%s%s", pmu, folder, *folder ? "/" : "", file);
	const int code = file_read_line(root, path, ret);

	free(path);
	return code;
}

/* "event=0x35", or "any", which is 1. */
static int add_term(const char *root, const char *pmu, char *term, struct event_code *code,
	struct err *err)
{
	char *equals = strchr(term, '='), *format, *end;
	uint64_t value = 1;
	int ret;

	if (equals) {
		*equals++ = '\0';
		errno = 0;
		value = strtoull(equals, &end, 0);
		if (end == equals || *end || errno)
			return err_set(err, -EINVAL,
				"%s: %s=%s: an event that asks for more is not counted",
				pmu, term, equals);
	}
	/* A whole word, which needs no format: HiSilicon's drivers say it so. */
	if (equals && (strcmp(term, "config") == 0 || strcmp(term, "config1") == 0 ||
			      strcmp(term, "config2") == 0)) {
		format = mem_format("%s:0-63", term);
		ret = pmu_place(format, value, code);
		free(format);
		return ret;
	}
	if (*term == '\0' || strchr(term, '/') ||
		read_part(root, pmu, "format", term, &format) < 0)
		return err_set(err, -EINVAL, "%s: there is no format of \"%s\"", pmu, term);
	ret = pmu_place(format, value, code);
	if (ret < 0)
		err_set(err, ret, "%s: %s=0x%llx does not fit into \"%s\"", pmu, term,
			(unsigned long long)value, format);
	free(format);
	return ret;
}

static int read_type(const char *root, const char *pmu, struct event_code *code)
{
	char *text, *end;
	unsigned long type;
	int ret = read_part(root, pmu, "", "type", &text);

	if (ret < 0)
		return ret;
	type = strtoul(text, &end, 10);
	ret = end == text || *end || type > UINT32_MAX ? -EINVAL : 0;
	code->type = (uint32_t)type;
	free(text);
	return ret;
}

/* An uncore PMU has the file cpumask; cpus is that of one type of cores. */
static int read_cpus(const char *root, const char *pmu, struct event_code *code)
{
	char *path = mem_format(DEVICES "/%s/cpumask", pmu);
	const int ret = cpulist_read(root, path, &code->cpus);

	free(path);
	return ret == -ENOENT ? 0 : ret;
}

static int fill(const char *root, const char *pmu, char *terms, struct event_code *code,
	struct err *err)
{
	char *term;
	int ret = read_type(root, pmu, code);

	if (ret == 0)
		ret = read_cpus(root, pmu, code);
	if (ret < 0)
		return err_set(err, ret, "%s: its type or its CPUs cannot be read", pmu);
	while (ret == 0 && (term = strsep(&terms, ",")) != NULL)
		ret = add_term(root, pmu, term, code, err);
	return ret;
}

int pmu_encode(const char *root, const char *pmu, const char *event, struct event_code *ret,
	struct err *err)
{
	struct event_code code = { 0 };
	char *terms;
	int status = read_part(root, pmu, "events", event, &terms);

	if (status < 0)
		return err_set(err, status == -ENOENT ? -ENOENT : status,
			"%s has no event %s", pmu, event);
	status = fill(root, pmu, terms, &code, err);
	free(terms);
	if (status < 0)
		event_code_clear(&code);
	else
		*ret = code;
	return status;
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

size_t pmu_list(const char *root, const char *glob, char ***ret)
{
	char *folder = mem_format("%s" DEVICES, root), **list = NULL;
	struct dirent **entries;
	const int n = scandir(folder, &entries, not_hidden, alphasort);
	size_t count = 0;

	free(folder);
	for (int i = 0; i < n; i++) {
		if (fnmatch(glob, entries[i]->d_name, 0) == 0) {
			list = mem_resize(list, count + 1, sizeof(*list));
			list[count++] = mem_text(entries[i]->d_name);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	*ret = list;
	return count;
}
