// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-sums - the latencies of all analyses, by kind, operation, command, control group and disk */
#include "engine/store/latency-sums.h"

#include <stdio.h>
#include <string.h>

#define SUMS_MAX_ROWS 8192u
#define SUMS_NAMES 8192u         /* of commands and control groups, in an interval */
#define SUMS_PLACES 16384u        /* a power of two */
#define SUMS_KINDS 512u
#define SUMS_LABEL_BYTES 96u     /* of an operation: as exports show it with each span */

/*
 * A row's first key: its kind, and the numbers of its control group and command, or its disk, which no task
 * has. The evicted total of a kind has nothing but that. The second: its operation.
 */
enum { SUMS_CGROUP_SHIFT = 9, SUMS_COMMAND_SHIFT = 25, SUMS_DISK_SHIFT = 9 };

#define SUMS_NAMED (UINT64_C(1) << 63)

/* Numbers that are of no name. */
enum { SUMS_OTHERS, SUMS_NONE, SUMS_FIRST };

/* Kinds that are states of tasks; the spans' follow. */
enum { SUMS_ON_CPU, SUMS_RUN_QUEUE, SUMS_WAIT, SUMS_NR_STATES };

struct latency_sums_name {
	const char *cgroup;          /* NULL: of a command */
	char comm[RS_COMM_LEN];
};

/* In each task: its names as they were, and their numbers in a key. */
struct latency_sums_task {
	char comm[RS_COMM_LEN];
	const char *cgroup;
	uint64_t key;
	uint32_t interval;           /* 0: none yet */
};

struct latency_sums {
	uint32_t interval;           /* names are numbered anew in each */
	uint32_t nr_names;           /* with SUMS_OTHERS and SUMS_NONE */
	struct latency_sums_name names[SUMS_NAMES];
	uint16_t places[SUMS_PLACES];  /* of names, by hash; 0: free */
	struct { const struct rs_span_kind *of; struct rs_ctx *ctx; } kinds[SUMS_KINDS];
};

/* ---- keys ---- */

static bool sums_is_named(const struct latency_sums_name *n, const char *comm, const char *cgroup)
{
	return cgroup ? n->cgroup && !strcmp(n->cgroup, cgroup) :
			!n->cgroup && !strncmp(n->comm, comm, sizeof n->comm);
}

/* Returns the number of a control group, or with NULL of a command. */
static uint64_t sums_number(struct latency_sums *s, const char *comm, const char *cgroup)
{
	const char *text = cgroup ? cgroup : comm;
	size_t len = cgroup ? strlen(cgroup) : strnlen(comm, RS_COMM_LEN);
	uint32_t at = (uint32_t)rs_hash_bytes(text, len) & (SUMS_PLACES - 1);
	struct latency_sums_name *n;

	for (; s->places[at]; at = (at + 1) & (SUMS_PLACES - 1))
		if (sums_is_named(&s->names[s->places[at]], comm, cgroup))
			return s->places[at];
	if (s->nr_names == SUMS_NAMES)
		return SUMS_OTHERS;
	n = &s->names[s->nr_names];
	n->cgroup = cgroup;
	memcpy(n->comm, comm, sizeof n->comm);
	return s->places[at] = (uint16_t)s->nr_names++;
}

static uint64_t sums_task_key(struct rs_ctx *c, const struct rs_task *t)
{
	struct latency_sums_task *d = rs_task_data(c, t);
	struct latency_sums *s = c->state;

	if (d->interval != s->interval || d->cgroup != t->cgroup ||
	    memcmp(d->comm, t->comm, sizeof d->comm)) {
		d->interval = s->interval;
		d->cgroup = t->cgroup;
		memcpy(d->comm, t->comm, sizeof d->comm);
		d->key = sums_number(s, t->comm, NULL) << SUMS_COMMAND_SHIFT |
			 (t->cgroup ? sums_number(s, t->comm, t->cgroup) : SUMS_NONE) << SUMS_CGROUP_SHIFT;
	}
	return d->key;
}

/* ---- adding ---- */

