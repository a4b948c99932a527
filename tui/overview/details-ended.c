// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details-ended.c - a task that has ended has no rows now: shows its panels for the last time range that the window
 * has
 *
 * The first and the last span of its track give that time range.
 */
#include <string.h>

#include "base/buf.h"
#include "tui/overview/details.h"
#include "tui/toolkit/app.h"

#define MOST_NS 10000000000ull /* at most this long before its end: each panel reads all these pages */

static void ended_ask(struct rs_details *d, const char *op, const void *request, rs_client_reply *got)
{
	if (!rs_client_ask(d->screen.machine->client, op, request, got, d))
		d->ended_state = RS_DETAILS_UNKNOWN;
}

/* Starts from no span: asks for the first span, or with back for the last. */
static void ended_step(struct rs_details *d, bool back, rs_client_reply *got)
{
	ended_ask(d, "step", &(struct rs_step_request){ .track = d->track, .back = back }, got);
}

static const struct rs_wire_span *span_of(const struct rs_reply *reply)
{
	const struct rs_span_reply *step = reply->message;

	return step ? step->span : NULL;
}

static void got_first(void *arg, const struct rs_reply *reply)
{
	struct rs_details *d = arg;

	d->ended_state = RS_DETAILS_UNKNOWN;
	rs_app_redraw(d->screen.app);
	if (!span_of(reply) || !span_of(reply)->start_ns || span_of(reply)->start_ns >= d->to_ns)
		return;
	d->from_ns = span_of(reply)->start_ns;
	if (d->to_ns - d->from_ns > MOST_NS)
		d->from_ns = d->to_ns - MOST_NS;
	d->ended_state = RS_DETAILS_ENDED;
	rs_details_ask_again(d);
}

static void got_last(void *arg, const struct rs_reply *reply)
{
	struct rs_details *d = arg;

	if (span_of(reply) && span_of(reply)->end_ns) {
		d->to_ns = span_of(reply)->end_ns + 1; /* include events at its end */
		ended_step(d, false, got_first);
	} else {
		d->ended_state = RS_DETAILS_UNKNOWN;
	}
	rs_app_redraw(d->screen.app);
}

/* Uses the track of the selected thread, or else of the process's first thread. */
static void details_ended_on_tracks(void *arg, const struct rs_reply *reply)
{
	struct rs_details *d = arg;
	int64_t tid = rs_selection_number(&d->keys, "tid"), pid = rs_selection_number(&d->keys, "pid");
	const struct rs_tracks_reply *tracks = reply->message;

	*d->track = '\0';
	for (size_t i = 0; tracks && i < tracks->nr_tracks; i++)
		if (!*d->track || tracks->tracks[i].tid == (tid > 0 ? tid : pid))
			rs_copy(d->track, sizeof d->track, tracks->tracks[i].track);
	if (*d->track)
		ended_step(d, true, got_last);
	else
		d->ended_state = RS_DETAILS_UNKNOWN;
	rs_app_redraw(d->screen.app);
}

void rs_details_ended_find(struct rs_details *d)
{
	int64_t tid = rs_selection_number(&d->keys, "tid"), pid = rs_selection_number(&d->keys, "pid");

	for (unsigned int i = 0; i < d->nr; i++)
		if (!rs_details_is_empty(&d->panels[i]))
			return;
	if (*d->sentence || !d->screen.app->live || !rs_app_time(d->screen.app)->now || (pid <= 0 && tid <= 0))
		return;
	d->ended_state = RS_DETAILS_TRIES;
	ended_ask(d, "tracks", &(struct rs_tracks_request){
		.of = rs_u(RS_TRACK_TASK), .pid = pid > 0 ? (int32_t)pid : 0, .tid = pid > 0 ? 0 : (int32_t)tid,
	}, details_ended_on_tracks);
}
