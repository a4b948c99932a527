// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-spans.c - spans of all kinds: slices, instants, counters; those that overlap get tracks beside
 * each other
 */
#include "export/perfetto/perfetto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/proto.h"
#include "ringside/event.h"

#define SPANS_SHORT_TEXT 8  /* shorter ones are written each time */
#define SPANS_PLACES 4      /* where a group of tracks may be */
#define SPANS_LABEL_STEP 61 /* between the labels of two kinds */

/* ---- interned texts ---- */

uint32_t rs_perfetto_intern(struct rs_perfetto_text *table, size_t size, uint64_t hash, uint32_t *nr)
{
	struct rs_perfetto_text *at = &table[hash & (size - 1)];

	if (at->hash == hash)
		return at->iid;
	*at = (struct rs_perfetto_text){ hash, ++*nr };
	return 0;
}

/* ---- kinds ---- */

void rs_perfetto_add_kind(struct rs_scene *s, const struct rs_span_kind *kind)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	struct rs_perfetto_kind *k = calloc(1, sizeof *k);

	if (!k) {
		pf->out->failed = true; /* reported as out of memory */
		return;
	}
	while (kind->columns && k->nr_columns < RS_MAX_COLUMNS && kind->columns[k->nr_columns].name)
		k->nr_columns++;
	k->kind = kind;
	k->category = ++pf->nr_kinds;
	k->first_annotation = pf->nr_annotations + 1;
	pf->nr_annotations += k->nr_columns;
	k->is_native = rs_perfetto_is_native(kind);
	k->next = pf->kinds;
	pf->kinds = k;
}

void rs_perfetto_drop_spans(struct rs_perfetto *pf)
{
	struct rs_perfetto_kind *next;

	for (struct rs_perfetto_kind *k = pf->kinds; k; k = next) {
		next = k->next;
		free(k);
	}
	pf->kinds = pf->recent = NULL;
	for (size_t i = 0; i < RS_PERFETTO_GROUPS; i++)
		free(pf->siblings[i].at);
	memset(pf->siblings, 0, sizeof pf->siblings);
	memset(pf->labels, 0, sizeof pf->labels);
}

/* NULL: none, for ftrace events show it, or there was no memory. */
static struct rs_perfetto_kind *spans_find_kind(struct rs_perfetto *pf, const struct rs_span_kind *kind)
{
	struct rs_perfetto_kind *k = pf->recent;

	if (!k || k->kind != kind)
		for (k = pf->kinds; k && k->kind != kind;)
			k = k->next;
	pf->recent = k;
	return k && !k->is_native ? k : NULL;
}

/* ---- one packet ---- */

char *rs_perfetto_put_text(char *p, unsigned int field, uint32_t iid, const char *text, size_t len)
{
	char *at;

	p = at = rs_proto_open(p, field);
	p = rs_proto_uint(p, PF_IID, iid);
	return rs_proto_close(at, rs_proto_text(p, PF_INTERNED_TEXT, text, len));
}

static char *spans_put_text(char *p, unsigned int field, uint32_t iid, const char *text)
{
	return rs_perfetto_put_text(p, field, iid, text, strlen(text));
}

static char *spans_define_kind(char *p, struct rs_perfetto_kind *k)
{
	k->is_defined = true;
	p = spans_put_text(p, PF_INTERNED_CATEGORIES, k->category, k->kind->name);
	for (uint32_t i = 0; i < k->nr_columns; i++)
		p = spans_put_text(p, PF_INTERNED_ANNOTATION_NAMES, k->first_annotation + i,
				   k->kind->columns[i].name);
	return p;
}

/* By numbers, not by addresses: those differ from run to run, and files would. */
static struct rs_perfetto_label *spans_find_label(struct rs_perfetto *pf, const struct rs_perfetto_kind *k,
						  uint64_t arg)
{
	return &pf->labels[(k->category * SPANS_LABEL_STEP + arg) & (RS_PERFETTO_LABELS - 1)];
}

