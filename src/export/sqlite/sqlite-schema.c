// SPDX-License-Identifier: GPL-2.0-or-later
/* sqlite-schema.c - the tables that every database has, and SQL views for what people ask most */
#include "export/sqlite/sqlite.h"
#include "view/printer.h"

#define SCHEMA_ID(name, help) { name, NULL, RS_TYPE_ID, 0, 0, 0, help }
#define SCHEMA_TEXT(name, help) { name, NULL, RS_TYPE_TEXT, 0, 0, 0, help }
#define SCHEMA_TIME(name, help) { name, NULL, RS_TYPE_TIME, 0, 0, 0, help }
#define SCHEMA_NS(name, help) { name, NULL, RS_TYPE_DURATION, 0, 0, 0, help }
#define SCHEMA_COUNT(name, help) { name, NULL, RS_TYPE_COUNT, 0, 0, 0, help }
#define SCHEMA_COLUMNS(...) ((const struct rs_column[]){ __VA_ARGS__, { .name = NULL } })

/* The order of columns is that of the values in the code that inserts. */
const struct rs_sqlite_layout rs_sqlite_fixed[RS_SQLITE_NR_FIXED] = {
	[RS_SQLITE_THREAD] = { "thread", "each task: a thread from its fork to its exit", .key = "id",
			       .indices = "tid;pid",
			       .columns = SCHEMA_COLUMNS(
				       SCHEMA_ID("id", "its tid; where a tid was used again 4294967296 more "
						       "for each task that had it before"),
				       SCHEMA_ID("tid", "thread"),
				       SCHEMA_ID("instance", "which task of that tid, from 0"),
				       SCHEMA_ID("pid", "its process; null: unknown"),
				       SCHEMA_ID("ppid", "the process that forked its process, or its parent "
							 "when tracing began; null: unknown"),
				       SCHEMA_TEXT("comm", "its name, the last known"),
				       SCHEMA_TEXT("process", "name of its process"),
				       SCHEMA_COUNT("kernel_thread", "1: of the kernel"),
				       SCHEMA_TIME("start_ns", "its fork; null: before the recording"),
				       SCHEMA_TIME("first_ns", "first event that names it; null: none"),
				       SCHEMA_TIME("last_ns", "last event that names it; null: none"),
				       SCHEMA_COUNT("exited", "1: it ended in the recording"),
				       SCHEMA_TEXT("cgroup", "its control group, as far as that is known"),
				       SCHEMA_TEXT("args", "command line of its process, where the recording "
							   "tells it")) },
	[RS_SQLITE_STATE] = { "state", "each state of each task: it ran, was runnable, slept", .key = "id",
			      .indices = "thread,start_ns",
			      .columns = SCHEMA_COLUMNS(
				      SCHEMA_ID("id", "counts from 1"), SCHEMA_ID("thread", "thread.id"),
				      SCHEMA_TIME("start_ns", "it began"), SCHEMA_TIME("end_ns", "it ended"),
				      SCHEMA_TEXT("state", "run; delay: woken, not yet on a CPU; preempted: "
							   "lost its CPU, runnable; sleep; blocked: state D"),
				      SCHEMA_TEXT("letter", "sleep, blocked: the kernel's state letter"),
				      SCHEMA_TEXT("cause", "what it waited for: disk, lock, futex, reclaim, "
							   "other D, idle, sleep; else as state"),
				      SCHEMA_ID("cpu",
						"run: the CPU; delay, preempted: the CPU that it was put on"),
				      SCHEMA_TEXT("syscall", "sleep, blocked: the system call that it was "
							     "in; null: none, or unknown"),
				      SCHEMA_ID("waker", "thread.id of who woke it, of a delay too; 0: an "
							 "interrupt; null: unknown"),
				      SCHEMA_TEXT("dev", "cause disk: the disk, MAJ,MIN"),
				      SCHEMA_TEXT("lock_addr", "cause lock, futex: the address"),
				      SCHEMA_ID("stack", "stack.id where it began; null: not recorded"),
				      SCHEMA_COUNT("inferred", "1: a bound, a switch is missing"),
				      SCHEMA_COUNT("in_flight",
						   "1: it goes on after end_ns, the last event")) },
	[RS_SQLITE_CULPRIT] = { "culprit",
				"what each wait went to, and who had that: the ns of a wait sum to its "
				"length",
				.indices = "state;thread",
				.columns = SCHEMA_COLUMNS(
					SCHEMA_ID("state", "state.id of the wait: any state but run"),
					SCHEMA_TEXT("part", "run queue, disk: in device, lock, softirq ...: "
							    "as PART of ringside why"),
					SCHEMA_TEXT("kind",
						    "task, itself, interrupt (which woke it), irq, softirq "
						    "(which ran), idle, others; null: unknown"),
					SCHEMA_ID("thread", "kind task: thread.id, where that is known"),
					SCHEMA_ID("pid", "kind task: its process"),
					SCHEMA_TEXT("comm",
						    "name of the culprit: of a task that of its process"),
					SCHEMA_NS("ns", "its share of the wait"),
					SCHEMA_TIME("at_ns", "when the longest piece of that began")) },
	[RS_SQLITE_SAMPLE] = { "sample", "each sample of a CPU that ran a task", .indices = "stack",
			       .columns = SCHEMA_COLUMNS(
				       SCHEMA_TIME("time_ns", "when it was taken"),
				       SCHEMA_ID("thread", "thread.id of what ran"),
				       SCHEMA_ID("cpu", "the CPU"),
				       SCHEMA_ID("stack", "stack.id of the innermost function; null: none"),
				       SCHEMA_COUNT("in_kernel", "1: that is the kernel's"),
				       SCHEMA_COUNT("weight", "the events, as cycles, that it stands for")) },
	[RS_SQLITE_STACK] = { "stack", "each stack: a function, and the stack that called it", .key = "id",
			      .columns = SCHEMA_COLUMNS(
				      SCHEMA_ID("id", "its number"),
				      SCHEMA_ID("caller",
						"stack.id of the caller; null: it is the outermost function"),
				      SCHEMA_TEXT("function", "null: no symbol covers the address"),
				      SCHEMA_TEXT("module",
						  "program, library or kernel module that has the function"),
				      SCHEMA_TEXT("address", "module and offset; of the kernel, and of code "
							     "without a file, an address")) },
	[RS_SQLITE_QUANTILE] = { "quantile",
				 "each distribution in numbers: of the rows of biolatency, runqlat ...",
				 .columns = SCHEMA_COLUMNS(
					 SCHEMA_TEXT("view", "the table that has its rows")),
				 .more_columns = rs_hist_picture_columns },
	[RS_SQLITE_FINDING] = { "finding", "what is wrong, the costliest first (ringside findings)",
				.key = "id",
				.columns = SCHEMA_COLUMNS(
					SCHEMA_ID("id", "counts from 1"),
					SCHEMA_TEXT("rule", "ringside list rules describes it"),
					SCHEMA_TEXT("text", "the sentence"),
					SCHEMA_TEXT("code", "a sentence about the function that explains it; "
							    "null: unknown"),
					SCHEMA_TEXT("advice", "what to try"),
					SCHEMA_TEXT("confidence",
						    "measured; inferred: the culprit is the likely one"),
					SCHEMA_TEXT("victim", "who lost the time"),
					SCHEMA_ID("victim_pid",
						  "the first process of that name; null: it is none"),
					SCHEMA_COUNT("victims", "processes of that name; null: it is none"),
					SCHEMA_TEXT("culprit", "who took it; null: unknown"),
					SCHEMA_ID("culprit_pid",
						  "the first process of that name; null: it is none"),
					SCHEMA_COUNT("culprits", "processes of that name; null: it is none"),
					SCHEMA_TEXT("cause",
						    "what the victim waited for, as the sentence has it"),
					SCHEMA_NS("cost_ns", "findings are ranked by it: the time that was "
							     "lost, and what it costs besides"),
					SCHEMA_NS("lost_ns", "time that was lost, as it was measured; null: "
							     "the rule measures no time"),
					SCHEMA_NS("of_ns", "time of the victim that lost_ns is a share of; "
							   "null: the sentence tells no share"),
					{ "measured", NULL, RS_TYPE_MILLI, 0, 0, 0, "what the rule judged" },
					{ "threshold", NULL, RS_TYPE_MILLI, 0, 0, 0,
					  "and from which value on" },
					SCHEMA_TEXT("unit", "of both"),
					SCHEMA_TIME("since_ns", "when it began; null: with the recording")) },
	[RS_SQLITE_EVIDENCE] = { "evidence", "where each finding is seen", .indices = "finding",
				 .columns = SCHEMA_COLUMNS(
					 SCHEMA_ID("finding", "finding.id"),
					 SCHEMA_ID("nr", "counts from 1: the cause first"),
					 SCHEMA_TEXT("view", "the table that shows it"),
					 SCHEMA_TEXT("sort", "which rows come first, -COLUMN: the largest; "
							     "null: as the view has it"),
					 SCHEMA_TEXT("filter", "of which rows, as --where; null: all"),
					 SCHEMA_TEXT("grouping",
						     "how rows are grouped, as --by; null: as the view does"),
					 SCHEMA_TEXT("command", "the command that shows it")) },
	[RS_SQLITE_CPU] = { "cpu", "each CPU", .key = "cpu",
			    .columns = SCHEMA_COLUMNS(
				    SCHEMA_ID("cpu", "its number"),
				    SCHEMA_COUNT(
					    "lost",
					    "events that were lost; null: the kernel did not count them")) },
	[RS_SQLITE_DISK] = { "disk", "each disk that the recording names", .key = "dev",
			     .columns = SCHEMA_COLUMNS(
				     SCHEMA_TEXT("dev", "MAJ,MIN, as views have it"),
				     SCHEMA_TEXT("name", "as of /dev"),
				     SCHEMA_TEXT("mount", "where its only file system is mounted; null: "
							  "unknown, none, or several")) },
	[RS_SQLITE_GAP] = { "gap", "where events were lost",
			    .columns = SCHEMA_COLUMNS(
				    SCHEMA_ID("cpu", "the CPU"),
				    SCHEMA_TIME("start_ns", "its last event before"),
				    SCHEMA_TIME("end_ns", "its first event after"),
				    SCHEMA_COUNT("lost", "how many; null: the kernel did not count them")) },
	[RS_SQLITE_META] = { "meta", "about the recording, and its data quality: the keys of _meta in --json",
			     .key = "key",
			     .columns = SCHEMA_COLUMNS(SCHEMA_TEXT("key", "its name"),
						       { "value", NULL, RS_SQLITE_ANY_TYPE, 0, 0, 0,
							 "a text or a number; null: unknown" }) },
};

