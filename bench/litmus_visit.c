// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The users of the arenas. An access is judged only if the arena was in one
 * stage from before it until after it: the call that began the stage had
 * returned, so what the kernel promised holds, and a thread that finds
 * otherwise has used a translation that should have been flushed.
 */
#include "litmus.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Thread_local sigjmp_buf escape;
static _Thread_local volatile sig_atomic_t armed;

/* Comes only of the one access between setting and clearing `armed`. */
static void on_refusal(int number)
{
	if (armed)
		siglongjmp(escape, 1); /* NOLINT(bugprone-signal-handler) */
	signal(number, SIG_DFL);       /* a fault of ours: it comes again */
}

int litmus_catch(struct bench *b)
{
	/* The mask is left as it is, so that coming back needs no system call. */
	const struct sigaction action = { .sa_handler = on_refusal,
		.sa_flags = SA_NODEFER };

	return sigaction(SIGSEGV, &action, NULL) < 0
		       ? bench_fail(b, -errno, "sigaction: %s", strerror(errno))
		       : 0;
}

void litmus_catch_no_more(void)
{
	signal(SIGSEGV, SIG_DFL);
}

int litmus_users_new(struct bench *b, struct litmus *l)
{
	l->users = aligned_alloc(64, l->n_users * sizeof(*l->users));
	if (!l->users)
		return bench_fail(b, -ENOMEM, "no memory for %zu threads", l->n_users);
	memset(l->users, 0, l->n_users * sizeof(*l->users));
	for (size_t i = 0; i < l->n_users; i++) {
		l->users[i].slots =
			calloc(l->n_arenas * l->pages, sizeof(*l->users[i].slots));
		if (!l->users[i].slots)
			return bench_fail(b, -ENOMEM, "no memory to remember %zu words",
				l->n_arenas * l->pages);
	}
	return 0;
}

void litmus_users_free(struct litmus *l)
{
	for (size_t i = 0; l->users && i < l->n_users; i++)
		free(l->users[i].slots);
	free(l->users);
}

static bool try_load(const unsigned char *at, uint64_t *ret)
{
	if (sigsetjmp(escape, 0)) {
		armed = false;
		return false;
	}
	armed = true;
	*ret = *(const volatile uint64_t *)at;
	armed = false;
	return true;
}

static bool try_store(unsigned char *at, uint64_t word)
{
	if (sigsetjmp(escape, 0)) {
		armed = false;
		return false;
	}
	armed = true;
	*(volatile uint64_t *)at = word;
	armed = false;
	return true;
}

/* One page under one user's eyes. */
struct visit {
	struct litmus *l;
	struct arena *a;
	struct user *u;
	size_t user, page;
	uint64_t stage; /* before the access */
	struct slot *slot;
};

/* The access is done, and the arena is still in the stage that it was in before. */
static bool still(const struct visit *v)
{
	atomic_thread_fence(memory_order_seq_cst);
	return atomic_load_explicit(&v->a->stage, memory_order_acquire) == v->stage;
}

static void count(atomic_ulong *counter)
{
	atomic_store_explicit(counter,
		atomic_load_explicit(counter, memory_order_relaxed) + 1,
		memory_order_relaxed);
}

static void report(const struct visit *v, const char *what, uint64_t seen, uint64_t wanted)
{
	if (atomic_fetch_add(&v->l->violations, 1) > 0)
		return;
	v->l->first = (struct violation){
		.what = what,
		.where = v->a,
		.page = v->page,
		.seen = seen,
		.wanted = wanted,
		.cpu = sched_getcpu(),
	};
	atomic_store(&v->l->broken, true);
}

struct tally litmus_tally(const struct litmus *l, size_t arena)
{
	struct tally t = { 0 };

	for (size_t i = 0; i < l->n_users; i++) {
		t.checks += atomic_load(&l->users[i].checks[arena]);
		t.refusals += atomic_load(&l->users[i].refusals[arena]);
	}
	return t;
}

int litmus_judge(struct bench *b, const struct litmus *l)
{
	const struct violation *f = &l->first;
	unsigned long checks = 0;

	if (!atomic_load(&l->broken))
		return 0;
	for (size_t i = 0; i < l->n_arenas; i++)
		checks += litmus_tally(l, i).checks;
	return bench_fail(b, -EIO,
		"stale translation: %lu violations in %lu checks; first: %s, page %zu, CPU "
		"%d: %s (%llx, not %llx)",
		atomic_load(&l->violations), checks, f->where->what->name, f->page, f->cpu,
		f->what, (unsigned long long)f->seen, (unsigned long long)f->wanted);
}