/* What a span's packet is made of, before it is written. */
struct spans_packet {
	struct rs_perfetto_kind *kind;
	const struct rs_span *span;
	uint32_t name;
	const char *new_name;                   /* NULL: it was written before */
	uint32_t texts[RS_MAX_COLUMNS];         /* 0: the text stands in the annotation */
	bool is_new[RS_MAX_COLUMNS];
	bool any_new;
	size_t bytes;                           /* of all texts at most */
};

static bool spans_has_text(const struct spans_packet *s, unsigned int i)
{
	return s->kind->kind->columns[i].type == RS_TYPE_TEXT && s->span->values && s->span->values[i].known;
}

static uint64_t spans_hash(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325u, word;

	for (; len >= sizeof word; len -= sizeof word, text += sizeof word) {
		memcpy(&word, text, sizeof word);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 32;
	}
	word = len;
	memcpy(&word, text, len);
	return rs_hash_u64(hash ^ word ^ (uint64_t)len << 56) | 1ull << 63;
}

/* A text is interned when it comes again: many come once. */
static void spans_find_text(struct rs_perfetto *pf, struct spans_packet *s, unsigned int i, const char *text,
			    size_t len)
{
	uint64_t hash = spans_hash(text, len);
	struct rs_perfetto_text *at = &pf->texts[hash & (RS_PERFETTO_TEXTS - 1)];

	if (at->hash != hash) {
		*at = (struct rs_perfetto_text){ .hash = hash };
		return;
	}
	s->is_new[i] = !at->iid;
	s->any_new |= s->is_new[i];
	if (!at->iid)
		at->iid = ++pf->nr_texts;
	s->texts[i] = at->iid;
}

static void spans_find_texts(struct rs_perfetto *pf, struct spans_packet *s)
{
	for (unsigned int i = 0; i < s->kind->nr_columns; i++) {
		size_t len = spans_has_text(s, i) ? strlen(s->span->values[i].s) : 0;

		s->texts[i] = 0;
		s->is_new[i] = false;
		s->bytes += RS_PROTO_TEXT(len) + 4 * RS_PROTO_NUMBER;
		if (len >= SPANS_SHORT_TEXT)
			spans_find_text(pf, s, i, s->span->values[i].s, len);
	}
}

static void spans_find_name(struct rs_perfetto *pf, struct rs_ctx *c, struct spans_packet *s, char *buf,
			    size_t size)
{
	const struct rs_span_kind *kind = s->kind->kind;
	uint64_t arg = rs_span_name_arg(kind, s->span->arg);
	struct rs_perfetto_label *label = spans_find_label(pf, s->kind, arg);

	if (label->kind == s->kind && label->arg == arg) {
		s->name = label->iid;
		return;
	}
	s->new_name = kind->label ? kind->label(c, arg, buf, size) : NULL;
	if (!s->new_name || !*s->new_name)
		s->new_name = kind->name;
	s->name = ++pf->nr_labels;
	*label = (struct rs_perfetto_label){ s->kind, arg, s->name };
	s->bytes += RS_PROTO_TEXT(strlen(s->new_name));
}

/* In a packet of their own: see spans_swap. */
static void spans_put_interned(struct rs_perfetto *pf, const struct spans_packet *s)
{
	bool is_defined = s->kind->is_defined;
	char *p, *at;

	if (is_defined && !s->new_name && !s->any_new)
		return;
	p = rs_perfetto_open_untimed(pf, s->bytes);
	if (!p)
		return;
	p = at = rs_proto_open(p, PF_PACKET_INTERNED_DATA);
	if (!is_defined)
		p = spans_define_kind(p, s->kind);
	if (s->new_name)
		p = spans_put_text(p, PF_INTERNED_NAMES, s->name, s->new_name);
	for (unsigned int i = 0; s->any_new && i < s->kind->nr_columns; i++)
		if (s->is_new[i])
			p = spans_put_text(p, PF_INTERNED_STRINGS, s->texts[i], s->span->values[i].s);
	rs_perfetto_close(pf, rs_proto_close(at, p));
}

