// SPDX-License-Identifier: GPL-2.0-or-later
/* tasks - where the wall time of each process or thread went, to the last nanosecond */
#include "ringside/plugin.h"

struct tasks_split {
	/* what ended, under .count_open also what goes on; NOT_SEEN: no event showed it, or discarded */
	uint64_t ns[RS_NR_CAUSES];
	uint64_t open_ns;
};

/*
 * The device that was waited for most: one with more than half of the time is always found, another may be.
 */
struct tasks_disk {
	uint32_t dev;
	uint64_t ns;
};

/* What the tasks of a row are in now; of several the last one. */
struct tasks_now {
	uint64_t nr_threads, nr_open;
	enum rs_state state;
	char letter;
	enum rs_cause cause;
	int64_t syscall;
	uint64_t age_ns;        /* RS_AGE_UNKNOWN: not known */
	bool kernel_thread;
};

struct tasks_row {
	struct tasks_split split;
	uint64_t lifetime_ns;
	struct tasks_disk disk;
	struct tasks_now now;   /* made when rows are asked for */
};

static void tasks_merge_split(void *into, const void *from)
{
	const struct tasks_split *of = from;
	struct tasks_split *to = into;

	for (int cause = 0; cause < RS_NR_CAUSES; cause++)
		to->ns[cause] += of->ns[cause];
	to->open_ns += of->open_ns;
}

static void tasks_add_disk(struct tasks_disk *top, uint32_t dev, uint64_t ns)
{
	if (top->dev == dev)
		top->ns += ns;
	else if (top->ns >= ns)
		top->ns -= ns;
	else
		*top = (struct tasks_disk){ dev, ns - top->ns };
}

static void tasks_merge_disk(void *into, const void *from)
{
	const struct tasks_disk *of = from;

	tasks_add_disk(into, of->dev, of->ns);
}

static void tasks_merge_now(void *into, const void *from)
{
	const struct tasks_now *of = from;
	struct tasks_now *to = into, sum = of->nr_open ? *of : *to;

	sum.nr_threads = to->nr_threads + of->nr_threads;
	sum.nr_open = to->nr_open + of->nr_open;
	sum.kernel_thread = to->kernel_thread || of->kernel_thread;
	*to = sum;
}

static void tasks_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct tasks_row *row = rs_task_data(c, iv->task);

	if (!iv->discarded)
		row->split.ns[rs_cause_of_state(iv->kind, RS_CAUSE_UNKNOWN)] += rs_part_ns(
			rs_since_ns(c), iv->from_ns, iv->to_ns);
}

static void tasks_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct tasks_row *row = rs_task_data(c, iv->task);
	uint64_t ns = rs_part_ns(rs_since_ns(c), iv->from_ns, iv->to_ns);

	if (iv->discarded)
		return;
	row->split.ns[w->cause] += ns;
	if (w->cause == RS_CAUSE_DISK)
		tasks_add_disk(&row->disk, w->dev, ns);
}

/* ---- what is in flight, and what no event showed ---- */

/* Returns what the task is in now. */
static enum rs_state tasks_add_engine_times(struct rs_ctx *c, const struct rs_task *t, struct tasks_row *row)
{
	uint64_t lifetime_ns, unknown_ns, open_ns, now_ns = rs_last_event_ns(c);
	enum rs_state open = rs_task_state(c, t, &open_ns);

	rs_task_lifetime_ns(c, t, &lifetime_ns, &unknown_ns);
	row->split.ns[RS_CAUSE_NOT_SEEN] += unknown_ns;
	row->lifetime_ns += lifetime_ns;
	if (open != RS_UNKNOWN && open != RS_DEAD && open_ns != RS_AGE_UNKNOWN && !c->range_ended)
		row->split.open_ns += rs_part_ns(rs_since_ns(c), now_ns - open_ns, now_ns);
	return open;
}

/* In the column that it will end in, as far as that is known. */
static void tasks_count_open(struct tasks_row *row, uint32_t dev)
{
	const struct tasks_now *now = &row->now;
	bool is_other_d = now->state == RS_BLOCKED && now->letter == 'D' && now->cause == RS_CAUSE_UNKNOWN;
	enum rs_cause cause = rs_cause_of_state(now->state, is_other_d ? RS_CAUSE_OTHER_D : now->cause);

	if (cause == RS_CAUSE_DISK)
		tasks_add_disk(&row->disk, dev, row->split.open_ns);
	row->split.ns[cause] += row->split.open_ns;
	row->split.open_ns = 0;
}

