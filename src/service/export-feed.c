// SPDX-License-Identifier: GPL-2.0-or-later
/* export-feed - connects a format with the session that feeds it */
#include "service/export-feed.h"

#include "engine/store/latency-sums.h"
#include "model/finding-list.h"
#include "why/findings.h"

static bool export_feed_draws(const struct rs_export *e, const struct rs_analysis *a)
{
	for (const struct rs_span_kind *k = a->spans; k && k->name; k++)
		if (e->draws(k))
			return true;
	return (e->view && a->views) || (e->findings && a->rules);
}

int rs_export_feed_config(struct rs_export *e, unsigned int pass, struct rs_session_config *config,
			  struct rs_error *err)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; e->spans[pass] && i < config->nr_analyses; i++)
		if (export_feed_draws(e, config->analyses[i]))
			config->analyses[nr++] = config->analyses[i];
	if (nr + 1 >= RS_MAX_ANALYSES)
		return rs_fail(err, "cannot export: more than %d analyses", RS_MAX_ANALYSES - 2);
	if (e->spans[pass] && e->latencies)
		config->analyses[nr++] = &rs_latency_sums;
	config->analyses[nr++] = e->subscriber[pass];
	config->nr_analyses = nr;
	config->arg = e;
	config->only_spans = !e->view;
	config->names_code = config->findings = e->findings != NULL;
	return 0;
}

void rs_export_feed_spans(struct rs_export *e, unsigned int pass, struct rs_session *s)
{
	if (e->spans[pass])
		rs_session_emit_span(s, &e->sink);
}

static void export_feed_add_view(struct rs_export_feed *feed, const struct rs_view_ref *ref)
{
	struct rs_sink *sink;

	if (feed->nr_views == RS_EXPORT_FEED_MAX_VIEWS) {
		rs_fail(&feed->export->error, "cannot export: more than %d views", RS_EXPORT_FEED_MAX_VIEWS);
		return;
	}
	sink = feed->export->view(feed->export, ref->view);
	if (!sink)
		return;
	feed->views[feed->nr_views++] = (struct rs_export_feed_view){ *ref, sink };
	if (ref->view->kind == RS_VIEW_STREAM)
		rs_session_subscribe(feed->session, ref, &(struct rs_query){ 0 }, sink);
}

static void export_feed_add_views(struct rs_export_feed *feed, const struct rs_analysis *a)
{
	if (rs_session_disabled(feed->session, a))
		return;
	for (unsigned int v = 0; a->views && a->views[v].name; v++)
		if (!a->views[v].by_name)
			export_feed_add_view(feed, &(struct rs_view_ref){ a, &a->views[v], v });
}

void rs_export_feed_begin(struct rs_export_feed *feed, struct rs_export *e, unsigned int pass,
			  struct rs_session *s, const struct rs_session_config *config,
			  const struct rs_source *source, uint64_t begin_ns)
{
	*feed = (struct rs_export_feed){ .export = e, .pass = pass, .session = s };
	e->begin(e, pass, &source->info, begin_ns);
	for (unsigned int i = 0; pass == 0 && e->view && i < config->nr_analyses; i++)
		export_feed_add_views(feed, config->analyses[i]);
}

/* What was never recorded has no rows: zeros would look like an idle machine. */
static int export_feed_rows(struct rs_export_feed *feed, struct rs_error *err)
{
	for (size_t i = 0; i < feed->nr_views && feed->export->error.status == RS_OK; i++) {
		const struct rs_export_feed_view *v = &feed->views[i];

		if (v->ref.view->kind == RS_VIEW_STREAM || rs_session_nothing(feed->session, v->ref.analysis))
			continue;
		if (rs_session_rows(feed->session, &v->ref, &(struct rs_query){ 0 }, v->sink) < 0)
			return rs_fail(err, "cannot export %s: out of memory", v->ref.view->name);
	}
	return 0;
}

static int export_feed_latencies(struct rs_export_feed *feed, struct rs_error *err)
{
	const struct rs_query query = { .nr_by = 0 };

	if (feed->pass == 0 && feed->export->latencies &&
	    rs_session_rows(feed->session, &rs_latency_sums_view, &query, feed->export->latencies) < 0)
		return rs_fail(err, "cannot export latencies: out of memory");
	return 0;
}

static int export_feed_findings(struct rs_export_feed *feed, struct rs_error *err)
{
	struct rs_finding_list list;

	if (feed->pass || !feed->export->findings)
		return 0;
	if (!rs_finding_list_init(&list))
		return rs_fail(err, "cannot export findings: out of memory");
	rs_findings_collect(feed->session, &list);
	feed->export->findings(feed->export, &list);
	rs_finding_list_done(&list);
	return 0;
}

int rs_export_feed_end(struct rs_export_feed *feed, struct rs_error *err)
{
	struct rs_quality quality;
	int ret = export_feed_rows(feed, err);

	if (ret == 0)
		ret = export_feed_latencies(feed, err);
	if (ret == 0)
		ret = export_feed_findings(feed, err);
	rs_session_quality(feed->session, &quality);
	feed->export->end(feed->export, feed->pass, &quality);
	return ret;
}
