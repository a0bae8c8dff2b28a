// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks that open what they ask about, because only that tells. */
#include "capability_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters.h"
#include "cpulist.h"
#include "profile.h"
#include "tlbtrace.h"

/*
 * Only what a CPU counts is counted by mode, as "cycles:u", or is of its set; the
 * rest is the kernel's.
 */
static int is_hardware(const struct counter_info *info)
{
	return strchr(info->name, ':') != NULL || info->tells;
}

static void say_events(struct capability *c, int hardware)
{
	struct counters *counters;
	const char *why = NULL;
	size_t n = 0, n_open = 0;

	if (counters_open("", 1, &counters) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, NULL, "libperf cannot start");
		return;
	}
	for (size_t i = 0; i < counters_count(counters); i++) {
		struct counter_info info = counters_info(counters, i);

		if (is_hardware(&info) != hardware)
			continue;
		n++;
		n_open += !info.unavailable;
		why = why ? why : info.unavailable;
	}
	if (n_open == n)
		capability_say(c, CAPABILITY_OK, NULL, "all %zu open", n);
	else
		capability_say(c, n_open > 0 ? CAPABILITY_LIMITED : CAPABILITY_UNAVAILABLE,
			NULL, "%zu of %zu open; %s", n_open, n, why);
	counters_close(counters);
}

void capability_software_events(const char *root, struct capability *c)
{
	(void)root;
	say_events(c, 0);
}

void capability_hardware_events(const char *root, struct capability *c)
{
	(void)root;
	say_events(c, 1);
}

void capability_profile(const char *root, struct capability *c)
{
	struct profile *profile;
	struct err err = { "" };
	char source[64];

	if (profile_open(root, NULL, &profile, &err) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, NULL, "%s", err.text);
		return;
	}
	profile_source(profile, source, sizeof(source));
	if (strstr(source, "cpu-clock"))
		capability_say(c, CAPABILITY_LIMITED, NULL,
			"%s: blind where the kernel has interrupts off", source);
	else
		capability_say(c, CAPABILITY_OK, NULL, "%s", source);
	profile_close(profile);
}

/* On one CPU: the limit of open files is another matter. */
void capability_tracepoint(const char *root, struct capability *c)
{
	struct cpulist online, first;
	struct tlbtrace *trace;
	struct err err = { "" };

	if (cpulist_read(root, "/sys/devices/system/cpu/online", &online) < 0 ||
		online.count == 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, "mount sysfs on /sys",
			"/sys/devices/system/cpu/online cannot be read");
		return;
	}
	first = (struct cpulist){ .ids = online.ids, .count = 1 };
	if (tlbtrace_open(&first, &trace, &err) < 0) {
		capability_say(c, CAPABILITY_UNAVAILABLE, NULL, "%s", err.text);
	} else {
		capability_say(c, CAPABILITY_OK, NULL, "flushes are counted by reason");
		tlbtrace_close(trace);
	}
	cpulist_clear(&online);
}

void capability_kvm(const char *root, struct capability *c)
{
	int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	(void)root;
	if (fd >= 0) {
		close(fd);
		capability_say(c, CAPABILITY_LIMITED, NULL,
			"/dev/kvm opens; whether a kernel boots under it shows the first "
			"guest");
	} else if (errno == EACCES || errno == EPERM) {
		capability_say(c, CAPABILITY_UNAVAILABLE,
			"add yourself to the group kvm, or run as root",
			"no right to open /dev/kvm: guests are emulated and give counts "
			"only");
	} else {
		capability_say(c, CAPABILITY_UNAVAILABLE, NULL,
			"no /dev/kvm: guests are emulated and give counts only");
	}
}