static void tasks_add_open(struct rs_ctx *c, const struct rs_query *q, const struct rs_task *t,
			   struct tasks_row *row)
{
	struct rs_wait w = { .syscall = -1 };
	enum rs_state open = tasks_add_engine_times(c, t, row);

	if (!q) { /* evicted: the end of what goes on will not be seen */
		row->split.ns[RS_CAUSE_NOT_SEEN] += row->split.open_ns;
		row->split.open_ns = 0;
		return;
	}
	row->now = (struct tasks_now){ .nr_threads = 1, .kernel_thread = t->kernel_thread };
	if (open == RS_DEAD)
		return;
	rs_task_wait(c, t, &w);
	rs_task_state(c, t, &row->now.age_ns);
	row->now.nr_open = 1;
	row->now.state = open;
	row->now.letter = t->letter;
	row->now.cause = w.cause;
	row->now.syscall = w.syscall;
	if (q->count_open && row->split.open_ns)
		tasks_count_open(row, w.dev);
}

static void tasks_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *of_task)
{
	struct tasks_row *row = of_task;

	if (t)
		tasks_add_open(c, q, t, row);
	row->split.ns[RS_CAUSE_SLEEP] += row->split.ns[RS_CAUSE_NOT_RECORDED]; /* one column shows both */
	row->split.ns[RS_CAUSE_NOT_RECORDED] = 0;
}

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct tasks_row), .in_task = true, .stays_with_thread = true,
	  .by_states = true, .complete = tasks_complete,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_OTHER, offsetof(struct tasks_row, split), tasks_merge_split,
		  sizeof(struct tasks_split) },
		{ RS_MEASURE_SUM, offsetof(struct tasks_row, lifetime_ns) },
		{ RS_MEASURE_OTHER, offsetof(struct tasks_row, disk), tasks_merge_disk,
		  sizeof(struct tasks_disk) },
		{ RS_MEASURE_OTHER, offsetof(struct tasks_row, now), tasks_merge_now,
		  sizeof(struct tasks_now) }) },
	{ 0 },
};

/* ---- tasks that no event has named ---- */

/* The column of a sleep that no event has ended, by what /proc said of it. */
static enum rs_cause unseen_cause(struct rs_ctx *c, const struct rs_unseen *u)
{
	if (u->letter == 'D')
		return RS_CAUSE_OTHER_D;
	if (u->letter == 'I' || (u->letter == 'S' && u->kernel_thread) ||
	    (u->args && rs_call_kind(c, u->syscall, u->args) == RS_CALL_IDLE))
		return RS_CAUSE_IDLE;
	return u->args && rs_call_kind(c, u->syscall, u->args) == RS_CALL_FUTEX_WAIT ? RS_CAUSE_FUTEX :
										       RS_CAUSE_SLEEP;
}

/* It was off its CPU when /proc was read, and no event has come since: so it is still. */
static void tasks_add_unseen(struct rs_ctx *c, const struct rs_query *q, const struct rs_unseen *u,
			     struct tasks_row *to)
{
	uint64_t now_ns = rs_last_event_ns(c), lifetime_ns = now_ns - rs_since_ns(c);
	bool is_off = !u->uncertain && u->letter != 'R' && u->seen_ns <= now_ns;
	uint64_t off_ns = is_off ? rs_part_ns(rs_since_ns(c), u->seen_ns, now_ns) : 0;
	enum rs_cause cause = unseen_cause(c, u);
	const struct tasks_now now = {
		.nr_threads = 1, .nr_open = 1, .state = is_off ? RS_BLOCKED : RS_UNKNOWN, .letter = u->letter,
		.cause = cause,
		.syscall = u->syscall, .age_ns = is_off ? now_ns - u->seen_ns : RS_AGE_UNKNOWN,
		.kernel_thread = u->kernel_thread,
	};

	to->lifetime_ns += lifetime_ns;
	to->split.ns[RS_CAUSE_NOT_SEEN] += lifetime_ns - off_ns;
	*(q->count_open ? &to->split.ns[cause] : &to->split.open_ns) += off_ns;
	tasks_merge_now(&to->now, &now);
}

static void tasks_add_all_unseen(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	struct tasks_row *row;
	struct rs_unseen u;
	size_t at = 0;

	while (rs_unseen_next(c, &at, &u))
		if (u.letter != 'Z' && u.letter != 'X' && (row = rs_grouping_unseen(to->rows, &u)))
			tasks_add_unseen(c, to->query, &u, row);
}

