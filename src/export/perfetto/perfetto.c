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
 *	pressure                        counters of one group, at the end
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

/* ---- states and wake-ups ---- */

/* A task that runs is named by its switches. */
static void perfetto_name(struct rs_perfetto *pf, const struct rs_scene_track *at)
{
	struct rs_perfetto_task *d = at->own;

	rs_perfetto_list_task(pf, d, at->task);
	d->is_named |= *at->task->comm != '\0';
}

static void perfetto_put_wait(struct rs_perfetto *pf, const struct rs_scene_track *at,
			      const struct rs_scene_state *state)
{
	bool is_disk = state->wait->cause == RS_CAUSE_DISK;

	if (state->stack)
		rs_perfetto_put_wait(pf, at, state);
	if (state->stack || is_disk)
		rs_perfetto_blocked(pf, state->interval, is_disk, rs_perfetto_caller(pf, state->stack));
}

/* Readers derive the others from switches and wakings. */
static void perfetto_state(struct rs_scene *s, const struct rs_scene_track *at,
			   const struct rs_scene_state *state)
{
	const struct rs_interval *iv = state->interval;
	struct rs_perfetto *pf = rs_perfetto_of(s);

	if (iv->kind == RS_RUN) {
		perfetto_name(pf, at);
		if (iv->in_flight)
			rs_perfetto_runs_on(pf, at->task, iv->from_ns);
		else
			rs_perfetto_run(pf, iv);
	} else if (state->wait && !iv->in_flight) {
		perfetto_put_wait(pf, at, state);
	}
}

static uint64_t perfetto_wake_track(struct rs_scene *s, struct rs_task *t, bool is_woken)
{
	return rs_perfetto_task_track(rs_perfetto_of(s), t);
}

static void perfetto_wake(struct rs_scene *s, const struct rs_wake_end *from, const struct rs_wake_end *to)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	pf->next_flow++;
	rs_perfetto_wake(pf, from->track, from->ts_ns, RS_PERFETTO_WAKE, pf->next_flow);
	rs_perfetto_wake(pf, to->track, to->ts_ns, RS_PERFETTO_WOKEN, pf->next_flow);
}

/* ---- counters and loss ---- */

static uint64_t perfetto_queue_track(struct rs_perfetto *pf, const struct rs_scene_track *at)
{
	struct rs_perfetto_cpu *cpu = at->own;
	char name[32];

	if (!cpu->counter) {
		snprintf(name, sizeof name, "run queue of CPU %u", at->id);
		rs_perfetto_track(pf, at);
		cpu->counter = rs_perfetto_add_counter(pf, pf->cpus_uuid, NULL, name, PF_UNIT_COUNT);
	}
	return cpu->counter;
}

static uint64_t perfetto_depth_track(struct rs_perfetto *pf, const struct rs_scene_track *at)
{
	struct rs_perfetto_place *disk = at->own;

	if (!disk->counter)
		disk->counter = rs_perfetto_add_counter(pf, rs_perfetto_track(pf, at), NULL, "queue depth",
							PF_UNIT_COUNT);
	return disk->counter;
}

static void perfetto_counter(struct rs_scene *s, const struct rs_scene_track *at,
			     const struct rs_span_kind *kind, uint64_t ts_ns, int64_t value)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	if (kind)
		rs_perfetto_put_value(pf, at, kind, ts_ns, value);
	else if (at->type == RS_TRACK_CPU)
		rs_perfetto_count(pf, perfetto_queue_track(pf, at), ts_ns, value);
	else
		rs_perfetto_count(pf, perfetto_depth_track(pf, at), ts_ns, value);
}

/* Values of one counter come one after the other. */
static void perfetto_pressure(struct rs_scene *s, const char *name, uint64_t ts_ns, unsigned int percent)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	if (!pf->pressure_uuid)
		pf->pressure_uuid = rs_perfetto_add_group(pf, "pressure (percent)");
	if (strcmp(pf->pressure_name, name) != 0) {
		snprintf(pf->pressure_name, sizeof pf->pressure_name, "%s", name);
		pf->pressure_counter = rs_perfetto_add_counter(pf, pf->pressure_uuid, NULL, name, 0);
	}
	rs_perfetto_count(pf, pf->pressure_counter, ts_ns, percent);
}

static void perfetto_loss(struct rs_scene *s, const struct rs_gap *gap)
{
	if (gap->cpu >= s->nr_cpus)
		return;
	rs_perfetto_lost(rs_perfetto_of(s), gap);
	rs_perfetto_loss(rs_perfetto_of(s), gap);
}

static void perfetto_session_end(struct rs_scene *s)
{
	rs_perfetto_list_unseen(rs_perfetto_of(s));
	rs_perfetto_flush(rs_perfetto_of(s));
}

/* ---- the file ---- */

