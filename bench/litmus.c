// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Correctness under race. Threads use pages while these are reclaimed, migrated,
 * protected, moved, freed and unmapped; each checks that no access goes through
 * a translation that the kernel had promised to be gone. Its times mean nothing.
 */
#include "litmus.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cgroup.h"
#include "mover.h"
#include "nodes.h"
#include "paged_out.h"
#include "pressure.h"

enum { METRIC_CHECKS, METRIC_REFUSALS, METRIC_VIOLATIONS };
static const struct bench_metric metrics[] = {
	{ "checks", "checks", "the threads", BENCH_NEITHER, true, false },
	{ "refusals", "refusals", "the threads", BENCH_NEITHER, true, false },
	{ "violations", "violations", "the threads", BENCH_LOWER, false, true },
	{ 0 },
};

static const char *const case_names[] = { "all", "write", "lazy", "mprotect", "munmap",
	"mremap", "free", NULL };

static const struct param params[] = {
	{
		.name = "size",
		.type = PARAM_BYTES,
		.preset = "128K",
		.unit = "bytes",
		.min = 4096,
		.max = (uint64_t)1 << 30,
		.help = "memory of each case",
	},
	{
		.name = "threads",
		.type = PARAM_THREADS,
		.preset = "max",
		.unit = "threads",
		.help = "that use it on other CPUs; the last of several is for reclaim",
	},
	{
		.name = "case",
		.type = PARAM_CHOICE,
		.preset = "all",
		.choices = case_names,
		.help = "what happens to the pages besides reclaim and migration",
	},
	BENCH_PARAM_PRESSURE,
	{ 0 },
};

/* A turn waits so long at most for the threads to have seen it. */
#define DWELL_NS 1000000000u
/* In so many acts the one that reclaims has done each kind. */
#define ACTS 4
/* Pages, of which every other one is stored to. */
#define SOON 8

struct contest {
	struct litmus l;
	struct bench own; /* for failures of the one that reclaims, on its thread */
	struct cgroup cgroup;
	struct mover movers[LITMUS_CASES]; /* without pages where there is one node */
	bool apart;                        /* the one that reclaims has a CPU of its own */
	int error;                         /* that it met with */
	atomic_ulong acts;
	unsigned long acts_before;
	struct tally before[LITMUS_CASES];
	struct companions *companions;
	struct pressure *pressure;
};

static uint64_t litmus_footprint(const struct bench *b)
{
	return bench_param(b, "size") * LITMUS_CASES;
}

/* With two nodes pages are migrated, too. Before anything is unmapped. */
static int prepare_migration(struct bench *b, struct contest *c)
{
	const size_t bytes = 2 * c->l.arena_bytes;
	int nodes[2], ret;

	if (b->n_nodes < 2)
		return 0;
	ret = nodes_choose(b, BENCH_NODE_AUTO, BENCH_NODE_AUTO, nodes);
	for (size_t i = 0; i < c->l.n_arenas && ret == 0; i++)
		ret = mover_init(
			b, &c->movers[i], c->l.memory + i * bytes, bytes, 0, nodes);
	return ret;
}

/* Room for all arenas, where nothing else comes to lie. */
static int reserve(struct bench *b, struct contest *c)
{
	const size_t bytes = 2 * c->l.n_arenas * c->l.arena_bytes;
	void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return bench_fail(b, -errno, "mmap: %s", strerror(errno));
	c->l.memory = memory;
	c->l.bytes = bytes;
	return prepare_migration(b, c);
}

static int make_arenas(struct bench *b, struct contest *c)
{
	struct litmus *l = &c->l;
	const size_t only = bench_param(b, "case");
	int ret;

	ret = reserve(b, c);
	for (size_t i = 0; i < l->n_arenas && ret == 0; i++) {
		struct arena *a = &l->arenas[i];

		a->what = &litmus_cases[only ? only - 1 : i];
		a->number = i;
		a->bytes = l->arena_bytes;
		a->home = l->memory + 2 * i * l->arena_bytes;
		a->away = a->home + l->arena_bytes;
		a->stage = litmus_next(a, a->what->open);
		ret = litmus_map(b, a, a->stage);
	}
	return ret;
}

/*
 * What the arena in focus meets with from outside, one act at a time. Half of
 * them are migrations, in which pages that were written stay without a flush
 * for the longest. Version 1 of cgroups reclaims until nothing is left, which
 * the users put off for long: seldom.
 */
