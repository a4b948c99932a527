// SPDX-License-Identifier: GPL-2.0-or-later
/* events - how often each event occurs, on how many CPUs, by how many tasks; and each event as a line */
#include <errno.h>
#include <stdio.h>

#include "ringside/plugin.h"

static const struct rs_column columns[] = {
	{ "event", "EVENT", RS_TYPE_TEXT, 0, 0, 40, "system and name" },
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "how many" },
	{ "rate", "RATE/s", RS_TYPE_MILLI, 0, 0, 12, "how many a second, over the whole time" },
	{ "cpus", "CPUS", RS_TYPE_COUNT, 0, 0, 4, "on how many CPUs" },
	{ "tasks", "TASKS", RS_TYPE_COUNT, 0, 0, 6,
	  "in the context of how many tasks, idle apart; null: too many to tell" },
	{ "first_ns", "FIRST(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when the first came" },
	{ "last_ns", "LAST(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when the last came" },
	{ 0 },
};

static const struct rs_column list_columns[] = {
	{ "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when it came" },
	{ "cpu", "CPU", RS_TYPE_ID, 0, 0, 3, "the CPU" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the task in whose context it fired; null: idle" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 7, "its thread; 0: idle" },
	{ "event", "EVENT", RS_TYPE_TEXT, 0, 0, 30, "system and name" },
	{ "fields", "FIELDS", RS_TYPE_TEXT, 0, 0, 6, "its fields, name=value; of a marker its text" },
	{ "text", "TEXT", RS_TYPE_TEXT, 0, 0, 4,
	  "as the kernel prints it: flags and symbols by name; its fields where no text can be made of "
	  "them" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

enum { VIEW_EVENTS, VIEW_LIST };

/* What is counted of each ID: in one cache line, for it is touched by each event. */
struct event {
	uint64_t nr, first_ns, last_ns;
	uint64_t cpus;          /* a bit each; of CPUs beyond 63 see more_cpus */
	int32_t last_tid;       /* the last task that was added to the set; 0: none */
	uint32_t nr_tasks;
	/* it is the stack of the event before it: raw addresses */
	enum event_stack { STACK_UNKNOWN, STACK_NO, STACK_YES } is_stack;
};

struct member {
	uint32_t id_and_one;    /* 0: empty */
	int32_t tid;
};

#define EVENTS_NR_MEMBERS 65536u       /* a power of two; at three quarters full no task is added */

struct events {
	struct event *all;      /* by ID */
	unsigned int nr_ids;
	uint64_t *more_cpus;    /* of machines with more than 64 CPUs: nr_words for each ID; else NULL */
	unsigned int nr_words;
	struct member *members;
	unsigned int nr_members;
	bool too_many;          /* tasks: what the set holds is not all */
};

enum { SPAN_EVENT, SPAN_IDLE_EVENT };

static const char *events_span_label(struct rs_ctx *c, uint64_t id, char *buf, size_t size_bytes)
{
	const char *system, *name = rs_event_name(c, (unsigned int)id, &system);

	return name;
}

static const struct rs_column span_columns[] = {
	{ "fields", "FIELDS", RS_TYPE_TEXT, 0, 0, 6, "its fields, name=value; of a marker its text" },
	{ 0 },
};

/* The set of (event, task). */
static __attribute__((noinline)) void events_add_task(struct events *s, struct event *e, uint32_t id,
						      int32_t tid)
{
	uint32_t at = (((uint32_t)tid * 2654435761u ^ id * 2246822519u) >> 7) % EVENTS_NR_MEMBERS;

	e->last_tid = tid;
	while (s->members[at].id_and_one) {
		if (s->members[at].id_and_one == id + 1 && s->members[at].tid == tid)
			return;
		at = (at + 1) % EVENTS_NR_MEMBERS;
	}
	if (s->nr_members >= EVENTS_NR_MEMBERS / 4 * 3) {
		s->too_many = true;
		return;
	}
	s->members[at] = (struct member){ id + 1, tid };
	s->nr_members++;
	e->nr_tasks++;
}

static inline void events_count(struct events *s, const struct rs_event *ev)
{
	struct event *e = &s->all[ev->id];

	if (!e->nr++)
		e->first_ns = ev->ts_ns;
	e->last_ns = ev->ts_ns;
	if (ev->cpu < 64)
		e->cpus |= 1ull << ev->cpu;
	else if (s->more_cpus)
		s->more_cpus[ev->id * s->nr_words + ev->cpu / 64] |= 1ull << ev->cpu % 64;
	if (ev->tid != e->last_tid && ev->tid > 0)
		events_add_task(s, e, ev->id, ev->tid);
}

static void event_text(struct rs_ctx *c, unsigned int id, char *buf, size_t size_bytes)
{
	const char *system, *name = rs_event_name(c, id, &system);

	snprintf(buf, size_bytes, "%s:%s", name ? system : "?", name ? name : "?");
}

static __attribute__((noinline)) void events_list_event(struct rs_ctx *c, const struct rs_event *ev)
{
	char name[160];

	if (!rs_row_is_shown(c, VIEW_LIST, 0))
		return;
	event_text(c, ev->id, name, sizeof name);
	rs_emit(c, VIEW_LIST,
		(const struct rs_value[]){
			rs_u(ev->ts_ns),
			rs_u(ev->cpu),
			rs_s(ev->task ? ev->task->comm : NULL),
			rs_u_if(ev->tid >= 0, (uint64_t)ev->tid),
			rs_s(name),
			rs_s(rs_event_text(c, ev)),
			rs_s(rs_event_print(c, ev)),
		});
}

static bool events_is_stack(struct rs_ctx *c, struct event *e, unsigned int id)
{
	const char *system, *name = e->is_stack == STACK_UNKNOWN ? rs_event_name(c, id, &system) : NULL;

	if (e->is_stack == STACK_UNKNOWN)
		e->is_stack = name && (!strcmp(name, "kernel_stack") || !strcmp(name, "user_stack")) ?
				      STACK_YES :
				      STACK_NO;
	return e->is_stack == STACK_YES;
}

static __attribute__((noinline)) void events_emit_span(struct rs_ctx *c, const struct rs_event *ev)
{
	struct events *s = c->state;
	struct rs_value text;

	if (rs_event_is_drawn(c, ev->id) || events_is_stack(c, &s->all[ev->id], ev->id))
		return;
	text = rs_span_values_enabled(c) ? rs_s(rs_event_text(c, ev)) : rs_null();
	rs_emit_span(c, ev->task ? SPAN_EVENT : SPAN_IDLE_EVENT,
		     &(struct rs_span){ .task = ev->task, .id = ev->cpu, .start_ns = ev->ts_ns,
					.end_ns = ev->ts_ns, .arg = ev->id,
				  .values = &text });
}

static void on_event(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	if (!rs_shown(c, ev->task))
		return;
	events_count(c->state, ev);
	if (rs_spans_enabled(c))
		events_emit_span(c, ev);
	if (rs_has_subscriber(c, VIEW_LIST))
		events_list_event(c, ev);
}

/* ---- rows ---- */

static unsigned int nr_cpus(const struct events *s, unsigned int id)
{
	unsigned int nr = (unsigned int)__builtin_popcountll(s->all[id].cpus);

	for (unsigned int i = 0; s->more_cpus && i < s->nr_words; i++)
		nr += (unsigned int)__builtin_popcountll(s->more_cpus[id * s->nr_words + i]);
	return nr;
}

static void events_put_group(struct rs_ctx *c, unsigned int id, struct rs_sink *out)
{
	const struct events *s = c->state;
	const struct event *e = &s->all[id];
	char name[160];

	event_text(c, id, name, sizeof name);
	out->row(out,
		 (const struct rs_value[]){
			 rs_s(name),
			 rs_u(e->nr),
			 rs_milli_per_second(c, e->nr),
			 rs_u(nr_cpus(s, id)),
			 rs_u_if(!s->too_many, e->nr_tasks),
			 rs_u(e->first_ns),
			 rs_u(e->last_ns),
		 });
}

static int events_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct events *s = c->state;

	for (unsigned int id = 0; id < s->nr_ids; id++)
		if (s->all[id].nr)
			events_put_group(c, id, out);
	return 0;
}

static int events_init(struct rs_ctx *c)
{
	struct events *s = c->state;

	s->nr_ids = rs_nr_event_ids(c);
	s->nr_words = (rs_nr_cpus(c) + 63) / 64;
	s->all = rs_alloc(c, s->nr_ids, sizeof *s->all);
	s->members = rs_alloc(c, EVENTS_NR_MEMBERS, sizeof *s->members);
	if (s->nr_words > 1)
		s->more_cpus = rs_alloc(c, (size_t)s->nr_ids * s->nr_words, sizeof *s->more_cpus);
	return s->all && s->members && (s->nr_words < 2 || s->more_cpus) ? 0 : -ENOMEM;
}

static void events_reset(struct rs_ctx *c)
{
	struct events *s = c->state;

	memset(s->all, 0, s->nr_ids * sizeof *s->all);
	if (s->more_cpus)
		memset(s->more_cpus, 0, (size_t)s->nr_ids * s->nr_words * sizeof *s->more_cpus);
	if (s->nr_members)
		memset(s->members, 0, EVENTS_NR_MEMBERS * sizeof *s->members);
	s->nr_members = 0;
	s->too_many = false;
}

const struct rs_analysis rs_analysis_events = {
	.abi = RS_ABI,
	.name = "events",
	.summary = "the events themselves",
	.requirements = RS_LIST(rs_requirement, { "*", "*", RS_NAMED, RS_BY_ANYONE, on_event, { NULL } }),
	.views = RS_LIST(rs_view,
		[VIEW_EVENTS] = { .name = "events", .topic = RS_TOPIC_EVENTS,
				  .summary = "each event: how often, on which CPUs, in how many tasks",
				  .kind = RS_VIEW_TABLE,
				  .columns = columns, .options = "event,list", .on_request = true,
				  .list = "event-list", .sort = "-count", .rows = events_put_rows,
				  .panel = &(const struct rs_panel){
					.kind = RS_PANEL_TABLE, .title = "Events", .place = 90,
					.otherwise = true,
					.columns = "event,count,rate,cpus,tasks",
				  } },
		[VIEW_LIST] = { .name = "event-list", .topic = RS_TOPIC_EVENTS,
				.summary = "each event with its fields, as it comes (events --list)",
				.kind = RS_VIEW_STREAM,
				.columns = list_columns, .options = "event", .by_name = true,
				.text_columns = "time_ns,cpu,comm,tid,event,text" }),
	/*
	 * Not for events that another analysis reads: its spans show them. Nor for stacks: they belong to the
	 * events before them.
	 */
	.spans = RS_LIST(rs_span_kind,
		[SPAN_EVENT] = { .name = "event", .track = RS_TRACK_TASK, .shape = RS_SPAN_INSTANT,
				 .label = events_span_label,
				 .columns = span_columns },
		[SPAN_IDLE_EVENT] = { .name = "idle event", .track = RS_TRACK_CPU, .shape = RS_SPAN_INSTANT,
				      .label = events_span_label,
				      .columns = span_columns }),
	.state_size = sizeof(struct events),
	.begin = events_init,
	.reset = events_reset,
};
