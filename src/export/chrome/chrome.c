// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome.c - how the engine's spans and states become Chrome events
 *
 *	spans on tasks and CPUs     slices (X) that nest, instants (i)
 *	spans that overlap          asynchronous events (b, e), a process for each disk
 *	states of tasks             T, from which readers also derive who runs on which CPU
 *	wake-ups                    flows (s, f) from the system call that woke to the one that was woken:
 *	                            wake-flows.h
 *	critical paths              slices and flows (s, t, f) of category critical-path, at the end
 *	run queues, disks           counters (C); a depth that lasted less than 0.1 ms is omitted
 *	instants of many, as page faults  counters: how many there were
 *	counter spans               counters too, each from its begin
 *	loss                        instants on the CPU's track
 *	findings                    slices on tracks of their own, from when they began
 *	samples of the CPUs         P, of the task that ran, with stackFrames
 */
#include "export/chrome/chrome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

/* ---- tracks ---- */

/* Pids of several machines differ: each machine has its own range of instances. */
static uint32_t made_up(const struct rs_chrome *ch, int32_t tid, uint32_t inst)
{
	if (inst >= ch->nr_instances) /* rare: a division for each span would cost */
		inst %= ch->nr_instances;
	return (uint32_t)tid + ((ch->first_instance + inst) << RS_CHROME_INSTANCE_SHIFT);
}

static inline uint32_t pid_of(const struct rs_chrome *ch, struct rs_ctx *c, const struct rs_task *t)
{
	const struct rs_task *leader = t->pid && t->pid != t->tid ? rs_task_find(c, t->pid) : t;

	return leader ? made_up(ch, leader->tid, leader->inst) : made_up(ch, t->pid, 0);
}

static uint32_t cpus_pid(const struct rs_chrome *ch)
{
	return RS_CHROME_CPUS + ch->machine * RS_CHROME_MACHINE_CPUS;
}

static uint32_t disk_pid(const struct rs_chrome *ch, unsigned int disk)
{
	return RS_CHROME_DISKS + ch->machine * RS_CHROME_MACHINE_DISKS + disk;
}

/* Any event may reveal or change the thread group of a task, so the stored track is compared with it. */
static struct rs_chrome_task *chrome_track_data(struct rs_ctx *subscriber, struct rs_task *t)
{
	struct rs_chrome_task *d = rs_task_data(subscriber, t);
	const struct rs_chrome *ch = rs_api_session_arg(subscriber);
	uint32_t pid = pid_of(ch, subscriber, t);

	if (!d->track.len || d->track.pid != pid)
		rs_chrome_track_set(&d->track, pid, made_up(ch, t->tid, t->inst));
	d->seen = true;
	return d;
}

const struct rs_chrome_track *rs_chrome_task_track(struct rs_ctx *subscriber, struct rs_task *t)
{
	return &chrome_track_data(subscriber, t)->track;
}

void rs_chrome_track_link(const struct rs_chrome *ch, const struct rs_chain_link *link,
			  struct rs_chrome_track *track)
{
	uint32_t tid = made_up(ch, link->tid, link->inst);

	rs_chrome_track_set(track, link->pid ? made_up(ch, link->pid, link->pid_inst) : tid, tid);
}

