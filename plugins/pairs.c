// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pairs - two events that belong together: how long from one to the other, for those that the user names or
 * that are known
 */
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"

#define CPU_IDLE_LEFT UINT32_MAX /* PWR_EVENT_EXIT, (u32)-1 */

static const struct rs_pair known[] = {
	/*
	 * of each virtual CPU, which is a thread: what the host does for the guest, and the guest's own time
	 */
	{ .begin = "kvm:kvm_exit", .end = "kvm:kvm_entry", .key = "task" },
	{ .begin = "kvm:kvm_entry", .end = "kvm:kvm_exit", .key = "task" },
	{ .begin = "workqueue:workqueue_queue_work", .end = "workqueue:workqueue_execute_start",
	  .key = "work" },
	{ .begin = "workqueue:workqueue_execute_start", .end = "workqueue:workqueue_execute_end",
	  .key = "work" },
	{ .begin = "timer:hrtimer_expire_entry", .end = "timer:hrtimer_expire_exit", .key = "hrtimer",
	  .on_cpu = true },
	{ .begin = "timer:timer_expire_entry", .end = "timer:timer_expire_exit", .key = "timer",
	  .on_cpu = true },
	{ .begin = "power:cpu_idle", .end = "power:cpu_idle", .key = "cpu", .state = "state",
	  .end_value = CPU_IDLE_LEFT },
	{ .begin = "irq_vectors:*_entry", .end = "irq_vectors:*_exit", .key = "cpu", .nests = true },
	{ .begin = "ftrace:funcgraph_entry", .end = "ftrace:funcgraph_exit", .key = "task", .nests = true },
};

#define PAIRS_NR_KNOWN (sizeof known / sizeof *known)

/* With its system, or by its name alone. */
static bool pairs_is_called(const char *event, const char *given)
{
	const char *colon = strchr(event, ':');

	return !strcmp(event, given) || (colon && !strcmp(colon + 1, given));
}

/* What is known of the two that were named, or nothing but their names. */
static struct rs_pair named(const char *begin, const char *end, const char *key)
{
	struct rs_pair pair = { .key = "task" };

	for (size_t i = 0; i < PAIRS_NR_KNOWN; i++)
		if (pairs_is_called(known[i].begin, begin) && pairs_is_called(known[i].end, end))
			pair = known[i];
	pair.begin = begin;
	pair.end = end;
	pair.key = key ? key : pair.key;
	pair.required = true;
	return pair;
}

static size_t pairs(const struct rs_pair_words *asked, struct rs_pair *out, size_t max)
{
	size_t nr = 0;

	for (size_t i = 0; i + 1 < asked->nr_words && nr < max; i += 2)
		out[nr++] = named(asked->words[i], asked->words[i + 1], asked->key);
	for (size_t i = 0; !asked->nr_words && i < PAIRS_NR_KNOWN && nr < max; i++)
		out[nr++] = known[i];
	return nr;
}

/* Pairs of one kind (key 0), one task and one key of theirs (key 1). */
struct pairs_row {
	struct rs_hist lat;
	struct rs_peak peak;
};

static const struct rs_measure measures[] = {
	{ RS_MEASURE_LATENCY, offsetof(struct pairs_row, lat) },
	{ RS_MEASURE_PEAK, offsetof(struct pairs_row, peak) },
	{ 0 },
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct pairs_row), .measures = measures, .of_tasks = true,
	  .stays_with_thread = true,
	  .max_rows = 4096, .kept_keys = 1 },
	{ 0 },
};

/* ---- names ---- */

static void pair_text(const struct rs_ctx *c, unsigned int index, char *buf, size_t size_bytes)
{
	const struct rs_pair_name *n = rs_pair_name(c, index);

	if (!n)
		snprintf(buf, size_bytes, "?");
	else if (!strcmp(n->begin, n->end))
		snprintf(buf, size_bytes, "%s", n->begin);
	else
		snprintf(buf, size_bytes, "%s-%s", n->begin, n->end);
}

/* "vcpu_id=3"; of a task or a CPU the row says it otherwise, or "cpu=2" */
static bool key_text(const struct rs_ctx *c, unsigned int index, uint64_t key, char *buf, size_t size_bytes)
{
	const struct rs_pair_name *n = rs_pair_name(c, index);

	if (!n || n->by_task)
		return false;
	if (key > UINT32_MAX)
		snprintf(buf, size_bytes, "%s=0x%" PRIx64, n->key, key);
	else
		snprintf(buf, size_bytes, "%s=%" PRIu64, n->key, key);
	return true;
}

/* ---- spans ---- */

enum { SPAN_TASK, SPAN_CPU, SPAN_ASYNC };

static const char *label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	pair_text(c, (unsigned int)arg, buf, size_bytes);
	return buf;
}

static const struct rs_column span_columns[] = {
	{ "key", "KEY", RS_TYPE_TEXT, 0, 0, 12, "what both events have alike" },
	{ 0 },
};

/*
 * On the CPU where it happens to one; else on the task that began it, beside the others where it may end in
 * another.
 */
