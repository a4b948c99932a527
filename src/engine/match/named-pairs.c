// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * named-pairs - pairs of events that an analysis names at run time (ringside/match.h): found in this trace's
 * formats, bound, and matched in a table each
 */
#include "engine/match/named-pairs.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/analysis-instance.h"
#include "engine/bind.h"
#include "engine/dispatch.h"
#include "engine/internal.h"
#include "engine/match/match-table.h"
#include "engine/match/matcher.h"

#define MOST_IN_FLIGHT 4096

enum { FIELD_KEY, FIELD_STATE };

struct rs_named_pair {
	struct rs_ctx ctx;              /* for the handlers: .state is this */
	struct rs_analysis_instance *owner;
	unsigned int index;
	struct rs_pair decl;
	struct rs_pair_name name;
	struct rs_bound begin, end;
	struct rs_match_table table;
};

/* ---- events as they come ---- */

/* Each CPU has an idle task of its own. */
static uint64_t pair_key(const struct rs_named_pair *p, const struct rs_event *ev, const struct rs_field *f)
{
	if (p->name.by_cpu)
		return ev->cpu;
	if (p->name.by_task)
		return ev->task ? rs_span_of(ev->task) : UINT64_C(1) << 63 | ev->cpu;
	return rs_u64(ev, &f[FIELD_KEY]);
}

static struct rs_match_moment pair_moment(const struct rs_named_pair *p, const struct rs_event *ev,
					  const struct rs_field *f)
{
	return (struct rs_match_moment){
		.key = pair_key(p, ev, f), .ts_ns = ev->ts_ns, .cpu = ev->cpu, .tid = ev->tid,
		.inst = ev->task ? ev->task->inst : 0,
	};
}

static void named_pairs_on_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_named_pair *p = c->state;
	struct rs_match_moment at = pair_moment(p, ev, f);

	rs_match_table_begin(&p->table, &at);
}

static void named_pairs_on_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_named_pair *p = c->state;
	struct rs_match_moment at = pair_moment(p, ev, f);

	rs_match_table_end(&p->table, &at);
}

/* One event is both: its state field tells which. */
static void on_state(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_named_pair *p = c->state;

	(rs_u64(ev, &f[FIELD_STATE]) == p->decl.end_value ? named_pairs_on_end
	 : named_pairs_on_begin)(c, ev, f);
}

static struct rs_task *pair_task(struct rs_ctx *c, const struct rs_match_moment *at)
{
	struct rs_task *t = at->tid > 0 ? rs_task_find(c, at->tid) : NULL;

	return t && t->inst == at->inst ? t : NULL;
}

static struct rs_pair_end pair_end_of(struct rs_named_pair *p, const struct rs_match_moment *begin)
{
	return (struct rs_pair_end){
		.index = p->index, .key = begin->key, .begin_ns = begin->ts_ns, .begin_cpu = begin->cpu,
		.end_cpu = begin->cpu,
		/* what happens to a CPU is not the work of the task that it interrupts */
		.task = p->name.on_cpu ? NULL : pair_task(&p->owner->ctx, begin),
	};
}

static void named_pairs_on_pair(void *arg, const struct rs_match_moment *begin,
				const struct rs_match_moment *end, unsigned int depth)
{
	struct rs_named_pair *p = arg;
	struct rs_pair_end ended = pair_end_of(p, begin);

	ended.end_ns = end->ts_ns;
	ended.end_cpu = end->cpu;
	ended.depth = depth;
	if (!p->owner->disabled[0] && !p->owner->off[0])
		rs_dispatch_callback(p->owner->analysis, RS_ON_PAIR)->pair(&p->owner->ctx, &ended);
}

/* A pair that stays on its CPU is judged by that CPU's gaps, one that can move by those of all. */
static const struct rs_gaps *pair_gaps(void *arg, uint16_t cpu)
{
	const struct rs_named_pair *p = arg;
	const struct rs_states *states = &p->ctx.session->states;

	return p->name.by_cpu ? &states->cpus[cpu].gaps : &states->gaps;
}

/* ---- what the analysis asks ---- */

static struct rs_named_pair *pair_of(const struct rs_ctx *c, unsigned int index)
{
	const struct rs_session *s = c->session;

	for (unsigned int i = 0; i < s->named_pairs.nr; i++)
		if (&s->named_pairs.at[i]->owner->ctx == c && s->named_pairs.at[i]->index == index)
			return s->named_pairs.at[i];
	return NULL;
}

