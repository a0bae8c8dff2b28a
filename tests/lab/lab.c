// SPDX-License-Identifier: GPL-2.0-or-later
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "kernels/initramfs.h"
#include "nights/logbook.h"
#include "tests/guest/scratch.h"
#include "tests/lab/lab.h"

#define DISK_MIB 160
#define BOOT_MS 60000   /* silence on the console after which the machine is reset */
#define NIGHT_MS 420000 /* of one night, with its faults */

static const char *built, *kernel, *other;
char *lab_content;
static char *disk, *initrd, *console;
const char *lab_clock; /* where it is set when the machine is powered on; or NULL */
static int lock;

static char *in_scratch(const char *name)
{
	return mem_format("%s/%s", scratch, name);
}

void lab_put(const char *name, const char *text)
{
	char *path = mem_format("%s/%s", lab_content, name), *folder = mem_text(path);

	*strrchr(folder, '/') = '\0';
	cr_assert_eq(file_make_dirs(folder), 0);
	cr_assert_eq(file_replace(path, text, strlen(text)), 0, "%s", path);
	free(folder);
	free(path);
}

static void put_file(const char *name, const char *from)
{
	char *path = mem_format("%s/%s", lab_content, name), *text;
	size_t bytes;

	cr_assert_eq(file_read("", from, &text, &bytes), 0, "%s", from);
	cr_assert_eq(file_replace(path, text, bytes), 0, "%s", path);
	free(text);
	free(path);
}

static void add_program(struct layer *l, const char *path, const char *name)
{
	char *from = mem_format("%s/%s", built, name);
	struct err err = { "" };

	cr_assert_eq(layer_add_program(l, path, from, "", &err), 0, "%s", err.text);
	free(from);
}

static void write_initrd(void)
{
	static const char suite[] = "null:iterations=1000\n"
				    "swap:size=64K,threads=max,iterations=1\n";
	static const char hang[] = "null:iterations=1000000000\n";
	struct layer *l = layer_new();
	struct err err = { "" };
	char *words, *cpio;
	size_t bytes;

	add_program(l, "/init", "guest-init");
	add_program(l, "/bin/shootdown", "shootdown");
	add_program(l, "/bin/compare-results", "compare-results");
	layer_add_data(l, "/usr/share/shootdown/bench/suites/lab.suite", suite,
		strlen(suite), 0644, &err);
	layer_add_data(l, "/usr/share/shootdown/bench/suites/hang.suite", hang,
		strlen(hang), 0644, &err);
	cr_assert_eq(data_path("kconfigs/night.cmdline", &words), 0);
	cr_assert_eq(layer_add_file(
			     l, "/usr/share/shootdown/kconfigs/night.cmdline", words, &err),
		0, "%s", err.text);
	cr_assert_eq(layer_encode(l, &cpio, &bytes, &err), 0, "%s", err.text);
	cr_assert_eq(file_replace(initrd, cpio, bytes), 0);
	layer_free(l);
	free(cpio);
	free(words);
}

/* One arm, of this kernel, with the switch thrown or not. */
static void put_arm(const char *arm, const char *image, const char *release, bool on)
{
	char *name = mem_format("night/images/%s/release", arm);

	lab_put(name, release);
	free(name);
	name = mem_format("night/images/%s/sysctl", arm);
	lab_put(name,
		on ? "vm.batched_unmap_tlb_flush=1\n" : "vm.batched_unmap_tlb_flush=0\n");
	free(name);
	name = mem_format("night/images/%s/image", arm);
	put_file(name, image);
	free(name);
	name = mem_format("night/images/%s/initrd", arm);
	put_file(name, initrd);
	free(name);
}

void lab_set_up(void)
{
	char *lock_path;

	built = getenv("O") ? getenv("O") : "build";
	kernel = getenv("KERNEL");
	other = getenv("OTHER");
	if (!kernel || !other)
		cr_skip_test("KERNEL or OTHER names no image");
	lock_path = mem_format("%s/tests/guest/lock", built);
	lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	free(lock_path);
	cr_assert(lock >= 0 && flock(lock, LOCK_EX) == 0);
	scratch_make();
	disk = in_scratch("disk.img");
	initrd = in_scratch("initrd.img");
	console = in_scratch("console.log");
	lab_content = in_scratch("lab_content");
	write_initrd();
	lab_put("lab.machine", MACHINE SUITE "blocks = 1\n");
	put_arm("reference", kernel, getenv("RELEASE"), true);
	put_arm("tonight", other, getenv("OTHER_RELEASE"), false);
}

void lab_tear_down(void)
{
	scratch_remove();
	close(lock);
}

/* An ext4 disk with what was put, made without mounting anything. */
void lab_make_disk(void)
{
	char *size = mem_format("%dM", DISK_MIB);
	const char *const argv[] = { "mke2fs", "-q", "-t", "ext4", "-d", lab_content, disk,
		size, NULL };
	const struct process_spec spec = { .argv = argv };
	struct err err = { "" };

	unlink(disk);
	cr_assert_eq(process_run(&spec, NULL, &err), 0, "%s", err.text);
	free(size);
}

