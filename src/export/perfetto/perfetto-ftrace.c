// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-ftrace.c - what Perfetto knows as events of the kernel, in a bundle for each CPU
 *
 * Who runs on a CPU comes from the engine, slice by slice: so a switch that is missing in the recording is
 * where the engine infers it, what is not known or not shown is idle, and the next task of a switch is always
 * the previous one of the next.
 */
#include "export/perfetto/perfetto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/proto.h"
#include "ringside/event.h"

#define FTRACE_ROWS 512u        /* switches, and wakings, of a bundle */
#define FTRACE_COMMS 256u
#define FTRACE_SLOTS 1024u      /* to find a name: a power of two */
#define FTRACE_EVENT_BYTES (16u << 10) /* other events of a bundle */
#define FTRACE_IDLE_PRIO 120

struct ftrace_row {
	uint64_t ts_ns;
	int64_t state;           /* of a switch: prev_state; of a waking: common_flags */
	int32_t tid, prio;
	uint16_t comm, target;
};

struct rs_perfetto_bundle {
	unsigned int nr_switches, nr_wakings, nr_comms;
	struct ftrace_row switches[FTRACE_ROWS], wakings[FTRACE_ROWS];
	char comms[FTRACE_COMMS][RS_COMM_LEN];
	uint16_t slots[FTRACE_SLOTS]; /* 1 + the number of a name; 0 none */
	struct rs_buf events;
	struct ftrace_first {
		uint64_t ts_ns;
		int32_t tid, prio;
		char comm[RS_COMM_LEN];
		int64_t state;
	} first; /* who left the CPU in the first switch of the recording; .tid 0: nobody, or not shown */
	bool is_begun;           /* that switch has come */
	/* the first one is written in full: readers do not draw what follows it otherwise */
	bool has_switch;
	bool runs;               /* a slice that was added is not ended yet: */
	uint64_t to_ns;
	int64_t state;
	bool is_lossy;           /* events were lost since the last bundle */
	/* events were lost up to here, and no slice began since: who runs is not known; 0: it is */
	uint64_t unsure_to_ns;
};

/* ---- bundles ---- */

struct ftrace_column {
	unsigned int field;
	size_t offset, bytes;    /* in a row */
};

#define FTRACE_COLUMN(field, member) \
	{ \
		field, offsetof(struct ftrace_row, member), sizeof((struct ftrace_row *)NULL)->member \
	}

static const struct ftrace_column ftrace_switch_columns[] = {
	FTRACE_COLUMN(PF_COMPACT_SWITCH_TIMESTAMP, ts_ns), FTRACE_COLUMN(PF_COMPACT_SWITCH_PREV_STATE, state),
	FTRACE_COLUMN(PF_COMPACT_SWITCH_NEXT_PID, tid), FTRACE_COLUMN(PF_COMPACT_SWITCH_NEXT_PRIO, prio),
	FTRACE_COLUMN(PF_COMPACT_SWITCH_NEXT_COMM, comm), { 0 },
};

static const struct ftrace_column ftrace_waking_columns[] = {
	FTRACE_COLUMN(PF_COMPACT_WAKING_TIMESTAMP, ts_ns), FTRACE_COLUMN(PF_COMPACT_WAKING_PID, tid),
	FTRACE_COLUMN(PF_COMPACT_WAKING_TARGET_CPU, target), FTRACE_COLUMN(PF_COMPACT_WAKING_PRIO, prio),
	FTRACE_COLUMN(PF_COMPACT_WAKING_COMM, comm), FTRACE_COLUMN(PF_COMPACT_WAKING_FLAGS, state), { 0 },
};

static char *ftrace_put_column(char *p, const struct ftrace_column *c, const struct ftrace_row *rows,
			       unsigned int nr)
{
	uint64_t last = 0;
	char *at;

	p = at = rs_proto_open(p, c->field);
	for (unsigned int i = 0; i < nr; i++) {
		const char *cell = (const char *)&rows[i] + c->offset;
		uint64_t v = 0;
		int32_t narrow;

		if (c->bytes == sizeof narrow) { /* signed: a negative number takes ten bytes */
			memcpy(&narrow, cell, sizeof narrow);
			v = (uint64_t)(int64_t)narrow;
		} else if (c->bytes == sizeof(uint16_t)) {
			uint16_t half;

			memcpy(&half, cell, sizeof half);
			v = half;
		} else {
			memcpy(&v, cell, sizeof v);
		}
		p = rs_proto_varint(p, c->offset ? v : v - last); /* times are differences */
		last = v;
	}
	return rs_proto_close(at, p);
}

