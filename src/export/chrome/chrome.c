// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome.c - how the engine's spans and states become Chrome events
 *
 *	spans on tasks and CPUs     slices (X) that nest, instants (i)
 *	spans that overlap          asynchronous events (b, e), a process for each disk
 *	connections                 threads of one process: their states, and what is done on them
 *	states of tasks             T, from which readers also derive who runs on which CPU
 *	wake-ups                    flows (s, f) from the system call that woke to the one that was woken
 *	critical paths              slices and flows (s, t, f) of category critical-path, at the end
 *	run queues, disks           counters (C); a depth that lasted less than 0.1 ms is omitted
 *	instants of many, as page faults  counters: how many there were
 *	counter spans               counters too, each from its begin
 *	pressure                    counters of one process, at the end
 *	loss                        instants on the CPU's track
 *	findings                    slices on tracks of their own, from when they began
 *	samples of the CPUs         P, of the task that ran, with stackFrames
 */
#include "export/chrome/chrome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tracks ---- */

/* Pids of several machines differ: each machine has its own range of instances. */
uint32_t rs_chrome_instance(const struct rs_chrome *ch, int32_t tid, uint32_t inst)
{
	if (inst >= ch->nr_instances) /* rare: a division for each span would cost */
		inst %= ch->nr_instances;
	return (uint32_t)tid + ((ch->first_instance + inst) << RS_CHROME_INSTANCE_SHIFT);
}

static inline uint32_t pid_of(const struct rs_chrome *ch, const struct rs_task *t)
{
	const struct rs_task *leader = t->pid && t->pid != t->tid ? rs_task_find(ch->scene.c, t->pid) : t;

	return leader ? rs_chrome_instance(ch, leader->tid, leader->inst) : rs_chrome_instance(ch, t->pid, 0);
}

static uint32_t cpus_pid(const struct rs_chrome *ch)
{
	return RS_CHROME_CPUS + ch->machine * RS_CHROME_MACHINE_CPUS;
}

uint32_t rs_chrome_place_pid(const struct rs_chrome *ch, enum rs_track_type type, unsigned int number)
{
	return type == RS_TRACK_DISK ? RS_CHROME_DISKS + ch->machine * RS_CHROME_MACHINE_DISKS + number :
				       RS_CHROME_CONNECTIONS + ch->machine * RS_CHROME_MACHINE_CONNECTIONS;
}

/* Any event may reveal or change the thread group of a task, so the stored track is compared with it. */
const struct rs_chrome_track *rs_chrome_task_track(const struct rs_chrome *ch, const struct rs_task *t,
						   struct rs_chrome_task *d)
{
	uint32_t pid = pid_of(ch, t);

	if (!d->track.len || d->track.pid != pid)
		rs_chrome_track_set(&d->track, pid, rs_chrome_instance(ch, t->tid, t->inst));
	d->seen = true;
	return &d->track;
}

static const struct rs_chrome_track *chrome_place_track(const struct rs_chrome *ch,
							const struct rs_scene_track *at)
{
	struct rs_chrome_place *d = at->own;
	uint32_t pid = rs_chrome_place_pid(ch, at->type, at->id);

	if (!d->track.len)
		rs_chrome_track_set(&d->track, pid, at->type == RS_TRACK_DISK ? pid : pid + 1 + at->id);
	return &d->track;
}

static inline const struct rs_chrome_track *chrome_track(const struct rs_chrome *ch,
							 const struct rs_scene_track *at)
{
	if (at->type == RS_TRACK_TASK)
		return rs_chrome_task_track(ch, at->task, at->own);
	if (at->type == RS_TRACK_CPU)
		return &((struct rs_chrome_cpu *)at->own)->track;
	return chrome_place_track(ch, at);
}

/* ---- spans ---- */

static void chrome_put_span(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_track *at,
			    const struct rs_span_kind *kind, const struct rs_span *span, uint64_t start_ns)
{
	uint64_t len_ns = span->end_ns - span->start_ns;
	size_t before_bytes = ch->out->len;

	if (!rs_chrome_takes(ch, kind->name, len_ns))
		return;
	rs_chrome_span(ch, c, at, kind, span, start_ns);
	rs_chrome_wrote(ch, kind->name, len_ns, before_bytes);
}