static void sums_add(struct rs_ctx *c, uint64_t key, uint64_t operation, uint64_t len_ns)
{
	struct rs_latency_sum *sum = rs_store_row(c, 0, NULL, key | SUMS_NAMED, operation);

	if (sum)
		rs_latency_sum_add(sum, len_ns);
}

static bool sums_has_operation(const struct rs_span_kind *kind)
{
	return kind->label && !kind->of_task;
}

static void sums_on_span(struct rs_ctx *c, const struct rs_emitted_span *e)
{
	const struct rs_span_kind *kind = e->kind;
	const struct rs_span *span = e->span;
	unsigned int number = SUMS_NR_STATES + e->number;
	struct latency_sums *s = c->state;
	uint64_t key = number;

	if (number >= SUMS_KINDS || (span->task && rs_is_viewer(c, span->task->pid)))
		return;
	s->kinds[number].of = kind;
	s->kinds[number].ctx = e->ctx;
	if (span->task)
		key |= sums_task_key(c, span->task);
	else if (kind->track == RS_TRACK_DISK)
		key |= (uint64_t)span->id << SUMS_DISK_SHIFT;
	sums_add(c, key, sums_has_operation(kind) ? rs_span_name_arg(kind, span->arg) : 0,
		 span->end_ns - span->start_ns);
}

static void sums_add_state(struct rs_ctx *c, unsigned int kind, const struct rs_interval *iv, uint64_t cause)
{
	if (iv->task && !iv->discarded && !iv->in_flight && rs_shown(c, iv->task) && !rs_api_is_muted(c) &&
	    !rs_is_viewer(c, iv->task->pid))
		sums_add(c, kind | sums_task_key(c, iv->task), cause, iv->to_ns - iv->from_ns);
}

/* Where the begin of a slice or the end of a wait for a CPU is a bound, the latency is not known. */
static void sums_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	if (!iv->inferred)
		sums_add_state(c, iv->kind == RS_RUN ? SUMS_ON_CPU : SUMS_RUN_QUEUE, iv, 0);
}

static void sums_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	sums_add_state(c, SUMS_WAIT, w->interval, w->cause);
}

/* ---- columns ---- */

static const struct rs_span_kind *sums_kind_of(const struct rs_ctx *c, const struct rs_group *g)
{
	return ((const struct latency_sums *)c->state)->kinds[g->keys[0] & (SUMS_KINDS - 1)].of;
}

static struct rs_value sums_text(const char *text)
{
	return (struct rs_value){ .s = text, .known = true };
}

static struct rs_value sums_show_kind(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	static const char *const states[] = { [SUMS_ON_CPU] = "on-cpu", [SUMS_RUN_QUEUE] = "run-queue",
					      [SUMS_WAIT] = "wait" };
	unsigned int kind = g->keys[0] & (SUMS_KINDS - 1);

	return sums_text(kind < SUMS_NR_STATES ? states[kind] : sums_kind_of(c, g)->name);
}

static struct rs_value sums_show_operation(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct latency_sums *s = c->state;
	const struct rs_span_kind *of = sums_kind_of(c, g);
	unsigned int kind = g->keys[0] & (SUMS_KINDS - 1);

	if (of ? !sums_has_operation(of) : kind != SUMS_WAIT)
		return rs_null();
	if (!(g->keys[0] & SUMS_NAMED))
		return sums_text(RS_LATENCY_OTHERS);
	return sums_text(of ? of->label(s->kinds[kind].ctx, g->keys[1], buf, SUMS_LABEL_BYTES) :
			      rs_cause_row((enum rs_cause)g->keys[1])->name);
}

static struct rs_value sums_show_name(struct rs_ctx *c, const struct rs_group *g, unsigned int shift)
{
	const struct rs_span_kind *of = sums_kind_of(c, g);
	uint64_t number = g->keys[0] >> shift & 0xffff;
	const struct latency_sums_name *n = &((const struct latency_sums *)c->state)->names[number];

