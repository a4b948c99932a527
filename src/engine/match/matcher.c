// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * matcher - the matchers of a session: pair begins and ends, hold what is in flight, count what became of
 * each
 */
#include "engine/match/matcher.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/internal.h"

/* What one task or CPU has in flight: decl->most structs of decl->begun_bytes follow, oldest first. */
struct match_list {
	uint64_t nr;
};

static inline struct rs_begun *match_at(const struct rs_matcher *m, const struct match_list *l, uint64_t i)
{
	return (struct rs_begun *)((char *)(uintptr_t)(l + 1) + i * m->decl->begun_bytes);
}

static inline struct match_list *match_list_of_task(const struct rs_matcher *m, const struct rs_task *task)
{
	return (struct match_list *)((char *)(uintptr_t)task + m->task_offset);
}

/* The idle task has tid 0 on each CPU, so its list is that of the CPU. */
static inline struct match_list *match_list_of(const struct rs_matcher *m, const struct rs_task *task,
					       uint16_t cpu)
{
	if (m->decl->scope == RS_MATCH_TASK && task)
		return match_list_of_task(m, task);
	return (struct match_list *)(m->by_cpu + cpu * m->list_bytes);
}

static inline bool match_is_discarded(const struct rs_matcher *m, uint16_t cpu, const struct rs_begun *b,
				      uint64_t now_ns)
{
	const struct rs_states *states = &m->ctx->session->states;

	return rs_gaps_hit(m->decl->scope == RS_MATCH_CPU ? &states->cpus[cpu].gaps : &states->gaps,
			   b->begin_ns, now_ns);
}

/* Returns 1 + the index of the last begin of this key; 0: none is in flight. */
static inline uint64_t match_find(const struct rs_matcher *m, const struct match_list *l, uint64_t key)
{
	uint64_t i = l->nr;

	while (i && match_at(m, l, i - 1)->key != key)
		i--;
	return i;
}

/* Returns the removed begin, which stays valid in the freed place until the next begin. */
static struct rs_begun *match_remove(const struct rs_matcher *m, struct match_list *l, uint64_t i)
{
	struct rs_begun *b = match_at(m, l, i), *last = match_at(m, l, --l->nr);
	char removed[RS_MATCH_BEGUN_BYTES];

	if (b == last)
		return b;
	memcpy(removed, b, m->decl->begun_bytes);
	memmove(b, (char *)b + m->decl->begun_bytes, (size_t)((char *)last - (char *)b));
	return memcpy(last, removed, m->decl->begun_bytes);
}

/* Removes a begin whose end was not seen, and counts it as discarded (the end is in a gap) or unmatched. */
static void match_lose(struct rs_matcher *m, struct match_list *l, uint64_t i, uint16_t cpu, uint64_t now_ns)
{
	++*(match_is_discarded(m, cpu, match_at(m, l, i), now_ns) ? &m->counts.discarded_begins :
								    &m->counts.unmatched_begins);
	match_remove(m, l, i);
}

/* ---- begins and ends ---- */

void *rs_match_begin(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key)
{
	struct rs_matcher *m = &c->matchers[n];
	struct match_list *l = match_list_of(m, ev->task, ev->cpu);
	uint64_t i = m->decl->repeat == RS_MATCH_NESTS ? 0 : match_find(m, l, key);
	struct rs_begun *b;

	if (i && m->decl->repeat == RS_MATCH_CONTINUES &&
	    !match_is_discarded(m, ev->cpu, match_at(m, l, i - 1), ev->ts_ns))
		return NULL;
	if (i)
		match_lose(m, l, i - 1, ev->cpu, ev->ts_ns);
	if (l->nr == m->decl->most) /* the oldest must have ended unseen */
		match_lose(m, l, 0, ev->cpu, ev->ts_ns);
	m->counts.begins++;
	b = match_at(m, l, l->nr++);
	memset(b, 0, m->decl->begun_bytes);
	b->key = key;
	b->begin_ns = ev->ts_ns;
	return b;
}

bool rs_match_end(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, const struct rs_field *f,
		  uint64_t key)
{
	struct rs_matcher *m = &c->matchers[n];
	struct match_list *l = match_list_of(m, ev->task, ev->cpu);
	struct rs_match_end end = { .task = ev->task, .end_ns = ev->ts_ns, .cpu = ev->cpu, .ev = ev,
				    .fields = f };
	uint64_t i = match_find(m, l, key);

	m->counts.ends++;
	if (!i) {
		++*(m->decl->ends_alone ? &m->counts.unused_ends : &m->counts.unmatched_ends);
		return false;
	}
	end.discarded = match_is_discarded(m, ev->cpu, match_at(m, l, i - 1), ev->ts_ns);
	end.begun = match_remove(m, l, i - 1);
	end.outer = i > 1 ? match_at(m, l, i - 2) : NULL;
	m->counts.paired += !end.discarded;
	m->counts.discarded_begins += end.discarded;
	m->counts.discarded_ends += end.discarded;
	m->decl->end(c, &end);
	return true;
}

