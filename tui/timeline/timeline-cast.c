// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-cast.c - the timeline of one wait: only the tracks that take part, each with its role, until the
 * user asks for all
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

#define CAST_MARGIN 6 /* of the wait, before and after it */

/* ---- who takes part ---- */

static void timeline_cast_add(struct rs_tl_cast *cast, const char *track, const char *role, const char *label,
			      int64_t pid)
{
	struct rs_tl_role *to = &cast->at[cast->nr];

	for (unsigned int i = 0; i < cast->nr; i++)
		if (!strcmp(cast->at[i].track, track))
			return;
	if (cast->nr == RS_TL_ROLES)
		return;
	rs_copy(to->track, sizeof to->track, track);
	to->pid = pid;
	rs_copy(to->role, sizeof to->role, role);
	rs_copy(to->label, sizeof to->label, label);
	cast->nr++;
}

/* The connection that a task waited on, before the task that it waited for there. */
static void timeline_cast_add_connection(struct rs_tl_cast *cast, const struct rs_why_node *node)
{
	char track[RS_TL_ENGINE_NAME];

	if (!node->connection)
		return;
	snprintf(track, sizeof track, "connection:%llu", (unsigned long long)node->connection);
	timeline_cast_add(cast, track, "socket", node->socket, 0);
}

static void timeline_cast_add_node(struct rs_tl_cast *cast, const struct rs_why_node *node)
{
	char track[RS_TL_ENGINE_NAME], label[24];
	unsigned int major, minor;

	timeline_cast_add_connection(cast, node);
	if (!strcmp(node->kind, "task") && node->tid) {
		snprintf(track, sizeof track, "task:%lld.%llu", (long long)node->tid,
			 (unsigned long long)node->instance);
		timeline_cast_add(cast, track, node->role, node->comm, node->pid);
	}
	if (node->cpu >= 0) {
		snprintf(track, sizeof track, "cpu:%lld", (long long)node->cpu);
		snprintf(label, sizeof label, "CPU %lld", (long long)node->cpu);
		timeline_cast_add(cast, track, "takes", label, 0);
	}
	if (sscanf(node->dev, "%u,%u", &major, &minor) == 2) {
		snprintf(track, sizeof track, "disk:%u:%u", major, minor);
		timeline_cast_add(cast, track, "device", *node->disk ? node->disk : node->dev, 0);
	}
}

const char *rs_timeline_cast_role(const struct rs_timeline_screen *t, const struct rs_tl_track *track)
{
	for (unsigned int i = 0; i < t->cast.nr; i++)
		if (!strcmp(t->cast.at[i].track, rs_timeline_engine_name(track->name)))
			return t->cast.at[i].role;
	return track->involved;
}

void rs_timeline_cast_add_near(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine,
			       struct rs_tracks_request *request, const char *near[RS_TL_ROLES])
{
	const struct rs_tl_cast *cast = &t->cast;

	if (!cast->nr || cast->nodes.question.machine != machine)
		return;
	for (unsigned int i = 0; i < cast->nr; i++)
		near[i] = cast->at[i].track;
	request->near = near;
	request->nr_near = cast->nr;
	request->near_from_ns = cast->from_ns;
	request->near_to_ns = cast->to_ns;
}

/* ---- its tracks, and its time ---- */

static void timeline_cast_set_tracks(struct rs_timeline_screen *t)
{
	free(t->tracks);
	t->nr_tracks = 0;
	t->tracks = calloc(RS_TL_MAX_TRACKS, sizeof *t->tracks);
	for (unsigned int i = 0; t->tracks && i < t->cast.nr; i++) {
		char name[RS_TL_NAME];
		long at;

		rs_timeline_put_name(t->screen.machine, t->cast.at[i].track, name);
		at = rs_timeline_add_track(t, t->nr_tracks, name, t->cast.at[i].label);
		if (at >= 0) /* by its process it is known whether its waits cost */
			t->tracks[at].pid = t->cast.at[i].pid;
	}
	if (t->nr_tracks)
		memcpy(t->at_track, t->tracks[0].name, sizeof t->at_track);
	t->tracks_known = t->nr_tracks;
}