/* Each task's by its size: imbalances must not cancel out. */
static void tasks_check_balance(struct rs_ctx *c,
				void (*invariant)(void *arg, const char *invariant, int64_t imbalance),
				void *arg)
{
	int64_t sum = 0;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		struct tasks_row row = *(const struct tasks_row *)rs_task_data(c, t);
		int64_t imbalance;

		tasks_add_engine_times(c, t, &row);
		imbalance = (int64_t)(row.lifetime_ns - row.split.open_ns);
		for (int cause = 0; cause < RS_NR_CAUSES; cause++)
			imbalance -= (int64_t)row.split.ns[cause];
		sum += imbalance < 0 ? -imbalance : imbalance;
	}
	invariant(arg,
		  "tasks: the parts of each task's time, and what is unknown and open, are its life (ns)",
		  sum);
}

/* ---- tasks: the view ---- */

/* All that is not waiting for whatever comes, or for another thread. */
static uint64_t tasks_busy_ns(const struct tasks_split *s)
{
	uint64_t ns = 0;

	for (enum rs_cause cause = 0; cause < RS_NR_CAUSES; cause++)
		ns += rs_cause_row(cause)->rank <= RS_RANK_WAIT ? s->ns[cause] : 0;
	return ns;
}

static const struct tasks_row *tasks_row_of(const struct rs_group *g)
{
	return g->row;
}

static struct rs_value tasks_show_off_cpu(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint64_t ns = tasks_row_of(g)->split.ns[RS_CAUSE_OFF_CPU];

	return rs_u_if(rs_off_cpu_is_told(c) || ns, ns);
}

static struct rs_value tasks_show_unknown(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct tasks_split *split = &tasks_row_of(g)->split;

	return rs_u(split->ns[RS_CAUSE_UNKNOWN] + split->ns[RS_CAUSE_NOT_SEEN]);
}

/* NULL: the row is of several threads, or of one that has ended. */
static const struct tasks_now *tasks_now_of_one(const struct rs_group *g)
{
	const struct tasks_now *now = &tasks_row_of(g)->now;

	return now->nr_threads == 1 && now->nr_open ? now : NULL;
}

static struct rs_value tasks_show_state(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct tasks_now *now = tasks_now_of_one(g);

	return rs_s(now ? rs_state_name(now->state, now->letter) : NULL);
}

static struct rs_value tasks_show_cause(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct tasks_now *now = tasks_now_of_one(g);

	return rs_s(now && now->cause != RS_CAUSE_UNKNOWN ? rs_cause_row(now->cause)->name : NULL);
}

static struct rs_value tasks_show_syscall(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct tasks_now *now = tasks_now_of_one(g);

	return rs_s(now && now->syscall >= 0 ? rs_syscall_name(c, now->syscall) : NULL);
}

static struct rs_value tasks_show_open(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct tasks_now *now = tasks_now_of_one(g);

	if (!g->query->count_open)
		return rs_u(tasks_row_of(g)->split.open_ns);
	return now && rs_state_name(now->state, now->letter) && now->age_ns != RS_AGE_UNKNOWN ?
		       rs_u(now->age_ns) :
		       rs_null();
}

static struct rs_value tasks_show_threads(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint64_t nr = tasks_row_of(g)->now.nr_threads;

	return rs_u_if(nr, nr);
}

static struct rs_value tasks_show_busy(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_u(tasks_busy_ns(&tasks_row_of(g)->split));
}

#define TASKS_NOTHING(...)
#define WAIT_COLUMN(id, column, heading, help, ...) MS_IF_WOKEN(column, heading, help, TASKS_TIME(id)),
#define WAIT_PART(id, column, ...) { column, RS_CAUSE_##id },
#define WAIT_LATENCY(id, column, heading, help, of, ...) { column, .kind = "state", .labels = of },

