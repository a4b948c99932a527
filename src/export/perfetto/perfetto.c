// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto.c - how the engine's states, waits, spans and samples become packets of a Perfetto trace
 *
 *	who ran on which CPU            switches and wakings of a CPU's bundle: readers derive the states of
 *	                                threads from them
 *	interrupts, tasks               events of the kernel, likewise
 *	spans                           slices, instants and counters on the tracks of threads, CPUs and disks
 *	instants of many, as page faults  how many there were, as counters
 *	spans that overlap              slices on tracks of one name, which readers draw as one
 *	wake-ups                        flows between two instants in the system calls that woke and were
 *	                                woken
 *	critical paths, findings        slices and flows on tracks of their own, at the end
 *	run queues, disks               counters; a depth that lasted less than 0.1 ms is omitted
 *	loss                            a mark in the next bundle, an instant on the CPU's track, sums at the
 *	                                end
 *	samples of the CPUs             perf samples
 *	stacks of waits                 with a slice for each, and the function as sched_blocked_reason
 */
#include "export/perfetto/perfetto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/proto.h"

/* ---- states and wake-ups ---- */

static bool perfetto_is_drawn(struct rs_ctx *c, const struct rs_interval *iv)
{
	return iv->task && !iv->discarded && !iv->in_flight && rs_shown(c, iv->task) && !rs_api_is_muted(c);
}

static void perfetto_put_flow(struct rs_wake_flows *f, const struct rs_wake_end *from,
			      const struct rs_wake_end *to)
{
	struct rs_perfetto *pf = (struct rs_perfetto *)((char *)f - offsetof(struct rs_perfetto, flows));

	pf->next_flow++;
	rs_perfetto_wake(pf, from->track, from->ts_ns, RS_PERFETTO_WAKE, pf->next_flow);
	rs_perfetto_wake(pf, to->track, to->ts_ns, RS_PERFETTO_WOKEN, pf->next_flow);
}

/* A task that runs is named by its switches. */
static void perfetto_name(struct rs_ctx *c, struct rs_perfetto *pf, const struct rs_task *t)
{
	struct rs_perfetto_task *d = rs_task_data(c, t);

	rs_perfetto_list_task(pf, d, t);
	d->is_named |= *t->comm != '\0';
}

/* A wake-up is drawn if it led to a switch-in and both ends are in system calls. */
static void perfetto_end_flow(struct rs_ctx *c, struct rs_perfetto *pf, const struct rs_interval *iv)
{
	struct rs_perfetto_task *d = rs_task_data(c, iv->task);
	bool is_drawn = d->wakes.waker.ts_ns == iv->from_ns && rs_task_in_call(c, iv->task);

	rs_wake_flows_switch_in(&pf->flows, &d->wakes,
				(struct rs_wake_end){ rs_perfetto_task_track(pf, iv->task), iv->to_ns },
				is_drawn);
}

