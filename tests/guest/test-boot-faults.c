// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Guests that go wrong, each in its own way: real kernels in QEMU. The
 * environment: O, the folder of the built programs; KERNEL, an x86_64 image
 * of `shootdown kernel build`. One guest at a time.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "boots/guest.h"
#include "boots/layers.h"
#include "tests/guest/scratch.h"

static char *program, *init, *base_layer;
static struct job job;
static struct guest_config config;
static struct guest_outcome outcome;
static int lock;

/* Short ones: each guest here is either quick or wrong. */
static const struct guest_deadlines deadlines = {
	.phase_ms = { 30000, 30000, 20000, 20000, 20000 },
	.silence_ms = 8000,
};

static void set_up(void)
{
	const char *built = getenv("O"), *kernel = getenv("KERNEL");
	char *lock_path = mem_format("%s/tests/guest/lock", built ? built : "build");

	if (!kernel)
		cr_skip_test("KERNEL names no image");
	lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	free(lock_path);
	cr_assert(lock >= 0 && flock(lock, LOCK_EX) == 0);
	scratch_make();
	program = mem_format("%s/tests/guest/fault", built ? built : "build");
	init = mem_format("%s/guest-init", built ? built : "build");
	base_layer = mem_format("%s/base.img", scratch);
	config = (struct guest_config){
		.arch = "x86_64",
		.accel = ACCEL_TCG,
		.cpus = 2,
		.nodes = 1,
		.memory_bytes = (uint64_t)256 << 20,
		.kernel = kernel,
		.base_layer = base_layer,
		.job = &job,
		.words = "",
		.run_id = "fault-1",
		.folder = scratch,
		.deadlines = &deadlines,
	};
}

static void tear_down(void)
{
	guest_outcome_clear(&outcome);
	job_clear(&job);
	free(program);
	free(init);
	free(base_layer);
	scratch_remove();
	close(lock);
}

TestSuite(faults, .init = set_up, .fini = tear_down, .timeout = 180);

static struct job_step *add_fault(const char *name)
{
	struct job_step *step = job_add_step(&job, name, 15000);

	job_add_arg(step, "/bin/fault");
	job_add_arg(step, name);
	return step;
}

static void write_base(const char *as_init)
{
	const char *const programs[] = { program, NULL };
	struct err err = { "" };

	cr_assert_eq(guest_write_base(base_layer, as_init, programs, "", &err), 0, "%s",
		err.text);
}

/* Expects an outcome, and that the line that says why contains this text. */
static void expect(enum guest_result result, enum guest_phase phase, const char *reason)
{
	struct err err = { "" };

	write_base(init);
	cr_assert_eq(guest_boot(&config, &outcome, &err), 0, "%s", err.text);
	cr_assert_eq(outcome.result, result, "%s: %s\n%s",
		guest_result_name(outcome.result), outcome.reason, outcome.console_tail);
	cr_assert_eq(outcome.phase, phase, "%s: %s", guest_phase_name(outcome.phase),
		outcome.reason);
	cr_assert(strstr(outcome.reason, reason), "%s", outcome.reason);
}

Test(faults, none)
{
	job_add_sysctl(&job.sysctls, "kernel.randomize_va_space", "0");
	config.cpus = 4;
	config.nodes = 2;
	for (int i = 0; i < 2; i++) {
		struct job_step *step = add_fault("none");

		job_add_sysctl(&step->sysctls, "vm.swappiness", i ? "100" : "60");
		step->send = mem_text("/run/result.json");
	}
	expect(GUEST_OK, PHASE_SHUTDOWN, "");
	cr_assert_eq(outcome.channel.n_files, 2);
	cr_assert_str_eq(outcome.channel.files[1].name, "none");
	cr_assert_str_eq(outcome.channel.files[1].data, "{}");
	cr_assert(strstr(outcome.channel.log, "all is well"));
	cr_assert(strstr(outcome.console_tail, "ower down"), "%s", outcome.console_tail);
}

Test(faults, panic_at_boot)
{
	config.words = "rdinit=/nonexistent";
	expect(GUEST_PANIC, PHASE_KERNEL, "Unable to mount root fs");
}

Test(faults, pid_1_dies)
{
	free(init);
	init = mem_text(program);
	expect(GUEST_PANIC, PHASE_KERNEL, "Attempted to kill init");
}

Test(faults, panic_in_the_workload)
{
	add_fault("panic");
	expect(GUEST_PANIC, PHASE_WORKLOAD, "sysrq");
}

Test(faults, workload_fails)
{
	add_fault("exit");
	add_fault("none");
	expect(GUEST_WORKLOAD_FAILED, PHASE_WORKLOAD, "step exit: exit status 42");
	cr_assert(strstr(outcome.channel.log, "about to fail"));
}

Test(faults, workload_crashes)
{
	add_fault("crash");
	expect(GUEST_WORKLOAD_FAILED, PHASE_WORKLOAD, "signal 11");
}

Test(faults, workload_hangs)
{
	add_fault("hang")->deadline_ms = 3000;
	expect(GUEST_HANG, PHASE_WORKLOAD, "step hang: not done within 3000 ms");
}

Test(faults, workload_leaves_no_result)
{
	add_fault("none")->send = mem_text("/run/other.json");
	expect(GUEST_WORKLOAD_FAILED, PHASE_WORKLOAD, "/run/other.json: No such file");
}