/* The process of a disk; devices are few, and those beyond the table share the last entry. */
static unsigned int disk_index(struct rs_chrome *ch, uint32_t dev)
{
	for (unsigned int i = 0; i < ch->nr_disks; i++)
		if (ch->disks[i].dev == dev)
			return i;
	if (ch->nr_disks == RS_CHROME_MAX_DISKS)
		return RS_CHROME_MAX_DISKS - 1;
	ch->disks[ch->nr_disks].dev = dev;
	rs_chrome_track_set(&ch->disks[ch->nr_disks].track, disk_pid(ch, ch->nr_disks),
			    disk_pid(ch, ch->nr_disks));
	return ch->nr_disks++;
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

/* On a thread: a task or, where cpu is not -1, a CPU, which has its counters in the process of all CPUs. */
static void span_of_thread(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_track *at,
			   struct rs_nest *nest, int cpu, const struct rs_span_kind *kind,
			   const struct rs_span *span)
{
	uint64_t start_ns = span->start_ns;
	char name[80];

	if (kind->shape == RS_SPAN_COUNTER) {
		snprintf(name, sizeof name, "%.60s of %s%d", kind->name, cpu >= 0 ? "CPU " : "",
			 cpu >= 0 ? cpu : span->task->tid);
		chrome_put_counter(ch, kind->name, cpu >= 0 ? &ch->cpus_track : at, name, kind->columns->name,
				   start_ns, (int64_t)span->arg);
		return;
	}
	if (kind->shape == RS_SPAN_SAMPLE) /* comes with its stack: rs_chrome_on_sample */
		return;
	if (kind->shape == RS_SPAN_SLICE) {
		start_ns = rs_nest_add(nest, span->start_ns, span->end_ns);
		ch->nr_clamped += start_ns != span->start_ns;
	}
	chrome_put_span(ch, c, at, kind, span, start_ns);
}

/* Of a process are all counters of its threads, so each has its thread's number in its name. */
static void chrome_put_count(struct rs_chrome *ch, const struct rs_chrome_task *d, const struct rs_task *t,
			     const struct rs_task_count *at)
{
	char name[80];

	snprintf(name, sizeof name, "%.60s of %d", at->kind->name, t->tid);
	chrome_put_counter(ch, at->kind->name, &d->track, name, "count", at->ts_ns, (int64_t)at->nr);
}

static void chrome_put_counts(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_chrome_task *d = rs_task_data(c, t);

	for (const struct rs_task_count *at; (at = rs_task_counts_end(&d->counts));)
		chrome_put_count(rs_api_session_arg(c), d, t, at);
}

static void span_of_task(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_span_kind *kind,
			 const struct rs_span *span)
{
	struct rs_chrome_task *d = chrome_track_data(ch->subscriber_ctx, span->task);
	const struct rs_task_count *count = kind->many ? rs_task_counts_add(&d->counts, kind, span->end_ns) :
							 NULL;
	struct rs_chrome_track process;

	if (count)
		chrome_put_count(ch, d, span->task, count);
	if (kind->many)
		return;
	if (kind->shape == RS_SPAN_ASYNC) {
		rs_chrome_track_set(&process, d->track.pid, d->track.pid);
		chrome_put_span(ch, c, &process, kind, span, span->start_ns);
	} else if (kind->shape != RS_SPAN_STATE) {
		span_of_thread(ch, c, &d->track, &d->nest, -1, kind, span);
	}
	if (kind->shape == RS_SPAN_SLICE)
		rs_wake_flows_slice(&ch->flows, &d->wakes, span->start_ns, span->end_ns);
}

static struct rs_chrome *chrome_of(struct rs_span_sink *sink)
{
	return (struct rs_chrome *)((char *)sink - offsetof(struct rs_chrome, export.sink));
}

static void chrome_on_kind(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind)
{
	rs_chrome_add_kind(chrome_of(sink), kind);
}

/* States come from the engine itself: two analyses must not both draw them. */
static void chrome_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
			   const struct rs_span *span)
{
	struct rs_chrome *ch = chrome_of(sink);

	if (kind->track == RS_TRACK_TASK && span->task && ch->subscriber_ctx)
		span_of_task(ch, c, kind, span);
	else if (kind->track == RS_TRACK_CPU && span->id < ch->nr_cpus && kind->shape != RS_SPAN_ASYNC &&
		 kind->shape != RS_SPAN_STATE)
		span_of_thread(ch, c, &ch->cpus[span->id].track, &ch->cpus[span->id].nest, (int)span->id,
			       kind, span);
	else if (kind->track == RS_TRACK_DISK)
		chrome_put_span(ch, c, &ch->disks[disk_index(ch, span->id)].track, kind, span,
				span->start_ns);
}

/* ---- states and wake-ups ---- */

static const char *state_name(enum rs_state state, char letter, char text[2])
{
	text[0] = letter;
	text[1] = '\0';
	switch (state) {
	case RS_RUN:
		return "Running";
	case RS_DELAY:
		return "R";
	case RS_PREEMPTED:
		return "R+";
	case RS_BLOCKED:
		return text;
	default:
		return NULL;
	}
}

