// SPDX-License-Identifier: GPL-2.0-or-later
/* where.c - `where` of requests whose answers are no rows of a view: which spans, tracks, findings pass it */
#include "service/where.h"

#include <stdlib.h>

#include "ringside/event.h"

int rs_where_read(const char *text, enum rs_filter_view view, struct rs_timelines *t, struct rs_where **to,
		  struct rs_error *err)
{
	*to = NULL;
	if (!text)
		return 0;
	*to = calloc(1, sizeof **to);
	if (!*to)
		return rs_fail(err, "where: out of memory");
	(*to)->timelines = t;
	(*to)->at_ns = UINT64_MAX;
	if (rs_expression_parse(&(*to)->e, rs_filter_view(view), "where", text, err) == 0)
		return 0;
	free(*to);
	*to = NULL;
	return -1;
}

static bool where_uses(const struct rs_where *w, enum rs_filter_column column)
{
	return w->e.used >> column & 1;
}

/* Unknown values pass only where the expression asks for them: dev == - */
static void where_put_task(struct rs_value *v, const char *comm, int32_t pid, int32_t tid)
{
	v[RS_FILTER_COMM] = rs_s(comm);
	v[RS_FILTER_PID] = rs_u_if(pid > 0, (uint64_t)pid);
	v[RS_FILTER_TID] = rs_u_if(tid > 0, (uint64_t)tid);
}

/* The device as columns have it; buf has RS_TRACK_NAME bytes. */
static void where_put_track(struct rs_value *v, const struct rs_track_ref *ref, char *buf)
{
	char *colon;

	v[RS_FILTER_CPU] = rs_u_if(ref->of == RS_TRACK_CPU, ref->id);
	if (ref->of != RS_TRACK_DISK)
		return;
	rs_track_name(ref, buf); /* "disk:8:0" */
	colon = strrchr(buf, ':');
	if (colon && colon > buf) {
		*colon = ',';
		v[RS_FILTER_DEV] = rs_s(strchr(buf, ':') + 1);
	}
}

static bool where_passes_as(const struct rs_where *w, struct rs_value *v, const char *process)
{
	if (rs_expression_passes(&w->e, v))
		return true;
	if (!process || !where_uses(w, RS_FILTER_COMM))
		return false;
	v[RS_FILTER_COMM] = rs_s(process);
	return rs_expression_passes(&w->e, v);
}

/* NULL: it is not known, or the thread is the process' first one. */
static const char *where_process(const struct rs_where *w, int32_t pid, int32_t tid, uint64_t at_ns)
{
	struct rs_ctx *c = w->timelines ? rs_timelines_ctx(w->timelines) : NULL;
	const struct rs_task *task = c && pid > 0 && pid != tid ? rs_task_find(c, pid) : NULL;

	return task ? rs_timelines_comm(task, at_ns) : NULL;
}

bool rs_where_span(const void *arg, const struct rs_track_ref *ref, const struct rs_timeline_span *span)
{
	const struct rs_where *w = arg;
	struct rs_value v[RS_NR_FILTER_COLUMNS] = { { .known = false } };
	char track[RS_TRACK_NAME], label[128];
	const struct rs_span_kind *kind;
	const struct rs_task *task;

	if (!w)
		return true;
	task = rs_track_span_task(w->timelines, ref, span);
	where_put_task(v, task ? rs_timelines_comm(task, span->end_ns) : NULL, task ? task->pid : 0,
		       task ? task->tid : rs_track_span_tid(w->timelines, ref, span));
	where_put_track(v, ref, track);
	kind = rs_timelines_kind(w->timelines, span);
	v[RS_FILTER_KIND] = rs_s(kind ? kind->name : NULL);
	if (where_uses(w, RS_FILTER_LABEL))
		v[RS_FILTER_LABEL] = rs_s(rs_timelines_label(w->timelines, span, label, sizeof label));
	v[RS_FILTER_LENGTH] = rs_u(span->end_ns - span->start_ns);
	return where_passes_as(w, v,
			       task ? where_process(w, task->pid, task->tid, span->end_ns) : NULL);
}

bool rs_where_track(const void *arg, const struct rs_track_info *info)
{
	const struct rs_where *w = arg;
	struct rs_value v[RS_NR_FILTER_COLUMNS] = { { .known = false } };
	char track[RS_TRACK_NAME];

	if (!w)
		return true;
	where_put_task(v, info->ref.of == RS_TRACK_TASK ? info->label : NULL, info->pid, info->tid);
	where_put_track(v, &info->ref, track);
	return where_passes_as(w, v, where_process(w, info->pid, info->tid, w->at_ns));
}

bool rs_where_open(const void *arg, const struct rs_in_flight_item *o, uint64_t now_ns)
{
	const struct rs_where *w = arg;
	struct rs_value v[RS_NR_FILTER_COLUMNS] = { { .known = false } };

	if (!w)
		return true;
	where_put_task(v, o->comm, o->pid, o->tid);
	v[RS_FILTER_KIND] = rs_s(o->kind);
	v[RS_FILTER_LABEL] = rs_s(o->what);
	v[RS_FILTER_LENGTH] = rs_u_if(now_ns >= o->since_ns, now_ns - o->since_ns);
	return where_passes_as(w, v, where_process(w, o->pid, o->tid, now_ns));
}

/* Of several processes one must pass; of what is no process, its name. */
static bool where_party_passes(const struct rs_where *w, const struct rs_finding_party *party)
{
	struct rs_value v[RS_NR_FILTER_COLUMNS] = { { .known = false } };

	if (!party->name[0])
		return false;
	for (unsigned int i = 0; i < party->nr_pids || !i; i++) {
		where_put_task(v, party->name, i < party->nr_pids ? party->pids[i] : 0, 0);
		if (rs_expression_passes(&w->e, v))
			return true;
	}
	return false;
}

bool rs_where_finding(const void *arg, const struct rs_finding_item *f)
{
	const struct rs_where *w = arg;

	return !w || where_party_passes(w, &f->victim) || where_party_passes(w, &f->culprit);
}
