// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/jobs.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "rpc/frame.h"

void rs_jobs_init(struct rs_job_list *list)
{
	*list = (struct rs_job_list){ 0 };
	pthread_mutex_init(&list->lock, NULL);
	pthread_cond_init(&list->changed, NULL);
}

void rs_jobs_done(struct rs_job_list *list)
{
	struct rs_job *job;

	while ((job = rs_jobs_take(list)))
		rs_job_free(job);
	pthread_cond_destroy(&list->changed);
	pthread_mutex_destroy(&list->lock);
}

void rs_jobs_put(struct rs_job_list *list, struct rs_job *job)
{
	job->next = NULL;
	pthread_mutex_lock(&list->lock);
	if (list->last)
		list->last->next = job;
	else
		list->first = job;
	list->last = job;
	pthread_cond_signal(&list->changed);
	pthread_mutex_unlock(&list->lock);
}

static struct rs_job *take_first(struct rs_job_list *list)
{
	struct rs_job *job = list->first;

	if (job)
		list->first = job->next;
	if (!list->first)
		list->last = NULL;
	return job;
}

struct rs_job *rs_jobs_take(struct rs_job_list *list)
{
	struct rs_job *job;

	pthread_mutex_lock(&list->lock);
	job = take_first(list);
	pthread_mutex_unlock(&list->lock);
	return job;
}

struct rs_job *rs_jobs_wait(struct rs_job_list *list)
{
	struct rs_job *job = NULL;

	pthread_mutex_lock(&list->lock);
	while (!list->closed && !(job = take_first(list)))
		pthread_cond_wait(&list->changed, &list->lock);
	pthread_mutex_unlock(&list->lock);
	return job;
}

void rs_jobs_close(struct rs_job_list *list)
{
	pthread_mutex_lock(&list->lock);
	list->closed = true;
	pthread_cond_broadcast(&list->changed);
	pthread_mutex_unlock(&list->lock);
}

struct rs_job *rs_job_new(const struct rs_op *op, struct rs_service *service, struct rs_frame_message *frame)
{
	struct rs_job *job = calloc(1, sizeof *job);

	if (!job) {
		rs_message_free(frame);
		return NULL;
	}
	*job = (struct rs_job){ .op = op, .service = service, .frame = frame, .fd = -1, .text = RS_BUF_INIT };
	return job;
}

int rs_job_read_request(struct rs_job *job, struct rs_error *err)
{
	const struct rs_protocol_op *op = rs_protocol_find_op(job->op->name);

	job->request = rs_message_read(job->frame, op->request, err);
	job->time = job->request ? rs_protocol_time(op, job->request) : NULL;
	return job->request ? 0 : -1;
}

void rs_job_free(struct rs_job *job)
{
	if (job->fd >= 0)
		close(job->fd);
	if (job->cached)
		job->free_cached(job->cached);
	rs_message_free(job->frame);
	if (job->range) {
		rs_task_snapshot_done(&job->range->living);
		rs_task_snapshot_done(&job->range->created);
		free(job->range);
	}
	free(job->lost_by_cpu);
	rs_buf_done(&job->text);
	free(job);
}

static void begin_answer(struct rs_job *job, bool ok)
{
	rs_buf_clear(&job->text);
	rs_json_init(&job->reply, &job->text);
	rs_json_open(&job->reply, '{');
	rs_json_put_u64(&job->reply, "id", job->id);
	rs_json_put_bool(&job->reply, "ok", ok);
}

void rs_job_refuse(struct rs_job *job, const char *code, const char *why)
{
	begin_answer(job, false);
	rs_json_put_str(&job->reply, "code", code);
	rs_json_put_str(&job->reply, "error", why);
	rs_json_close(&job->reply, '}');
}

void rs_job_fail(struct rs_job *job, const struct rs_error *err)
{
	rs_job_refuse(job, job->code ? job->code : err->status == RS_USAGE ? "usage" : "failed", err->text);
}

/* A table without memory for all rows is an error, never a shorter table. */
static void refuse_for_memory(struct rs_job *job)
{
	rs_memory_reported();
	rs_job_refuse(job, "memory", "out of memory: the answer would not be whole (free memory, or ask for less)");
	rs_memory_reported();
}

bool rs_job_run(struct rs_job *job)
{
	uint64_t failures = rs_memory_failures();
	struct rs_error err = { 0 };
	int result;

	job->code = NULL;
	begin_answer(job, true);
	result = job->op->run(job, &err);
	if (rs_memory_failures() > failures) {
		refuse_for_memory(job);
		return true;
	}
	if (result == RS_OP_AGAIN && !atomic_load(&job->dropped))
		return false;
	if (result != 0) {
		rs_job_fail(job, &err);
		return true;
	}
	rs_json_close(&job->reply, '}');
	if (job->text.failed || job->text.len > RS_ANSWER_BYTES) {
		job->text.failed = false;
		rs_job_refuse(job, "limit", "the answer is too long (ask for fewer rows, or a shorter time)");
	}
	return true;
}