static void perfetto_on_interval(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);

	/* on_wait has it with its cause; what is in flight is written at the end */
	if (iv->kind == RS_BLOCKED || iv->in_flight)
		return;
	if (iv->task && rs_chain_list_has_room(c->state, iv->to_ns - iv->from_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_state(c, c->state, iv, iv->task->syscall);
	if (!perfetto_is_drawn(c, iv))
		return;
	if (iv->kind == RS_RUN) {
		perfetto_name(c, pf, iv->task);
		rs_perfetto_run(pf, iv);
	} else if (iv->kind == RS_DELAY) {
		perfetto_end_flow(c, pf, iv);
	}
}

static void perfetto_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	const struct rs_interval *iv = w->interval;
	struct rs_task *waker = iv->waker_tid > 0 ? rs_task_find(c, iv->waker_tid) : NULL;
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_task *d, *waker_data;
	uint32_t stack;

	if (iv->in_flight)
		return;
	if (rs_chain_list_has_room(c->state, iv->to_ns - iv->from_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_wait(c, c->state, w);
	if (!perfetto_is_drawn(c, iv))
		return;
	stack = rs_interval_stack(c, iv);
	if (stack)
		rs_perfetto_put_wait(pf, c, w, stack);
	if (stack || w->cause == RS_CAUSE_DISK)
		rs_perfetto_blocked(pf, iv, w->cause == RS_CAUSE_DISK, rs_perfetto_caller(pf, c, stack));
	if (!waker || !rs_shown(c, waker) || !rs_task_in_call(c, waker))
		return;
	d = rs_task_data(c, iv->task);
	waker_data = rs_task_data(c, waker);
	rs_wake_flows_wake(&pf->flows, &waker_data->wakes, &d->wakes,
			   (struct rs_wake_end){ rs_perfetto_task_track(pf, waker), iv->to_ns });
}

static void perfetto_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_task *d = rs_task_data(c, call->task);

	if (!call->in_flight) /* its slice has come */
		rs_wake_flows_call(&pf->flows, &d->wakes, call->exit_ns);
	if (rs_chain_list_has_room(c->state, call->exit_ns - call->enter_ns) && !rs_api_is_muted(c))
		rs_chain_list_add_call(c, c->state, call);
}

/* ---- counters and loss ---- */

static void perfetto_put_queue(struct rs_perfetto *pf, unsigned int cpu, const struct rs_queue_depth *last)
{
	struct rs_perfetto_cpu *at = &pf->cpus[cpu];

	if (!at->counter) {
		char name[32];

		snprintf(name, sizeof name, "run queue of CPU %u", cpu);
		rs_perfetto_cpu_track(pf, cpu);
		at->counter = rs_perfetto_add_counter(pf, pf->cpus_uuid, NULL, name, PF_UNIT_COUNT);
	}
	rs_perfetto_count(pf, at->counter, last->since_ns, last->depth);
}

static void perfetto_on_queue(struct rs_ctx *c, uint16_t cpu, unsigned int depth, uint64_t ts_ns)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_queue_depth last;

	if (cpu < pf->nr_cpus && !rs_api_is_muted(c) &&
	    rs_queue_depth_set(&pf->cpus[cpu].queue, depth, ts_ns, &last))
		perfetto_put_queue(pf, cpu, &last);
}

static void perfetto_on_depth(struct rs_ctx *c, uint32_t dev, int change, uint64_t ts_ns)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_disk *disk = &pf->disks[rs_perfetto_disk(pf, dev)];

	disk->depth += change;
	if (rs_api_is_muted(c))
		return;
	if (!disk->counter)
		disk->counter = rs_perfetto_add_counter(pf, disk->uuid, NULL, "queue depth", PF_UNIT_COUNT);
	rs_perfetto_count(pf, disk->counter, ts_ns, disk->depth > 0 ? disk->depth : 0);
}

/* Requests issued before the gap's end are not reported any more, so depths start again at 0. */
static void perfetto_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);

	for (unsigned int i = 0; i < pf->nr_disks; i++)
		pf->disks[i].depth = 0;
	if (rs_api_is_muted(c) || gap->cpu >= pf->nr_cpus)
		return;
	rs_perfetto_lost(pf, gap);
	rs_perfetto_loss(pf, gap);
}

/* ---- what is open at the end ---- */

static void perfetto_put_counts(struct rs_perfetto *pf, struct rs_perfetto_task *d, struct rs_task *t)
{
	for (struct rs_task_count *at; (at = rs_task_counts_end(&d->counts));)
		rs_perfetto_count_of_task(pf, t, at);
}

static void perfetto_put_open(struct rs_ctx *c, struct rs_perfetto *pf, uint64_t end_ns)
{
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		uint64_t open_ns;

		perfetto_put_counts(pf, rs_task_data(c, t), t);
		if (!rs_shown(c, t) || rs_task_state(c, t, &open_ns) != RS_RUN || open_ns == RS_AGE_UNKNOWN)
			continue;
		perfetto_name(c, pf, t);
		rs_perfetto_runs_on(pf, t, end_ns - open_ns);
	}
}