/* A file of the disk while the machine is off, freed by the caller; "": not there. */
char *lab_read(const char *path)
{
	char *request = mem_format("cat %s", path), *text;
	const char *const argv[] = { "debugfs", "-R", request, disk, NULL };
	const struct process_spec spec = { .argv = argv };
	struct err err = { "" };
	char *start;

	cr_assert_eq(process_capture(&spec, &text, &err), 0, "%s", err.text);
	free(request);
	/* debugfs says which version it is, first. */
	start = strchr(text, '\n');
	start = mem_text(strncmp(text, "debugfs ", 8) == 0 && start ? start + 1 : text);
	free(text);
	if (strstr(start, "File not found"))
		*start = '\0';
	return start;
}

static struct process *power_on(void)
{
	char *drive = mem_format("file=%s,if=virtio,format=raw,cache=writeback", disk);
	char *serial = mem_format("file:%s", console);
	char *rtc = mem_format("base=%s", lab_clock ? lab_clock : "utc");
	const char *const argv[] = { "qemu-system-x86_64", "-nodefaults", "-no-user-config",
		"-display", "none", "-machine", "q35", "-accel", "tcg,thread=multi", "-cpu",
		"max", "-smp", "2", "-m", "512M", "-kernel", kernel, "-initrd", initrd,
		"-append",
		"console=ttyS0 panic=-1 nokaslr numa_balancing=disable "
		"shootdown.accelerator=tcg shootdown.lab=vda",
		"-serial", serial, "-drive", drive, "-rtc", rtc, NULL };
	const struct process_spec spec = { .argv = argv };
	struct process *p;
	struct err err = { "" };

	/* Of an earlier run it would be looked at before QEMU empties it. */
	unlink(console);
	cr_assert_eq(process_start(&spec, &p, &err), 0, "%s", err.text);
	free(rtc);
	free(serial);
	free(drive);
	return p;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static size_t console_bytes(void)
{
	struct stat st;

	return stat(console, &st) == 0 ? (size_t)st.st_size : 0;
}

bool lab_said(const char *pattern)
{
	char *text;
	bool found;

	if (file_read("", console, &text, NULL) < 0)
		return false;
	found = strstr(text, pattern) != NULL;
	free(text);
	return found;
}

/*
 * Runs the machine until it powers off, or until pattern stands on its console
 * and the power is cut (true). What says nothing for too long is reset, as the
 * management controller of a server does.
 */
bool lab_run(const char *pattern)
{
	const uint64_t start_ms = now_ms();
	struct process *p = power_on();
	uint64_t heard_ms = start_ms;
	size_t bytes = 0;
	int ret;

	while ((ret = process_wait(p, 20, NULL, NULL)) == -ETIMEDOUT) {
		const size_t now = console_bytes();

		if (pattern && lab_said(pattern)) {
			kill(process_pid(p), SIGKILL);
			process_free(p);
			return true;
		}
		if (now != bytes)
			heard_ms = now_ms();
		bytes = now;
		cr_assert_lt(now_ms() - start_ms, NIGHT_MS, "the night does not end");
		if (now_ms() - heard_ms > BOOT_MS) {
			kill(process_pid(p), SIGKILL);
			process_free(p);
			p = power_on();
			heard_ms = now_ms();
			bytes = 0;
		}
	}
	cr_assert_eq(ret, 0);
	process_free(p);
	return false;
}

/* The events of the journal, as "night intent arrived ...". */
char *lab_events(void)
{
	char *text = lab_read("/night/journal"), *all = mem_text("");
	struct logbook log;
	struct err err = { "" };

	cr_assert_eq(logbook_parse(text, strlen(text), &log, &err), 0, "%s", err.text);
	for (size_t i = 0; i < log.count; i++) {
		char *longer =
			mem_format("%s%s%s", all, i ? " " : "", log.records[i].event);

		free(all);
		all = longer;
	}
	logbook_clear(&log);
	free(text);
	return all;
}

size_t lab_count(const char *text, const char *word)
{
	size_t n = 0;

	for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
		n++;
	return n;
}

void lab_expect_events(const char *wanted)
{
	char *is = lab_events(), *text;

	if (strcmp(is, wanted) != 0 && file_read("", console, &text, NULL) == 0) {
		fprintf(stderr, "%s\n", text);
		free(text);
	}
	cr_assert_str_eq(is, wanted);
	free(is);
}

static char *result_path(const char *arm)
{
	char date[16];
	const time_t now = time(NULL);
	struct tm utc;

	strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &utc));
	return mem_format("/results/lab/%s/%s.json", date, arm);
}

void lab_expect_results(bool wanted)
{
	static const char *const arms[] = { "reference", "tonight" };

	for (int i = 0; i < 2; i++) {
		char *path = result_path(arms[i]), *text = lab_read(path);

		cr_expect_eq(*text != '\0', wanted, "%s", path);
		free(text);
		free(path);
	}
}
