// SPDX-License-Identifier: GPL-2.0-or-later
#include "rpc/wire-span.h"

#include <string.h>

#include "rpc/catalogue.h"
#include "query/span-task.h"
#include "rpc/wire.h"
#include "rpc/wire-words.h"
#include "ringside/plugin.h"

void rs_wire_put_track(struct rs_json *j, const char *key, const struct rs_track_ref *ref)
{
	char name[RS_TRACK_NAME];

	if (ref)
		rs_track_name(ref, name);
	rs_json_put_str(j, key, ref ? name : NULL);
}

/* What it was on, where that is no task: as people call it. */
static void put_on(struct rs_json *j, const struct rs_timelines *t, const struct rs_track_ref *ref)
{
	struct rs_track_info info = { .label = "" };

	if (ref->of != RS_TRACK_TASK)
		rs_track_details(t, ref, &info);
	rs_json_put_str(j, "on", *info.label ? info.label : NULL);
}

static void wire_span_put_task(struct rs_json *j, const struct rs_task *task, int32_t tid)
{
	rs_json_put_str(j, "comm", task && task->comm[0] ? task->comm : NULL);
	rs_json_put_u64_if(j, "pid", task && task->pid, task ? (uint64_t)task->pid : 0);
	rs_json_put_u64_if(j, "tid", tid > 0, (uint64_t)tid);
}

void rs_wire_span(struct rs_json *j, struct rs_timelines *t, const struct rs_slowest_span *s,
		  unsigned int depth)
{
	const struct rs_task *task = rs_span_task(t, &s->ref, &s->span);
	char label[128];

	rs_json_open(j, '{');
	rs_wire_put_track(j, "track", &s->ref);
	rs_json_put_str(j, "lane", rs_wire_shape(s->lane));
	rs_json_put_u64(j, "kind", s->span.kind & ~RS_KIND_OPEN);
	rs_json_put_str(j, "label", rs_timelines_label(t, &s->span, label, sizeof label));
	rs_json_key(j, "start_ns");
	rs_wire_u64(j, s->span.start_ns);
	rs_json_key(j, "end_ns");
	rs_wire_u64(j, s->span.end_ns);
	rs_json_put_u64_if(j, "depth", depth != RS_DEPTH_UNKNOWN, depth);
	rs_json_put_bool(j, "open", s->span.kind & RS_KIND_OPEN);
	rs_json_put_bool(j, "longer", s->span.longer);
	put_on(j, t, &s->ref);
	wire_span_put_task(j, task, rs_span_task_tid(t, &s->ref, &s->span));
	rs_json_close(j, '}');
}

static int read_name(const cJSON *name, struct rs_track_ref *ref, struct rs_error *err)
{
	if (!cJSON_IsString(name))
		return rs_fail_usage(err, "which track? (\"cpu:3\", \"task:4242.0\", \"disk:8:0\")");
	if (!rs_track_read(name->valuestring, ref))
		return rs_fail_usage(err, "'%.40s' is no track (as \"cpu:3\", \"task:4242.0\", \"disk:8:0\")",
				     name->valuestring);
	return 0;
}

int rs_wire_span_read_track(const cJSON *request, struct rs_track_ref *ref, struct rs_error *err)
{
	return read_name(cJSON_GetObjectItemCaseSensitive(request, "track"), ref, err);
}

int rs_wire_span_read_tracks(const cJSON *request, struct rs_track_ref *refs, size_t max, size_t *nr, struct rs_error *err)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(request, "tracks"), *at;

	*nr = 0;
	if (!list) {
		*nr = 1;
		return rs_wire_span_read_track(request, refs, err);
	}
	cJSON_ArrayForEach(at, list) {
		if (*nr == max)
			return rs_fail_usage(err, "at most %zu tracks at once", max);
		if (read_name(at, &refs[*nr], err) < 0)
			return -1;
		++*nr;
	}
	return 0;
}

int rs_wire_span_read_row(const cJSON *request, enum rs_span_shape *lane, struct rs_error *err)
{
	unsigned int shape;

	if (!rs_wire_word_number(rs_words_shapes, rs_wire_text_of(request, "lane"), &shape))
		return rs_fail_usage(err, "which lane? (\"slice\", \"state\", \"async\", \"instant\" or \"counter\")");
	*lane = (enum rs_span_shape)shape;
	return 0;
}

int rs_wire_span_read_number(const cJSON *request, const char *name, uint64_t otherwise, uint64_t most,
			     uint64_t *v,
			     struct rs_error *err)
{
	if (!rs_wire_u64_of(request, name, otherwise, v) || *v > most)
		return rs_fail_usage(err, "%s is a number up to %llu", name, (unsigned long long)most);
	return 0;
}

int rs_wire_span_read_time(const cJSON *request, uint64_t *from_ns, uint64_t *to_ns, struct rs_error *err)
{
	if (rs_wire_span_read_number(request, "from_ns", 0, UINT64_MAX, from_ns, err) < 0 ||
	    rs_wire_span_read_number(request, "to_ns", UINT64_MAX, UINT64_MAX, to_ns, err) < 0)
		return -1;
	return *from_ns < *to_ns ? 0 : rs_fail_usage(err, "the time is empty: it must end after it begins");
}

int rs_wire_span_read_kind(const cJSON *request, const struct rs_timelines *t, unsigned int *kind,
			   struct rs_error *err)
{
	const char *name = rs_wire_text_of(request, "kind");
	const struct rs_span_kind *k;
	uint64_t number;

	for (unsigned int i = 0; name && (k = rs_timelines_kind_number(t, i)); i++)
		if (!strcmp(k->name, name)) {
			*kind = i;
			return 0;
		}
	if (name)
		return rs_fail_usage(err, "no kind of span is called '%.40s'", name);
	if (rs_wire_span_read_number(request, "kind", UINT64_MAX, UINT64_MAX, &number, err) < 0)
		return -1;
	if (number > UINT16_MAX || !rs_timelines_kind_number(t, (unsigned int)number))
		return rs_fail_usage(err, "which kind of span?");
	*kind = (unsigned int)number;
	return 0;
}
