/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lab machine, as a text file NAME.machine of "key = value" lines; a # at
 * the start of a line makes it a comment. Each key stands at most once:
 *
 *	summary    one line for people; required
 *	name       of the machine in results; that of the file
 *	arch       x86_64, arm64, ...; required
 *	boot       how a kernel is booted once: kexec, efi or grub; required
 *	reference  variant that nights are measured against, or "prebuilt": what
 *	           lies in images already; required
 *	tonight    what is measured, likewise; required
 *	suite      of workloads; quick
 *	workloads  words, what is run in place of a suite
 *	blocks     of two boots each, 1 to 1000; 10
 *	boots_max  at most that many boots in one night; four for each block
 *	budget     time for a night, as 6h; no boot is started after it; 8h
 *	deadline   time for the measurement of one boot, as 20m; 30m
 *	results    folder of results; /var/lib/shootdown/results
 *	state      folder of the night under way; /var/lib/shootdown/night
 *	images     folder of what is booted (nights/images.h); images below state
 *	initrd     initial RAM disk of both arms, where images has none
 *	cmdline    words for the command line of both arms
 *	governor   of cpufreq, while measuring
 *	thp        transparent huge pages, likewise
 *	sysctl     NAME=VALUE words, set and read back before measuring
 *	stop       services of systemd to stop before measuring
 *	watchdog   device that resets the machine if an arm hangs; none
 *	watchdog_timeout  after which it does; an arm has to boot in it; 5m
 *
 * What is set for measuring goes with the arm's kernel: each boot ends in a
 * reset. Pure, except for machine_file_load().
 */
#ifndef NIGHTS_MACHINE_FILE_H
#define NIGHTS_MACHINE_FILE_H

#include <stdint.h>

#include "base/err.h"
#include "boots/plan.h"
#include "kernels/variant.h"

#define MACHINE_PREBUILT "prebuilt"

enum boot_way { BOOT_KEXEC, BOOT_EFI, BOOT_GRUB };
extern const char *const boot_way_names[]; /* by enum boot_way; ended by NULL */

struct machine_file {
	char *name, *summary, *arch, *suite, *results, *state, *images;
	char *initrd;                    /* or NULL */
	char *variants[2];               /* by enum arm */
	char *governor, *thp, *watchdog; /* or NULL */
	enum boot_way way;
	unsigned int n_blocks, boots_max;
	uint64_t budget_s, deadline_s, watchdog_s;
	struct words workloads, cmdline, sysctls, services;
};

/*
 * file_name is for messages. 0, or -EINVAL with "FILE:LINE: ...": an unknown or
 * repeated key, a missing one, a value out of its range.
 */
int machine_file_parse(const char *name, const char *file_name, const char *text,
	struct machine_file *ret, struct err *err);
int machine_file_load(const char *path, struct machine_file *ret, struct err *err);
void machine_file_clear(struct machine_file *m);

/*
 * The text of another machine file, freed by the caller: this one without the
 * lines of the keys named in changes ("key = value" lines), and then those that
 * have a value.
 */
char *machine_file_change(const char *text, const char *changes);

#endif