Test(faults, workload_is_missing)
{
	job_add_arg(job_add_step(&job, "missing", 5000), "/bin/missing");
	expect(GUEST_WORKLOAD_FAILED, PHASE_WORKLOAD, "exit status 127");
	cr_assert(strstr(outcome.channel.log, "/bin/missing: No such file"));
}

Test(faults, sysctl_does_not_take)
{
	job_add_sysctl(&job.sysctls, "vm.no_such_switch", "1");
	expect(GUEST_WORKLOAD_FAILED, PHASE_INIT, "vm.no_such_switch: No such file");
}

Test(faults, init_never_opens_the_channel)
{
	static const struct guest_deadlines impatient = {
		.phase_ms = { 30000, 8000, 8000, 8000, 8000 },
		.silence_ms = 8000,
	};

	config.deadlines = &impatient;
	config.words = "rdinit=/bin/fault -- hang";
	expect(GUEST_HANG, PHASE_KERNEL, "not through with kernel after 8.0 s");
}

Test(faults, flipped_bit)
{
	add_fault("flip");
	expect(GUEST_RESULT_LOST, PHASE_SHUTDOWN, "corrupt after 0 frames");
}

Test(faults, kernel_warns)
{
	add_fault("warn");
	expect(GUEST_KERNEL_WARNED, PHASE_SHUTDOWN, "WARNING: CPU: 0");
}

/* What a process of its own does to QEMU, once the guest is in its first step. */
static pid_t start_saboteur(int signal_number)
{
	char *log = mem_format("%s/console.log", scratch);
	char *children =
		mem_format("/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
	pid_t pid = fork();

	if (pid == 0) {
		char *text, *end;

		do
			usleep(100000);
		while (file_read("", log, &text, NULL) < 0 || !strstr(text, "Run /init"));
		sleep(3);
		file_read("", children, &text, NULL);
		/* This process is the first child, QEMU the second. */
		strtol(text, &end, 10);
		kill((pid_t)strtol(end, NULL, 10), signal_number);
		_exit(0);
	}
	free(log);
	free(children);
	return pid;
}

Test(faults, qemu_is_killed)
{
	pid_t saboteur = start_saboteur(SIGKILL);

	add_fault("hang");
	expect(GUEST_INFRASTRUCTURE, PHASE_WORKLOAD, "killed by SIGKILL");
	waitpid(saboteur, NULL, 0);
}

/* Stopped: it does not even end when it is told to. */
Test(faults, guest_falls_silent)
{
	pid_t saboteur = start_saboteur(SIGSTOP);

	add_fault("hang")->deadline_ms = 60000;
	expect(GUEST_HANG, PHASE_WORKLOAD, "no sign of life");
	waitpid(saboteur, NULL, 0);
}

Test(faults, qemu_is_told_to_end)
{
	pid_t saboteur = start_saboteur(SIGTERM);

	add_fault("hang");
	expect(GUEST_INFRASTRUCTURE, PHASE_WORKLOAD, "terminating on signal 15");
	waitpid(saboteur, NULL, 0);
}

static volatile sig_atomic_t stop;

static void on_alarm(int unused)
{
	(void)unused;
	stop = 1;
}

Test(faults, user_interrupts)
{
	signal(SIGALRM, on_alarm);
	alarm(6);
	config.stop = &stop;
	add_fault("hang");
	expect(GUEST_INTERRUPTED, PHASE_WORKLOAD, "interrupted");
	cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1);
	cr_assert_eq(errno, ECHILD);
}

Test(faults, channel_is_cut_short)
{
	struct channel cut;
	char *path = mem_format("%s/channel.img", scratch);

	config.keep = true;
	add_fault("none");
	expect(GUEST_OK, PHASE_SHUTDOWN, "");
	cr_assert_eq(truncate(path, 1200), 0);
	cr_assert_eq(channel_read(path, config.run_id, &cut, NULL), 0);
	cr_assert_eq(cut.state, CHANNEL_CUT);
	channel_clear(&cut);
	free(path);
}

/* Expects that it never comes to a boot. */
static void refuse(int code, const char *reason)
{
	struct err err = { "" };

	cr_assert_eq(guest_boot(&config, &outcome, &err), code, "%s", err.text);
	cr_assert(strstr(err.text, reason), "%s", err.text);
}

Test(faults, qemu_is_missing)
{
	write_base(init);
	setenv("PATH", "/nonexistent", 1);
	refuse(-ENOENT, "install the package qemu-system-x86");
}

Test(faults, kernel_of_another_architecture)
{
	char image[1024] = { 0 }, *path = mem_format("%s/Image", scratch);

	memcpy(image + 0x38, "ARM\x64", 4);
	cr_assert_eq(file_replace(path, image, sizeof(image)), 0);
	write_base(init);
	config.kernel = path;
	refuse(-ENOEXEC, "a kernel for arm64, and the guest is x86_64");
	free(path);
}

Test(faults, disk_is_full)
{
	char *full = mem_format("%s/full", scratch);

	write_base(init);
	cr_assert_eq(mkdir(full, 0755), 0);
	if (mount("tmpfs", full, "tmpfs", 0, "size=12m") < 0)
		cr_skip_test("no right to mount");
	config.folder = full;
	refuse(-ENOSPC, "No space left on device");
	umount(full);
	free(full);
}
