// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "rpc/catalogue.h"
#include "service/service.h"
#include "rpc/wire-span.h"
#include "rpc/wire.h"

#define DEFAULT_TRACKS 64
#define OP_TRACKS_MAX_TRACKS 4096

/* A task that is a guest's CPU: which. */
static void put_vcpu(struct rs_json *j, const struct rs_trace_info *of, const struct rs_track_info *track)
{
	char name[96];

	rs_source_vcpu_name(of, track->tid, track->label, name, sizeof name);
	if (track->tid && strcmp(name, track->label))
		rs_json_put_str(j, "vcpu", name);
}

static void op_tracks_put_track(struct rs_json *j, const struct rs_trace_info *of,
				const struct rs_track_info *info)
{
	rs_json_open(j, '{');
	rs_wire_put_track(j, "track", &info->ref);
	rs_json_put_str(j, "of", rs_wire_track(info->ref.of));
	rs_json_put_str(j, "label", info->label);
	put_vcpu(j, of, info);
	rs_json_put_u64_if(j, "pid", info->pid, (uint64_t)info->pid);
	rs_json_put_u64_if(j, "tid", info->tid, (uint64_t)info->tid);
	rs_json_put_u64(j, "spans", info->nr_spans);
	rs_json_key(j, "lanes");
	rs_json_open(j, '[');
	for (unsigned int lane = 0; lane < RS_NR_SPAN_SHAPES; lane++)
		if (info->lanes & 1u << lane)
			rs_json_str(j, rs_wire_shape((enum rs_span_shape)lane));
	rs_json_close(j, ']');
	rs_json_close(j, '}');
}

static int read_of(const cJSON *request, struct rs_track_ask *ask, struct rs_error *err)
{
	const char *of = rs_wire_text_of(request, "of");

	ask->all = !of;
	for (unsigned int i = 0; of && i < RS_NR_TRACK_TYPES; i++)
		if (!strcmp(of, rs_wire_track((enum rs_track_type)i))) {
			ask->of = (enum rs_track_type)i;
			return 0;
		}
	return of ? rs_fail_usage(err, "of is \"cpu\", \"task\" or \"disk\"") : 0;
}

static int op_tracks_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_opens opens = { .nr = 0 };
	struct rs_track_ask ask = { .opens = &opens };
	struct rs_track_info *tracks;
	uint64_t pid, tid, limit;
	size_t nr;

	if (read_of(job->request, &ask, err) < 0 || rs_wire_span_read_number(job->request, "pid", 0, INT32_MAX, &pid, err) < 0 ||
	    rs_wire_span_read_number(job->request, "tid", 0, INT32_MAX, &tid, err) < 0 ||
	    rs_wire_span_read_number(job->request, "limit", DEFAULT_TRACKS, OP_TRACKS_MAX_TRACKS, &limit,
				     err) < 0 ||
	    rs_wire_span_read_time(job->request, &ask.from_ns, &ask.to_ns, err) < 0)
		return -1;
	ask.pid = (int32_t)pid;
	ask.tid = (int32_t)tid;
	ask.limit = limit;
	rs_track_cells_add_in_flight(&opens, rs_service_timelines(job->service),
				     rs_service_session(job->service));
	tracks = rs_tracks_list(rs_service_timelines(job->service), &ask, &nr);
	rs_track_cells_free_in_flight(&opens);
	rs_json_key(&job->reply, "tracks");
	rs_json_open(&job->reply, '[');
	for (size_t i = 0; i < nr; i++)
		op_tracks_put_track(&job->reply, &rs_service_source(job->service)->info, &tracks[i]);
	rs_json_close(&job->reply, ']');
	free(tracks);
	return 0;
}

const struct rs_op rs_op_tracks = { .name = "tracks", .place = RS_OP_ENGINE, .run = op_tracks_run };