void *rs_match_find(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key)
{
	const struct rs_matcher *m = &c->matchers[n];
	const struct match_list *l = match_list_of(m, ev->task, ev->cpu);
	uint64_t i = match_find(m, l, key);

	return i ? match_at(m, l, i - 1) : NULL;
}

void rs_match_lose_if(struct rs_ctx *c, unsigned int n, const struct rs_event *ev,
		      bool (*is_over)(const struct rs_begun *b, bool discarded, const void *arg),
		      const void *arg)
{
	struct rs_matcher *m = &c->matchers[n];
	struct match_list *l = match_list_of(m, ev->task, ev->cpu);

	for (uint64_t i = l->nr; i--;)
		if (is_over(match_at(m, l, i), match_is_discarded(m, ev->cpu, match_at(m, l, i), ev->ts_ns),
			    arg))
			match_lose(m, l, i, ev->cpu, ev->ts_ns);
}

void rs_match_withdraw(struct rs_ctx *c, unsigned int n, const struct rs_event *ev, uint64_t key)
{
	struct rs_matcher *m = &c->matchers[n];
	struct match_list *l = match_list_of(m, ev->task, ev->cpu);
	uint64_t i = match_find(m, l, key);

	if (i)
		match_remove(m, l, i - 1);
	m->counts.superseded += i > 0;
}

void *rs_matcher_nth(const struct rs_ctx *c, unsigned int n, const struct rs_task *task, unsigned int i)
{
	const struct match_list *l = match_list_of_task(&c->matchers[n], task);

	return i < l->nr ? match_at(&c->matchers[n], l, i) : NULL;
}

/* ---- the matchers of a session ---- */

void rs_matcher_add(struct rs_session *s, struct rs_matcher *m)
{
	struct rs_matcher **at = &s->matchers;

	while (*at)
		at = &(*at)->next;
	*at = m;
}

int rs_matcher_init(struct rs_ctx *c, const struct rs_analysis *a, size_t *task_bytes)
{
	size_t nr = 0;

	while (a->matches && a->matches[nr].name)
		nr++;
	c->matchers = nr ? calloc(nr, sizeof *c->matchers) : NULL;
	if (nr && !c->matchers)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		struct rs_matcher *m = &c->matchers[i];

		m->decl = &a->matches[i];
		m->ctx = c;
		m->list_bytes = sizeof(struct match_list) + (size_t)m->decl->most * m->decl->begun_bytes;
		if (m->decl->scope == RS_MATCH_TASK) {
			m->task_offset = sizeof(struct rs_task_instance) + *task_bytes;
			*task_bytes += m->list_bytes;
		}
		rs_matcher_add(c->session, m);
	}
	return 0;
}

void rs_matcher_done(struct rs_ctx *c, const struct rs_analysis *a)
{
	for (size_t i = 0; c->matchers && a->matches[i].name; i++)
		free(c->matchers[i].by_cpu);
	free(c->matchers);
}

int rs_matcher_start(struct rs_session *s)
{
	for (struct rs_matcher *m = s->matchers; m; m = m->next)
		if (!m->count_open && !(m->by_cpu = calloc(s->states.nr_cpus + 1, m->list_bytes)))
			return -1;
	return 0;
}

/* ---- what is in flight ---- */

typedef void match_visit(struct rs_matcher *m, struct match_list *l, struct rs_task *task, uint16_t cpu,
			 void *arg);

static void match_visit_cpus(struct rs_matcher *m, match_visit *visit, void *arg)
{
	for (unsigned int cpu = 0; m->by_cpu && cpu < m->ctx->session->states.nr_cpus; cpu++)
		visit(m, match_list_of(m, NULL, (uint16_t)cpu), NULL, (uint16_t)cpu, arg);
}

/* Visits each list of the matcher, those of tasks first. */
static void match_visit_all(const struct rs_matcher *matcher, match_visit *visit, void *arg)
{
	struct rs_matcher *m = (struct rs_matcher *)(uintptr_t)matcher;
	const struct rs_session *s = m->ctx->session;

	for (struct rs_task_instance *inst = s->tasks.oldest; inst && m->decl->scope == RS_MATCH_TASK;
	     inst = inst->next)
		visit(m, match_list_of_task(m, &inst->task), &inst->task, inst->task.cpu, arg);
	match_visit_cpus(m, visit, arg);
}

static void match_count_open(struct rs_matcher *m, struct match_list *l, struct rs_task *task, uint16_t cpu,
			     void *arg)
{
	struct rs_match_open *open = arg;

	for (uint64_t i = 0; i < l->nr; i++)
		++*(match_is_discarded(m, cpu, match_at(m, l, i), m->ctx->session->now_ns) ?
			    &open->discarded :
			    &open->in_flight);
}

static struct rs_match_open match_open(const struct rs_session *s, const struct rs_matcher *m)
{
	struct rs_match_open open = { 0 };

	if (m->count_open)
		return m->count_open(s, m);
	match_visit_all(m, match_count_open, &open);
	return open;
}

