// SPDX-License-Identifier: GPL-2.0-or-later
/* Events and fields that were asked for, bound to this trace: routes from an event's id to its handlers. */
#include "engine/internal.h"

#include <stdio.h>
#include <stdlib.h>

bool rs_part_wanted(const struct rs_analysis *a, enum rs_engine_part part)
{
	switch (part) {
	case RS_ENGINE_STATES:
		/* a contention has a waker, and a stall for dirty pages the end of a sleep, by states alone */
		return a->wants_states || a->contention || a->stall || rs_part_required(a, part);
	case RS_ENGINE_TASKS:
		return true;
	case RS_ENGINE_CALLS:
		return a->wait || a->stall || rs_part_required(a, part); /* a stall knows its call */
	default:
		return a->wait || rs_part_required(a, part);
	}
}

/* An export's listener has nothing of its own to show: it is told of what there is. */
static bool is_listener(const struct rs_analysis *a)
{
	return !a->views && !a->spans;
}

/* One that wants states, but is not told of them, has a column of them at most. */
bool rs_part_required(const struct rs_analysis *a, enum rs_engine_part part)
{
	if (is_listener(a))
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

static size_t nr_wants(const struct rs_analysis *a)
{
	size_t nr = 0;

	while (a->wants && a->wants[nr].name)
		nr++;
	return nr;
}

static void disable(struct rs_slot *slot, const struct rs_want *w, const char *why, const char *detail)
{
	if (!slot->disabled[0])
		snprintf(slot->disabled, sizeof slot->disabled, "needs %s:%s, %s%s", w->system, w->name, why, detail);
}

/* True: it is there, and bound. */
static bool bind_want(struct rs_session *s, struct rs_slot *slot, const struct rs_want *w, struct rs_bound *bound)
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

static int add_target(struct rs_session *s, struct rs_slot *slot, const struct rs_want *w, const struct rs_bound *bound)
{
	struct rs_route *route = &s->routes[bound->id];

	if (bound->min_len_bytes > route->min_len_bytes)
		route->min_len_bytes = bound->min_len_bytes;
	return rs_bind_target(s, bound->id, &(struct rs_target){ w->handler, &slot->ctx, bound->fields });
}

static int route_slot(struct rs_session *s, struct rs_slot *slot)
{
	for (size_t i = 0; i < nr_wants(slot->analysis) && !slot->disabled[0] && !slot->off[0]; i++)
		if (slot->bound >> i & 1 && add_target(s, slot, &slot->analysis->wants[i], &slot->bounds[i]) < 0)
			return -1;
	return 0;
}

/* Binds all wants of a slot, and only then routes them: an analysis that is off handles nothing. */
static int bind_slot(struct rs_session *s, struct rs_slot *slot)
{
	size_t nr = nr_wants(slot->analysis);

	if (nr > 64)
		return -1;
	slot->bounds = calloc(nr + 1, sizeof *slot->bounds);
	if (!slot->bounds)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		const struct rs_want *w = &slot->analysis->wants[i];

		if (w->need == RS_FALLBACK && i && slot->bound >> (i - 1) & 1)
			continue;
		slot->bound |= (uint64_t)bind_want(s, slot, w, &slot->bounds[i]) << i;
	}
	return route_slot(s, slot);
}

int rs_bind_routes(struct rs_session *s)
{
	int ret = 0;

	for (unsigned int id = 0; s->routes && id <= rs_formats_max_id(s->formats); id++)
		s->routes[id].nr = 0;
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		ret |= route_slot(s, &s->parts[part]);
	ret |= rs_named_calls_route(s);
	for (unsigned int i = 0; i < s->nr_slots; i++)
		ret |= route_slot(s, &s->slots[i]);
	return ret;
}

/* The events of all calls are not needed where those of single calls were recorded instead. */
static int bind_named_calls(struct rs_session *s)
{
	int found = rs_named_calls_find(s);

	if (found < 0)
		return -1;
	if (found)
		s->parts[RS_ENGINE_CALLS].disabled[0] = '\0';
	return rs_named_calls_route(s);
}

/* An analysis of states, calls or requests is off where the engine cannot have them. */
static void inherit_reason(struct rs_session *s, struct rs_slot *slot)
{
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		if (!slot->disabled[0] && rs_part_required(slot->analysis, part))
			memcpy(slot->disabled, s->parts[part].disabled, sizeof slot->disabled);
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
	for (unsigned int i = 0; i < s->nr_slots; i++) {
		if (s->slots[i].analysis->live_only && !s->source->info.live)
			snprintf(s->slots[i].disabled, sizeof s->slots[i].disabled,
				 "live only: a recording has nothing of it (without -i)");
		inherit_reason(s, &s->slots[i]);
		if (bind_slot(s, &s->slots[i]) < 0)
			goto failed;
	}
	if (!rs_formats_common(s->formats, &s->common)) /* nothing that anybody wants: its records are only counted */
		s->nr_routes = 0;
	s->swaps = s->common.type.flags & RS_FIELD_SWAP;
	return 0;
failed:
	return rs_fail(err, "cannot bind the events: out of memory, or too many analyses");
}

void rs_unbind_all(struct rs_session *s)
{
	for (unsigned int i = 0; s->routes && i <= rs_formats_max_id(s->formats); i++)
		free(s->routes[i].targets);
	free(s->routes);
	s->routes = NULL;
	for (unsigned int i = 0; i < s->nr_slots; i++)
		free(s->slots[i].bounds);
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		free(s->parts[part].bounds);
}
