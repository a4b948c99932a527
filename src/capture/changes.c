// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * changes - what another program changes in the session's instance becomes a gap
 *
 * Compared once a second and at the end. The gap reaches from the last time when all was as set to the first
 * time when it is again, so it is up to a second too long at each side, never too short. What the session
 * itself turns is no change: both happen under the lock of the switches.
 */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "capture/capture-parts.h"

static void changes_add(struct rs_switches *sw, uint64_t now_ns)
{
	struct rs_pause gap = { .off_ns = sw->checked_ns, .on_ns = now_ns };

	memcpy(gap.what, sw->changed, sizeof gap.what);
	rs_pauses_put(&sw->source->pauses, &gap);
}

/* Under the lock. */
static int changes_compare(struct rs_switches *sw, struct rs_error *err)
{
	uint64_t now_ns = rs_switches_now_ns(sw);
	char what[RS_PAUSE_WHAT_BYTES];
	bool is_news;
	enum rs_tracing_settings_state state = rs_tracing_settings_check(sw->instance, !sw->off,
									 sw->events_off, what, sizeof what);

	if (state == RS_TRACING_AS_SET && *sw->changed)
		changes_add(sw, now_ns);
	is_news = strcmp(sw->changed, what) != 0;
	if (is_news)
		RS_LOG(RS_LOG_TRACEFS, "changed by another program: %s", *what ? what : "nothing any more");
	memcpy(sw->changed, what, sizeof what);
	if (state == RS_TRACING_OTHER_CLOCK)
		snprintf(sw->changed, sizeof sw->changed, "trace_clock %.60s", what);
	if (state != RS_TRACING_AS_SET)
		changes_add(sw, now_ns);
	sw->checked_ns = now_ns;
	if (state != RS_TRACING_OTHER_CLOCK)
		return is_news;
	return rs_fail(err,
		       "another program has set the trace clock of '%s' to '%.60s': times before and after "
		       "it cannot be "
		       "compared, so the session ends (start it again)",
		       sw->instance->path, what);
}

int rs_changes_check(struct rs_switches *sw, struct rs_error *err)
{
	int ret = 0;

	pthread_mutex_lock(&sw->lock);
	if (sw->ready)
		ret = changes_compare(sw, err);
	pthread_mutex_unlock(&sw->lock);
	return ret;
}

void rs_changes_now(struct rs_switches *sw, char what[RS_PAUSE_WHAT_BYTES])
{
	pthread_mutex_lock(&sw->lock);
	memcpy(what, sw->changed, RS_PAUSE_WHAT_BYTES);
	pthread_mutex_unlock(&sw->lock);
}
