// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <sys/utsname.h>

#include "service/service.h"

static size_t count_views(const struct rs_session_config *config)
{
	size_t nr = 0;

	for (unsigned int i = 0; i < config->nr_analyses; i++)
		for (const struct rs_view *v = config->analyses[i]->views; v && v->name; v++)
			nr++;
	return nr;
}

static struct rs_catalogue_view *list_views(struct rs_service *s, size_t *nr)
{
	const struct rs_session_config *config = &s->config.session;
	struct rs_catalogue_view *views = calloc(count_views(config) + 1, sizeof *views);

	*nr = 0;
	for (unsigned int i = 0; views && i < config->nr_analyses; i++) {
		const struct rs_analysis *a = config->analyses[i];

		for (const struct rs_view *v = a->views; v && v->name; v++)
			views[(*nr)++] = (struct rs_catalogue_view){ *v, a->name, rs_session_disabled(s->session, a) };
	}
	return views;
}

static struct rs_catalogue_kind *list_kinds(const struct rs_timelines *t, size_t *nr)
{
	struct rs_catalogue_kind *kinds;
	const struct rs_span_kind *k;

	for (*nr = 0; rs_timelines_kind_number(t, (unsigned int)*nr); ++*nr)
		;
	kinds = calloc(*nr + 1, sizeof *kinds);
	for (unsigned int i = 0; kinds && (k = rs_timelines_kind_number(t, i)); i++)
		kinds[i] = (struct rs_catalogue_kind){ k->name, i, k->track, k->shape, k->rate, k->slowest };
	return kinds;
}

static void op_hello_put_answer(struct rs_job *job, const struct rs_catalogue *catalogue)
{
	const struct rs_service_config *config = &job->service->config;
	const struct rs_trace_info *info = &job->service->source->info;
	struct rs_quality q;
	struct utsname here;

	rs_session_quality(job->service->session, &q);
	rs_message_put_members(&job->reply, &rs_hello_reply_message, &(struct rs_hello_reply){
		.protocol = RS_PROTOCOL, .may_change = job->may_change, .version = q.version, .kernel = q.kernel, .clock = q.clock,
		.unit = q.unit, .filters = q.filters ? q.filters : "", .nr_cpus = info->nr_cpus, .machine = info->machine,
		.realtime_offset_ns = { .i = q.realtime_offset_ns, .known = q.realtime_offset_known },
		.host = uname(&here) == 0 && info->live ? here.nodename : NULL, .source = config->source, .path = config->path,
		.begin_ns = config->begin_ns, .interval_ns = rs_u(config->interval_ns), .catalogue = *catalogue,
	});
}

static int op_hello_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_hello_request *request = job->request;
	struct rs_catalogue_view *views;
	struct rs_catalogue_kind *kinds;
	size_t nr_views, nr_kinds;

	if (request->protocol != RS_PROTOCOL)
		return rs_fail(err, "this engine speaks version %d of the protocol, you do not (ringside %s here: use the same there)",
			       RS_PROTOCOL, RS_VERSION);
	if (job->service->source->info.live)
		rs_viewers_add(&job->service->viewers, job->service->session, job->pid);
	views = list_views(job->service, &nr_views);
	kinds = list_kinds(job->service->timelines, &nr_kinds);
	op_hello_put_answer(job, &(struct rs_catalogue){ views, nr_views, kinds, nr_kinds });
	free(views);
	free(kinds);
	return 0; /* without memory the job fails later */
}

const struct rs_op rs_op_hello = { .name = "hello", .run = op_hello_run };
