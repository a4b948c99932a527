// SPDX-License-Identifier: GPL-2.0-or-later
/* pairs - two events that belong together: how long from one to the other, for those that the user names or that are known */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "ringside/group.h"
#include "ringside/plugin.h"

/* ---- which ---- */

#define CPU_IDLE_LEFT UINT32_MAX /* PWR_EVENT_EXIT, (u32)-1 */

static const struct rs_pair known[] = {
	/* of each virtual CPU, which is a thread: what the host does for the guest, and the guest's own time */
	{ .begin = "kvm:kvm_exit", .end = "kvm:kvm_entry", .key = "task" },
	{ .begin = "kvm:kvm_entry", .end = "kvm:kvm_exit", .key = "task" },
	{ .begin = "workqueue:workqueue_queue_work", .end = "workqueue:workqueue_execute_start", .key = "work" },
	{ .begin = "workqueue:workqueue_execute_start", .end = "workqueue:workqueue_execute_end", .key = "work" },
	{ .begin = "timer:hrtimer_expire_entry", .end = "timer:hrtimer_expire_exit", .key = "hrtimer", .on_cpu = true },
	{ .begin = "timer:timer_expire_entry", .end = "timer:timer_expire_exit", .key = "timer", .on_cpu = true },
	{ .begin = "power:cpu_idle", .end = "power:cpu_idle", .key = "cpu", .state = "state", .end_value = CPU_IDLE_LEFT },
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

/* ---- what is kept ---- */

#define PAIRS_MAX_GROUPS 4096 /* with a histogram each; what is beyond goes into the pair's rest */
#define NR_BUCKETS 1024

/* Pairs of one kind, one task and one key: what any --by is merged from. */
struct pairs_group {
	struct pairs_group *chain;
	unsigned int index;
	uint64_t key;
	int32_t tid, pid;
	uint32_t inst;
	char comm[RS_COMM_LEN];
	bool is_evicted_total;
	struct rs_hist lat;
	uint64_t max_at_ns;
};

struct pairs {
	struct pairs_group *buckets[NR_BUCKETS];
	struct pairs_group evicted_total[RS_MAX_PAIRS];
	unsigned int nr_groups;
};

static struct pairs_group **pairs_bucket_of(struct pairs *s, const struct rs_pair_end *p)
{
	uint64_t v = p->key * UINT64_C(0x9e3779b97f4a7c15) + p->index * 31u + (p->task ? (uint32_t)p->task->tid * UINT64_C(2654435761) : 0);

	return &s->buckets[(v >> 20) % NR_BUCKETS];
}

static bool pairs_belongs_to(const struct pairs_group *g, const struct rs_pair_end *p)
{
	return g->index == p->index && g->key == p->key && g->tid == (p->task ? p->task->tid : 0) &&
	       g->inst == (p->task ? p->task->inst : 0);
}

static struct pairs_group *pairs_add_group(struct rs_ctx *c, const struct rs_pair_end *p,
					   struct pairs_group **bucket)
{
	struct pairs *s = c->state;
	struct pairs_group *g = s->nr_groups < PAIRS_MAX_GROUPS ? calloc(1, sizeof *g) : NULL;

	if (!g) {
		rs_count_evicted(c);
		return &s->evicted_total[p->index];
	}
	*g = (struct pairs_group){ .chain = *bucket, .index = p->index, .key = p->key };
	if (p->task) {
		g->tid = p->task->tid;
		g->inst = p->task->inst;
	}
	rs_hist_init(&g->lat);
	*bucket = g;
	s->nr_groups++;
	return g;
}

static struct pairs_group *pairs_find_group(struct rs_ctx *c, const struct rs_pair_end *p)
{
	struct pairs_group **bucket = pairs_bucket_of(c->state, p), *g = *bucket;

	while (g && !pairs_belongs_to(g, p))
		g = g->chain;
	if (!g)
		g = pairs_add_group(c, p, bucket);
	if (p->task && !g->is_evicted_total) { /* the name may have become known, or changed */
		g->pid = p->task->pid;
		memcpy(g->comm, p->task->comm, sizeof g->comm);
	}
	return g;
}

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

static const struct rs_span_kind spans[] = {
	[SPAN_TASK] = { .name = "pair", .track = RS_TRACK_TASK, .shape = RS_SPAN_SLICE, .label = label, .columns = span_columns,
			.slowest = "pair of events" },
	[SPAN_CPU] = { .name = "pair on a CPU", .track = RS_TRACK_CPU, .shape = RS_SPAN_SLICE, .label = label,
		       .columns = span_columns },
	[SPAN_ASYNC] = { .name = "pair across tasks", .track = RS_TRACK_TASK, .shape = RS_SPAN_ASYNC, .label = label,
			 .columns = span_columns, .slowest = "pair of events" },
	{ 0 },
};

/* On the CPU where it happens to one; else on the task that began it, beside the others where it may end in another. */
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
		     &(struct rs_span){ .task = on_cpu ? NULL : p->task, .id = p->begin_cpu, .start_ns = p->begin_ns, .end_ns = p->end_ns,
				  .open = p->open, .arg = p->index, .values = &key });
}

