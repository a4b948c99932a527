// SPDX-License-Identifier: GPL-2.0-or-later
/* slow-waits - each wait of a user task that was slow enough to be noticed, and for whom: what recurs */
#include "why/slow-waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "engine/internal.h"
#include "engine/observer.h"
#include "ringside/culprit.h"
#include "ringside/plugin.h"
#include "why/blames.h"

#define SLOW_WAITS_MOST_STEPS 1024       /* to find a culprit: some 10 us */
#define SLOW_WAITS_CULPRIT_EVERY_NS 5000000u /* where many wait, the culprits of some stand for all */

struct slow_waits_ring {
	uint64_t next;               /* the number to come, from 1 on */
	struct rs_slow_wait at[RS_SLOW_WAITS];
};

struct slow_waits {
	struct slow_waits_ring of[RS_SLOW_WAITS_CLASSES];
	uint64_t from_ns;            /* begin of the time range */
	uint64_t lost_ns, culprit_ns; /* of the last loss; when a culprit was looked for last */
	bool is_reset;
};

static struct slow_waits *slow_waits_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_SLOW_WAITS);
}

/* ---- what ends ---- */

static bool slow_waits_has_class(const struct rs_wait *w, enum rs_slow_waits_class *class)
{
	enum rs_cause_rank rank = rs_cause_row(w->cause)->rank;
	bool is_lock = w->cause == RS_CAUSE_FUTEX && w->args && rs_futex_is_lock(w->args);

	*class = rank == RS_RANK_WAIT || is_lock ? RS_SLOW_WAITS_LOST : RS_SLOW_WAITS_OTHER;
	return rank == RS_RANK_WAIT || rank == RS_RANK_CHOICE;
}

/* The task that had most of it, unless more of it has no known culprit. */
static const struct rs_culprit *slow_waits_main_culprit(const struct rs_culprits *of)
{
	const struct rs_culprit *most = NULL;

	for (unsigned int i = 0; i < of->nr; i++)
		if (!most || of->at[i].ns > most->ns)
			most = &of->at[i];
	return most && most->kind == RS_CULPRIT_TASK ? most : NULL;
}

static void slow_waits_set_culprit(struct rs_session *s, const struct rs_task *t, struct rs_slow_wait *to)
{
	struct rs_ctx *c = &s->analyses[0].ctx;
	const struct rs_culprit *main_culprit;
	const struct rs_task *thread;
	struct rs_culprits culprits;
	char buf[RS_COMM_LEN + 24];

	rs_culprits_sample(c, t, to->from_ns, to->to_ns, SLOW_WAITS_MOST_STEPS, &culprits);
	main_culprit = slow_waits_main_culprit(&culprits);
	if (!main_culprit)
		return;
	thread = main_culprit->name ? main_culprit->name->task : NULL;
	to->is_own_thread = thread && to->pid && main_culprit->pid == to->pid;
	rs_copy(to->culprit, sizeof to->culprit,
		to->is_own_thread ? thread->comm : rs_culprit_text(c, main_culprit, buf, sizeof buf));
	to->culprit_pid = to->is_own_thread ? thread->tid : main_culprit->pid;
}

static void slow_waits_add(struct rs_session *s, enum rs_slow_waits_class class, const struct rs_interval *iv,
			   const struct rs_slow_wait *wait)
{
	struct slow_waits *sw = slow_waits_of(s);
	struct slow_waits_ring *ring = &sw->of[class];
	struct rs_slow_wait *to = &ring->at[ring->next++ % RS_SLOW_WAITS];

	*to = *wait;
	to->from_ns = iv->from_ns;
	to->to_ns = iv->to_ns;
	to->tid = iv->task->tid;
	to->pid = iv->task->pid;
	rs_copy(to->comm, sizeof to->comm, rs_task_process_comm(&s->analyses[0].ctx, iv->task));
	if (class != RS_SLOW_WAITS_LOST || to->to_ns - to->from_ns < RS_SLOW_WAIT_CULPRIT_NS ||
	    to->to_ns - sw->culprit_ns < SLOW_WAITS_CULPRIT_EVERY_NS)
		return;
	sw->culprit_ns = to->to_ns;
	slow_waits_set_culprit(s, iv->task, to);
}

/* The test that nearly all waits fail comes first. */
static inline bool slow_waits_is_slow(const struct rs_interval *iv)
{
	return iv->to_ns - iv->from_ns >= RS_SLOW_WAIT_NS && !iv->discarded && !iv->in_flight && iv->task &&
	       !iv->task->kernel_thread && !iv->task->self;
}

