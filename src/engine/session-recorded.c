// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session-recorded - events that a recording declares but never recorded: numbers from them would be meaningless
 * zeros
 */
#include <stdio.h>

#include "decode/event-ids.h"
#include "engine/internal.h"

/* With --to the rest of the file is unseen, and in the middle of the file what follows. */
static bool recorded_elsewhere(struct rs_session *s, uint32_t id)
{
	if (s->ended && !s->cut)
		return false;
	if (!s->event_ids)
		s->event_ids = rs_event_ids_new(s->source, s->formats);
	return !s->event_ids || rs_event_ids_has(s->event_ids, id); /* NULL: not known */
}

bool rs_session_occurs(struct rs_session *s, uint32_t id)
{
	if (id == RS_NO_EVENT || s->source->info.live)
		return id != RS_NO_EVENT;
	if (rs_session_events_of(s, id))
		return true;
	if (s->config.recorded)
		return rs_event_id_set_has(s->config.recorded, id);
	return s->config.is_part || recorded_elsewhere(s, id);
}

bool rs_session_recorded(const struct rs_session *s, struct rs_event_id_set *set)
{
	*set = (struct rs_event_id_set){ { 0 } };
	if (s->source->info.live)
		return false;
	for (unsigned int id = 0; id < s->nr_routes && id < RS_NR_EVENT_IDS; id++)
		if (s->routes[id].nr_events)
			rs_event_id_set_add(set, (uint16_t)id);
	return true;
}

/* The first required event, if neither it nor an alternative has come. */
static const struct rs_requirement *session_recorded_missing_in(struct rs_session *s, const struct rs_analysis_instance *instance)
{
	const struct rs_requirement *first = NULL;

	for (size_t i = 0; i < instance->nr_bindings; i++) {
		const struct rs_requirement *w = instance->bindings[i].requirement;

		if (w->need == RS_PASSIVE)
			continue;
		if (rs_session_occurs(s, instance->bindings[i].bound.id))
			return NULL;
		if (!first && w->need == RS_REQUIRED)
			first = w;
	}
	return first;
}

/*
 * True for the events of the analysis itself, or those of an engine part that it requires. Where single calls are
 * declared by name any of them may have come.
 */
static const struct rs_requirement *session_recorded_missing_of(struct rs_session *s, const struct rs_analysis_instance *instance)
{
	const struct rs_requirement *missing = session_recorded_missing_in(s, instance);

	for (int part = RS_ENGINE_STATES; part < RS_NR_ENGINE_PARTS && !missing; part++)
		if (rs_bind_part_required(instance->analysis, part) &&
		    !(part == RS_ENGINE_CALLS && s->calls.named))
			missing = session_recorded_missing_in(s, &s->parts[part]);
	return missing;
}

const char *rs_session_nothing(struct rs_session *s, const struct rs_analysis *a)
{
	const char *why = rs_session_disabled(s, a);
	const struct rs_requirement *missing = NULL;

	for (unsigned int i = 0; !why && !s->source->info.live && i < s->nr_analyses; i++) {
		if (s->analyses[i].analysis != a || !(missing = session_recorded_missing_of(s, &s->analyses[i])))
			continue;
		snprintf(s->analyses[i].unrecorded, sizeof s->analyses[i].unrecorded, "needs %s:%s, of which this trace has not one",
			 missing->system, missing->name);
		why = s->analyses[i].unrecorded;
	}
	return why;
}