static void chrome_kind(struct rs_scene *s, const struct rs_span_kind *kind)
{
	rs_chrome_add_kind(rs_chrome_of(s), kind);
}

static void chrome_slice(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			 const struct rs_span_kind *kind, const struct rs_span *span, uint64_t start_ns)
{
	chrome_put_span(rs_chrome_of(s), c, chrome_track(rs_chrome_of(s), at), kind, span, start_ns);
}

static void chrome_instant(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			   const struct rs_span_kind *kind, const struct rs_span *span)
{
	chrome_put_span(rs_chrome_of(s), c, chrome_track(rs_chrome_of(s), at), kind, span, span->start_ns);
}

/* Of a process: readers pack its spans into as many rows as needed. Those of CPUs have none. */
static void chrome_async(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			 const struct rs_span_kind *kind, const struct rs_span *span)
{
	const struct rs_chrome_track *track = chrome_track(rs_chrome_of(s), at);
	struct rs_chrome_track process;

	if (at->type == RS_TRACK_CPU)
		return;
	if (at->type == RS_TRACK_TASK) {
		rs_chrome_track_set(&process, track->pid, track->pid);
		track = &process;
	}
	chrome_put_span(rs_chrome_of(s), c, track, kind, span, span->start_ns);
}

/* ---- counters and loss ---- */

/* kind: for the limit of the file's size */
static void chrome_put_counter(struct rs_chrome *ch, const char *kind, const struct rs_chrome_track *at,
			       const char *name, const char *series, uint64_t ts_ns, int64_t value)
{
	size_t before_bytes = ch->out->len;

	if (!rs_chrome_takes(ch, kind, 0))
		return;
	rs_chrome_counter(ch, at, name, series, ts_ns, value);
	rs_chrome_wrote(ch, kind, 0, before_bytes);
}

/* Of a process are all counters of its threads, so each has its thread's number in its name. */
static void chrome_count(struct rs_scene *s, const struct rs_scene_track *at, struct rs_task_count *count)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	char name[80];

	snprintf(name, sizeof name, "%.60s of %d", count->kind->name, at->task->tid);
	chrome_put_counter(ch, count->kind->name, chrome_track(ch, at), name, "count", count->ts_ns,
			   (int64_t)count->nr);
}

/* Those of CPUs are in the process of all CPUs. */
static void chrome_counter(struct rs_scene *s, const struct rs_scene_track *at,
			   const struct rs_span_kind *kind, uint64_t ts_ns, int64_t value)
{
	bool is_cpu = at->type == RS_TRACK_CPU;
	struct rs_chrome *ch = rs_chrome_of(s);
	const struct rs_chrome_track *track = is_cpu ? &ch->cpus_track : chrome_track(ch, at);
	char name[80];

	if (kind) {
		snprintf(name, sizeof name, "%.60s of %s%d", kind->name, is_cpu ? "CPU " : "",
			 is_cpu ? (int)at->id : at->task->tid);
		chrome_put_counter(ch, kind->name, track, name, kind->columns->name, ts_ns, value);
	} else if (is_cpu) {
		chrome_put_counter(ch, "run queue", track, ((struct rs_chrome_cpu *)at->own)->queue_name,
				   "depth", ts_ns, value);
	} else {
		chrome_put_counter(ch, "queue depth", track, "queue", "depth", ts_ns, value);
	}
}

static void chrome_pressure(struct rs_scene *s, const char *name, uint64_t ts_ns, unsigned int percent)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	uint32_t pid = RS_CHROME_PRESSURE + ch->machine;

	if (!ch->pressure_track.len)
		rs_chrome_track_set(&ch->pressure_track, pid, pid);
	chrome_put_counter(ch, "pressure", &ch->pressure_track, name, "percent", ts_ns, percent);
}

static void chrome_loss(struct rs_scene *s, const struct rs_gap *gap)
{
	rs_chrome_loss(rs_chrome_of(s), gap);
}

/* ---- states and wake-ups ---- */

/* In the scheduler's words. letter: of the state that it is blocked in. */
static const char *state_name(enum rs_state state, char letter, char text[2])
{
	static const char *const names[] = { [RS_RUN] = "Running", [RS_DELAY] = "R", [RS_PREEMPTED] = "R+" };

	text[0] = letter;
	text[1] = '\0';
	return state == RS_BLOCKED ? text : names[state];
}