/*
 * Of a task that needs a name then, in the text of compat, too. letter: of the state that it is blocked in.
 */
static void put_state_of(struct rs_ctx *c, struct rs_task *t, enum rs_state st, char letter,
			 struct rs_chrome_state *state, uint32_t stack)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_chrome_task *d = chrome_track_data(c, t);
	const char *kind = st == RS_RUN ? "state Running" : st == RS_BLOCKED ? "state blocked" : "state R";
	size_t before_bytes = ch->out->len;
	char text[2];

	if (ch->compat || !rs_chrome_takes(ch, kind, state->to_ns - state->from_ns))
		return;
	state->name = state_name(st, letter, text);
	rs_chrome_set_stack(c, ch, stack, state);
	state->cpu = st == RS_RUN ? (int)ch->first_cpu + state->cpu : -1;
	rs_chrome_put_state(ch, &d->track, state);
	rs_chrome_wrote(ch, kind, state->to_ns - state->from_ns, before_bytes);
}

static void state(struct rs_ctx *c, const struct rs_interval *iv, bool io_wait)
{
	struct rs_chrome_state of = { .from_ns = iv->from_ns, .to_ns = iv->to_ns, .cpu = iv->cpu,
				      .io_wait = io_wait };

	if (iv->task && !iv->discarded && rs_shown(c, iv->task) && !rs_api_is_muted(c))
		put_state_of(c, iv->task, iv->kind, iv->letter, &of,
			     iv->kind == RS_BLOCKED ? rs_interval_stack(c, iv) : 0);
}

