// SPDX-License-Identifier: GPL-2.0-or-later
/* op-status.c - the daemon's own account of itself */
#include "service/op-status.h"

#include <unistd.h>

#include "service/control.h"
#include "service/service.h"
#include "rpc/wire.h"
#include "view/quality-json.h"

static void op_status_put_window(struct rs_job *job, const struct rs_service_stats *stats)
{
	const struct rs_service_config *config = rs_service_config(job->service);
	struct rs_json *j = &job->reply;

	rs_json_key(j, "begin_ns");
	rs_wire_u64(j, config->begin_ns);
	rs_json_key(j, "now_ns");
	rs_wire_u64(j, stats->now_ns);
	rs_json_key(j, "oldest_ns");
	rs_wire_u64(j, stats->from_ns);
	rs_json_put_u64(j, "window_bytes", stats->window_bytes);
	rs_json_put_u64_if(j, "window_ns", config->window_ns > 0, config->window_ns);
}

static void put_analyses(struct rs_job *job)
{
	const struct rs_session_config *config = &rs_service_config(job->service)->session;
	struct rs_session *session = rs_service_session(job->service);
	struct rs_json *j = &job->reply;

	rs_json_key(j, "analyses");
	rs_json_open(j, '[');
	for (unsigned int i = 0; i < config->nr_analyses; i++) {
		rs_json_open(j, '{');
		rs_json_put_str(j, "name", config->analyses[i]->name);
		rs_json_put_str(j, "why_off", rs_session_disabled(session, config->analyses[i]));
		rs_json_close(j, '}');
	}
	rs_json_close(j, ']');
}

int rs_op_status_put(struct rs_job *job, struct rs_error *err)
{
	struct rs_control *control = rs_service_config(job->service)->control;
	struct rs_json *j = &job->reply;
	struct rs_service_stats stats;
	struct rs_quality quality;

	rs_service_stats(job->service, &stats);
	rs_session_quality(rs_service_session(job->service), &quality);
	rs_json_put_str(j, "version", RS_VERSION);
	rs_json_put_u64(j, "pid", (uint64_t)getpid());
	rs_json_put_u64(j, "clients", rs_service_nr_clients(job->service));
	op_status_put_window(job, &stats);
	rs_quality_json_counts(j, &quality);
	rs_json_put_u64(j, "events_per_s", stats.events_per_s);
	rs_json_put_u64(j, "own_cpu_milli", stats.own_cpu_milli);
	rs_json_put_u64_if(j, "own_rss_bytes", stats.own_rss_bytes > 0, stats.own_rss_bytes);
	if (control)
		rs_control_put(control, j);
	put_analyses(job);
	return 0;
}

const struct rs_op rs_op_status = { .name = "status", .place = RS_OP_ENGINE, .run = rs_op_status_put };
