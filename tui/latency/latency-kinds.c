// SPDX-License-Identifier: GPL-2.0-or-later
/* latency-kinds.c - the kinds of spans that a task, or all, had in a time range, what cost most first */
#include "tui/latency/latency-kinds.h"

#include <stdlib.h>
#include <string.h>

#include "ringside/culprit.h"

/* ---- reading and sorting ---- */

/* Spans that are no waits rank with work: a system call may have waited, and its waits are listed. */
static unsigned int kinds_rank(const struct rs_latency_kind *k)
{
	static const unsigned int ranks[] = {
		[RS_INK_FULL] = 0, [RS_INK_DIM] = 1, [RS_INK_CALM] = 2, [RS_INK_BLANK] = 3,
	};

	return ranks[k->ink];
}

static int kinds_compare(const void *a, const void *b)
{
	const struct rs_latency_kind *x = a, *y = b;

	if (kinds_rank(x) != kinds_rank(y))
		return kinds_rank(x) < kinds_rank(y) ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	if (x->kind->number != y->kind->number)
		return x->kind->number < y->kind->number ? -1 : 1;
	return (x->cause > y->cause) - (x->cause < y->cause);
}

/* Preempted waits are waits for a CPU, too. */
static enum rs_cause kinds_cause(const char *word)
{
	enum rs_cause cause = RS_CAUSE_UNKNOWN;

	rs_cause_find(word, &cause);
	return rs_cause_row(cause)->category == RS_CATEGORY_QUEUE ? RS_CAUSE_DELAY : cause;
}

static bool kinds_is_of_tasks(const struct rs_catalogue_kind *kind)
{
	return kind->track == RS_TRACK_TASK && kind->shape == RS_SPAN_STATE;
}

/* What a CPU ran is what its tasks ran. What nothing is known of is no kind. */
static bool kinds_is_wanted(const struct rs_catalogue_kind *kind, enum rs_cause cause)
{
	if (kind->shape == RS_SPAN_STATE && !kinds_is_of_tasks(kind))
		return false;
	return !kinds_is_of_tasks(kind) || (cause && rs_cause_row(cause)->rank != RS_RANK_UNKNOWN);
}

/* Returns the row of that kind and cause, a new one if there is none; NULL: there is no more room. */
static struct rs_latency_kind *kinds_row(struct rs_latency_kind *kinds, size_t *nr,
					 const struct rs_catalogue_kind *kind, enum rs_cause cause)
{
	for (size_t i = 0; i < *nr; i++)
		if (kinds[i].kind == kind && kinds[i].cause == cause)
			return &kinds[i];
	if (*nr == RS_LATENCY_MAX_KINDS)
		return NULL;
	kinds[*nr] = (struct rs_latency_kind){ .kind = kind, .cause = cause,
					       .is_state = kinds_is_of_tasks(kind) };
	return &kinds[(*nr)++];
}

