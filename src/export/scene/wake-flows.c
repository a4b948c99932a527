// SPDX-License-Identifier: GPL-2.0-or-later
/* wake-flows - arrows from the system call that woke a task to the one that was woken */
#include "export/scene/wake-flows.h"

#include <stdlib.h>

#include "base/vector.h"

#define FLOWS_MOST 65536u /* that wait; what comes then is written at once: its slices are likely to come */

enum flows_state { FLOWS_WAITING, FLOWS_DRAWN, FLOWS_LEFT_OUT };
enum { FLOWS_FROM, FLOWS_TO };

struct rs_wake_flow {
	struct rs_wake_end end[2];
	uint32_t next[2];         /* in the lists of both tasks; next[0] also in those of rs_wake_flows */
	uint8_t state[2];
};

/* Numbers begin at 1. */
static struct rs_wake_flow *flows_at(struct rs_wake_flows *f, uint32_t nr)
{
	return &f->at[nr - 1];
}

static uint32_t flows_add(struct rs_wake_flows *f)
{
	uint32_t nr = f->unused;

	if (nr)
		f->unused = flows_at(f, nr)->next[0];
	else if (f->nr < FLOWS_MOST && RS_VECTOR_ADD(&f->at, &f->nr, &f->room))
		nr = (uint32_t)f->nr;
	return nr;
}

static void flows_free(struct rs_wake_flows *f, uint32_t nr)
{
	flows_at(f, nr)->next[0] = f->unused;
	f->unused = nr;
}

/* It is not written here: exporters sort slices that begin together by what stands between them. */
static void flows_make_ready(struct rs_wake_flows *f, uint32_t nr)
{
	flows_at(f, nr)->next[0] = 0;
	*(f->ready ? &flows_at(f, f->last_ready)->next[0] : &f->ready) = nr;
	f->last_ready = nr;
}

static void flows_put_ready(struct rs_wake_flows *f)
{
	for (uint32_t nr; (nr = f->ready);) {
		const struct rs_wake_flow *flow = flows_at(f, nr);

		f->ready = flow->next[0];
		f->put(f, &flow->end[FLOWS_FROM], &flow->end[FLOWS_TO]);
		flows_free(f, nr);
	}
}

/* Of one end it is known now. */
static void flows_set(struct rs_wake_flows *f, uint32_t nr, unsigned int which, enum flows_state state)
{
	struct rs_wake_flow *flow = flows_at(f, nr);

	flow->state[which] = (uint8_t)state;
	if (flow->state[FLOWS_FROM] == FLOWS_WAITING || flow->state[FLOWS_TO] == FLOWS_WAITING)
		return;
	if (flow->state[FLOWS_FROM] == FLOWS_DRAWN && flow->state[FLOWS_TO] == FLOWS_DRAWN)
		flows_make_ready(f, nr);
	else
		flows_free(f, nr);
}

/*
 * Of the ends that a task's list has from one time to another. The latest is first, so that earlier ones are
 * not looked at.
 */
static void flows_set_between(struct rs_wake_flows *f, uint32_t *list, unsigned int which, uint64_t from_ns,
			      uint64_t to_ns, enum flows_state state)
{
	while (*list && flows_at(f, *list)->end[which].ts_ns >= from_ns) {
		struct rs_wake_flow *flow = flows_at(f, *list);
		uint32_t nr = *list;

		if (flow->end[which].ts_ns > to_ns) {
			list = &flow->next[which];
			continue;
		}
		*list = flow->next[which];
		flows_set(f, nr, which, state);
	}
}

static void flows_link(struct rs_wake_flows *f, struct rs_wake_task *t, uint32_t nr, unsigned int which,
		       struct rs_wake_end end)
{
	struct rs_wake_flow *flow = flows_at(f, nr);

	flow->end[which] = end;
	flow->state[which] = FLOWS_WAITING;
	flow->next[which] = t->waiting[which];
	t->waiting[which] = nr;
}

void rs_wake_flows_wake(struct rs_wake_flows *f, struct rs_wake_task *waker, struct rs_wake_task *woken,
			struct rs_wake_end from)
{
	rs_wake_flows_switch_in(f, woken, from, false);
	woken->waker = from;
	woken->woken = flows_add(f);
	if (!woken->woken)
		return;
	flows_at(f, woken->woken)->state[FLOWS_TO] = FLOWS_WAITING;
	flows_link(f, waker, woken->woken, FLOWS_FROM, from);
}

void rs_wake_flows_switch_in(struct rs_wake_flows *f, struct rs_wake_task *woken, struct rs_wake_end to,
			     bool is_drawn)
{
	if (!woken->waker.ts_ns)
		return;
	flows_put_ready(f);
	if (woken->woken && is_drawn)
		flows_link(f, woken, woken->woken, FLOWS_TO, to);
	else if (woken->woken)
		flows_set(f, woken->woken, FLOWS_TO, FLOWS_LEFT_OUT);
	else if (is_drawn)
		f->put(f, &woken->waker, &to);
	woken->waker.ts_ns = 0;
	woken->woken = 0;
}

void rs_wake_flows_give(struct rs_wake_flows *f, struct rs_wake_task *from, struct rs_wake_task *woken,
			struct rs_wake_end to)
{
	woken->waker = from->waker;
	woken->woken = from->woken;
	from->waker.ts_ns = 0;
	from->woken = 0;
	rs_wake_flows_switch_in(f, woken, to, true);
}

void rs_wake_flows_slice(struct rs_wake_flows *f, struct rs_wake_task *t, uint64_t start_ns, uint64_t end_ns)
{
	for (unsigned int which = 0; which < 2; which++)
		flows_set_between(f, &t->waiting[which], which, start_ns, end_ns, FLOWS_DRAWN);
}

void rs_wake_flows_call(struct rs_wake_flows *f, struct rs_wake_task *t, uint64_t exit_ns)
{
	for (unsigned int which = 0; which < 2; which++)
		flows_set_between(f, &t->waiting[which], which, 0, exit_ns, FLOWS_LEFT_OUT);
}

void rs_wake_flows_evict(struct rs_wake_flows *f, struct rs_wake_task *t)
{
	rs_wake_flows_switch_in(f, t, t->waker, false);
	rs_wake_flows_call(f, t, UINT64_MAX);
}

void rs_wake_flows_end(struct rs_wake_flows *f)
{
	flows_put_ready(f);
	free(f->at);
	f->at = NULL;
	f->nr = f->room = 0;
	f->unused = 0;
}
