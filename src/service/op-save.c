// SPDX-License-Identifier: GPL-2.0-or-later
/* op-save - writes a time range of the window or file to the descriptor that the client passed */
#include "service/save.h"
#include "service/service.h"

static int op_save_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_save_request *request = job->request;
	struct rs_save save = {
		.origin = &job->service->origin,
		.created = job->range->created.row, .nr_created = job->range->created.nr,
		.out = { .fd = job->fd, .go_on = rs_job_is_requested, .arg = job },
	};
	int status;

	rs_job_range_config(job, &job->service->config.session, &save.config);
	save.config.max_bytes = 0; /* no limit: the client provides time and disk space */
	status = rs_save(&save, request->format ? request->format : "trace.dat", err);
	if (status < 0) {
		if (err->status != RS_USAGE)
			job->code = rs_job_range_code(save.why);
		return -1;
	}
	rs_message_put_members(&job->reply, &rs_save_reply_message,
			       &(struct rs_save_reply){ save.out.bytes, save.nr_events });
	return 0;
}

const struct rs_op rs_op_save = { .name = "save", .range = RS_RANGE_ALWAYS, .changes = true, .takes_fd = true,
				  .run = op_save_run };
