// SPDX-License-Identifier: GPL-2.0-or-later
/* reclaim - each time a task was held up because memory is short: by reclaim, compaction or throttling */
#include <stdio.h>

#include "ringside/plugin.h"

static const struct rs_column columns[] = {
	{ "time_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "when it ended" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the thread's name" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	{ "kind", "KIND", RS_TYPE_TEXT, 0, 0, 10,
	  "reclaim, memcg (for its cgroup's limit), compaction, throttle, dirty (too much to write back)" },
	{ "order", "ORDER", RS_TYPE_ID, 0, 0, 5,
	  "1 << order pages in one piece were wanted; null where the kernel does not say" },
	{ "lat_ns", "LAT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 10,
	  "how long the task was held up" },
	{ "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 16,
	  "the system call that it was in; null: none (a page fault, say), or not known" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

/* Of a task, since the last reset, each kind by itself: one may be a part of another. */
struct reclaim_task {
	uint64_t since_ns, ns[RS_NR_STALLS], nr[RS_NR_STALLS];
};

/* As of the last reset, or zeros: a reset does not come by all tasks. */
static struct reclaim_task *reclaim_task_of(struct rs_ctx *c, const struct rs_task *t)
{
	struct reclaim_task *d = rs_task_data(c, t);

	if (d->since_ns != rs_since_ns(c))
		*d = (struct reclaim_task){ .since_ns = rs_since_ns(c) };
	return d;
}

/* ---- pages that go to swap ---- */

#define WRITEPAGE_ANON 1 /* RECLAIM_WB_ANON, linux/include/trace/events/vmscan.h */

/* Since the last reset. */
struct reclaim {
	uint64_t nr_swapped_out;
};

/* Fires for each page, in whoever reclaims. Swap in memory (zram) has no request that would tell. */
static void on_page_out(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	((struct reclaim *)c->state)->nr_swapped_out += rs_u64(ev, f) & WRITEPAGE_ANON;
}

static void reclaim_reset(struct rs_ctx *c)
{
	memset(c->state, 0, sizeof(struct reclaim));
}

enum { SPAN_STALL };

static void reclaim_emit_span(struct rs_ctx *c, const struct rs_stall *s, bool open)
{
	rs_emit_span(c, SPAN_STALL, &(struct rs_span){ .task = s->task, .start_ns = s->begin_ns,
						       .end_ns = s->end_ns,
						 .in_flight = open, .arg = s->kind });
}

static void on_stall(struct rs_ctx *c, const struct rs_stall *s)
{
	struct reclaim_task *sums;

	if (s->discarded)
		return;
	sums = reclaim_task_of(c, s->task);
	sums->ns[s->kind] += rs_part_ns(rs_since_ns(c), s->begin_ns, s->end_ns);
	sums->nr[s->kind] += s->begin_ns >= c->range_from_ns;
	if (s->in_flight)
		return;
	if (rs_spans_enabled(c))
		reclaim_emit_span(c, s, false);
	if (!rs_shown(c, s->task) || !rs_row_is_shown(c, 0, s->end_ns - s->begin_ns))
		return;
	rs_emit(c, 0,
		(const struct rs_value[]){
			rs_u(s->end_ns),
			RS_TASK_VALUES(s->task),
			rs_s(rs_stall_name(s->kind)),
			rs_u_if(s->order >= 0, (uint64_t)s->order),
			rs_u(s->end_ns - s->begin_ns),
			rs_s(s->syscall >= 0 ? rs_syscall_name(c, s->syscall) : NULL),
		});
}

static void reclaim_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct rs_stall s;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		for (unsigned int kind = 0; rs_shown(c, t) && kind < RS_NR_STALLS; kind++)
			if (!rs_task_stall(c, t, (enum rs_stall_kind)kind, &s))
				continue;
			else if (!to->list)
				reclaim_emit_span(c, &s, true);
			else if (rs_in_flight_accepts(to, s.begin_ns, false))
				rs_in_flight_add(c, to, t,
						 &(struct rs_in_flight){ .kind = "stall",
							 .what = rs_stall_name(s.kind),
							 .since_ns = s.begin_ns });
}

/* ---- who is held up ---- */

/* A twelfth of one thread's time: a machine with memory to spare has none of it. */
#define RECLAIM_LEAST 8000
#define STALL_NS 1000000          /* what each costs besides: pages that were of use are read again */
#define RECLAIM_LEAST_RATE 10     /* or so many stalls a second: kswapd cannot keep up */
#define SWAP_LEAST_RATE 100       /* pages a second that go to swap */

enum { MEMORY_SHORT, MEMORY_LIMIT, COMPACTION };

#define RECLAIM_SWAPS "{, |swapped| pages a second go to swap}"
#define RECLAIM_RULE(id, name, summary, advice, cause, how_text, ...) \
	[id] = { name, summary, 10 * RECLAIM_LEAST, "ms/s", "waits", advice, .says = { cause, how_text }, \
		 .view = "reclaim", .where = "pid == {pid}", .evidence = reclaim_evidence, __VA_ARGS__ }

static const struct rs_evidence reclaim_evidence[] = { { "reclaim", "-lat_ns", "pid == {pid}" },
						       { "memory" },
						       { "meminfo" },
						       { "tasks", "-reclaim_ns" },
						       { 0 } };

static const struct rs_rule rules[] = {
	RECLAIM_RULE(MEMORY_SHORT, "memory-reclaim",
		     "a process has to reclaim memory itself: memory is short",
		     "see what uses the memory, or add some", "for memory, in direct reclaim, {often}",
		     "memory is short" RECLAIM_SWAPS,
	  .found =
		"The time that each task spends in direct reclaim is added up: at least {least}, or "
		"many stalls a second.",
	  .wrong =
		"Reading a file that is larger than the free memory causes a short burst of it. The "
		"process that is named as allocating meanwhile is the one that reclaims most, which "
		"does not prove that it uses most."),
	RECLAIM_RULE(MEMORY_LIMIT, "memory-limit",
		     "a process has to reclaim memory of its cgroup, which is at its limit",
		     "raise memory.max or memory.high of its cgroup",
		     "for memory, in direct reclaim, {often}",
		     "{~its} cgroup{ |cgroup} is at its memory limit{ of |limit} ({file/memory.max or "
		     "memory.high})" RECLAIM_SWAPS,
	  .found =
		"The time that each task spends in reclaim for its cgroup is added up: at least "
		"{least}, or many stalls a second.",
	  .wrong =
		"A limit that is meant to bound the page cache of a job that reads each file once costs "
		"little. Whether it is memory.max or memory.high is known only where the files of the "
		"cgroup could be read."),
	RECLAIM_RULE(COMPACTION, "memory-compaction", "a process has to compact memory for large pages",
		     "see /sys/kernel/mm/transparent_hugepage/defrag", "for memory, in compaction, {often}",
		     "memory is fragmented, large pages have to be made first",
	  .found =
		"The time that each task spends in compaction is added up: at least {least}, or many "
		"stalls a second.",
	  .wrong =
		"A program that asks for huge pages waits for them once, when it starts, and may run "
		"faster after that."),
	{ 0 },
};

static const struct rs_sentence beside_another = {
	"for memory, in direct reclaim, {often}",
	"memory is short, {culprit} {^allocates} some meanwhile" RECLAIM_SWAPS
};

static int reclaim_rule_of(enum rs_stall_kind kind)
{
	switch (kind) {
	case RS_STALL_MEMCG:
		return MEMORY_LIMIT;
	case RS_STALL_COMPACTION:
		return COMPACTION;
	case RS_STALL_DIRTY: /* disk-waits judges write-back */
		return -1;
	default:
		return MEMORY_SHORT;
	}
}

/* Another that reclaims, the most: it allocates as well. NULL: there is none. */
static const struct rs_task *reclaim_find_other(struct rs_ctx *c, const struct rs_task *victim,
						enum rs_stall_kind kind)
{
	const struct rs_task *most = NULL;
	uint64_t most_ns = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		if (t->pid != victim->pid && reclaim_task_of(c, t)->ns[kind] > most_ns) {
			most_ns = reclaim_task_of(c, t)->ns[kind];
			most = t;
		}
	return most;
}

/* What kswapd takes of the CPUs is a cost of short memory, too. */
static uint64_t reclaim_kswapd_ns(struct rs_ctx *c)
{
	uint64_t ns = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		ns += t->kernel_thread && !strncmp(t->comm, "kswapd", 6) ?
			      rs_task_oncpu_ns(t, rs_last_event_ns(c)) :
			      0;
	return ns;
}

static void reclaim_report(struct rs_ctx *c, const struct rs_task *t, enum rs_stall_kind kind, int rule,
			   uint64_t interval_ns, uint64_t of_ns)
{
	const struct reclaim_task *d = reclaim_task_of(c, t);
	const struct rs_task *other = rule == MEMORY_SHORT ? reclaim_find_other(c, t, kind) : NULL;
	uint64_t swapped = ((const struct reclaim *)c->state)->nr_swapped_out * 1000000000 / interval_ns;
	struct rs_memory_limit limit;
	bool has_limit = rule == MEMORY_LIMIT && rs_cgroup_memory_limit(c, t, &limit);
	const struct rs_slot slots[] = {
		{ "often", RS_SLOT_RATE, rs_u(d->nr[kind] * 1000000000 / interval_ns) },
		{ "swapped", RS_SLOT_NUMBER, rs_u_if(swapped >= SWAP_LEAST_RATE, swapped) },
		{ "cgroup", RS_SLOT_CGROUP,
		  rs_s(has_limit ? limit.cgroup : rs_task_cgroup(t, RS_CGROUP_MEMORY)) },
		{ "limit", RS_SLOT_BYTES, rs_u_if(has_limit, has_limit ? limit.bytes : 0) },
		{ "file", RS_SLOT_FILE, rs_s(has_limit ? limit.file : NULL) },
		{ 0 },
	};

	rs_report_finding(c, &(struct rs_finding){
		.rule = &rules[rule], .says = other ? &beside_another : NULL, .slots = slots,
		.cost_ns = d->ns[kind] + (rule == MEMORY_SHORT ? reclaim_kswapd_ns(c) : 0) +
			   (rule != COMPACTION ? d->nr[kind] * STALL_NS : 0),
		.lost_ns = d->ns[kind], .of_ns = of_ns, .of_name = true,
		.victim = rs_task_process_comm(c, t), .victim_pid = t->pid,
		.culprit = other                ? rs_task_process_comm(c, other) :
			   rule == MEMORY_LIMIT ? "memory.max" :
						  NULL,
		.culprit_pid = other ? other->pid : 0, .confidence = other ? RS_INFERRED : RS_MEASURED,
	});
}

static void reclaim_judge(struct rs_ctx *c, const struct rs_task *t, enum rs_stall_kind kind,
			  uint64_t interval_ns)
{
	const struct reclaim_task *d = reclaim_task_of(c, t);
	bool is_often = d->nr[kind] * 1000000000 / interval_ns >= RECLAIM_LEAST_RATE;
	int rule = reclaim_rule_of(kind);
	bool is_long = rule >= 0 && rs_milli(d->ns[kind], interval_ns, 1000).u >= rules[rule].threshold;

	if (rule >= 0 && (is_long || is_often))
		reclaim_report(c, t, kind, rule, interval_ns,
			       is_long ? rs_busy_ns(c, rs_task_process_comm(c, t), t->pid) : 0);
}

static void reclaim_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);

	for (struct rs_task *t = rs_task_next(c, NULL); interval_ns && t; t = rs_task_next(c, t))
		for (unsigned int kind = 0; kind < RS_NR_STALLS && !t->kernel_thread; kind++)
			if (reclaim_task_of(c, t)->nr[kind])
				reclaim_judge(c, t, (enum rs_stall_kind)kind, interval_ns);
}