static char *ftrace_put_columns(char *p, const struct ftrace_column *columns, const struct ftrace_row *rows,
				unsigned int nr)
{
	for (const struct ftrace_column *c = columns; nr && c->field; c++)
		p = ftrace_put_column(p, c, rows, nr);
	return p;
}

static char *ftrace_put_compact(char *p, const struct rs_perfetto_bundle *b)
{
	char *at;

	p = at = rs_proto_open(p, PF_BUNDLE_COMPACT_SCHED);
	for (unsigned int i = 0; i < b->nr_comms; i++)
		p = rs_proto_text(p, PF_COMPACT_INTERN_TABLE, b->comms[i], strnlen(b->comms[i], RS_COMM_LEN));
	p = ftrace_put_columns(p, ftrace_switch_columns, b->switches, b->nr_switches);
	p = ftrace_put_columns(p, ftrace_waking_columns, b->wakings, b->nr_wakings);
	return rs_proto_close(at, p);
}

static void ftrace_flush(struct rs_perfetto *pf, unsigned int cpu)
{
	struct rs_perfetto_bundle *b = rs_perfetto_cpu(pf, cpu)->bundle;
	size_t bytes = (b->nr_switches + b->nr_wakings) * 6 * RS_PROTO_NUMBER +
		       b->nr_comms * RS_PROTO_TEXT(RS_COMM_LEN) + b->events.len;
	uint64_t ts_ns = b->nr_switches ? b->switches->ts_ns :
			 b->nr_wakings  ? b->wakings->ts_ns :
					  pf->scene.begin_ns;
	char *p, *at;

	if (!b->nr_switches && !b->nr_wakings && !b->events.len && !b->is_lossy)
		return;
	p = rs_perfetto_open(pf, ts_ns, bytes);
	if (!p)
		return;
	p = at = rs_proto_open(p, PF_PACKET_FTRACE_EVENTS);
	p = rs_proto_uint(p, PF_BUNDLE_CPU, cpu);
	if (b->is_lossy)
		p = rs_proto_uint(p, PF_BUNDLE_LOST_EVENTS, 1);
	memcpy(p, b->events.data, b->events.len);
	p += b->events.len;
	if (b->nr_switches || b->nr_wakings)
		p = ftrace_put_compact(p, b);
	rs_perfetto_close(pf, rs_proto_close(at, p));
	pf->drawn |= b->nr_switches || b->nr_wakings || b->events.len;
	pf->out->failed |= b->events.failed;
	rs_buf_clear(&b->events);
	memset(b->slots, 0, sizeof b->slots);
	b->nr_switches = b->nr_wakings = b->nr_comms = 0;
	b->is_lossy = false;
}

/* NULL: no such CPU, or no memory. */
static struct rs_perfetto_bundle *ftrace_bundle(struct rs_perfetto *pf, unsigned int cpu)
{
	struct rs_perfetto_bundle *b = cpu < pf->scene.nr_cpus ? rs_perfetto_cpu(pf, cpu)->bundle : NULL;

	if (b || cpu >= pf->scene.nr_cpus)
		return b;
	b = calloc(1, sizeof *b);
	pf->out->failed |= !b;
	if (b)
		b->events = (struct rs_buf)RS_BUF_INIT;
	rs_perfetto_cpu(pf, cpu)->bundle = b;
	return b;
}

void rs_perfetto_free_bundles(struct rs_perfetto *pf)
{
	for (unsigned int cpu = 0; cpu < pf->scene.nr_cpus; cpu++) {
		if (rs_perfetto_cpu(pf, cpu)->bundle)
			rs_buf_done(&rs_perfetto_cpu(pf, cpu)->bundle->events);
		free(rs_perfetto_cpu(pf, cpu)->bundle);
	}
}

/* The number of a name in the bundle, which has room for it. */
static uint16_t ftrace_find_comm(struct rs_perfetto_bundle *b, const char *comm)
{
	char name[RS_COMM_LEN] = { 0 };
	uint64_t half[2];
	uint64_t at;

	memcpy(name, comm, strnlen(comm, RS_COMM_LEN));
	memcpy(half, name, sizeof half);
	for (at = rs_hash_u64(half[0] ^ rs_hash_u64(half[1])) & (FTRACE_SLOTS - 1); b->slots[at];
	     at = (at + 1) & (FTRACE_SLOTS - 1))
		if (!memcmp(b->comms[b->slots[at] - 1], name, sizeof name))
			return b->slots[at] - 1;
	memcpy(b->comms[b->nr_comms], name, sizeof name);
	b->slots[at] = (uint16_t)++b->nr_comms;
	return b->slots[at] - 1;
}