static void slow_waits_on_interval(struct rs_session *s, const struct rs_interval *iv)
{
	if ((iv->kind == RS_DELAY || iv->kind == RS_PREEMPTED) && slow_waits_is_slow(iv))
		slow_waits_add(s, RS_SLOW_WAITS_LOST, iv,
			       &(struct rs_slow_wait){ .cause = RS_CAUSE_DELAY, .call = -1 });
}

static void slow_waits_on_wait(struct rs_session *s, const struct rs_wait *w)
{
	enum rs_slow_waits_class class;

	if (slow_waits_is_slow(w->interval) && slow_waits_has_class(w, &class))
		slow_waits_add(s, class, w->interval, &(struct rs_slow_wait){
			.cause = w->cause, .call = w->syscall,
			.what = w->cause == RS_CAUSE_FUTEX ? w->uaddr :
				w->cause == RS_CAUSE_DISK  ? w->dev :
							     0 });
}

static void slow_waits_on_gap(struct rs_session *s, const struct rs_gap *gap)
{
	struct slow_waits *sw = slow_waits_of(s);

	if (gap->to_ns > sw->lost_ns)
		sw->lost_ns = gap->to_ns;
}

/* The first reset of a time range is its begin: what was read before it is not asked about. */
static void slow_waits_on_reset(struct rs_session *s)
{
	struct slow_waits *sw = slow_waits_of(s);

	if (s->range.muted)
		sw->from_ns = s->now_ns;
	else
		sw->is_reset = true;
}

/* ---- questions ---- */

uint64_t rs_slow_waits_end(const struct rs_session *s, enum rs_slow_waits_class class)
{
	const struct slow_waits *sw = slow_waits_of(s);

	return sw ? sw->of[class].next : 0;
}

const struct rs_slow_wait *rs_slow_waits_get(const struct rs_session *s, enum rs_slow_waits_class class,
					     uint64_t number)
{
	const struct slow_waits *sw = slow_waits_of(s);

	return sw && number && number < sw->of[class].next && sw->of[class].next - number <= RS_SLOW_WAITS ?
		       &sw->of[class].at[number % RS_SLOW_WAITS] :
		       NULL;
}

bool rs_slow_waits_are_alike(const struct rs_slow_wait *a, const struct rs_slow_wait *b)
{
	return a->cause == b->cause && a->call == b->call && a->what == b->what &&
	       !strcmp(a->comm, b->comm);
}

bool rs_slow_waits_are_of_window(const struct rs_session *s)
{
	const struct slow_waits *sw = slow_waits_of(s);

	return sw && sw->is_reset;
}

uint64_t rs_slow_waits_lost_ns(const struct rs_session *s)
{
	const struct slow_waits *sw = slow_waits_of(s);

	return sw ? sw->lost_ns : 0;
}

uint64_t rs_slow_waits_from_ns(const struct rs_session *s, uint64_t most_ns)
{
	const struct slow_waits *sw = slow_waits_of(s);
	uint64_t from_ns = s->range.begin_ns;

	if (!sw)
		return UINT64_MAX;
	if (sw->is_reset && s->now_ns > most_ns && s->now_ns - most_ns > from_ns)
		from_ns = s->now_ns - most_ns;
	if (sw->from_ns > from_ns)
		from_ns = sw->from_ns;
	return sw->lost_ns > from_ns ? sw->lost_ns : from_ns;
}

/* ---- the observer ---- */

/* Where waits are divided: after the history, which names the culprits. */
static int slow_waits_begin(struct rs_session *s)
{
	struct slow_waits *sw;

	if (!rs_blames_of(s))
		return 0;
	sw = calloc(1, sizeof *sw); /* not touched: nearly all of it stays free */
	for (int class = 0; sw && class < RS_SLOW_WAITS_CLASSES; class++)
		sw->of[class].next = 1;
	rs_observer_set(s, RS_OBSERVER_SLOW_WAITS, sw);
	return sw ? 0 : -1;
}

const struct rs_observer rs_observer_slow_waits = {
	.name = "slow waits",
	.begin = slow_waits_begin,
	.interval = slow_waits_on_interval,
	.wait = slow_waits_on_wait,
	.gap = slow_waits_on_gap,
	.reset = slow_waits_on_reset,
};
