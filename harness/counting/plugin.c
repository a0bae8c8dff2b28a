// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plugin for QEMU's emulation: counts the instructions that maintain the TLB
 * and all that the kernel executes, in windows that a program in the guest
 * opens and closes (mark.h). Options:
 *
 *	out=FILE           the counts, counts.h says in which form
 *	map=FILE           the kernel's System.map
 *	kernel_from=0xN    from this address on it is the kernel; else the upper half
 *	probe=on           says that it could be loaded, and ends QEMU
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "counting/classify.h"
#include "counting/counts.h"
#include "counting/mark.h"
#include "counting/qemu_api.h"
#include "counting/symbols.h"

#define BUCKETS 1024u
#define NUMBER_BITS 64

/* On a cache line of its own: written by one virtual CPU all the time. */
struct vcpu {
	uint64_t kernel_insns; /* since QEMU's start; others read it */
	uint64_t at_open;      /* the same, when the window opened */
	uint64_t number;       /* of the window to be opened, */
	unsigned int bits;     /* and how many bits of it came so far */
} __attribute__((aligned(64)));

/* An instruction that counts. Never freed: QEMU may run old translations. */
struct site {
	uint64_t address;
	int class;
	struct site *next;
	uint64_t counts[]; /* by virtual CPU, then the same when the window opened */
};

static const struct count_arch *arch;
static struct symbols symbols;
static uint64_t kernel_from = (uint64_t)1 << 63;
static FILE *out;
static unsigned int n_vcpus;
static struct vcpu *vcpus;
/* Guards what follows, but for the counts of sites. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct site *sites[BUCKETS];
static uint64_t open_number; /* 0: none is open */

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static uint64_t get(const uint64_t *count)
{
	return __atomic_load_n(count, __ATOMIC_RELAXED);
}

/* By the one CPU that writes it. */
static void add(uint64_t *count, uint64_t n)
{
	__atomic_store_n(count, get(count) + n, __ATOMIC_RELAXED);
}

static void on_block(unsigned int vcpu, void *n_insns)
{
	add(&vcpus[vcpu].kernel_insns, (uintptr_t)n_insns);
}

static void on_site(unsigned int vcpu, void *data)
{
	struct site *site = data;

	add(&site->counts[vcpu], 1);
}

static void open_window(uint64_t number)
{
	pthread_mutex_lock(&lock);
	open_number = number;
	for (size_t b = 0; b < BUCKETS; b++)
		for (struct site *s = sites[b]; s; s = s->next)
			for (unsigned int i = 0; i < n_vcpus; i++)
				s->counts[n_vcpus + i] = get(&s->counts[i]);
	for (unsigned int i = 0; i < n_vcpus; i++)
		vcpus[i].at_open = get(&vcpus[i].kernel_insns);
	pthread_mutex_unlock(&lock);
}

static uint64_t since_open(const struct site *s, unsigned int vcpu)
{
	return get(&s->counts[vcpu]) - s->counts[n_vcpus + vcpu];
}

/* A CPU may count on meanwhile: it does not matter which window gets that. */
static void write_site(const struct site *s)
{
	const char *function = symbols_find(&symbols, s->address);
	bool executed = false;

	for (unsigned int i = 0; i < n_vcpus; i++)
		executed |= since_open(s, i) != 0;
	if (!executed)
		return;
	fprintf(out, "at %s %s", arch->classes[s->class], function ? function : "-");
	for (unsigned int i = 0; i < n_vcpus; i++)
		fprintf(out, " %llu", (unsigned long long)since_open(s, i));
	fputc('\n', out);
}

static void close_window(void)
{
	pthread_mutex_lock(&lock);
	if (open_number) {
		fprintf(out, "window %llu\nkernel", (unsigned long long)open_number);
		for (unsigned int i = 0; i < n_vcpus; i++)
			fprintf(out, " %llu",
				(unsigned long long)(get(&vcpus[i].kernel_insns) -
						     vcpus[i].at_open));
		fputc('\n', out);
		for (size_t b = 0; b < BUCKETS; b++)
			for (const struct site *s = sites[b]; s; s = s->next)
				write_site(s);
		fputs("end\n", out);
		fflush(out);
	}
	open_number = 0;
	pthread_mutex_unlock(&lock);
}