/* ---- events in full ---- */

char *rs_perfetto_open_event(struct rs_perfetto *pf, unsigned int cpu, uint64_t ts_ns, int32_t tid,
			     unsigned int field, struct rs_perfetto_event *e)
{
	struct rs_perfetto_bundle *b = ftrace_bundle(pf, cpu);
	char *p = b ? rs_buf_room(&b->events, RS_PERFETTO_ROOM) : NULL;

	if (!p)
		return NULL;
	p = e->event = rs_proto_open(p, PF_BUNDLE_EVENT);
	p = rs_proto_uint(p, PF_EVENT_TIMESTAMP, ts_ns);
	p = rs_proto_uint(p, PF_EVENT_PID, tid > 0 ? (uint32_t)tid : 0);
	e->cpu = cpu;
	return e->message = rs_proto_open(p, field);
}

void rs_perfetto_close_event(struct rs_perfetto *pf, const struct rs_perfetto_event *e, char *p)
{
	struct rs_perfetto_bundle *b = rs_perfetto_cpu(pf, e->cpu)->bundle;

	rs_buf_wrote(&b->events, rs_proto_close(e->event, rs_proto_close(e->message, p)));
	if (b->events.len >= FTRACE_EVENT_BYTES)
		ftrace_flush(pf, e->cpu);
}

/* ---- who runs ---- */

/* A switch of the recording, or a part of one. */
struct ftrace_switch {
	uint64_t ts_ns;
	int32_t tid[2], prio[2];        /* of who leaves the CPU, and of who comes */
	const char *comm[2];
	int64_t state;                  /* in which the first one leaves it */
};

static void ftrace_put_full_switch(struct rs_perfetto *pf, unsigned int cpu, const struct ftrace_switch *s)
{
	struct rs_perfetto_event e;
	char *p = rs_perfetto_open_event(pf, cpu, s->ts_ns, s->tid[0], PF_EVENT_SCHED_SWITCH, &e);

	if (!p)
		return;
	p = rs_proto_text(p, PF_SWITCH_PREV_COMM, s->comm[0], strnlen(s->comm[0], RS_COMM_LEN));
	p = rs_proto_uint(p, PF_SWITCH_PREV_PID, (uint32_t)s->tid[0]);
	p = rs_proto_int(p, PF_SWITCH_PREV_PRIO, s->prio[0]);
	p = rs_proto_int(p, PF_SWITCH_PREV_STATE, s->state);
	p = rs_proto_text(p, PF_SWITCH_NEXT_COMM, s->comm[1], strnlen(s->comm[1], RS_COMM_LEN));
	p = rs_proto_uint(p, PF_SWITCH_NEXT_PID, (uint32_t)s->tid[1]);
	rs_perfetto_close_event(pf, &e, rs_proto_int(p, PF_SWITCH_NEXT_PRIO, s->prio[1]));
}

/*
 * The first slice of a CPU that is known. Before it the recording's first switch may have ended another,
 * whose begin is not known: readers have the state of that task from there on. Both in a bundle of their own:
 * readers take what is compact first, and the times may be equal. Returns false if the switch to the slice is
 * still to be written.
 */
static bool ftrace_first_switch(struct rs_perfetto *pf, unsigned int cpu, uint64_t ts_ns, int32_t tid,
				const char *comm, int prio)
{
	struct rs_perfetto_bundle *b = rs_perfetto_cpu(pf, cpu)->bundle;
	const struct ftrace_first *first = &b->first;
	bool has_prev = first->tid > 0 && first->ts_ns <= ts_ns, is_apart = has_prev && first->ts_ns < ts_ns;

	ftrace_flush(pf, cpu);
	b->has_switch = true;
	ftrace_put_full_switch(pf, cpu, &(struct ftrace_switch){
		.ts_ns = is_apart ? first->ts_ns : ts_ns, .state = has_prev ? first->state : 0,
		.tid = { has_prev ? first->tid : 0, is_apart ? 0 : tid },
		.prio = { has_prev ? first->prio : FTRACE_IDLE_PRIO, is_apart ? FTRACE_IDLE_PRIO : prio },
		.comm = { has_prev ? first->comm : "swapper", is_apart ? "swapper" : comm },
	});
	ftrace_flush(pf, cpu);
	return !is_apart;
}