/* A file that leaves out slices has no flows. */
static void chrome_put_flow(struct rs_wake_flows *f, const struct rs_wake_end *from,
			    const struct rs_wake_end *to)
{
	struct rs_chrome *ch = (struct rs_chrome *)((char *)f - offsetof(struct rs_chrome, flows));
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

static struct rs_wake_end chrome_flow_end(const struct rs_chrome_track *at, uint64_t ts_ns)
{
	return (struct rs_wake_end){ (uint64_t)at->pid << 32 | at->tid, ts_ns };
}

/* A wake-up is drawn if it led to a switch-in and both ends are in system calls. */
static void flow(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_chrome_task *d = chrome_track_data(c, iv->task);
	bool is_drawn = d->wakes.waker.ts_ns == iv->from_ns && !iv->discarded &&
			rs_task_in_call(c, iv->task) && !rs_api_is_muted(c);

	rs_wake_flows_switch_in(&ch->flows, &d->wakes, chrome_flow_end(&d->track, iv->to_ns), is_drawn);
}

static void chrome_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	/* on_wait writes it with its cause, or the end of the file does */
	if (iv->kind == RS_BLOCKED || iv->in_flight)
		return;
	state(c, iv, false);
	if (iv->task && rs_chain_list_has_room(c->state, iv->to_ns - iv->from_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_state(c, c->state, iv, iv->task->syscall);
	if (iv->kind == RS_DELAY && rs_shown(c, iv->task))
		flow(c, iv);
}

static void chrome_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct rs_task *waker = iv->waker_tid > 0 ? rs_task_find(c, iv->waker_tid) : NULL;
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_chrome_task *waker_data;
	struct rs_chrome_track from;

	if (iv->in_flight)
		return;
	state(c, iv, w->cause == RS_CAUSE_DISK);
	if (rs_chain_list_has_room(c->state, iv->to_ns - iv->from_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_wait(c, c->state, w);
	if (iv->discarded || !waker || !rs_shown(c, iv->task) || !rs_shown(c, waker) ||
	    !rs_task_in_call(c, waker))
		return;
	rs_chrome_track_set(&from, pid_of(ch, c, waker), made_up(ch, waker->tid, waker->inst));
	waker_data = rs_task_data(c, waker);
	rs_wake_flows_wake(&ch->flows, &waker_data->wakes, &chrome_track_data(c, iv->task)->wakes,
			   chrome_flow_end(&from, iv->to_ns));
}

static void chrome_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_chrome_task *d = rs_task_data(c, call->task);

	if (!call->in_flight) /* its slice has come */
		rs_wake_flows_call(&ch->flows, &d->wakes, call->exit_ns);
	if (rs_chain_list_has_room(c->state, call->exit_ns - call->enter_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_call(c, c->state, call);
}

/* ---- counters and loss ---- */

static void write_queue(struct rs_chrome *ch, unsigned int cpu, const struct rs_queue_depth *last)
{
	chrome_put_counter(ch, "run queue", &ch->cpus_track, ch->cpus[cpu].queue_name, "depth",
			   last->since_ns, last->depth);
}

static void chrome_on_queue(struct rs_ctx *c, uint16_t cpu, unsigned int depth, uint64_t ts_ns)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_queue_depth last;

	if (cpu < ch->nr_cpus && !rs_api_is_muted(c) &&
	    rs_queue_depth_set(&ch->cpus[cpu].queue, depth, ts_ns, &last))
		write_queue(ch, cpu, &last);
}

static void chrome_on_depth(struct rs_ctx *c, uint32_t dev, int change, uint64_t ts_ns)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	unsigned int i = disk_index(ch, dev);

	ch->disks[i].depth += change;
	if (!rs_api_is_muted(c))
		chrome_put_counter(ch, "queue depth", &ch->disks[i].track, "queue", "depth", ts_ns,
				   ch->disks[i].depth > 0 ? ch->disks[i].depth : 0);
}

/* Requests issued before the gap's end are not reported any more, so depths start again at 0. */
static void chrome_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct rs_chrome *ch = rs_api_session_arg(c);

	for (unsigned int i = 0; i < ch->nr_disks; i++)
		ch->disks[i].depth = 0;
	if (!rs_api_is_muted(c))
		rs_chrome_loss(ch, gap);
}

/* ---- what is open at the end ---- */

static void open_state(struct rs_ctx *c, struct rs_task *t, uint64_t end_ns)
{
	uint64_t open_ns;
	enum rs_state st = rs_task_state(c, t, &open_ns);
	struct rs_chrome_state of = { .from_ns = end_ns - open_ns, .to_ns = end_ns, .cpu = t->cpu };
	char text[2];

	if (state_name(st, t->letter, text) && open_ns != RS_AGE_UNKNOWN)
		put_state_of(c, t, st, t->letter, &of, 0);
}

static void chrome_evict_task(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_chrome_task *d = rs_task_data(c, t);

	chrome_put_counts(c, t);
	rs_chrome_name_task(c, t);
	rs_wake_flows_evict(&ch->flows, &d->wakes);
}

static void chrome_on_end(struct rs_ctx *c, uint64_t end_ns)
{
	struct rs_chrome *ch = rs_api_session_arg(c);
	struct rs_queue_depth last;

	ch->end_ns = end_ns;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		if (rs_shown(c, t))
			open_state(c, t, end_ns);
		chrome_put_counts(c, t);
		rs_chrome_name_task(c, t);
	}
	for (unsigned int cpu = 0; cpu < ch->nr_cpus; cpu++)
		if (rs_queue_depth_end(&ch->cpus[cpu].queue, &last))
			write_queue(ch, cpu, &last);
	rs_chrome_put_paths(c, ch, c->state);
	rs_chrome_put_frames(c, ch);
	rs_wake_flows_end(&ch->flows);
	ch->subscriber_ctx = NULL; /* it ends with the session */
}

static int chrome_on_begin(struct rs_ctx *c)
{
	struct rs_chrome *ch = rs_api_session_arg(c);

	ch->subscriber_ctx = c;
	((struct rs_chain_list *)c->state)->is_rough = true;
	return 0;
}

/* States come from the subscriber. */
static bool draws(const struct rs_span_kind *kind)
{
	return kind->shape != RS_SPAN_STATE;
}

