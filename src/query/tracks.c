// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracks - tracks as the protocol names them: "cpu:3", "task:4242.7" (tid and instance), "disk:8:0",
 * "connection:65538" (the number of its socket)
 */
#include "query/tracks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "query/involved.h"
#include "query/track-activity.h"
#include "query/track-cells.h"
#include "ringside/plugin.h"

#define TRACKS_MAX_FOUND 1024 /* disks, or connections */
#define MAX_INSTANCES 64 /* of one tid that are looked at */

/*
 * How the name of a track is made of its id: "cpu:3" has one number, "task:4242.7" two, of which the first is
 * above `shift` bits of the id.
 */
struct track_format {
	const char *word;       /* as rs_words_tracks has it */
	char between;           /* 0: one number */
	unsigned int shift;
	uint64_t max, max_low;
};

static const struct track_format formats[RS_NR_TRACK_TYPES] = {
	[RS_TRACK_TASK] = { "task", '.', 32, INT32_MAX, UINT32_MAX },
	[RS_TRACK_CPU] = { "cpu", 0, 0, UINT32_MAX, 0 },
	[RS_TRACK_DISK] = { "disk", ':', 20, 0xfff, 0xfffff },
	[RS_TRACK_CONNECTION] = { "connection", 0, 0, UINT64_MAX, 0 },
};

/* Reads digits up to `end`, at most `max`. */
static bool tracks_parse_number(const char **at, char end, uint64_t max, uint64_t *value)
{
	const char *from = *at;

	*value = 0;
	for (; **at >= '0' && **at <= '9'; (*at)++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(**at - '0'), value) || *value > max)
			return false;
	return *at > from && *(*at)++ == end;
}

bool rs_track_read(const char *name, struct rs_track_ref *ref)
{
	for (unsigned int of = 0; of < RS_NR_TRACK_TYPES; of++) {
		const struct track_format *f = &formats[of];
		size_t len = strlen(f->word);
		const char *at = name + len + 1;
		uint64_t high, low = 0;

		if (strncmp(name, f->word, len) || name[len] != ':')
			continue;
		if (!tracks_parse_number(&at, f->between, f->max, &high) ||
		    (f->between && !tracks_parse_number(&at, '\0', f->max_low, &low)))
			return false;
		*ref = (struct rs_track_ref){ (enum rs_track_type)of, high << f->shift | low };
		return true;
	}
	return false;
}

void rs_track_name(const struct rs_track_ref *ref, char name[RS_TRACK_NAME])
{
	const struct track_format *f = &formats[ref->of];
	int len = snprintf(name, RS_TRACK_NAME, "%s:%" PRIu64, f->word, ref->id >> f->shift);

	if (f->between)
		snprintf(name + len, RS_TRACK_NAME - (size_t)len, "%c%" PRIu64, f->between,
			 ref->id & ((UINT64_C(1) << f->shift) - 1));
}

int32_t rs_track_tid(const struct rs_track_ref *ref)
{
	return ref->of == RS_TRACK_TASK ? (int32_t)(ref->id >> 32) : 0;
}

/* ---- what is known of a track ---- */

static void describe_task(const struct rs_timelines *t, uint64_t at_ns, struct rs_track_info *info)
{
	int32_t tid = rs_track_tid(&info->ref);
	const struct rs_task *task = rs_timelines_task(t, tid, (uint32_t)info->ref.id);

	info->tid = tid;
	info->pid = task ? task->pid : 0;
	info->kernel_thread = task && task->kernel_thread;
	snprintf(info->label, sizeof info->label, "%s", task ? rs_timelines_comm(task, at_ns) : "[gone]");
}

static void describe_disk(const struct rs_timelines *t, struct rs_track_info *info)
{
	struct rs_ctx *c = rs_timelines_ctx(t);
	uint32_t dev = (uint32_t)info->ref.id;
	const char *name = c ? rs_disk_name(c, dev) : NULL;

	if (name)
		snprintf(info->label, sizeof info->label, "%s", name);
	else
		snprintf(info->label, sizeof info->label, "%" PRIu32 ",%" PRIu32, dev >> 20, dev & 0xfffff);
}