static uint64_t kinds_sum(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

/* Returns true if another kind of tasks has the waits that this state is about. */
static bool kinds_is_told_better(const struct rs_latency_kind *kinds, size_t nr,
				 const struct rs_latency_kind *k)
{
	for (const struct rs_latency_kind *o = kinds; k->is_state && o < kinds + nr; o++)
		if (!o->is_state && o->cause == k->cause && o->kind->track == RS_TRACK_TASK)
			return true;
	return false;
}

size_t rs_latency_kinds_read(const struct rs_kinds_reply *reply, const struct rs_catalogue *catalogue,
			     const struct rs_ink_task *task,
			     struct rs_latency_kind kinds[RS_LATENCY_MAX_KINDS])
{
	size_t nr = 0, nr_left = 0;

	for (size_t i = 0; i < reply->nr_kinds; i++) {
		const struct rs_wire_kind *w = &reply->kinds[i];
		const struct rs_catalogue_kind *kind = rs_catalogue_kind(catalogue, w->kind);
		enum rs_cause cause = kinds_cause(w->cause);
		struct rs_latency_kind *k =
			kind && kinds_is_wanted(kind, cause) ? kinds_row(kinds, &nr, kind, cause) : NULL;

		if (!k)
			continue;
		k->count = kinds_sum(k->count, w->count);
		k->ns = kinds_sum(k->ns, w->total_ns);
		k->ink = cause ? rs_cause_ink(cause, task, NULL) : RS_INK_CALM;
	}
	for (size_t i = 0; i < nr; i++)
		if (!kinds_is_told_better(kinds, nr, &kinds[i]))
			kinds[nr_left++] = kinds[i];
	qsort(kinds, nr_left, sizeof *kinds, kinds_compare);
	return nr_left;
}

/* ---- names and labels ---- */

const char *rs_latency_kinds_name(const struct rs_latency_kind *kind)
{
	const struct rs_cause_row *row = rs_cause_row(kind->cause);

	if (!kind->is_state)
		return kind->kind->slowest ? kind->kind->slowest : kind->kind->name;
	return row->category == RS_CATEGORY_QUEUE ? rs_part_row(RS_PART_QUEUE)->name : row->word;
}

enum rs_category rs_latency_kinds_category(const struct rs_latency_kind *kind)
{
	return kind->cause ? rs_cause_row(kind->cause)->category : RS_CATEGORY_PEER;
}

static void kinds_add_labels(struct rs_latency_of *of, enum rs_cause cause)
{
	const struct rs_cause_row *row = rs_cause_row(cause);

	rs_latency_add_labels(of, row->labels ? row->labels : row->name);
}

void rs_latency_kinds_choose(const struct rs_latency_kind *kind, struct rs_latency_of *of)
{
	rs_copy(of->kind, sizeof of->kind, kind->kind->name);
	rs_copy(of->name, sizeof of->name, rs_latency_kinds_name(kind));
	of->category = rs_latency_kinds_category(kind);
	of->nr_labels = 0;
	if (kind->is_state)
		kinds_add_labels(of, kind->cause);
	if (kind->is_state && kind->cause == RS_CAUSE_DELAY)
		kinds_add_labels(of, RS_CAUSE_PREEMPTED);
}

/* ---- finding ---- */

/* Of the states of tasks: those with one of the labels that are asked for. */
static bool kinds_has_label(const struct rs_latency_kind *k, const struct rs_latency_of *of)
{
	struct rs_latency_of own = { .nr_labels = 0 };

	if (!k->is_state || !of->nr_labels)
		return true;
	rs_latency_kinds_choose(k, &own);
	for (unsigned int i = 0; i < of->nr_labels; i++)
		for (unsigned int n = 0; n < own.nr_labels; n++)
			if (!strcmp(of->labels[i], own.labels[n]))
				return true;
	return false;
}

const struct rs_latency_kind *rs_latency_kinds_find(const struct rs_latency_kind *kinds, size_t nr,
						    const struct rs_latency_of *of)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(kinds[i].kind->name, of->kind) && kinds_has_label(&kinds[i], of))
			return &kinds[i];
	return NULL;
}

/* A call that waited for nothing that is known is a kind, too: the last. */
const struct rs_latency_kind *rs_latency_kinds_of_wait(const struct rs_latency_kind *kinds, size_t nr)
{
	const struct rs_latency_kind *most = NULL, *call = NULL;

	for (size_t i = 0; i < nr; i++) {
		bool is_wait = kinds[i].cause && rs_cause_row(kinds[i].cause)->rank != RS_RANK_WORK;

		if (is_wait && (!most || kinds[i].ns > most->ns))
			most = &kinds[i];
		if (!kinds[i].cause && (!call || kinds[i].ns > call->ns))
			call = &kinds[i];
	}
	return most ? most : call;
}

const struct rs_latency_kind *rs_latency_kinds_costliest(const struct rs_latency_kind *kinds, size_t nr,
							 enum rs_category category)
{
	const struct rs_latency_kind *most = NULL;

	for (size_t i = 0; i < nr && category != RS_CATEGORY_RUN; i++)
		if (kinds[i].cause && rs_cause_row(kinds[i].cause)->category == category &&
		    (!most || kinds[i].ns > most->ns))
			most = &kinds[i];
	return most ? most : nr ? &kinds[0] : NULL;
}

/* ---- drawing ---- */

int rs_latency_kinds_draw(const struct rs_latency_kind *kinds, size_t nr, const struct rs_latency_kind *at,
			  struct rs_canvas *c, struct rs_area line)
{
	int x = line.x, end = line.x + line.width;
	char count[RS_SCREEN_TEXT];

	for (size_t i = 0; i < nr && x < end; i++) {
		enum rs_style_id style_id = &kinds[i] == at               ? RS_STYLE_SELECTED :
					    kinds[i].ink == RS_INK_FULL   ? RS_STYLE_TEXT :
									    RS_STYLE_DIM;

		x += rs_put_format(c, line.y, x, end - x, style_id, " %s %s ",
				   rs_latency_kinds_name(&kinds[i]),
				   rs_screen_grouped(kinds[i].count, count));
	}
	return x - line.x;
}