static void perfetto_evict_task(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_task *d = rs_task_data(c, t);

	rs_wake_flows_evict(&pf->flows, &d->wakes);
	perfetto_put_counts(pf, d, t);
	rs_perfetto_end_task(pf, t);
}

static void perfetto_on_end(struct rs_ctx *c, uint64_t end_ns)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_queue_depth last;

	pf->end_ns = end_ns;
	rs_wake_flows_end(&pf->flows);
	perfetto_put_open(c, pf, end_ns);
	for (unsigned int cpu = 0; cpu < pf->nr_cpus; cpu++)
		if (rs_queue_depth_end(&pf->cpus[cpu].queue, &last))
			perfetto_put_queue(pf, cpu, &last);
	rs_perfetto_put_paths(c, pf, c->state);
	rs_perfetto_end_tasks(pf);
	rs_perfetto_flush(pf);
	pf->subscriber_ctx = NULL; /* it ends with the session */
}

static int perfetto_on_begin(struct rs_ctx *c)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);

	pf->subscriber_ctx = c;
	((struct rs_chain_list *)c->state)->is_rough = true;
	return 0;
}

static const struct rs_callback callbacks[] = {
	{ RS_ON_INTERVAL, .interval = perfetto_on_interval },
	{ RS_ON_WAIT, .wait = perfetto_on_wait },
	{ RS_ON_CALL, .call = perfetto_on_call, .kinds = ~(1u << RS_CALL_IDLE), .if_recorded = true },
	{ RS_ON_QUEUE, .queue = perfetto_on_queue },
	{ RS_ON_DISK_DEPTH, .disk_depth = perfetto_on_depth },
	{ RS_ON_REQUEST, .request = rs_perfetto_on_request, .if_recorded = true },
	{ RS_ON_GAP, .gap = perfetto_on_gap },
	{ RS_ON_SAMPLE, .sample = rs_perfetto_on_sample, .if_recorded = true },
	{ 0 },
};

/* ---- spans ---- */

static struct rs_perfetto *perfetto_of(struct rs_span_sink *sink)
{
	return (struct rs_perfetto *)((char *)sink - offsetof(struct rs_perfetto, export.sink));
}

static void perfetto_on_kind(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind)
{
	rs_perfetto_add_kind(perfetto_of(sink), kind);
}

static void perfetto_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
			     const struct rs_span *span)
{
	rs_perfetto_span(perfetto_of(sink), c, kind, span);
}

/* States come from the subscriber. */
static bool perfetto_draws(const struct rs_span_kind *kind)
{
	return kind->shape != RS_SPAN_STATE;
}

/* ---- the file ---- */

static void perfetto_put_system(struct rs_perfetto *pf)
{
	const struct { unsigned int field; const char *text; } names[] = {
		{ PF_UTSNAME_SYSNAME, "Linux" }, { PF_UTSNAME_RELEASE, pf->info->kernel },
		{ PF_UTSNAME_MACHINE, pf->info->machine },
	};
	char *p = rs_perfetto_open(pf, pf->begin_ns, 3 * RS_PROTO_TEXT(256)), *system, *utsname;

	if (!p)
		return;
	p = system = rs_proto_open(p, PF_PACKET_SYSTEM_INFO);
	p = utsname = rs_proto_open(p, PF_SYSTEM_UTSNAME);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].text)
			p = rs_proto_text(p, names[i].field, names[i].text, strnlen(names[i].text, 256));
	p = rs_proto_close(utsname, p);
	p = rs_proto_uint(p, PF_SYSTEM_NUM_CPUS, pf->info->nr_cpus);
	rs_perfetto_close(pf, rs_proto_close(system, p));
}