static const struct rs_callback callbacks[] = {
	{ RS_ON_INTERVAL, .interval = chrome_on_interval },
	{ RS_ON_WAIT, .wait = chrome_on_wait },
	{ RS_ON_CALL, .call = chrome_on_call, .kinds = ~(1u << RS_CALL_IDLE), .if_recorded = true },
	{ RS_ON_QUEUE, .queue = chrome_on_queue },
	{ RS_ON_DISK_DEPTH, .disk_depth = chrome_on_depth },
	{ RS_ON_GAP, .gap = chrome_on_gap },
	{ RS_ON_SAMPLE, .sample = rs_chrome_on_sample, .if_recorded = true },
	{ 0 },
};

static const struct rs_analysis subscriber = {
	.abi = RS_ABI, .name = "chrome", .summary = "what a Chrome trace needs beside spans",
	.requires_states = true, .requires_history = true, .uses_stacks = true,
	.state_size = sizeof(struct rs_chain_list), .task_size = sizeof(struct rs_chrome_task),
	.callbacks = callbacks, .begin = chrome_on_begin, .task_evict = chrome_evict_task,
	.end = chrome_on_end,
};

/* ---- the file ---- */

static void chrome_begin(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info,
			 uint64_t begin_ns)
{
	struct rs_chrome *ch = (struct rs_chrome *)e;

	if (pass) {
		/* chrome://tracing reads the text only if told that its clock is that of the events */
		rs_buf_puts(ch->out, ",\n\"systemTraceEvents\":\"# tracer: nop\\n"
				     "<...>-0 [000] .... 0.000000000: tracing_mark_write: "
				     "trace_event_clock_sync: parent_ts=0\\n");
		return;
	}
	ch->base_ns = begin_ns;
	ch->info = info;
	ch->cpus = calloc(info->nr_cpus + 1, sizeof *ch->cpus);
	ch->nr_cpus = ch->cpus ? info->nr_cpus : 0;
	rs_chrome_track_set(&ch->cpus_track, cpus_pid(ch), cpus_pid(ch));
	for (unsigned int i = 0; i < ch->nr_cpus; i++) {
		rs_chrome_track_set(&ch->cpus[i].track, cpus_pid(ch), cpus_pid(ch) + i);
		snprintf(ch->cpus[i].queue_name, sizeof ch->cpus[i].queue_name, "CPU %u run queue", i);
	}
	if (!ch->machine)
		rs_buf_puts(ch->out, "{\"traceEvents\":[");
}

/* Drops what was stored for the machine before: its CPUs, disks and labels. */
static void machine(struct rs_export *e, unsigned int index, unsigned int nr, const char *name)
{
	struct rs_chrome *ch = (struct rs_chrome *)e;

	if (index)
		ch->first_cpu += ch->nr_cpus;
	rs_chrome_free_kinds(ch);
	memset(ch->labels, 0, sizeof ch->labels);
	free(ch->cpus);
	ch->cpus = NULL;
	ch->nr_cpus = ch->nr_disks = 0;
	memset(ch->disks, 0, sizeof ch->disks);
	ch->nr_clamped = 0;
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

static void chrome_finish(struct rs_export *e, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_chrome *ch = (struct rs_chrome *)e;

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

static void close_file(struct rs_export *e)
{
	struct rs_chrome *ch = (struct rs_chrome *)e;

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

static bool chrome_is_empty(const struct rs_export *e)
{
	return !((const struct rs_chrome *)e)->drawn;
}

static void free_chrome(struct rs_export *e)
{
	struct rs_chrome *ch = (struct rs_chrome *)e;

	rs_chrome_free_kinds(ch);
	free(ch->flows.at);
	rs_buf_done(&ch->machines);
	rs_buf_done(&ch->frames);
	free(ch->stacks);
	free(ch->cpus);
	free(ch);
}

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
	ch->flows.put = chrome_put_flow;
	ch->export = (struct rs_export){
		.subscriber = { &subscriber, options->compat ? &rs_chrome_compat_subscriber : NULL },
		.spans = { true, false },
		.sink.span = chrome_on_span,
		.sink.kind = chrome_on_kind,
		.sink.values = true,
		.draws = draws,
		.is_empty = chrome_is_empty,
		.machine = machine,
		.begin = chrome_begin,
		.findings = rs_chrome_put_findings,
		.end = chrome_finish,
		.close = close_file,
		.free = free_chrome,
	};
	return &ch->export;
}
