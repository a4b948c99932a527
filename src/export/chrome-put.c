// SPDX-License-Identifier: GPL-2.0-or-later
/* One event each, as a line: the shortest spelling that all readers take. */
#include "export/chrome.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/units.h"

#define EXACT_MAX (1ull << 53) /* readers keep numbers in doubles: larger ones go as text */

static void put_u64(struct rs_buf *b, const char *key, uint64_t v)
{
	char text[RS_UNIT_TEXT];

	rs_buf_puts(b, key);
	rs_buf_add(b, text, rs_put_u64(text, v));
}

/* Microseconds with three decimals. */
static void put_time(struct rs_buf *b, const char *key, uint64_t ns)
{
	char text[RS_UNIT_TEXT];

	rs_buf_puts(b, key);
	rs_buf_add(b, text, rs_put_fixed(text, ns, 3));
}

/* What began before the first event (a stall is told of at its end) begins with it: readers drop times below 0. */
static uint64_t since_base(const struct rs_chrome *ch, uint64_t ns)
{
	return ns > ch->base_ns ? ns - ch->base_ns : 0;
}

/* {"ph":"X","pid":1,"tid":2,"ts":3.000 : all that every event has. */
static struct rs_buf *open_event(struct rs_chrome *ch, const char *ph, const struct rs_chrome_where *at, uint64_t ts_ns)
{
	struct rs_buf *b = ch->out;

	rs_buf_puts(b, ch->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	ch->any = true;
	rs_buf_puts(b, ph);
	put_u64(b, "\",\"pid\":", at->pid);
	put_u64(b, ",\"tid\":", at->tid);
	put_time(b, ",\"ts\":", since_base(ch, ts_ns));
	return b;
}

static void put_text(struct rs_buf *b, const char *key, const char *text)
{
	rs_buf_puts(b, key);
	rs_escape_json(b, text);
	rs_buf_putc(b, '"');
}

static void put_label(struct rs_buf *b, struct rs_ctx *c, const struct rs_span_kind *kind, const struct rs_span *span)
{
	char buf[64];
	const char *label = kind->label ? kind->label(c, span->arg, buf, sizeof buf) : NULL;

	/* an event without a name makes one reader refuse the whole file */
	put_text(b, ",\"name\":\"", label && *label ? label : kind->name);
	put_text(b, ",\"cat\":\"", kind->name);
}

static void put_i64(struct rs_buf *b, int64_t v)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(b, text, rs_put_i64(text, v));
}

static void put_value(struct rs_buf *b, const struct rs_column *column, const struct rs_value *v)
{
	bool is_signed = column->flags & RS_COLUMN_SIGNED;
	bool is_exact = is_signed ? v->i > -(int64_t)EXACT_MAX && v->i < (int64_t)EXACT_MAX : v->u < EXACT_MAX;

	if (column->type == RS_TYPE_TEXT) {
		put_text(b, "\"", v->s);
		return;
	}
	rs_buf_puts(b, is_exact ? "" : "\"");
	if (is_signed)
		put_i64(b, v->i);
	else
		put_u64(b, "", v->u);
	rs_buf_puts(b, is_exact ? "" : "\"");
}

/*
 * The details that the analysis gave along, and whether it goes on; what is unknown is left out, as readers drop
 * null. Names of columns are words (a descriptor with others is refused): they need no escape.
 */
static void put_args(struct rs_buf *b, const struct rs_span_kind *kind, const struct rs_span *span)
{
	bool any = span->open;

	if (any)
		rs_buf_puts(b, ",\"args\":{\"open\":1");
	for (unsigned int i = 0; span->values && kind->columns && kind->columns[i].name; i++) {
		if (!span->values[i].known)
			continue;
		rs_buf_puts(b, any ? ",\"" : ",\"args\":{\"");
		rs_buf_puts(b, kind->columns[i].name);
		rs_buf_puts(b, "\":");
		put_value(b, &kind->columns[i], &span->values[i]);
		any = true;
	}
	if (any)
		rs_buf_putc(b, '}');
}

void rs_chrome_slice(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_where *at, const struct rs_span_kind *kind,
		     const struct rs_span *span, uint64_t start_ns)
{
	struct rs_buf *b = open_event(ch, "X", at, start_ns);

	put_time(b, ",\"dur\":", since_base(ch, span->end_ns) - since_base(ch, start_ns));
	put_label(b, c, kind, span);
	put_args(b, kind, span);
	rs_buf_putc(b, '}');
}

void rs_chrome_instant(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_where *at, const struct rs_span_kind *kind,
		       const struct rs_span *span)
{
	struct rs_buf *b = open_event(ch, "i", at, span->end_ns);

	rs_buf_puts(b, ",\"s\":\"t\"");
	put_label(b, c, kind, span);
	put_args(b, kind, span);
	rs_buf_putc(b, '}');
}

/* Several at once on one track: readers pack those of a process, by "local" ids, into as many rows as it takes. */
void rs_chrome_async(struct rs_chrome *ch, struct rs_ctx *c, uint32_t pid, const struct rs_span_kind *kind, const struct rs_span *span)
{
	const struct rs_chrome_where at = { pid, pid };
	uint64_t id = ++ch->next_id;
	struct rs_buf *b;

	b = open_event(ch, "b", &at, span->start_ns);
	put_u64(b, ",\"id2\":{\"local\":\"", id);
	rs_buf_puts(b, "\"}");
	put_label(b, c, kind, span);
	put_args(b, kind, span);
	rs_buf_putc(b, '}');
	b = open_event(ch, "e", &at, span->end_ns);
	put_u64(b, ",\"id2\":{\"local\":\"", id);
	rs_buf_puts(b, "\"}");
	put_label(b, c, kind, span);
	rs_buf_putc(b, '}');
}

