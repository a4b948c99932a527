// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome-put.c - writes one event per line, in the shortest spelling that all readers accept
 *
 * An event is written in place, piece by piece at p, and counts once it is complete. What is written between
 * two calls of room() fits into ROOM; only names and texts may be longer.
 */
#include "export/chrome/chrome.h"

#include <stdlib.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/units.h"
#include "model/finding-list.h"

#define EXACT_MAX (1ull << 53) /* readers store numbers as doubles: larger ones are written as text */
#define ROOM 512               /* several times a head, two times, three numbers and the keys between */

#define SHORT 128              /* longest text that still fits into ROOM; an event has at most two */

#define PUT(p, literal) (memcpy(p, literal, sizeof literal - 1), p += sizeof literal - 1)

static const struct rs_chrome_label *chrome_put_label(struct rs_chrome *ch, struct rs_ctx *c,
						      const struct rs_span_kind *kind, uint64_t arg)
{
	struct rs_chrome_label *label;

	arg = rs_span_name_arg(kind, arg);
	label = &ch->labels[((uintptr_t)kind / sizeof *kind + arg) % RS_CHROME_LABELS];
	if (label->kind && label->kind->kind == kind && label->arg == arg)
		return label;
	return rs_chrome_texts_add_label(ch, c, kind, arg, label);
}

/* ---- pieces ---- */

/* Returns p, or its new place if the buffer moved. */
static __attribute__((noinline)) char *chrome_put_make_room(struct rs_chrome *ch, char *p, size_t bytes)
{
	struct rs_buf *b = ch->out;
	char *to;

	rs_buf_wrote(b, p);
	to = rs_buf_room(b, bytes);
	if (!to) { /* the buffer has failed: its content is never written, so it may be overwritten */
		b->len = 0;
		to = b->data;
	}
	return to;
}

static inline char *room(struct rs_chrome *ch, char *p, size_t bytes)
{
	const struct rs_buf *b = ch->out;

	return b->size - (size_t)(p - b->data) > bytes ? p : chrome_put_make_room(ch, p, bytes);
}

bool rs_chrome_put_ready(struct rs_chrome *ch)
{
	return rs_buf_room(ch->out, ROOM) != NULL;
}

static inline char *put_piece(struct rs_chrome *ch, char *p, const struct rs_chrome_piece *piece)
{
	if (piece->len <= RS_CHROME_PIECE) {
		memcpy(p, piece->text, RS_CHROME_PIECE);
		return p + piece->len;
	}
	rs_buf_wrote(ch->out, p);
	rs_buf_add(ch->out, piece->text, piece->len);
	return room(ch, ch->out->data + ch->out->len, ROOM);
}

static char *chrome_put_escaped(struct rs_chrome *ch, char *p, const char *text)
{
	size_t len = strlen(text);

	if (len <= SHORT && rs_escape_copy_json(p, text, len)) {
		p[len] = '"';
		return p + len + 1;
	}
	rs_buf_wrote(ch->out, p);
	rs_escape_json(ch->out, text);
	p = room(ch, ch->out->data + ch->out->len, ROOM);
	*p++ = '"';
	return p;
}

/*
 * Readers drop negative times, so what began before the first event (a stall is reported at its end) begins
 * with it.
 */
static inline uint64_t since_base(const struct rs_chrome *ch, uint64_t ns)
{
	return ns > ch->scene.begin_ns ? ns - ch->scene.begin_ns : 0;
}

/* {"ph":"X","pid":1,"tid":2,"ts":3.000 : what every event has. Times are microseconds with three decimals. */
static inline char *open_event(struct rs_chrome *ch, char phase, const struct rs_chrome_track *at,
			       uint64_t ts_ns)
{
	char *p = room(ch, ch->out->data + ch->out->len, ROOM);

	memcpy(p, at->head, RS_CHROME_HEAD);
	p[RS_CHROME_HEAD_PHASE] = phase;
	ch->drawn |= phase != 'M';
	p += at->len;
	if (!ch->any) { /* without the comma */
		memmove(p - at->len, p - at->len + 1, at->len - 1);
		p--;
		ch->any = true;
	}
	return rs_put_thousandths(p, since_base(ch, ts_ns));
}

static inline void close_event(struct rs_chrome *ch, char *p)
{
	*p++ = '}';
	rs_buf_wrote(ch->out, p);
}