/* What this user's word must be, if that is known. */
static bool expect(const struct visit *v, uint64_t *ret)
{
	const enum litmus_rule rule = v->stage % RULES;
	const bool since = v->slot->stage == v->stage;

	*ret = rule == RULE_FRESH && !since ? 0 : v->slot->last;
	return !v->slot->unsure && (rule != RULE_FREED || since);
}

/* Loads are not refused, the page is the right one, and it has what was stored. */
static void check_content(const struct visit *v, const unsigned char *arena)
{
	const unsigned char *page = arena + v->page * v->l->b->page_bytes;
	const uint64_t mark = litmus_mark(v->l->b, v->a, v->page, v->stage);
	uint64_t seen_mark, seen, wanted;
	const bool loaded =
		try_load(page, &seen_mark) && try_load(page + (v->user + 1) * 8, &seen);

	if (!still(v))
		return;
	count(&v->u->checks[v->a->number]);
	if (!loaded)
		report(v, "a load was refused", 0, mark);
	else if (seen_mark != mark && (seen_mark || v->stage % RULES != RULE_FREED))
		report(v, "a load saw another page", seen_mark, mark);
	else if (expect(v, &wanted) && seen != wanted)
		report(v, "a store was lost", seen, wanted);
}

/* Whether it was taken, and so is to be found later. */
static bool store(const struct visit *v)
{
	const uint64_t word = (uint64_t)(v->user + 1) << 48 | ++v->u->stored;
	unsigned char *at = v->a->home + v->page * v->l->b->page_bytes + (v->user + 1) * 8;

	if (!try_store(at, word))
		return false;
	*v->slot = (struct slot){ .last = word, .stage = v->stage };
	return true;
}

static void use(const struct visit *v)
{
	const bool kept = v->stage % RULES == RULE_KEPT;
	bool taken;

	check_content(v, v->a->home);
	if (v->page % 2)
		return;
	taken = store(v);
	if (!still(v))
		v->slot->unsure |= taken && !kept;
	else if (!taken)
		report(v, "a store was refused", 0, v->u->stored);
}

static void expect_refusal(const struct visit *v, bool taken, const char *what)
{
	if (!still(v))
		return;
	count(&v->u->checks[v->a->number]);
	count(&v->u->refusals[v->a->number]);
	if (taken)
		report(v, what, 0, 0);
}

static void visit_page(const struct visit *v)
{
	const unsigned char *home = v->a->home + v->page * v->l->b->page_bytes;
	uint64_t word;

	switch ((enum litmus_rule)(v->stage % RULES)) {
	case RULE_KEPT:
	case RULE_FRESH:
	case RULE_FREED:
		use(v);
		break;
	case RULE_READ_ONLY:
		check_content(v, v->a->home);
		if (v->page % 2 == 0)
			expect_refusal(
				v, store(v), "a store was taken by a read-only page");
		break;
	case RULE_GONE:
		expect_refusal(v, try_load(home, &word), "a load found an unmapped page");
		break;
	case RULE_MOVED:
		expect_refusal(v, try_load(home, &word), "a load found a page moved away");
		check_content(v, v->a->away);
		break;
	case RULE_NONE: /* only to have a translation in the way of the call */
	case RULES:
		try_load(home, &word);
		break;
	}
}

static void visit_arena(struct litmus *l, size_t user, struct arena *a)
{
	const struct timespec moment = { .tv_nsec = 20000 };
	struct visit v = { .l = l, .a = a, .u = &l->users[user], .user = user };

	if (a->what->sleeps)
		nanosleep(&moment, NULL);
	for (; v.page < l->pages; v.page++) {
		if (atomic_load_explicit(&l->broken, memory_order_relaxed))
			return;
		v.slot = &v.u->slots[a->number * l->pages + v.page];
		v.stage = atomic_load_explicit(&a->stage, memory_order_acquire);
		atomic_thread_fence(memory_order_seq_cst);
		visit_page(&v);
		count(&v.u->visits);
	}
}

void litmus_visit(struct litmus *l, size_t user)
{
	visit_arena(l, user, &l->arenas[atomic_load(&l->focus)]);
}
