// SPDX-License-Identifier: GPL-2.0-or-later
/* export-feed - connects a format with the session that feeds it */
#include "service/export-feed.h"

#include "engine/store/latency-sums.h"
#include "model/finding-list.h"
#include "service/op-incidents.h"
#include "why/findings.h"

static bool export_feed_draws(const struct rs_export *e, const struct rs_analysis *a)
{
	for (const struct rs_span_kind *k = a->spans; k && k->name; k++)
		if (e->draws(k))
			return true;
	return (e->view && a->views) || (e->findings && a->rules);
}

static bool export_feed_has_steps(const struct rs_export *e, unsigned int pass)
{
	return pass && e->step_ns;
}

/* Of each step the findings alone. */
static int export_feed_config_steps(const struct rs_export *e, struct rs_session_config *config,
				    struct rs_error *err)
{
	config->names_code = false;
	config->step_ns = e->step_ns;
	config->end_step = rs_op_incidents_end_step;
	config->step_arg = rs_incidents_new();
	return config->step_arg ? 0 : rs_fail(err, "cannot export findings: out of memory");
}

void rs_export_feed_done(struct rs_session_config *config)
{
	if (config->step_ns)
		rs_incidents_free(config->step_arg);
	config->step_ns = 0;
}

int rs_export_feed_config(struct rs_export *e, unsigned int pass, struct rs_session_config *config,
			  struct rs_error *err)
{
	bool has_steps = export_feed_has_steps(e, pass);
	unsigned int nr = 0;

	for (unsigned int i = 0; e->spans[pass] && i < config->nr_analyses; i++)
		if (has_steps ? config->analyses[i]->rules != NULL :
				export_feed_draws(e, config->analyses[i]))
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
	return has_steps ? export_feed_config_steps(e, config, err) : 0;
}

void rs_export_feed_spans(struct rs_export *e, unsigned int pass, struct rs_session *s)
{
	if (e->spans[pass] && !export_feed_has_steps(e, pass))
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
	*feed = (struct rs_export_feed){ .export = e, .pass = pass, .session = s,
					 .incidents = config->step_ns ? config->step_arg : NULL };
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

static void export_feed_incidents(struct rs_export_feed *feed)
{
	const struct rs_incidents *in = feed->incidents;
	const struct rs_incident *i;
	char often[128];

	for (size_t n = 0; in && (i = rs_incidents_get(in, n)); n++)
		feed->export->incident(feed->export, &(struct rs_export_incident){
			.begin_ns = i->begin_ns, .end_ns = i->end_ns, .finding = &i->item,
			.slowest = i->slowest, .often = rs_incident_often(in, i, 0, often, sizeof often) });
}

int rs_export_feed_end(struct rs_export_feed *feed, struct rs_error *err)
{
	struct rs_quality quality;
	int ret = export_feed_rows(feed, err);

	if (ret == 0)
		ret = export_feed_latencies(feed, err);
	if (ret == 0)
		ret = export_feed_findings(feed, err);
	export_feed_incidents(feed);
	rs_session_quality(feed->session, &quality);
	feed->export->end(feed->export, feed->pass, &quality);
	return ret;
}
