// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details-ended.c - a task that has ended has no rows now: where the window has it last, its panels are of that time
 *
 * Its track on the timelines says when: the last span, and the first one.
 */
#include <string.h>

#include "base/copy.h"
#include "rpc/wire.h"
#include "tui/overview/details.h"
#include "tui/toolkit/app.h"

#define MOST_NS 10000000000ull /* back from its end: all its pages are read, for each panel */

static void ended_send(struct rs_details *a, rs_client_reply *got)
{
	if (!rs_client_send(a->screen.machine->client, -1, got, a))
		a->past = RS_DETAILS_UNKNOWN;
}

static void ended_step(struct rs_details *a, bool back, rs_client_reply *got)
{
	struct rs_json *j = rs_client_begin(a->screen.machine->client, "step");

	rs_json_put_str(j, "track", a->track);
	rs_json_put_bool(j, "back", back);
	ended_send(a, got);
}

static bool read_time(const cJSON *reply, const char *name, uint64_t *ns)
{
	const cJSON *span = cJSON_GetObjectItemCaseSensitive(reply, "span");

	return cJSON_IsObject(span) && rs_wire_u64_of(span, name, 0, ns) && *ns;
}

static void got_first(void *arg, const cJSON *reply)
{
	struct rs_details *a = arg;

	a->past = RS_DETAILS_UNKNOWN;
	rs_app_redraw(a->screen.app);
	if (!read_time(reply, "start_ns", &a->from_ns) || a->from_ns >= a->to_ns)
		return;
	if (a->to_ns - a->from_ns > MOST_NS)
		a->from_ns = a->to_ns - MOST_NS;
	a->past = RS_DETAILS_ENDED;
	rs_details_ask_again(a);
}

static void got_last(void *arg, const cJSON *reply)
{
	struct rs_details *a = arg;

	if (read_time(reply, "end_ns", &a->to_ns)) {
		a->to_ns++; /* what ended then is of it */
		ended_step(a, false, got_first);
	} else {
		a->past = RS_DETAILS_UNKNOWN;
	}
	rs_app_redraw(a->screen.app);
}

/* Of the thread that is meant, else the process's first. */
static void details_ended_on_tracks(void *arg, const cJSON *reply)
{
	struct rs_details *a = arg;
	int64_t tid = rs_selection_number(&a->keys, "tid"), pid = rs_selection_number(&a->keys, "pid");
	const cJSON *at;

	*a->track = '\0';
	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(reply, "tracks"))
		if (!*a->track || rs_wire_number_of(at, "tid") == (tid > 0 ? tid : pid))
			rs_copy(a->track, sizeof a->track, rs_wire_text_of(at, "track"));
	if (*a->track)
		ended_step(a, true, got_last);
	else
		a->past = RS_DETAILS_UNKNOWN;
	rs_app_redraw(a->screen.app);
}

void rs_details_ended_find(struct rs_details *a)
{
	int64_t tid = rs_selection_number(&a->keys, "tid"), pid = rs_selection_number(&a->keys, "pid");
	struct rs_json *j;

	for (unsigned int i = 0; i < a->nr; i++)
		if (!rs_details_is_empty(&a->panels[i]))
			return;
	if (*a->sentence || !a->screen.app->live || !rs_app_time(a->screen.app)->now || (pid <= 0 && tid <= 0))
		return;
	j = rs_client_begin(a->screen.machine->client, "tracks");
	rs_json_put_u64(j, pid > 0 ? "pid" : "tid", (uint64_t)(pid > 0 ? pid : tid));
	rs_json_put_str(j, "of", "task");
	a->past = RS_DETAILS_TRIES;
	ended_send(a, details_ended_on_tracks);
}
