// SPDX-License-Identifier: GPL-2.0-or-later
/* The harness's side: starts the measuring process (sampler.c) and watches it. */
#include "measure/run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/common.h"
#include "measure/sampler.h"

#define WATCH_MS 200
/* After a stop, a sample that is still running may take this long to end. */
#define STOP_PATIENCE_NS 2000000000u
/* A step that takes this long hangs, and some times longer than it was planned to be. */
#define STALL_NS 600000000000u
#define STALL_TIMES 3

/* As much of it as the questions before a run are about. */
static struct bench bench_of(const struct spec *spec, size_t page_bytes)
{
	return (struct bench){
		.workload = spec->workload,
		.values = spec->values,
		.texts = (const char *const *)spec->texts,
		.page_bytes = page_bytes,
	};
}

uint64_t run_footprint(const struct spec *spec, size_t page_bytes)
{
	const struct bench b = bench_of(spec, page_bytes);

	return spec->workload->footprint ? spec->workload->footprint(&b) : 0;
}

uint64_t run_swap(const struct spec *spec, size_t page_bytes)
{
	const struct bench b = bench_of(spec, page_bytes);

	if (!(run_needs(spec) & NEED_SWAP))
		return 0;
	return run_footprint(spec, page_bytes) +
	       (spec->workload->more_swap ? spec->workload->more_swap(&b) : 0);
}

uint64_t run_iterations(const struct spec *spec, const struct run_plan *plan)
{
	return plan->window.pass == PASS_PROFILED ? 0 : spec->iterations;
}

uint64_t run_disk(const struct spec *spec, size_t page_bytes)
{
	const struct bench b = bench_of(spec, page_bytes);

	return spec->workload->disk ? spec->workload->disk(&b) : 0;
}

unsigned int run_needs(const struct spec *spec)
{
	const struct bench b = bench_of(spec, 0);

	return spec->workload->needs |
	       (spec->workload->more_needs ? spec->workload->more_needs(&b) : 0);
}

static void set_params(
	const struct spec *spec, const struct run_plan *plan, struct run *run)
{
	for (size_t i = 0; spec->workload->params[i].name; i++) {
		const struct param *p = &spec->workload->params[i];

		if (p->type == PARAM_CHOICE || p->type == PARAM_NODE ||
			p->type == PARAM_FILES) {
			char *text = spec_value_text(spec, i);

			fields_set_text(&run->params, p->name, text);
			free(text);
		} else {
			fields_set_number(&run->params, p->name, (int64_t)spec->values[i]);
		}
	}
	fields_set_number(&run->params, "cpu", spec->cpu);
	if ((run_needs(spec) & NEED_CGROUP) && plan->cgroup)
		fields_set_number(&run->params, "cgroup_version", plan->cgroup_version);
	if (run_iterations(spec, plan))
		fields_set_number(&run->params, "iterations", (int64_t)spec->iterations);
	else
		fields_set_text(&run->params, "iterations", "auto");
	if (plan->window.pass == PASS_PROFILED)
		fields_set_text(&run->params, "scope",
			plan->window.whole_machine ? "machine" : "thread");
	fields_set_text(&run->params, "pass", window_pass_names[plan->window.pass]);
}

struct watch {
	pid_t pid;
	int pidfd;
	struct sheet *sheet;
	const struct run_plan *plan;
	uint64_t stopped_ns; /* when stop() first said so; 0: not yet */
	bool stalled;
};

static uint64_t stall_ns(const struct run_plan *plan)
{
	return STALL_NS + STALL_TIMES * plan->budget_ns / plan->n_samples;
}

static void tick(struct watch *w)
{
	const uint64_t now = bench_now_ns();
	const uint64_t since = w->sheet->started_ns;

	if (w->plan->progress)
		w->plan->progress(w->plan->arg, w->sheet->n_done,
			w->sheet->n_warmup + w->sheet->n_samples);
	if (!w->stopped_ns && w->plan->stop && w->plan->stop(w->plan->arg)) {
		w->stopped_ns = now;
		w->sheet->stop = true;
	}
	if (w->stopped_ns && now - w->stopped_ns > STOP_PATIENCE_NS)
		kill(w->pid, SIGKILL);
	if (now > since && now - since > stall_ns(w->plan)) {
		w->stalled = true;
		kill(w->pid, SIGKILL);
	}
}

