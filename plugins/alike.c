// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * alike - waits of the same shape as one of them: when the same came before, and of whom
 *
 * The shape of each wait is kept as it ends (wait-shape.h), and compared with that of the wait that is asked
 * about, else of the slowest, when rows are made.
 */
#include "ringside/plugin.h"
#include "ringside/wait-shape.h"

#define ALIKE_WAITS 4096u        /* that are kept; where there are more, the slowest */
#define LEAST_ALIKE_NS 1000000   /* of a wait that is kept, until there are too many */
#define LEAST_ALIKE 600          /* thousandths, of a row */

struct alike_wait {
	uint64_t from_ns, to_ns;
	char comm[RS_COMM_LEN];
	int32_t pid, tid;            /* pid 0: unknown */
	uint32_t inst;
	int64_t call;                /* -1: none, or unknown */
	struct rs_wait_shape shape;
};

struct alike_state {
	struct alike_wait *at;       /* ALIKE_WAITS */
	unsigned int nr;
	uint64_t least_ns;
	struct alike_wait asked;     /* .to_ns 0: it was not found, or the slowest is asked about */
};

/* ---- waits as they end ---- */

/* Half of the waits go: those that are shorter than what becomes the least. */
static void alike_make_room(struct alike_state *s)
{
	while (s->nr == ALIKE_WAITS) {
		unsigned int nr = 0;

		s->least_ns *= 2;
		for (unsigned int i = 0; i < s->nr; i++)
			if (s->at[i].to_ns - s->at[i].from_ns >= s->least_ns)
				s->at[nr++] = s->at[i];
		s->nr = nr;
	}
}

static bool alike_find(struct rs_ctx *c, const struct rs_task *t, int64_t call, uint64_t from_ns,
		       uint64_t to_ns, struct alike_wait *to)
{
	struct rs_chain chain;
	const struct rs_chain_link *first = &chain.at[0];

	rs_chain_find(c, t, from_ns, to_ns, &chain);
	if (!chain.nr)
		return false;
	chain.at[0].call = call;
	*to = (struct alike_wait){ .from_ns = from_ns, .to_ns = to_ns, .pid = first->pid, .tid = first->tid,
				   .inst = first->inst, .call = call };
	memcpy(to->comm, first->comm, sizeof to->comm);
	rs_wait_shape_set(&to->shape, &chain);
	return true;
}

static void alike_add(struct rs_ctx *c, const struct rs_task *t, int64_t call, uint64_t from_ns,
		      uint64_t to_ns, bool is_asked)
{
	struct alike_state *s = c->state;
	struct alike_wait wait;

	if (is_asked)
		alike_find(c, t, call, from_ns, to_ns, &s->asked);
	if (to_ns - from_ns < s->least_ns || !rs_shown(c, t) || t->kernel_thread ||
	    !alike_find(c, t, call, from_ns, to_ns, &wait))
		return;
	alike_make_room(s);
	s->at[s->nr++] = wait;
}

/* Outside of calls: the call itself is a wait. */
static void alike_add_state(struct rs_ctx *c, const struct rs_interval *iv, bool is_wait)
{
	bool is_asked = rs_culprits_asked_state(c, iv);

	if (!iv->discarded && !iv->in_flight && iv->from_ns >= c->range_from_ns &&
	    (is_asked || (is_wait && iv->task->syscall < 0)))
		alike_add(c, iv->task, -1, iv->from_ns, iv->to_ns, is_asked);
}

static void alike_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	alike_add_state(c, iv, true);
}

static void alike_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	alike_add_state(c, w->interval, rs_cause_row(w->cause)->rank == RS_RANK_WAIT);
}

static void alike_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct alike_state *s = c->state;
	bool is_asked = rs_culprits_asked_call(c, call);

	if (call->discarded || call->in_flight || call->enter_ns < c->range_from_ns ||
	    (!is_asked && (call->exit_ns - call->enter_ns < s->least_ns ||
			   rs_call_kind(c, call->nr, call->args) == RS_CALL_IDLE)))
		return;
	alike_add(c, call->task, call->nr, call->enter_ns, call->exit_ns, is_asked);
}

/* Requests and interrupts are kept by the engine, where they are recorded: nothing is to be done here. */
static void alike_on_request(struct rs_ctx *c, const struct rs_request *r)
{
}

static void alike_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
}

/* ---- rows ---- */

enum { AT, TO, COMM, PID, TID, INST, CALL, TOOK, ALIKE, SHAPE, NR_COLUMNS };

