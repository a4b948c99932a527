// SPDX-License-Identifier: GPL-2.0-or-later
#include "rpc/follow-info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/copy.h"
#include "base/pidns.h"
#include "source/proc-cgroups.h"
#include "source/trace-clock.h"

#define FOLLOW_MAX_CPUS 8192

struct follow_asked {
	struct rs_follow_info *info;
	struct rs_client *client;
	struct rs_error *err;
};

static void follow_info_on_answer(void *arg, const struct rs_reply *reply)
{
	struct follow_asked *a = arg;

	a->info->reply = rs_client_keep(a->client, reply);
	if (!a->info->reply)
		rs_fail(a->err, "%s", reply->error);
}

int rs_follow_info_ask(struct rs_follow_info *f, struct rs_client *client, int fd, struct rs_error *err)
{
	struct follow_asked a = { f, client, err };
	uint32_t id = rs_client_ask_fd(client, "follow", NULL, fd, follow_info_on_answer, &a);

	return rs_client_wait(client, id, -1, err) < 0 || !f->reply ? -1 : 0;
}

static bool follow_info_read_formats(struct rs_follow_info *f, struct rs_trace_info *info)
{
	f->formats = calloc(f->reply->nr_formats + 1, sizeof *f->formats);
	if (!f->formats)
		return false;
	for (size_t i = 0; i < f->reply->nr_formats; i++)
		f->formats[i] = (struct rs_format_text){ f->reply->formats[i].system,
							 { f->reply->formats[i].text, strlen(f->reply->formats[i].text) } };
	info->formats = f->formats;
	info->nr_formats = f->reply->nr_formats;
	return true;
}

/* A daemon that captures no calls has none: then the table of common calls has to do. */
static bool read_call_params(struct rs_follow_info *f, struct rs_trace_info *info)
{
	for (size_t i = 0; i < f->reply->nr_calls; i++)
		if (!rs_call_params_add(&f->call_params, f->reply->calls[i].name, f->reply->calls[i].params))
			return false;
	info->call_params = f->call_params.row;
	info->nr_call_params = f->call_params.nr;
	return true;
}

static bool follow_info_read_disks(struct rs_follow_info *f, struct rs_trace_info *info)
{
	f->disks = calloc(f->reply->nr_disks + 1, sizeof *f->disks);
	if (!f->disks)
		return false;
	for (size_t i = 0; i < f->reply->nr_disks; i++) {
		f->disks[i].dev = f->reply->disks[i].dev;
		rs_copy(f->disks[i].name, sizeof f->disks[i].name, f->reply->disks[i].name);
	}
	info->disks = f->disks;
	info->nr_disks = f->reply->nr_disks;
	return true;
}

static void follow_info_read_clock(struct rs_follow_info *f, struct rs_trace_info *info)
{
	f->has_clock = info->clock && rs_trace_clock_id(info->clock, &f->clock);
	if (!f->has_clock)
		return;
	info->realtime_offset_ns = rs_trace_clock_realtime_offset_ns(f->clock);
	info->realtime_offset_known = true;
}

bool rs_follow_info_read(struct rs_follow_info *f, const struct rs_client *client, struct rs_trace_info *info)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(client);
	const struct rs_follow_reply *r = f->reply;

	if (!hello->nr_cpus || hello->nr_cpus > FOLLOW_MAX_CPUS || r->page_bytes < 64 || (r->long_bytes != 4 && r->long_bytes != 8))
		return false;
	*info = (struct rs_trace_info){
		.nr_cpus = hello->nr_cpus, .page_bytes = r->page_bytes, .long_bytes = r->long_bytes,
		.big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, .header_page = { r->header_page, strlen(r->header_page) },
		.clock = hello->clock, .kernel = hello->kernel, .machine = hello->machine, .live = true,
	};
	follow_info_read_clock(f, info);
	return follow_info_read_formats(f, info) && follow_info_read_disks(f, info) && read_call_params(f, info);
}

/* ---- the tasks ---- */

const clockid_t *rs_follow_info_clock(const struct rs_follow_info *f)
{
	return f->has_clock ? &f->clock : NULL;
}

int rs_follow_info_compare_tid(const void *a, const void *b)
{
	const struct rs_initial_task *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static void add_ended_task(struct rs_follow_info *f, const struct rs_follow_task *task)
{
	struct rs_initial_task *initial = rs_task_snapshot_add(&f->snapshot);

	if (!initial)
		return;
	*initial = (struct rs_initial_task){
		.ts_ns = f->reply->from_ns, .tid = task->tid, .pid = task->pid, .ppid = task->ppid, .self = task->self,
		.kernel_thread = task->kernel_thread, .abi = (uint8_t)task->abi,
	};
	snprintf(initial->comm, sizeof initial->comm, "%s", task->comm);
}

/*
 * Tasks that /proc no longer has: some have ended between the first page and the read of it. Of the others the answer
 * has what only root can read, whether the program is of 32 bits. What is added comes behind the sorted ones.
 */
static void add_ended(struct rs_follow_info *f)
{
	size_t nr = f->snapshot.nr;

	if (nr)
		qsort(f->snapshot.row, nr, sizeof *f->snapshot.row, rs_follow_info_compare_tid);
	for (const struct rs_follow_task *task = f->reply->tasks; task < f->reply->tasks + f->reply->nr_tasks; task++) {
		struct rs_initial_task key = { .tid = task->tid }, *known;

		if (!task->tid)
			continue;
		known = nr ? bsearch(&key, f->snapshot.row, nr, sizeof key, rs_follow_info_compare_tid) : NULL;
		if (known)
			known->abi = (uint8_t)task->abi;
		else
			add_ended_task(f, task);
	}
}

void rs_follow_info_read_names(struct rs_follow_info *f, unsigned int samples, struct rs_trace_info *info)
{
	static const struct rs_initial_waits no_names = { 0 }; /* the waits of all tasks, as far as this user may read them */
	pid_t pids[4] = { getpid() };

	for (size_t i = 0; i < 3 && i < f->reply->nr_own_pids; i++)
		pids[i + 1] = f->reply->own_pids[i];
	if (rs_pidns() != RS_PIDNS_OTHER)
		rs_task_snapshot_read(&f->snapshot, rs_follow_info_clock(f), pids, sizeof pids / sizeof *pids, &no_names);
	add_ended(f);
	if (samples & RS_SAMPLE_CGROUPS)
		rs_proc_cgroups(&f->snapshot, "/proc");
	info->snapshot = f->snapshot.row;
	info->nr_initial = f->snapshot.nr;
	if (!(samples & RS_SAMPLE_GAUGES))
		return;
	rs_proc_gauges(&f->gauges, "/proc", rs_follow_info_clock(f));
	info->gauges = &f->gauges;
}

void rs_follow_info_done(struct rs_follow_info *f)
{
	rs_message_drop(f->reply);
	free(f->formats);
	free(f->disks);
	rs_call_params_done(&f->call_params);
	rs_task_snapshot_done(&f->snapshot);
}
