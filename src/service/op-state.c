// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/control.h"
#include "query/rates.h"
#include "service/service.h"
#include "rpc/wire.h"
#include "view/quality-json.h"

static void op_state_put_loading(struct rs_json *j, const struct rs_service_stats *stats)
{
	rs_json_key(j, "loading");
	if (!stats->loading) {
		rs_json_null(j);
		return;
	}
	rs_json_open(j, '{');
	rs_json_put_u64(j, "done_bytes", stats->done_bytes);
	rs_json_put_u64(j, "all_bytes", stats->all_bytes);
	rs_json_close(j, '}');
}

static int op_state_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_control *control = rs_service_config(job->service)->control;
	struct rs_json *j = &job->reply;
	struct rs_service_stats stats;
	struct rs_quality quality;

	rs_service_stats(job->service, &stats);
	rs_session_quality(rs_service_session(job->service), &quality);
	rs_json_key(j, "now_ns");
	rs_wire_u64(j, stats.now_ns);
	rs_json_key(j, "oldest_ns");
	rs_wire_u64(j, stats.from_ns);
	rs_quality_json_counts(j, &quality);
	rs_json_key(j, "lost_to_ns");
	if (quality.lost_to_ns)
		rs_wire_u64(j, quality.lost_to_ns);
	else
		rs_json_null(j);
	rs_json_put_u64(j, "events_per_s", stats.events_per_s);
	rs_json_put_u64(j, "epoch", rs_interval_rows_end_interval(rs_service_now(job->service)));
	rs_json_put_bool(j, "ended", stats.ended);
	op_state_put_loading(j, &stats);
	rs_json_put_u64(j, "own_cpu_milli", stats.own_cpu_milli);
	rs_json_put_u64_if(j, "own_rss_bytes", stats.own_rss_bytes > 0, stats.own_rss_bytes);
	rs_json_put_u64(j, "window_bytes", stats.window_bytes);
	rs_json_key(j, "rates");
	rs_rates_json(rs_service_rates(job->service), j);
	rs_json_put_bool(j, "tracing", control && !stats.ended && rs_control_tracing(control));
	rs_json_put_str(j, "warning", control ? rs_control_warning(control) : NULL);
	return 0;
}

const struct rs_op rs_op_state = { .name = "state", .place = RS_OP_ENGINE, .run = op_state_run };
