/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the recorded files say, counted apart from the parsers: the tables of
 * test-recorded.c, and longer than a header should be because they are data.
 */
#ifndef RECORDED_FACTS_H
#define RECORDED_FACTS_H

#include <stddef.h>
#include <stdint.h>

static const struct interrupts_facts {
	const char *file;
	size_t n_cpus;
	int last_cpu;
	size_t n_rows, n_refused;
	const char *label;  /* of a row that occurs; the last of that label */
	uint64_t last, sum; /* its last count, and the sum of its counts */
} interrupts_facts[] = {
	{ "interrupts-aarch64-gl-mt6000.txt", 4, 3, 28, 0, "IPI1", 89129681, 273790752 },
	{ "interrupts-aarch64-graviton-8cpu.txt", 8, 7, 59, 0, "IPI1", 120728639,
		1349036461 },
	{ "interrupts-aarch64-imx8mm-wrapped-quoted.txt", 4, 3, 40, 29, "IPI1", 509, 3542 },
	{ "interrupts-aarch64-rpi4-garbled.txt", 4, 3, 23, 6, "IPI1", 4702, 15450 },
	{ "interrupts-aarch64-rpi4-openwrt.txt", 4, 3, 18, 0, "IPI1", 11536, 16113209 },
	{ "interrupts-aarch64-rpi4-ubuntu-glued-fragment.txt", 4, 3, 7, 1, "IPI5",
		307321362, 2867006035 },
	{ "interrupts-aarch64-ti-k3-fragment.txt", 4, 3, 7, 0, "224", 0, 149 },
	{ "interrupts-aarch64-uniphier-console.txt", 4, 3, 22, 0, "IPI1", 413, 1517 },
	{ "interrupts-aarch64-uniphier.txt", 4, 3, 22, 0, "IPI1", 413, 1517 },
	{ "interrupts-aarch64-zynqmp-termwrap-fragment.txt", 4, 3, 9, 0, "11", 11895,
		142486 },
	{ "interrupts-armv6-rpi1-fiq.txt", 1, 0, 14, 0, "84", 31039, 31039 },
	{ "interrupts-armv7-armada385-wrt32x.txt", 2, 1, 28, 0, "IPI2", 6516981, 12586071 },
	{ "interrupts-armv7-rpi3-fiq-indented.txt", 4, 3, 23, 0, "IPI5", 1822877,
		11834468 },
	{ "interrupts-armv7-zx-router.txt", 2, 1, 24, 0, "IPI2", 80300, 106987 },
	{ "interrupts-armv7-zynq.txt", 2, 1, 27, 0, "IPI4", 41, 56 },
	{ "interrupts-loongarch64-3a5000-4cpu.txt", 4, 3, 30, 0, "IPI1", 17074, 62333 },
	{ "interrupts-mips64-sgi-octane.txt", 2, 1, 12, 0, "71", 25426, 25438 },
	{ "interrupts-parisc-2cpu-after-offline.txt", 2, 1, 3, 1, "19", 3662, 3662 },
	{ "interrupts-ppc32-powerbook-g3.txt", 1, 0, 17, 0, "LOC", 99943, 99943 },
	{ "interrupts-riscv64-unleashed.txt", 4, 3, 8, 0, "IPI1", 7, 178 },
	{ "interrupts-riscv64-virt-intc.txt", 4, 3, 6, 0, "IPI1", 168, 537 },
	{ "interrupts-riscv64-visionfive2-wrapped.txt", 4, 3, 42, 29, "IPI1", 111404,
		536767 },
	{ "interrupts-s390x-16cpu.txt", 16, 15, 58, 0, "RST", 1, 15 },
	{ "interrupts-s390x-2cpu-live-fragment.txt", 2, 1, 12, 0, "SCP", 458, 534 },
	{ "interrupts-s390x-2cpu.txt", 2, 1, 2, 0, "I/O", 33457, 40446 },
	{ "interrupts-x86_32-vortex86-2cpu.txt", 2, 1, 28, 0, "TLB", 2, 2 },
	{ "interrupts-x86_64-amd-genoa-128cpu.txt", 128, 127, 482, 0, "TLB", 18, 1623 },
	{ "interrupts-x86_64-amd-milan-128cpu.txt", 128, 127, 377, 0, "TLB", 9, 924 },
	{ "interrupts-x86_64-hybrid-nosmt-gaps2.txt", 14, 19, 105, 0, "TLB", 4193, 82287 },
	{ "interrupts-x86_64-hyperv-rhcos-2cpu.txt", 2, 1, 24, 0, "TLB", 0, 0 },
	{ "interrupts-x86_64-intel-adl-16cpu.txt", 16, 15, 60, 0, "TLB", 25, 395 },
	{ "interrupts-x86_64-intel-bdw-8cpu.txt", 8, 7, 43, 0, "TLB", 9, 165 },
	{ "interrupts-x86_64-ion-wrapped.txt", 4, 3, 29, 8, "TLB", 79, 344 },
	{ "interrupts-x86_64-ixgbe-2cpu-nohdrgap.txt", 2, 1, 65, 0, "196", 514647, 666857 },
	{ "interrupts-x86_64-laptop-8cpu.txt", 8, 7, 38, 0, "TLB", 186595, 2094731 },
	{ "interrupts-x86_64-rhel-8cpu-noname.txt", 8, 7, 37, 0, "TLB", 266051, 2485604 },
	{ "interrupts-x86_64-vmhost-16cpu.txt", 16, 15, 46, 0, "TLB", 382393, 10287906 },
};