static char *spans_put_value(char *p, const struct rs_column *column, const struct rs_value *v, uint32_t text)
{
	if (text)
		return rs_proto_uint(p, PF_ANNOTATION_STRING_IID, text);
	if (column->type == RS_TYPE_TEXT)
		return rs_proto_text(p, PF_ANNOTATION_STRING, v->s, strlen(v->s));
	if (column->flags & RS_COLUMN_SIGNED)
		return rs_proto_int(p, PF_ANNOTATION_INT, v->i);
	return rs_proto_uint(p, PF_ANNOTATION_UINT, v->u);
}

/* The values that the analysis passed; unknown ones are omitted. */
static char *spans_put_values(char *p, const struct spans_packet *s)
{
	for (unsigned int i = 0; s->span->values && i < s->kind->nr_columns; i++) {
		char *at;

		if (!s->span->values[i].known)
			continue;
		p = at = rs_proto_open(p, PF_TRACK_EVENT_ANNOTATIONS);
		p = rs_proto_uint(p, PF_ANNOTATION_NAME_IID, s->kind->first_annotation + i);
		p = rs_proto_close(
			at, spans_put_value(p, &s->kind->kind->columns[i], &s->span->values[i], s->texts[i]));
	}
	return p;
}

static void spans_put_end(struct rs_perfetto *pf, uint64_t track, uint64_t ts_ns)
{
	char *p = rs_perfetto_open(pf, ts_ns, 0), *event;

	if (!p)
		return;
	p = event = rs_proto_open(p, PF_PACKET_TRACK_EVENT);
	p = rs_proto_uint(p, PF_TRACK_EVENT_TYPE, PF_SLICE_END);
	p = rs_proto_uint(p, PF_TRACK_EVENT_UUID, track);
	rs_perfetto_close(pf, rs_proto_close(event, p));
}

/* Did nothing follow the slice that was written last, which begins at this time on this track? */
static bool spans_follows(const struct rs_perfetto *pf, uint64_t track, uint64_t start_ns)
{
	const struct rs_perfetto_last *last = &pf->last;

	return last->nr_packets == pf->nr_packets && last->to == pf->out->len && last->track == track &&
	       last->start_ns == start_ns;
}

static void spans_reverse(char *from, char *end)
{
	while (end - from > 1) {
		char c = *from;

		*from++ = *--end;
		*end = c;
	}
}

/*
 * A slice that contains the last one and begins at the same time: its begin, which was written just now, goes
 * before that one. Readers sort by time, and begin slices of equal time in the order of the file.
 */
static void spans_swap(struct rs_perfetto *pf)
{
	char *from = pf->out->data + pf->last.from, *to = pf->out->data + pf->last.to,
	     *end = pf->out->data + pf->out->len;

	spans_reverse(from, to);
	spans_reverse(to, end);
	spans_reverse(from, end);
}

static void spans_put_begin(struct rs_perfetto *pf, const struct spans_packet *s, uint64_t track,
			    uint64_t ts_ns)
{
	bool is_instant = s->kind->kind->shape == RS_SPAN_INSTANT;
	char *p, *event;

	spans_put_interned(pf, s);
	p = rs_perfetto_open(pf, ts_ns, s->bytes);
	if (!p)
		return;
	p = event = rs_proto_open(p, PF_PACKET_TRACK_EVENT);
	p = rs_proto_uint(p, PF_TRACK_EVENT_TYPE, is_instant ? PF_INSTANT : PF_SLICE_BEGIN);
	p = rs_proto_uint(p, PF_TRACK_EVENT_UUID, track);
	p = rs_proto_uint(p, PF_TRACK_EVENT_CATEGORY_IIDS, s->kind->category);
	p = rs_proto_uint(p, PF_TRACK_EVENT_NAME_IID, s->name);
	rs_perfetto_close(pf, rs_proto_close(event, spans_put_values(p, s)));
}

