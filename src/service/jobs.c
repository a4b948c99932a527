// SPDX-License-Identifier: GPL-2.0-or-later
/* jobs - the requests of the protocol (docs/protocol.md): a struct rs_op in a file op-*.c for each */
#include "service/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "query/span-cause.h"
#include "rpc/frame.h"
#include "service/service.h"

#define BEFORE_NS \
	1000000000ull /* read before the range, to find the begin of calls and waits up to this long */
#define OP_RANGE_MAX_BYTES (2ull << 30)   /* about 40 M events, a few seconds of one CPU */

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

/* Where the job's pointer goes: behind the quick ones, or behind all. */
static struct rs_job **jobs_find_place(struct rs_job_list *list, const struct rs_job *job)
{
	struct rs_job **at = &list->first;

	if (!job->op->is_quick)
		return list->last ? &list->last->next : at;
	while (*at && (*at)->op->is_quick)
		at = &(*at)->next;
	return at;
}

void rs_jobs_put(struct rs_job_list *list, struct rs_job *job)
{
	struct rs_job **at;

	pthread_mutex_lock(&list->lock);
	at = jobs_find_place(list, job);
	job->next = *at;
	*at = job;
	if (!job->next)
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

static void job_free_range(struct rs_job_range *range)
{
	if (!range)
		return;
	rs_task_snapshot_done(&range->living);
	rs_task_snapshot_done(&range->created);
	rs_cgroup_counts_done(&range->cgroups);
	free(range->pressure.row);
	rs_fd_socket_list_done(&range->fd_sockets);
	free(range);
}

void rs_job_free(struct rs_job *job)
{
	if (job->fd >= 0)
		close(job->fd);
	if (job->cached)
		job->free_cached(job->cached);
	rs_message_free(job->frame);
	job_free_range(job->range);
	job_free_range(job->before);
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
	rs_job_refuse(job, "memory",
		      "out of memory: the answer would not be whole (free memory, or ask for less)");
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

/* ---- shared by several requests ---- */

const struct rs_op *rs_job_find_op(const char *name)
{
	for (const struct rs_op *const *op = rs_ops(); name && *op; op++)
		if (!strcmp((*op)->name, name))
			return *op;
	return NULL;
}

int rs_job_read_track(const char *name, struct rs_track_ref *ref, struct rs_error *err)
{
	if (!name || !rs_track_read(name, ref))
		return rs_fail_usage(err,
				     "'%.40s' is no track (as \"cpu:3\", \"task:4242.0\", \"disk:8:0\", "
				     "\"connection:65538\")",
				     name ? name : "");
	return 0;
}

int rs_job_read_tracks(const char *const *names, size_t nr, struct rs_track_ref *refs, struct rs_error *err)
{
	for (size_t i = 0; i < nr; i++)
		if (rs_job_read_track(names[i], &refs[i], err) < 0)
			return -1;
	return 0;
}

int rs_job_read_kind(const struct rs_scalar *asked, const struct rs_timelines *t, unsigned int *kind,
		     struct rs_error *err)
{
	const struct rs_span_kind *k;

	*kind = asked->is == RS_SCALAR_UNSIGNED && asked->u <= UINT16_MAX ? (unsigned int)asked->u :
									    UINT32_MAX;
	for (unsigned int i = 0; asked->is == RS_SCALAR_STRING && (k = rs_timelines_kind_number(t, i)); i++)
		if (!strcmp(k->name, asked->s))
			*kind = i;
	if (*kind != UINT32_MAX && rs_timelines_kind_number(t, *kind))
		return 0;
	return asked->is == RS_SCALAR_STRING ?
		       rs_fail_usage(err, "no kind of span is called '%.40s'", asked->s) :
		       rs_fail_usage(err, "kind is the number or name of a kind of span");
}

int rs_job_read_time(const struct rs_asked_time *asked, uint64_t *from_ns, uint64_t *to_ns,
		     struct rs_error *err)
{
	*from_ns = asked->from_ns.known ? asked->from_ns.u : 0;
	*to_ns = asked->to_ns.known ? asked->to_ns.u : UINT64_MAX;
	return *from_ns < *to_ns ?
		       0 :
		       rs_fail_usage(err, "the time range is empty: to_ns must be later than from_ns");
}

void rs_job_counts(struct rs_job *job, const struct rs_quality *quality, struct rs_counts *counts)
{
	uint64_t lost = rs_quality_lost(quality);

	*counts = (struct rs_counts){
		.quality = *quality, .lost = rs_u_if(lost || !quality->gaps_uncounted, lost),
		.from_ns = rs_u_if(quality->events > 0, quality->from_ns),
		.to_ns = rs_u_if(quality->events > 0, quality->to_ns),
	};
	free(job->lost_by_cpu);
	job->lost_by_cpu = calloc(quality->nr_cpus + 1, sizeof *job->lost_by_cpu);
	if (!quality->lost_by_cpu || !job->lost_by_cpu)
		return;
	for (unsigned int cpu = 0; cpu < quality->nr_cpus; cpu++)
		job->lost_by_cpu[cpu] = rs_u_if(!rs_quality_lost_unknown(quality, cpu),
						quality->lost_by_cpu[cpu]);
	counts->lost_by_cpu = job->lost_by_cpu;
	counts->nr_lost_by_cpu = quality->nr_cpus;
}

void rs_job_put_span(struct rs_json *j, struct rs_timelines *t, const struct rs_slowest_span *s,
		     unsigned int depth)
{
	const struct rs_task *task = rs_track_span_task(t, &s->ref, &s->span);
	int32_t tid = rs_track_span_tid(t, &s->ref, &s->span);
	struct rs_track_info info = { .label = "" };
	char track[RS_TRACK_NAME], label[128];
	enum rs_cause cause;
	bool has_cause = rs_span_cause_of(t, s, &cause);

	rs_track_name(&s->ref, track);
	if (s->ref.of != RS_TRACK_TASK)
		rs_track_details(t, &s->ref, s->span.end_ns, &info);
	rs_message_put(j, &rs_wire_span_message, &(struct rs_wire_span){
		.track = track, .shape = s->shape, .kind = (uint16_t)(s->span.kind & ~RS_KIND_OPEN),
		.label = rs_timelines_label(t, &s->span, label, sizeof label), .start_ns = s->span.start_ns,
		.end_ns = s->span.end_ns,
		.depth = rs_u_if(depth != UINT32_MAX, depth), .open = s->span.kind & RS_KIND_OPEN,
		.longer = s->span.longer, .cause = has_cause ? rs_cause_row(cause)->word : NULL,
		.on = *info.label ? info.label : NULL,
		.comm = task && task->comm[0] ? rs_timelines_comm(task, s->span.end_ns) : NULL,
		.pid = task ? task->pid : 0, .tid = tid > 0 ? tid : 0,
	});
}

/* ---- time ranges ---- */

const char *rs_job_range_code(enum rs_time_range_why why)
{
	return why == RS_TIME_RANGE_EXPIRED ? "expired" : why == RS_TIME_RANGE_EXPENSIVE ? "limit" : "failed";
}

static void job_configure_range(const struct rs_job_range *range, const struct rs_session_config *session,
				struct rs_time_range_config *config)
{
	*config = (struct rs_time_range_config){
		.session = *session, .before_ns = BEFORE_NS, .before_bytes = range->before_bytes,
		.max_bytes = OP_RANGE_MAX_BYTES, .first_ns = range->first_ns,
		.snapshot = range->living.row, .nr_initial = range->living.nr,
		.cgroup_rows = range->cgroups.row, .nr_cgroup_rows = range->cgroups.nr,
		.pressure = range->pressure.row, .nr_pressure = range->pressure.nr,
		.fd_sockets = range->fd_sockets.row, .nr_fd_sockets = range->fd_sockets.nr,
	};
	config->session.recorded = range->is_recording ? &range->recorded : NULL;
	config->session.from_ns = range->from_ns;
	config->session.to_ns = range->to_ns;
}

void rs_job_range_config(const struct rs_job *job, const struct rs_session_config *session,
			 struct rs_time_range_config *config)
{
	job_configure_range(job->range, session, config);
}

struct rs_time_range *rs_job_range_open_of(struct rs_job *job, const struct rs_job_range *range,
					   const struct rs_session_config *session, struct rs_error *err)
{
	enum rs_time_range_why why = RS_TIME_RANGE_FAILED;
	struct rs_time_range_config config;
	struct rs_time_range *time_range;

	job_configure_range(range, session, &config);
	time_range = rs_time_range_open(&job->service->origin, &config, &why, err);
	if (!time_range)
		job->code = rs_job_range_code(why);
	return time_range;
}

struct rs_time_range *rs_job_range_open(struct rs_job *job, const struct rs_session_config *session,
					struct rs_error *err)
{
	return rs_job_range_open_of(job, job->range, session, err);
}

bool rs_job_is_requested(void *job)
{
	return !atomic_load(&((struct rs_job *)job)->dropped);
}

int rs_job_range_run(struct rs_job *job, struct rs_time_range *time_range, struct rs_error *err)
{
	return rs_time_range_run(time_range, rs_job_is_requested, job, err) == 0 ? 0 : -1;
}