static char *perfetto_put_clock(char *p, unsigned int id, uint64_t ns)
{
	char *at;

	p = at = rs_proto_open(p, PF_SNAPSHOT_CLOCKS);
	p = rs_proto_uint(p, PF_CLOCK_ID, id);
	return rs_proto_close(at, rs_proto_uint(p, PF_CLOCK_TIMESTAMP, ns));
}

/*
 * The first packet of a machine: what was known before ends. Times are given as those of the boot clock,
 * which readers take if nothing is said; of which clock they really are follows.
 */
static void perfetto_put_clocks(struct rs_perfetto *pf)
{
	static const struct { const char *name; unsigned int id; } clocks[] = {
		{ "mono", PF_CLOCK_MONOTONIC }, { "mono_raw", PF_CLOCK_MONOTONIC_RAW },
	};
	char *p = rs_perfetto_open(pf, pf->begin_ns, 0), *at;

	if (!p)
		return;
	p = rs_proto_uint(p, PF_PACKET_SEQUENCE_FLAGS, PF_STATE_CLEARED);
	p = rs_proto_uint(p, PF_PACKET_FIRST_ON_SEQUENCE, 1);
	p = at = rs_proto_open(p, PF_PACKET_CLOCK_SNAPSHOT);
	p = perfetto_put_clock(p, PF_CLOCK_BOOTTIME, pf->begin_ns);
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
		if (pf->info->clock && !strcmp(pf->info->clock, clocks[i].name))
			p = perfetto_put_clock(p, clocks[i].id, pf->begin_ns);
	if (pf->info->realtime_offset_known)
		p = perfetto_put_clock(p, PF_CLOCK_REALTIME,
				       pf->begin_ns + (uint64_t)pf->info->realtime_offset_ns);
	p = rs_proto_close(at, rs_proto_uint(p, PF_SNAPSHOT_PRIMARY, PF_CLOCK_BOOTTIME));
	rs_perfetto_close(pf, rs_perfetto_put_names(p));
}

static void perfetto_begin(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info,
			   uint64_t begin_ns)
{
	struct rs_perfetto *pf = (struct rs_perfetto *)e;

	(void)pass;
	pf->begin_ns = begin_ns;
	pf->info = info;
	pf->bits = rs_perfetto_find_bits(info->kernel);
	pf->nr_cpus = info->nr_cpus < RS_PERFETTO_MAX_CPUS ? info->nr_cpus : RS_PERFETTO_MAX_CPUS;
	pf->cpus = calloc(pf->nr_cpus + 1, sizeof *pf->cpus);
	if (!pf->cpus)
		pf->nr_cpus = 0;
	perfetto_put_clocks(pf);
	perfetto_put_system(pf);
}

/* Drops what was stored for the machine before. */
static void perfetto_drop_machine(struct rs_perfetto *pf)
{
	rs_perfetto_drop_spans(pf);
	rs_perfetto_free_bundles(pf);
	free(pf->cpus);
	pf->cpus = NULL;
	pf->nr_cpus = pf->nr_disks = 0;
	pf->cpus_uuid = 0;
	pf->nr_clamped = 0;
}

static void perfetto_reset_numbers(struct rs_perfetto *pf)
{
	pf->nr_kinds = RS_PERFETTO_WAKE;
	pf->nr_labels = RS_PERFETTO_WOKEN;
	pf->nr_annotations = pf->nr_texts = pf->nr_functions = pf->nr_modules = pf->nr_frames =
		pf->nr_callstacks = pf->nr_callers = 0;
}

/* Each machine has a sequence of its own, so that all interned numbers begin again. */
static void perfetto_machine(struct rs_export *e, unsigned int index, unsigned int nr, const char *name)
{
	struct rs_perfetto *pf = (struct rs_perfetto *)e;

	(void)nr;
	perfetto_drop_machine(pf);
	memset(pf->event_row, 0, sizeof pf->event_row);
	pf->wakeups = RS_PERFETTO_UNSURE;
	memset(pf->texts, 0, sizeof pf->texts);
	memset(pf->functions, 0, sizeof pf->functions);
	memset(pf->modules, 0, sizeof pf->modules);
	memset(pf->frames, 0, sizeof pf->frames);
	memset(pf->callstacks, 0, sizeof pf->callstacks);
	memset(pf->callers, 0, sizeof pf->callers);
	perfetto_reset_numbers(pf);
	pf->machine = index;
	pf->machine_name = name;
}