void rs_sqlite_make_tables(struct rs_sqlite *sq)
{
	for (size_t i = 0; i < RS_SQLITE_NR_FIXED; i++)
		sq->fixed[i] = rs_sqlite_table_new(sq, &rs_sqlite_fixed[i]);
}

void rs_sqlite_put(struct rs_sqlite *sq, enum rs_sqlite_fixed table, const struct rs_value *values)
{
	const struct rs_sqlite_layout *l = &rs_sqlite_fixed[table];

	rs_sqlite_add(sq, sq->fixed[table], l->columns, values, NULL, NULL);
}

void rs_sqlite_put_meta(struct rs_sqlite *sq, const struct rs_column *column, struct rs_value value)
{
	const struct rs_column columns[] = { rs_sqlite_fixed[RS_SQLITE_META].columns[0], *column,
					     { .name = NULL } };
	const struct rs_value values[] = { rs_s(column->name), value };

	rs_sqlite_add(sq, sq->fixed[RS_SQLITE_META], columns, values, NULL, NULL);
}

/* ---- SQL views ---- */

static const struct { const char *name, *help, *select;
} schema_views[] = {
	{ "process", "each process",
	  "SELECT pid, max(process) AS comm, max(ppid) AS ppid, count(*) AS threads, max(kernel_thread) AS "
	  "kernel_thread, min(start_ns) AS start_ns,\n"
	  "\tmin(first_ns) AS first_ns, max(last_ns) AS last_ns, max(cgroup) AS cgroup, max(args) AS args\n"
	  "FROM thread WHERE pid IS NOT NULL GROUP BY pid" },
	{ "wait", "each time that a task did not run, with its names",
	  "SELECT s.id, t.comm, t.pid, t.tid, s.state, s.cause, s.syscall, s.end_ns - s.start_ns AS wait_ns, "
	  "s.start_ns, s.end_ns, s.cpu,\n"
	  "\tCASE s.waker WHEN 0 THEN '<irq>' ELSE w.comm END AS waker, w.tid AS waker_tid, s.dev, "
	  "s.lock_addr, s.stack, s.in_flight, s.thread\n"
	  "FROM state s JOIN thread t ON t.id = s.thread LEFT JOIN thread w ON w.id = s.waker WHERE s.state "
	  "<> 'run'" },
	{ "wait_culprit", "each wait with what it went to and who had that",
	  "SELECT t.comm, t.pid, t.tid, s.state, s.cause, c.part, c.kind, c.comm AS culprit, c.pid AS "
	  "culprit_pid, c.ns, s.start_ns, s.end_ns, c.state AS id\n"
	  "FROM culprit c JOIN state s ON s.id = c.state JOIN thread t ON t.id = s.thread" },
	{ "time_by_state", "where the time of each process went",
	  "SELECT t.process AS comm, t.pid, s.state, s.cause, count(*) AS count, sum(s.end_ns - s.start_ns) "
	  "AS total_ns, max(s.end_ns - s.start_ns) AS max_ns\n"
	  "FROM state s JOIN thread t ON t.id = s.thread GROUP BY t.pid, t.process, s.state, s.cause" },
	{ "run_queue_by_task", "how long each task was runnable and did not run",
	  "SELECT t.comm, t.pid, t.tid, count(*) AS count, sum(s.end_ns - s.start_ns) AS total_ns, "
	  "avg(s.end_ns - s.start_ns) AS avg_ns,\n"
	  "\tmax(s.end_ns - s.start_ns) AS max_ns\n"
	  "FROM state s JOIN thread t ON t.id = s.thread WHERE s.state IN ('delay', 'preempted') GROUP BY "
	  "s.thread" },
	{ "cpu_time_by_task", "how long each task ran, on which CPU",
	  "SELECT t.comm, t.pid, t.tid, s.cpu, count(*) AS slices, sum(s.end_ns - s.start_ns) AS run_ns\n"
	  "FROM state s JOIN thread t ON t.id = s.thread WHERE s.state = 'run' GROUP BY s.thread, s.cpu" },
	{ "culprit_by_task", "who took how much of whose time",
	  "SELECT t.process AS victim, t.pid AS victim_pid, c.part, c.kind, c.comm AS culprit, c.pid AS "
	  "culprit_pid, count(*) AS count, sum(c.ns) AS total_ns\n"
	  "FROM culprit c JOIN state s ON s.id = c.state JOIN thread t ON t.id = s.thread\n"
	  "GROUP BY t.process, t.pid, c.part, c.kind, c.comm, c.pid" },
	{ "slow_calls", "system calls, the slowest first",
	  "SELECT start_ns, comm, pid, tid, syscall, lat_ns, ret, \"call\" FROM syscalls WHERE lat_ns IS NOT "
	  "NULL ORDER BY lat_ns DESC" },
	{ "slow_requests", "block requests, the slowest first",
	  "SELECT start_ns, end_ns, comm, pid, tid, type, dev, sector, bytes, lat_ns, queue_ns FROM iosnoop "
	  "ORDER BY lat_ns DESC" },
	{ "lock_waits", "kernel locks that were waited for, the slowest first",
	  "SELECT t.comm, t.pid, t.tid, l.label AS type, l.end_ns - l.start_ns AS wait_ns, l.start_ns\n"
	  "FROM span_lock l JOIN thread t ON t.id = l.thread ORDER BY wait_ns DESC" },
	{ "stack_text", "each stack as a text, outermost function first",
	  "WITH RECURSIVE walk(id, caller, text) AS (\n"
	  "\tSELECT id, caller, coalesce(function, '[unknown] ' || address) FROM stack\n"
	  "\tUNION ALL SELECT walk.id, s.caller, coalesce(s.function, '[unknown] ' || s.address) || ';' || "
	  "walk.text FROM walk JOIN stack s ON s.id = walk.caller)\n"
	  "SELECT id, text FROM walk WHERE caller IS NULL" },
};

/* A view whose tables are not there (export -a) is left out. */
static void schema_make_view(struct rs_sqlite *sq, const char *name, const char *help, const char *select)
{
	struct rs_buf text = RS_BUF_INIT;
	sqlite3_stmt *stmt = NULL;

	if (rs_sqlite_calls.sqlite3_prepare_v2(sq->db, select, -1, &stmt, NULL) == SQLITE_OK) {
		rs_buf_printf(&text, "CREATE VIEW %s AS -- %s\n%s", name, help, select);
		rs_sqlite_run(sq, text.failed ? "-" : text.data);
	}
	rs_sqlite_calls.sqlite3_finalize(stmt);
	rs_buf_done(&text);
}

void rs_sqlite_make_views(struct rs_sqlite *sq)
{
	struct rs_buf spans = RS_BUF_INIT;

	if (!sq->db)
		return;
	for (size_t i = 0; i < sizeof schema_views / sizeof *schema_views; i++)
		schema_make_view(sq, schema_views[i].name, schema_views[i].help, schema_views[i].select);
	rs_sqlite_put_spans(sq, &spans);
	if (spans.len)
		schema_make_view(sq, "span", "all spans: times of an instant are equal", spans.data);
	rs_buf_done(&spans);
}
