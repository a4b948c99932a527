// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "service/service.h"

static void op_tracks_put_track(struct rs_json *j, const struct rs_trace_info *of, const struct rs_track_info *info)
{
	char track[RS_TRACK_NAME], vcpu[96];

	rs_track_name(&info->ref, track);
	rs_source_vcpu_name(of, info->tid, info->label, vcpu, sizeof vcpu);
	rs_message_put(j, &rs_wire_track_message, &(struct rs_wire_track){
		.track = track, .of = info->ref.of, .label = info->label, .vcpu = info->tid && strcmp(vcpu, info->label) ? vcpu : NULL,
		.pid = info->pid, .tid = info->tid, .nr_spans = info->nr_spans, .shapes = info->shapes,
	});
}

static int op_tracks_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_tracks_request *request = job->request;
	struct rs_opens opens = { .nr = 0 };
	struct rs_track_ask ask = {
		.all = !request->of.known, .of = (enum rs_track_type)request->of.u, .pid = request->pid, .tid = request->tid,
		.limit = request->limit, .opens = &opens,
	};
	struct rs_track_info *tracks;
	size_t nr;

	if (rs_op_read_time(&request->time, &ask.from_ns, &ask.to_ns, err) < 0)
		return -1;
	rs_track_cells_add_in_flight(&opens, job->service->timelines, job->service->session);
	tracks = rs_tracks_list(job->service->timelines, &ask, &nr);
	rs_track_cells_free_in_flight(&opens);
	rs_message_open_list(&job->reply, "tracks");
	for (size_t i = 0; i < nr; i++)
		op_tracks_put_track(&job->reply, &job->service->source->info, &tracks[i]);
	rs_json_close(&job->reply, ']');
	free(tracks);
	return 0;
}

const struct rs_op rs_op_tracks = { .name = "tracks", .run = op_tracks_run };
