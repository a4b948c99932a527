// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details-ended.c - a task that has ended has no rows now: where the window has it last, its panels are of that time
 *
 * Its track on the timelines says when: the last span, and the first one.
 */
#include <string.h>

#include "base/copy.h"
#include "tui/overview/details.h"
#include "tui/toolkit/app.h"

#define MOST_NS 10000000000ull /* back from its end: all its pages are read, for each panel */

static void ended_ask(struct rs_details *a, const char *op, const void *request, rs_client_reply *got)
{
	if (!rs_client_ask(a->screen.machine->client, op, request, got, a))
		a->past = RS_DETAILS_UNKNOWN;
}

/* Without a place to start from: the first span, or back the last. */
static void ended_step(struct rs_details *a, bool back, rs_client_reply *got)
{
	ended_ask(a, "step", &(struct rs_step_request){ .track = a->track, .back = back }, got);
}

static const struct rs_wire_span *span_of(const struct rs_reply *reply)
{
	const struct rs_span_reply *step = reply->message;

	return step ? step->span : NULL;
}

static void got_first(void *arg, const struct rs_reply *reply)
{
	struct rs_details *a = arg;

	a->past = RS_DETAILS_UNKNOWN;
	rs_app_redraw(a->screen.app);
	if (!span_of(reply) || !span_of(reply)->start_ns || span_of(reply)->start_ns >= a->to_ns)
		return;
	a->from_ns = span_of(reply)->start_ns;
	if (a->to_ns - a->from_ns > MOST_NS)
		a->from_ns = a->to_ns - MOST_NS;
	a->past = RS_DETAILS_ENDED;
	rs_details_ask_again(a);
}

static void got_last(void *arg, const struct rs_reply *reply)
{
	struct rs_details *a = arg;

	if (span_of(reply) && span_of(reply)->end_ns) {
		a->to_ns = span_of(reply)->end_ns + 1; /* what ended then is of it */
		ended_step(a, false, got_first);
	} else {
		a->past = RS_DETAILS_UNKNOWN;
	}
	rs_app_redraw(a->screen.app);
}

/* Of the thread that is meant, else the process's first. */
static void details_ended_on_tracks(void *arg, const struct rs_reply *reply)
{
	struct rs_details *a = arg;
	int64_t tid = rs_selection_number(&a->keys, "tid"), pid = rs_selection_number(&a->keys, "pid");
	const struct rs_tracks_reply *tracks = reply->message;

	*a->track = '\0';
	for (size_t i = 0; tracks && i < tracks->nr_tracks; i++)
		if (!*a->track || tracks->tracks[i].tid == (tid > 0 ? tid : pid))
			rs_copy(a->track, sizeof a->track, tracks->tracks[i].track);
	if (*a->track)
		ended_step(a, true, got_last);
	else
		a->past = RS_DETAILS_UNKNOWN;
	rs_app_redraw(a->screen.app);
}

void rs_details_ended_find(struct rs_details *a)
{
	int64_t tid = rs_selection_number(&a->keys, "tid"), pid = rs_selection_number(&a->keys, "pid");

	for (unsigned int i = 0; i < a->nr; i++)
		if (!rs_details_is_empty(&a->panels[i]))
			return;
	if (*a->sentence || !a->screen.app->live || !rs_app_time(a->screen.app)->now || (pid <= 0 && tid <= 0))
		return;
	a->past = RS_DETAILS_TRIES;
	ended_ask(a, "tracks", &(struct rs_tracks_request){
		.of = rs_u(RS_TRACK_TASK), .pid = pid > 0 ? (int32_t)pid : 0, .tid = pid > 0 ? 0 : (int32_t)tid,
	}, details_ended_on_tracks);
}
