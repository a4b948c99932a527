// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interval-rows - the rows of "now": of the last complete interval if live, of all that was read for a file
 */
#include "service/interval-rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "model/named-stacks.h"
#include "service/alarms.h"
#include "service/learner.h"
#include "service/tail.h"
#include "view/rows.h"
#include "why/findings.h"

#define TAIL_ROWS 1000
/* of a stream of every event, whose rows are counted only up to here in an interval */
#define BY_NAME_ROWS 5000
#define RECENT_INTERVALS \
	10 /* the rows of a view are cached this many intervals after the last request for it */
#define CACHED_BYTES (32u << 20) /* for the rows of one view */
#define CACHED_TEXT_BYTES 16384    /* longer ones are cut, as everywhere */

#define STREAM_PASSED 4u

/* A stream and its last rows. */
struct stream {
	struct rs_sink sink;      /* first: of a stream that is passed on, else it is the tail's */
	struct rs_view_ref ref;
	struct rs_sink *passed[STREAM_PASSED];
	unsigned int nr_passed;
	struct rs_tail *tail;
	bool is_asked, is_left;   /* asked_interval is known; unsubscribed in left_interval */
	uint64_t asked_interval, left_interval, nr_before;
};

/* The rows of a table or histogram for one grouping, at the end of the last interval. */
struct interval_rows_cached {
	struct rs_view_ref ref;
	struct rs_query query;    /* its .by is the key of the cache, with ref */
	struct rs_rows *rows;
	/* of these rows, which have no texts of them: new in each interval. NULL: they have texts */
	struct rs_named_stacks *stacks;
	int error;                /* -ENOMEM: rows are missing */
	struct rs_rows_range range;
	uint64_t asked_interval;
	struct interval_rows_cached *next;
};

struct rs_interval_rows {
	const struct rs_session_config *config;
	struct rs_session *session;
	uint64_t interval_ns, interval, from_ns, due_ns;
	struct stream streams[RS_MAX_ANALYSES];
	size_t nr_streams;
	struct interval_rows_cached *cached;
	struct rs_finding_list findings; /* items NULL: none were made yet */
	struct rs_rows_range findings_range; /* their time range */
	struct rs_session_stamp findings_at; /* of a file: when they were made */
	struct rs_incidents *incidents; /* live */
	struct rs_alarms *alarms;       /* NULL: none */
	struct rs_learner *learner;     /* NULL: none */
	char texts[2][CACHED_TEXT_BYTES]; /* of the functions and the modules of a stack, for a row */
};

struct rs_interval_rows *rs_interval_rows_new(const struct rs_session_config *config, uint64_t interval_ns,
					      struct rs_error *err)
{
	struct rs_interval_rows *r = calloc(1, sizeof *r);

	if (!r) {
		rs_fail(err, "cannot keep rows: out of memory");
		return NULL;
	}
	r->config = config;
	r->interval_ns = interval_ns;
	r->due_ns = interval_ns ? 0 : UINT64_MAX;
	r->incidents = interval_ns ? rs_incidents_new() : NULL;
	return r;
}

static void interval_rows_free_cached(struct interval_rows_cached *k)
{
	rs_rows_free(k->rows);
	rs_named_stacks_free(k->stacks);
	free(k);
}

void rs_interval_rows_free(struct rs_interval_rows *r)
{
	struct interval_rows_cached *k;

	if (!r)
		return;
	for (size_t i = 0; i < r->nr_streams; i++)
		rs_tail_free(r->streams[i].tail);
	while ((k = r->cached)) {
		r->cached = k->next;
		interval_rows_free_cached(k);
	}
	rs_finding_list_done(&r->findings);
	rs_incidents_free(r->incidents);
	free(r);
}

static int interval_rows_add_stream(struct rs_interval_rows *r, const struct rs_view_ref *ref,
				    struct rs_error *err)
{
	struct stream *s = &r->streams[r->nr_streams];

	if (r->nr_streams == RS_MAX_ANALYSES)
		return rs_fail(err, "%s: too many streams at once", ref->view->name);
	*s = (struct stream){ .ref = *ref, .tail = rs_tail_new(ref->view, TAIL_ROWS) };
	if (!s->tail)
		return rs_fail(err, "cannot keep rows of %s: out of memory", ref->view->name);
	r->nr_streams++;
	/* these streams have as many rows as the trace: subscribed with the first request */
	if (ref->view->by_name)
		return 0;
	return rs_session_subscribe(r->session, ref, &(struct rs_query){ 0 }, &s->tail->sink);
}