const struct rs_pair_name *rs_pair_name(const struct rs_ctx *c, unsigned int index)
{
	struct rs_named_pair *p = pair_of(c, index);

	return p ? &p->name : NULL;
}

struct rs_pair_counts rs_pair_counts(const struct rs_ctx *c, unsigned int index)
{
	const struct rs_named_pair *p = pair_of(c, index);
	const struct rs_match_counts *n = p ? &p->table.matcher.counts : NULL;
	struct rs_match_open open = { 0 };

	if (!p)
		return (struct rs_pair_counts){ 0 };
	open = rs_match_table_open(&p->table, c->session->now_ns);
	return (struct rs_pair_counts){ open.in_flight, n->unmatched_ends + n->superseded,
					n->discarded_begins + open.discarded };
}

bool rs_pair_in_flight(struct rs_ctx *c, unsigned int index, uint32_t *place, struct rs_pair_end *open)
{
	struct rs_named_pair *p = pair_of(c, index);
	const struct rs_match_moment *begin = p ? rs_match_table_next(&p->table, c->session->now_ns, place) :
						  NULL;

	if (!begin)
		return false;
	*open = pair_end_of(p, begin);
	open->end_ns = c->session->now_ns;
	open->in_flight = true;
	return true;
}

/* ---- finding the events ---- */

struct found {
	const char *system, *name;
};

/* "system:name", or "name" in any system. */
static bool pair_find(const struct rs_session *s, const char *given, struct found *found)
{
	const char *colon = strchr(given, ':'), *name = colon ? colon + 1 : given;
	unsigned int id;

	for (size_t i = 0; rs_formats_nth(s->formats, i, &found->system, &found->name, &id); i++)
		if (!strcmp(found->name, name) &&
		    (!colon || (strlen(found->system) == (size_t)(colon - given) &&
				!strncmp(found->system, given, (size_t)(colon - given)))))
			return true;
	return false;
}

static void pair_disable(struct rs_analysis_instance *instance, const char *event, const char *why,
			 const char *detail)
{
	if (!instance->disabled[0])
		snprintf(instance->disabled, sizeof instance->disabled, "needs %.60s, %s%.60s", event, why,
			 detail);
}

/* The event was not recorded, or is misspelled. */
static void pair_disable_unknown(const struct rs_session *s, struct rs_analysis_instance *instance,
				 const char *event)
{
	const char *near = rs_formats_nearest(s->formats, event);
	char hint[64] = "";

	if (near)
		snprintf(hint, sizeof hint, " (did you mean '%.40s'?)", near);
	pair_disable(instance, event, "which this trace does not have", hint);
}

static bool pair_bind_event(struct rs_session *s, struct rs_named_pair *p, const char *given,
			    const struct found *found, struct rs_bound *bound)
{
	bool by_field = !p->name.by_task && !p->name.by_cpu;
	/* without a key field the first place gets a field that may be missing */
	const char *const fields[] = { by_field ? p->decl.key : "?common_type", p->decl.state, NULL };
	const char *missing = "";

	switch (rs_formats_bind(s->formats, found->system, found->name, fields, bound, &missing)) {
	case RS_BIND_OK:
		return true;
	case RS_BIND_NO_FIELD:
		if (p->decl.required)
			pair_disable(p->owner, given, "which has no field ", missing);
		return false;
	default:
		if (p->decl.required)
			pair_disable(p->owner, given, "whose format cannot be parsed", "");
		return false;
	}
}

static struct rs_match_open pair_count_open(const struct rs_session *s, const struct rs_matcher *m)
{
	/* its first member */
	return rs_match_table_open((const struct rs_match_table *)(const void *)m, s->now_ns);
}

static int pair_keep(struct rs_session *s, struct rs_named_pair *p)
{
	static const struct rs_match pairs_match = { .name = "pairs" };

	struct rs_named_pair **pairs = realloc(s->named_pairs.at,
					       (s->named_pairs.nr + 1) * sizeof(struct rs_named_pair *));
	const struct rs_match_table_decl decl = { .most = MOST_IN_FLIGHT, .nests = p->decl.nests,
						  .gaps = pair_gaps, .on_pair = named_pairs_on_pair,
						  .arg = p };

	if (!pairs)
		return -1;
	s->named_pairs.at = pairs;
	if (rs_match_table_init(&p->table, &decl) < 0)
		return -1;
	p->table.matcher.decl = &pairs_match;
	p->table.matcher.count_open = pair_count_open;
	rs_matcher_add(s, &p->table.matcher);
	s->named_pairs.at[s->named_pairs.nr++] = p;
	return 0;
}

