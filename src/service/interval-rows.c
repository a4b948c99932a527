// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/interval-rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "service/tail.h"
#include "view/rows.h"

#define TAIL_ROWS 1000
#define LOUD_ROWS 5000     /* a stream with more rows in an interval is unsubscribed, unless a client asked for it lately */
#define LATELY_INTERVALS 10   /* the rows of a view are cached this many intervals after the last request for it */
#define INTERVAL_ROWS_MAX_FINDINGS 20
#define KEPT_BYTES (32u << 20) /* for the rows of one view */

/* A stream and its last rows. */
struct stream {
	struct rs_view_ref ref;
	struct rs_tail *tail;
	uint64_t asked_interval, nr_before;
};

/* The rows of a table or histogram for one grouping, at the end of the last interval. */
struct interval_rows_cached {
	struct rs_view_ref ref;
	struct rs_query query;
	char by[128];             /* query.by as text: the key of the cache, with ref */
	struct rs_rows *rows;
	int error;                /* -ENOMEM: rows are missing */
	struct rs_current_span span;
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
	struct rs_finding_list findings; /* items NULL: no client has asked yet */
	struct rs_current_span findings_span; /* their time range */
	uint64_t findings_asked_interval;   /* interval of the last request */
};

struct rs_interval_rows *rs_interval_rows_new(const struct rs_session_config *config, uint64_t interval_ns,
					      struct rs_error *err)
{
	struct rs_interval_rows *now = calloc(1, sizeof *now);

	if (!now) {
		rs_fail(err, "cannot keep rows: out of memory");
		return NULL;
	}
	now->config = config;
	now->interval_ns = interval_ns;
	now->due_ns = interval_ns ? 0 : UINT64_MAX;
	return now;
}

static void interval_rows_free_cached(struct interval_rows_cached *k)
{
	rs_rows_free(k->rows);
	free(k);
}

void rs_interval_rows_free(struct rs_interval_rows *now)
{
	struct interval_rows_cached *k;

	if (!now)
		return;
	for (size_t i = 0; i < now->nr_streams; i++)
		rs_tail_free(now->streams[i].tail);
	while ((k = now->cached)) {
		now->cached = k->next;
		interval_rows_free_cached(k);
	}
	rs_finding_list_done(&now->findings);
	free(now);
}

static int listen_to(struct rs_interval_rows *now, const struct rs_view_ref *ref, struct rs_error *err)
{
	struct stream *s = &now->streams[now->nr_streams];

	if (now->nr_streams == RS_MAX_ANALYSES)
		return rs_fail(err, "%s: too many streams at once", ref->view->name);
	*s = (struct stream){ .ref = *ref, .tail = rs_tail_new(ref->view, TAIL_ROWS) };
	if (!s->tail)
		return rs_fail(err, "cannot keep rows of %s: out of memory", ref->view->name);
	now->nr_streams++;
	if (ref->view->by_name) /* these streams have as many rows as the trace: subscribed with the first request */
		return 0;
	return rs_session_subscribe(now->session, ref, &(struct rs_query){ 0 }, rs_tail_sink(s->tail));
}

int rs_interval_rows_subscribe(struct rs_interval_rows *now, struct rs_session *session, struct rs_error *err)
{
	now->session = session;
	for (unsigned int i = 0; now->interval_ns && i < now->config->nr_analyses; i++) {
		const struct rs_analysis *a = now->config->analyses[i];

		for (unsigned int v = 0; a->views && a->views[v].name; v++)
			if (a->views[v].kind == RS_VIEW_STREAM &&
			    listen_to(now, &(struct rs_view_ref){ a, &a->views[v], v }, err) < 0)
				return -1;
	}
	return 0;
}

/* ---- intervals ---- */

static bool lately(const struct rs_interval_rows *now, uint64_t asked_interval)
{
	return asked_interval + LATELY_INTERVALS >= now->interval;
}

/* A sink that stores rows. */
struct cache {
	struct rs_sink sink;      /* first */
	struct rs_rows *rows;
};

static void keep_row(struct rs_sink *sink, const struct rs_value *values)
{
	rs_rows_add(((struct cache *)(void *)sink)->rows, values);
}

static void keep_rows(struct rs_interval_rows *now, struct interval_rows_cached *k, uint64_t to_ns)
{
	struct cache cache = { .sink.row = keep_row, .rows = k->rows };

	rs_rows_clear(k->rows);
	k->error = rs_session_rows(now->session, &k->ref, &k->query, &cache.sink);
	k->span = (struct rs_current_span){ now->from_ns, to_ns, now->interval };
}

static void keep_all(struct rs_interval_rows *now, uint64_t to_ns)
{
	struct interval_rows_cached **at = &now->cached, *k;

	while ((k = *at)) {
		if (lately(now, k->asked_interval)) {
			keep_rows(now, k, to_ns);
			at = &k->next;
		} else {
			*at = k->next;
			interval_rows_free_cached(k);
		}
	}
}

static void keep_findings(struct rs_interval_rows *now, uint64_t to_ns)
{
	if (!now->findings.items)
		return;
	now->findings.nr = 0;
	now->findings_span = (struct rs_current_span){ now->from_ns, to_ns, now->interval };
	if (lately(now, now->findings_asked_interval))
		rs_session_findings(now->session, &now->findings.sink);
	else
		rs_finding_list_done(&now->findings);
}

static void listen_or_not(struct rs_interval_rows *now)
{
	for (size_t i = 0; i < now->nr_streams; i++) {
		struct stream *s = &now->streams[i];
		bool loud = s->ref.view->by_name || rs_tail_nr(s->tail) - s->nr_before > LOUD_ROWS;

		if (s->ref.view->by_name)
			rs_tail_limit(s->tail, LOUD_ROWS);
		s->nr_before = rs_tail_nr(s->tail);
		if (loud && !lately(now, s->asked_interval))
			rs_session_unsubscribe(now->session, &s->ref);
	}
}