int rs_interval_rows_subscribe(struct rs_interval_rows *r, struct rs_session *session, struct rs_error *err)
{
	r->session = session;
	for (unsigned int i = 0; r->interval_ns && i < r->config->nr_analyses; i++) {
		const struct rs_analysis *a = r->config->analyses[i];

		for (unsigned int v = 0; a->views && a->views[v].name; v++)
			if (a->views[v].kind == RS_VIEW_STREAM &&
			    interval_rows_add_stream(r, &(struct rs_view_ref){ a, &a->views[v], v }, err) < 0)
				return -1;
	}
	if (r->alarms)
		rs_alarms_take_next(r->alarms, r);
	return 0;
}

/* ---- intervals ---- */

static bool is_recent(const struct rs_interval_rows *r, uint64_t asked_interval)
{
	return asked_interval + RECENT_INTERVALS >= r->interval;
}

/* A sink that stores rows. */
struct cache {
	struct rs_sink sink;      /* first */
	struct rs_rows *rows;
};

static void cache_row(struct rs_sink *sink, const struct rs_value *values)
{
	rs_rows_add(((struct cache *)(void *)sink)->rows, values);
}

static bool has_stacks(const struct rs_view *view)
{
	const struct rs_column *column = view->columns;

	while (column->name && !column->stack)
		column++;
	return column->name;
}

/* The session's numbers of stacks end with the interval: the rows have numbers in a table of their own. */
static void cache_rows(struct rs_interval_rows *r, struct interval_rows_cached *k, uint64_t to_ns)
{
	struct cache cache = { .sink.row = cache_row, .rows = k->rows };

	rs_rows_clear(k->rows);
	rs_named_stacks_free(k->stacks);
	k->stacks = has_stacks(k->ref.view) ? rs_named_stacks_new(RS_STACKS_MAX) : NULL;
	cache.sink.stacks = k->stacks;
	rs_rows_set_stacks(k->rows, k->stacks);
	k->error = rs_session_rows(r->session, &k->ref, &k->query, &cache.sink);
	k->range = (struct rs_rows_range){ r->from_ns, to_ns, r->interval };
}

static void cache_all_rows(struct rs_interval_rows *r, uint64_t to_ns)
{
	struct interval_rows_cached **at = &r->cached, *k;

	while ((k = *at)) {
		if (is_recent(r, k->asked_interval)) {
			cache_rows(r, k, to_ns);
			at = &k->next;
		} else {
			*at = k->next;
			interval_rows_free_cached(k);
		}
	}
}

/* Of each interval, asked for or not: incidents are found while nobody looks. */
static void cache_findings(struct rs_interval_rows *r, uint64_t to_ns)
{
	if (!r->findings.items && !rs_finding_list_init(&r->findings))
		return;
	r->findings.nr = 0;
	r->findings_range = (struct rs_rows_range){ r->from_ns, to_ns, r->interval };
	rs_findings_collect(r->session, &r->findings);
	if (r->incidents)
		rs_incidents_add(r->incidents, r->session, &r->findings, r->from_ns, to_ns);
}

static void stream_pass_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct stream *s = (struct stream *)sink;

	if (!s->is_left && !s->tail->sink.least_ns)
		s->tail->sink.row(&s->tail->sink, values);
	for (unsigned int i = 0; i < s->nr_passed; i++)
		s->passed[i]->row(s->passed[i], values);
}

/* The tail takes all rows, while it is not left. */
static void stream_set_least(struct stream *s)
{
	s->sink.least_ns = s->is_left ? UINT64_MAX : 0;
	for (unsigned int i = 0; i < s->nr_passed; i++)
		if (s->passed[i]->least_ns < s->sink.least_ns)
			s->sink.least_ns = s->passed[i]->least_ns;
}

static void stream_subscribe(struct rs_interval_rows *r, struct stream *s)
{
	s->sink.row = stream_pass_row;
	rs_session_subscribe(r->session, &s->ref, &(struct rs_query){ 0 },
			     s->nr_passed ? &s->sink : &s->tail->sink);
	s->is_left = false;
	stream_set_least(s);
}

static bool stream_is_used(const struct rs_interval_rows *r, const struct stream *s)
{
	return s->is_asked && is_recent(r, s->asked_interval);
}

/*
 * A stream whose rows of one interval fill its tail has a full tail again one interval after it is asked
 * for: until then nobody pays for the texts of its rows, but in one of some intervals, because it may have
 * become quiet, and its last rows are few then, and wanted.
 */