#define TASKS_TIME(id) \
	.measure_bytes = offsetof(struct tasks_row, split.ns[RS_CAUSE_##id]), .aspect = RS_VALUE
#define TASKS_MS(name, heading, help, ...) \
	{ \
		name, heading, RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10, help, __VA_ARGS__ \
	}
/*
 * Where no wakings were recorded OFF-CPU stands in the place of these; what is open may be known all the
 * same.
 */
#define MS_IF_WOKEN(name, heading, help, ...) \
	{ name, heading, RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM | RS_COLUMN_IF_KNOWN, 10, help, \
	  __VA_ARGS__, \
	  .if_recorded = "sched:sched_waking,sched:sched_wakeup" }

static const struct rs_column columns[] = {
	RS_TASK_COLUMNS,
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, 0),
	TASKS_MS("run_ns", "RUN(ms)", "on a CPU", TASKS_TIME(RUN)),
	MS_IF_WOKEN("delay_ns", "DELAY(ms)", "woken and not yet on a CPU", TASKS_TIME(DELAY)),
	TASKS_MS("preempted_ns", "PREEM(ms)", "left its CPU runnable, not yet on one again",
		 TASKS_TIME(PREEMPTED)),
	RS_CAUSES(TASKS_NOTHING, WAIT_COLUMN)
		TASKS_MS("unknown_ns", "UNKNOWN(ms)",
			 "before its first sight, over a gap, or off its CPU for no reason that was recorded",
			 .cell = tasks_show_unknown),
	{ "open_state", "STATE", RS_TYPE_TEXT, 0, 0, 9,
	  "what it is in at the end; null for more than one thread", .cell = tasks_show_state },
	{ "open_cause", "REASON", RS_TYPE_TEXT, 0, 0, 8,
	  "why it is off its CPU at the end, as far as can be told before it is woken",
	  .cell = tasks_show_cause },
	{ "open_syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 16, "the system call that it is off its CPU in",
	  .cell = tasks_show_syscall },
	{ "open_ns", "FOR(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 10,
	  "what is open at the end, in no other column; on a screen, and at the end of a time range (--to), "
	  "it is in the column of what it is, and here is on a screen its age, else 0",
	  .cell = tasks_show_open },
	TASKS_MS("life_ns", "LIFE(ms)",
		 "within the recording: the sum of the others; of a process, that of its threads",
		 .measure_bytes = offsetof(struct tasks_row, lifetime_ns), .aspect = RS_VALUE),
	{ "threads", "THR", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 4, "threads that the row is of",
	  .cell = tasks_show_threads },
	TASKS_MS("busy_ns", "BUSY(ms)",
		 "what it did, or could not do for want of something: run, delay, preempted, disk, lock, "
		 "reclaim and other D",
		 .cell = tasks_show_busy),
	{ "off_cpu_ns", "OFF-CPU(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM | RS_COLUMN_IF_KNOWN, 10,
	  "sleep and delay together, to the next switch-in: where no wakings were recorded, and the columns "
	  "of both are null",
	  .cell = tasks_show_off_cpu },
	RS_CMDLINE_COLUMNS,
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "tasks", .topic = RS_TOPIC_WAITS,
	  .summary = "where the wall time of each process went, and what it waited for",
	  .base = "sums over threads",
	  .kind = RS_VIEW_TABLE,
	  .columns = columns,
	  .sort = "-run_ns",
	  .options = "by",
	  .store = stores,
	  .by = "pid",
	  .add_in_flight = tasks_add_all_unseen,
	  .text_columns = "comm,pid,tid,run_ns,delay_ns,preempted_ns,disk_ns,lock_ns,futex_ns,other_d_ns,"
			  "idle_ns,sleep_ns,off_cpu_ns,unknown_ns,cmdline",
	  .latencies = RS_LIST(rs_latencies, { "run_ns", .kind = "state", .labels = "run" },
			       { "delay_ns", .kind = "state", .labels = "delay" },
			       { "preempted_ns", .kind = "state", .labels = "preempted" },
			       RS_CAUSES(TASKS_NOTHING, WAIT_LATENCY){ "off_cpu_ns", .kind = "state",
								       .labels = "off-CPU (sleep + delay)" }),
	  .panel =
		  &(const struct rs_panel){
			  .kind = RS_PANEL_SPLIT,
			  .title = "Processes",
			  .columns = "comm,pid,threads",
			  .parts = RS_LIST(
				  rs_part, { "run_ns", RS_CAUSE_RUN }, { "delay_ns", RS_CAUSE_DELAY },
				  { "preempted_ns", RS_CAUSE_PREEMPTED },
				  RS_CAUSES(TASKS_NOTHING, WAIT_PART){ "off_cpu_ns", RS_CAUSE_SLEEP },
				  { "unknown_ns", RS_CAUSE_NOT_SEEN }),
			  .sort = "-busy_ns",
			  .place = 2,
			  .fold_by = "comm",
		  } },
	{ 0 },
};

const struct rs_analysis rs_analysis_tasks = {
	.abi = RS_ABI,
	.name = "tasks",
	.summary = "the wall time of each task, split by what it did or waited for",
	.callbacks = RS_LIST(rs_callback,
		{ RS_ON_INTERVAL, .interval = tasks_on_interval,
		  .kinds = 1 << RS_RUN | 1 << RS_DELAY | 1 << RS_PREEMPTED },
		{ RS_ON_WAIT, .wait = tasks_on_wait }),
	.views = views,
	.requires_states = true,
	.samples = RS_SAMPLE_CGROUPS,
	.stores = stores,
	.check = tasks_check_balance,
};
