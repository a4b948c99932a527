// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bind - binds the events and fields that the analyses require to this trace, and routes each event id to its
 * handlers
 */
#include "engine/bind.h"

#include "base/log.h"
#include "engine/analysis-instance.h"
#include "engine/dispatch.h"
#include "engine/files/open-names.h"
#include "engine/internal.h"
#include "engine/match/named-pairs.h"
#include "engine/observer.h"
#include "engine/routes.h"
#include "engine/states/context.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vector.h"

/* The part of the engine that makes each callback; RS_ENGINE_TASKS: it is always on. */
static const uint8_t part_of[RS_NR_CALLBACKS] = {
	[RS_ON_INTERVAL] = RS_ENGINE_STATES,     [RS_ON_SWITCH_IN] = RS_ENGINE_STATES,
	[RS_ON_QUEUE] = RS_ENGINE_STATES,        [RS_ON_WAIT] = RS_ENGINE_STATES,
	[RS_ON_CALL] = RS_ENGINE_CALLS,          [RS_ON_REQUEST] = RS_ENGINE_REQUESTS,
	[RS_ON_DISK_DEPTH] = RS_ENGINE_REQUESTS, [RS_ON_CONTENTION] = RS_ENGINE_LOCKS,
	[RS_ON_STALL] = RS_ENGINE_STALLS,        [RS_ON_IRQ] = RS_ENGINE_IRQS,
	[RS_ON_SOCKET] = RS_ENGINE_SOCKETS,      [RS_ON_MESSAGE] = RS_ENGINE_MESSAGES,
	[RS_ON_ACCEPT] = RS_ENGINE_ACCEPTS,      [RS_ON_ROUND_TRIP] = RS_ENGINE_ROUND_TRIPS,
	[RS_ON_POLLED] = RS_ENGINE_POLLS,
};

/* Accepts are calls. */
static bool bind_needs_part(enum rs_callback_kind on, enum rs_engine_part part)
{
	return part_of[on] == part || (on == RS_ON_ACCEPT && part == RS_ENGINE_CALLS);
}

/* An analysis that sets .requires_states without such a callback only needs states for a column. */
bool rs_bind_part_required(const struct rs_analysis *a, enum rs_engine_part part)
{
	if (!a->views && !a->spans) /* an exporter requires no events, and takes what was recorded */
		return false;
	for (const struct rs_callback *callback = a->callbacks; callback && callback->on; callback++)
		if (bind_needs_part(callback->on, part) && !callback->if_recorded)
			return true;
	return part == RS_ENGINE_TASKS;
}

bool rs_bind_requires_history(const struct rs_session_config *config, const struct rs_analysis *a)
{
	return a->requires_history || (config->findings && a->requires_blame);
}

bool rs_bind_keeps_history(const struct rs_session *s)
{
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] &&
		    rs_bind_requires_history(&s->config, s->analyses[i].analysis))
			return true;
	return false;
}

bool rs_bind_part_requested(const struct rs_session_config *config, const struct rs_analysis *a,
			    enum rs_engine_part part)
{
	bool history = rs_bind_requires_history(config, a),
	     waits = history || rs_dispatch_callback(a, RS_ON_WAIT);
	bool states = a->requires_states || history || (config->findings && a->findings_require_states);
	bool stalls = rs_dispatch_callback(a, RS_ON_STALL);

	if (rs_bind_part_required(a, part))
		return true;
	switch (part) {
	case RS_ENGINE_STATES:
		/* the waker of a contention, and the end of a stall for dirty pages, come from states */
		return states || stalls || rs_dispatch_callback(a, RS_ON_CONTENTION);
	case RS_ENGINE_TASKS:
		return true;
	case RS_ENGINE_CALLS:
		return waits || stalls || a->requires_sockets; /* a stall knows its call */
	case RS_ENGINE_SOCKETS:
	case RS_ENGINE_ACCEPTS:
	case RS_ENGINE_POLLS:
	case RS_ENGINE_ROUND_TRIPS:
		return a->requires_sockets;
	case RS_ENGINE_MESSAGES:
		return false;
	default:
		return waits;
	}
}

