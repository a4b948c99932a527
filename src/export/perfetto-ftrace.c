// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-ftrace.c - what Perfetto knows as events of the kernel, in a bundle for each CPU
 *
 * Who runs on a CPU comes from the engine, slice by slice: so a switch that is missing in the recording is where the engine
 * infers it, what is not known or not shown is idle, and the next task of a switch is always the previous one of the next.
 */
#include "export/perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "export/perfetto-fields.h"
#include "export/proto.h"
#include "ringside/hash.h"

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
	bool has_switch;         /* the first one is written in full: readers do not draw what follows it otherwise */
	bool runs;               /* a slice that was added is not ended yet: */
	uint64_t to_ns;
	int64_t state;
	bool is_lossy;           /* events were lost since the last bundle */
	uint64_t unsure_to_ns;   /* events were lost up to here, and no slice began since: who runs is not known; 0: it is */
};

/* ---- bundles ---- */

struct ftrace_column {
	unsigned int field;
	size_t offset, bytes;    /* in a row */
};

#define FTRACE_COLUMN(field, member) { field, offsetof(struct ftrace_row, member), sizeof ((struct ftrace_row *)NULL)->member }

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

static char *ftrace_put_column(char *p, const struct ftrace_column *c, const struct ftrace_row *rows, unsigned int nr)
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

static char *ftrace_put_columns(char *p, const struct ftrace_column *columns, const struct ftrace_row *rows, unsigned int nr)
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
	struct rs_perfetto_bundle *b = pf->cpus[cpu].bundle;
	size_t bytes = (b->nr_switches + b->nr_wakings) * 6 * RS_PROTO_NUMBER + b->nr_comms * RS_PROTO_TEXT(RS_COMM_LEN) + b->events.len;
	uint64_t ts_ns = b->nr_switches ? b->switches->ts_ns : b->nr_wakings ? b->wakings->ts_ns : pf->begin_ns;
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
	struct rs_perfetto_bundle *b = cpu < pf->nr_cpus ? pf->cpus[cpu].bundle : NULL;

	if (b || cpu >= pf->nr_cpus)
		return b;
	b = calloc(1, sizeof *b);
	pf->out->failed |= !b;
	if (b)
		b->events = (struct rs_buf)RS_BUF_INIT;
	pf->cpus[cpu].bundle = b;
	return b;
}