static void timeline_cast_got_queue(void *of, const struct rs_reply *reply)
{
	struct rs_timeline_screen *t = of;

	rs_app_refused(t->screen.app, reply);
	rs_timeline_queue_read(&t->cast.queue);
	rs_app_redraw(t->screen.app);
}

/* Of the first time in a disk: who waited for it is the task around. */
static void timeline_cast_ask_queue(struct rs_timeline_screen *t)
{
	const struct rs_why_nodes *nodes = &t->cast.nodes;
	const struct rs_why_node *task = NULL;

	for (const struct rs_why_node *node = nodes->at; node < nodes->at + nodes->nr; node++) {
		if (!strcmp(node->kind, "task") && node->tid && node->to_ns)
			task = node;
		if (strcmp(node->kind, "part") || !*node->dev || !task)
			continue;
		t->cast.queue.question = (struct rs_question){ .machine = t->screen.machine,
			.answered = timeline_cast_got_queue, .of = t };
		rs_timeline_queue_ask(&t->cast.queue, task->tid, task->comm, t->cast.from_ns,
				      t->cast.to_ns);
		return;
	}
}

static void timeline_cast_got(void *of, const struct rs_reply *reply)
{
	struct rs_timeline_screen *t = of;
	struct rs_why_nodes *nodes = &t->cast.nodes;

	rs_app_refused(t->screen.app, reply);
	rs_why_nodes_read(nodes);
	for (size_t i = 0; i < nodes->nr; i++)
		timeline_cast_add_node(&t->cast, &nodes->at[i]);
	t->cast.only = t->cast.nr;
	if (!t->cast.only) {
		rs_timeline_ask_tracks(t);
		return;
	}
	timeline_cast_set_tracks(t);
	timeline_cast_ask_queue(t);
	rs_timeline_path_find(t, t->cast.tid, t->cast.from_ns, t->cast.to_ns);
	rs_timeline_ask(t);
}

void rs_timeline_cast_set_time(struct rs_timeline_screen *t, uint64_t from_ns, uint64_t to_ns)
{
	t->cast.from_ns = from_ns;
	t->cast.to_ns = to_ns;
}

void rs_timeline_cast_begin(struct rs_timeline_screen *t, int64_t tid, uint64_t from_ns, uint64_t to_ns)
{
	t->cast.tid = tid;
	rs_timeline_cast_set_time(t, from_ns, to_ns);
	t->cast.nodes.question =
		(struct rs_question){ .machine = t->screen.machine, .answered = timeline_cast_got, .of = t };
	t->cast.only = rs_why_nodes_ask(&t->cast.nodes, 0, tid,
					&(struct rs_asked_time){ rs_u(from_ns), rs_u(to_ns) });
}

bool rs_timeline_cast_show_time(struct rs_timeline_screen *t)
{
	struct rs_tl_cast *cast = &t->cast;
	uint64_t margin_ns = (cast->to_ns - cast->from_ns) / CAST_MARGIN;

	if (!cast->to_ns || t->touched)
		return false;
	rs_timeline_show_range(t, cast->from_ns > margin_ns ? cast->from_ns - margin_ns : 0,
			       cast->to_ns + margin_ns);
	t->cursor_ns = cast->from_ns + (cast->to_ns - cast->from_ns) / 2;
	t->touched = true;
	return true;
}

bool rs_timeline_cast_show_all(struct rs_timeline_screen *t)
{
	if (!t->cast.only)
		return false;
	t->cast.only = false;
	t->pid = t->tid = 0;
	rs_timeline_ask_tracks(t);
	return true;
}

void rs_timeline_cast_done(struct rs_timeline_screen *t)
{
	rs_why_nodes_done(&t->cast.nodes);
	rs_timeline_queue_done(&t->cast.queue);
}