void rs_interval_rows_pass(struct rs_interval_rows *now, uint64_t clock_ns)
{
	if (clock_ns < now->due_ns)
		return;
	if (now->due_ns) {
		keep_all(now, clock_ns);
		keep_findings(now, clock_ns);
		listen_or_not(now);
		rs_session_reset(now->session);
		now->interval++;
	}
	now->from_ns = clock_ns;
	now->due_ns = clock_ns + now->interval_ns;
}

uint64_t rs_interval_rows_due_ns(const struct rs_interval_rows *now)
{
	return now->due_ns;
}

uint64_t rs_interval_rows_end_interval(const struct rs_interval_rows *now)
{
	return now->interval;
}

/* ---- requests ---- */

bool rs_interval_rows_find(const struct rs_interval_rows *now, const char *name, struct rs_view_ref *ref,
			   struct rs_error *err)
{
	const char *why;

	if (!rs_requirements_find_view(name, ref, err))
		return false;
	for (unsigned int i = 0; i < now->config->nr_analyses; i++) {
		if (now->config->analyses[i] != ref->analysis)
			continue;
		why = rs_session_disabled(now->session, ref->analysis);
		if (why)
			rs_fail(err, "%s: %s", name, why);
		return !why;
	}
	rs_fail_usage(err, "%s is not being traced: it has to be named when the engine starts (-a %s)", name,
		      ref->analysis->name);
	return false;
}

static struct stream *stream_of(struct rs_interval_rows *now, const struct rs_view_ref *ref)
{
	for (size_t i = 0; i < now->nr_streams; i++)
		if (now->streams[i].ref.view == ref->view)
			return &now->streams[i];
	return NULL;
}

static void stream_rows(struct rs_interval_rows *now, struct stream *s, struct rs_sink *sink,
			struct rs_current_span *span)
{
	const struct rs_value *row;

	if (s->ref.view->by_name || !lately(now, s->asked_interval))
		rs_session_subscribe(now->session, &s->ref, &(struct rs_query){ 0 }, rs_tail_sink(s->tail));
	s->asked_interval = now->interval;
	for (size_t i = 0; (row = rs_tail_row(s->tail, i)); i++)
		sink->row(sink, row);
	span->interval = rs_tail_nr(s->tail);
}

static void by_words(const struct rs_query *query, char *by, size_t size_bytes)
{
	size_t len = 0;

	by[0] = '\0';
	for (unsigned int i = 0; i < query->nr_by && len + strlen(query->by[i]) + 2 < size_bytes; i++) {
		len += strlen(strcpy(by + len, query->by[i]));
		by[len++] = ',';
		by[len] = '\0';
	}
}

/*
 * Returns the cached rows for a view and grouping, and caches them from now on. NULL: no memory; they are then
 * computed for each request.
 */
static struct interval_rows_cached *cached_of(struct rs_interval_rows *now, const struct rs_view_ref *ref,
					      const struct rs_query *query)
{
	struct interval_rows_cached *k;
	char by[sizeof k->by];

	by_words(query, by, sizeof by);
	for (k = now->cached; k; k = k->next)
		if (k->ref.view == ref->view && !strcmp(k->by, by))
			return k;
	k = calloc(1, sizeof *k);
	if (!k || !(k->rows = rs_rows_new(ref->view, &(struct rs_sort){ 0 }, 0, KEPT_BYTES))) {
		free(k);
		return NULL;
	}
	k->ref = *ref;
	k->query = *query;
	strcpy(k->by, by);
	k->next = now->cached;
	now->cached = k;
	return k;
}

static void cached_rows(const struct interval_rows_cached *k, struct rs_sink *sink,
			struct rs_current_span *span)
{
	size_t nr = rs_rows_sort(k->rows);

	for (size_t i = 0; i < nr; i++)
		sink->row(sink, rs_rows_get(k->rows, i));
	*span = k->span;
}

int rs_interval_rows_rows(struct rs_interval_rows *now, const struct rs_view_ref *ref, const struct rs_query *query, struct rs_sink *sink,
			   struct rs_current_span *span)
{
	struct stream *s = stream_of(now, ref);
	struct interval_rows_cached *k = NULL;

	*span = (struct rs_current_span){ now->from_ns, 0, now->interval };
	if (s) {
		stream_rows(now, s, sink, span);
		return 0;
	}
	if (now->interval_ns)
		k = cached_of(now, ref, query);
	if (k)
		k->asked_interval = now->interval;
	if (!k || !k->span.to_ns)
		return rs_session_rows(now->session, ref, query, sink);
	cached_rows(k, sink, span);
	return k->error;
}

/* Like that of a view, the first answer covers the interval that has just begun. */
const struct rs_finding_list *rs_interval_rows_findings(struct rs_interval_rows *now,
							struct rs_current_span *span)
{
	bool first = !now->findings.items;
	struct rs_quality quality;

	if (first && !rs_finding_list_init(&now->findings, INTERVAL_ROWS_MAX_FINDINGS))
		return NULL;
	now->findings_asked_interval = now->interval;
	if (!now->interval_ns || first) {
		rs_session_quality(now->session, &quality);
		now->findings.nr = 0;
		now->findings_span = (struct rs_current_span){ now->from_ns ? now->from_ns : quality.from_ns, quality.to_ns, now->interval };
		rs_session_findings(now->session, &now->findings.sink);
	}
	*span = now->findings_span;
	return &now->findings;
}
