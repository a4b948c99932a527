// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/service.h"
#include "daemon/wire.h"
#include "engine/open-list.h"

#define DEFAULT_OPEN 100
#define MAX_OPEN 1000

static void put_item(struct rs_json *j, const struct rs_open_item *o)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "kind", o->kind);
	rs_json_put_str(j, "comm", o->comm[0] ? o->comm : NULL);
	rs_json_put_u64_if(j, "pid", o->pid > 0, (uint64_t)o->pid);
	rs_json_put_u64_if(j, "tid", o->tid > 0, (uint64_t)o->tid);
	rs_json_put_str(j, "what", o->what);
	rs_json_key(j, "since_ns");
	rs_wire_u64(j, o->since_ns);
	rs_json_put_bool(j, "at_least", o->at_least);
	rs_json_put_bool(j, "idle", o->idle);
	rs_json_close(j, '}');
}

static int run(struct rs_job *job, struct rs_error *err)
{
	struct rs_session *session = rs_service_session(job->service);
	struct rs_open_list list;
	struct rs_trust trust;
	uint64_t limit, min_ns;

	if (!rs_wire_u64_of(job->request, "limit", DEFAULT_OPEN, &limit) || limit > MAX_OPEN)
		return rs_fail_usage(err, "open: limit is a number up to %d", MAX_OPEN);
	if (!rs_wire_u64_of(job->request, "min_ns", 0, &min_ns))
		return rs_fail_usage(err, "open: min_ns is a number of nanoseconds");
	if (!rs_open_list_init(&list, limit))
		return rs_fail(err, "open: out of memory");
	rs_session_trust(session, &trust);
	list.sink.latest_ns = trust.to_ns > min_ns ? trust.to_ns - min_ns : 0;
	list.sink.idle_too = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(job->request, "idle"));
	rs_session_open(session, &list.sink);
	rs_json_key(&job->reply, "now_ns");
	rs_wire_u64(&job->reply, trust.to_ns);
	rs_json_key(&job->reply, "open");
	rs_json_open(&job->reply, '[');
	for (size_t i = 0; i < list.nr; i++)
		put_item(&job->reply, &list.items[i]);
	rs_json_close(&job->reply, ']');
	rs_open_list_done(&list);
	return 0;
}

const struct rs_op rs_op_open = { .name = "open", .place = RS_OP_ENGINE, .run = run };