/* The task needs a name then, in the text of compat, too. */
static void chrome_state(struct rs_scene *s, const struct rs_scene_track *at,
			 const struct rs_scene_state *state)
{
	const struct rs_interval *iv = state->interval;
	struct rs_chrome *ch = rs_chrome_of(s);
	const struct rs_chrome_track *track = rs_chrome_task_track(ch, at->task, at->own);
	const char *kind = iv->kind == RS_RUN     ? "state Running" :
			   iv->kind == RS_BLOCKED ? "state blocked" :
						    "state R";
	struct rs_chrome_state of = { .from_ns = iv->from_ns, .to_ns = iv->to_ns, .cpu = -1 };
	size_t before_bytes = ch->out->len;
	char text[2];

	if (ch->compat || !rs_chrome_takes(ch, kind, iv->to_ns - iv->from_ns))
		return;
	of.name = state_name(iv->kind, iv->letter, text);
	if (iv->kind == RS_RUN)
		of.cpu = (int)(ch->first_cpu + iv->cpu);
	of.io_wait = state->wait && state->wait->cause == RS_CAUSE_DISK && !iv->in_flight;
	if (iv->kind == RS_BLOCKED)
		rs_chrome_set_stack(ch, state->stack, &of);
	rs_chrome_put_state(ch, track, &of);
	rs_chrome_wrote(ch, kind, iv->to_ns - iv->from_ns, before_bytes);
}

static uint64_t chrome_wake_track(struct rs_scene *s, struct rs_task *t, bool is_woken)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	uint32_t pid = pid_of(ch, t);

	if (is_woken)
		rs_chrome_task_track(ch, t, rs_scene_task_own(s, t));
	return (uint64_t)pid << 32 | rs_chrome_instance(ch, t->tid, t->inst);
}

/* A file that leaves out slices has no flows. */
static void chrome_wake(struct rs_scene *s, const struct rs_wake_end *from, const struct rs_wake_end *to)
{
	struct rs_chrome *ch = rs_chrome_of(s);
	size_t before_bytes = ch->out->len;
	struct rs_chrome_track at[2];

	if (ch->limit && rs_size_limit_drops(ch->limit)) {
		rs_size_limit_leave_out(ch->limit, "wake");
		return;
	}
	rs_chrome_track_set(&at[0], (uint32_t)(from->track >> 32), (uint32_t)from->track);
	rs_chrome_track_set(&at[1], (uint32_t)(to->track >> 32), (uint32_t)to->track);
	rs_chrome_flow(ch, &at[0], from->ts_ns, &at[1], to->ts_ns);
	rs_chrome_wrote(ch, "wake", 0, before_bytes);
}

/* ---- the file ---- */

static void chrome_begin(struct rs_scene *s, unsigned int pass)
{
	struct rs_chrome *ch = rs_chrome_of(s);

	if (pass) {
		/* chrome://tracing reads the text only if told that its clock is that of the events */
		rs_buf_puts(ch->out, ",\n\"systemTraceEvents\":\"# tracer: nop\\n"
				     "<...>-0 [000] .... 0.000000000: tracing_mark_write: "
				     "trace_event_clock_sync: parent_ts=0\\n");
		return;
	}
	rs_chrome_track_set(&ch->cpus_track, cpus_pid(ch), cpus_pid(ch));
	ch->pressure_track.len = 0;
	for (unsigned int i = 0; i < s->nr_cpus; i++) {
		struct rs_chrome_cpu *cpu = rs_scene_cpu_own(s, i);

		rs_chrome_track_set(&cpu->track, cpus_pid(ch), cpus_pid(ch) + i);
		snprintf(cpu->queue_name, sizeof cpu->queue_name, "CPU %u run queue", i);
	}
	if (!ch->machine)
		rs_buf_puts(ch->out, "{\"traceEvents\":[");
}

/* Drops what was stored for the machine before: its labels. */
static void chrome_machine(struct rs_scene *s, unsigned int index, unsigned int nr, const char *name)
{
	struct rs_chrome *ch = rs_chrome_of(s);

	if (index)
		ch->first_cpu += s->nr_cpus;
	rs_chrome_free_kinds(ch);
	memset(ch->labels, 0, sizeof ch->labels);
	ch->machine = index;
	ch->nr_machines = nr;
	ch->nr_instances = RS_CHROME_INSTANCES / nr;
	ch->first_instance = index * ch->nr_instances;
	ch->machine_name = name;
}

