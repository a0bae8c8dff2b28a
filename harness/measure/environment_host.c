// SPDX-License-Identifier: GPL-2.0-or-later
/* What kind of machine this is: memory, product, hypervisor, errata. */
#include "environment_parts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>

#include "base/file.h"
#include "base/mem.h"
#include "measure/environment.h"

/* klogctl(2) */
#define LOG_READ_ALL 3
#define LOG_SIZE 10

uint64_t environment_round_memory(uint64_t total_bytes)
{
	uint64_t step = 1;

	if (total_bytes == 0)
		return 0;
	step <<= 63 - __builtin_clzll(total_bytes);
	step = step >= 8 ? step / 8 : 1;
	return (total_bytes + step - 1) / step * step;
}

char *environment_product(const char *root)
{
	char *vendor, *name, *both;

	if (file_read_line(root, "/proc/device-tree/model", &name) == 0)
		return name;
	if (file_read_line(root, "/sys/class/dmi/id/product_name", &name) < 0)
		return NULL;
	if (file_read_line(root, "/sys/class/dmi/id/sys_vendor", &vendor) < 0)
		return name;
	both = mem_format("%s %s", vendor, name);
	free(vendor);
	free(name);
	return both;
}

struct sign {
	const char *text; /* found within what the machine says */
	const char *kind;
};

static const char *find_sign(const struct sign *signs, const char *text)
{
	for (; text && signs->text; signs++)
		if (strstr(text, signs->text))
			return signs->kind;
	return NULL;
}

/* As find_sign, in a file. */
static const char *sign_in(const char *root, const char *path, const struct sign *signs)
{
	const char *kind = NULL;
	char *text;

	if (file_read(root, path, &text, NULL) < 0)
		return NULL;
	kind = find_sign(signs, text);
	free(text);
	return kind;
}

/* By the clock that the hypervisor offers, or the interface that it names. */
static const char *told_hypervisor(const char *root)
{
	static const struct sign clocks[] = { { "kvm-clock", "kvm" },
		{ "hyperv_", "hyper-v" }, { "xen", "xen" }, { NULL, NULL } };
	static const struct sign types[] = { { "xen", "xen" }, { NULL, NULL } };
	static const struct sign nodes[] = { { "kvm", "kvm" }, { "xen", "xen" },
		{ NULL, NULL } };
	static const struct {
		const char *path;
		const struct sign *signs;
	} places[] = {
		{ "/sys/hypervisor/type", types },
		{ "/proc/device-tree/hypervisor/compatible", nodes },
		{ "/sys/devices/system/clocksource/clocksource0/available_clocksource",
			clocks },
	};
	const char *kind = NULL;

	for (size_t i = 0; !kind && i < sizeof(places) / sizeof(places[0]); i++)
		kind = sign_in(root, places[i].path, places[i].signs);
	return kind;
}

char *environment_hypervisor(const char *root, const char *product)
{
	/* Cloud machines without a hypervisor carry the same vendor. */
	static const struct sign products[] = { { ".metal", "none" }, { "QEMU", "qemu" },
		{ "qemu", "qemu" }, { "linux,dummy-virt", "qemu" }, { "KVM", "kvm" },
		{ "VMware", "vmware" }, { "VirtualBox", "virtualbox" },
		{ "Microsoft Corporation Virtual", "hyper-v" }, { "Amazon EC2", "kvm" },
		{ "Google Compute Engine", "kvm" }, { "Xen", "xen" }, { NULL, NULL } };
	static const struct sign cpus[] = { { " hypervisor", "unknown" },
		{ "flags\t", "none" }, { "emulated by qemu", "qemu" },
		{ "pSeries", "powervm" }, { NULL, NULL } };
	const char *cpu = sign_in(root, "/proc/cpuinfo", cpus), *kind;

	/* On x86 the CPU itself says so, and the rest only which. */
	if (cpu && strcmp(cpu, "none") == 0)
		return mem_text("none");
	kind = told_hypervisor(root);
	if (!kind)
		kind = find_sign(products, product);
	if (!kind)
		kind = cpu ? cpu : "none";
	return mem_text(kind);
}

/* Adds the words to a list, once. */
static void add_once(char **list, const char *words)
{
	char *longer;

	if (*list && strstr(*list, words))
		return;
	longer = *list ? mem_format("%s, %s", *list, words) : mem_text(words);
	free(*list);
	*list = longer;
}