bool rs_bind_part_used(const struct rs_session_config *config, const struct rs_analysis *a,
		       enum rs_engine_part part)
{
	for (const struct rs_callback *callback = a->callbacks; callback && callback->on; callback++)
		if (part_of[callback->on] == part)
			return true;
	return rs_bind_part_requested(config, a, part) ||
	       ((part == RS_ENGINE_ACCEPTS || part == RS_ENGINE_POLLS) && a->uses_files) ||
	       ((part == RS_ENGINE_POLLS || part == RS_ENGINE_ROUND_TRIPS) &&
		rs_bind_requires_history(config, a));
}

static void bind_disable(struct rs_analysis_instance *instance, const struct rs_requirement *w,
			 const char *why,
			 const char *detail)
{
	if (!instance->disabled[0])
		snprintf(instance->disabled, sizeof instance->disabled, "needs %s:%s, %s%s", w->system,
			 w->name, why, detail);
	RS_LOG(RS_LOG_MATCH, "%s: needs %s:%s, %s%s", instance->analysis->name, w->system, w->name, why,
	       detail);
}

/* Returns true if the trace has the event and all required fields. */
static bool bind_requirement(struct rs_session *s, struct rs_analysis_instance *instance,
			     const struct rs_requirement *w, struct rs_bound *bound)
{
	const char *missing = "";

	switch (rs_formats_bind(s->formats, w->system, w->name, w->fields, bound, &missing)) {
	case RS_BIND_OK:
		return true;
	case RS_BIND_NO_EVENT:
		if (w->need == RS_REQUIRED)
			bind_disable(instance, w, "which this trace does not have", "");
		break;
	case RS_BIND_NO_FIELD:
		if (w->need == RS_REQUIRED)
			bind_disable(instance, w, "whose field is missing in this kernel: ", missing);
		break;
	case RS_BIND_BAD:
		if (w->need == RS_REQUIRED)
			bind_disable(instance, w, "whose format cannot be parsed", "");
		break;
	}
	return false;
}

int rs_bind_target(struct rs_session *s, unsigned int id, const struct rs_bound *bound, rs_handler *handler,
		   struct rs_ctx *c)
{
	struct rs_route *route = &s->routes.by_id[id];
	struct rs_target *targets = realloc(route->targets, (route->nr + 2) * sizeof *targets);

	if (!targets)
		return -1;
	route->targets = targets;
	if (bound->min_len_bytes > route->min_len_bytes)
		route->min_len_bytes = bound->min_len_bytes;
	route->targets[route->nr++] = (struct rs_target){ handler, c, bound->fields };
	route->targets[route->nr] = (struct rs_target){ 0 };
	return 0;
}

/*
 * Whoever draws events one by one leaves out those that are shown otherwise. An analysis without spans shows
 * none, and an exporter runs some of these and not others: what is drawn must not depend on that. What an
 * exporter itself takes it writes.
 */
static bool bind_draws(const struct rs_session *s, const struct rs_analysis_instance *instance,
		       const struct rs_requirement *w)
{
	const struct rs_analysis *a = instance->analysis;
	bool is_part = instance >= s->parts && instance < s->parts + RS_NR_ENGINE_PARTS;

	return w->need != RS_NAMED && (is_part || a->spans || (!a->views && !a->rules));
}

static int bind_route_analysis(struct rs_session *s, struct rs_analysis_instance *instance)
{
	for (size_t i = 0; i < instance->nr_bindings && !instance->disabled[0] && !instance->off[0]; i++) {
		const struct rs_binding *b = &instance->bindings[i];

		s->routes.by_id[b->bound.id].nr_undrawn += !bind_draws(s, instance, b->requirement);
		if (rs_bind_target(s, b->bound.id, &b->bound, b->requirement->handler, &instance->ctx) < 0)
			return -1;
	}
	return 0;
}