/* No snapshots, with a part of the line that says so. */
static const struct interrupts_refused {
	const char *file, *refusal;
} interrupts_refused[] = {
	{ "interrupts-aarch64-kunpeng920-96cpu-wrapped.txt", "no header" },
	{ "interrupts-aarch64-snapdragon732g-rows.txt", "no header" },
	{ "interrupts-ppc64le-power9-powernv-console.txt", "no header" },
	{ "interrupts-x86_64-intel-bdw-timestamped.txt", "second header" },
	{ "interrupts-x86_64-nvme-wrapped-columns.txt", "second header" },
	{ "interrupts-x86_64-tlbrow-16cpu-wrapped.txt", "no header" },
};

/* Counters that are not there have ABSENT. */
#define ABSENT UINT64_MAX

static const struct vmstat_facts {
	const char *file;
	size_t count;
	uint64_t pswpout, remote_flush, migrate_fail;
} vmstat_facts[] = {
	{ "vmstat-armv7-3.4-mtk-phone.txt", 73, 0, ABSENT, ABSENT },
	{ "vmstat-armv7-4.4-zynq.txt", 82, 0, ABSENT, 0 },
	{ "vmstat-proot-fake-6.x.txt", 178, 0, ABSENT, 0 },
	{ "vmstat-x86_64-3.13-with-nr_tlb.txt", 113, 485960, 667919, 0 },
	{ "vmstat-x86_64-4.18-rhcos.txt", 133, 0, ABSENT, 0 },
	{ "vmstat-x86_64-4.x-node-exporter.txt", 120, 35045, ABSENT, 36815 },
	{ "vmstat-x86_64-5.x-sysstat.txt", 142, 0, ABSENT, 0 },
	{ "vmstat-x86_64-6.6-luf-fragment.txt", 20, ABSENT, 8080092, 1849 },
};

static const struct swaps_facts {
	const char *file;
	size_t count;
	const char *last_path, *type;
	uint64_t size_kib, used_kib;
	int priority;
	const char *refusal;
} swaps_facts[] = {
	{ "swapon-s-8zram.txt", 8, "/dev/zram7", "partition", 118540, 34340, 5, NULL },
	{ "swapon-s-dm.txt", 1, "/dev/dm-1", "partition", 8294396, 1024, -2, NULL },
	{ "swapon-s-longname-file.txt", 1, "/var/cache/swap/swapfile", "file", 4194300, 0,
		-2, NULL },
	{ "swapon-s-many-zram.txt", 12, "/dev/zram11", "partition", 1307920, 0, 5, NULL },
	{ "swaps-aarch64-zram-bigger-header.txt", 1, "/dev/zram0", "partition", 8388604, 76,
		100, NULL },
	{ "swaps-double-last-line-dd.txt", 0, NULL, NULL, 0, 0, 0, "header" },
	{ "swaps-header-only.txt", 0, NULL, NULL, 0, 0, 0, NULL },
	{ "swaps-new-layout-bigsize-onetab.txt", 1, "/swap.img", "file", 16777212, 512, -2,
		NULL },
	{ "swaps-new-layout-vda.txt", 1, "/dev/vda2", "partition", 2191356, 0, -2, NULL },
	{ "swaps-old-layout-4zram.txt", 4, "/dev/zram3", "partition", 219820, 4568, 5,
		NULL },
	{ "swaps-x86_64-3.13.txt", 1, "/dev/sda5", "partition", 8342524, 100724, -1, NULL },
};

