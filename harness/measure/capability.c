// SPDX-License-Identifier: GPL-2.0-or-later
#include "capability.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capability_parts.h"

static const struct check {
	const char *name;
	bool tried; /* on the running machine only */
	void (*run)(const char *root, struct capability *c);
} checks[] = {
	{ "CPUs", false, capability_cpus },
	{ "memory nodes", false, capability_nodes },
	{ "swap", false, capability_swap },
	{ "zram", false, capability_zram },
	{ "huge pages", false, capability_thp },
	{ "cgroup", false, capability_cgroup },
	{ "perf rights", false, capability_paranoid },
	{ "software events", true, capability_software_events },
	{ "hardware events", true, capability_hardware_events },
	{ "profile", true, capability_profile },
	{ "tlb:tlb_flush", true, capability_tracepoint },
	{ "interrupts", false, capability_interrupts },
	{ "vmstat nr_tlb_*", false, capability_vmstat_tlb },
	{ "batching", false, capability_batching },
	{ "batching switch", false, capability_switch },
	{ "KVM", true, capability_kvm },
};
#define N_CHECKS (sizeof(checks) / sizeof(checks[0]))

void capability_say(struct capability *c, enum capability_state state, const char *fix,
	const char *fmt, ...)
{
	va_list args;

	c->state = state;
	c->fix = mem_text(fix);
	va_start(args, fmt);
	if (vasprintf(&c->found, fmt, args) < 0)
		abort();
	va_end(args);
}

void capabilities_find(const char *root, struct capabilities *ret)
{
	ret->items = mem_zeroed(N_CHECKS, sizeof(*ret->items));
	ret->count = 0;
	for (size_t i = 0; i < N_CHECKS; i++) {
		struct capability *c = &ret->items[ret->count];

		if (*root && checks[i].tried)
			continue;
		c->name = checks[i].name;
		checks[i].run(root, c);
		ret->count++;
	}
}

void capabilities_clear(struct capabilities *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->items[i].found);
		free(c->items[i].fix);
	}
	free(c->items);
	memset(c, 0, sizeof(*c));
}