/* What is in flight has no end: readers draw it so. */
static void spans_put(struct rs_perfetto *pf, struct rs_ctx *c, struct rs_perfetto_kind *k,
		      const struct rs_span *span, uint64_t track, uint64_t start_ns)
{
	struct spans_packet s;
	bool is_instant = k->kind->shape == RS_SPAN_INSTANT,
	     follows = !is_instant && spans_follows(pf, track, start_ns);
	size_t from = follows ? pf->last.from : pf->out->len;
	char buf[64];

	s.kind = k; /* its arrays are set as far as they are used */
	s.span = span;
	s.new_name = NULL;
	s.any_new = false;
	s.bytes = 0;
	spans_find_name(pf, c, &s, buf, sizeof buf);
	spans_find_texts(pf, &s);
	if (!k->is_defined)
		s.bytes += (k->nr_columns + 1) * 256;
	spans_put_begin(pf, &s, track, is_instant ? span->end_ns : start_ns);
	if (follows && span->end_ns > start_ns)
		spans_swap(pf);
	pf->drawn = true;
	if (is_instant)
		return;
	if (!span->in_flight)
		spans_put_end(pf, track, span->end_ns);
	pf->last = (struct rs_perfetto_last){ track, start_ns, pf->nr_packets, from, pf->out->len };
}

/* ---- tracks beside each other ---- */

/*
 * There is always one: where its places are taken one of them is replaced, and gets new tracks if it comes
 * again.
 */
static struct rs_perfetto_siblings *spans_find_siblings(struct rs_perfetto *pf, uint64_t parent,
							const struct rs_perfetto_kind *k)
{
	size_t first = rs_hash_u64(parent ^ (uint64_t)k->category << 40) & (RS_PERFETTO_GROUPS - 1);
	struct rs_perfetto_siblings *siblings = NULL;

	for (unsigned int i = 0; i < SPANS_PLACES; i++) {
		struct rs_perfetto_siblings *at = &pf->siblings[(first + i) & (RS_PERFETTO_GROUPS - 1)];

		if (at->parent == parent && at->kind == k->kind)
			return at;
		if (!siblings && !at->parent)
			siblings = at;
	}
	if (!siblings)
		siblings =
			&pf->siblings[(first + pf->next_place++ % SPANS_PLACES) & (RS_PERFETTO_GROUPS - 1)];
	siblings->parent = parent;
	siblings->kind = k->kind;
	siblings->nr = 0;
	return siblings;
}

static struct rs_perfetto_sibling *spans_add_sibling(struct rs_perfetto_siblings *siblings)
{
	struct rs_perfetto_sibling *track = NULL;

	if (siblings->nr < RS_PERFETTO_MAX_SIBLINGS)
		track = RS_VECTOR_ADD(&siblings->at, &siblings->nr, &siblings->room);
	if (track)
		*track = (struct rs_perfetto_sibling){ .uuid = 0 };
	return track;
}

/*
 * Spans come by their ends, so those of a track are in order. Without a track for one more it begins when the
 * first one is free.
 */
static struct rs_perfetto_sibling *spans_find_sibling(struct rs_perfetto *pf, uint64_t parent,
						      const struct rs_perfetto_kind *k, uint64_t start_ns)
{
	struct rs_perfetto_siblings *siblings = spans_find_siblings(pf, parent, k);
	struct rs_perfetto_sibling *first = NULL, *track;

	for (size_t i = 0; i < siblings->nr; i++) {
		if (siblings->at[i].free_ns <= start_ns)
			return &siblings->at[i];
		if (!first || siblings->at[i].free_ns < first->free_ns)
			first = &siblings->at[i];
	}
	track = spans_add_sibling(siblings);
	return track ? track : first;
}