	if (number == SUMS_NONE || (of && of->track != RS_TRACK_TASK))
		return rs_null();
	return sums_text(number == SUMS_OTHERS ? RS_LATENCY_OTHERS : n->cgroup ? n->cgroup : n->comm);
}

static struct rs_value sums_show_command(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return sums_show_name(c, g, SUMS_COMMAND_SHIFT);
}

static struct rs_value sums_show_cgroup(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return sums_show_name(c, g, SUMS_CGROUP_SHIFT);
}

static struct rs_value sums_show_disk(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_span_kind *of = sums_kind_of(c, g);
	uint32_t dev = (uint32_t)(g->keys[0] >> SUMS_DISK_SHIFT);
	const char *name;

	if (!of || of->track != RS_TRACK_DISK)
		return rs_null();
	if (!(g->keys[0] & SUMS_NAMED))
		return sums_text(RS_LATENCY_OTHERS);
	name = rs_disk_name(c, dev);
	if (!name)
		snprintf(buf, RS_CELL_TEXT_BYTES, "%u,%u", dev >> 20, dev & 0xfffff);
	return sums_text(name ? name : buf);
}

#define SUMS_COLUMN(name, cell_) \
	{ name, name, RS_TYPE_TEXT, .key = RS_KEY_0, .by_cell = true, .cell = (cell_) }

static const struct rs_column sums_columns[] = {
	[RS_LATENCY_KIND] = SUMS_COLUMN("kind", sums_show_kind),
	[RS_LATENCY_OPERATION] = SUMS_COLUMN("operation", sums_show_operation),
	[RS_LATENCY_COMMAND] = SUMS_COLUMN("command", sums_show_command),
	[RS_LATENCY_CGROUP] = SUMS_COLUMN("cgroup", sums_show_cgroup),
	[RS_LATENCY_DISK] = SUMS_COLUMN("disk", sums_show_disk),
	[RS_NR_LATENCY_COLUMNS] = { 0 },
};

/* ---- the analysis ---- */

static void sums_reset(struct rs_ctx *c)
{
	struct latency_sums *s = c->state;

	s->interval++;
	s->nr_names = SUMS_FIRST;
	memset(s->places, 0, sizeof s->places);
}

static int sums_begin(struct rs_ctx *c)
{
	sums_reset(c);
	return 0;
}

static const struct rs_store sums_stores[] = {
	{ .row_bytes = sizeof(struct rs_latency_sum), .max_rows = SUMS_MAX_ROWS,
	  .kept_keys = 1, .kept_bits = SUMS_KINDS - 1,
	  .measures = RS_LIST(rs_measure,
		RS_MEASURE_SUMS(struct rs_latency_sum, nr, above[RS_LATENCY_BOUNDS - 1]),
		{ RS_MEASURE_MAX, offsetof(struct rs_latency_sum, max_ns) }) },
	{ 0 },
};

static const struct rs_callback sums_callbacks[] = {
	{ RS_ON_SPAN, .span = sums_on_span },
	{ RS_ON_INTERVAL, .interval = sums_on_interval,
	  .kinds = 1u << RS_RUN | 1u << RS_DELAY | 1u << RS_PREEMPTED },
	{ RS_ON_WAIT, .wait = sums_on_wait },
	{ 0 },
};

static const struct rs_view sums_view = {
	.name = "latencies", .summary = "latencies of all analyses", .kind = RS_VIEW_TABLE,
	.columns = sums_columns, .store = sums_stores, .by = "kind,operation,command",
};

/* Not among its .views: an analysis without these is on without sched events, too. */
const struct rs_view_ref rs_latency_sums_view = { &rs_latency_sums, &sums_view, 0 };

const struct rs_analysis rs_latency_sums = {
	.abi = RS_ABI, .name = "latency-sums",
	.summary = "latencies of all analyses, for programs that take sums",
	.requires_states = true, .callbacks = sums_callbacks, .stores = sums_stores,
	.state_size = sizeof(struct latency_sums), .task_size = sizeof(struct latency_sums_task),
	.begin = sums_begin, .reset = sums_reset,
};
