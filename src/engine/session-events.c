// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * session-events.c - turns an event off, and on again, while the capture runs. What was in flight needs no care here:
 * the caller makes a pause of the source, and nothing is paired across that.
 */
#include <stdio.h>

#include "engine/internal.h"

static struct rs_off_event *session_events_find(const struct rs_session *s, const char *system,
						const char *name)
{
	for (unsigned int i = 0; i < s->nr_off; i++)
		if (!strcmp(s->off[i].name, name) && !strcmp(s->off[i].system, system))
			return (struct rs_off_event *)&s->off[i];
	return NULL;
}

bool rs_session_event_is_off(const struct rs_session *s, const char *system, const char *name)
{
	return s->nr_off && session_events_find(s, system, name);
}

/* An optional event with a fallback: one of the two is required, and the other was not turned on. */
static bool session_events_is_needed(const struct rs_requirement *w)
{
	return w->need == RS_REQUIRED || (w->need == RS_OPTIONAL && w[1].name && w[1].need == RS_FALLBACK);
}

static void session_events_check_event(const struct rs_session *s, struct rs_analysis_instance *instance)
{
	instance->off[0] = '\0';
	for (const struct rs_requirement *w = instance->analysis->requirements; w && w->name &&
	     !instance->off[0]; w++)
		if (session_events_is_needed(w) && rs_session_event_is_off(s, w->system, w->name))
			snprintf(instance->off, sizeof instance->off,
				 "needs %s:%s, which was turned off (ringside trace set %s:%s=on)", w->system, w->name,
				 w->system, w->name);
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
	struct rs_off_event *off = &s->off[s->nr_off];

	if (s->nr_off == RS_MAX_OFF || strlen(system) >= sizeof off->system || strlen(name) >= sizeof off->name)
		return false;
	strcpy(off->system, system);
	strcpy(off->name, name);
	s->nr_off++;
	return true;
}

uint32_t rs_session_event_id(const struct rs_session *s, const char *system, const char *name)
{
	static const char *const no_fields[] = { NULL };
	struct rs_bound bound;

	return rs_formats_bind(s->formats, system, name, no_fields, &bound, NULL) == RS_BIND_OK ? bound.id : RS_NO_EVENT;
}

uint64_t rs_session_events_of(const struct rs_session *s, uint32_t id)
{
	return id < s->nr_routes ? s->routes[id].nr_events : 0;
}

bool rs_session_event(struct rs_session *s, const char *system, const char *name, bool on)
{
	struct rs_off_event *off = session_events_find(s, system, name);
	const struct rs_analysis_instance *states = &s->parts[RS_ENGINE_STATES];

	if (on == !off)
		return true;
	if (on)
		*off = s->off[--s->nr_off];
	else if (!session_events_add(s, system, name))
		return false;
	session_events_check_all(s);
	s->states.on = !states->disabled[0] && !states->off[0];
	rs_dispatch_list(s);
	return rs_bind_routes(s) == 0;
}
