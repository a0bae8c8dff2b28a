// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/data.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/process.h"
#include "boots/layers.h"

#define LOOK_EVERY_MS 100
#define QEMU_GRACE_MS 3000

/* On a machine that runs the guest natively; generous, as a hang is rare. */
static const struct guest_deadlines native = {
	.phase_ms =
		{
			[PHASE_FIRMWARE] = 10000,
			[PHASE_KERNEL] = 20000,
			[PHASE_INIT] = 10000,
			[PHASE_WORKLOAD] = 10000,
			[PHASE_SHUTDOWN] = 10000,
		},
	.silence_ms = 15000,
};

/* The files of one boot, and what is open of them. */
struct boot {
	const struct guest_config *config;
	char *console, *channel, *initrd, *qemu_log, *counts, *command_line;
	struct guest_deadlines deadlines;
	uint64_t steps_ms;
	struct watch watch;
	char *late;
	bool interrupted;
	int status;
};

unsigned int guest_time_scale(enum guest_accel accel)
{
	return accel == ACCEL_TCG ? 6 : 1;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now_ms(void)
{
	return now_ns() / 1000000;
}

/* An empty file of that size, whose blocks are there: a full disk shows now. */
static int make_file(const char *path, uint64_t bytes, int *ret_fd, struct err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), code;

	if (fd < 0)
		return err_set(err, -errno, "%s: %m", path);
	code = bytes ? posix_fallocate(fd, 0, (off_t)bytes) : 0;
	if (code != 0) {
		close(fd);
		return err_set(err, -code, "%s: %s", path, strerror(code));
	}
	*ret_fd = fd;
	return 0;
}

static int read_words(const char *name, char **ret, struct err *err)
{
	char *path;
	int code = data_path(name, &path);

	if (code < 0)
		return err_set(err, code, "%s was not found", name);
	code = file_read("", path, ret, NULL);
	if (code < 0)
		err_set(err, code, "%s: %s", path, strerror(-code));
	free(path);
	return code;
}

static int make_command_line(struct boot *b, const struct qemu_machine *m, struct err *err)
{
	const bool emulated = b->config->accel == ACCEL_TCG;
	char *all, *emulation = NULL, *words, *more;
	int ret = read_words("kconfigs/guest.cmdline", &all, err);

	if (ret == 0 && emulated) {
		ret = read_words("kconfigs/emulated.cmdline", &emulation, err);
		if (ret < 0)
			free(all);
	}
	if (ret < 0)
		return ret;
	words = mem_format("%s\n%s", all, emulation ? emulation : "");
	/* An arm64 guest cannot tell from within that its time is an emulator's. */
	more = mem_format("shootdown.accelerator=%s%s%s", emulated ? "tcg" : "kvm",
		*b->config->words ? " " : "", b->config->words);
	b->command_line = qemu_command_line(m, b->config->run_id, words, more);
	free(more);
	free(words);
	free(emulation);
	free(all);
	return 0;
}

static int check_kernel(const struct guest_config *c, struct err *err)
{
	const char *arch;
	int ret = image_arch(c->kernel, &arch, err);

	if (ret == 0 && strcmp(arch, c->arch) != 0)
		return err_set(err, -ENOEXEC, "%s: a kernel for %s, and the guest is %s",
			c->kernel, arch, c->arch);
	return ret;
}

static int check_program(const struct qemu_machine *m, struct err *err)
{
	char *path;
	int ret = process_find(m->program, &path);

	if (ret < 0)
		return err_set(err, ret, "%s was not found: install the package %s",
			m->program, m->package);
	free(path);
	return 0;
}

static int prepare(struct boot *b, const struct qemu_guest *g, struct err *err)
{
	const struct guest_config *c = b->config;
	unsigned int scale = c->deadlines ? 1 : guest_time_scale(c->accel);
	int ret = qemu_check(g, err);

	b->deadlines = c->deadlines ? *c->deadlines : native;
	b->deadlines.silence_ms *= scale;
	for (int i = 0; i < GUEST_PHASES; i++)
		b->deadlines.phase_ms[i] *= scale;
	for (size_t i = 0; i < c->job->n_steps; i++)
		b->steps_ms += c->job->steps[i].deadline_ms * scale;
	if (ret == 0)
		ret = check_program(g->machine, err);
	if (ret == 0)
		ret = check_kernel(c, err);
	if (ret == 0)
		ret = make_command_line(b, g->machine, err);
	if (ret == 0)
		ret = guest_write_initrd(b->initrd, c->base_layer, c->job, scale, err);
	if (ret == 0)
		ret = make_file(b->console, 0, &b->watch.console_fd, err);
	if (ret == 0)
		ret = make_file(b->channel, CHANNEL_BYTES, &b->watch.channel_fd, err);
	return ret;
}