/*
 * one: w, or with the names of an event that matches it. Targets point into the array: route them after the
 * last one.
 */
static int bind_one(struct rs_session *s, struct rs_analysis_instance *instance,
		    const struct rs_requirement *w, const struct rs_requirement *one)
{
	struct rs_binding *b;

	if (!RS_VECTOR_RESERVE(&instance->bindings, &instance->bindings_room, instance->nr_bindings + 1))
		return -1;
	b = &instance->bindings[instance->nr_bindings];
	*b = (struct rs_binding){ .requirement = w };
	instance->nr_bindings += bind_requirement(s, instance, one, &b->bound);
	return 0;
}

/* ---- events that the user names ---- */

/* A pattern with a colon matches SYSTEM:EVENT, one without matches the system or the event. */
static bool bind_event_matches(const char *pattern, const char *system, const char *name)
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
		if (bind_event_matches(s->config.events[i], system, name))
			return true;
	return !s->config.nr_events;
}

static bool bind_is_declared(const struct rs_session *s, const char *pattern)
{
	const char *system, *name;
	unsigned int id;

	for (size_t i = 0; rs_formats_nth(s->formats, i, &system, &name, &id); i++)
		if (bind_event_matches(pattern, system, name))
			return true;
	return false;
}

/* Each -e must match an event of the trace: a misspelled name would look like an event that never fired. */
static bool bind_check_named(const struct rs_session *s, struct rs_analysis_instance *instance)
{
	for (size_t i = 0; i < s->config.nr_events && !instance->disabled[0]; i++) {
		const char *name = s->config.events[i],
			   *near = bind_is_declared(s, name) ? NULL : rs_formats_nearest(s->formats, name);

		if (!bind_is_declared(s, name))
			snprintf(instance->disabled, sizeof instance->disabled,
				 "-e '%.60s': this trace has no such event%s%.40s%s", name,
				 near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
	}
	return !instance->disabled[0];
}

/*
 * Where no rows are needed (an export), an analysis that emits spans skips events that those of another one
 * show.
 */
static int bind_named(struct rs_session *s, struct rs_analysis_instance *instance,
		      const struct rs_requirement *w)
{
	const char *system, *name;
	unsigned int id;

	if (!bind_check_named(s, instance))
		return 0;
	for (size_t i = 0; rs_formats_nth(s->formats, i, &system, &name, &id); i++) {
		const struct rs_requirement one = { system, name, RS_NAMED, w->by, w->handler, { NULL } };

		if (fnmatch(w->system, system, 0) || fnmatch(w->name, name, 0) ||
		    !bind_is_named(s, system, name) ||
		    (rs_dispatch_needs_no_rows(&s->config, instance->analysis) && instance->analysis->spans &&
		     rs_event_is_drawn(&instance->ctx, id)))
			continue;
		if (bind_one(s, instance, w, &one) < 0)
			return -1;
	}
	return 0;
}

/* Binds all requirements of an instance, then routes them: a disabled analysis handles no events. */
static int bind_analysis(struct rs_session *s, struct rs_analysis_instance *instance)
{
	size_t before = 0;

	for (const struct rs_requirement *w = instance->analysis->requirements; w && w->name; w++) {
		bool has_previous = instance->nr_bindings > before;

		/*
		 * a file may declare both and contain only this one, so both are bound: the handler decides
		 */
		if (w->need == RS_FALLBACK && has_previous && s->source->info.live)
			continue;
		before = instance->nr_bindings;
		if ((w->need == RS_NAMED ? bind_named(s, instance, w) : bind_one(s, instance, w, w)) < 0)
			return -1;
	}
	return bind_route_analysis(s, instance);
}

int rs_bind_routes(struct rs_session *s)
{
	int ret = 0;

	for (unsigned int id = 0; s->routes.by_id && id <= rs_formats_max_id(s->formats); id++)
		s->routes.by_id[id].nr = s->routes.by_id[id].nr_undrawn = 0;
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		ret |= bind_route_analysis(s, &s->parts[part]);
	ret |= rs_call_events_route_named(s);
	ret |= rs_named_pairs_route(s);
	ret |= rs_open_names_route(s);
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		ret |= bind_route_analysis(s, &s->analyses[i]);
	ret |= rs_observers_route(s);
	return ret;
}

/* raw_syscalls is not required if events of single calls were recorded instead. */
static int bind_named_calls(struct rs_session *s)
{
	int found = rs_call_events_find_named(s);

	if (found < 0)
		return -1;
	if (found)
		s->parts[RS_ENGINE_CALLS].disabled[0] = '\0';
	return rs_call_events_route_named(s);
}

int rs_bind_all(struct rs_session *s, struct rs_error *err)
{
	s->routes.nr = rs_formats_max_id(s->formats) + 1;
	s->routes.by_id = calloc(s->routes.nr, sizeof *s->routes.by_id);
	if (!s->routes.by_id)
		goto failed;
	s->routes.exec_id = rs_session_event_id(s, "sched", "sched_process_exec");
	rs_context_bind(s);
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		if (bind_analysis(s, &s->parts[part]) < 0)
			goto failed;
	rs_open_names_bind(s);
	if (bind_named_calls(s) < 0 || rs_open_names_route(s) < 0)
		goto failed;
	/* first analyses that name their events, then those that take all others (RS_NAMED) */
	for (unsigned int i = 0; i < 2 * s->nr_analyses; i++) {
		struct rs_analysis_instance *instance = &s->analyses[i % s->nr_analyses];
		const struct rs_requirement *first = instance->analysis->requirements;

		/* before RS_NAMED, which skips events that have a handler */
		if (i == s->nr_analyses && rs_named_pairs_route(s) < 0)
			goto failed;
		if ((first && first->need == RS_NAMED) != (i >= s->nr_analyses))
			continue;
		if (instance->analysis->live_only && !s->source->info.live)
			snprintf(instance->disabled, sizeof instance->disabled,
				 "live only: a recording has nothing of it (without -i)");
		if (rs_dispatch_requires_samples(instance->analysis) && !s->source->samples)
			snprintf(instance->disabled, sizeof instance->disabled, "%s",
				 s->source->no_samples ? s->source->no_samples :
							 "there are no samples of the CPUs in it");
		/* it is disabled for the same reason as a part of the engine that it requires */
		for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
			if (!instance->disabled[0] && rs_bind_part_required(instance->analysis, part))
				memcpy(instance->disabled, s->parts[part].disabled,
				       sizeof instance->disabled);
		if (bind_analysis(s, instance) < 0 ||
		    (instance->analysis->pairs && rs_named_pairs_bind(s, instance) < 0))
			goto failed;
	}
	if (rs_observers_bind(s) < 0)
		goto failed;
	/* no format can be parsed: records are only counted */
	if (!rs_formats_common(s->formats, &s->routes.common))
		s->routes.nr = 0;
	s->routes.swaps = s->routes.common.type.flags & RS_FIELD_SWAP;
	return 0;
failed:
	return rs_fail(err, "cannot bind the events: out of memory, or too many analyses");
}

void rs_bind_undo_all(struct rs_session *s)
{
	for (unsigned int i = 0; s->routes.by_id && i <= rs_formats_max_id(s->formats); i++)
		free(s->routes.by_id[i].targets);
	free(s->routes.by_id);
	s->routes.by_id = NULL;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		free(s->analyses[i].bindings);
	for (int part = 0; part < RS_NR_ENGINE_PARTS; part++)
		free(s->parts[part].bindings);
}
