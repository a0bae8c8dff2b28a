// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inference as memory sees it: processes whose threads read all of a model for
 * each token, with less memory than the models take. Reclaim, direct or by
 * kswapd, unmaps their pages while they run, which is where flushes are deferred.
 */
#include "common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backing.h"
#include "cgroup.h"
#include "reader_group.h"
#include "reader_memory.h"
#include "uring.h"

#define MADE "made" /* of model: ours */

static const struct param params[] = {
	{
		.name = "processes",
		.type = PARAM_COUNT,
		.preset = "2",
		.unit = "processes",
		.min = 1,
		.max = 64,
		.help = "that read, each a model of its own",
	},
	{
		.name = "threads",
		.type = PARAM_COUNT,
		.preset = "3",
		.unit = "threads",
		.min = 1,
		.max = 256,
		.help = "of each process, which share the rows of each tensor",
	},
	{
		.name = "tokens",
		.type = PARAM_COUNT,
		.preset = "2",
		.unit = "tokens",
		.min = 1,
		.max = 100000,
		.help = "passes over the model in one operation",
	},
	{
		.name = "model",
		.type = PARAM_FILES,
		.preset = MADE,
		.help = "GGUF files, read in turn by the processes; made: ones of size",
	},
	{
		.name = "size",
		.type = PARAM_BYTES,
		.preset = "64M",
		.unit = "bytes",
		.min = GGUF_LEAST,
		.max = (uint64_t)1 << 40,
		.help = "tensors of each model that is made",
	},
	{
		.name = "limit",
		.type = PARAM_BYTES,
		.preset = "64M",
		.unit = "bytes",
		.max = (uint64_t)1 << 40,
		.help = "of the memory of all readers (a cgroup's); 0: the machine's own",
	},
	{
		.name = "io",
		.type = PARAM_CHOICE,
		.preset = "mmap",
		.choices = reader_hows,
		.help = "models mapped, or read by pread or io_uring",
	},
	{
		.name = "depth",
		.type = PARAM_COUNT,
		.preset = "8",
		.unit = "reads",
		.min = 1,
		.max = URING_DEPTH_MAX,
		.help = "under way at a time in each thread, with io=uring",
	},
	{ 0 },
};

enum { METRIC_PROCESS, METRIC_TOKEN, METRIC_USER, METRIC_SYSTEM };
static const struct bench_metric metrics[] = {
	[METRIC_PROCESS] = { "process_ns", "ns", "clock_gettime CLOCK_MONOTONIC",
		BENCH_LOWER, false, false },
	[METRIC_TOKEN] = { "token_ns", "ns", "clock_gettime CLOCK_MONOTONIC", BENCH_LOWER,
		false, false },
	[METRIC_USER] = { "readers_user_ns", "ns", "getrusage RUSAGE_SELF", BENCH_LOWER,
		true, false },
	[METRIC_SYSTEM] = { "readers_system_ns", "ns", "getrusage RUSAGE_SELF", BENCH_LOWER,
		true, false },
	{ 0 },
};

struct readers {
	struct model *models;
	struct reader_plan plan; /* of these */
	uint64_t tokens, limit;
	struct reader_group *group;
};

static bool makes_models(const struct bench *b)
{
	return strcmp(bench_param_text(b, "model"), MADE) == 0;
}

static unsigned int readers_needs(const struct bench *b)
{
	return bench_param(b, "limit") ? NEED_CGROUP : 0;
}

static uint64_t readers_disk(const struct bench *b)
{
	/* The head of a model takes far less than that. */
	return makes_models(b) ? bench_param(b, "processes") *
					 (bench_param(b, "size") + ((uint64_t)1 << 20))
			       : 0;
}

static int make_models(struct bench *b, struct readers *r)
{
	/* Before the first of them is written, which may take minutes. */
	int ret = backing_need_room(b, readers_disk(b));

	r->models = calloc(r->plan.processes, sizeof(*r->models));
	if (!r->models)
		return bench_fail(b, -ENOMEM, "no memory");
	while (ret == 0 && r->plan.n_models < r->plan.processes) {
		ret = model_make(b, bench_param(b, "size"), (unsigned int)r->plan.n_models,
			&r->models[r->plan.n_models]);
		r->plan.n_models += ret == 0;
	}
	return ret;
}

/* The user's files; those beyond the number of processes are not read. */
static int open_models(struct bench *b, struct readers *r)
{
	char *copy = strdup(bench_param_text(b, "model")), *rest = copy, *path;
	int ret = 0;

	r->models = calloc(r->plan.processes, sizeof(*r->models));
	if (!copy || !r->models)
		ret = bench_fail(b, -ENOMEM, "no memory");
	while (ret == 0 && r->plan.n_models < r->plan.processes &&
		(path = strsep(&rest, ":"))) {
		ret = model_open(b, path, &r->models[r->plan.n_models]);
		r->plan.n_models += ret == 0;
	}
	free(copy);
	return ret;
}

/* Found out here, and not by each reader. */
static int try_uring(struct bench *b, const struct readers *r)
{
	struct uring *u;
	char reason[200];
	const int ret = uring_open(r->plan.depth, READER_BLOCK, r->models[0].fd, &u);

	if (ret == 0) {
		uring_close(u);
		return 0;
	}
	snprintf(reason, sizeof(reason), "io_uring cannot be used: %s", strerror(-ret));
	if (ret == -EPERM || ret == -EACCES)
		return bench_skip(b, reason, "sysctl kernel.io_uring_disabled=0");
	if (ret == -ENOSYS)
		return bench_skip(b, reason, "use a kernel with CONFIG_IO_URING");
	return bench_fail(b, ret, "%s", reason);
}

