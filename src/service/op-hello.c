// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/utsname.h>

#include "rpc/catalogue.h"
#include "rpc/protocol.h"
#include "service/service.h"
#include "rpc/wire.h"
#include "view/quality-json.h"

static int check_protocol(const struct rs_job *job, struct rs_error *err)
{
	uint64_t version;

	if (!rs_wire_u64_of(job->request, "protocol", 0, &version) || version != RS_PROTOCOL)
		return rs_fail(err, "this engine speaks version %d of the protocol, you do not (ringside %s here: use the "
			       "same there)", RS_PROTOCOL, RS_VERSION);
	return 0;
}

static void put_source(struct rs_job *job)
{
	const struct rs_service_config *config = rs_service_config(job->service);
	const struct rs_trace_info *info = &rs_service_source(job->service)->info;
	struct rs_json *j = &job->reply;
	struct rs_quality quality;
	struct utsname here;

	rs_session_quality(rs_service_session(job->service), &quality);
	rs_quality_json_source(j, &quality);
	rs_json_put_str(j, "host", uname(&here) == 0 && info->live ? here.nodename : NULL);
	rs_json_put_str(j, "machine", info->machine);
	rs_json_put_str(j, "source", config->source);
	rs_json_put_str(j, "path", config->path);
	rs_json_put_u64(j, "nr_cpus", info->nr_cpus);
	rs_json_key(j, "begin_ns");
	rs_wire_u64(j, config->begin_ns);
	rs_json_put_u64(j, "epoch_ns", config->interval_ns);
}

static void put_views(struct rs_job *job)
{
	const struct rs_session_config *config = &rs_service_config(job->service)->session;
	struct rs_session *session = rs_service_session(job->service);

	rs_json_key(&job->reply, "views");
	rs_json_open(&job->reply, '[');
	for (unsigned int i = 0; i < config->nr_analyses; i++) {
		const struct rs_analysis *a = config->analyses[i];

		for (const struct rs_view *v = a->views; v && v->name; v++)
			rs_catalogue_write_view(&job->reply, v, a->name, rs_session_disabled(session, a));
	}
	rs_json_close(&job->reply, ']');
}

static void op_hello_put_kinds(struct rs_job *job)
{
	struct rs_timelines *timelines = rs_service_timelines(job->service);
	const struct rs_span_kind *kind;

	rs_json_key(&job->reply, "kinds");
	rs_json_open(&job->reply, '[');
	for (unsigned int i = 0; (kind = rs_timelines_kind_number(timelines, i)); i++)
		rs_catalogue_write_kind(&job->reply, kind, i);
	rs_json_close(&job->reply, ']');
}

static int op_hello_run(struct rs_job *job, struct rs_error *err)
{
	if (check_protocol(job, err) < 0)
		return -1;
	if (rs_service_source(job->service)->info.live)
		rs_service_viewer(job->service, job->pid);
	rs_json_put_u64(&job->reply, "protocol", RS_PROTOCOL);
	rs_json_put_bool(&job->reply, "may_change", job->may_change);
	put_source(job);
	put_views(job);
	op_hello_put_kinds(job);
	return 0;
}

const struct rs_op rs_op_hello = { .name = "hello", .place = RS_OP_ENGINE, .run = op_hello_run };
