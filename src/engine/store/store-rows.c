// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store-rows - the rows of a view that shows a store: groups the rows of the store by the columns of --by
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "engine/analysis-instance.h"
#include "engine/internal.h"
#include "engine/store/store-grouping.h"
#include "engine/store/store-table.h"
#include "model/group.h"

#define STORE_MAX_EXPANDED 1024

/* ---- which columns ---- */

static bool store_is_asked(const struct rs_query *q, const char *by, const char *name)
{
	return q->nr_by ? rs_query_is_by(q, name) : rs_comma_list_has(by, name);
}

/* events: "system:event,system:event" */
static bool store_any_is_recorded(const struct rs_ctx *c, const char *events)
{
	char system[64], name[64];

	for (const char *at = events; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (sscanf(at, "%63[^:]:%63[^,]", system, name) == 2 &&
		    rs_session_occurs_in_rows(c->session, system, name))
			return true;
	return !events;
}

static struct rs_store_by store_by_of(const struct rs_ctx *c, const struct rs_view *view,
				   const struct rs_query *q, const char *by)
{
	struct rs_store_by keys = { .one_key = 0 };

	for (unsigned int i = 0; view->columns[i].name; i++) {
		const struct rs_column *column = &view->columns[i];

		keys.is_unrecorded[i] = !store_any_is_recorded(c, column->if_recorded);
		if (!column->key || (!column->always && !store_is_asked(q, by, column->name)))
			continue;
		keys.is_key[i] = true;
		keys.task.comm |= column->key == RS_KEY_COMM;
		keys.task.pid |= column->key == RS_KEY_PID;
		keys.task.tid |= column->key == RS_KEY_TID;
		if (column->key >= RS_KEY_CGROUP && column->key <= RS_KEY_POD)
			keys.task.groups |= 1u << (column->key - RS_KEY_CGROUP);
		keys.stack |= column->key == RS_KEY_STACK;
		if (column->key >= RS_KEY_0)
			keys.keys[keys.nr_keys++] = (uint8_t)i;
		if (column->key >= RS_KEY_0 && !column->by_cell)
			keys.one_key |= 1u << (column->key - RS_KEY_0);
	}
	return keys;
}

/* ---- grouping ---- */

/* The terms of columns that rows merge over: what is shown of a group no longer tells. */
static bool store_is_asked_for(const struct rs_grouping *g, const struct rs_group *row)
{
	const struct rs_terms *terms = g->query->terms;
	char buf[RS_CELL_TEXT_BYTES];

	for (unsigned int i = 0; terms && i < terms->nr; i++) {
		const struct rs_term *term = &terms->at[i];

		if (rs_column_merges(term->column) &&
		    !rs_term_holds(term, rs_store_show_key(g->c, term->column, row, buf)))
			return false;
	}
	return true;
}

static void store_add_stack(struct rs_grouping *g, const struct rs_column *column, const struct rs_group *row,
			    struct rs_group_key *key)
{
	uint32_t stack = rs_store_show_key_is_null(column, row) ? 0 : column->stack(g->c, row);

	rs_group_key_u64(key, rs_stack_names_hash(&g->names, g->c, stack));
	g->no_memory |= g->names.no_memory;
}

static void store_add_cell(const struct rs_grouping *g, const struct rs_column *column,
			   const struct rs_group *row, struct rs_group_key *key)
{
	char buf[RS_CELL_TEXT_BYTES];
	struct rs_value v = rs_store_show_key(g->c, column, row, buf);

	if (column->type == RS_TYPE_TEXT)
		rs_group_key_str(key, v.known ? v.s : "");
	else
		rs_group_key_u64(key, v.known ? v.u : UINT64_MAX);
}

static void store_key(struct rs_grouping *g, const struct rs_group *row, struct rs_group_key *key)
{
	rs_store_task_key(&g->by.task, g->c, row->task, key);
	for (unsigned int i = 0; i < g->by.nr_keys; i++) {
		const struct rs_column *column = &g->view->columns[g->by.keys[i]];

		if (column->stack && !column->of_modules)
			store_add_stack(g, column, row, key);
		else if (column->by_cell)
			store_add_cell(g, column, row, key);
		else
			rs_group_key_u64(key, row->keys[column->key - RS_KEY_0]);
	}
}

/* NULL: the options leave the row out, or there is no memory. */
static struct rs_store_group *store_group_of(struct rs_grouping *g, const struct rs_task *t, uint64_t key0,
					  uint64_t key1, uint32_t stack)
{
	struct rs_group row = { .task = t, .keys = { key0, key1 }, .stack = stack, .one_key = 3,
				.query = g->query, .grouping = g };
	struct rs_group_key key;
	struct rs_store_group *group;

	key.len = 0; /* and no bytes: 96 zeros for each row are felt */
	if ((g->view->has_key && !g->view->has_key(key0, key1)) || !store_is_asked_for(g, &row))
		return NULL;
	store_key(g, &row, &key);
	group = rs_groups_get(g->groups, &key);
	if (!group) {
		g->no_memory = true;
		return NULL;
	}
	if (group->begun) {
		rs_store_task_add(&group->task, t);
	} else {
		group->begun = true;
		group->group = row;
		group->group.one_key = g->by.one_key & ~(unsigned int)((key0 == RS_KEY_FORGOTTEN) |
								       (key1 == RS_KEY_FORGOTTEN) << 1);
		group->task = rs_store_task_of(&g->by.task, g->c, t);
		group->group.comm = group->task.comm;
		group->group.pid = group->task.pid;
	}
	return group;
}

bool rs_group_is_by(const struct rs_group *g, const char *column)
{
	const struct rs_view *view = g->grouping->view;

	for (unsigned int i = 0; column && view->columns[i].name; i++)
		if (g->grouping->by.is_key[i] && !strcmp(view->columns[i].name, column))
			return true;
	return false;
}

/* Returns NULL if there are no groups, or without memory. */
static struct rs_store_group *store_first(const struct rs_grouping *g)
{
	return g->groups ? rs_groups_next(g->groups, NULL) : NULL;
}

static uint64_t *store_total_of(struct rs_grouping *g, const struct rs_task *t)
{
	struct rs_group_key key = { .len = 0 };
	uint64_t *total;

	rs_store_task_key(&g->by.task, g->c, t, &key);
	total = rs_groups_get(g->totals, &key);
	g->no_memory |= !total;
	return total;
}

static void store_make_totals(struct rs_grouping *g, size_t measure_bytes)
{
	g->totals = rs_groups_new(sizeof(uint64_t));
	for (struct rs_store_group *group = g->totals ? store_first(g) : NULL; group;
	     group = rs_groups_next(g->groups, group)) {
		uint64_t *total = store_total_of(g, group->group.task);

		if (total && group->group.row)
			*total += rs_hist_sum_inside(
				(const void *)((const char *)group->group.row + measure_bytes));
	}
}

struct rs_value rs_group_share(const struct rs_group *g, size_t measure_bytes)
{
	/* its totals are a cache */
	struct rs_grouping *grouping = (struct rs_grouping *)(uintptr_t)g->grouping;
	const uint64_t *total;

	if (!grouping->totals)
		store_make_totals(grouping, measure_bytes);
	total = grouping->totals ? store_total_of(grouping, g->task) : NULL;
	return total ? rs_milli(rs_hist_sum_inside((const void *)((const char *)g->row + measure_bytes)),
				*total, 100) :
		       rs_null();
}

/* Returns the group's own measures, to which others can be added. NULL: no memory. */
static void *store_own(struct rs_grouping *g, struct rs_store_group *group)
{
	if (group->measures)
		return group->measures;
	group->measures = calloc(1, g->store->row_bytes);
	if (!group->measures) {
		g->no_memory = true;
		return NULL;
	}
	rs_store_measures_init(g->store, group->measures);
	if (group->group.row)
		rs_store_measures_merge(g->store, group->measures, group->group.row);
	group->group.row = group->measures;
	return group->measures;
}

static void store_merge(struct rs_grouping *g, struct rs_store_group *group, const void *row)
{
	void *own = store_own(g, group);

	if (own)
		rs_store_measures_merge(g->store, own, row);
}

/* Does not copy the row, which stays valid until all groups are shown. */
static void store_add_row(struct rs_grouping *g, struct rs_task *t, const uint64_t *keys, uint32_t stack,
			  const void *row)
{
	struct rs_store_group *group = store_group_of(g, t, keys[0], keys[1], stack);

	if (group && group->group.row)
		store_merge(g, group, row);
	else if (group)
		group->group.row = row;
}

/* A function that calls itself is several times in a stack, and counts once. */
static void store_add_expanded(struct rs_grouping *g, struct rs_task *t, const uint64_t *keys,
			       const void *row)
{
	uint64_t expanded[STORE_MAX_EXPANDED];
	size_t nr = g->view->expand(g->c, keys[0], expanded, STORE_MAX_EXPANDED);

	g->nr_expanded++;
	memcpy(g->copy, row, g->store->row_bytes);
	for (size_t i = 0; i < nr; i++) {
		struct rs_store_group *group = store_group_of(g, t, expanded[i], keys[1], 0);

		if (group && group->expanded != g->nr_expanded) {
			store_merge(g, group, g->copy);
			group->expanded = g->nr_expanded;
		}
		if (!i)
			g->view->as_caller(g->copy);
	}
}

static void store_complete(struct rs_grouping *g, struct rs_task *t, const void *row)
{
	memcpy(g->copy, row, g->store->row_bytes);
	for (const struct rs_measure *m = g->store->measures; m->kind; m++)
		if (m->kind == RS_MEASURE_LATENCY) {
			struct rs_hist *copy = (void *)((char *)g->copy + m->offset_bytes);

			rs_hist_init(copy);
			rs_hist_merge(copy, (const void *)((const char *)row + m->offset_bytes));
		}
	g->store->complete(g->c, g->query, t, g->copy);
}

static void store_add_completed(struct rs_grouping *g, struct rs_task *t, const uint64_t *keys,
				uint32_t stack, const void *row, bool is_shown)
{
	struct rs_store_group *group;

	store_complete(g, t, row);
	if (is_shown || !rs_store_measures_are_empty(g->store, g->copy)) {
		group = store_group_of(g, t, keys[0], keys[1], stack);
		if (group)
			store_merge(g, group, g->copy);
	}
	rs_store_measures_done(g->store, g->copy);
}

static void store_add(struct rs_grouping *g, struct rs_task *t, const uint64_t *keys, uint32_t stack,
		      const void *row)
{
	bool by_states = t && g->store->by_states, is_shown = by_states || g->store->keeps_rows;

	if ((t && !rs_shown(g->c, t)) || (by_states && !rs_store_has_row(g->c, t)))
		return;
	if (g->store->complete)
		store_add_completed(g, t, keys, stack, row, is_shown);
	else if (!is_shown && rs_store_measures_are_empty(g->store, row))
		return;
	else if (g->view->expand)
		store_add_expanded(g, t, keys, row);
	else
		store_add_row(g, t, keys, stack, row);
}

static void store_add_rows(struct rs_grouping *g, const struct rs_store_owner *owner)
{
	for (const struct rs_store_row *row = owner->first; row; row = row->after)
		store_add(g, row->task,
			  (const uint64_t[]){ rs_store_resolve_key(g->store, row), row->keys[1] }, row->stack,
			  row->measures);
}

static void store_add_task(struct rs_grouping *g, const struct rs_store_rows *s, struct rs_task *t)
{
	static const uint64_t no_keys[2];

	if (g->store->in_task)
		store_add(g, t, no_keys, 0, rs_store_in_task(s, t));
	else
		store_add_rows(g, rs_store_owner_of(s, t));
}

void *rs_grouping_row(struct rs_grouping *g, const struct rs_task *t, uint64_t key0, uint64_t key1,
		      uint32_t stack)
{
	struct rs_store_group *group = store_group_of(g, t, key0, key1, stack);

	return group ? store_own(g, group) : NULL;
}

void *rs_grouping_unseen(struct rs_grouping *g, const struct rs_unseen *u)
{
	struct rs_task t = { .tid = u->tid, .pid = u->pid, .cgroup = u->cgroup };
	struct rs_store_group *group;

	snprintf(t.comm, sizeof t.comm, "%s", u->comm);
	group = store_group_of(g, &t, 0, 0, 0);
	if (group && group->group.task == &t)
		group->group.task = NULL;
	return group ? store_own(g, group) : NULL;
}

static struct rs_store_rows *store_of(const struct rs_ctx *c, const struct rs_store *store)
{
	struct rs_store_rows *s = c->stores;

	while (s->store != store)
		s++;
	return s;
}

static void store_add_all(struct rs_grouping *g)
{
	struct rs_store_rows *s = store_of(g->c, g->store);

	for (struct rs_task *t = s->access->task_offset ? rs_task_next(g->c, NULL) : NULL; t;
	     t = rs_task_next(g->c, t))
		store_add_task(g, s, t);
	store_add_rows(g, &s->no_task);
	if (g->store == g->view->store) /* else .complete has not left it out */
		store_add_rows(g, &s->evicted);
}

static int store_group_all(struct rs_grouping *g, struct rs_ctx *c, const struct rs_view *view,
			   const struct rs_query *q, const char *by)
{
	*g = (struct rs_grouping){ .c = c, .store = view->store, .view = view, .query = q,
				   .by = store_by_of(c, view, q, by),
				   .groups = rs_groups_new(sizeof(struct rs_store_group)),
				   .copy = malloc(view->store->row_bytes) };
	if (!g->groups || !g->copy)
		return -ENOMEM;
	store_add_all(g);
	if (g->by.stack && (g->store = view->store->by_stack))
		store_add_all(g);
	g->store = view->store;
	if (view->add_in_flight)
		view->add_in_flight(c, &(struct rs_in_flight_to){ .rows = g, .query = q });
	return 0;
}

static int store_group_done(struct rs_grouping *g)
{
	for (struct rs_store_group *group = store_first(g); group; group = rs_groups_next(g->groups, group))
		if (group->measures) {
			rs_store_measures_done(g->store, group->measures);
			free(group->measures);
		}
	rs_groups_free(g->groups);
	rs_groups_free(g->totals);
	rs_stack_names_done(&g->names);
	free(g->copy);
	return g->no_memory ? -ENOMEM : 0;
}

/* ---- views and findings ---- */

static int store_rows_by(struct rs_ctx *c, const struct rs_view *view, const struct rs_query *q,
			 const char *by, struct rs_sink *out)
{
	struct rs_grouping g;

	if (store_group_all(&g, c, view, q, by) < 0)
		g.no_memory = true;
	g.out = out;
	for (struct rs_store_group *group = store_first(&g); group; group = rs_groups_next(g.groups, group))
		if (group->group.row) /* else there was no memory */
			rs_store_show_group(&g, group, out);
	return store_group_done(&g);
}

int rs_store_view_rows(struct rs_ctx *c, const struct rs_view *view, const struct rs_query *q,
		       struct rs_sink *out)
{
	int error = store_rows_by(c, view, q, view->by, out);

	if (!error && view->also_by && !q->nr_by)
		error = store_rows_by(c, view, q, view->also_by, out);
	return error;
}

void rs_group_for_each(struct rs_ctx *c, const struct rs_group *g, rs_store_group_fn *fn,
		       uint64_t interval_ns)
{
	const struct rs_grouping *all = g->grouping;

	for (struct rs_store_group *group = store_first(all); group;
	     group = rs_groups_next(all->groups, group))
		if (group->group.row)
			fn(c, &group->group, interval_ns);
}

void rs_store_for_each_group(struct rs_ctx *c, unsigned int n, rs_store_group_fn *fn)
{
	const struct rs_view *view = &rs_analysis_instance_of(c)->analysis->views[n];
	static const struct rs_query all = { .count_open = true };
	uint64_t interval_ns = rs_judged_ns(c);
	struct rs_grouping g;

	if (!interval_ns)
		return;
	store_group_all(&g, c, view, &all, view->also_by ? view->also_by : view->by);
	rs_group_for_each(c, &(struct rs_group){ .grouping = &g }, fn, interval_ns);
	store_group_done(&g);
}