static int start_readers(struct bench *b, struct readers *r)
{
	const int ret = r->limit ? cgroup_set_limit(b, r->limit) : 0;

	if (ret < 0)
		return bench_fail(b, ret, "cannot limit the memory of %.120s: %s",
			b->cgroup, strerror(-ret));
	return reader_group_start(b, &r->plan, &r->group);
}

static int readers_setup(struct bench *b)
{
	struct readers *r = calloc(1, sizeof(*r));
	int ret;

	if (!r)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = r;
	r->tokens = bench_param(b, "tokens");
	r->limit = bench_param(b, "limit");
	r->plan = (struct reader_plan){
		.processes = bench_param(b, "processes"),
		.threads = bench_param(b, "threads"),
		.how = (enum reader_how)bench_param(b, "io"),
		.depth = (unsigned int)bench_param(b, "depth"),
		.in_cgroup = r->limit != 0,
	};
	ret = makes_models(b) ? make_models(b, r) : open_models(b, r);
	r->plan.models = r->models;
	if (ret == 0)
		ret = reader_check_memory(b, &r->plan, r->limit);
	if (ret == 0 && r->plan.how == READER_URING)
		ret = try_uring(b, r);
	if (ret < 0)
		return ret;
	b->units_per_op = reader_pass_bytes(&r->plan) / b->page_bytes * r->tokens;
	return start_readers(b, r);
}

static int readers_run(struct bench *b, uint64_t n)
{
	struct readers *r = b->state;
	const int ret = reader_group_read(b, r->group, n * r->tokens);
	const struct reader_times times = reader_group_times(r->group);

	if (ret < 0)
		return ret;
	b->metric[METRIC_PROCESS] = (int64_t)(times.process_ns / r->plan.processes / n);
	b->metric[METRIC_TOKEN] =
		(int64_t)(times.process_ns / r->plan.processes / n / r->tokens);
	b->metric[METRIC_USER] = (int64_t)times.user_ns;
	b->metric[METRIC_SYSTEM] = (int64_t)times.system_ns;
	return 0;
}

static int check_reclaimed(struct bench *b, const struct readers *r, uint64_t n)
{
	const uint64_t passes = n * r->tokens, memory = reader_memory(b, r->limit);
	const uint64_t least =
		reader_least_reclaimed(&r->plan, memory, passes) / b->page_bytes;
	uint64_t stolen, back;

	if (b->vmstat_delta(b, "pgsteal_file", &stolen) < 0 ||
		b->vmstat_delta(b, "workingset_refault_file", &back) < 0)
		return bench_fail(b, -ENODATA,
			"no pgsteal_file and workingset_refault_file in /proc/vmstat to prove "
			"the reclaim");
	if (stolen == 0 || !bench_enough(stolen, least))
		return bench_fail(b, -EIO,
			"only %llu of at least %llu pages were reclaimed (pgsteal_file)",
			(unsigned long long)stolen, (unsigned long long)least);
	if (back == 0 && reader_least_again(&r->plan, memory, passes))
		return bench_fail(b, -EIO,
			"no page came back that was reclaimed (workingset_refault_file)");
	return 0;
}

/* Who has reclaimed: a remark on the sample. */
static void tell_who(struct bench *b, const struct readers *r)
{
	uint64_t kswapd, direct;

	if (r->limit)
		bench_fail(b, 0, "reclaimed directly, at the limit of a cgroup");
	else if (b->vmstat_delta(b, "pgsteal_kswapd", &kswapd) == 0 &&
		 b->vmstat_delta(b, "pgsteal_direct", &direct) == 0 && kswapd + direct > 0)
		bench_fail(b, 0, "reclaimed by kswapd (%llu %%) and directly (%llu %%)",
			(unsigned long long)(kswapd * 100 / (kswapd + direct)),
			(unsigned long long)(direct * 100 / (kswapd + direct)));
}

static int readers_verify(struct bench *b, uint64_t n)
{
	struct readers *r = b->state;
	int ret = reader_group_check(b, r->group), released;

	if (ret == 0)
		ret = check_reclaimed(b, r, n);
	if (ret == 0)
		tell_who(b, r);
	released = reader_group_release(b, r->group);
	return ret < 0 ? ret : released;
}

static void readers_teardown(struct bench *b)
{
	struct readers *r = b->state;

	if (!r)
		return;
	reader_group_stop(r->group);
	/* The next workload is given the cgroup as it was. */
	if (r->limit)
		cgroup_set_limit(b, 0);
	for (size_t i = 0; i < r->plan.n_models; i++)
		model_close(&r->models[i]);
	free(r->models);
	free(r);
}

const struct workload workload_readers = {
	.name = "readers",
	.summary = "processes read models, token by token, in less memory than these take",
	.path = "file reclaim: shrink_folio_list, try_to_unmap of mapped pages; kswapd",
	.unit = "page",
	.revision = 1,
	.needs = NEED_COLD,
	.more_needs = readers_needs,
	.params = params,
	.metrics = metrics,
	.disk = readers_disk,
	.setup = readers_setup,
	.run = readers_run,
	.verify = readers_verify,
	.teardown = readers_teardown,
};