/* ---- each as it ends ---- */

enum { VIEW_PAIRS, VIEW_HIST, VIEW_LIST };
enum { LIST_BEGIN, LIST_PAIR, LIST_COMM, LIST_PID, LIST_TID, LIST_KEY, LIST_CPU, LIST_END_CPU, LIST_LAT, NR_LIST_COLUMNS };

static const struct rs_column list_columns[] = {
	[LIST_BEGIN] = { "start_ns", "START(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when it began" },
	[LIST_PAIR] = { "pair", "PAIR", RS_TYPE_TEXT, 0, 0, 30, "the events, begin-end" },
	[LIST_COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the task in whose context it began; null: idle" },
	[LIST_PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[LIST_TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "its thread" },
	[LIST_KEY] = { "key", "KEY", RS_TYPE_TEXT, 0, 0, 12, "what both events have alike; null: the task" },
	[LIST_CPU] = { "cpu", "CPU", RS_TYPE_ID, 0, 0, 3, "the CPU that it began on" },
	[LIST_END_CPU] = { "end_cpu", "ENDCPU", RS_TYPE_ID, 0, 0, 6, "and that it ended on" },
	[LIST_LAT] = { "lat_ns", "LAT(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 10, "from the begin to the end" },
	{ 0 },
};

static void pairs_list_pair(struct rs_ctx *c, const struct rs_pair_end *p)
{
	struct rs_value v[NR_LIST_COLUMNS];
	char pair[160], key[96];

	if (!rs_row_is_shown(c, VIEW_LIST, p->end_ns - p->begin_ns))
		return;
	pair_text(c, p->index, pair, sizeof pair);
	v[LIST_BEGIN] = rs_u(p->begin_ns);
	v[LIST_PAIR] = rs_s(pair);
	v[LIST_COMM] = p->task ? rs_s(p->task->comm) : rs_null();
	v[LIST_PID] = rs_u_if(p->task && p->task->pid, p->task ? (uint64_t)p->task->pid : 0);
	v[LIST_TID] = rs_u_if(p->task, p->task ? (uint64_t)p->task->tid : 0);
	v[LIST_KEY] = key_text(c, p->index, p->key, key, sizeof key) ? rs_s(key) : rs_null();
	v[LIST_CPU] = rs_u(p->begin_cpu);
	v[LIST_END_CPU] = rs_u(p->end_cpu);
	v[LIST_LAT] = rs_u(p->end_ns - p->begin_ns);
	rs_emit(c, VIEW_LIST, v);
}

static void pairs_on_pair(struct rs_ctx *c, const struct rs_pair_end *p)
{
	struct pairs_group *g;

	if (!rs_shown(c, p->task))
		return;
	if (rs_spans_enabled(c))
		pairs_emit_span(c, p);
	if (rs_has_subscriber(c, VIEW_LIST))
		pairs_list_pair(c, p);
	if (c->no_rows)
		return;
	g = pairs_find_group(c, p);
	if (!g->lat.nr || p->end_ns - p->begin_ns > g->lat.max)
		g->max_at_ns = p->begin_ns;
	rs_latency_add(c, &g->lat, p->begin_ns, p->end_ns, false);
}

/* ---- rows ---- */

enum { PAIR, COMM, PID, TID, KEY, COUNT, TOTAL, AVG, P50, P99, MAX, MAX_AT, OPEN, UNMATCHED, DISCARDED, NR_COLUMNS };

static const struct rs_column columns[] = {
	[PAIR] = { "pair", "PAIR", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 30, "the events, begin-end" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "the task in whose context they began; null: all, or idle" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its thread" },
	[KEY] = { "key", "KEY", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 12, "what both events have alike, with --by key; null: the task, or all" },
	[COUNT] = { "count", "COUNT", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "pairs that began, and whose end was seen" },
	[TOTAL] = { "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11, "sum of their times" },
	[AVG] = { "avg_ns", "AVG(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "average" },
	[P50] = { "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "median" },
	[P99] = { "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "99 % took no longer" },
	[MAX] = { "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 10, "the longest" },
	[MAX_AT] = { "max_at_ns", "MAX AT(s)", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "when that began" },
	[OPEN] = { "in_flight", "OPEN", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 5, "begun and not ended; null where a row is a part of its pair" },
	[UNMATCHED] = { "unmatched", "UNMATCHED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "ends without a begin, and begins that the next one came after; null likewise" },
	[DISCARDED] = { "discarded", "DISCARDED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "begins that a loss made uncertain; null likewise" },
	{ 0 },
};

/* Columns that rows, or pictures, are told apart by; the pair always is one. */
struct keys {
	bool comm, pid, tid, key;
};

static struct keys keys_of(const struct rs_query *q)
{
	struct keys keys = { 0 };

	for (unsigned int i = 0; i < q->nr_by; i++) {
		keys.comm |= !strcmp(q->by[i], "comm");
		keys.pid |= !strcmp(q->by[i], "pid");
		keys.tid |= !strcmp(q->by[i], "tid");
		keys.key |= !strcmp(q->by[i], "key");
	}
	keys.pid |= keys.tid;
	keys.comm |= keys.pid;
	return keys;
}

struct pairs_row {
	const struct pairs_group *first;
	struct rs_hist lat;
	uint64_t max_at_ns;
};

static void pairs_merge_groups(struct rs_groups *groups, const struct keys *keys, const struct pairs_group *g)
{
	struct rs_group_key key = { .len = 0 };
	struct pairs_row *row;

	if (rs_hist_is_empty(&g->lat))
		return;
	rs_group_key_u64(&key, g->index);
	if (keys->comm)
		rs_group_key_str(&key, g->comm);
	if (keys->pid)
		rs_group_key_u64(&key, (uint64_t)g->pid);
	if (keys->tid)
		rs_group_key_u64(&key, (uint64_t)g->tid);
	if (keys->key)
		rs_group_key_u64(&key, g->key);
	row = rs_groups_get(groups, &key);
	if (!row)
		return;
	if (!row->first) {
		rs_hist_init(&row->lat);
		row->first = g;
	}
	if (g->lat.nr && (!row->lat.nr || g->lat.max > row->lat.max))
		row->max_at_ns = g->max_at_ns;
	rs_hist_merge(&row->lat, &g->lat);
}

/* What was counted of a pair is of all its rows together. */
static void show_counts(struct rs_ctx *c, const struct keys *keys, unsigned int index, struct rs_value v[NR_COLUMNS])
{
	bool whole = !keys->comm && !keys->key;
	struct rs_pair_counts n;

	rs_pair_counts(c, index, &n);
	v[OPEN] = rs_u_if(whole, n.in_flight);
	v[UNMATCHED] = rs_u_if(whole, n.unmatched + n.superseded);
	v[DISCARDED] = rs_u_if(whole, n.discarded);
}

static void pairs_put_group(struct rs_ctx *c, const struct keys *keys, const struct pairs_row *row,
			    struct rs_sink *out)
{
	const struct pairs_group *g = row->first;
	const struct rs_hist *h = &row->lat;
	struct rs_value v[NR_COLUMNS];
	char pair[160], key[96];

	pair_text(c, g->index, pair, sizeof pair);
	v[PAIR] = rs_s(pair);
	v[COMM] = keys->comm ? rs_s(g->comm) : rs_null();
	v[PID] = rs_u_if(keys->pid && g->pid, (uint64_t)g->pid);
	v[TID] = rs_u_if(keys->tid && g->tid, (uint64_t)g->tid);
	v[KEY] = keys->key && !g->is_evicted_total && key_text(c, g->index, g->key, key, sizeof key) ? rs_s(key) : rs_null();
	v[COUNT] = rs_u(rs_hist_nr_begun(h));
	v[TOTAL] = rs_u(rs_hist_sum_inside(h));
	v[AVG] = rs_u_if(h->nr, h->nr ? h->sum / h->nr : 0);
	v[P50] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 500) : 0);
	v[P99] = rs_u_if(h->nr, h->nr ? rs_hist_quantile(h, 990) : 0);
	v[MAX] = rs_u_if(h->nr, h->max);
	v[MAX_AT] = rs_u_if(h->nr, row->max_at_ns);
	show_counts(c, keys, g->index, v);
	out->row(out, v);
}

static struct rs_groups *merge_all(const struct rs_ctx *c, const struct keys *keys)
{
	const struct pairs *s = c->state;
	struct rs_groups *groups = rs_groups_new(sizeof(struct pairs_row));

	for (unsigned int i = 0; groups && i < NR_BUCKETS; i++)
		for (const struct pairs_group *g = s->buckets[i]; g; g = g->chain)
			pairs_merge_groups(groups, keys, g);
	for (unsigned int i = 0; groups && i < RS_MAX_PAIRS; i++)
		pairs_merge_groups(groups, keys, &s->evicted_total[i]);
	return groups;
}

static void pairs_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct keys keys = keys_of(q);
	struct rs_groups *groups = merge_all(c, &keys);

	for (struct pairs_row *row = groups ? rs_groups_next(groups, NULL) : NULL; row; row = rs_groups_next(groups, row)) {
		pairs_put_group(c, &keys, row, out);
		rs_hist_done(&row->lat);
	}
	rs_groups_free(groups);
}

/* ---- pictures ---- */

enum { HIST_PAIR, HIST_COMM, HIST_PID, HIST_TID, HIST_KEY, HIST_FROM, HIST_TO, HIST_COUNT };

static const struct rs_column hist_columns[] = {
	[HIST_PAIR] = { "pair", "PAIR", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 30, "the events, begin-end" },
	[HIST_COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "the task in whose context they began" },
	[HIST_PID] = { "pid", "PID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its process" },
	[HIST_TID] = { "tid", "TID", RS_TYPE_ID, 0, RS_COLUMN_KEY, 7, "its thread" },
	[HIST_KEY] = { "key", "KEY", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 12, "what both events have alike" },
	[HIST_FROM] = { "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "the bucket's lower end" },
	[HIST_TO] = { "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "the bucket's upper end, not in it" },
	[HIST_COUNT] = { "count", "count", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10, "pairs of that latency" },
	{ 0 },
};

static void show_picture(struct rs_ctx *c, const struct keys *keys, const struct pairs_row *row, struct rs_sink *out)
{
	const struct pairs_group *g = row->first;
	struct rs_value v[HIST_COUNT + 1];
	char pair[160], key[96] = "", text[300];
	bool has_key = keys->key && !g->is_evicted_total && key_text(c, g->index, g->key, key, sizeof key);

	pair_text(c, g->index, pair, sizeof pair);
	v[HIST_PAIR] = rs_s(pair);
	v[HIST_COMM] = keys->comm ? rs_s(g->comm) : rs_null();
	v[HIST_PID] = rs_u_if(keys->pid && g->pid, (uint64_t)g->pid);
	v[HIST_TID] = rs_u_if(keys->tid && g->tid, (uint64_t)g->tid);
	v[HIST_KEY] = has_key ? rs_s(key) : rs_null();
	snprintf(text, sizeof text, "%s%s%s%s%s", pair, keys->comm ? ", " : "", keys->comm ? g->comm : "", has_key ? ", " : "", key);
	rs_log2_rows(out, v, HIST_FROM, &row->lat, text);
}

static void pictures(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct keys keys = keys_of(q);
	struct rs_groups *groups = merge_all(c, &keys);

	for (struct pairs_row *row = groups ? rs_groups_next(groups, NULL) : NULL; row; row = rs_groups_next(groups, row)) {
		show_picture(c, &keys, row, out);
		rs_hist_done(&row->lat);
	}
	rs_groups_free(groups);
}

/* ---- the session ---- */

static int pairs_init(struct rs_ctx *c)
{
	struct pairs *s = c->state;

	for (unsigned int i = 0; i < RS_MAX_PAIRS; i++) {
		s->evicted_total[i] = (struct pairs_group){ .index = i, .is_evicted_total = true };
		rs_hist_init(&s->evicted_total[i].lat);
	}
	return 0;
}

static void pairs_emit_in_flight(struct rs_ctx *c, uint64_t now_ns)
{
	struct rs_pair_end p;

	(void)now_ns;
	for (unsigned int i = 0; rs_pair_name(c, i); i++) {
		uint32_t place = 0;

		while (rs_pair_open(c, i, &place, &p))
			if (rs_shown(c, p.task))
				pairs_emit_span(c, &p);
	}
}

/* Who belongs to them stays, for what is in flight; the times begin anew. */
static void pairs_reset(struct rs_ctx *c)
{
	struct pairs *s = c->state;

	for (unsigned int i = 0; i < NR_BUCKETS; i++)
		for (struct pairs_group *g = s->buckets[i]; g; g = g->chain)
			rs_hist_clear(&g->lat);
	for (unsigned int i = 0; i < RS_MAX_PAIRS; i++)
		rs_hist_clear(&s->evicted_total[i].lat);
}

static void pairs_done(struct rs_ctx *c)
{
	struct pairs *s = c->state;
	struct pairs_group *next;

	for (unsigned int i = 0; i < NR_BUCKETS; i++)
		for (struct pairs_group *g = s->buckets[i]; g; g = next) {
			next = g->chain;
			rs_hist_done(&g->lat);
			free(g);
		}
	for (unsigned int i = 0; i < RS_MAX_PAIRS; i++)
		rs_hist_done(&s->evicted_total[i].lat);
}

static const struct rs_latencies latencies[] = {
	{ "total_ns,avg_ns,p50_ns,p99_ns,max_ns", .kind = "pair", .label_column = "pair" },
	{ 0 },
};

static const struct rs_view views[] = {
	[VIEW_PAIRS] = { .name = "pairs", .summary = "two events that belong together: how often, and how long from one to the other",
			 .kind = RS_VIEW_TABLE, .columns = columns, .options = "WORDS,key,event,by,list,histogram", .list = "pair-list",
			 .histogram = "pair-latency", .sort = "-total_ns", .rows = pairs_put_rows,
			 .latencies = latencies,
			 .text_columns = "pair,comm,key,count,total_ns,avg_ns,p50_ns,p99_ns,max_ns,in_flight,unmatched,discarded" },
	[VIEW_HIST] = { .name = "pair-latency", .summary = "distribution of the latency of pairs of events (pairs --histogram)",
			.kind = RS_VIEW_HIST, .columns = hist_columns, .options = "WORDS,key,event,by", .rows = pictures, .by_name = true,
			.text_columns = "pair,from_ns,to_ns,count" },
	[VIEW_LIST] = { .name = "pair-list", .summary = "each pair of events as it ends (pairs --list)", .kind = RS_VIEW_STREAM,
			.columns = list_columns, .options = "WORDS,key,event", .by_name = true },
	{ 0 },
};

const struct rs_analysis rs_analysis_pairs = {
	.abi = RS_ABI,
	.name = "pairs",
	.summary = "pairs of events that belong together",
	.views = views,
	.spans = spans,
	.state_size = sizeof(struct pairs),
	.pairs = pairs,
	.pair = pairs_on_pair,
	.begin = pairs_init,
	.emit_in_flight = pairs_emit_in_flight,
	.reset = pairs_reset,
	.done = pairs_done,
};