static const struct cpuinfo_facts {
	const char *file;
	int n_cpus;
	const char *model, *stepping, *microcode;
} cpuinfo_facts[] = {
	{ "cpuinfo-aarch64-ampere-altra-max-128.txt", 128, "Neoverse-N1", "r3p1", "" },
	{ "cpuinfo-aarch64-ampereone-192.txt", 192, "Ampere-1a", "r0p0", "" },
	{ "cpuinfo-aarch64-graviton2.txt", 16, "Neoverse-N1", "r3p1", "" },
	{ "cpuinfo-aarch64-kunpeng920-128.txt", 128, "Kunpeng-920", "r1p0", "" },
	{ "cpuinfo-aarch64-kunpeng920-24.txt", 24, "Kunpeng-920", "r1p0", "" },
	{ "cpuinfo-aarch64-qcs6490-header.txt", 8, "Cortex-A55 + Cortex-A78", "r2p0 + r1p1",
		"" },
	{ "cpuinfo-aarch64-rpi5.txt", 4, "Cortex-A76", "r4p1", "" },
	{ "cpuinfo-aarch64-snapdragon865.txt", 8, "0x51/0x805 + Cortex-A77",
		"r13p14 + r1p0", "" },
	{ "cpuinfo-aarch64-snapdragon8gen2-lscpu.txt", 8,
		"0x41/0xd46 + 0x41/0xd4d + 0x41/0xd47 + 0x41/0xd4e", "r1p1 + r1p0 + r2p0",
		"" },
	{ "cpuinfo-aarch64-tegra-x1-big-active.txt", 4, "Cortex-A57", "r1p1", "" },
	{ "cpuinfo-aarch64-thunderx.txt", 48, "ThunderX", "r1p1", "" },
	{ "cpuinfo-aarch64-wsl2-8cx.txt", 8, "0x41/0xd4b + 0x41/0xd4c", "r0p0", "" },
	{ "cpuinfo-ppc64le-power9-176.txt", 176, "POWER9, altivec supported",
		"2.1 (pvr 004e 1201)", "" },
	{ "cpuinfo-riscv64-d1.txt", 1, "thead,c906", "", "" },
	{ "cpuinfo-riscv64-jh7110.txt", 4, "sifive,u74-mc", "", "" },
	{ "cpuinfo-s390x-lpar.txt", 17, "IBM/S390 2817", "", "" },
	{ "cpuinfo-x86_64-epyc7451-96.txt", 96, "AMD EPYC 7451 24-Core Processor", "23-1-2",
		"0x8001227" },
	{ "cpuinfo-x86_64-knl-272.txt", 272, "Intel(R) Xeon Phi(TM) CPU 7250F @ 1.40GHz",
		"6-87-1", "0x1b6" },
	{ "cpuinfo-x86_64-offline-cpu0.txt", 24,
		"Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz", "6-63-2", "0x43" },
};

static const struct sysfs_facts {
	const char *file;
	size_t n_lists;  /* cpu and node lists in it, all of which must parse */
	size_t n_online; /* CPUs */
} sysfs_facts[] = {
	{ "sysfs-aarch64-kunpeng920.txt", 13, 128 },
	{ "sysfs-ppc64le-power9-gpu-nodes.txt", 17, 32 },
	{ "sysfs-s390x-lpar-gaps.txt", 4, 17 },
	{ "sysfs-x86_64-48cpu-sparse-nodes.txt", 16, 48 },
	{ "sysfs-x86_64-64cpu-offline-possible.txt", 4, 64 },
	{ "sysfs-x86_64-cpuless-memless-nodes.txt", 9, 8 },
	{ "sysfs-x86_64-interleaved-nodes.txt", 12, 40 },
	{ "sysfs-x86_64-vmware.txt", 4, 16 },
};

#endif