/* The lost events of each CPU, as the kernel's statistics give them. */
static void perfetto_put_stats(struct rs_perfetto *pf, const struct rs_quality *quality, unsigned int phase)
{
	char *p = rs_perfetto_open(pf, pf->begin_ns, quality->nr_cpus * 4 * RS_PROTO_NUMBER), *stats, *cpu;

	if (!p)
		return;
	p = stats = rs_proto_open(p, PF_PACKET_FTRACE_STATS);
	p = rs_proto_uint(p, PF_STATS_PHASE, phase);
	for (unsigned int i = 0; i < quality->nr_cpus; i++) {
		p = cpu = rs_proto_open(p, PF_STATS_CPU_STATS);
		p = rs_proto_uint(p, PF_CPU_STATS_CPU, i);
		p = rs_proto_uint(p, PF_CPU_STATS_OVERRUN,
				  phase == PF_STATS_END ? quality->lost_by_cpu[i] : 0);
		p = rs_proto_close(cpu, p);
	}
	rs_perfetto_close(pf, rs_proto_close(stats, p));
}

static void perfetto_finish(struct rs_export *e, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_perfetto *pf = (struct rs_perfetto *)e;

	(void)pass;
	if (rs_quality_lost(quality)) {
		perfetto_put_stats(pf, quality, PF_STATS_START);
		perfetto_put_stats(pf, quality, PF_STATS_END);
	}
	rs_perfetto_describe(pf, quality);
}

static void perfetto_close(struct rs_export *e)
{
	(void)e; /* packets are complete */
}

static bool perfetto_is_empty(const struct rs_export *e)
{
	return !((const struct rs_perfetto *)e)->drawn;
}

static void perfetto_free(struct rs_export *e)
{
	struct rs_perfetto *pf = (struct rs_perfetto *)e;

	perfetto_drop_machine(pf);
	rs_perfetto_pack_end(pf);
	free(pf->flows.at);
	free(pf->seen_tids);
	free(pf);
}

struct rs_export *rs_perfetto_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_perfetto *pf = calloc(1, sizeof *pf);

	(void)options;
	if (!pf)
		return NULL;
	pf->out = out;
	pf->packed = (struct rs_buf)RS_BUF_INIT;
	if (rs_perfetto_pack_begin(pf) < 0) {
		perfetto_free(&pf->export);
		return NULL;
	}
	pf->flows.put = perfetto_put_flow;
	perfetto_reset_numbers(pf);
	rs_perfetto_request(pf);
	pf->subscriber = (struct rs_analysis){
		.abi = RS_ABI, .name = "perfetto", .summary = "what a Perfetto trace needs beside spans",
		.requires_states = true, .requires_history = true, .uses_stacks = true,
		.state_size = sizeof(struct rs_chain_list),
		.task_size = sizeof(struct rs_perfetto_task), .requirements = pf->requirements,
		.callbacks = callbacks,
		.begin = perfetto_on_begin, .task_evict = perfetto_evict_task, .end = perfetto_on_end,
	};
	pf->export = (struct rs_export){
		.subscriber = { &pf->subscriber },
		.spans = { true, false },
		.sink.span = perfetto_on_span,
		.sink.kind = perfetto_on_kind,
		.sink.values = true,
		.draws = perfetto_draws,
		.is_empty = perfetto_is_empty,
		.machine = perfetto_machine,
		.begin = perfetto_begin,
		.findings = rs_perfetto_put_findings,
		.end = perfetto_finish,
		.close = perfetto_close,
		.pack = rs_perfetto_pack,
		.free = perfetto_free,
	};
	return &pf->export;
}
