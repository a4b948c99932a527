// SPDX-License-Identifier: GPL-2.0-or-later
/* Events and fields that were asked for, bound to this trace: routes from an event's id to its handlers. */
#include "base/log.h"
#include "engine/internal.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

bool rs_bind_part_requested(const struct rs_analysis *a, enum rs_engine_part part)
{
	switch (part) {
	case RS_ENGINE_STATES:
		/* a contention has a waker, and a stall for dirty pages the end of a sleep, by states alone */
		return a->requires_states || a->contention || a->stall || rs_bind_part_required(a, part);
	case RS_ENGINE_TASKS:
		return true;
	case RS_ENGINE_CALLS:
		return a->wait || a->stall || rs_bind_part_required(a, part); /* a stall knows its call */
	default:
		return a->wait || rs_bind_part_required(a, part);
	}
}

/* An export's listener has nothing of its own to show: it is told of what there is. */
static bool is_subscriber(const struct rs_analysis *a)
{
	return !a->views && !a->spans;
}

/* One that wants states, but is not told of them, has a column of them at most. */
bool rs_bind_part_required(const struct rs_analysis *a, enum rs_engine_part part)
{
	if (is_subscriber(a))
		return false;
	switch (part) {
	case RS_ENGINE_STATES:
		return a->interval || a->switch_in || a->queue || a->wait;
	case RS_ENGINE_CALLS:
		return a->call && !a->call_if_recorded;
	case RS_ENGINE_REQUESTS:
		return a->request || a->disk_depth;
	case RS_ENGINE_LOCKS:
		return a->contention;
	case RS_ENGINE_STALLS:
		return a->stall;
	case RS_ENGINE_IRQS:
		return a->irq && !a->irq_if_recorded;
	default:
		return true;
	}
}

static void disable(struct rs_analysis_instance *slot, const struct rs_requirement *w, const char *why,
		    const char *detail)
{
	if (!slot->disabled[0])
		snprintf(slot->disabled, sizeof slot->disabled, "needs %s:%s, %s%s", w->system, w->name, why, detail);
	RS_LOG(RS_LOG_MATCH, "%s: needs %s:%s, %s%s", slot->analysis->name, w->system, w->name, why, detail);
}

/* True: it is there, and bound. */
static bool bind_requirement(struct rs_session *s, struct rs_analysis_instance *slot, const struct rs_requirement *w, struct rs_bound *bound)
{
	const char *missing = "";

	switch (rs_formats_bind(s->formats, w->system, w->name, w->fields, bound, &missing)) {
	case RS_BIND_OK:
		return true;
	case RS_BIND_NO_EVENT:
		if (w->need == RS_REQUIRED)
			disable(slot, w, "which this trace does not have", "");
		break;
	case RS_BIND_NO_FIELD:
		if (w->need == RS_REQUIRED)
			disable(slot, w, "whose field is missing in this kernel: ", missing);
		break;
	case RS_BIND_BAD:
		if (w->need == RS_REQUIRED)
			disable(slot, w, "whose format cannot be parsed", "");
		break;
	}
	return false;
}

int rs_bind_target(struct rs_session *s, unsigned int id, const struct rs_target *target)
{
	struct rs_route *route = &s->routes[id];
	struct rs_target *targets = realloc(route->targets, (route->nr + 2) * sizeof *targets);

	if (!targets)
		return -1;
	route->targets = targets;
	route->targets[route->nr++] = *target;
	route->targets[route->nr] = (struct rs_target){ 0 };
	return 0;
}

static int add_target(struct rs_session *s, struct rs_analysis_instance *slot, const struct rs_binding *b)
{
	struct rs_route *route = &s->routes[b->bound.id];

	if (b->bound.min_len_bytes > route->min_len_bytes)
		route->min_len_bytes = b->bound.min_len_bytes;
	route->nr_of_all += b->want->need == RS_NAMED;
	return rs_bind_target(s, b->bound.id, &(struct rs_target){ b->want->handler, &slot->ctx, b->bound.fields });
}