/* Until QEMU has ended, by itself or by us. */
static void watch_until_end(struct boot *b, struct process *qemu)
{
	int ret;

	do {
		ret = process_wait(qemu, LOOK_EVERY_MS, b->config->stop, &b->status);
		watch_look(&b->watch, now_ms());
		b->interrupted = ret == -EINTR;
		if (ret == -ETIMEDOUT)
			b->late = watch_find_late(
				&b->watch, &b->deadlines, b->steps_ms, now_ms());
	} while (ret == -ETIMEDOUT && !b->late);
	if (ret < 0)
		process_stop(qemu, QEMU_GRACE_MS, &b->status);
	watch_look(&b->watch, now_ms());
}

/* In one line: what QEMU says is more often one than several. */
static char *read_qemu_log(const struct boot *b)
{
	char *text;

	if (file_read_line("", b->qemu_log, &text) < 0)
		return mem_text("");
	for (char *c = text; *c; c++) {
		if (*c == '\n')
			*c = ' ';
	}
	return text;
}

static void conclude(const struct boot *b, struct guest_outcome *o)
{
	char *said = read_qemu_log(b);
	struct guest_evidence e = {
		.phase = b->watch.phase,
		.late = b->late,
		.interrupted = b->interrupted,
		.status = b->status,
		.qemu_said = said,
		.console = &b->watch.console,
		.channel = &o->channel,
	};

	o->result = guest_judge(&e, &o->reason);
	if (!o->reason)
		o->reason = mem_text("");
	o->phase = b->watch.phase;
	/* A step that hung ended in an orderly way, which is not where it hung. */
	if (o->channel.state == CHANNEL_COMPLETE && o->channel.end.cause != END_OK)
		o->phase = o->channel.n_phases > 1 ? PHASE_WORKLOAD : PHASE_INIT;
	o->console_tail = console_tail(&b->watch.console);
	free(said);
}

static int run(struct boot *b, const struct qemu_guest *g, struct guest_outcome *ret,
	struct err *err)
{
	struct guest_outcome o = { 0 };
	char **argv = qemu_argv(g);
	struct process_spec spec = { .argv = (const char *const *)argv,
		.log = b->qemu_log };
	struct process *qemu;
	uint64_t start_ns;
	int code;

	unlink(b->qemu_log);
	start_ns = now_ns();
	code = process_start(&spec, &qemu, err);
	qemu_free_argv(argv);
	if (code < 0)
		return code;
	watch_until_end(b, qemu);
	process_free(qemu);
	o.duration_ns = now_ns() - start_ns;
	code = channel_read(b->channel, b->config->run_id, &o.channel, err);
	if (code < 0)
		return code;
	conclude(b, &o);
	*ret = o;
	return 0;
}

int guest_boot(
	const struct guest_config *config, struct guest_outcome *ret, struct err *err)
{
	struct boot b = {
		.config = config,
		.console = mem_format("%s/console.log", config->folder),
		.channel = mem_format("%s/channel.img", config->folder),
		.initrd = mem_format("%s/initrd.img", config->folder),
		.qemu_log = mem_format("%s/qemu.log", config->folder),
		.counts = mem_format("%s/" GUEST_COUNTS, config->folder),
		.watch = { .console_fd = -1, .channel_fd = -1 },
	};
	struct qemu_guest g = {
		.machine = qemu_find_machine(config->arch),
		.accel = config->accel,
		.cpu = config->cpu,
		.cpus = config->cpus,
		.nodes = config->nodes,
		.memory_bytes = config->memory_bytes,
		.kernel = config->kernel,
		.initrd = b.initrd,
		.console = b.console,
		.channel = b.channel,
		.disk = config->disk,
		.plugin = config->plugin,
		.counts = b.counts,
		.system_map = config->system_map,
	};
	int code;

	if (g.machine)
		code = prepare(&b, &g, err);
	else
		code = err_set(err, -EINVAL, "%s: no such guest", config->arch);
	g.command_line = b.command_line;
	if (code == 0)
		code = run(&b, &g, ret, err);
	if (b.watch.console_fd >= 0)
		close(b.watch.console_fd);
	if (b.watch.channel_fd >= 0)
		close(b.watch.channel_fd);
	if (!config->keep && (code < 0 || ret->result == GUEST_OK)) {
		unlink(b.channel);
		unlink(b.initrd);
	}
	free(b.console);
	free(b.channel);
	free(b.initrd);
	free(b.qemu_log);
	free(b.counts);
	free(b.command_line);
	free(b.late);
	return code;
}

void guest_outcome_clear(struct guest_outcome *o)
{
	free(o->reason);
	free(o->console_tail);
	channel_clear(&o->channel);
	*o = (struct guest_outcome){ 0 };
}
