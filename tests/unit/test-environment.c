// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/environment.h"
#include "measure/environment_parts.h"
#include "measure/kernel_config.h"
#include "verdicts/record.h"

#define MACHINES "tests/fixtures/machines/"

static struct record *fill(const char *root)
{
	struct record *r = record_new();
	struct err err = { "" };

	cr_assert_eq(environment_fill(root, r, &err), 0, "%s", err.text);
	return r;
}

enum block { IDENTITY, SUBJECT, STATE };

/* text NULL: number counts; "-": the key is not there. */
static const struct expected {
	const char *machine;
	enum block block;
	const char *key, *text;
	int64_t number;
} expected[] = {
	{ "x86_64", IDENTITY, "arch", "x86_64", 0 },
	{ "x86_64", IDENTITY, "cpu_model", "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", 0 },
	{ "x86_64", IDENTITY, "cpu_stepping", "6-106-6", 0 },
	{ "x86_64", IDENTITY, "microcode", "0xd0003a5", 0 },
	{ "x86_64", IDENTITY, "cpus_online", "0-3", 0 },
	{ "x86_64", IDENTITY, "memory_bytes", NULL, (int64_t)64 << 30 },
	{ "x86_64", IDENTITY, "hypervisor", "none", 0 },
	{ "x86_64", IDENTITY, "accelerator", "none", 0 },
	{ "x86_64", IDENTITY, "product", "Example Systems Server 1", 0 },
	{ "x86_64", IDENTITY, "swap", "2 x zram lzo-rle 1G, partition sda3 8G", 0 },
	{ "x86_64", IDENTITY, "thp_enabled", "madvise", 0 },
	{ "x86_64", IDENTITY, "thp_shmem", "never", 0 },
	{ "x86_64", IDENTITY, "governor", "performance", 0 },
	{ "x86_64", IDENTITY, "no_turbo", "0", 0 },
	{ "x86_64", IDENTITY, "mitigations",
		"meltdown=Mitigation: PTI; spectre_v1=Mitigation: barriers", 0 },
	{ "x86_64", IDENTITY, "errata", "tlb_mmatch", 0 },
	{ "x86_64", IDENTITY, "broadcast_tlb_flush", "invlpgb", 0 },
	{ "x86_64", IDENTITY, "cmdline",
		"ro quiet mitigations=auto dyndbg=\"file a.c +p; file b.c +p\"", 0 },
	{ "x86_64", IDENTITY, "numa_balancing", NULL, 1 },
	{ "x86_64", IDENTITY, "swappiness", NULL, 60 },
	{ "x86_64", IDENTITY, "page_cluster", NULL, 3 },
	{ "x86_64", IDENTITY, "topology", "-", 0 }, /* not this machine's */
	{ "x86_64", SUBJECT, "kernel_release", "6.12.117-test", 0 },
	{ "x86_64", SUBJECT, "kernel_version", "#1 SMP PREEMPT_DYNAMIC", 0 },
	{ "x86_64", SUBJECT, "config_source", "/proc/config.gz", 0 },
	{ "x86_64", SUBJECT, "config_batched_unmap", "y", 0 },
	{ "x86_64", SUBJECT, "batched_unmap_tlb_flush", NULL, 0 },
	{ "x86_64", SUBJECT, "cmdline_variant", "vm.batched_unmap_tlb_flush=0", 0 },
	{ "x86_64", STATE, "load_1min_percent", NULL, 52 },
	{ "x86_64", STATE, "uptime_s", NULL, 86400 },
	{ "x86_64", STATE, "temperature_millicelsius", NULL, 56500 },
	{ "x86_64", STATE, "frequency_khz", NULL, 1999998 },

	{ "aarch64", IDENTITY, "hypervisor", "none", 0 }, /* .metal */
	{ "aarch64", IDENTITY, "memory_bytes", NULL, (int64_t)256 << 30 },
	{ "aarch64", IDENTITY, "cpu_stepping", "r3p1", 0 },
	{ "aarch64", IDENTITY, "microcode", "-", 0 },
	{ "aarch64", IDENTITY, "swap", "file 2G behind zswap", 0 },
	{ "aarch64", IDENTITY, "governor", "schedutil, performance", 0 },
	{ "aarch64", IDENTITY, "mitigations", "none needed", 0 },
	{ "aarch64", IDENTITY, "errata",
		"ARM erratum 1418040, ARM errata 1286807, 2441009, "
		"Kernel page table isolation (KPTI)",
		0 },
	{ "aarch64", SUBJECT, "config_source", "/boot/config-6.12.90-arm", 0 },
	{ "aarch64", SUBJECT, "config_batched_unmap", "n", 0 },
	{ "aarch64", SUBJECT, "batched_unmap_tlb_flush", "-", 0 },
	{ "aarch64", STATE, "temperature_millicelsius", "-", 0 },

	{ "ppc64le", IDENTITY, "hypervisor", "kvm", 0 },
	{ "ppc64le", IDENTITY, "accelerator", "tcg", 0 }, /* told by the host */
	{ "ppc64le", IDENTITY, "swap", "none", 0 },
	{ "ppc64le", IDENTITY, "governor", "none", 0 },
	{ "ppc64le", IDENTITY, "errata", "unknown", 0 },
	{ "ppc64le", IDENTITY, "memory_bytes", NULL, (int64_t)1 << 30 },
	{ "ppc64le", SUBJECT, "config_hash", "unknown", 0 },

	{ "pvm", IDENTITY, "broadcast_tlb_flush", "hypercall", 0 },

	{ "riscv64", IDENTITY, "arch", "unknown", 0 },
	{ "riscv64", IDENTITY, "hypervisor", "qemu", 0 },
	{ "riscv64", IDENTITY, "accelerator", "unknown", 0 },
	{ "riscv64", IDENTITY, "swap", "unknown", 0 }, /* no /proc/swaps */
	{ "riscv64", IDENTITY, "mitigations", "-", 0 },
	{ "riscv64", IDENTITY, "swappiness", "-", 0 },
};