/* x86 lists its errata among the bugs. */
static char *x86_errata(const char *root)
{
	char *text, *bugs, *found = NULL;

	if (file_read(root, "/proc/cpuinfo", &text, NULL) < 0)
		return mem_text("unknown");
	bugs = strstr(text, "\nbugs");
	if (bugs) {
		bugs[1 + strcspn(bugs + 1, "\n")] = '\0';
		for (char *word = strtok(bugs, " \t:"); word; word = strtok(NULL, " \t:"))
			if (strstr(word, "tlb"))
				add_once(&found, word);
	}
	free(text);
	return found ? found : mem_text(bugs ? "none" : "unknown");
}

/* The kernel's log; NULL where this user may not read it. */
static char *read_log(const char *root)
{
	char *text = NULL;
	int room, got;

	if (*root)
		return file_read(root, "/var/log/dmesg", &text, NULL) < 0 ? NULL : text;
	room = klogctl(LOG_SIZE, NULL, 0);
	if (room <= 0)
		return NULL;
	text = mem_zeroed((size_t)room + 1, 1);
	got = klogctl(LOG_READ_ALL, text, room);
	if (got < 0) {
		free(text);
		return NULL;
	}
	return text;
}

/*
 * A kernel lists the instruction only if it uses it, and tells the call in its log:
 * arch/x86/hyperv/mmu.c, and guests of PVM. (KVM's "pv remote TLB flush" leaves out
 * CPUs that do not run, and interrupts the others.)
 */
char *environment_broadcast(const char *root)
{
	static const struct sign flags[] = { { " invlpgb", "invlpgb" }, { NULL, NULL } };
	static const struct sign calls[] = { { "hypercall for remote TLB flush",
						     "hypercall" },
		{ "remote TLB flushes via ", "hypercall" }, { NULL, NULL } };
	const char *kind = sign_in(root, "/proc/cpuinfo", flags);
	char *log;

	if (kind)
		return mem_text(kind);
	log = read_log(root);
	kind = find_sign(calls, log);
	free(log);
	return mem_text(kind);
}

/* Guests of Hyper-V can be told by their rows, even where the log is lost. */
static bool is_hyperv(const struct interrupts *in)
{

	for (size_t i = 0; i < in->n_rows; i++) {
		const struct interrupt_row *row = &in->rows[i];

		if (strcmp(row->label, "HVS") == 0 || strcmp(row->label, "HRE") == 0)
			return true;
	}
	return false;
}

static bool has_shootdowns(const struct interrupts *in)
{
	uint64_t shootdowns = 0;

	for (size_t i = 0; i < in->n_rows; i++)
		for (size_t c = 0; c < in->rows[i].n_counts; c++)
			if (strcmp(in->rows[i].label, "TLB") == 0)
				shootdowns += in->rows[i].counts[c];
	return shootdowns > 0;
}

bool environment_flushes_by_hypercall(const char *root, const struct interrupts *in)
{
	char *by;
	bool ret;

	if (has_shootdowns(in))
		return false;
	by = environment_broadcast(root);
	ret = is_hyperv(in) || (by && strcmp(by, "hypercall") == 0);
	free(by);
	return ret;
}

/*
 * arm64 tells its workarounds nowhere but in the log of the boot, one line
 * for each ("CPU features: detected: ARM erratum 1418040"), and likewise whether
 * it isolates its page tables, which makes two ASIDs of one. A log that has lost
 * its beginning may have lost them too.
 */
static char *arm64_errata(const char *root)
{
	static const char mark[] = "CPU features: detected: ";
	char *log = read_log(root), *line, *rest = log, *found = NULL;
	bool whole = log && strstr(log, "Linux version ");

	while (whole && (line = strsep(&rest, "\n"))) {
		const char *what = strstr(line, mark);

		if (what && (strcasestr(what, "errat") ||
				    strcasestr(what, "page table isolation")))
			add_once(&found, what + strlen(mark));
	}
	free(log);
	return found ? found : mem_text(whole ? "none" : "unknown");
}

char *environment_errata(const char *root, const char *arch)
{
	if (strcmp(arch, "x86_64") == 0)
		return x86_errata(root);
	return strcmp(arch, "aarch64") == 0 ? arm64_errata(root) : mem_text("unknown");
}