static const struct rs_column columns[] = {
	[AT] = { "at_ns", "AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, "when the wait began" },
	[TO] = { "to_ns", "TO(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "when it ended" },
	[COMM] = { "comm", "TASK", RS_TYPE_TEXT, 0, 0, 16, "the thread that waited" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[INST] = { "instance", "INST", RS_TYPE_ID, 0, 0, 4,
		   "which task of that TID, from 0: TIDs are reused" },
	[CALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 14, "in which call; null: none, or unknown" },
	[TOOK] = { "took_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LENGTH, 10,
		   "how long it took" },
	[ALIKE] = { "alike", "ALIKE%", RS_TYPE_MILLI, 0, 0, 7,
		    "of the processes, calls and parts of both critical paths, link by link, those that are "
		    "the same" },
	[SHAPE] = { "shape", "SHAPE", RS_TYPE_TEXT, 0, 0, 0,
		    "its critical path: each task with its call, else what it did; last what most of the "
		    "time went to, and who had it" },
	{ 0 },
};

static void alike_put(struct rs_ctx *c, const struct alike_wait *w, unsigned int alike, struct rs_sink *out)
{
	char shape[256];
	struct rs_value v[NR_COLUMNS] = {
		[AT] = rs_u(w->from_ns),
		[TO] = rs_u(w->to_ns),
		[COMM] = rs_s(w->comm),
		[PID] = rs_u_if(w->pid, (uint64_t)w->pid),
		[TID] = rs_u((uint64_t)w->tid),
		[INST] = rs_u(w->inst),
		[CALL] = rs_s(w->call >= 0 ? rs_syscall_name(c, w->call) : NULL),
		[TOOK] = rs_u(w->to_ns - w->from_ns),
		[ALIKE] = rs_milli(alike, 1000, 100),
	};

	rs_wait_shape_text(c, &w->shape, shape, sizeof shape);
	v[SHAPE] = rs_s(shape);
	out->row(out, v);
}

static const struct alike_wait *alike_slowest(const struct alike_state *s)
{
	const struct alike_wait *slowest = NULL;

	for (const struct alike_wait *w = s->at; w < s->at + s->nr; w++)
		if (!slowest || w->to_ns - w->from_ns > slowest->to_ns - slowest->from_ns)
			slowest = w;
	return slowest;
}

static int alike_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct alike_state *s = c->state;
	const struct alike_wait *of = s->asked.to_ns ? &s->asked :
				      rs_culprits_asked(c)->kind == RS_ASKED_ALL ? alike_slowest(s) : NULL;

	for (unsigned int i = 0; of && i < s->nr; i++) {
		unsigned int alike = rs_wait_shape_alike(&of->shape, &s->at[i].shape);

		if (alike >= LEAST_ALIKE)
			alike_put(c, &s->at[i], alike, out);
	}
	return 0;
}

static void alike_reset(struct rs_ctx *c)
{
	struct alike_state *s = c->state;

	s->nr = 0;
	s->least_ns = LEAST_ALIKE_NS;
	s->asked.to_ns = 0;
}

static int alike_begin(struct rs_ctx *c)
{
	struct alike_state *s = c->state;

	s->at = rs_alloc(c, ALIKE_WAITS, sizeof *s->at);
	s->least_ns = LEAST_ALIKE_NS;
	return s->at ? 0 : -12; /* ENOMEM */
}

const struct rs_analysis rs_analysis_alike = {
	.abi = RS_ABI,
	.name = "alike",
	.summary = "waits of the same shape",
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_INTERVAL, .interval = alike_on_interval, .kinds = 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_WAIT, .wait = alike_on_wait },
		{ RS_ON_CALL, .call = alike_on_call, .if_recorded = true },
		{ RS_ON_REQUEST, .request = alike_on_request, .if_recorded = true },
		{ RS_ON_IRQ, .irq = alike_on_irq }),
	.views = RS_LIST(rs_view,
		{ .name = "alike", .topic = RS_TOPIC_WAITS, .role = RS_ROLE_ALIKE,
		  .summary = "waits of the same shape as one of them, or as the slowest",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns, .sort = "-alike,-took_ns", .rows = alike_rows, .options = "slice",
		  .text_columns = "at_ns,comm,tid,syscall,took_ns,alike,shape" }),
	.requires_history = true,
	.by_name = true,
	.state_size = sizeof(struct alike_state),
	.begin = alike_begin,
	.reset = alike_reset,
};