static const char *reclaim_span_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const char *name = rs_stall_name((enum rs_stall_kind)arg);

	return name ? name : "stall";
}

const struct rs_analysis rs_analysis_reclaim = {
	.abi = RS_ABI,
	.name = "reclaim",
	.summary = "tasks held up because memory is short",
	.callbacks = RS_LIST(rs_callback, { RS_ON_STALL, .stall = on_stall }),
	.requirements = RS_LIST(rs_requirement,
		{ "vmscan", "mm_vmscan_write_folio", RS_OPTIONAL, RS_BY_ANYONE, on_page_out,
		  { "reclaim_flags" } },
		{ "vmscan", "mm_vmscan_writepage", RS_FALLBACK, RS_BY_ANYONE, on_page_out,
		  { "reclaim_flags" } }),
	.views = RS_LIST(rs_view,
		{ .name = "reclaim", .topic = RS_TOPIC_MEMORY,
		  .summary = "each stall for memory: direct reclaim, compaction, throttling",
		  .kind = RS_VIEW_STREAM,
		  .columns = columns,
		  .latencies = RS_LIST(rs_latencies,
				       { "lat_ns", .kind = "stall", .label_column = "kind" }) }),
	.spans = RS_LIST(rs_span_kind,
		[SPAN_STALL] = { .name = "stall", .track = RS_TRACK_TASK, .shape = RS_SPAN_SLICE,
				 .label = reclaim_span_label,
				 .slowest = "stall for memory", .cause = RS_CAUSE_RECLAIM }),
	.emit_in_flight = reclaim_in_flight,
	.list_in_flight = reclaim_in_flight,
	.requires_blame = true,
	.samples = RS_SAMPLE_CGROUPS,
	.findings = reclaim_put_findings,
	.rules = rules,
	.task_size = sizeof(struct reclaim_task),
	.state_size = sizeof(struct reclaim),
	.reset = reclaim_reset,
};