/* One walk over all tasks for all matchers: of many that ended each is far away. */
static void match_count_open_of_tasks(const struct rs_session *s, struct rs_match_open *sum)
{
	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		for (struct rs_matcher *m = s->matchers; m; m = m->next)
			if (m->task_offset && !m->count_open)
				match_count_open(m, match_list_of_task(m, &inst->task), &inst->task,
						 inst->task.cpu, sum);
}

static void match_call_each(struct rs_matcher *m, struct match_list *l, struct rs_task *task, uint16_t cpu,
			    void *arg)
{
	void (*const *f)(struct rs_ctx *c, const struct rs_match_end *end) = arg;
	uint64_t now_ns = m->ctx->session->now_ns;

	for (uint64_t i = 0; i < l->nr; i++) {
		struct rs_match_end end = {
			.begun = match_at(m, l, i), .outer = i ? match_at(m, l, i - 1) : NULL,
			.inner = i + 1 < l->nr ? match_at(m, l, i + 1) : NULL,
			.task = task, .end_ns = now_ns, .cpu = cpu, .in_flight = true,
		};

		if (!match_is_discarded(m, cpu, end.begun, now_ns))
			(*f)(m->ctx, &end);
	}
}

void rs_matcher_each(struct rs_matcher *m, void (*f)(struct rs_ctx *c, const struct rs_match_end *end))
{
	match_visit_all(m, match_call_each, &f);
}

/* ---- ends of tasks, of the trace, of a time range ---- */

static void match_lose_all(struct rs_matcher *m, struct match_list *l, uint64_t ts_ns)
{
	while (l->nr)
		match_lose(m, l, l->nr - 1, 0, ts_ns);
}

void rs_matcher_end_task(struct rs_session *s, struct rs_task *task, uint64_t ts_ns)
{
	for (struct rs_matcher *m = s->matchers; m; m = m->next)
		if (m->task_offset)
			match_lose_all(m, match_list_of_task(m, task), ts_ns);
}

void rs_matcher_reassign(struct rs_session *s, struct rs_task *from, struct rs_task *to, uint64_t ts_ns)
{
	rs_matcher_end_task(s, to, ts_ns);
	for (struct rs_matcher *m = s->matchers; m; m = m->next)
		if (m->task_offset) {
			memcpy(match_list_of_task(m, to), match_list_of_task(m, from), m->list_bytes);
			match_list_of_task(m, from)->nr = 0;
		}
}

void rs_matcher_end_trace(struct rs_session *s)
{
	for (struct rs_task_instance *inst = s->tasks.oldest; inst; inst = inst->next)
		if (inst->task.exited)
			rs_matcher_end_task(s, &inst->task, s->now_ns);
}

void rs_matcher_end_range(struct rs_session *s)
{
	for (struct rs_matcher *m = s->matchers; m; m = m->next)
		if (!m->count_open)
			rs_matcher_each(m, m->decl->end);
}

/* ---- sums ---- */

/* All members are numbers of 64 bits. */
static void match_add_counts(struct rs_match_counts *sum, const struct rs_match_counts *n)
{
	for (size_t i = 0; i < sizeof *sum / sizeof sum->begins; i++)
		(&sum->begins)[i] += (&n->begins)[i];
}

struct rs_match_counts rs_matcher_sum(const struct rs_session *s)
{
	struct rs_match_counts sum = { 0 };

	for (const struct rs_matcher *m = s->matchers; m; m = m->next)
		match_add_counts(&sum, &m->counts);
	return sum;
}

struct rs_match_open rs_matcher_sum_open(const struct rs_session *s)
{
	struct rs_match_open sum = { 0 };

	match_count_open_of_tasks(s, &sum);
	for (struct rs_matcher *m = s->matchers; m; m = m->next) {
		struct rs_match_open open = { 0 };

		if (m->count_open)
			open = m->count_open(s, m);
		else
			match_visit_cpus(m, match_count_open, &open);
		sum.in_flight += open.in_flight;
		sum.discarded += open.discarded;
	}
	return sum;
}

/* The pairs that a user names share one declaration, and one line. */
void rs_matcher_check(const struct rs_session *s,
		      void (*invariant)(void *arg, const char *invariant, int64_t imbalance), void *arg)
{
	for (const struct rs_matcher *m = s->matchers; m;) {
		const struct rs_match *decl = m->decl;
		struct rs_match_counts n = { 0 };
		uint64_t nr_open = 0;
		char text[160];

		for (; m && m->decl == decl; m = m->next) {
			struct rs_match_open open = match_open(s, m);

			match_add_counts(&n, &m->counts);
			nr_open += open.in_flight + open.discarded;
		}
		if (!decl->name)
			continue;
		snprintf(text, sizeof text,
			 "%s: begins = paired + discarded + unmatched + superseded + never ended + evicted + "
			 "in flight",
			 decl->name);
		invariant(arg, text,
			  (int64_t)(n.begins - n.paired - n.discarded_begins - n.unmatched_begins -
				    n.superseded - n.never_end - n.evicted - nr_open));
		snprintf(text, sizeof text, "%s: ends = paired + discarded + unmatched + without a begin",
			 decl->name);
		invariant(arg, text,
			  (int64_t)(n.ends - n.paired - n.discarded_ends - n.unmatched_ends - n.unused_ends));
	}
}