void rs_chrome_state(struct rs_chrome *ch, const struct rs_chrome_where *at, const char *name, uint64_t from_ns, uint64_t to_ns,
		     int cpu, bool io_wait)
{
	struct rs_buf *b = open_event(ch, "T", at, from_ns);

	put_time(b, ",\"dur\":", since_base(ch, to_ns) - since_base(ch, from_ns));
	put_text(b, ",\"name\":\"", name);
	if (cpu >= 0)
		put_u64(b, ",\"args\":{\"cpu\":", (uint64_t)cpu);
	else if (io_wait)
		rs_buf_puts(b, ",\"args\":{\"io_wait\":1");
	rs_buf_puts(b, cpu >= 0 || io_wait ? "}}" : "}");
}

/* Ids are fresh integers: a string would be read as hexadecimal. The end binds to the slice that is open there. */
void rs_chrome_flow(struct rs_chrome *ch, const struct rs_chrome_where *from, uint64_t from_ns, const struct rs_chrome_where *to,
		    uint64_t to_ns)
{
	uint64_t id = ++ch->next_id;

	put_u64(open_event(ch, "s", from, from_ns), ",\"name\":\"wake\",\"cat\":\"wake\",\"id\":", id);
	rs_buf_putc(ch->out, '}');
	put_u64(open_event(ch, "f", to, to_ns), ",\"bp\":\"e\",\"name\":\"wake\",\"cat\":\"wake\",\"id\":", id);
	rs_buf_putc(ch->out, '}');
}

void rs_chrome_counter(struct rs_chrome *ch, uint32_t pid, const char *name, uint64_t ts_ns, int64_t value)
{
	const struct rs_chrome_where at = { pid, pid };
	struct rs_buf *b = open_event(ch, "C", &at, ts_ns);

	put_text(b, ",\"name\":\"", name);
	put_u64(b, ",\"args\":{\"n\":", value > 0 ? (uint64_t)value : 0);
	rs_buf_puts(b, "}}");
}

void rs_chrome_loss(struct rs_chrome *ch, const struct rs_gap *gap)
{
	const struct rs_chrome_where at = { RS_CHROME_CPUS, RS_CHROME_CPUS + 1 + gap->cpu };
	struct rs_buf *b = open_event(ch, "i", &at, gap->to_ns);

	rs_buf_puts(b, ",\"s\":\"g\",\"name\":\"lost events\",\"cat\":\"loss\"");
	put_u64(b, ",\"args\":{\"cpu\":", gap->cpu);
	put_time(b, ",\"since_us\":", since_base(ch, gap->from_ns));
	if (gap->nr_lost)
		put_u64(b, ",\"lost\":\"", gap->nr_lost);
	rs_buf_puts(b, gap->nr_lost ? "\"}}" : "}}");
}

static struct rs_buf *open_metadata(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid)
{
	const struct rs_chrome_where at = { pid, tid };
	struct rs_buf *b = open_event(ch, "M", &at, ch->base_ns);

	put_text(b, ",\"name\":\"", what);
	return b;
}

void rs_chrome_name(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, const char *name)
{
	put_text(open_metadata(ch, what, pid, tid), ",\"args\":{\"name\":\"", name);
	rs_buf_puts(ch->out, "}}");
}

void rs_chrome_sort_index(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, int64_t index)
{
	char text[RS_UNIT_TEXT];
	struct rs_buf *b = open_metadata(ch, what, pid, tid);

	rs_buf_puts(b, ",\"args\":{\"sort_index\":");
	rs_buf_add(b, text, rs_put_i64(text, index));
	rs_buf_puts(b, "}}");
}

static void put_known(struct rs_json *j, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	rs_json_key(j, key);
	rs_json_str(j, value);
}

static void put_number(struct rs_json *j, const char *key, uint64_t value)
{
	char text[RS_UNIT_TEXT + 1];

	text[rs_put_u64(text, value)] = '\0';
	rs_json_key(j, key);
	rs_json_str(j, text);
}

/* As text: times and sums may be more than a double holds. */
void rs_chrome_metadata(struct rs_chrome *ch, const struct rs_trust *trust)
{
	char text[RS_UNIT_TEXT + 1];
	struct rs_json j;

	rs_json_init(&j, ch->out);
	rs_json_open(&j, '{');
	put_known(&j, "ringside_version", trust->version);
	put_known(&j, "ringside_kernel", trust->kernel);
	put_known(&j, "ringside_clock", trust->clock);
	put_known(&j, "ringside_unit", trust->unit);
	put_known(&j, "ringside_filters", trust->filters);
	put_number(&j, "ringside_base_ns", ch->base_ns);
	if (trust->realtime_offset_known) {
		text[rs_put_i64(text, trust->realtime_offset_ns)] = '\0';
		put_known(&j, "ringside_realtime_offset_ns", text);
	}
	put_number(&j, "ringside_events", trust->events);
	put_number(&j, "ringside_lost", rs_trust_lost(trust));
	put_number(&j, "ringside_gaps", trust->gaps);
	put_number(&j, "ringside_gaps_uncounted", trust->gaps_uncounted);
	put_number(&j, "ringside_orphans", trust->orphans);
	put_number(&j, "ringside_voided", trust->voided);
	put_number(&j, "ringside_inferred", trust->inferred);
	put_number(&j, "ringside_in_flight", trust->in_flight);
	put_number(&j, "ringside_evicted", trust->evicted);
	put_number(&j, "ringside_slices_cut", ch->nr_clamped);
	rs_json_close(&j, '}');
}
