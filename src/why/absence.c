// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * absence - does it mean anything that there was no event of a group? Rules that conclude from silence ask
 * here
 */
#include "engine/internal.h"
#include "engine/session-events.h"
#include "engine/states/waits.h"

#define ABSENCE_MOST_EVENTS 3

/*
 * is_rare: a machine with memory to spare has none of them, so that the format alone must tell that they were
 * turned on. Ringside's own recordings declare what was turned on, and no more. Of others, one that declares
 * events and has not one was made without, or they were filtered out of it.
 */
static const struct absence_group {
	const char *events[ABSENCE_MOST_EVENTS][2]; /* system, name */
	bool is_rare;
} groups[RS_NR_EVENT_GROUPS] = {
	[RS_EVENTS_CALLS] = { { { "raw_syscalls", "sys_enter" } }, false },
	[RS_EVENTS_REQUESTS] = { { { "block", "block_rq_issue" }, { "block", "block_rq_complete" } }, false },
	[RS_EVENTS_LOCKS] = { { { "lock", "contention_begin" } }, false },
	[RS_EVENTS_STALLS] = { { { "vmscan", "mm_vmscan_direct_reclaim_begin" },
				 { "vmscan", "mm_vmscan_memcg_reclaim_begin" },
				 { "writeback", "balance_dirty_pages" } }, true },
};

static bool absence_is_on(const struct rs_ctx *c, const char *system, const char *name, bool is_rare)
{
	bool is_own = c->session->source->info.call_params;

	if (!is_rare && !is_own)
		return rs_event_is_recorded(c, system, name);
	return rs_formats_has(c->session->formats, system, name) &&
	       !rs_session_event_is_off(c->session, system, name);
}

bool rs_absence_is_known(const struct rs_ctx *c, enum rs_event_group group)
{
	const struct absence_group *g = &groups[group];

	if (c->session->config.selection.cpus) /* -C: what the other CPUs did is unknown */
		return false;
	for (unsigned int i = 0; i < ABSENCE_MOST_EVENTS && g->events[i][0]; i++)
		if (!absence_is_on(c, g->events[i][0], g->events[i][1], g->is_rare))
			return false;
	return true;
}

bool rs_absence_is_known_of_d(const struct rs_ctx *c)
{
	return rs_absence_is_known(c, RS_EVENTS_REQUESTS) && rs_absence_is_known(c, RS_EVENTS_STALLS) &&
	       (!rs_waits_has_lock_events(c->session) || rs_absence_is_known(c, RS_EVENTS_LOCKS));
}