static int route_slot(struct rs_session *s, struct rs_analysis_instance *slot)
{
	for (size_t i = 0; i < slot->nr_bindings && !slot->disabled[0] && !slot->off[0]; i++)
		if (add_target(s, slot, &slot->bindings[i]) < 0)
			return -1;
	return 0;
}

/* A place for one more; targets point to what is in them, so they are routed when all are there. */
static struct rs_binding *add_binding(struct rs_analysis_instance *slot, const struct rs_requirement *w)
{
	if (slot->nr_bindings == slot->size_bindings) {
		size_t size = slot->size_bindings ? slot->size_bindings * 2 : 16;
		struct rs_binding *bindings = realloc(slot->bindings, size * sizeof *bindings);

		if (!bindings)
			return NULL;
		slot->bindings = bindings;
		slot->size_bindings = size;
	}
	slot->bindings[slot->nr_bindings] = (struct rs_binding){ .want = w };
	return &slot->bindings[slot->nr_bindings];
}

static int bind_one(struct rs_session *s, struct rs_analysis_instance *slot, const struct rs_requirement *w)
{
	struct rs_binding *b = add_binding(slot, w);

	if (!b)
		return -1;
	slot->nr_bindings += bind_requirement(s, slot, w, &b->bound);
	return 0;
}

/* ---- events that the user names ---- */

/* "sched:sched_*", "sched", "sched_switch": the whole of a system and its event, of either alone the one. */
static bool is_event(const char *pattern, const char *system, const char *name)
{
	char both[256];

	if (strchr(pattern, ':')) {
		snprintf(both, sizeof both, "%s:%s", system, name);
		return !fnmatch(pattern, both, 0);
	}
	return !fnmatch(pattern, system, 0) || !fnmatch(pattern, name, 0);
}

static bool bind_is_named(const struct rs_session *s, const char *system, const char *name)
{
	for (size_t i = 0; i < s->config.nr_events; i++)
		if (is_event(s->config.events[i], system, name))
			return true;
	return !s->config.nr_events;
}

static bool is_declared(const struct rs_session *s, const char *pattern)
{
	const char *system, *name;
	unsigned int id;

	for (size_t i = 0; rs_formats_nth(s->formats, i, &system, &name, &id); i++)
		if (is_event(pattern, system, name))
			return true;
	return false;
}