static void ftrace_put_switch(struct rs_perfetto *pf, unsigned int cpu, uint64_t ts_ns, int64_t state,
			      int32_t tid, const char *comm, int prio)
{
	struct rs_perfetto_bundle *b = rs_perfetto_cpu(pf, cpu)->bundle;

	if (!b->has_switch && ftrace_first_switch(pf, cpu, ts_ns, tid, comm, prio))
		return;
	if (b->nr_switches == FTRACE_ROWS || b->nr_comms == FTRACE_COMMS)
		ftrace_flush(pf, cpu);
	b->switches[b->nr_switches++] = (struct ftrace_row){
		.ts_ns = ts_ns, .state = state, .tid = tid, .prio = prio, .comm = ftrace_find_comm(b, comm),
	};
}

/*
 * Bits of prev_state as readers take them for the release that they are told; of an unknown one as those of
 * Linux 4.4.
 */
struct rs_perfetto_bits { unsigned int major, minor; int64_t preempted, parked, idle, dead; };

static const struct rs_perfetto_bits ftrace_bits[] = {
	{ 4, 14, 0x100, 0x40, 0x80, 0x10 },
	{ 4, 8, 0x1000, 0x200, 0x402, 0x40 },
	{ 0, 0, 0x800, 0x200, 0x402, 0x40 },
};

const struct rs_perfetto_bits *rs_perfetto_find_bits(const char *release)
{
	unsigned int major = 0, minor = 0;
	char end = '.';

	if (!release || sscanf(release, "%u.%u%c", &major, &minor, &end) < 2 || end != '.')
		major = minor = 0;
	for (const struct rs_perfetto_bits *bits = ftrace_bits;; bits++)
		if (major > bits->major || (major == bits->major && minor >= bits->minor))
			return bits;
}

/* A task that stays runnable was preempted. */
static int64_t ftrace_state(const struct rs_perfetto *pf, char letter)
{
	static const char letters[] = "SDTtXZ";
	const char *at = letter ? strchr(letters, letter) : NULL;

	switch (letter) {
	case 'R':
		return pf->bits->preempted;
	case 'P':
		return pf->bits->parked;
	case 'I':
		return pf->bits->idle;
	case 'x': /* TASK_DEAD: how tasks exit before 4.14 */
		return pf->bits->dead;
	}
	return at ? 1 << (at - letters) : 1;
}

/* What the CPU did after the last slice: it was idle up to this one, unless this one follows at once. */
static void ftrace_begin_slice(struct rs_perfetto *pf, unsigned int cpu, const struct rs_task *t,
			       uint64_t from_ns)
{
	struct rs_perfetto_bundle *b = rs_perfetto_cpu(pf, cpu)->bundle;
	const char *comm = *t->comm ? t->comm : "[unknown]";
	int prio = t->prio >= 0 ? t->prio : FTRACE_IDLE_PRIO;
	bool follows = b->runs && from_ns <= b->to_ns;

	if (b->runs && !follows)
		ftrace_put_switch(pf, cpu, b->to_ns, b->state, 0, "swapper", FTRACE_IDLE_PRIO);
	ftrace_put_switch(pf, cpu, follows ? b->to_ns : from_ns, follows ? b->state : 0, t->tid, comm, prio);
	if (from_ns >= b->unsure_to_ns)
		b->unsure_to_ns = 0;
	b->runs = false;
}

void rs_perfetto_run(struct rs_perfetto *pf, const struct rs_interval *iv)
{
	struct rs_perfetto_task *d = rs_scene_task_own(&pf->scene, iv->task);
	struct rs_perfetto_bundle *b = ftrace_bundle(pf, iv->cpu);
	int64_t state = ftrace_state(pf, iv->letter);

	if (!b)
		return;
	ftrace_begin_slice(pf, iv->cpu, iv->task, iv->from_ns);
	d->left.ts_ns = 0;
	b->runs = true;
	b->to_ns = iv->to_ns;
	b->state = state;
	if (d->woken_ns < iv->from_ns || iv->letter == 'R')
		return;
	b->state = 0;
	d->left = (struct rs_perfetto_left){ iv->to_ns, state, iv->cpu };
}

void rs_perfetto_runs_on(struct rs_perfetto *pf, const struct rs_task *t, uint64_t from_ns)
{
	if (ftrace_bundle(pf, t->cpu))
		ftrace_begin_slice(pf, t->cpu, t, from_ns);
}