/* Returns 0 also if this trace does not have it. */
static int pair_add(struct rs_session *s, struct rs_analysis_instance *instance, const struct rs_pair *decl,
		    const char *begin, const char *end, unsigned int *nr)
{
	struct rs_named_pair *p = calloc(1, sizeof *p);
	struct found from, to;

	if (!p)
		return -1;
	*p = (struct rs_named_pair){ .ctx = { .session = s }, .owner = instance, .index = *nr,
				     .decl = *decl };
	p->ctx.state = p;
	p->name.by_task = !strcmp(decl->key, "task");
	p->name.by_cpu = !strcmp(decl->key, "cpu");
	p->name.on_cpu = decl->on_cpu || p->name.by_cpu;
	p->name.key = decl->key;
	if (!pair_find(s, begin, &from) || !pair_find(s, end, &to)) {
		if (decl->required)
			pair_disable_unknown(s, instance, pair_find(s, begin, &from) ? end : begin);
		free(p);
		return 0;
	}
	p->name.begin = from.name;
	p->name.end = to.name;
	if (!pair_bind_event(s, p, begin, &from, &p->begin) || !pair_bind_event(s, p, end, &to, &p->end)) {
		free(p);
		return 0;
	}
	if (pair_keep(s, p) < 0) {
		free(p);
		return -1;
	}
	++*nr;
	return 0;
}

/* "a:*_entry" stands for each such event; its end has the same text in place of the star. */
static int pair_expand(struct rs_session *s, struct rs_analysis_instance *instance,
		       const struct rs_pair *decl, unsigned int *nr)
{
	size_t before = strcspn(decl->begin, "*"), end_before = strcspn(decl->end, "*");
	const char *after = decl->begin + before + 1, *end_after = decl->end + end_before + 1, *system, *name;
	unsigned int id;

	if (!decl->begin[before] || !decl->end[end_before])
		return pair_add(s, instance, decl, decl->begin, decl->end, nr);
	for (size_t i = 0; rs_formats_nth(s->formats, i, &system, &name, &id) && *nr < RS_MAX_PAIRS; i++) {
		char begin[160], end[160];
		size_t len, tail = strlen(after);

		len = (size_t)snprintf(begin, sizeof begin, "%s:%s", system, name);
		if (len >= sizeof begin || len < before + tail || strncmp(begin, decl->begin, before) != 0 ||
		    strcmp(begin + len - tail, after) != 0)
			continue;
		snprintf(end, sizeof end, "%.*s%.*s%s", (int)end_before, decl->end,
			 (int)(len - before - tail), begin + before, end_after);
		if (pair_add(s, instance, decl, begin, end, nr) < 0)
			return -1;
	}
	return 0;
}

int rs_named_pairs_bind(struct rs_session *s, struct rs_analysis_instance *instance)
{
	struct rs_pair decls[RS_MAX_PAIRS];
	size_t nr_decls = instance->analysis->pairs(&s->config.asked, decls, RS_MAX_PAIRS);
	unsigned int nr = 0;

	for (size_t i = 0; i < nr_decls && nr < RS_MAX_PAIRS; i++)
		if (pair_expand(s, instance, &decls[i], &nr) < 0)
			return -1;
	if (!nr && !instance->disabled[0])
		snprintf(instance->disabled, sizeof instance->disabled,
			 "needs two events that belong together, and knows none of this trace "
			 "(name them: pairs BEGIN END)");
	return 0;
}

/* If one event is both, the end is handled first: it ends what the one before began. */
int rs_named_pairs_route(struct rs_session *s)
{
	int ret = 0;

	for (unsigned int i = 0; i < s->named_pairs.nr; i++) {
		struct rs_named_pair *p = s->named_pairs.at[i];

		if (p->owner->disabled[0] || p->owner->off[0])
			continue;
		if (p->decl.state) {
			ret |= rs_bind_target(s, p->begin.id, &p->begin, on_state, &p->ctx);
			continue;
		}
		ret |= rs_bind_target(s, p->end.id, &p->end, named_pairs_on_end, &p->ctx);
		ret |= rs_bind_target(s, p->begin.id, &p->begin, named_pairs_on_begin, &p->ctx);
	}
	return ret;
}

void rs_named_pairs_done(struct rs_session *s)
{
	for (unsigned int i = 0; i < s->named_pairs.nr; i++) {
		rs_match_table_done(&s->named_pairs.at[i]->table);
		free(s->named_pairs.at[i]);
	}
	free(s->named_pairs.at);
	s->named_pairs.at = NULL;
	s->named_pairs.nr = 0;
}
