// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * locks - contention on kernel locks: how often and how long tasks waited for each, and who let them go on
 *
 * The kernel names a lock by its address alone. A symbol is known for those that are variables; the code
 * that asked for a lock would be in a recorded stack, and stacks are not recorded.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ringside/by.h"

#define MAX_WAITS 8192      /* of a lock, a type and a task: then the least recently used goes */
#define NR_SLOTS 8192
#define NR_TYPES 128        /* all that enum rs_lock_flags can make */

struct waits {
	struct rs_hist lat;
	uint64_t woken_ns;       /* end of the last contention that somebody's waking ended; 0 none */
	int32_t waker_tid;       /* who that was; 0 idle: an interrupt */
	char waker[RS_COMM_LEN]; /* "" unknown */
};

/* What one task waited for one lock. */
struct entry {
	struct entry *chain;             /* of its slot */
	struct entry *newer, *older;     /* by last use */
	struct entry *next, **at;        /* of its task: at is what points to it */
	struct rs_task *task;            /* NULL: in idle's context, or the task was evicted */
	uint64_t lock_addr;
	unsigned int flags;
	struct waits waits;
};

struct locks {
	struct entry *slots[NR_SLOTS];
	struct entry *newest, *oldest;
	unsigned int nr;
	struct waits *rest[NR_TYPES];    /* of entries that were evicted */
};

struct of_task {
	struct entry *first;
};

/* A mutex is waited for spinning, then asleep: one type. */
static unsigned int type_of(unsigned int flags)
{
	return flags & RS_LOCK_MUTEX ? flags & ~(unsigned int)RS_LOCK_SPIN : flags;
}

/* ---- the table ---- */

static struct entry **slot_of(struct locks *l, uint64_t lock_addr, unsigned int flags, const struct rs_task *t)
{
	uint64_t h = (lock_addr + flags) * 0x9e3779b97f4a7c15u ^ (uint64_t)(t ? t->tid : 0) * 0xc2b2ae3d27d4eb4fu;

	return &l->slots[(h ^ h >> 32) >> 4 & (NR_SLOTS - 1)];
}

static void take_from_order(struct locks *l, struct entry *e)
{
	*(e->newer ? &e->newer->older : &l->newest) = e->older;
	*(e->older ? &e->older->newer : &l->oldest) = e->newer;
}

static void put_newest(struct locks *l, struct entry *e)
{
	e->newer = NULL;
	e->older = l->newest;
	*(l->newest ? &l->newest->newer : &l->oldest) = e;
	l->newest = e;
}

static void take_out(struct locks *l, struct entry *e)
{
	struct entry **at = slot_of(l, e->lock_addr, e->flags, e->task);

	while (*at != e)
		at = &(*at)->chain;
	*at = e->chain;
	take_from_order(l, e);
	if (e->at)
		*e->at = e->next;
	if (e->next)
		e->next->at = e->at;
	l->nr--;
}

static void free_entry(struct entry *e)
{
	rs_hist_done(&e->waits.lat);
	free(e);
}

static void merge(struct waits *into, const struct waits *from)
{
	rs_hist_merge(&into->lat, &from->lat);
	if (from->woken_ns < into->woken_ns || !from->woken_ns)
		return;
	into->woken_ns = from->woken_ns;
	into->waker_tid = from->waker_tid;
	memcpy(into->waker, from->waker, sizeof into->waker);
}

/* Its lock and task are forgotten, what it adds to its type is not. */
static void evict_oldest(struct rs_ctx *c)
{
	struct locks *l = c->state;
	struct entry *e = l->oldest;
	struct waits **rest = &l->rest[e->flags];

	if (!*rest && (*rest = calloc(1, sizeof **rest)))
		rs_hist_init(&(*rest)->lat);
	if (*rest && (!e->task || rs_shown(c, e->task)))
		merge(*rest, &e->waits);
	take_out(l, e);
	free_entry(e);
	rs_count_evicted(c);
}

static struct entry *new_entry(struct rs_ctx *c, uint64_t lock_addr, unsigned int flags, struct rs_task *t)
{
	struct locks *l = c->state;
	struct of_task *own = t ? rs_task_data(c, t) : NULL;
	struct entry *e, **slot = slot_of(l, lock_addr, flags, t);

	if (l->nr == MAX_WAITS)
		evict_oldest(c);
	e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	*e = (struct entry){ .chain = *slot, .task = t, .lock_addr = lock_addr, .flags = flags };
	rs_hist_init(&e->waits.lat);
	*slot = e;
	put_newest(l, e);
	l->nr++;
	if (own) {
		e->next = own->first;
		e->at = &own->first;
		if (e->next)
			e->next->at = &e->next;
		own->first = e;
	}
	return e;
}