void rs_perfetto_flush(struct rs_perfetto *pf)
{
	for (unsigned int cpu = 0; cpu < pf->scene.nr_cpus; cpu++) {
		struct rs_perfetto_bundle *b = rs_perfetto_cpu(pf, cpu)->bundle;

		if (b && b->runs)
			ftrace_put_switch(pf, cpu, b->to_ns, b->state, 0, "swapper", FTRACE_IDLE_PRIO);
		else if (b && !b->has_switch && b->first.tid > 0)
			ftrace_first_switch(pf, cpu, UINT64_MAX, 0, "swapper", FTRACE_IDLE_PRIO);
		if (b)
			ftrace_flush(pf, cpu);
	}
}

void rs_perfetto_blocked(struct rs_perfetto *pf, const struct rs_interval *iv, bool io_wait, uint32_t caller)
{
	struct rs_perfetto_event e;
	char *p = rs_perfetto_open_event(pf, iv->task->cpu, iv->to_ns, iv->task->tid, PF_EVENT_BLOCKED_REASON,
					 &e);

	if (!p)
		return;
	p = rs_proto_uint(p, PF_REASON_PID, (uint32_t)iv->task->tid);
	if (caller)
		p = rs_proto_uint(p, PF_REASON_CALLER, caller);
	rs_perfetto_close_event(pf, &e, rs_proto_uint(p, PF_REASON_IO_WAIT, io_wait));
}

void rs_perfetto_lost(struct rs_perfetto *pf, const struct rs_gap *gap)
{
	struct rs_perfetto_bundle *b = ftrace_bundle(pf, gap->cpu);

	if (!b)
		return;
	ftrace_flush(pf, gap->cpu);
	b->is_lossy = true;
	b->unsure_to_ns = gap->to_ns;
}

/* ---- wakings ---- */

enum { WAKING_COMM, WAKING_PID, WAKING_PRIO, WAKING_TARGET, WAKING_FLAGS };

static int32_t ftrace_number(const struct rs_event *ev, const struct rs_field *f)
{
	return rs_has(f) ? (int32_t)rs_i64(ev, f) : 0;
}

static void ftrace_put_full_waking(struct rs_perfetto *pf, const struct rs_event *ev, unsigned int field,
				   const struct ftrace_row *row, const char *comm)
{
	struct rs_perfetto_event e;
	char *p = rs_perfetto_open_event(pf, ev->cpu, ev->ts_ns, ev->tid, field, &e);

	if (!p)
		return;
	p = rs_proto_text(p, PF_WAKING_COMM, comm, strnlen(comm, RS_COMM_LEN));
	p = rs_proto_uint(p, PF_WAKING_PID, (uint32_t)row->tid);
	p = rs_proto_int(p, PF_WAKING_PRIO, row->prio);
	rs_perfetto_close_event(pf, &e, rs_proto_uint(p, PF_WAKING_TARGET_CPU, row->target));
}

/* It did wait: the waking that came while it ran was not the one that ended this. */
static void ftrace_wait_again(struct rs_perfetto *pf, struct rs_perfetto_left *left)
{
	struct rs_perfetto_bundle *b = rs_perfetto_cpu(pf, left->cpu)->bundle;
	unsigned int i = b->nr_switches;

	if (b->runs && b->to_ns == left->ts_ns)
		b->state = left->state;
	while (i && b->switches[i - 1].ts_ns > left->ts_ns)
		i--;
	if (i && b->switches[i - 1].ts_ns == left->ts_ns)
		b->switches[i - 1].state = left->state;
	left->ts_ns = 0;
}

static void ftrace_note_waking(struct rs_ctx *c, struct rs_perfetto *pf, int32_t tid, uint64_t ts_ns)
{
	const struct rs_task *t = rs_task_find(c, tid);
	struct rs_perfetto_task *d = rs_scene_task_own(&pf->scene, t);

	if (t->state == RS_RUN)
		d->woken_ns = ts_ns;
	else if (d->left.ts_ns)
		ftrace_wait_again(pf, &d->left);
}