static void on_mark(unsigned int vcpu, void *mark)
{
	struct vcpu *v = &vcpus[vcpu];
	const uintptr_t m = (uintptr_t)mark;

	if (m == MARK_ZERO || m == MARK_ONE) {
		v->number = v->number << 1 | m;
		v->bits++;
		return;
	}
	if (m == MARK_CLOSE)
		close_window();
	else if (v->bits == NUMBER_BITS)
		open_window(v->number);
	v->bits = 0;
}

/* The same one each time that the instruction is translated. */
static struct site *find_site(uint64_t address, int class)
{
	struct site **at = &sites[(address >> 1) % BUCKETS], *s;

	pthread_mutex_lock(&lock);
	for (s = *at; s; s = s->next)
		if (s->address == address && s->class == class)
			break;
	if (!s) {
		s = calloc(1, sizeof(*s) + sizeof(s->counts[0]) * 2 * n_vcpus);
		if (!s)
			abort();
		s->address = address;
		s->class = class;
		s->next = *at;
		*at = s;
	}
	pthread_mutex_unlock(&lock);
	return s;
}

static void watch_insn(struct qemu_plugin_insn *insn)
{
	const size_t n = qemu_plugin_insn_size(insn);
	int class, mark;
#if QEMU_PLUGIN_VERSION >= 3
	unsigned char bytes[16];

	qemu_plugin_insn_data(insn, bytes, sizeof(bytes));
#else
	const unsigned char *bytes = qemu_plugin_insn_data(insn);
#endif

	class = arch->classify(bytes, n);
	mark = arch->mark(bytes, n);
	if (class >= 0)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_site,
			QEMU_PLUGIN_CB_NO_REGS,
			find_site(qemu_plugin_insn_vaddr(insn), class));
	if (mark >= 0)
		qemu_plugin_register_vcpu_insn_exec_cb(
			insn, on_mark, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)mark);
}

/*
 * A block that an exception leaves in its middle counts as a whole, and its
 * rest again later; a callback for each instruction costs far more.
 */
static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	if (n && qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)) >= kernel_from)
		qemu_plugin_register_vcpu_tb_exec_cb(
			tb, on_block, QEMU_PLUGIN_CB_NO_REGS, (void *)(uintptr_t)n);
	for (size_t i = 0; i < n; i++)
		watch_insn(qemu_plugin_tb_get_insn(tb, i));
}

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "counting plugin: %s: %s\n", what, why);
	return -1;
}

static int read_map(const char *path)
{
	char *text;
	int ret = file_read("", path, &text, NULL);

	if (ret == 0)
		ret = symbols_parse(text, &symbols);
	return ret < 0 ? complain(path, strerror(-ret)) : 0;
}

static int take_option(const char *option)
{
	if (strncmp(option, "out=", 4) == 0) {
		out = fopen(option + 4, "we");
		return out ? 0 : complain(option, strerror(errno));
	}
	if (strncmp(option, "map=", 4) == 0)
		return read_map(option + 4);
	if (strncmp(option, "kernel_from=", 12) == 0) {
		kernel_from = strtoull(option + 12, NULL, 0);
		return 0;
	}
	if (strncmp(option, "probe=", 6) == 0)
		return complain(COUNTS_PROBE, COUNTS_READY);
	return complain(option, "no such option");
}

static void write_head(void)
{
	fprintf(out, COUNTS_SCHEMA "\narch %s\nvcpus %u\nclasses", arch->target, n_vcpus);
	for (size_t i = 0; arch->classes[i]; i++)
		fprintf(out, " %s", arch->classes[i]);
	fputc('\n', out);
	fflush(out);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(
	qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	arch = count_find_arch(info->target_name);
	if (!arch || !info->system_emulation)
		return complain(
			info->target_name, "no machine whose instructions are known");
	for (int i = 0; i < argc; i++)
		if (take_option(argv[i]) < 0)
			return -1;
	if (!out)
		return complain("out=FILE", "is needed");
	n_vcpus = (unsigned int)info->system.max_vcpus;
	vcpus = aligned_alloc(sizeof(*vcpus), n_vcpus * sizeof(*vcpus));
	if (!vcpus)
		return complain("memory", strerror(ENOMEM));
	memset(vcpus, 0, n_vcpus * sizeof(*vcpus));
	write_head();
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