static void stream_end_interval(struct rs_interval_rows *r, struct stream *s)
{
	bool by_name = s->ref.view->by_name, fills = s->tail->nr_came - s->nr_before >= TAIL_ROWS;

	if (by_name)
		rs_tail_limit(s->tail, BY_NAME_ROWS);
	s->nr_before = s->tail->nr_came;
	if ((by_name || fills) && !stream_is_used(r, s)) {
		if (!s->nr_passed)
			rs_session_unsubscribe(r->session, &s->ref);
		s->is_left = true;
		stream_set_least(s);
		s->left_interval = r->interval;
	} else if (s->is_left && !is_recent(r, s->left_interval)) {
		stream_subscribe(r, s);
	}
}

void rs_interval_rows_end_if_due(struct rs_interval_rows *r, uint64_t clock_ns)
{
	if (clock_ns < r->due_ns)
		return;
	if (r->due_ns) {
		cache_all_rows(r, clock_ns);
		cache_findings(r, clock_ns);
		if (r->alarms)
			rs_alarms_judge(r->alarms, r, r->session, &r->findings, r->from_ns, clock_ns);
		if (r->learner)
			rs_learner_end_interval(r->learner, r->session, r->from_ns, clock_ns);
		for (size_t i = 0; i < r->nr_streams; i++)
			stream_end_interval(r, &r->streams[i]);
		rs_session_reset(r->session);
		r->interval++;
	}
	r->from_ns = clock_ns;
	r->due_ns = clock_ns + r->interval_ns;
}

void rs_interval_rows_set_alarms(struct rs_interval_rows *r, struct rs_alarms *alarms)
{
	r->alarms = alarms;
}

void rs_interval_rows_set_learner(struct rs_interval_rows *r, struct rs_learner *learner)
{
	r->learner = learner;
}

uint64_t rs_interval_rows_due_ns(const struct rs_interval_rows *r)
{
	return r->due_ns;
}

uint64_t rs_interval_rows_interval(const struct rs_interval_rows *r)
{
	return r->interval;
}

/* ---- requests ---- */

static bool interval_rows_has(const struct rs_interval_rows *r, const struct rs_analysis *analysis)
{
	for (unsigned int i = 0; i < r->config->nr_analyses; i++)
		if (r->config->analyses[i] == analysis)
			return true;
	return false;
}

bool rs_interval_rows_on_demand(const struct rs_interval_rows *r, const struct rs_analysis *analysis)
{
	return rs_requirements_on_demand(analysis) && !interval_rows_has(r, analysis);
}

bool rs_interval_rows_find(const struct rs_interval_rows *r, const char *name, struct rs_view_ref *ref,
			   struct rs_error *err)
{
	const char *why;

	if (!rs_requirements_find_view(name, ref, err))
		return false;
	if (rs_interval_rows_on_demand(r, ref->analysis))
		return true;
	if (!interval_rows_has(r, ref->analysis)) {
		rs_fail_usage(err,
			      "%s is not being traced: it has to be named when the engine starts (-a %s)",
			      name, ref->analysis->name);
		return false;
	}
	why = rs_session_disabled(r->session, ref->analysis);
	if (why)
		rs_fail(err, "%s: %s", name, why);
	return !why;
}

static struct stream *stream_of(struct rs_interval_rows *r, const struct rs_view_ref *ref)
{
	for (size_t i = 0; i < r->nr_streams; i++)
		if (r->streams[i].ref.view == ref->view)
			return &r->streams[i];
	return NULL;
}

void rs_interval_rows_pass(struct rs_interval_rows *r, const struct rs_view_ref *ref, struct rs_sink *sink)
{
	struct stream *s = stream_of(r, ref);

	if (!s || s->nr_passed == STREAM_PASSED)
		return;
	s->passed[s->nr_passed++] = sink;
	stream_subscribe(r, s);
}

void rs_interval_rows_pass_to_none(struct rs_interval_rows *r)
{
	for (size_t i = 0; i < r->nr_streams; i++)
		if (r->streams[i].nr_passed) {
			r->streams[i].nr_passed = 0;
			stream_subscribe(r, &r->streams[i]);
		}
}

static void stream_rows(struct rs_interval_rows *r, struct stream *s, struct rs_sink *sink,
			struct rs_rows_range *range)
{
	const struct rs_value *row;

	if (s->ref.view->by_name || s->is_left)
		stream_subscribe(r, s);
	s->is_asked = true;
	s->asked_interval = r->interval;
	for (size_t i = 0; (row = rs_tail_row(s->tail, i)); i++)
		sink->row(sink, row);
	range->interval = s->tail->nr_came;
}