/* The task that it wakes, and its name; false: it is not written. */
static bool ftrace_read_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			       struct ftrace_row *row, char comm[RS_COMM_LEN])
{
	const struct rs_task *t;

	*row = (struct ftrace_row){ ev->ts_ns,
				    ftrace_number(ev, &f[WAKING_FLAGS]),
				    ftrace_number(ev, &f[WAKING_PID]),
				    ftrace_number(ev, &f[WAKING_PRIO]),
				    0,
				    (uint16_t)ftrace_number(ev, &f[WAKING_TARGET]) };
	t = !rs_api_is_muted(c) && row->tid > 0 ? rs_task_find(c, row->tid) : NULL;
	if (!t || !rs_shown(c, t) || !ftrace_bundle(rs_api_session_arg(c), ev->cpu))
		return false;
	if (!rs_has(&f[WAKING_COMM]) || !rs_str(ev, &f[WAKING_COMM], comm, RS_COMM_LEN))
		rs_copy(comm, RS_COMM_LEN, t->comm);
	return true;
}

/*
 * Of a compact waking readers take who runs for the waker: before the first switch nobody does, and they drop
 * it.
 */
void rs_perfetto_on_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_bundle *b;
	struct ftrace_row row;
	char comm[RS_COMM_LEN];

	if (!ftrace_read_waking(c, ev, f, &row, comm))
		return;
	ftrace_note_waking(c, pf, row.tid, ev->ts_ns);
	b = rs_perfetto_cpu(pf, ev->cpu)->bundle;
	if (!b->has_switch || b->unsure_to_ns || (ev->task && !rs_shown(c, ev->task))) {
		ftrace_put_full_waking(pf, ev, PF_EVENT_SCHED_WAKING, &row, comm);
		return;
	}
	if (b->nr_wakings == FTRACE_ROWS || b->nr_comms == FTRACE_COMMS)
		ftrace_flush(pf, ev->cpu);
	row.comm = ftrace_find_comm(b, comm);
	b->wakings[b->nr_wakings++] = row;
}

/* Readers take states from wakings alone: without any, a wakeup is what comes closest to one. */
void rs_perfetto_on_wakeup(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct ftrace_row row;
	char comm[RS_COMM_LEN];

	if (pf->wakeups == RS_PERFETTO_UNSURE)
		pf->wakeups = rs_event_is_recorded(c, "sched", "sched_waking") ? RS_PERFETTO_WAKEUPS :
										 RS_PERFETTO_WAKINGS;
	if (pf->wakeups == RS_PERFETTO_WAKINGS)
		rs_perfetto_on_waking(c, ev, f);
	else if (ftrace_read_waking(c, ev, f, &row, comm))
		ftrace_put_full_waking(pf, ev, PF_EVENT_SCHED_WAKEUP, &row, comm);
}

/*
 * A new task runs first after this: readers have its first wait from its task_newtask, or, where none is
 * written, from here.
 */
void rs_perfetto_on_wakeup_new(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_task *d;
	struct ftrace_row row;
	char comm[RS_COMM_LEN];

	if (!ftrace_read_waking(c, ev, f, &row, comm))
		return;
	d = rs_scene_task_own(&pf->scene, rs_task_find(c, row.tid));
	if (d->has_newtask || d->parent_tid)
		return;
	d->is_named |= *comm != '\0';
	ftrace_put_full_waking(pf, ev, PF_EVENT_SCHED_WAKING, &row, comm);
}

/* ---- the first switch of each CPU ---- */

enum { SWITCH_PREV_COMM, SWITCH_PREV_PID, SWITCH_PREV_PRIO, SWITCH_PREV_STATE };

void rs_perfetto_on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	bool has_cpu = ev->cpu < pf->scene.nr_cpus;
	struct rs_perfetto_bundle *b = has_cpu ? rs_perfetto_cpu(pf, ev->cpu)->bundle : NULL;
	const struct rs_task *t;
	struct ftrace_first *first;

	if ((b && b->is_begun) || rs_api_is_muted(c) || !(b = ftrace_bundle(pf, ev->cpu)))
		return;
	b->is_begun = true;
	first = &b->first;
	t = rs_task_find(c, ftrace_number(ev, &f[SWITCH_PREV_PID]));
	if (b->has_switch || !t || !rs_shown(c, t))
		return;
	*first = (struct ftrace_first){
		.ts_ns = ev->ts_ns,
		.tid = t->tid,
		.prio = ftrace_number(ev, &f[SWITCH_PREV_PRIO]),
		.state = t->state == RS_DELAY ?
				 0 :
				 ftrace_state(pf,
					      rs_api_prev_state_letter(c, rs_u64(ev, &f[SWITCH_PREV_STATE])))
	};
	rs_str(ev, &f[SWITCH_PREV_COMM], first->comm, sizeof first->comm);
	rs_perfetto_list_task(pf, rs_scene_task_own(&pf->scene, t), t);
}
