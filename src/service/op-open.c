// SPDX-License-Identifier: GPL-2.0-or-later
/* op-open - answers what is in flight, now or at the end of a time range, oldest first */
#include <stdlib.h>
#include <string.h>

#include "service/pinned-open.h"
#include "service/service.h"
#include "service/where.h"
#include "engine/match/in-flight-list.h"

#define KEPT_OPEN 4096       /* idle waits are many, and must not displace others */
#define OP_OPEN_BEFORE_BYTES \
	(256ull << 20) /* before the time range: operations that began earlier are not seen as in flight */

static void op_open_put_item(struct rs_json *j, const struct rs_in_flight_item *o)
{
	rs_message_put(j, &rs_wire_open_message, &(struct rs_wire_open){
		.kind = o->kind, .comm = o->comm[0] ? o->comm : NULL, .pid = o->pid > 0 ? o->pid : 0,
		.tid = o->tid > 0 ? o->tid : 0,
		.what = o->what, .since_ns = o->since_ns, .at_least = o->at_least, .idle = o->idle,
		.cause = o->has_cause ? rs_cause_row(o->cause)->word : NULL,
	});
}

static void op_open_put_list(struct rs_json *j, const struct rs_in_flight_list *list,
			     const struct rs_where *where, uint64_t limit, uint64_t now_ns)
{
	uint64_t nr = 0;

	rs_message_put_members(j, &rs_open_reply_message, &(struct rs_open_reply){ .now_ns = now_ns });
	rs_message_open_list(j, "open");
	for (size_t i = 0; i < list->nr && nr < limit; i++)
		if (rs_where_open(where, &list->items[i], now_ns)) {
			op_open_put_item(j, &list->items[i]);
			nr++;
		}
	rs_json_close(j, ']');
}

/*
 * Makes the list at now_ns, with `most` entries; 0: as many as the request says. Free it with
 * rs_in_flight_list_done.
 */
static int make_list(const struct rs_job *job, uint64_t now_ns, size_t most, struct rs_in_flight_list *list,
		     struct rs_error *err)
{
	const struct rs_open_request *request = job->request;

	if (!rs_in_flight_list_init(list, most ? most : request->limit))
		return rs_fail(err, "open: out of memory");
	list->latest_ns = now_ns > request->min_ns ? now_ns - request->min_ns : 0;
	list->idle_too = request->idle;
	return 0;
}

/* The list keeps the oldest, whether they pass or not: with `where` more of them, to send `limit` of. */
static size_t op_open_most(const struct rs_open_request *request)
{
	return request->where && request->limit < KEPT_OPEN ? KEPT_OPEN : 0;
}

static int open_now(struct rs_job *job, const struct rs_where *where, struct rs_error *err)
{
	const struct rs_open_request *request = job->request;
	struct rs_session *session = job->service->session;
	struct rs_in_flight_list list;
	struct rs_quality quality;

	rs_session_quality(session, &quality);
	if (make_list(job, quality.to_ns, op_open_most(request), &list, err) < 0)
		return -1;
	rs_session_list_in_flight(session, &list);
	op_open_put_list(&job->reply, &list, where, request->limit, quality.to_ns);
	rs_in_flight_list_done(&list);
	return 0;
}

/* ---- time range ---- */

static void op_open_free_cached(void *cached)
{
	rs_in_flight_list_done(cached);
	free(cached);
}

static void add_copy(struct rs_in_flight_list *list, const struct rs_in_flight_item *o)
{
	rs_in_flight_list_add(list, &(struct rs_in_flight){
		.kind = o->kind, .what = o->what, .comm = o->comm, .pid = o->pid, .tid = o->tid,
		.since_ns = o->since_ns, .at_least = o->at_least, .idle = o->idle },
		o->has_cause ? &o->cause : NULL);
}

/*
 * Takes the operations that had begun by then and have not ended yet: they were in flight then, even if the
 * window no longer has their begin; of a pinned time, those of when it was pinned. Includes idle waits,
 * because only the live session can recognize some (a read of a terminal).
 */
static int op_open_prepare(struct rs_job *job, struct rs_error *err)
{
	struct rs_session *session = job->service->session;
	struct rs_in_flight_list *list = calloc(1, sizeof *list);
	const struct rs_in_flight_list *pinned;

	if (!list || make_list(job, job->range->to_ns, KEPT_OPEN, list, err) < 0) {
		free(list);
		return err->status == RS_OK ? rs_fail(err, "open: out of memory") : -1;
	}
	job->cached = list;
	job->free_cached = op_open_free_cached;
	list->idle_too = true;
	job->range->before_bytes = OP_OPEN_BEFORE_BYTES;
	pinned = rs_pinned_open_of(job->service, job->client, job->range->to_ns);
	for (size_t i = 0; pinned && i < pinned->nr; i++)
		add_copy(list, &pinned->items[i]);
	if (!pinned && rs_session_now_ns(session) >= job->range->to_ns)
		rs_session_list_in_flight(session, list);
	return 0;
}

static const struct rs_in_flight_item *op_open_find(const struct rs_in_flight_list *list,
					       const struct rs_in_flight_item *item)
{
	for (size_t i = 0; i < list->nr; i++) {
		const struct rs_in_flight_item *o = &list->items[i];

		if (o->tid == item->tid && !strcmp(o->kind, item->kind) &&
		    (o->since_ns == item->since_ns || item->at_least))
			return o;
	}
	return NULL;
}

static void drop_idle(struct rs_in_flight_list *list, const struct rs_in_flight_list *now)
{
	size_t nr = 0;

	for (size_t i = 0; i < list->nr; i++) {
		const struct rs_in_flight_item *o = op_open_find(now, &list->items[i]);

		if (!o || !o->idle)
			list->items[nr++] = list->items[i];
	}
	list->nr = nr;
}

static void add_those_of_now(struct rs_in_flight_list *list, const struct rs_in_flight_list *now)
{
	for (size_t i = 0; i < now->nr; i++)
		if (!op_open_find(list, &now->items[i]))
			add_copy(list, &now->items[i]);
}

static int open_of_range(struct rs_job *job, const struct rs_where *where, struct rs_error *err)
{
	const struct rs_open_request *request = job->request;
	struct rs_time_range *time_range = rs_job_range_open(job, &job->service->config.session,
							     err);
	struct rs_in_flight_list list;
	int status;

	if (!time_range)
		return -1;
	status = rs_job_range_run(job, time_range, err);
	if (status == 0)
		status = make_list(job, job->range->to_ns, op_open_most(request), &list, err);
	if (status == 0) {
		rs_session_list_in_flight(time_range->session, &list);
		if (!list.idle_too)
			drop_idle(&list, job->cached);
		add_those_of_now(&list, job->cached);
		op_open_put_list(&job->reply, &list, where, request->limit, job->range->to_ns);
		rs_in_flight_list_done(&list);
	}
	rs_time_range_free(time_range);
	return status;
}

static int op_open_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_open_request *request = job->request;
	struct rs_where *where;
	int status;

	if (rs_where_read(request->where, RS_FILTER_OPEN, job->range ? NULL : job->service->timelines, &where,
			  err) < 0)
		return -1;
	status = job->range ? open_of_range(job, where, err) : open_now(job, where, err);
	free(where);
	return status;
}

const struct rs_op rs_op_open = {
	.name = "open", .range = RS_RANGE_IF_ASKED,
	.prepare = op_open_prepare,
	.run = op_open_run,
};
