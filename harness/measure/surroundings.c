// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/surroundings.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

int surroundings_parse_stat(const char *text, uint64_t *ret_softirq, uint64_t *ret_steal)
{
	unsigned long long softirq, steal;
	const char *line = strncmp(text, "cpu ", 4) == 0 ? text : strstr(text, "\ncpu ");

	/* user nice system idle iowait irq softirq steal */
	if (!line || sscanf(line + (*line == '\n') + 4, "%*u %*u %*u %*u %*u %*u %llu %llu",
			     &softirq, &steal) != 2)
		return -EINVAL;
	*ret_softirq = softirq;
	*ret_steal = steal;
	return 0;
}

static void read_stat(const char *root, struct surroundings *s)
{
	const uint64_t tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t softirq = 0, steal = 0;
	char *text;
	int ret = file_read(root, "/proc/stat", &text, NULL);

	if (ret == 0) {
		ret = surroundings_parse_stat(text, &softirq, &steal);
		free(text);
	}
	s->status[AROUND_SOFTIRQ] = s->status[AROUND_STEAL] = ret;
	s->values[AROUND_SOFTIRQ] = softirq * tick_ns;
	s->values[AROUND_STEAL] = steal * tick_ns;
}

static int read_number(const char *folder, const char *file, uint64_t *ret)
{
	char *path = mem_format("/%s", file), *text, *end;
	unsigned long long value;
	int code = file_read_line(folder, path, &text);

	free(path);
	if (code < 0)
		return code;
	value = strtoull(text, &end, 10);
	code = end == text || *end ? -EINVAL : 0;
	if (code == 0)
		*ret = value;
	free(text);
	return code;
}

static bool line_fits(const char *folder, const char *file, const char *pattern)
{
	char *path = mem_format("/%s", file), *text;
	bool fits = false;

	if (file_read_line(folder, path, &text) == 0) {
		fits = fnmatch(pattern, text, 0) == 0;
		free(text);
	}
	free(path);
	return fits;
}

/* A package of RAPL: not its parts, which it contains. */
static int add_package(const char *folder, struct surroundings *s)
{
	uint64_t *energy = &s->energy_uj[s->n_domains], *range = &s->range_uj[s->n_domains];
	int ret;

	if (s->n_domains == SURROUNDINGS_DOMAINS || !line_fits(folder, "name", "package-*"))
		return 0;
	ret = read_number(folder, "energy_uj", energy);
	if (ret == 0)
		ret = read_number(folder, "max_energy_range_uj", range);
	s->n_domains += ret == 0;
	return ret;
}

/* A socket's sensor of hwmon; those of its cores are in it. */
static int add_socket(const char *label, struct surroundings *s)
{
	const char *slash = strrchr(label, '/');
	char *folder = mem_format("%.*s", (int)(slash - label), label);
	char *input =
		mem_format("%.*sinput", (int)(strrchr(slash, '_') - slash), slash + 1);
	int ret = 0;

	if (s->n_domains < SURROUNDINGS_DOMAINS && line_fits(folder, slash + 1, "Esocket*"))
		ret = read_number(folder, input, &s->energy_uj[s->n_domains]);
	else
		ret = 1;
	s->range_uj[s->n_domains % SURROUNDINGS_DOMAINS] = 0;
	s->n_domains += ret == 0;
	free(folder);
	free(input);
	return ret < 0 ? ret : 0;
}

/* The first failure of take, of the paths that fit. */
static int for_each(const char *root, const char *pattern,
	int (*take)(const char *path, struct surroundings *s), struct surroundings *s)
{
	char *full = mem_format("%s%s", root, pattern);
	glob_t paths;
	int ret = 0;

	if (glob(full, 0, NULL, &paths) == 0) {
		for (size_t i = 0; i < paths.gl_pathc && ret == 0; i++)
			ret = take(paths.gl_pathv[i], s);
		globfree(&paths);
	}
	free(full);
	return ret;
}

static void read_energy(const char *root, struct surroundings *s)
{
	int ret = for_each(root, "/sys/class/powercap/*:*", add_package, s);

	if (ret == 0 && s->n_domains == 0)
		ret = for_each(
			root, "/sys/class/hwmon/hwmon*/energy*_label", add_socket, s);
	if (ret == 0 && s->n_domains == 0)
		ret = -ENOENT;
	s->status[AROUND_ENERGY] = ret;
}

/* Each CPU shows the count of its package: the sum says whether, not how often. */
static int add_throttles(const char *folder, struct surroundings *s)
{
	uint64_t count;
	const int ret = read_number(folder, "package_throttle_count", &count);

	if (ret == 0) {
		s->values[AROUND_THROTTLES] += count;
		s->status[AROUND_THROTTLES] = 0;
	}
	return ret == -ENOENT ? 0 : ret;
}

void surroundings_read(const char *root, struct surroundings *ret)
{
	struct surroundings s = { .status[AROUND_THROTTLES] = -ENOENT };

	read_stat(root, &s);
	read_energy(root, &s);
	for_each(root, "/sys/devices/system/cpu/cpu*/thermal_throttle", add_throttles, &s);
	*ret = s;
}

static int energy_delta(
	const struct surroundings *before, const struct surroundings *after, int64_t *ret)
{
	int64_t sum = 0;

	if (before->n_domains != after->n_domains)
		return -ERANGE;
	for (unsigned int i = 0; i < after->n_domains; i++) {
		const uint64_t from = before->energy_uj[i], to = after->energy_uj[i];

		if (to >= from)
			sum += (int64_t)(to - from);
		else if (before->range_uj[i] >= from)
			sum += (int64_t)(before->range_uj[i] - from + to);
		else
			return -ERANGE;
	}
	*ret = sum;
	return 0;
}

int surroundings_delta(const struct surroundings *before, const struct surroundings *after,
	enum surrounding which, int64_t *ret)
{
	if (before->status[which] < 0 || after->status[which] < 0)
		return -ENODATA;
	if (which == AROUND_ENERGY)
		return energy_delta(before, after, ret);
	if (after->values[which] < before->values[which])
		return -ERANGE;
	*ret = (int64_t)(after->values[which] - before->values[which]);
	return 0;
}

const char *surroundings_explain(enum surrounding which, int status)
{
	if (which == AROUND_ENERGY)
		return status == -EACCES
			       ? "the energy counters are root's: run as root"
			       : "no RAPL package below /sys/class/powercap, and no "
				 "hwmon that counts a socket's energy";
	if (which == AROUND_THROTTLES)
		return "this CPU does not count thermal throttling";
	return "/proc/stat does not tell";
}
