/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow-info.h - what a session needs from a daemon's capture before its first page: formats, disks, tasks
 *
 * The daemon runs as another user, so its answer is untrusted, like a file.
 */
#ifndef RS_RPC_FOLLOW_INFO_H
#define RS_RPC_FOLLOW_INFO_H

#include <time.h>

#include "rpc/client.h"
#include "source/call-params.h"
#include "source/proc-meminfo.h"
#include "source/task-snapshot.h"

struct rs_follow_info {
	const struct rs_follow_reply *reply;
	struct rs_format_text *formats;
	struct rs_disk *disks;
	struct rs_call_params_list call_params;
	struct rs_task_snapshot snapshot;
	struct rs_gauges gauges;
	clockid_t clock;
	bool has_clock;
};

/* Waits for the answer to "follow"; pages then arrive on fd. Returns -1 with err. */
int rs_follow_info_ask(struct rs_follow_info *f, struct rs_client *client, int fd, struct rs_error *err);
/*
 * Returns false if the answer is malformed, or without memory. info points into f and into the client's answer to
 * "hello".
 */
bool rs_follow_info_read(struct rs_follow_info *f, const struct rs_client *client, struct rs_trace_info *info);
/* Reads tasks and gauges from /proc, with the rights of this user. Pages arrive already, so events bring newer tasks. */
void rs_follow_info_read_names(struct rs_follow_info *f, unsigned int samples, struct rs_trace_info *info);
void rs_follow_info_done(struct rs_follow_info *f);
const clockid_t *rs_follow_info_clock(const struct rs_follow_info *f); /* NULL: this process cannot read that clock */
int rs_follow_info_compare_tid(const void *a, const void *b);          /* compares struct rs_initial_task, for qsort */

#endif