static void perfetto_put_system(struct rs_perfetto *pf)
{
	const struct { unsigned int field; const char *text; } names[] = {
		{ PF_UTSNAME_SYSNAME, "Linux" }, { PF_UTSNAME_RELEASE, pf->scene.info->kernel },
		{ PF_UTSNAME_MACHINE, pf->scene.info->machine },
	};
	char *p = rs_perfetto_open(pf, pf->scene.begin_ns, 3 * RS_PROTO_TEXT(256)), *system, *utsname;

	if (!p)
		return;
	p = system = rs_proto_open(p, PF_PACKET_SYSTEM_INFO);
	p = utsname = rs_proto_open(p, PF_SYSTEM_UTSNAME);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].text)
			p = rs_proto_text(p, names[i].field, names[i].text, strnlen(names[i].text, 256));
	p = rs_proto_close(utsname, p);
	p = rs_proto_uint(p, PF_SYSTEM_NUM_CPUS, pf->scene.info->nr_cpus);
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
	char *p = rs_perfetto_open(pf, pf->scene.begin_ns, 0), *at;

	if (!p)
		return;
	p = rs_proto_uint(p, PF_PACKET_SEQUENCE_FLAGS, PF_STATE_CLEARED);
	p = rs_proto_uint(p, PF_PACKET_FIRST_ON_SEQUENCE, 1);
	p = at = rs_proto_open(p, PF_PACKET_CLOCK_SNAPSHOT);
	p = perfetto_put_clock(p, PF_CLOCK_BOOTTIME, pf->scene.begin_ns);
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
		if (pf->scene.info->clock && !strcmp(pf->scene.info->clock, clocks[i].name))
			p = perfetto_put_clock(p, clocks[i].id, pf->scene.begin_ns);
	if (pf->scene.info->realtime_offset_known)
		p = perfetto_put_clock(p, PF_CLOCK_REALTIME,
				       pf->scene.begin_ns + (uint64_t)pf->scene.info->realtime_offset_ns);
	p = rs_proto_close(at, rs_proto_uint(p, PF_SNAPSHOT_PRIMARY, PF_CLOCK_BOOTTIME));
	rs_perfetto_close(pf, rs_perfetto_put_names(p));
}

static void perfetto_begin(struct rs_scene *s, unsigned int pass)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	pf->bits = rs_perfetto_find_bits(s->info->kernel);
	perfetto_put_clocks(pf);
	perfetto_put_system(pf);
}

/* Drops what was stored for the machine before. */
static void perfetto_drop_machine(struct rs_perfetto *pf)
{
	rs_perfetto_drop_spans(pf);
	rs_perfetto_free_bundles(pf);
	pf->cpus_uuid = pf->connections_uuid = pf->pressure_uuid = 0;
	pf->pressure_name[0] = '\0';
}

static void perfetto_reset_numbers(struct rs_perfetto *pf)
{
	pf->nr_kinds = RS_PERFETTO_WAKE;
	pf->nr_labels = RS_PERFETTO_WOKEN;
	pf->nr_annotations = pf->nr_texts = pf->nr_functions = pf->nr_modules = pf->nr_frames =
		pf->nr_callstacks = pf->nr_callers = 0;
}

/* Each machine has a sequence of its own, so that all interned numbers begin again. */
static void perfetto_machine(struct rs_scene *s, unsigned int index, unsigned int nr, const char *name)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

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
	size_t bytes = quality->nr_cpus * 4 * RS_PROTO_NUMBER;
	char *p = rs_perfetto_open(pf, pf->scene.begin_ns, bytes), *stats, *cpu;

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

static void perfetto_end(struct rs_scene *s, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	if (rs_quality_lost(quality)) {
		perfetto_put_stats(pf, quality, PF_STATS_START);
		perfetto_put_stats(pf, quality, PF_STATS_END);
	}
	rs_perfetto_describe(pf, quality);
}

static bool perfetto_is_empty(const struct rs_scene *s)
{
	return !((const struct rs_perfetto *)s)->drawn;
}

static void perfetto_free(struct rs_scene *s)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	perfetto_drop_machine(pf);
	rs_perfetto_pack_end(pf);
	rs_scene_done(s);
	free(pf->seen_tids);
	free(pf);
}

static const struct rs_scene_ops perfetto_ops = {
	.name = "perfetto", .summary = "what a Perfetto trace needs beside spans",
	.task_bytes = sizeof(struct rs_perfetto_task), .cpu_bytes = sizeof(struct rs_perfetto_cpu),
	.place_bytes = sizeof(struct rs_perfetto_place), .max_cpus = RS_PERFETTO_MAX_CPUS,
	.span_values = true, .nests = true, .uses_stacks = true, .open_states = true, .is_sorted = true,
	.machine = perfetto_machine, .begin = perfetto_begin, .end = perfetto_end, .free = perfetto_free,
	.is_empty = perfetto_is_empty, .pack = rs_perfetto_pack, .finding = rs_perfetto_put_finding,
	.kind = rs_perfetto_add_kind, .slice = rs_perfetto_put_slice, .async = rs_perfetto_put_async,
	.instant = rs_perfetto_put_instant, .count = rs_perfetto_put_count, .counter = perfetto_counter,
	.pressure = perfetto_pressure,
	.state = perfetto_state, .wake_track = perfetto_wake_track, .wake = perfetto_wake,
	.path = rs_perfetto_put_path, .path_flow = rs_perfetto_put_path_flow, .task = rs_perfetto_end_task,
	.sample = rs_perfetto_put_sample, .request = rs_perfetto_put_request, .loss = perfetto_loss,
	.session_end = perfetto_session_end,
};

struct rs_export *rs_perfetto_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_perfetto *pf = calloc(1, sizeof *pf);

	(void)options;
	if (!pf)
		return NULL;
	pf->out = out;
	pf->packed = (struct rs_buf)RS_BUF_INIT;
	if (rs_perfetto_pack_begin(pf) < 0) {
		perfetto_free(&pf->scene);
		return NULL;
	}
	perfetto_reset_numbers(pf);
	rs_perfetto_request(pf);
	rs_scene_init(&pf->scene, &perfetto_ops);
	pf->scene.subscriber.requirements = pf->requirements;
	return &pf->scene.export;
}
