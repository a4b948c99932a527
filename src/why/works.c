// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * works - which task queued the work that a worker of the kernel executes, and when: so that a chain goes on
 * from the worker to that task, and not to whatever the worker did before
 *
 *	workqueue_queue_work    the work is queued, in the context of a task or of an interrupt
 *	workqueue_execute_start the worker begins with it
 *	workqueue_execute_end
 *
 * Both tables are bounded, and what is newer takes the place of what is older: then the work is not known,
 * and the worker is followed like any task.
 */
#include "why/works.h"

#include <stdlib.h>

#include "engine/internal.h"
#include "engine/observer.h"
#include "ringside/event.h"
#include "why/history-ring.h"

#define WORKS_QUEUED 4096u     /* by address; a power of two */
#define WORKS_EXECUTED 16384u  /* likewise: the newest; 2 MB, made with the first work */

#define WORKS_BUCKETS 1024u    /* of workers, by tid; a power of two */
#define WORKS_STEPS 256u       /* back in time, at most */

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

void rs_works_begin(struct rs_ctx *c, uint64_t work, const struct rs_task *worker, uint64_t ts_ns)
{
	struct rs_works *works = works_of(c);
	struct rs_work *w = works ? &works->queued[rs_hash_u64(work) & (WORKS_QUEUED - 1)] : NULL;
	uint64_t *newest;

	if (!w || w->addr != work || !worker)
		return;
	w->queued.of = rs_history_name(c, worker);
	w->begin_ns = ts_ns;
	w->end_ns = UINT64_MAX;
	newest = &works->newest[(uint32_t)worker->tid & (WORKS_BUCKETS - 1)];
	w->before = *newest;
	*newest = ++works->nr_executed;
	works->executed[*newest & (WORKS_EXECUTED - 1)] = *w;
	w->addr = 0;
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

const struct rs_work *rs_works_at(struct rs_ctx *c, const struct rs_task_name *worker, uint64_t at_ns)
{
	struct rs_works *works = rs_observer_state(c->session, RS_OBSERVER_WORKS);
	const struct rs_work *w = works && worker ? works_find(works, worker, 0, at_ns) : NULL;

	/* what the history has overwritten may have taken the name along */
	return w && at_ns <= w->end_ns && w->queued.to_ns > rs_history_from_ns(c) ? w : NULL;
}

/* Its state is made with the first work: works_of. */
const struct rs_observer rs_observer_works = { .name = "works" };
