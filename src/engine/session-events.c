// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session-events.c - turns an event off, and on again, while the capture runs. What was in flight needs no
 * care here: the caller makes a pause of the source, and nothing is paired across that.
 */
#include "engine/session-events.h"

#include <stdio.h>

#include "decode/event-ids.h"
#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/dispatch.h"
#include "engine/files/fd-paths.h"
#include "engine/internal.h"

static struct rs_off_event *session_events_find(const struct rs_session *s, const char *system,
						const char *name)
{
	for (unsigned int i = 0; i < s->events.nr_off; i++)
		if (!strcmp(s->events.off[i].name, name) && !strcmp(s->events.off[i].system, system))
			return (struct rs_off_event *)&s->events.off[i];
	return NULL;
}

bool rs_session_event_is_off(const struct rs_session *s, const char *system, const char *name)
{
	return s->events.nr_off && session_events_find(s, system, name);
}

static void session_events_check_event(const struct rs_session *s, struct rs_analysis_instance *instance)
{
	instance->off[0] = '\0';
	for (const struct rs_requirement *w = instance->analysis->requirements;
	     w && w->name && !instance->off[0]; w++) {
		/*
		 * an optional event with a fallback: one of the two is required, and the other was not turned
		 * on
		 */
		bool needed = w->need == RS_REQUIRED ||
			      (w->need == RS_OPTIONAL && w[1].name && w[1].need == RS_FALLBACK);

		if (needed && rs_session_event_is_off(s, w->system, w->name))
			snprintf(instance->off, sizeof instance->off,
				 "needs %s:%s, which was turned off (ringside trace set %s:%s=on)", w->system,
				 w->name,
				 w->system, w->name);
	}
}

/* As rs_bind_all finds the analyses that cannot run at all. */
static void session_events_check_all(struct rs_session *s)
{
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		session_events_check_event(s, &s->parts[part]);
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		struct rs_analysis_instance *instance = &s->analyses[i];

		session_events_check_event(s, instance);
		for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
			if (!instance->off[0] && rs_bind_part_required(instance->analysis, part))
				memcpy(instance->off, s->parts[part].off, sizeof instance->off);
	}
}

static bool session_events_add(struct rs_session *s, const char *system, const char *name)
{
	struct rs_off_event *off = &s->events.off[s->events.nr_off];

	if (s->events.nr_off == RS_MAX_OFF || strlen(system) >= sizeof off->system ||
	    strlen(name) >= sizeof off->name)
		return false;
	strcpy(off->system, system);
	strcpy(off->name, name);
	s->events.nr_off++;
	return true;
}

uint32_t rs_session_event_id(const struct rs_session *s, const char *system, const char *name)
{
	static const char *const no_fields[] = { NULL };
	struct rs_bound bound;

	return rs_formats_bind(s->formats, system, name, no_fields, &bound, NULL) == RS_BIND_OK ? bound.id :
												  RS_NO_EVENT;
}

uint64_t rs_session_events_of(const struct rs_session *s, uint32_t id)
{
	return id < s->routes.nr ? s->routes.by_id[id].nr_events : 0;
}

void rs_session_add_socket(struct rs_session *s, const struct rs_fd_socket *known)
{
	struct rs_fd_paths *p = rs_fd_paths_of(s);

	if (p)
		rs_fd_paths_add_told(p, known);
}

bool rs_session_event(struct rs_session *s, const char *system, const char *name, bool on)
{
	struct rs_off_event *off = session_events_find(s, system, name);
	const struct rs_analysis_instance *states = &s->parts[RS_ENGINE_STATES];

	if (on == !off)
		return true;
	if (on)
		*off = s->events.off[--s->events.nr_off];
	else if (!session_events_add(s, system, name))
		return false;
	session_events_check_all(s);
	s->states.on = !states->disabled[0] && !states->off[0];
	rs_dispatch_list(s);
	return rs_bind_routes(s) == 0;
}

/*
 * ---- events that a recording declares but never recorded: numbers from them would be meaningless zeros ----
 */

/* With --to the rest of the file is unseen, and in the middle of the file what follows. */
static bool session_events_are_elsewhere(struct rs_session *s, uint32_t id)
{
	if (s->range.ended && !s->range.cut)
		return false;
	if (!s->events.ids)
		s->events.ids = rs_event_ids_new(s->source, s->formats);
	return !s->events.ids || rs_event_ids_has(s->events.ids, id); /* NULL: not known */
}

bool rs_session_occurs(struct rs_session *s, uint32_t id)
{
	if (id == RS_NO_EVENT || s->source->info.live)
		return id != RS_NO_EVENT;
	if (rs_session_events_of(s, id))
		return true;
	if (s->config.recorded)
		return rs_event_id_set_has(s->config.recorded, id);
	return s->config.is_part || session_events_are_elsewhere(s, id);
}

bool rs_session_occurs_in_rows(struct rs_session *s, const char *system, const char *name)
{
	uint32_t at = 0, id;

	if (!rs_formats_has(s->formats, system, name) || rs_session_event_is_off(s, system, name))
		return false;
	id = rs_formats_next_id(s->formats, system, name, &at);
	return s->config.answers_early && !s->range.ended ? rs_session_events_of(s, id) > 0 :
							    rs_session_occurs(s, id);
}

bool rs_session_recorded(const struct rs_session *s, struct rs_event_id_set *set)
{
	*set = (struct rs_event_id_set){ { 0 } };
	if (s->source->info.live)
		return false;
	for (unsigned int id = 0; id < s->routes.nr && id < RS_NR_EVENT_IDS; id++)
		if (s->routes.by_id[id].nr_events)
			rs_event_id_set_add(set, (uint16_t)id);
	return true;
}

/* The first required event, if neither it nor an alternative has come. */
static const struct rs_requirement *session_events_missing_in(struct rs_session *s,
							      const struct rs_analysis_instance *instance)
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
 * True for the events of the analysis itself, or those of an engine part that it requires. Where single calls
 * are declared by name any of them may have come.
 */
static const struct rs_requirement *session_events_missing_of(struct rs_session *s,
							      const struct rs_analysis_instance *instance)
{
	const struct rs_requirement *missing = session_events_missing_in(s, instance);

	for (int part = RS_ENGINE_STATES; part < RS_NR_ENGINE_PARTS && !missing; part++)
		if (rs_bind_part_required(instance->analysis, part) &&
		    !(part == RS_ENGINE_CALLS && s->calls.named))
			missing = session_events_missing_in(s, &s->parts[part]);
	return missing;
}

const char *rs_session_nothing(struct rs_session *s, const struct rs_analysis *a)
{
	const char *why = rs_session_disabled(s, a);
	const struct rs_requirement *missing = NULL;

	for (unsigned int i = 0; !why && !s->source->info.live && i < s->nr_analyses; i++) {
		if (s->analyses[i].analysis != a ||
		    !(missing = session_events_missing_of(s, &s->analyses[i])))
			continue;
		snprintf(s->analyses[i].unrecorded, sizeof s->analyses[i].unrecorded,
			 "needs %s:%s, of which this trace has not one", missing->system, missing->name);
		why = s->analyses[i].unrecorded;
	}
	return why;
}
