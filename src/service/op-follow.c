// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * op-follow.c - the raw pages from now on, to the socket that was passed: who follows analyses them itself
 *
 * The answer holds what a source tells of itself, so that the follower's session is as one of its own capture.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "service/control.h"
#include "service/broadcaster.h"
#include "service/service.h"
#include "rpc/wire.h"
#include "source/call-params.h"

#define MAX_TASKS 100000

static void op_follow_put_text(struct rs_json *j, const struct rs_text *text)
{
	struct rs_buf copy = RS_BUF_INIT;

	rs_buf_add(&copy, text->data, text->len);
	rs_json_str(j, copy.data);
	rs_buf_done(&copy);
}

static void put_formats(struct rs_json *j, const struct rs_trace_info *info)
{
	rs_json_key(j, "formats");
	rs_json_open(j, '[');
	for (size_t i = 0; i < info->nr_formats; i++) {
		rs_json_open(j, '[');
		rs_json_str(j, info->formats[i].system);
		op_follow_put_text(j, &info->formats[i].text);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

/* Whose work is ours, and is hidden. */
static void put_own(struct rs_json *j, struct rs_control *control)
{
	const pid_t *guardians = rs_control_guardians(control);

	rs_json_key(j, "own_pids");
	rs_json_open(j, '[');
	rs_json_u64(j, (uint64_t)getpid());
	for (int i = 0; i < 2; i++)
		rs_json_u64(j, (uint64_t)guardians[i]);
	rs_json_close(j, ']');
}

/* Who lives, by what events told: some will have ended before the follower has looked into /proc. */
static void op_follow_put_tasks(struct rs_job *job, uint64_t at_ns)
{
	struct rs_json *j = &job->reply;
	struct rs_task_snapshot living = { 0 };

	rs_session_initial_tasks(rs_service_session(job->service), at_ns, at_ns, &living, NULL);
	rs_json_key(j, "tasks");
	rs_json_open(j, '[');
	for (size_t i = 0; i < living.nr && i < MAX_TASKS; i++) {
		const struct rs_initial_task *initial = &living.row[i];

		rs_json_open(j, '[');
		rs_json_i64(j, initial->tid);
		rs_json_i64(j, initial->pid);
		rs_json_i64(j, initial->ppid);
		rs_json_bool(j, initial->self);
		rs_json_bool(j, initial->kernel_thread);
		rs_json_str(j, initial->comm);
		rs_json_u64(j, initial->abi);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
	rs_task_snapshot_done(&living);
}

static int op_follow_follow(struct rs_job *job, uint64_t from_ns, struct rs_error *err)
{
	int ret = rs_broadcaster_add(rs_service_config(job->service)->broadcaster, job->fd,
				     rs_service_window(job->service),
				     rs_service_source(job->service), from_ns);

	if (ret == -EBUSY) {
		job->code = "busy";
		return rs_fail(err, "%d follow already, and more would be too dear (ask for rows, or use --own)", RS_MAX_FOLLOWERS);
	}
	if (ret == -ENOTSOCK)
		return rs_fail_usage(err, "follow: no stream socket was passed");
	if (ret < 0)
		return rs_fail(err, "cannot follow: %s", strerror(-ret));
	job->fd = -1;
	return 0;
}

static int op_follow_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_service_config *config = rs_service_config(job->service);
	struct rs_json *j = &job->reply;
	const struct rs_trace_info *info;
	uint64_t from_ns;

	if (!config->broadcaster || !config->control || !rs_service_window(job->service))
		return rs_fail_usage(err, "follow: this is no daemon's engine");
	info = &rs_service_source(job->service)->info;
	from_ns = rs_session_now_ns(rs_service_session(job->service));
	if (op_follow_follow(job, from_ns, err) < 0)
		return -1;
	rs_json_key(j, "from_ns");
	rs_wire_u64(j, from_ns);
	rs_json_put_u64(j, "page_bytes", info->page_bytes);
	rs_json_put_u64(j, "long_bytes", info->long_bytes);
	rs_json_key(j, "header_page");
	op_follow_put_text(j, &info->header_page);
	put_formats(j, info);
	rs_call_params_put(j, info);
	rs_source_put_disks(j, info);
	put_own(j, config->control);
	op_follow_put_tasks(job, from_ns);
	return 0;
}

const struct rs_op rs_op_follow = { .name = "follow", .place = RS_OP_ENGINE, .run = op_follow_run };