static int wait_for_end(struct watch *w)
{
	struct pollfd ended = { .fd = w->pidfd, .events = POLLIN };
	int status;

	while (poll(&ended, 1, WATCH_MS) <= 0)
		tick(w);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* A process that did not end by itself left the sheet as it was. */
static void judge_end(const struct watch *w, int status)
{
	struct sheet *sheet = w->sheet;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	if (w->stopped_ns) {
		sheet->status = RUN_INCOMPLETE;
		snprintf(sheet->reason, sizeof(sheet->reason), "interrupted");
		return;
	}
	sheet->status = RUN_FAILED;
	if (w->stalled)
		snprintf(sheet->reason, sizeof(sheet->reason),
			"it hung: no step forward within %u s",
			(unsigned int)(stall_ns(w->plan) / 1000000000u));
	else if (WIFSIGNALED(status))
		snprintf(sheet->reason, sizeof(sheet->reason),
			"the measuring process was killed by signal %d (%s)%s",
			WTERMSIG(status), strsignal(WTERMSIG(status)),
			WTERMSIG(status) == SIGKILL ? ": out of memory? see dmesg" : "");
	else
		snprintf(sheet->reason, sizeof(sheet->reason),
			"the measuring process ended with status %d", WEXITSTATUS(status));
}

/* In the measuring process: it must not outlive us, and leaves Ctrl-C to us. */
static void become_sampler(pid_t parent, const struct spec *spec,
	const struct run_plan *plan, struct sheet *sheet)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sampler_run(spec, plan, sheet);
	_exit(0);
}

static int start(const struct spec *spec, const struct run_plan *plan, struct watch *w)
{
	const pid_t parent = getpid();

	w->sheet->started_ns = bench_now_ns();
	fflush(NULL);
	w->pid = fork();
	if (w->pid < 0)
		return -errno;
	if (w->pid == 0)
		become_sampler(parent, spec, plan, w->sheet);
	w->pidfd = (int)syscall(SYS_pidfd_open, w->pid, 0);
	if (w->pidfd < 0) {
		const int ret = -errno;

		kill(w->pid, SIGKILL);
		waitpid(w->pid, NULL, 0);
		return ret;
	}
	return 0;
}

static void skip(struct run *run, const char *reason, const char *fix)
{
	run->status = RUN_SKIPPED;
	run->reason = mem_text(reason);
	run->fix = mem_text(fix);
}

static bool skip_without(unsigned int needs, const struct run_plan *plan, struct run *run)
{
	if ((needs & NEED_SWAP) && plan->no_swap)
		skip(run, plan->no_swap, plan->no_swap_fix);
	else if ((needs & NEED_CGROUP) && plan->no_cgroup)
		skip(run, plan->no_cgroup, plan->no_cgroup_fix);
	else if ((needs & NEED_COLD) && plan->no_cold)
		skip(run, plan->no_cold, "run as root, with /proc/sys for writing");
	return run->status == RUN_SKIPPED;
}

int run_workload(const struct spec *spec, const struct run_plan *plan,
	struct record *record, struct err *err)
{
	struct watch w = { .plan = plan };
	const struct workload *workload = spec->workload;
	struct run *run;
	int ret;

	run = record_add_run(record, workload->name, workload->revision, workload->unit);
	set_params(spec, plan, run);
	if (skip_without(run_needs(spec), plan, run))
		return 0;
	w.sheet = sheet_new(plan->n_warmup, plan->n_samples, plan->window.cpus->count);
	if (!w.sheet)
		return err_set(err, -ENOMEM, "%s: no memory for %u samples", workload->name,
			plan->n_samples);
	ret = start(spec, plan, &w);
	if (ret < 0) {
		sheet_free(w.sheet);
		return err_set(err, ret, "%s: cannot start the measuring process: %s",
			workload->name, strerror(-ret));
	}
	judge_end(&w, wait_for_end(&w));
	close(w.pidfd);
	sheet_to_run(w.sheet, plan->window.cpus, plan->window.nodes, run);
	sheet_free(w.sheet);
	return w.stopped_ns ? -EINTR : 0;
}