void rs_perfetto_put_async(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			   const struct rs_span_kind *kind, const struct rs_span *span)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	struct rs_perfetto_kind *k = spans_find_kind(pf, kind);
	uint64_t parent = k ? rs_perfetto_track(pf, at) : 0, start_ns = span->start_ns;
	struct rs_perfetto_sibling *track = k ? spans_find_sibling(pf, parent, k, start_ns) : NULL;

	if (!track)
		return;
	if (!track->uuid)
		track->uuid = rs_perfetto_add_track(pf, parent, at->task, kind->name);
	if (start_ns < track->free_ns) {
		start_ns = track->free_ns < span->end_ns ? track->free_ns : span->end_ns;
		pf->scene.nr_cut++;
	}
	track->free_ns = span->in_flight               ? UINT64_MAX :
			 span->end_ns > track->free_ns ? span->end_ns :
							 track->free_ns;
	spans_put(pf, c, k, span, track->uuid, start_ns);
}

/* ---- counters, slices, instants ---- */

static unsigned int spans_unit(const struct rs_column *column)
{
	return column->type == RS_TYPE_DURATION ? PF_UNIT_NS :
	       column->type == RS_TYPE_BYTES    ? PF_UNIT_BYTES :
						  0;
}

/* The track is that of the only track. */
void rs_perfetto_put_value(struct rs_perfetto *pf, const struct rs_scene_track *at,
			   const struct rs_span_kind *kind, uint64_t ts_ns, int64_t value)
{
	struct rs_perfetto_kind *k = spans_find_kind(pf, kind);
	uint64_t parent = k ? rs_perfetto_track(pf, at) : 0;
	struct rs_perfetto_sibling *track = k ? spans_find_sibling(pf, parent, k, UINT64_MAX) : NULL;

	if (track && !track->uuid)
		track->uuid = rs_perfetto_add_counter(pf, parent, at->task, kind->name,
						      spans_unit(kind->columns));
	if (track)
		rs_perfetto_count(pf, track->uuid, ts_ns, value);
}

void rs_perfetto_put_count(struct rs_scene *s, const struct rs_scene_track *at, struct rs_task_count *count)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	uint64_t parent;
	char name[80];

	if (!count->track) {
		snprintf(name, sizeof name, "%.60s count", count->kind->name);
		parent = rs_perfetto_task_track(pf, at->task);
		count->track = rs_perfetto_add_counter(pf, parent, at->task, name, PF_UNIT_COUNT);
	}
	rs_perfetto_count(pf, count->track, count->ts_ns, (int64_t)count->nr);
}

/*
 * A slice that contains others must be sorted before them. Where one of them begins at the same time and
 * other packets follow it, it begins a nanosecond earlier or, where another ends there, after the first of
 * them.
 */
static uint64_t spans_nest(const struct rs_perfetto *pf, struct rs_nest *nest, const struct rs_span *span,
			   uint64_t track)
{
	uint64_t start_ns = span->start_ns, inner_end_ns = start_ns, from_ns = start_ns;

	for (unsigned int i = 0; i < nest->nr && span->end_ns > start_ns; i++)
		if (nest->outer[i].start_ns == start_ns && nest->outer[i].end_ns > start_ns)
			inner_end_ns = nest->outer[i].end_ns;
	if (inner_end_ns == start_ns || spans_follows(pf, track, start_ns))
		return rs_nest_add(nest, start_ns, span->end_ns);
	if (start_ns)
		from_ns = start_ns - 1;
	from_ns = rs_nest_add(nest, from_ns, span->end_ns);
	return from_ns == start_ns ? inner_end_ns : from_ns;
}

void rs_perfetto_put_slice(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			   const struct rs_span_kind *kind, const struct rs_span *span, uint64_t start_ns)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	struct rs_perfetto_kind *k = spans_find_kind(pf, kind);
	uint64_t track;

	if (!k)
		return;
	track = rs_perfetto_track(pf, at);
	start_ns = spans_nest(pf, at->nest, span, track);
	s->nr_cut += start_ns != span->start_ns;
	spans_put(pf, c, k, span, track, start_ns);
}

void rs_perfetto_put_instant(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			     const struct rs_span_kind *kind, const struct rs_span *span)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);
	struct rs_perfetto_kind *k = spans_find_kind(pf, kind);

	if (k)
		spans_put(pf, c, k, span, rs_perfetto_track(pf, at), span->start_ns);
}