/* "10.0.0.2:80 curl", "/run/x.sock psql": its peer, or the path of either end, and the task that has it */
static void describe_connection(const struct rs_timelines *t, struct rs_track_info *info)
{
	static const char *const sides[] = { "-", "client", "server", "listens" };
	struct rs_ctx *c = rs_timelines_ctx(t);
	const struct rs_socket *k = c ? rs_socket_find(c, info->ref.id) : NULL;
	char addr[RS_SOCKET_ADDR_BYTES];

	snprintf(info->label, sizeof info->label, "[gone]");
	if (!k)
		return;
	info->pid = k->pid;
	if (k->is_unix)
		snprintf(info->label, sizeof info->label, "%.45s %.16s",
			 k->path ? k->path : rs_socket_addr_text(&k->remote, addr), k->comm);
	else
		snprintf(info->label, sizeof info->label, "%s:%u %.16s",
			 rs_socket_addr_text(&k->remote, addr), k->remote.port,
			 k->comm[0] ? k->comm : sides[k->side]);
}

static void describe_cpu(struct rs_track_info *info)
{
	snprintf(info->label, sizeof info->label, "CPU %" PRIu64, info->ref.id);
}

void rs_track_details(const struct rs_timelines *t, const struct rs_track_ref *ref, uint64_t at_ns,
		      struct rs_track_info *info)
{
	*info = (struct rs_track_info){ .ref = *ref };
	switch (ref->of) {
	case RS_TRACK_TASK: describe_task(t, at_ns, info); break;
	case RS_TRACK_CPU: describe_cpu(info); break;
	case RS_TRACK_DISK: describe_disk(t, info); break;
	case RS_TRACK_CONNECTION: describe_connection(t, info); break;
	case RS_NR_TRACK_TYPES: break;
	}
}

bool rs_track_is_shown(const struct rs_timelines *t, const struct rs_track_ref *ref)
{
	const struct rs_ctx *c = rs_timelines_ctx(t);
	const struct rs_task *task;

	if (ref->of != RS_TRACK_TASK)
		return true;
	task = rs_timelines_task(t, rs_track_tid(ref), (uint32_t)ref->id);
	return !task || (rs_shown(c, task) && !rs_is_viewer(c, task->pid));
}

/* Queries take a const pointer, too. */
static const struct rs_timeline *timeline_of(const struct rs_timelines *t)
{
	return rs_timelines_of((struct rs_timelines *)(uintptr_t)t);
}

/* ---- tasks of tracks and spans ---- */

bool rs_track_of_tid(struct rs_timelines *t, int32_t tid, uint64_t at_ns, struct rs_track_ref *ref)
{
	struct rs_ctx *c = rs_timelines_ctx(t);
	const struct rs_task *task = c && tid > 0 ? rs_task_find(c, tid) : NULL;
	struct rs_timeline *tl = rs_timelines_of(t);

	if (!task)
		return false;
	*ref = (struct rs_track_ref){ RS_TRACK_TASK, rs_task_track(tid, task->inst) };
	if (task->birth_ns <= at_ns)
		return true;
	for (uint32_t back = 1; back <= task->inst && back < MAX_INSTANCES; back++) {
		struct rs_timeline_span s;

		ref->id = rs_task_track(tid, task->inst - back);
		if (rs_timeline_at(tl, rs_track_timeline(tl, ref, RS_SPAN_STATE), at_ns, &s) ||
		    rs_timeline_at(tl, rs_track_timeline(tl, ref, RS_SPAN_SLICE), at_ns, &s))
			return true;
	}
	return false;
}

int32_t rs_track_span_tid(const struct rs_timelines *t, const struct rs_track_ref *ref,
			  const struct rs_timeline_span *span)
{
	const struct rs_span_kind *kind = rs_timelines_kind(t, span);

	if (ref->of == RS_TRACK_TASK)
		return rs_track_tid(ref);
	if (!kind)
		return 0;
	return kind->of_task ? rs_span_tid(span->arg) : kind->get_tid ? kind->get_tid(span->arg) : 0;
}

