// SPDX-License-Identifier: GPL-2.0-or-later
/* op-hello - answers what the engine is: its version, its source, and the catalogue of views */
#include <stdlib.h>

#include "base/vector.h"
#include "service/save.h"
#include "service/service.h"

static void list_views_of(struct rs_service *s, const struct rs_analysis *a, struct rs_catalogue_view **views,
			  size_t *nr, size_t *room)
{
	bool on_demand = rs_interval_rows_on_demand(s->interval_rows, a);
	struct rs_catalogue_view *view;

	for (const struct rs_view *v = a->views; v && v->name; v++)
		if ((view = RS_VECTOR_ADD(views, nr, room)))
			*view = (struct rs_catalogue_view){
				*v, a->name, on_demand ? NULL : rs_session_disabled(s->session, a), on_demand
			};
}

/*
 * The lists are the caller's, to be freed; an empty one is not NULL, which would be null in the answer.
 * Without memory the job fails at its end.
 */
static struct rs_catalogue_view *list_views(struct rs_service *s, size_t *nr)
{
	const struct rs_session_config *config = &s->config.session;
	struct rs_catalogue_view *views = NULL;
	size_t room = 0;

	RS_VECTOR_RESERVE(&views, &room, 1);
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		list_views_of(s, config->analyses[i], &views, nr, &room);
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		if (rs_interval_rows_on_demand(s->interval_rows, *a))
			list_views_of(s, *a, &views, nr, &room);
	return views;
}

static struct rs_catalogue_kind *list_kinds(const struct rs_timelines *t, size_t *nr)
{
	struct rs_catalogue_kind *kinds = NULL, *kind;
	const struct rs_span_kind *k;
	size_t room = 0;

	RS_VECTOR_RESERVE(&kinds, &room, 1);
	for (unsigned int i = 0; (k = rs_timelines_kind_number(t, i)); i++)
		if ((kind = RS_VECTOR_ADD(&kinds, nr, &room)))
			*kind = (struct rs_catalogue_kind){ k->name,  i,       k->track,
							    k->shape, k->rate, k->slowest,
							    k->cause ? rs_cause_row(k->cause)->word : NULL };
	return kinds;
}

static struct rs_catalogue_format *list_formats(size_t *nr)
{
	struct rs_catalogue_format *formats = NULL, *format;
	struct rs_save_format f;
	size_t room = 0;

	RS_VECTOR_RESERVE(&formats, &room, 1);
	for (size_t i = 0; rs_save_format(i, &f); i++)
		if ((format = RS_VECTOR_ADD(&formats, nr, &room)))
			*format = (struct rs_catalogue_format){ f.name, f.endings, f.help };
	return formats;
}

static void op_hello_put_answer(struct rs_job *job, const struct rs_catalogue *catalogue)
{
	const struct rs_service_config *config = &job->service->config;
	const struct rs_trace_info *info = &job->service->source->info;
	struct rs_quality q;

	rs_session_quality(job->service->session, &q);
	rs_message_put_members(&job->reply, &rs_hello_reply_message, &(struct rs_hello_reply){
		.protocol = RS_PROTOCOL, .may_change = job->may_change, .version = q.version,
		.kernel = q.kernel, .clock = q.clock,
		.unit = q.unit, .filters = q.filters ? q.filters : "", .nr_cpus = info->nr_cpus,
		.machine = info->machine,
		.realtime_offset_ns = { .i = q.realtime_offset_ns, .known = q.realtime_offset_known },
		.host = info->live ? info->host : NULL, .source = config->source, .path = config->path,
		.begin_ns = config->begin_ns, .interval_ns = rs_u(config->interval_ns),
		.catalogue = *catalogue,
	});
}

static int op_hello_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_hello_request *request = job->request;
	struct rs_catalogue_view *views;
	struct rs_catalogue_kind *kinds;
	struct rs_catalogue_format *formats;
	size_t nr_views = 0, nr_kinds = 0, nr_formats = 0;

	if (request->protocol != RS_PROTOCOL)
		return rs_fail(err,
			       "this engine speaks version %d of the protocol, you do not (ringside %s here: "
			       "use the same there)",
			       RS_PROTOCOL, RS_VERSION);
	if (job->service->source->info.live)
		rs_viewers_add(&job->service->viewers, job->service->session, job->pid);
	views = list_views(job->service, &nr_views);
	kinds = list_kinds(job->service->timelines, &nr_kinds);
	formats = list_formats(&nr_formats);
	op_hello_put_answer(job,
			    &(struct rs_catalogue){ views, nr_views, kinds, nr_kinds, formats, nr_formats });
	free(views);
	free(kinds);
	free(formats);
	return 0;
}

const struct rs_op rs_op_hello = { .name = "hello", .is_quick = true, .run = op_hello_run };
