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
#include "tests/guest/scratch.h"
#include "tests/lab/lab.h"

#define NIGHT_MS 800000 /* of one night, with its faults */

static const char *kernel, *other;
const char *lab_built;
char *lab_content;
char *lab_disk, *lab_console;
static char *initrd;
const char *lab_clock; /* where it is set when the machine is powered on; or NULL */
unsigned int lab_resets;
unsigned int lab_silence_ms = 200000;
static int lock;

/*
 * The watchdog outlives the jump, and no driver of an arm can stop it: from the
 * arm's driver on, the arm has a minute to arm it.
 */
#define WATCHDOG_WORDS "watchdog.stop_on_reboot=0 i6300esb.nowayout=1 i6300esb.heartbeat=60"

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

void lab_put_machine(const char *name, const char *lines)
{
	char *path, *text, *whole;

	cr_assert_eq(data_path("ci/machines/qemu-lab.machine", &path), 0);
	cr_assert_eq(file_read("", path, &text, NULL), 0, "%s", path);
	whole = mem_format("%s%s", text, lines);
	lab_put(name, whole);
	free(whole);
	free(text);
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
	char *from = mem_format("%s/%s", lab_built, name);
	struct err err = { "" };

	cr_assert_eq(layer_add_program(l, path, from, "", &err), 0, "%s", err.text);
	free(from);
}

/* With this program as PID 1. */
static void write_initrd(const char *path, const char *init)
{
	static const char suite[] = "null:iterations=1000\n"
				    "swap:size=64K,threads=max,iterations=1\n";
	static const char hang[] = "dontneed:iterations=1000000000\n";
	struct layer *l = layer_new();
	struct err err = { "" };
	char *words, *cpio;
	size_t bytes;

	add_program(l, "/init", init);
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
	cr_assert_eq(file_replace(path, cpio, bytes), 0);
	layer_free(l);
	free(cpio);
	free(words);
}

/*
 * What a bzImage says it is: at the 16 bits that stand at 0x20e, counted from 0x200
 * (Documentation/arch/x86/boot.rst).
 */
static char *release_of(const char *image)
{
	size_t bytes, at;
	char *data, *release;

	cr_assert_eq(file_read("", image, &data, &bytes), 0, "%s", image);
	cr_assert_gt(bytes, 0x210, "%s", image);
	at = 0x200 + (unsigned char)data[0x20e] + (unsigned char)data[0x20f] * 0x100U;
	cr_assert_gt(bytes, at, "%s", image);
	release = mem_format("%.*s", (int)strcspn(data + at, " "), data + at);
	free(data);
	return release;
}

/* One arm, of this kernel, with the switch thrown or not. */
static void put_arm(const char *arm, const char *image, bool on)
{
	char *name = mem_format("night/images/%s/release", arm);
	char *release = release_of(image);

	lab_put(name, release);
	free(release);
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

	lab_built = getenv("O") ? getenv("O") : "build";
	kernel = getenv("KERNEL");
	other = getenv("OTHER");
	if (!kernel || !other)
		cr_skip_test("KERNEL or OTHER names no image");
	lock_path = mem_format("%s/tests/guest/lock", lab_built);
	lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	free(lock_path);
	cr_assert(lock >= 0 && flock(lock, LOCK_EX) == 0);
	scratch_make();
	lab_disk = in_scratch("disk.img");
	initrd = in_scratch("initrd.img");
	lab_console = in_scratch("console.log");
	lab_content = in_scratch("lab_content");
	write_initrd(initrd, "guest-init");
	lab_put_machine("lab.machine", SUITE "blocks = 1\n");
	put_arm("reference", kernel, true);
	put_arm("tonight", other, false);
}

void lab_hang_in_userspace(const char *arm)
{
	char *path = in_scratch("hang.img");
	char *name = mem_format("night/images/%s/initrd", arm);

	write_initrd(path, "tests/guest/hang");
	put_file(name, path);
	free(name);
	free(path);
}

void lab_tear_down(void)
{
	scratch_remove();
	close(lock);
}

static struct process *power_on(void)
{
	char *drive = mem_format("file=%s,if=virtio,format=raw,cache=writeback", lab_disk);
	char *serial = mem_format("file:%s", lab_console);
	char *rtc = mem_format("base=%s", lab_clock ? lab_clock : "utc");
	const char *const argv[] = { "qemu-system-x86_64", "-nodefaults", "-no-user-config",
		"-display", "none", "-machine", "q35", "-accel", "tcg,thread=multi", "-cpu",
		"max", "-smp", "2", "-m", "512M", "-kernel", kernel, "-initrd", initrd,
		"-append",
		"console=ttyS0 panic=-1 nokaslr numa_balancing=disable "
		"shootdown.accelerator=tcg shootdown.lab=vda " WATCHDOG_WORDS,
		"-serial", serial, "-drive", drive, "-rtc", rtc, "-device", "i6300esb",
		"-action", "watchdog=reset", NULL };
	const struct process_spec spec = { .argv = argv };
	struct process *p;
	struct err err = { "" };

	/* Of an earlier run it would be looked at before QEMU empties it. */
	unlink(lab_console);
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

	return stat(lab_console, &st) == 0 ? (size_t)st.st_size : 0;
}

bool lab_said(const char *pattern)
{
	char *text;
	bool found;

	if (file_read("", lab_console, &text, NULL) < 0)
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
		if (now_ms() - heard_ms > lab_silence_ms) {
			kill(process_pid(p), SIGKILL);
			process_free(p);
			lab_resets++;
			p = power_on();
			heard_ms = now_ms();
			bytes = 0;
		}
	}
	cr_assert_eq(ret, 0);
	process_free(p);
	return false;
}

void lab_expect_survives_cut(const char *pattern, const char *state, size_t n_failed)
{
	char *is, *journal;

	lab_note_fault(state, "power cut");
	lab_make_disk();
	cr_expect(lab_run(pattern), "%s", pattern);
	lab_run(NULL);
	is = lab_events();
	journal = lab_read("/night/journal");
	cr_expect_eq(lab_count(is, "measured"), 2, "%s", journal);
	cr_expect_eq(lab_count(is, "done"), 1, "%s", journal);
	cr_expect_leq(lab_count(is, "failed"), 1, "%s", journal);
	cr_expect_geq(lab_count(is, "failed"), n_failed, "%s", journal);
	free(journal);
	free(is);
	lab_expect_results(1);
}
