// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * works - which task queued the work that a worker of the kernel executes, and when: so that a chain goes on
 * from the worker to that task, and not to whatever the worker did before
 *
 *	workqueue_queue_work    the work is queued, in the context of a task or of an interrupt
 *	workqueue_execute_start the worker begins with it
 *	workqueue_execute_end
 *
 * flush_work puts a barrier behind a work, which the same worker executes next, and which wakes who waits;
 * it has no workqueue_queue_work. flush_workqueue and drain_workqueue wake after workqueue_execute_end.
 *
 * Both tables are bounded, and what is newer takes the place of what is older: then the work is not known,
 * and the worker is followed like any task.
 */
#include "why/works.h"

#include <stdlib.h>
#include <string.h>

#include "engine/internal.h"
#include "engine/observer.h"
#include "ringside/event.h"
#include "ringside/plugin.h"
#include "why/history-ring.h"

#define WORKS_QUEUED 4096u     /* by address; a power of two */
#define WORKS_EXECUTED 16384u  /* likewise: the newest; 2 MB, made with the first work */

#define WORKS_BUCKETS 1024u    /* of workers, by tid; a power of two */
#define WORKS_STEPS 256u       /* back in time, at most */
#define WORKS_BARRIER "wq_barrier_func"

struct rs_works {
	struct rs_work queued[WORKS_QUEUED];
	struct rs_work executed[WORKS_EXECUTED];
	uint64_t nr_executed;          /* ever: the number of the newest one, from 1 */
	uint64_t newest[WORKS_BUCKETS]; /* numbers; 0: none */
};

/* NULL: there is no history, or no memory. */
static struct rs_works *works_of(struct rs_ctx *c)
{
	struct rs_works *works = rs_observer_state(c->session, RS_OBSERVER_WORKS);

	if (works || !rs_history_of(c->session))
		return works;
	works = calloc(1, sizeof *works);
	rs_observer_set(c->session, RS_OBSERVER_WORKS, works);
	return works;
}

void rs_works_queue(struct rs_ctx *c, uint64_t work, const struct rs_task *by, uint64_t ts_ns)
{
	struct rs_works *works = works_of(c);
	struct rs_work *w = works ? &works->queued[rs_hash_u64(work) & (WORKS_QUEUED - 1)] : NULL;

	if (!w)
		return;
	*w = (struct rs_work){ .addr = work, .queued = { .to_ns = ts_ns, .kind = RS_BLOCKED, .letter = 'I',
							 .cause = RS_CAUSE_IDLE } };
	rs_history_set_waker(rs_history_of(c->session), &w->queued, by ? by->tid : 0);
}

void rs_works_begin(struct rs_ctx *c, uint64_t work, uint64_t function, const struct rs_task *worker,
		    uint64_t ts_ns)
{
	struct rs_works *works = works_of(c);
	struct rs_work *queued = works ? &works->queued[rs_hash_u64(work) & (WORKS_QUEUED - 1)] : NULL,
		       *w;
	uint64_t *newest;

	if (!queued || !worker)
		return;
	newest = &works->newest[(uint32_t)worker->tid & (WORKS_BUCKETS - 1)];
	w = &works->executed[++works->nr_executed & (WORKS_EXECUTED - 1)];
	*w = queued->addr == work ? *queued : (struct rs_work){ .addr = work };
	w->function = function;
	w->queued.of = rs_history_name(c, worker);
	w->begin_ns = ts_ns;
	w->end_ns = UINT64_MAX;
	w->before = *newest;
	*newest = works->nr_executed;
	if (queued->addr == work)
		queued->addr = 0;
}

/*
 * work 0: the newest that began by then. Else the newest of that address: a work is executed by one worker at
 * a time.
 */
static struct rs_work *works_find(struct rs_works *works, const struct rs_task_name *worker, uint64_t work,
				  uint64_t at_ns)
{
	uint64_t number = works->newest[(uint32_t)worker->tid & (WORKS_BUCKETS - 1)];

	for (unsigned int i = 0; i < WORKS_STEPS && number && works->nr_executed - number < WORKS_EXECUTED;
	     i++) {
		struct rs_work *w = &works->executed[number & (WORKS_EXECUTED - 1)];

		if (w->queued.of == worker && (work ? w->addr == work : w->begin_ns <= at_ns))
			return w;
		number = w->before;
	}
	return NULL;
}

void rs_works_end(struct rs_ctx *c, uint64_t work, const struct rs_task *worker, uint64_t ts_ns)
{
	struct rs_works *works = works_of(c);
	const struct rs_task_name *n = works && worker ? rs_history_name(c, worker) : NULL;
	struct rs_work *w = n ? works_find(works, n, work, 0) : NULL;

	if (w && w->end_ns == UINT64_MAX)
		w->end_ns = ts_ns;
}

/* Since when the waker ran without a break as it ended the wait; that time itself: unknown. */
static uint64_t works_runs_since(struct rs_ctx *c, const struct rs_segment *wait)
{
	struct rs_history_walk walk;
	const struct rs_segment *seg;

	rs_history_walk_waker(c, &walk, wait);
	seg = rs_history_next(&walk);
	return seg && seg->kind == RS_RUN && seg->to_ns >= wait->to_ns ? seg->from_ns : wait->to_ns;
}

/* Those that wait for one work have a barrier each. */
static const struct rs_work *works_before_barriers(struct rs_ctx *c, struct rs_works *works,
						   const struct rs_work *w)
{
	const struct rs_work *last = w;
	const char *name;

	while (w && !w->queued.to_ns && (name = rs_function(c, w->function)) && !strcmp(name, WORKS_BARRIER))
		w = works_find(works, last->queued.of, 0, w->begin_ns - 1);
	return w ? w : last;
}

const struct rs_work *rs_works_of_wait(struct rs_ctx *c, const struct rs_segment *wait)
{
	struct rs_works *works = rs_observer_state(c->session, RS_OBSERVER_WORKS);
	bool is_by_task = wait->waker_kind == RS_WAKER_TASK && wait->waker;
	const struct rs_work *w = works && is_by_task ? works_find(works, wait->waker, 0, wait->to_ns) : NULL;

	if (!w || (wait->to_ns > w->end_ns && works_runs_since(c, wait) > w->end_ns))
		return NULL;
	w = works_before_barriers(c, works, w);
	/* what the history has overwritten may have taken the name along */
	return (w->queued.to_ns ? w->queued.to_ns : w->begin_ns) > rs_history_from_ns(c) ? w : NULL;
}

/* Its state is made with the first work: works_of. */
const struct rs_observer rs_observer_works = { .name = "works" };
