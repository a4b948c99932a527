// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-events.c - single events on tracks: counters, wake-ups, critical paths, losses, and what is known
 * of the recording
 */
#include "export/perfetto/perfetto.h"

#include <string.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/proto.h"
#include "model/finding-list.h"

/* Of a type, on a track: up to the fields of its own. */
static char *events_open(struct rs_perfetto *pf, uint64_t ts_ns, unsigned int type, uint64_t track,
			 size_t bytes)
{
	char *p = rs_perfetto_open(pf, ts_ns, bytes);

	if (!p)
		return NULL;
	p = rs_proto_open(p, PF_PACKET_TRACK_EVENT);
	pf->nested = (size_t)(p - pf->out->data);
	p = rs_proto_uint(p, PF_TRACK_EVENT_TYPE, type);
	pf->drawn = true;
	return rs_proto_uint(p, PF_TRACK_EVENT_UUID, track);
}

static void events_close(struct rs_perfetto *pf, char *p)
{
	rs_perfetto_close(pf, rs_proto_close(pf->out->data + pf->nested, p));
}

void rs_perfetto_count(struct rs_perfetto *pf, uint64_t track, uint64_t ts_ns, int64_t value)
{
	char *p = events_open(pf, ts_ns, PF_COUNTER, track, 0);

	if (p)
		events_close(pf, rs_proto_int(p, PF_TRACK_EVENT_COUNTER_VALUE, value));
}

static char *events_put_name(char *p, const char *category, const char *name)
{
	p = rs_proto_text(p, PF_TRACK_EVENT_CATEGORIES, category, strlen(category));
	return rs_proto_text(p, PF_TRACK_EVENT_NAME, name, strlen(name));
}

char *rs_perfetto_put_names(char *p)
{
	char *at;

	p = at = rs_proto_open(p, PF_PACKET_INTERNED_DATA);
	p = rs_perfetto_put_text(p, PF_INTERNED_CATEGORIES, RS_PERFETTO_WAKE, "wake", 4);
	p = rs_perfetto_put_text(p, PF_INTERNED_NAMES, RS_PERFETTO_WAKE, "wake", 4);
	return rs_proto_close(at, rs_perfetto_put_text(p, PF_INTERNED_NAMES, RS_PERFETTO_WOKEN, "woken", 5));
}

void rs_perfetto_wake(struct rs_perfetto *pf, uint64_t track, uint64_t ts_ns, uint32_t name, uint64_t flow)
{
	char *p = events_open(pf, ts_ns, PF_INSTANT, track, 0);

	if (!p)
		return;
	p = rs_proto_uint(p, PF_TRACK_EVENT_CATEGORY_IIDS, RS_PERFETTO_WAKE);
	p = rs_proto_uint(p, PF_TRACK_EVENT_NAME_IID, name);
	p = rs_proto_fixed64(
		p, name == RS_PERFETTO_WOKEN ? PF_TRACK_EVENT_TERMINATING_FLOW_IDS : PF_TRACK_EVENT_FLOW_IDS,
		flow);
	events_close(pf, p);
}

static char *events_put_fact(char *p, const char *name, const char *text)
{
	char *at;

	if (!text || !*text)
		return p;
	p = at = rs_proto_open(p, PF_TRACK_EVENT_ANNOTATIONS);
	p = rs_proto_text(p, PF_ANNOTATION_NAME, name, strlen(name));
	return rs_proto_close(at, rs_proto_text(p, PF_ANNOTATION_STRING, text, strlen(text)));
}

static char *events_put_number(char *p, const char *name, uint64_t value)
{
	char *at;

	p = at = rs_proto_open(p, PF_TRACK_EVENT_ANNOTATIONS);
	p = rs_proto_text(p, PF_ANNOTATION_NAME, name, strlen(name));
	return rs_proto_close(at, rs_proto_uint(p, PF_ANNOTATION_UINT, value));
}