static void act(struct contest *c)
{
	const unsigned long n = atomic_load_explicit(&c->acts, memory_order_relaxed);
	const size_t focus = atomic_load(&c->l.focus);
	int ret = 0;

	if (n % 2 && c->movers[focus].pages)
		ret = mover_move(&c->own, &c->movers[focus], n / 2 % 2);
	else if (n % ACTS != 0 && (c->cgroup.by_bytes || n % (16ul * ACTS) == 2))
		ret = cgroup_reclaim(&c->own, &c->cgroup, c->l.arena_bytes);
	else /* it may be unmapped just now */
		madvise(c->l.arenas[focus].home, c->l.arena_bytes, MADV_PAGEOUT);
	if (ret < 0)
		c->error = ret;
	atomic_store(&c->acts, n + 1);
}

static void pass(void *arg, size_t thread, uint64_t seq)
{
	struct contest *c = arg;

	(void)seq;
	if (!atomic_load(&c->l.ready))
		sched_yield();
	else if (thread < c->l.n_users)
		litmus_visit(&c->l, thread);
	else if (!atomic_load(&c->l.broken))
		act(c);
}

static int litmus_setup(struct bench *b)
{
	struct contest *c = calloc(1, sizeof(*c));
	struct litmus *l;
	int ret;

	if (!c)
		return bench_fail(b, -ENOMEM, "no memory");
	b->state = c;
	l = &c->l;
	l->b = b;
	l->arena_bytes = bench_param(b, "size");
	l->pages = l->arena_bytes / b->page_bytes;
	l->n_users = bench_param(b, "threads");
	b->units_per_op = 1;
	cgroup_init(&c->cgroup);
	if (l->n_users == 0)
		return bench_skip(b, "nobody else could use a stale translation",
			"give threads=1 or more, on a machine with two CPUs");
	l->n_users -= l->n_users == b->n_other_cpus && l->n_users > 1;
	c->apart = l->n_users < b->n_other_cpus;
	l->n_arenas = bench_param(b, "case") ? 1 : LITMUS_CASES;
	/* Before there are pages, which no other process is to map. */
	ret = litmus_strangers_start(b, &c->l);
	if (ret == 0)
		ret = pressure_start(b, &c->pressure);
	if (ret == 0)
		ret = litmus_users_new(b, l);
	if (ret == 0)
		ret = litmus_catch(b);
	if (ret == 0)
		ret = companions_start_with(
			b, l->n_users + c->apart, pass, c, &c->companions);
	/*
	 * What this process has so far is not to be reclaimed: on a broken kernel
	 * it would break first, and could report nothing. Without the right it may.
	 */
	mlockall(MCL_CURRENT | MCL_ONFAULT);
	if (ret == 0)
		ret = cgroup_join(b);
	if (ret == 0)
		ret = cgroup_open(b, &c->cgroup);
	if (ret == 0)
		ret = make_arenas(b, c);
	c->own = *b;
	atomic_store(&l->ready, ret == 0);
	return ret;
}

/* Until each user has looked at so many pages of the arena in focus. */
static void dwell(struct contest *c, size_t pages)
{
	const struct timespec moment = { .tv_nsec = 10000 };
	const uint64_t end = bench_now_ns() + DWELL_NS;

	for (size_t i = 0; i < c->l.n_users; i++)
		c->l.users[i].seen = atomic_load(&c->l.users[i].visits);
	if (!c->apart)
		act(c);
	for (size_t i = 0; i < c->l.n_users; i++)
		while (atomic_load(&c->l.users[i].visits) < c->l.users[i].seen + pages &&
			!atomic_load(&c->l.broken) && bench_now_ns() < end)
			nanosleep(&moment, NULL);
}

static int call(struct bench *b, struct arena *a, bool shut)
{
	uint64_t stage;
	int ret;

	if (!a->what->to_shut)
		return 0;
	atomic_store(&a->stage, litmus_next(a, RULE_NONE));
	stage = litmus_next(a, shut ? a->what->shut : a->what->open);
	ret = (shut ? a->what->to_shut : a->what->to_open)(b, a, stage);
	if (ret == 0)
		atomic_store(&a->stage, stage);
	return ret;
}

/*
 * Each arena in turn has all the attention: of its calls the first comes when
 * each user has translations of all its pages, the second soon after, since what
 * is stale is so for a moment only.
 */