static struct entry *entry_of(struct rs_ctx *c, uint64_t lock_addr, unsigned int flags, struct rs_task *t)
{
	struct locks *l = c->state;
	struct entry *e = *slot_of(l, lock_addr, flags, t);

	while (e && (e->lock_addr != lock_addr || e->flags != flags || e->task != t))
		e = e->chain;
	if (!e)
		return new_entry(c, lock_addr, flags, t);
	if (e != l->newest) {
		take_from_order(l, e);
		put_newest(l, e);
	}
	return e;
}

/* ---- what the engine tells ---- */

enum { SPAN_LOCK };

/* Out of line: made for who shows details, and wants stack. */
static __attribute__((noinline)) void lay(struct rs_ctx *c, const struct rs_contention *k, bool open)
{
	char addr[32];
	struct rs_value values[1];

	snprintf(addr, sizeof addr, "0x%" PRIx64, k->lock_addr);
	values[0] = rs_s(addr);
	rs_lay(c, SPAN_LOCK, &(struct rs_span){ .task = k->task, .start_ns = k->begin_ns, .end_ns = k->end_ns,
						.open = open, .arg = k->flags, .values = values });
}

static void on_contention(struct rs_ctx *c, const struct rs_contention *k)
{
	struct entry *e;

	if (k->voided || (!k->task && !rs_shown(c, NULL)))
		return;
	if (rs_laying(c) && k->task && !k->in_flight)
		lay(c, k, false);
	e = entry_of(c, k->lock_addr, type_of(k->flags), k->task);
	if (!e)
		return;
	rs_latency_add(c, &e->waits.lat, k->begin_ns, k->end_ns, k->in_flight);
	if (k->waker_tid < 0)
		return;
	e->waits.woken_ns = k->end_ns;
	e->waits.waker_tid = k->waker_tid;
	memset(e->waits.waker, 0, sizeof e->waits.waker);
	if (k->waker_comm)
		memcpy(e->waits.waker, k->waker_comm, sizeof e->waits.waker);
}

static void lay_open(struct rs_ctx *c, uint64_t now_ns)
{
	struct rs_contention k;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		for (unsigned int i = 0; rs_task_contention(c, t, i, &k); i++)
			if (!k.voided)
				lay(c, &k, true);
}

static void open_contentions(struct rs_ctx *c, struct rs_open_sink *out)
{
	struct rs_contention k;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		for (unsigned int i = 0; rs_shown(c, t) && rs_task_contention(c, t, i, &k); i++) {
			const char *type = rs_lock_type(k.flags), *symbol;
			char text[160];

			if (k.voided || !rs_wants_open(out, k.begin_ns, false))
				continue;
			symbol = rs_symbol(c, k.lock_addr);
			snprintf(text, sizeof text, "%s %.100s", type ? type : "lock", symbol ? symbol : "");
			if (!symbol)
				snprintf(text, sizeof text, "%s at 0x%" PRIx64, type ? type : "lock", k.lock_addr);
			rs_open_task(out, t, "lock", text, k.begin_ns);
		}
}

/* What was kept of one task goes to another; to NULL: it goes on without one. */
static void rehome(struct rs_ctx *c, struct rs_task *from, struct rs_task *to)
{
	struct of_task *own = rs_task_data(c, from);

	for (struct entry *e = own->first; e; e = own->first) {
		struct entry *into;

		take_out(c->state, e); /* so that there is room, and nothing is evicted meanwhile */
		into = entry_of(c, e->lock_addr, e->flags, to);
		if (into)
			merge(&into->waits, &e->waits);
		free_entry(e);
	}
}

static void forget(struct rs_ctx *c, struct rs_task *t)
{
	struct of_task *own = rs_task_data(c, t);

	for (struct entry *e = own->first; e; e = own->first) {
		take_out(c->state, e);
		free_entry(e);
	}
}

static void on_task_evict(struct rs_ctx *c, struct rs_task *t)
{
	if (rs_shown(c, t))
		rehome(c, t, NULL);
}

static void clear(struct rs_ctx *c)
{
	struct locks *l = c->state;

	for (struct entry *e = l->newest; e; e = l->newest) {
		take_out(l, e);
		free_entry(e);
	}
	for (unsigned int i = 0; i < NR_TYPES; i++) {
		if (l->rest[i])
			rs_hist_done(&l->rest[i]->lat);
		free(l->rest[i]);
		l->rest[i] = NULL;
	}
}

/* ---- rows ---- */

enum {
	ADDR, TYPE, COMM, PID, TID, CONTENDED, TOTAL, AVG, P99, MAX, WAKER, SYMBOL, NR_COLUMNS,
};