void rs_perfetto_link(struct rs_perfetto *pf, uint64_t track, const struct rs_path_slice *slice)
{
	char *p = events_open(pf, slice->from_ns, PF_SLICE_BEGIN, track,
			      RS_PROTO_TEXT(sizeof slice->text) + RS_PROTO_TEXT(sizeof slice->name));

	if (!p)
		return;
	p = events_put_name(p, "critical-path", slice->name);
	p = events_put_number(p, "path", slice->path);
	p = events_put_number(p, "link", slice->number);
	events_close(pf, events_put_fact(p, "text", slice->text));
	p = events_open(pf, slice->to_ns, PF_SLICE_END, track, 0);
	if (p)
		events_close(pf, p);
}

void rs_perfetto_link_flow(struct rs_perfetto *pf, uint64_t track, uint64_t ts_ns, bool ends)
{
	char *p = events_open(pf, ts_ns, PF_INSTANT, track, 0);

	if (!p)
		return;
	p = events_put_name(p, "critical-path", "critical path");
	events_close(pf,
		     rs_proto_fixed64(p, ends ? PF_TRACK_EVENT_TERMINATING_FLOW_IDS : PF_TRACK_EVENT_FLOW_IDS,
				      pf->next_flow));
}

void rs_perfetto_loss(struct rs_perfetto *pf, const struct rs_gap *gap)
{
	char *p = events_open(pf, gap->to_ns, PF_INSTANT, rs_perfetto_cpu_track(pf, gap->cpu), 0);

	if (!p)
		return;
	p = events_put_name(p, "loss", "lost events");
	p = events_put_number(p, "since_ns", gap->from_ns);
	if (gap->nr_lost)
		p = events_put_number(p, "lost", gap->nr_lost);
	events_close(pf, p);
}

/* Each on a track of its own, since they overlap: from when it began, or the whole time. */
void rs_perfetto_put_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	char text[RS_FINDING_TEXT], *p;
	uint64_t track;

	if (nr == 0)
		pf->findings = rs_perfetto_add_group(pf, "findings");
	track = rs_perfetto_add_track(pf, pf->findings, NULL, "finding");
	p = events_open(pf, rs_scene_finding_ns(s, f), PF_SLICE_BEGIN, track,
			4 * RS_PROTO_TEXT(RS_FINDING_TEXT));
	if (!p)
		return;
	p = events_put_name(p, f->rule->name, rs_finding_list_text(f, text));
	p = events_put_fact(p, "victim", f->victim.name);
	p = events_put_fact(p, "culprit", f->culprit.name);
	p = events_put_fact(p, "code", rs_finding_list_code(f, text));
	p = events_put_fact(p, "advice", f->rule->advice);
	p = events_put_number(p, "cost_ns", f->cost_ns);
	events_close(pf, p);
	p = events_open(pf, s->end_ns, PF_SLICE_END, track, 0);
	if (p)
		events_close(pf, p);
}

struct events_facts {
	struct rs_perfetto *pf;
	char *p;                 /* NULL: no memory */
};

static void events_take_fact(void *arg, const char *key, const char *text)
{
	struct events_facts *f = arg;

	if (f->p && strlen(text) < RS_PERFETTO_ROOM / 2)
		f->p = events_put_fact(f->p, key, text);
}

void rs_perfetto_describe(struct rs_perfetto *pf, const struct rs_quality *quality)
{
	uint64_t track = rs_perfetto_add_group(pf, "ringside");
	bool drawn = pf->drawn;
	struct events_facts facts = { pf, events_open(pf, pf->scene.begin_ns, PF_INSTANT, track,
						      32 * RS_PERFETTO_ROOM) };

	pf->drawn = drawn;
	if (!facts.p)
		return;
	facts.p = events_put_name(facts.p, "ringside", "recording");
	rs_export_describe(quality, pf->scene.begin_ns, pf->scene.nr_cut, events_take_fact, &facts);
	events_close(pf, facts.p);
}