void rs_perfetto_free_bundles(struct rs_perfetto *pf)
{
	for (unsigned int cpu = 0; cpu < pf->nr_cpus; cpu++) {
		if (pf->cpus[cpu].bundle)
			rs_buf_done(&pf->cpus[cpu].bundle->events);
		free(pf->cpus[cpu].bundle);
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
	for (at = rs_hash_u64(half[0] ^ rs_hash_u64(half[1])) & (FTRACE_SLOTS - 1); b->slots[at]; at = (at + 1) & (FTRACE_SLOTS - 1))
		if (!memcmp(b->comms[b->slots[at] - 1], name, sizeof name))
			return b->slots[at] - 1;
	memcpy(b->comms[b->nr_comms], name, sizeof name);
	b->slots[at] = (uint16_t)++b->nr_comms;
	return b->slots[at] - 1;
}

/* ---- events in full ---- */

/* Opens an event; the message in it begins at *at. */
static char *ftrace_open(struct rs_perfetto_bundle *b, uint64_t ts_ns, int32_t tid, unsigned int field, char **at, char **event)
{
	char *p = rs_buf_room(&b->events, RS_PERFETTO_ROOM);

	if (!p)
		return NULL;
	p = *event = rs_proto_open(p, PF_BUNDLE_EVENT);
	p = rs_proto_uint(p, PF_EVENT_TIMESTAMP, ts_ns);
	p = rs_proto_uint(p, PF_EVENT_PID, tid > 0 ? (uint32_t)tid : 0);
	return *at = rs_proto_open(p, field);
}

static void ftrace_close(struct rs_perfetto *pf, unsigned int cpu, char *p, char *at, char *event)
{
	struct rs_perfetto_bundle *b = pf->cpus[cpu].bundle;

	rs_buf_wrote(&b->events, rs_proto_close(event, rs_proto_close(at, p)));
	if (b->events.len >= FTRACE_EVENT_BYTES)
		ftrace_flush(pf, cpu);
}

/* ---- who runs ---- */

/* In a bundle of its own: readers take what is compact first, and the times may be equal. */
static void ftrace_first_switch(struct rs_perfetto *pf, unsigned int cpu, uint64_t ts_ns, int32_t tid, const char *comm, int prio)
{
	struct rs_perfetto_bundle *b = pf->cpus[cpu].bundle;
	char *event, *at, *p;

	ftrace_flush(pf, cpu);
	b->has_switch = true;
	p = ftrace_open(b, ts_ns, 0, PF_EVENT_SCHED_SWITCH, &at, &event);
	if (!p)
		return;
	p = rs_proto_text(p, PF_SWITCH_PREV_COMM, "swapper", 7);
	p = rs_proto_uint(p, PF_SWITCH_PREV_PID, 0);
	p = rs_proto_uint(p, PF_SWITCH_PREV_PRIO, FTRACE_IDLE_PRIO);
	p = rs_proto_uint(p, PF_SWITCH_PREV_STATE, 0);
	p = rs_proto_text(p, PF_SWITCH_NEXT_COMM, comm, strnlen(comm, RS_COMM_LEN));
	p = rs_proto_uint(p, PF_SWITCH_NEXT_PID, (uint32_t)tid);
	p = rs_proto_int(p, PF_SWITCH_NEXT_PRIO, prio);
	ftrace_close(pf, cpu, p, at, event);
	ftrace_flush(pf, cpu);
}

static void ftrace_put_switch(struct rs_perfetto *pf, unsigned int cpu, uint64_t ts_ns, int64_t state, int32_t tid, const char *comm, int prio)
{
	struct rs_perfetto_bundle *b = pf->cpus[cpu].bundle;

	if (!b->has_switch) {
		ftrace_first_switch(pf, cpu, ts_ns, tid, comm, prio);
		return;
	}
	if (b->nr_switches == FTRACE_ROWS || b->nr_comms == FTRACE_COMMS)
		ftrace_flush(pf, cpu);
	b->switches[b->nr_switches++] = (struct ftrace_row){
		.ts_ns = ts_ns, .state = state, .tid = tid, .prio = prio, .comm = ftrace_find_comm(b, comm),
	};
}

/* As the kernel has them since 4.14. A task that stays runnable was preempted. */
static int64_t ftrace_state(char letter)
{
	static const char letters[] = "SDTtXZPI";
	const char *at = letter ? strchr(letters, letter) : NULL;

	return letter == 'R' ? 0x100 : at ? 1 << (at - letters) : 1;
}

/* What the CPU did after the last slice: it was idle up to this one, unless this one follows at once. */
static void ftrace_begin_slice(struct rs_perfetto *pf, unsigned int cpu, const struct rs_task *t, uint64_t from_ns)
{
	struct rs_perfetto_bundle *b = pf->cpus[cpu].bundle;
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
	struct rs_perfetto_bundle *b = ftrace_bundle(pf, iv->cpu);

	if (!b)
		return;
	ftrace_begin_slice(pf, iv->cpu, iv->task, iv->from_ns);
	b->runs = true;
	b->to_ns = iv->to_ns;
	b->state = ftrace_state(iv->letter);
}

void rs_perfetto_runs_on(struct rs_perfetto *pf, const struct rs_task *t, uint64_t from_ns)
{
	if (ftrace_bundle(pf, t->cpu))
		ftrace_begin_slice(pf, t->cpu, t, from_ns);
}

void rs_perfetto_flush(struct rs_perfetto *pf)
{
	for (unsigned int cpu = 0; cpu < pf->nr_cpus; cpu++) {
		struct rs_perfetto_bundle *b = pf->cpus[cpu].bundle;

		if (b && b->runs)
			ftrace_put_switch(pf, cpu, b->to_ns, b->state, 0, "swapper", FTRACE_IDLE_PRIO);
		if (b)
			ftrace_flush(pf, cpu);
	}
}

void rs_perfetto_io_wait(struct rs_perfetto *pf, const struct rs_interval *iv)
{
	unsigned int cpu = iv->task->cpu;
	struct rs_perfetto_bundle *b = ftrace_bundle(pf, cpu);
	char *event, *at, *p = b ? ftrace_open(b, iv->to_ns, iv->task->tid, PF_EVENT_BLOCKED_REASON, &at, &event) : NULL;

	if (!p)
		return;
	p = rs_proto_uint(p, PF_REASON_PID, (uint32_t)iv->task->tid);
	ftrace_close(pf, cpu, rs_proto_uint(p, PF_REASON_IO_WAIT, 1), at, event);
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

static void ftrace_put_full_waking(struct rs_perfetto *pf, const struct rs_event *ev, const struct ftrace_row *row, const char *comm)
{
	char *event, *at, *p = ftrace_open(pf->cpus[ev->cpu].bundle, ev->ts_ns, ev->tid, PF_EVENT_SCHED_WAKING, &at, &event);

	if (!p)
		return;
	p = rs_proto_text(p, PF_WAKING_COMM, comm, strnlen(comm, RS_COMM_LEN));
	p = rs_proto_uint(p, PF_WAKING_PID, (uint32_t)row->tid);
	p = rs_proto_int(p, PF_WAKING_PRIO, row->prio);
	p = rs_proto_uint(p, PF_WAKING_TARGET_CPU, row->target);
	ftrace_close(pf, ev->cpu, p, at, event);
}

/* Of a compact waking readers take who runs for the waker. */
static void ftrace_on_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_bundle *b = rs_api_is_muted(c) ? NULL : ftrace_bundle(pf, ev->cpu);
	struct ftrace_row row = { ev->ts_ns, ftrace_number(ev, &f[WAKING_FLAGS]), ftrace_number(ev, &f[WAKING_PID]),
				  ftrace_number(ev, &f[WAKING_PRIO]), 0, (uint16_t)ftrace_number(ev, &f[WAKING_TARGET]) };
	const struct rs_task *t = b && row.tid > 0 ? rs_task_find(c, row.tid) : NULL;
	char comm[RS_COMM_LEN];

	if (!t || !rs_shown(c, t))
		return;
	if (!rs_has(&f[WAKING_COMM]) || !rs_str(ev, &f[WAKING_COMM], comm, sizeof comm))
		rs_copy(comm, sizeof comm, t->comm);
	if (b->unsure_to_ns || (ev->task && !rs_shown(c, ev->task))) {
		ftrace_put_full_waking(pf, ev, &row, comm);
		return;
	}
	if (b->nr_wakings == FTRACE_ROWS || b->nr_comms == FTRACE_COMMS)
		ftrace_flush(pf, ev->cpu);
	row.comm = ftrace_find_comm(b, comm);
	b->wakings[b->nr_wakings++] = row;
}

/* ---- other events, field by field ---- */

#define FTRACE_MAX_FIELDS 4

/* kind: a kind of spans that readers draw from this event instead; NULL: none */
struct ftrace_event {
	const char *system, *name, *kind;
	unsigned int field;
	struct { const char *name; uint8_t field; bool is_text; } fields[FTRACE_MAX_FIELDS];
};

static const struct ftrace_event ftrace_events[] = {
	{ "irq", "irq_handler_entry", "irq", PF_EVENT_IRQ_ENTRY, { { "?irq", 1, false }, { "?name", 2, true } } },
	{ "irq", "irq_handler_exit", "irq", PF_EVENT_IRQ_EXIT, { { "?irq", 1, false }, { "?ret", 2, false } } },
	{ "irq", "softirq_entry", "softirq", PF_EVENT_SOFTIRQ_ENTRY, { { "?vec", 1, false } } },
	{ "irq", "softirq_exit", "softirq", PF_EVENT_SOFTIRQ_EXIT, { { "?vec", 1, false } } },
	{ "power", "cpu_frequency", "cpu_frequency", PF_EVENT_CPU_FREQUENCY, { { "?state", 1, false }, { "?cpu_id", 2, false } } },
	{ "power", "cpu_idle", "cpu_idle", PF_EVENT_CPU_IDLE, { { "?state", 1, false }, { "?cpu_id", 2, false } } },
	{ "task", "task_newtask", NULL, PF_EVENT_TASK_NEWTASK,
	  { { "?pid", 1, false }, { "?comm", 2, true }, { "?clone_flags", 3, false }, { "?oom_score_adj", 4, false } } },
	{ "task", "task_rename", NULL, PF_EVENT_TASK_RENAME,
	  { { "?pid", 1, false }, { "?oldcomm", 2, true }, { "?newcomm", 3, true }, { "?oom_score_adj", 4, false } } },
	{ "sched", "sched_process_exec", NULL, PF_EVENT_PROCESS_EXEC, { { "?filename", 1, true }, { "?pid", 2, false }, { "?old_pid", 3, false } } },
	{ "sched", "sched_process_exit", NULL, PF_EVENT_PROCESS_EXIT, { { "?comm", 1, true }, { "?pid", 2, false }, { "?prio", 4, false } } },
	{ "sched", "sched_process_fork", NULL, PF_EVENT_PROCESS_FORK,
	  { { "?parent_comm", 1, true }, { "?parent_pid", 2, false }, { "?child_comm", 3, true }, { "?child_pid", 4, false } } },
	{ "sched", "sched_process_free", NULL, PF_EVENT_PROCESS_FREE, { { "?comm", 1, true }, { "?pid", 2, false }, { "?prio", 3, false } } },
};

enum { FTRACE_NR_EVENTS = sizeof ftrace_events / sizeof *ftrace_events };

bool rs_perfetto_is_native(const struct rs_span_kind *kind)
{
	for (size_t i = 0; i < FTRACE_NR_EVENTS; i++)
		if (ftrace_events[i].kind && !strcmp(ftrace_events[i].kind, kind->name))
			return true;
	return false;
}

/* Only if the analysis whose spans it shows was asked for. */
static bool ftrace_is_wanted(const struct rs_perfetto *pf, const struct ftrace_event *e)
{
	for (const struct rs_perfetto_kind *k = pf->kinds; e->kind && k; k = k->next)
		if (k->is_native && !strcmp(k->kind->name, e->kind))
			return true;
	return !e->kind;
}

enum { FTRACE_UNWANTED = FTRACE_NR_EVENTS };

static unsigned int ftrace_find_row(const struct rs_perfetto *pf, struct rs_ctx *c, unsigned int id)
{
	const char *system = NULL, *name = rs_event_name(c, id, &system);

	for (unsigned int i = 0; name && i < FTRACE_NR_EVENTS; i++)
		if (!strcmp(ftrace_events[i].name, name) && !strcmp(ftrace_events[i].system, system))
			return ftrace_is_wanted(pf, &ftrace_events[i]) ? i : FTRACE_UNWANTED;
	return FTRACE_UNWANTED;
}

static char *ftrace_put_field(char *p, unsigned int field, bool is_text, const struct rs_event *ev, const struct rs_field *f)
{
	char text[64];

	if (is_text)
		return rs_proto_text(p, field, text, rs_str(ev, f, text, sizeof text));
	return rs_proto_int(p, field, rs_i64(ev, f));
}

static void ftrace_on_event(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	char *event, *at, *p;
	unsigned int row;

	if (rs_api_is_muted(c) || !rs_shown(c, ev->task) || !ftrace_bundle(pf, ev->cpu))
		return;
	if (!pf->event_row[ev->id])
		pf->event_row[ev->id] = (uint8_t)(1 + ftrace_find_row(pf, c, ev->id));
	row = pf->event_row[ev->id] - 1u;
	if (row == FTRACE_UNWANTED)
		return;
	p = ftrace_open(pf->cpus[ev->cpu].bundle, ev->ts_ns, ev->tid, ftrace_events[row].field, &at, &event);
	for (unsigned int i = 0; p && i < FTRACE_MAX_FIELDS && ftrace_events[row].fields[i].name; i++)
		if (rs_has(&f[i]))
			p = ftrace_put_field(p, ftrace_events[row].fields[i].field, ftrace_events[row].fields[i].is_text, ev, &f[i]);
	if (p)
		ftrace_close(pf, ev->cpu, p, at, event);
}

/* ---- what is requested ---- */

#define FTRACE_WAKING { "comm", "pid", "prio", "target_cpu", "?common_flags" }

void rs_perfetto_request(struct rs_perfetto *pf)
{
	static const struct rs_requirement wakings[] = {
		{ "sched", "sched_waking", RS_PASSIVE, RS_BY_ANYONE, ftrace_on_waking, FTRACE_WAKING },
		{ "sched", "sched_wakeup", RS_FALLBACK, RS_BY_ANYONE, ftrace_on_waking, FTRACE_WAKING },
	};
	struct rs_requirement *row = pf->requirements;

	_Static_assert(FTRACE_NR_EVENTS + 3 <= RS_PERFETTO_MAX_REQUIREMENTS, "the last row is of zeros");
	memcpy(row, wakings, sizeof wakings);
	row += sizeof wakings / sizeof *wakings;
	for (size_t i = 0; i < FTRACE_NR_EVENTS; i++, row++) {
		const struct ftrace_event *e = &ftrace_events[i];

		*row = (struct rs_requirement){ e->system, e->name, RS_PASSIVE, RS_BY_ANYONE, ftrace_on_event, { NULL } };
		for (unsigned int k = 0; k < FTRACE_MAX_FIELDS; k++)
			row->fields[k] = e->fields[k].name;
	}
}