/* Of what is named each has to be there: a misspelt name would be shown as an event that never came. */
static bool bind_check_named(const struct rs_session *s, struct rs_analysis_instance *slot)
{
	for (size_t i = 0; i < s->config.nr_events && !slot->disabled[0]; i++) {
		const char *name = s->config.events[i], *near = is_declared(s, name) ? NULL : rs_formats_nearest(s->formats, name);

		if (!is_declared(s, name))
			snprintf(slot->disabled, sizeof slot->disabled, "-e '%.60s': this trace has no such event%s%.40s%s", name,
				 near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
	}
	return !slot->disabled[0];
}

/* Where nobody counts them, in an export, those that others read are theirs: they draw them. */
static int bind_named(struct rs_session *s, struct rs_analysis_instance *slot, const struct rs_requirement *w)
{
	const char *system, *name;
	unsigned int id;

	if (!bind_check_named(s, slot))
		return 0;
	for (size_t i = 0; rs_formats_nth(s->formats, i, &system, &name, &id); i++) {
		const struct rs_requirement one = { system, name, RS_NAMED, w->by, w->handler, { NULL } };
		struct rs_binding *b;

		if (fnmatch(w->system, system, 0) || fnmatch(w->name, name, 0) || !bind_is_named(s, system, name) ||
		    (s->config.only_spans && s->routes[id].nr))
			continue;
		b = add_binding(slot, w);
		if (!b)
			return -1;
		slot->nr_bindings += bind_requirement(s, slot, &one, &b->bound);
	}
	return 0;
}

/* Binds all wants of a slot, and only then routes them: an analysis that is off handles nothing. */
static int bind_slot(struct rs_session *s, struct rs_analysis_instance *slot)
{
	size_t before = 0;

	for (const struct rs_requirement *w = slot->analysis->requirements; w && w->name; w++) {
		bool has_previous = slot->nr_bindings > before;

		/* a file may declare both, and have events of this one alone: the handler asks */
		if (w->need == RS_FALLBACK && has_previous && s->source->info.live)
			continue;
		before = slot->nr_bindings;
		if ((w->need == RS_NAMED ? bind_named(s, slot, w) : bind_one(s, slot, w)) < 0)
			return -1;
	}
	return route_slot(s, slot);
}

int rs_bind_routes(struct rs_session *s)
{
	int ret = 0;

	for (unsigned int id = 0; s->routes && id <= rs_formats_max_id(s->formats); id++)
		s->routes[id].nr = s->routes[id].nr_of_all = 0;
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		ret |= route_slot(s, &s->parts[part]);
	ret |= rs_call_events_route_named(s);
	ret |= rs_named_pairs_route(s);
	for (unsigned int i = 0; i < s->nr_slots; i++)
		ret |= route_slot(s, &s->slots[i]);
	return ret;
}

/* The events of all calls are not needed where those of single calls were recorded instead. */
static int bind_named_calls(struct rs_session *s)
{
	int found = rs_call_events_find_named(s);

	if (found < 0)
		return -1;
	if (found)
		s->parts[RS_ENGINE_CALLS].disabled[0] = '\0';
	return rs_call_events_route_named(s);
}

/* An analysis of states, calls or requests is off where the engine cannot have them. */
static void inherit_reason(struct rs_session *s, struct rs_analysis_instance *slot)
{
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		if (!slot->disabled[0] && rs_bind_part_required(slot->analysis, part))
			memcpy(slot->disabled, s->parts[part].disabled, sizeof slot->disabled);
}

static bool wants_named(const struct rs_analysis *a)
{
	return a->requirements && a->requirements->need == RS_NAMED;
}

int rs_bind_all(struct rs_session *s, struct rs_error *err)
{
	s->nr_routes = rs_formats_max_id(s->formats) + 1;
	s->routes = calloc(s->nr_routes, sizeof *s->routes);
	if (!s->routes)
		goto failed;
	s->exec_id = rs_session_event_id(s, "sched", "sched_process_exec");
	rs_context_bind(s);
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		if (bind_slot(s, &s->parts[part]) < 0)
			goto failed;
	if (bind_named_calls(s) < 0)
		goto failed;
	for (unsigned int i = 0; i < 2 * s->nr_slots; i++) { /* first those that know what they want, then who wants the others */
		struct rs_analysis_instance *slot = &s->slots[i % s->nr_slots];

		if (i == s->nr_slots && rs_named_pairs_route(s) < 0) /* then it is known what is read by somebody */
			goto failed;
		if (wants_named(slot->analysis) != (i >= s->nr_slots))
			continue;
		if (slot->analysis->live_only && !s->source->info.live)
			snprintf(slot->disabled, sizeof slot->disabled, "live only: a recording has nothing of it (without -i)");
		inherit_reason(s, slot);
		if (bind_slot(s, slot) < 0 || (slot->analysis->pairs && rs_named_pairs_bind(s, slot) < 0))
			goto failed;
	}
	if (!rs_formats_common(s->formats, &s->common)) /* nothing that anybody wants: its records are only counted */
		s->nr_routes = 0;
	s->swaps = s->common.type.flags & RS_FIELD_SWAP;
	return 0;
failed:
	return rs_fail(err, "cannot bind the events: out of memory, or too many analyses");
}

void rs_bind_undo_all(struct rs_session *s)
{
	for (unsigned int i = 0; s->routes && i <= rs_formats_max_id(s->formats); i++)
		free(s->routes[i].targets);
	free(s->routes);
	s->routes = NULL;
	for (unsigned int i = 0; i < s->nr_slots; i++)
		free(s->slots[i].bindings);
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		free(s->parts[part].bindings);
}