const struct rs_task *rs_track_span_task(struct rs_timelines *t, const struct rs_track_ref *ref,
					 const struct rs_timeline_span *span)
{
	const struct rs_span_kind *kind = rs_timelines_kind(t, span);
	struct rs_track_ref task;

	if (ref->of == RS_TRACK_TASK)
		return rs_timelines_task(t, rs_track_tid(ref), (uint32_t)ref->id);
	if (kind && kind->of_task)
		return rs_timelines_task(t, rs_span_tid(span->arg), rs_span_task_instance(span->arg));
	if (!rs_track_of_tid(t, rs_track_span_tid(t, ref, span), span->start_ns, &task))
		return NULL;
	return rs_timelines_task(t, rs_track_tid(&task), (uint32_t)task.id);
}

/* ---- the list ---- */

struct tracks_list {
	struct rs_timelines *t;
	const struct rs_track_ask *ask;
	struct rs_track_info *tracks;
	size_t nr, max;
};

/* Finds the rows with spans, and counts those that end in the requested time. */
static bool tracks_count(const struct tracks_list *l, struct rs_track_info *info)
{
	const struct rs_timeline *tl = timeline_of(l->t);

	for (unsigned int shape = 0; shape < RS_NR_SPAN_SHAPES; shape++) {
		uint32_t track = rs_track_timeline(tl, &info->ref, (enum rs_span_shape)shape);

		if (!track)
			continue;
		info->shapes |= 1u << shape;
		info->nr_spans += rs_timeline_count(tl, track, l->ask->from_ns, l->ask->to_ns);
	}
	return info->shapes != 0;
}

/* Returns false without memory. */
static bool tracks_add(struct tracks_list *l, const struct rs_track_info *info)
{
	struct rs_track_info *more;

	if (l->ask->passes && !l->ask->passes(l->ask->where, info))
		return true;
	more = RS_VECTOR_ADD(&l->tracks, &l->nr, &l->max);
	if (more)
		*more = *info;
	return more;
}

static bool tracks_add_ref(struct tracks_list *l, enum rs_track_type of, uint64_t id, unsigned int shapes)
{
	struct rs_track_info info;

	rs_track_details(l->t, &(struct rs_track_ref){ of, id }, l->ask->to_ns, &info);
	if (of == RS_TRACK_CONNECTION && l->ask->pid && info.pid != l->ask->pid)
		return true;
	tracks_count(l, &info);
	info.shapes |= shapes;
	return tracks_add(l, &info);
}

static bool add_cpus(struct tracks_list *l)
{
	struct rs_ctx *c = rs_timelines_ctx(l->t);

	for (unsigned int cpu = 0; c && cpu < rs_nr_cpus(c) && cpu < l->ask->limit; cpu++)
		if (!tracks_add_ref(l, RS_TRACK_CPU, cpu, 0))
			return false;
	return true;
}