static const struct rs_column columns[] = {
	[ADDR] = { "lock_addr", "lock", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 18, "its address; null: of several, or of locks that were forgotten" },
	[TYPE] = { "type", "type", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 14, "spinlock, mutex, rwsem:R (to read), rwsem:W (to write) ..." },
	RS_BY_COLUMNS,
	[CONTENDED] = { "contended", "contended", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how often it was waited for" },
	[TOTAL] = { "total_ns", "total wait", RS_TYPE_DURATION, 0, RS_COLUMN_SUM, 11, "waited in all, from the begin of contention to its end" },
	[AVG] = { "avg_ns", "avg wait", RS_TYPE_DURATION, 0, 0, 11, "average" },
	[P99] = { "p99_ns", "p99 wait", RS_TYPE_DURATION, 0, 0, 11, "99 % waited at most this" },
	[MAX] = { "max_ns", "max wait", RS_TYPE_DURATION, 0, RS_COLUMN_LATENCY, 11, "longest" },
	[WAKER] = { "last_waker", "last waker", RS_TYPE_TEXT, 0, 0, 22, "who woke the last that slept for it: most likely who held it; <idle>: an interrupt; null: all spun" },
	[SYMBOL] = { "symbol", "symbol", RS_TYPE_TEXT, 0, 0, 16, "the lock's name, where it is a variable of the kernel" },
	{ 0 },
};

struct group {
	struct rs_who who;
	bool begun;
	uint64_t lock_addr;      /* 0: of several, or forgotten */
	unsigned int flags;
	struct waits waits;
};

/* lock_addr 0: of those that were forgotten, which are nobody's */
static void add(struct rs_ctx *c, struct rs_groups *groups, const struct rs_by *by, uint64_t lock_addr, unsigned int flags,
		const struct rs_task *t, const struct waits *waits)
{
	struct rs_group_key key = { .len = 0 };
	struct group *g;

	if (rs_hist_is_empty(&waits->lat))
		return;
	rs_by_key(by, c, t, &key);
	if (by->lock_addr)
		rs_group_key_u64(&key, lock_addr);
	if (by->type)
		rs_group_key_u64(&key, flags);
	g = rs_groups_get(groups, &key);
	if (!g)
		return;
	if (!g->begun) {
		g->begun = true;
		g->lock_addr = by->lock_addr ? lock_addr : 0;
		g->flags = flags;
		rs_hist_init(&g->waits.lat);
		rs_by_who(by, c, t, &g->who);
	}
	merge(&g->waits, waits);
}

static const char *waker_text(const struct waits *w, char *buf, size_t size_bytes)
{
	if (!w->woken_ns)
		return NULL;
	if (!w->waker_tid)
		return "<idle>";
	if (w->waker[0])
		snprintf(buf, size_bytes, "%.*s (%d)", RS_COMM_LEN, w->waker, (int)w->waker_tid);
	else
		snprintf(buf, size_bytes, "(%d)", (int)w->waker_tid);
	return buf;
}

static void show(struct rs_ctx *c, const struct rs_by *by, const struct group *g, struct rs_sink *out)
{
	const struct rs_hist *h = &g->waits.lat;
	struct rs_value v[NR_COLUMNS];
	char addr[32], waker[48];

	snprintf(addr, sizeof addr, "0x%" PRIx64, g->lock_addr);
	v[ADDR] = g->lock_addr ? rs_s(addr) : rs_null();
	v[TYPE] = by->type ? rs_s(rs_lock_type(g->flags)) : rs_null();
	rs_by_values(by, &g->who, &v[COMM]);
	v[CONTENDED] = rs_u(rs_hist_nr_begun(h));
	v[TOTAL] = rs_u(rs_hist_sum_inside(h));
	v[AVG] = rs_u_if(h->nr, h->nr ? h->sum / h->nr : 0);
	v[P99] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 990) : 0);
	v[MAX] = rs_u_if(h->nr, h->max);
	v[WAKER] = rs_s(waker_text(&g->waits, waker, sizeof waker));
	v[SYMBOL] = g->lock_addr ? rs_s(rs_symbol(c, g->lock_addr)) : rs_null();
	out->row(out, v);
}

static void rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct rs_by by = rs_by_of(q, (struct rs_by){ .lock_addr = true, .type = true });
	const struct locks *l = c->state;
	struct rs_groups *groups = rs_groups_new(sizeof(struct group));

	if (!groups)
		return;
	for (struct entry *e = l->oldest; e; e = e->newer)
		if (!e->task || rs_shown(c, e->task))
			add(c, groups, &by, e->lock_addr, e->flags, e->task, &e->waits);
	for (unsigned int i = 0; i < NR_TYPES; i++)
		if (l->rest[i])
			add(c, groups, &by, 0, i, NULL, l->rest[i]);
	for (struct group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g)) {
		show(c, &by, g, out);
		rs_hist_done(&g->waits.lat);
	}
	rs_groups_free(groups);
}

