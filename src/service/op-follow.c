// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * op-follow.c - sends the raw pages from now on to the socket that the client passed: the follower analyzes
 * them
 *
 * The answer contains the source's info, so that the follower's session equals one with its own capture.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "service/control.h"
#include "service/broadcaster.h"
#include "service/service.h"
#include "source/call-params.h"

#define MAX_TASKS 100000

/* Appends a '\0'; the caller frees it with rs_buf_done. */
static struct rs_buf op_follow_copy_text(const struct rs_text *text)
{
	struct rs_buf copy = RS_BUF_INIT;

	rs_buf_add(&copy, text->data, text->len);
	return copy;
}

static void put_formats(struct rs_json *j, const struct rs_trace_info *info)
{
	rs_message_open_list(j, "formats");
	for (size_t i = 0; i < info->nr_formats; i++) {
		struct rs_buf text = op_follow_copy_text(&info->formats[i].text);

		rs_message_put(j, &rs_follow_format_message,
			       &(struct rs_follow_format){ info->formats[i].system, text.data });
		rs_buf_done(&text);
	}
	rs_json_close(j, ']');
}

/* Sends the tasks that events have named: some will have ended before the follower reads /proc. */
static void op_follow_put_calls(struct rs_job *job, const struct rs_trace_info *info)
{
	if (!info->nr_call_params)
		return;
	rs_message_open_list(&job->reply, "calls");
	for (const struct rs_call_params *call = info->call_params;
	     call < info->call_params + info->nr_call_params; call++)
		rs_message_put(&job->reply, &rs_follow_call_message,
			       &(struct rs_follow_call){ call->name, call->params });
	rs_json_close(&job->reply, ']');
}

static void op_follow_put_disks(struct rs_job *job, const struct rs_trace_info *info)
{
	rs_message_open_list(&job->reply, "disks");
	for (const struct rs_disk *disk = info->disks; disk < info->disks + info->nr_disks; disk++)
		rs_message_put(&job->reply, &rs_follow_disk_message,
			       &(struct rs_follow_disk){ disk->dev, disk->name });
	rs_json_close(&job->reply, ']');
}

static void op_follow_put_tasks(struct rs_job *job, uint64_t at_ns)
{
	struct rs_task_snapshot living = { 0 };

	rs_session_initial_tasks(job->service->session, at_ns, at_ns, &living, NULL);
	rs_message_open_list(&job->reply, "tasks");
	for (size_t i = 0; i < living.nr && i < MAX_TASKS; i++) {
		const struct rs_initial_task *t = &living.row[i];

		rs_message_put(&job->reply, &rs_follow_task_message, &(struct rs_follow_task){
			t->tid, t->pid, t->ppid, t->self, t->kernel_thread, t->comm, t->abi });
	}
	rs_json_close(&job->reply, ']');
	rs_task_snapshot_done(&living);
}

static void op_follow_put_answer(struct rs_job *job, uint64_t from_ns)
{
	const pid_t *guardians = rs_control_capture(job->service->config.control)->instance.guardian_pids;
	const int32_t own[] = { getpid(), guardians[0], guardians[1] };
	const struct rs_trace_info *info = &job->service->source->info;
	struct rs_buf header_page = op_follow_copy_text(&info->header_page);

	rs_message_put_members(&job->reply, &rs_follow_reply_message, &(struct rs_follow_reply){
		.from_ns = from_ns, .page_bytes = info->page_bytes, .long_bytes = info->long_bytes,
		.header_page = header_page.data,
		.own_pids = own, .nr_own_pids = sizeof own / sizeof *own,
	});
	rs_buf_done(&header_page);
	put_formats(&job->reply, info);
	op_follow_put_calls(job, info);
	op_follow_put_disks(job, info);
	op_follow_put_tasks(job, from_ns);
}

static int op_follow_follow(struct rs_job *job, uint64_t from_ns, struct rs_error *err)
{
	int ret = rs_broadcaster_add(job->service->config.broadcaster, job->fd,
				     job->service->window,
				     job->service->source,
				     rs_fd_history_of(job->service->session), from_ns);

	if (ret == -EBUSY) {
		job->code = "busy";
		return rs_fail(
			err,
			"%d follow already, and more would be too expensive (ask for rows, or use --own)",
			RS_MAX_FOLLOWERS);
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
	const struct rs_service_config *config = &job->service->config;
	uint64_t from_ns;

	if (!config->broadcaster || !config->control || !job->service->window)
		return rs_fail_usage(err, "follow: this is no daemon's engine");
	from_ns = rs_session_now_ns(job->service->session);
	if (op_follow_follow(job, from_ns, err) < 0)
		return -1;
	op_follow_put_answer(job, from_ns);
	return 0;
}

const struct rs_op rs_op_follow = { .name = "follow", .takes_fd = true, .run = op_follow_run };