static int tracks_compare_id(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * What is listed by what has spans in the timeline: the type, and the shape of
 * the row that each has.
 */
static const struct tracks_listed {
	enum rs_track_type of;
	enum rs_span_shape shape;
} listed[] = {
	{ RS_TRACK_DISK, RS_SPAN_ASYNC },
	{ RS_TRACK_CONNECTION, RS_SPAN_STATE },
};

/* Sorted. A disk that does not answer, and a connection that stays as it is, have only spans in flight. */
static size_t tracks_find(const struct tracks_list *l, uint32_t type, uint64_t ids[TRACKS_MAX_FOUND])
{
	struct rs_timeline_track found[TRACKS_MAX_FOUND];
	size_t nr = rs_timeline_tracks_of(timeline_of(l->t), type, found, TRACKS_MAX_FOUND),
	       nr_open = l->ask->opens ? l->ask->opens->nr : 0;

	nr = nr < TRACKS_MAX_FOUND ? nr : TRACKS_MAX_FOUND;
	for (size_t i = 0; i < nr; i++)
		ids[i] = found[i].id;
	for (size_t i = 0; i < nr_open &&
	     nr < TRACKS_MAX_FOUND; i++) { /* those of a track are beside each other */
		const struct rs_open_span *open = &l->ask->opens->spans[i];

		if (open->type == type && (!i || open[-1].type != type || open[-1].id != open->id))
			ids[nr++] = open->id;
	}
	if (nr)
		qsort(ids, nr, sizeof *ids, tracks_compare_id);
	return nr;
}

static bool tracks_add_found(struct tracks_list *l, const struct tracks_listed *of)
{
	uint64_t ids[TRACKS_MAX_FOUND];
	size_t nr = tracks_find(l, rs_track_type(of->of, of->shape), ids), before = l->nr;

	for (size_t i = 0; i < nr && l->nr - before < l->ask->limit; i++)
		if ((!i || ids[i] != ids[i - 1]) && !tracks_add_ref(l, of->of, ids[i], 1u << of->shape))
			return false;
	return true;
}

/*
 * The involved first, then the busiest, kernel threads last: they are many, and wait for work. The id makes
 * the order stable.
 */
static int by_spans(const void *a, const void *b)
{
	const struct rs_track_info *x = a, *y = b;

	if (!x->involved != !y->involved)
		return x->involved ? -1 : 1;
	if (x->kernel_thread != y->kernel_thread)
		return x->kernel_thread ? 1 : -1;
	return x->nr_spans > y->nr_spans ? -1 :
	       x->nr_spans < y->nr_spans ? 1 :
	       x->ref.id < y->ref.id     ? -1 :
					   1;
}

static int by_process(const void *a, const void *b)
{
	const struct rs_track_info *x = a, *y = b;

	if (x->kernel_thread != y->kernel_thread)
		return x->kernel_thread ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if ((x->tid == x->pid) != (y->tid == y->pid))
		return x->tid == x->pid ? -1 : 1;
	return x->ref.id < y->ref.id ? -1 : x->ref.id > y->ref.id;
}

static bool tracks_add_task(struct tracks_list *l, const struct rs_task *task)
{
	struct rs_track_info info = {
		.ref = { RS_TRACK_TASK, rs_task_track(task->tid, task->inst) }, .pid = task->pid,
		.tid = task->tid, .kernel_thread = task->kernel_thread,
	};

	if ((l->ask->pid && task->pid != l->ask->pid) || (l->ask->tid && task->tid != l->ask->tid))
		return true;
	/* a requested task may have no ended span yet; of all tasks, those with spans */
	if (l->ask->pid || l->ask->tid ? !tracks_count(l, &info) && task->exited :
					 !tracks_count(l, &info) || !info.nr_spans)
		return true;
	if (l->ask->involved)
		info.involved = rs_involved_of(l->ask->involved, &info.ref);
	snprintf(info.label, sizeof info.label, "%s", rs_timelines_comm(task, l->ask->to_ns));
	return tracks_add(l, &info);
}

static bool add_tasks(struct tracks_list *l)
{
	struct rs_ctx *c = rs_timelines_ctx(l->t);
	size_t before = l->nr;

	for (struct rs_task *task = c ? rs_task_next(c, NULL) : NULL; task; task = rs_task_next(c, task))
		if (!tracks_add_task(l, task))
			return false;
	if (l->nr - before > l->ask->limit) {
		qsort(&l->tracks[before], l->nr - before, sizeof *l->tracks, by_spans);
		l->nr = before + l->ask->limit;
	}
	if (l->nr > before)
		qsort(&l->tracks[before], l->nr - before, sizeof *l->tracks, by_process);
	return true;
}

/* The threads of a process come with its connections. */
static bool tracks_asks_for(const struct rs_track_ask *ask, enum rs_track_type of)
{
	return ask->all || ask->of == of ||
	       (of == RS_TRACK_CONNECTION && ask->of == RS_TRACK_TASK && ask->pid);
}

struct rs_track_info *rs_tracks_list(struct rs_timelines *t, const struct rs_track_ask *ask, size_t *nr)
{
	struct tracks_list l = { .t = t, .ask = ask };
	bool ok = true;

	if (ask->all || ask->of == RS_TRACK_CPU)
		ok = add_cpus(&l);
	for (size_t i = 0; ok && i < sizeof listed / sizeof *listed; i++)
		ok = !tracks_asks_for(ask, listed[i].of) || tracks_add_found(&l, &listed[i]);
	if (ok && (ask->all || ask->of == RS_TRACK_TASK))
		ok = add_tasks(&l);
	for (size_t i = 0; i < l.nr; i++)
		l.tracks[i].activity = rs_track_activity(t, ask->opens, &l.tracks[i].ref, ask->from_ns,
							 ask->to_ns);
	*nr = l.nr;
	return l.tracks;
}