/* Compares addresses: .by points to the names of the view's columns. */
static bool has_same_key(const struct rs_query *a, const struct rs_query *b)
{
	return a->nr_by == b->nr_by && !memcmp(a->by, b->by, a->nr_by * sizeof *a->by);
}

/*
 * Returns the cached rows for a view and grouping, and caches them from now on. NULL: no memory; they are
 * then computed for each request.
 */
static struct interval_rows_cached *cached_of(struct rs_interval_rows *r, const struct rs_view_ref *ref,
					      const struct rs_query *query)
{
	struct interval_rows_cached *k;

	for (k = r->cached; k; k = k->next)
		if (k->ref.view == ref->view && has_same_key(&k->query, query))
			return k;
	k = calloc(1, sizeof *k);
	if (!k || !(k->rows = rs_rows_new(ref->view, &(struct rs_sort){ 0 }, 0, CACHED_BYTES))) {
		free(k);
		return NULL;
	}
	k->ref = *ref;
	k->query = *query;
	k->next = r->cached;
	r->cached = k;
	return k;
}

/* As a session passes it: by number for who takes numbers; as text for others, and where that is read. */
static void cached_put_stack(struct rs_interval_rows *r, const struct interval_rows_cached *k,
			     unsigned int column, const struct rs_sink *sink, struct rs_named_copy *copy,
			     struct rs_value *value)
{
	bool of_modules = k->ref.view->columns[column].of_modules;

	if (!sink->stacks || sink->texts >> column & 1)
		value->s = rs_named_stacks_put(k->stacks, value->stack, of_modules, r->texts[of_modules],
					       CACHED_TEXT_BYTES);
	value->stack = sink->stacks ? rs_named_stacks_copy(sink->stacks, copy, k->stacks, RS_STACK_ROOT,
							   value->stack) :
				      0;
}

static void cached_rows(struct rs_interval_rows *r, const struct interval_rows_cached *k,
			struct rs_sink *sink, struct rs_rows_range *range)
{
	struct rs_value values[RS_MAX_COLUMNS];
	struct rs_named_copy copy = { .from = k->stacks };
	unsigned int nr_columns = rs_columns_nr(k->ref.view);
	size_t nr = rs_rows_sort(k->rows);

	for (size_t i = 0; i < nr; i++) {
		memcpy(values, rs_rows_get(k->rows, i), nr_columns * sizeof *values);
		for (unsigned int column = 0; column < nr_columns; column++)
			if (values[column].stack)
				cached_put_stack(r, k, column, sink, &copy, &values[column]);
		sink->row(sink, values);
	}
	rs_named_stacks_copy_done(&copy);
	*range = k->range;
}

int rs_interval_rows_get(struct rs_interval_rows *r, const struct rs_view_ref *ref,
			 const struct rs_query *query, struct rs_sink *sink, struct rs_rows_range *range)
{
	struct stream *s = stream_of(r, ref);
	struct interval_rows_cached *k = NULL;

	*range = (struct rs_rows_range){ r->from_ns, 0, r->interval };
	if (s) {
		stream_rows(r, s, sink, range);
		return 0;
	}
	if (r->interval_ns)
		k = cached_of(r, ref, query);
	if (k)
		k->asked_interval = r->interval;
	if (!k || !k->range.to_ns)
		return rs_session_rows(r->session, ref, query, sink);
	cached_rows(r, k, sink, range);
	return k->error;
}

/* Like that of a view, the first answer covers the interval that has just begun. */
const struct rs_finding_list *rs_interval_rows_findings(struct rs_interval_rows *r,
							struct rs_rows_range *range)
{
	bool first = !r->findings.items, is_known = rs_session_is_unchanged(r->session, &r->findings_at);
	struct rs_quality quality;

	if (first && !rs_finding_list_init(&r->findings))
		return NULL;
	/* live, those of each interval are made at its end */
	if (first || (!r->interval_ns && !is_known)) {
		rs_session_quality(r->session, &quality);
		r->findings.nr = 0;
		r->findings_range = (struct rs_rows_range){ r->from_ns ? r->from_ns : quality.from_ns,
							    quality.to_ns, r->interval };
		rs_findings_collect(r->session, &r->findings);
	}
	*range = r->findings_range;
	return &r->findings;
}

struct rs_incidents *rs_interval_rows_incidents(struct rs_interval_rows *r)
{
	return r->incidents;
}