/* A fifth of one thread's time for one lock, all who waited together. */
#define LEAST_OF_TIME 200

static void judge(struct rs_ctx *c, const struct group *g, uint64_t epoch_ns, struct rs_finding_sink *out)
{
	uint64_t of_time = rs_milli(rs_hist_sum_inside(&g->waits.lat), epoch_ns, 1).u;
	const char *type = rs_lock_type(g->flags), *symbol, *waker;
	char text[240], brief[160], where[48], addr[24], buf[48], length[40];
	const struct rs_evidence evidence[] = { { "locks", "-total_ns", where, NULL }, { "offcpu", "-total_ns", "cause == \"lock\"", NULL }, { "tasks", "-lock_ns", NULL, NULL }, { 0 } };

	if (of_time < LEAST_OF_TIME || !g->lock_addr)
		return;
	symbol = rs_symbol(c, g->lock_addr);
	waker = waker_text(&g->waits, buf, sizeof buf);
	snprintf(addr, sizeof addr, "0x%" PRIx64, g->lock_addr);
	snprintf(text, sizeof text, "tasks waited %s (%" PRIu64 " time%s) for the %s %.100s%s%s",
		 rs_duration_text(c, rs_hist_sum_inside(&g->waits.lat), length, sizeof length),
		 rs_hist_nr_begun(&g->waits.lat), rs_hist_nr_begun(&g->waits.lat) == 1 ? "" : "s", type ? type : "lock", symbol ? symbol : addr,
		 waker ? ", last let go by " : "", waker ? waker : "");
	snprintf(brief, sizeof brief, "%s%s%.60s%s%s, %s%s%s", type ? type : "lock", symbol ? " " : "", symbol ? symbol : "",
		 waker ? " let go by " : "", waker ? waker : "", length, symbol ? "" : " at ", symbol ? "" : addr);
	snprintf(where, sizeof where, "lock_addr == \"%s\"", addr);
	out->finding(out, &(struct rs_finding){ .weight = of_time < 1000 ? (unsigned int)of_time : 1000, .text = text, .brief = brief,
						.view = "locks", .where = where, .evidence = evidence });
}

static void findings(struct rs_ctx *c, struct rs_finding_sink *out)
{
	const struct rs_by by = { .lock_addr = true, .type = true };
	const struct locks *l = c->state;
	uint64_t epoch_ns = rs_judged_ns(c);
	struct rs_groups *groups = epoch_ns ? rs_groups_new(sizeof(struct group)) : NULL;

	for (struct entry *e = groups ? l->oldest : NULL; e; e = e->newer)
		if (!e->task || rs_shown(c, e->task))
			add(c, groups, &by, e->lock_addr, e->flags, e->task, &e->waits);
	for (struct group *g = groups ? rs_groups_next(groups, NULL) : NULL; g; g = rs_groups_next(groups, g)) {
		judge(c, g, epoch_ns, out);
		rs_hist_done(&g->waits.lat);
	}
	rs_groups_free(groups);
}

static const struct rs_lengths lengths[] = {
	{ "total_ns,avg_ns,p99_ns,max_ns", .kind = "lock", .label_column = "type" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "locks", .summary = "kernel locks that were waited for: how often, how long, who let go", .kind = RS_VIEW_TABLE,
	  .columns = columns, .sort = "-total_ns", .options = "by", .rows = rows, .lengths = lengths,
	  .text_columns = "contended,total_ns,max_ns,avg_ns,type,lock_addr,comm,pid,last_waker,symbol" },
	{ 0 },
};

static const char *span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const char *type = rs_lock_type((unsigned int)arg);

	return type ? type : "lock";
}

static const struct rs_column span_columns[] = {
	{ "lock_addr", "lock", RS_TYPE_TEXT, 0, 0, 18, "its address" },
	{ 0 },
};

static const struct rs_span_kind spans[] = {
	[SPAN_LOCK] = { .name = "lock", .track = RS_TRACK_TASK, .shape = RS_SPAN_SLICE, .label = span_label,
			.columns = span_columns, .rate = "lock waits", .worst = "kernel lock" },
	{ 0 },
};

const struct rs_analysis rs_analysis_locks = {
	.abi = RS_ABI,
	.name = "locks",
	.summary = "contention on kernel locks",
	.views = views,
	.spans = spans,
	.state_size = sizeof(struct locks),
	.task_size = sizeof(struct of_task),
	.contention = on_contention,
	.findings = findings,
	.open = open_contentions,
	.task_move = rehome,
	.task_evict = on_task_evict,
	.task_end = forget,
	.lay_open = lay_open,
	.reset = clear,
	.done = clear,
};