static void pairs_emit_span(struct rs_ctx *c, const struct rs_pair_end *p)
{
	const struct rs_pair_name *n = rs_pair_name(c, p->index);
	bool on_cpu = n && (n->on_cpu || !p->task);
	struct rs_value key = rs_null();
	char text[96];

	if (on_cpu && p->begin_cpu != p->end_cpu)
		return;
	if (rs_span_values_enabled(c) && key_text(c, p->index, p->key, text, sizeof text))
		key = rs_s(text);
	rs_emit_span(c, on_cpu ? SPAN_CPU : n && n->by_task ? SPAN_TASK : SPAN_ASYNC,
		     &(struct rs_span){ .task = on_cpu ? NULL : p->task, .id = p->begin_cpu,
					.start_ns = p->begin_ns, .end_ns = p->end_ns,
				  .in_flight = p->in_flight, .arg = p->index, .values = &key });
}

/* ---- each as it ends ---- */

enum { VIEW_PAIRS, VIEW_HIST, VIEW_LIST };

static const struct rs_column list_columns[] = {
	{ "start_ns", "START(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, "when it began" },
	{ "pair", "PAIR", RS_TYPE_TEXT, 0, 0, 30, "the events, begin-end" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the task in whose context it began; null: idle" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 7, "its thread" },
	{ "key", "KEY", RS_TYPE_TEXT, 0, 0, 12, "what both events have alike; null: the task" },
	{ "cpu", "CPU", RS_TYPE_ID, 0, 0, 3, "the CPU that it began on" },
	{ "end_cpu", "ENDCPU", RS_TYPE_ID, 0, 0, 6, "and that it ended on" },
	{ "lat_ns", "LAT(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
	  "from the begin to the end" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

static void pairs_list_pair(struct rs_ctx *c, const struct rs_pair_end *p)
{
	char pair[160], key[96];

	if (!rs_row_is_shown(c, VIEW_LIST, p->end_ns - p->begin_ns))
		return;
	pair_text(c, p->index, pair, sizeof pair);
	rs_emit(c, VIEW_LIST,
		(const struct rs_value[]){
			rs_u(p->begin_ns),
			rs_s(pair),
			rs_s(p->task ? p->task->comm : NULL),
			rs_u_if(p->task && p->task->pid, p->task ? (uint64_t)p->task->pid : 0),
			rs_u_if(p->task, p->task ? (uint64_t)p->task->tid : 0),
			rs_s(key_text(c, p->index, p->key, key, sizeof key) ? key : NULL),
			rs_u(p->begin_cpu),
			rs_u(p->end_cpu),
			rs_u(p->end_ns - p->begin_ns),
		});
}

static void pairs_on_pair(struct rs_ctx *c, const struct rs_pair_end *p)
{
	struct pairs_row *row;

	if (!rs_shown(c, p->task))
		return;
	if (rs_spans_enabled(c))
		pairs_emit_span(c, p);
	if (rs_has_subscriber(c, VIEW_LIST))
		pairs_list_pair(c, p);
	if (c->no_rows)
		return;
	row = rs_store_row(c, 0, p->task, p->index, p->key);
	if (!row)
		return;
	rs_peak_add(&row->peak, p->begin_ns, p->end_ns - p->begin_ns, NULL);
	rs_latency_add(c, &row->lat, p->begin_ns, p->end_ns, false);
}

/* ---- rows ---- */

static struct rs_value pairs_show_pair(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	pair_text(c, (unsigned int)g->keys[0], buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

static struct rs_value pairs_show_key(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return key_text(c, (unsigned int)g->keys[0], g->keys[1], buf, RS_CELL_TEXT_BYTES) ? rs_s(buf) :
											    rs_null();
}

/* What was counted of a pair is of all its rows together. */
static bool pairs_is_whole(const struct rs_group *g)
{
	return !rs_group_is_by(g, "comm") && !rs_group_is_by(g, "pid") && !rs_group_is_by(g, "tid") &&
	       !rs_group_is_by(g, "key");
}

static struct rs_value pairs_show_in_flight(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u_if(pairs_is_whole(g), rs_pair_counts(c, (unsigned int)g->keys[0]).in_flight);
}

static struct rs_value pairs_show_unmatched(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u_if(pairs_is_whole(g), rs_pair_counts(c, (unsigned int)g->keys[0]).unmatched);
}

static struct rs_value pairs_show_discarded(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u_if(pairs_is_whole(g), rs_pair_counts(c, (unsigned int)g->keys[0]).discarded);
}

#define PAIRS_LATENCY .measure_bytes = offsetof(struct pairs_row, lat), .aspect
#define PAIRS_KEYS(of_task, of_key) \
	{ "pair", "PAIR", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 30, "the events, begin-end", .key = RS_KEY_0, \
	  .always = true, .cell = pairs_show_pair }, \
	{ "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, of_task, .key = RS_KEY_COMM }, \
	{ "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its process", .key = RS_KEY_PID }, \
	{ "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its thread", .key = RS_KEY_TID }, \
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_ON_REQUEST), \
	{ "key", "KEY", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 12, of_key, .key = RS_KEY_1, .cell = pairs_show_key }

static const struct rs_column columns[] = {
	PAIRS_KEYS("the task in whose context they began; null: all, or idle",
		   "what both events have alike, with --by key; null: the task, or all"),
	{ "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "pairs that began, and whose end was seen",
	  PAIRS_LATENCY = RS_COUNT },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "sum of their times",
	  PAIRS_LATENCY = RS_TOTAL },
	{ "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "average", PAIRS_LATENCY = RS_AVG },
	{ "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "median", PAIRS_LATENCY = RS_P50 },
	{ "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "99 % took no longer",
	  PAIRS_LATENCY = RS_P99 },
	{ "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
	  "the longest",
	  PAIRS_LATENCY = RS_MAX },
	{ "max_at_ns", "MAX AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, "when that began",
	  .measure_bytes = offsetof(struct pairs_row, peak), .aspect = RS_PEAK_AT },
	{ "in_flight", "OPEN", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5,
	  "in flight; null where a row is a part of its pair", .cell = pairs_show_in_flight },
	{ "unmatched", "UNMATCHED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "ends without a begin, and begins that the next one came after; null likewise",
	  .cell = pairs_show_unmatched },
	{ "discarded", "DISCARDED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "begins that a loss made uncertain; null likewise", .cell = pairs_show_discarded },
	{ 0 },
};

/* "kvm_exit-kvm_entry, qemu, vcpu_id=3" */
static void pairs_label(const struct rs_value *values, char *buf, size_t size_bytes)
{
	const struct rs_value *comm = &values[1], *key = &values[4];

	snprintf(buf, size_bytes, "%s%s%s%s%s", values[0].s, comm->known ? ", " : "",
		 comm->known ? comm->s : "", key->known ? ", " : "", key->known ? key->s : "");
}

static void pairs_emit_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct rs_pair_end p;

	for (unsigned int i = 0; rs_pair_name(c, i); i++) {
		uint32_t place = 0;

		while (rs_pair_in_flight(c, i, &place, &p))
			if (rs_shown(c, p.task))
				pairs_emit_span(c, &p);
	}
}

const struct rs_analysis rs_analysis_pairs = {
	.abi = RS_ABI,
	.name = "pairs",
	.summary = "pairs of events that belong together",
	.callbacks = RS_LIST(rs_callback, { RS_ON_PAIR, .pair = pairs_on_pair }),
	.views = RS_LIST(
		rs_view,
		[VIEW_PAIRS] = { .name = "pairs", .topic = RS_TOPIC_EVENTS,
				 .summary = "two events that belong together: how often, and how long from "
					    "one to the other",
				 .kind = RS_VIEW_TABLE,
				 .columns = columns,
				 .options = "WORDS,key,event,by,list,histogram",
				 .list = "pair-list",
				 .histogram = "pair-latency",
				 .sort = "-total_ns",
				 .store = stores,
				 .by = "pair",
				 .text_columns = "pair,comm,key,count,total_ns,avg_ns,p50_ns,p99_ns,max_ns,"
						 "in_flight,unmatched,discarded",
				 .latencies = RS_LIST(rs_latencies,
						      { "total_ns,avg_ns,p50_ns,p99_ns,max_ns",
							.kind = "pair", .label_column = "pair" }) },
		[VIEW_HIST] = { .name = "pair-latency", .topic = RS_TOPIC_EVENTS,
				.summary =
					"distribution of the latency of pairs of events (pairs --histogram)",
				.kind = RS_VIEW_HIST,
				.options = "WORDS,key,event,by",
				.store = stores,
				.by = "pair",
				.label = pairs_label,
				.by_name = true,
				.text_columns = "pair,from_ns,to_ns,count",
				.columns = RS_LIST(rs_column,
						   PAIRS_KEYS("the task in whose context they began",
							      "what both events have alike"),
						   { "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10,
						     "the bucket's lower end",
						     .measure_bytes = offsetof(struct pairs_row, lat) },
						   { "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10,
						     "the bucket's upper end, not in it" },
						   { "count", "count", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10,
						     "pairs of that latency" }) },
		[VIEW_LIST] = { .name = "pair-list", .topic = RS_TOPIC_EVENTS,
				.summary = "each pair of events as it ends (pairs --list)",
				.kind = RS_VIEW_STREAM,
				.columns = list_columns,
				.options = "WORDS,key,event",
				.by_name = true }),
	.spans = RS_LIST(rs_span_kind,
			 [SPAN_TASK] = { .name = "pair",
					 .track = RS_TRACK_TASK,
					 .shape = RS_SPAN_SLICE,
					 .label = label,
					 .columns = span_columns,
					 .slowest = "pair of events" },
			 [SPAN_CPU] = { .name = "pair on a CPU",
					.track = RS_TRACK_CPU,
					.shape = RS_SPAN_SLICE,
					.label = label,
					.columns = span_columns },
			 [SPAN_ASYNC] = { .name = "pair across tasks",
					  .track = RS_TRACK_TASK,
					  .shape = RS_SPAN_ASYNC,
					  .label = label,
					  .columns = span_columns,
					  .slowest = "pair of events" }),
	.stores = stores,
	.pairs = pairs,
	.emit_in_flight = pairs_emit_in_flight,
};