static inline char *put_dur(const struct rs_chrome *ch, char *p, uint64_t from_ns, uint64_t to_ns)
{
	PUT(p, ",\"dur\":");
	return rs_put_thousandths(p, since_base(ch, to_ns) - since_base(ch, from_ns));
}

static char *chrome_put_i64(char *p, int64_t v)
{
	if (v < 0)
		*p++ = '-';
	return rs_put_digits(p, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

static inline char *chrome_put_value(struct rs_chrome *ch, char *p, const struct rs_column *column,
				     const struct rs_value *v)
{
	bool is_signed = column->flags & RS_COLUMN_SIGNED;
	bool is_exact = is_signed ? v->i > -(int64_t)EXACT_MAX && v->i < (int64_t)EXACT_MAX :
				    v->u < EXACT_MAX;

	if (column->type == RS_TYPE_TEXT) {
		*p++ = '"';
		return chrome_put_escaped(ch, p, v->s);
	}
	if (!is_exact)
		*p++ = '"';
	p = is_signed ? chrome_put_i64(p, v->i) : rs_put_digits(p, v->u);
	if (!is_exact)
		*p++ = '"';
	return p;
}

/*
 * The values that the analysis passed, and whether the span is still open; unknown ones are omitted, since
 * readers drop null. Each key begins with a comma; the bracket replaces the first one.
 */
static char *put_args(struct rs_chrome *ch, char *p, const struct rs_chrome_kind *k,
		      const struct rs_span *span)
{
	bool any = span->in_flight;

	if (any)
		PUT(p, ",\"args\":{\"open\":1");
	for (unsigned int i = 0; span->values && i < k->nr_keys; i++) {
		size_t at;

		if (!span->values[i].known)
			continue;
		p = room(ch, p, ROOM);
		if (!any)
			PUT(p, ",\"args\":");
		at = (size_t)(p - ch->out->data);
		p = put_piece(ch, p, &k->keys[i]);
		if (!any)
			ch->out->data[at] = '{';
		p = chrome_put_value(ch, p, &k->kind->columns[i], &span->values[i]);
		any = true;
	}
	if (any)
		*p++ = '}';
	return p;
}

/* ---- events ---- */

static char *open_async(struct rs_chrome *ch, char phase, const struct rs_chrome_track *at, uint64_t ts_ns,
			const struct rs_chrome_label *label)
{
	char *p = open_event(ch, phase, at, ts_ns);

	PUT(p, ",\"id2\":{\"local\":\"");
	p = rs_put_digits(p, ch->next_id);
	PUT(p, "\"}");
	return put_piece(ch, p, &label->text);
}

/*
 * Slices and instants. Spans that overlap on a track are asynchronous: readers pack those of a process, by
 * "local" ids, into as many rows as needed.
 */
void rs_chrome_span(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_track *at,
		    const struct rs_span_kind *kind, const struct rs_span *span, uint64_t start_ns)
{
	const struct rs_chrome_label *label = chrome_put_label(ch, c, kind, span->arg);
	char *p;

	if (!label)
		return;
	if (kind->shape == RS_SPAN_ASYNC || kind->track == RS_TRACK_DISK) {
		ch->next_id++;
		close_event(ch, put_args(ch, open_async(ch, 'b', at, start_ns, label), label->kind, span));
		close_event(ch, open_async(ch, 'e', at, span->end_ns, label));
		return;
	}
	if (kind->shape == RS_SPAN_INSTANT) {
		p = open_event(ch, 'i', at, span->end_ns);
		PUT(p, ",\"s\":\"t\"");
	} else {
		p = open_event(ch, 'X', at, start_ns);
		p = put_dur(ch, p, start_ns, span->end_ns);
	}
	p = put_piece(ch, p, &label->text);
	close_event(ch, put_args(ch, p, label->kind, span));
}

/* A state letter comes from the recording and may be any character. */
static char *put_state(struct rs_chrome *ch, char *p, const char *name)
{
	size_t len = strlen(name);

	if ((*name | 32) < 'a' || (*name | 32) > 'z')
		return chrome_put_escaped(ch, p, name);
	memcpy(p, name, len);
	p[len] = '"';
	return p + len + 1;
}

void rs_chrome_put_state(struct rs_chrome *ch, const struct rs_chrome_track *at,
			 const struct rs_chrome_state *state)
{
	char *p = open_event(ch, 'T', at, state->from_ns);

	p = put_dur(ch, p, state->from_ns, state->to_ns);
	PUT(p, ",\"name\":\"");
	p = put_state(ch, p, state->name);
	if (state->frame) {
		PUT(p, ",\"sf\":\"");
		p = rs_put_digits(p, state->frame);
		*p++ = '"';
	}
	if (state->cpu >= 0) {
		PUT(p, ",\"args\":{\"cpu\":");
		p = rs_put_digits(p, (uint64_t)state->cpu);
		*p++ = '}';
	} else if (state->function) {
		PUT(p, ",\"args\":{\"io_wait\":");
		*p++ = state->io_wait ? '1' : '0';
		PUT(p, ",\"blocked_function\":\"");
		p = chrome_put_escaped(ch, p, state->function);
		*p++ = '}';
	} else if (state->io_wait) {
		PUT(p, ",\"args\":{\"io_wait\":1}");
	}
	close_event(ch, p);
}

/*
 * One end of a flow, in a slice of its own without length: one reader draws the arrow between the slices that
 * the ends are in, from the one that begins first, and who waits began before who wakes it. Ids are fresh
 * integers: a string would be read as hexadecimal. The end binds to the slice that is open there.
 */
static void chrome_put_end(struct rs_chrome *ch, char phase, const struct rs_chrome_track *at, uint64_t ts_ns,
			   const char *slice, const char *label)
{
	size_t len = strlen(slice);
	char *p = open_event(ch, 'X', at, ts_ns);

	memcpy(p, slice, len);
	close_event(ch, p + len);
	len = strlen(label);
	p = open_event(ch, phase, at, ts_ns);
	if (phase == 'f')
		PUT(p, ",\"bp\":\"e\"");
	memcpy(p, label, len);
	close_event(ch, rs_put_digits(p + len, ch->next_id));
}

void rs_chrome_flow(struct rs_chrome *ch, const struct rs_chrome_track *from, uint64_t from_ns,
		    const struct rs_chrome_track *to, uint64_t to_ns)
{
	static const char label[] = ",\"name\":\"wake\",\"cat\":\"wake\",\"id\":";

	ch->next_id++;
	chrome_put_end(ch, 's', from, from_ns, ",\"dur\":0,\"name\":\"wake\",\"cat\":\"wake\"", label);
	chrome_put_end(ch, 'f', to, to_ns, ",\"dur\":0,\"name\":\"woken\",\"cat\":\"wake\"", label);
}

void rs_chrome_path_flow(struct rs_chrome *ch, char phase, const struct rs_chrome_track *at, uint64_t ts_ns)
{
	chrome_put_end(ch, phase, at, ts_ns, ",\"dur\":0,\"name\":\"critical path\",\"cat\":\"path-flow\"",
		       ",\"name\":\"critical path\",\"cat\":\"critical-path\",\"id\":");
}

void rs_chrome_link(struct rs_chrome *ch, const struct rs_chrome_track *at, uint64_t from_ns, uint64_t to_ns,
		    const char *name, unsigned int path, unsigned int link, const char *text)
{
	char *p = open_event(ch, 'X', at, from_ns);

	p = put_dur(ch, p, from_ns, to_ns);
	PUT(p, ",\"cat\":\"critical-path\",\"name\":\"");
	p = chrome_put_escaped(ch, p, name);
	PUT(p, ",\"args\":{\"path\":");
	p = rs_put_digits(p, path);
	PUT(p, ",\"link\":");
	p = rs_put_digits(p, link);
	PUT(p, ",\"text\":\"");
	p = chrome_put_escaped(ch, p, text);
	*p++ = '}';
	close_event(ch, p);
}

/* Behind a text of any length. */
static char *chrome_put_fact_of(struct rs_chrome *ch, char *p, const char *key, const char *text)
{
	if (!text || !*text)
		return p;
	p = room(ch, p, ROOM);
	PUT(p, ",\"");
	p = chrome_put_escaped(ch, p, key);
	PUT(p, ":\"");
	return chrome_put_escaped(ch, p, text);
}

void rs_chrome_finding(struct rs_chrome *ch, const struct rs_chrome_track *at, uint64_t from_ns,
		       uint64_t to_ns, const struct rs_finding_item *f)
{
	char text[RS_FINDING_TEXT], *p = open_event(ch, 'X', at, from_ns);

	p = put_dur(ch, p, from_ns, to_ns);
	PUT(p, ",\"cat\":\"finding\",\"name\":\"");
	p = chrome_put_escaped(ch, p, rs_finding_list_text(f, text));
	PUT(p, ",\"args\":{\"cost_ns\":");
	p = rs_put_digits(p, f->cost_ns);
	p = chrome_put_fact_of(ch, p, "rule", f->rule->name);
	p = chrome_put_fact_of(ch, p, "victim", f->victim.name);
	p = chrome_put_fact_of(ch, p, "culprit", f->culprit.name);
	p = chrome_put_fact_of(ch, p, "code", rs_finding_list_code(f, text));
	p = chrome_put_fact_of(ch, p, "advice", f->rule->advice);
	*p++ = '}';
	close_event(ch, p);
}

void rs_chrome_counter(struct rs_chrome *ch, const struct rs_chrome_track *at, const char *name,
		       const char *series, uint64_t ts_ns, int64_t value)
{
	char *p = open_event(ch, 'C', at, ts_ns);

	PUT(p, ",\"name\":\"");
	p = chrome_put_escaped(ch, p, name);
	PUT(p, ",\"args\":{\"");
	p = chrome_put_escaped(ch, p, series);
	*p++ = ':';
	p = chrome_put_i64(p, value);
	*p++ = '}';
	close_event(ch, p);
}

void rs_chrome_loss(struct rs_chrome *ch, const struct rs_gap *gap)
{
	struct rs_chrome_track at;
	char *p;

	rs_chrome_track_set(&at, ch->cpus_track.pid, ch->cpus_track.pid + gap->cpu);
	p = open_event(ch, 'i', &at, gap->to_ns);
	PUT(p, ",\"s\":\"t\",\"name\":\"lost events\",\"cat\":\"loss\",\"args\":{\"cpu\":");
	p = rs_put_digits(p, gap->cpu);
	PUT(p, ",\"since_us\":");
	p = rs_put_thousandths(p, since_base(ch, gap->from_ns));
	if (gap->nr_lost) {
		PUT(p, ",\"lost\":\"");
		p = rs_put_digits(p, gap->nr_lost);
		*p++ = '"';
	}
	*p++ = '}';
	close_event(ch, p);
}

void rs_chrome_sample(struct rs_chrome *ch, const struct rs_chrome_track *at, uint64_t ts_ns, uint32_t frame)
{
	char *p = open_event(ch, 'P', at, ts_ns);

	PUT(p, ",\"name\":\"sample\",\"cat\":\"sample\",\"sf\":\"");
	p = rs_put_digits(p, frame);
	*p++ = '"';
	close_event(ch, p);
}

static char *open_metadata(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid)
{
	struct rs_chrome_track at;
	char *p;

	rs_chrome_track_set(&at, pid, tid);
	p = open_event(ch, 'M', &at, ch->scene.begin_ns);
	PUT(p, ",\"name\":\"");
	return chrome_put_escaped(ch, p, what);
}

void rs_chrome_name(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, const char *name)
{
	char *p = open_metadata(ch, what, pid, tid);

	PUT(p, ",\"args\":{\"name\":\"");
	p = chrome_put_escaped(ch, p, name);
	*p++ = '}';
	close_event(ch, p);
}

void rs_chrome_label(struct rs_chrome *ch, uint32_t pid, const char *machine, const char *cmdline)
{
	char *p = open_metadata(ch, "process_labels", pid, pid);

	PUT(p, ",\"args\":{\"labels\":\"");
	if (machine)
		p = chrome_put_escaped(ch, p, machine);
	if (machine && cmdline) {
		p[-1] = ','; /* in place of the quote */
		*p++ = ' ';
	}
	if (cmdline)
		p = chrome_put_escaped(ch, p, cmdline);
	*p++ = '}';
	close_event(ch, p);
}

void rs_chrome_sort_index(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, int64_t index)
{
	char *p = open_metadata(ch, what, pid, tid);

	PUT(p, ",\"args\":{\"sort_index\":");
	p = chrome_put_i64(p, index);
	*p++ = '}';
	close_event(ch, p);
}

/* ---- metadata ---- */

static void chrome_put_fact(void *arg, const char *key, const char *text)
{
	rs_json_put_str(arg, key, text);
}

void rs_chrome_metadata(struct rs_chrome *ch, const struct rs_quality *q, struct rs_buf *out)
{
	struct rs_json j;

	rs_json_init(&j, out);
	rs_json_open(&j, '{');
	rs_export_describe(q, ch->scene.begin_ns, ch->scene.nr_cut, chrome_put_fact, &j);
	if (ch->limit && rs_size_limit_drops(ch->limit)) {
		rs_json_key(&j, "ringside_left_out");
		rs_size_limit_put(ch->limit, &j);
	}
	rs_json_close(&j, '}');
}