Test(environment, recorded_machines)
{
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct expected *e = &expected[i];
		char *root = mem_format(MACHINES "%s", e->machine);
		struct record *r = fill(root);
		const struct fields *blocks[] = { &r->identity, &r->subject, &r->state };
		const struct field *f = fields_find(blocks[e->block], e->key);

		if (e->text && strcmp(e->text, "-") == 0) {
			cr_expect_null(f, "%s: %s is there", e->machine, e->key);
		} else if (!f) {
			cr_expect_fail("%s: no %s", e->machine, e->key);
		} else if (e->text) {
			cr_expect(f->text && strcmp(f->text, e->text) == 0,
				"%s: %s is \"%s\"", e->machine, e->key, f->text);
		} else {
			cr_expect(!f->text && f->number == e->number, "%s: %s is %s%lld",
				e->machine, e->key, f->text ? f->text : "",
				(long long)f->number);
		}
		record_free(r);
		free(root);
	}
}

Test(environment, this_machine_has_the_keys_that_must_be_there)
{
	static const char *const keys[] = { "arch", "cpu_model", "cpu_stepping", "topology",
		"memory_bytes", "page_bytes", "hypervisor", "accelerator", "swap",
		"governor", "errata", "cmdline", "compiler" };
	struct record *r = fill("");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		cr_expect(fields_find(&r->identity, keys[i]), "no %s", keys[i]);
	cr_expect(fields_find(&r->subject, "kernel_release"));
	cr_expect(fields_find(&r->state, "uptime_s"));
	record_free(r);
}

Test(environment, is_the_same_twice)
{
	struct record *a = fill(""), *b = fill("");

	cr_assert_eq(a->identity.count, b->identity.count);
	for (size_t i = 0; i < a->identity.count; i++) {
		const struct field *x = &a->identity.items[i], *y = &b->identity.items[i];

		cr_expect_str_eq(x->name, y->name);
		cr_expect(x->text ? strcmp(x->text, y->text) == 0 : x->number == y->number,
			"%s", x->name);
	}
	record_free(a);
	record_free(b);
}

Test(environment, folder_without_a_machine_is_refused)
{
	struct record *r = record_new();
	struct err err = { "" };

	cr_assert_eq(environment_fill("tests/fixtures/none", r, &err), -ENOENT);
	cr_assert(strstr(err.text, "tests/fixtures/none/proc/cmdline"), "%s", err.text);
	record_free(r);
}

Test(environment, command_line_is_split)
{
	static const struct {
		const char *line, *identity, *variant;
	} cases[] = {
		{ "", "", "" },
		{ "  a  b\n", "a b", "" },
		{ "root=/dev/a roota=1 ro", "roota=1 ro", "" },
		{ "shootdown.run=7 a shootdown.variant=x", "a", "" },
		{ "batched_unmap_tlb_flush=1 a sysctl.vm.batched_unmap_tlb_flush=0", "a",
			"batched_unmap_tlb_flush=1 sysctl.vm.batched_unmap_tlb_flush=0" },
		{ "a=\"b root=c\" d", "a=\"b root=c\" d", "" },
		{ "a=\"b", "a=\"b", "" },
		{ "a --b -- c", "a --b", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *identity, *variant;

		environment_split_cmdline(cases[i].line, &identity, &variant);
		cr_expect_str_eq(identity, cases[i].identity);
		cr_expect_str_eq(variant, cases[i].variant);
		free(identity);
		free(variant);
	}
}

Test(environment, memory_is_that_of_the_machine)
{
	static const struct {
		uint64_t total_mib, rounded_mib;
	} cases[] = { { 0, 0 }, { 215, 224 }, { 980, 1024 }, { 988, 1024 },
		{ 15800, 16384 }, { 24105, 24576 }, { 64104, 65536 }, { 65536, 65536 },
		{ 515000, 524288 } };
	const uint64_t mib = 1 << 20;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		cr_expect_eq(environment_round_memory(cases[i].total_mib * mib),
			cases[i].rounded_mib * mib, "%llu MiB",
			(unsigned long long)cases[i].total_mib);
	cr_expect_eq(environment_round_memory(1), 1);
}

Test(kernel_config, finds_symbols_and_refuses_rubbish)
{
	static const char text[] =
		"CONFIG_A=y\nCONFIG_AB=m\n# CONFIG_C is not set\nCONFIG_D=\"y\"\n";
	char *read, *source = NULL;

	cr_expect_eq(kernel_config_find(text, "CONFIG_A"), 'y');
	cr_expect_eq(kernel_config_find(text, "CONFIG_AB"), 'm');
	cr_expect_eq(kernel_config_find(text, "CONFIG_C"), 'n');
	cr_expect_eq(kernel_config_find(text, "CONFIG_D"), 'n');
	cr_expect_eq(kernel_config_find("", "CONFIG_A"), 'n');
	cr_assert_eq(kernel_config_read(MACHINES "ppc64le", &read, &source), -ENOENT);
	cr_assert_null(source);
	cr_assert_eq(kernel_config_read(MACHINES "x86_64", &read, &source), 0);
	cr_assert_str_eq(source, "/proc/config.gz");
	cr_assert_eq(kernel_config_find(read, "CONFIG_SMP"), 'y');
	free(read);
	free(source);
}