static int turn(struct bench *b, struct contest *c)
{
	int ret = 0;

	for (size_t i = 0; i < c->l.n_arenas && ret == 0; i++) {
		atomic_store(&c->l.focus, i);
		for (int calls = 0; calls < 2 && ret == 0; calls++) {
			dwell(c, calls == 0 ? c->l.pages : SOON);
			if (!atomic_load(&c->l.broken))
				ret = call(b, &c->l.arenas[i], calls == 0);
		}
	}
	return ret;
}

static int litmus_run(struct bench *b, uint64_t n)
{
	struct contest *c = b->state;
	int ret = 0, judged;

	c->acts_before = atomic_load(&c->acts);
	for (size_t i = 0; i < c->l.n_arenas; i++)
		c->before[i] = litmus_tally(&c->l, i);
	for (uint64_t i = 0; i < n && ret == 0 && !atomic_load(&c->l.broken); i++)
		ret = turn(b, c);
	for (int i = 0; i < 100 && atomic_load(&c->acts) < c->acts_before + ACTS; i++)
		dwell(c, c->l.pages);
	judged = litmus_judge(b, &c->l);
	return judged < 0 ? judged : ret;
}

/* Each case was judged in this sample, and those that refuse have refused. */
static int check_judged(struct bench *b, const struct contest *c)
{
	for (size_t i = 0; i < c->l.n_arenas; i++) {
		const struct litmus_case *what = c->l.arenas[i].what;
		const struct tally now = litmus_tally(&c->l, i), *before = &c->before[i];
		const bool refuses = what->shut == RULE_READ_ONLY ||
				     what->shut == RULE_GONE || what->shut == RULE_MOVED;

		b->metric[METRIC_CHECKS] += (int64_t)(now.checks - before->checks);
		b->metric[METRIC_REFUSALS] += (int64_t)(now.refusals - before->refusals);
		if (now.checks == before->checks ||
			(refuses && now.refusals == before->refusals))
			return bench_fail(b, -EAGAIN,
				"nobody came to check %s during the sample", what->name);
	}
	return 0;
}

static int check_contested(struct bench *b, const struct contest *c)
{
	uint64_t written, moved;

	if (c->error)
		return bench_fail(b, c->error, "%s", c->own.reason);
	if (b->vmstat_delta(b, "pswpout", &written) < 0 ||
		b->vmstat_delta(b, "pgmigrate_success", &moved) < 0)
		return bench_fail(b, -ENODATA,
			"no pswpout and pgmigrate_success in /proc/vmstat to prove that "
			"pages were reclaimed and migrated");
	if (written == 0 || (c->movers[0].pages && moved == 0))
		return bench_fail(b, -EAGAIN, "no page was %s during the sample",
			written == 0 ? "reclaimed (pswpout)"
				     : "migrated (pgmigrate_success)");
	return 0;
}

static int litmus_verify(struct bench *b, uint64_t n)
{
	struct contest *c = b->state;
	int ret = litmus_judge(b, &c->l);

	(void)n;
	if (ret == 0)
		ret = check_judged(b, c);
	if (ret == 0)
		ret = check_contested(b, c);
	if (ret == 0)
		ret = pressure_check(b, c->pressure);
	return ret < 0 ? ret : companions_check(b, c->companions);
}

static void litmus_teardown(struct bench *b)
{
	struct contest *c = b->state;

	if (!c)
		return;
	companions_stop(c->companions);
	pressure_stop(c->pressure);
	litmus_catch_no_more();
	munlockall();
	litmus_strangers_stop(&c->l);
	litmus_users_free(&c->l);
	if (c->l.bytes)
		munmap(c->l.memory, c->l.bytes);
	for (size_t i = 0; i < c->l.n_arenas; i++)
		mover_clear(&c->movers[i]);
	cgroup_close(&c->cgroup);
	free(c);
}

const struct workload workload_litmus = {
	.name = "litmus",
	.summary = "use pages that are reclaimed, migrated and changed, and look for "
		   "stale translations",
	.path = "try_to_unmap_flush, flush_tlb_batched_pending, switch_mm: correctness",
	.unit = "turn",
	.revision = 2,
	.needs = NEED_SWAP | NEED_CGROUP,
	.params = params,
	.metrics = metrics,
	.footprint = litmus_footprint,
	.more_swap = pressure_swap,
	.setup = litmus_setup,
	.run = litmus_run,
	.verify = litmus_verify,
	.teardown = litmus_teardown,
};