/* Ends the list of events, and writes the stacks of samples. */
static void end_events(struct rs_chrome *ch)
{
	rs_buf_puts(ch->out, "\n],\n");
	if (ch->frames.len) {
		rs_buf_puts(ch->out, "\"stackFrames\":{");
		rs_buf_add(ch->out, ch->frames.data, ch->frames.len);
		rs_buf_puts(ch->out, "\n},\n");
	}
	ch->out->failed |= ch->frames.failed;
}

static void chrome_end(struct rs_scene *s, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_chrome *ch = rs_chrome_of(s);

	if (pass) {
		rs_buf_putc(ch->out, '"');
		return;
	}
	rs_chrome_name_tracks(ch);
	if (ch->nr_machines == 1) {
		end_events(ch);
		rs_buf_puts(ch->out, "\"metadata\":");
		rs_chrome_metadata(ch, quality, ch->out);
		return;
	}
	if (ch->machines.len)
		rs_buf_putc(&ch->machines, ',');
	rs_chrome_metadata(ch, quality, &ch->machines);
}

static void chrome_close(struct rs_scene *s)
{
	struct rs_chrome *ch = rs_chrome_of(s);

	/* even if the last machine could not be read */
	if (ch->nr_machines > 1) {
		end_events(ch);
		rs_buf_puts(ch->out, "\"metadata\":{\"ringside_machines\":[");
		rs_buf_add(ch->out, ch->machines.data, ch->machines.len);
		rs_buf_puts(ch->out, "]}");
		ch->out->failed |= ch->machines.failed;
	}
	rs_buf_puts(ch->out, "}\n");
}

static bool chrome_is_empty(const struct rs_scene *s)
{
	return !((const struct rs_chrome *)s)->drawn;
}

static void chrome_free(struct rs_scene *s)
{
	struct rs_chrome *ch = rs_chrome_of(s);

	rs_chrome_free_kinds(ch);
	rs_buf_done(&ch->machines);
	rs_buf_done(&ch->frames);
	rs_scene_done(s);
	free(ch);
}

static const struct rs_scene_ops chrome_ops = {
	.name = "chrome", .summary = "what a Chrome trace needs beside spans",
	.task_bytes = sizeof(struct rs_chrome_task), .cpu_bytes = sizeof(struct rs_chrome_cpu),
	.place_bytes = sizeof(struct rs_chrome_place),
	.span_values = true, .uses_stacks = true, .open_states = true,
	.machine = chrome_machine, .begin = chrome_begin, .end = chrome_end, .close = chrome_close,
	.free = chrome_free, .is_empty = chrome_is_empty,
	.finding = rs_chrome_put_finding, .findings_end = rs_chrome_end_findings,
	.kind = chrome_kind, .slice = chrome_slice, .async = chrome_async, .instant = chrome_instant,
	.count = chrome_count, .counter = chrome_counter, .pressure = chrome_pressure,
	.state = chrome_state, .wake_track = chrome_wake_track, .wake = chrome_wake,
	.path = rs_chrome_put_path, .path_flow = rs_chrome_put_path_flow, .task = rs_chrome_name_task,
	.sample = rs_chrome_put_sample, .stack = rs_chrome_put_stack, .loss = chrome_loss,
};

struct rs_export *rs_chrome_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_chrome *ch = calloc(1, sizeof *ch);

	if (!ch)
		return NULL;
	ch->out = out;
	ch->long_label = ch->machines = ch->frames = (struct rs_buf)RS_BUF_INIT;
	ch->nr_machines = 1;
	ch->nr_instances = RS_CHROME_INSTANCES;
	if (!rs_chrome_put_ready(ch)) {
		free(ch);
		return NULL;
	}
	ch->compat = options->compat;
	ch->limit = options->limit;
	rs_scene_init(&ch->scene, &chrome_ops);
	if (options->compat)
		ch->scene.export.subscriber[1] = &rs_chrome_compat_subscriber;
	return &ch->scene.export;
}
