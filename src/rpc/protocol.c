// SPDX-License-Identifier: GPL-2.0-or-later
/* protocol - the messages of the protocol (docs/protocol.md): messages.inc declares the struct of each */
#include "rpc/protocol.h"

#include <string.h>

#include "query/latency-dist.h"
#include "query/step.h"
#include "ringside/plugin.h"

#define BIT(flag) (unsigned int)__builtin_ctz(flag)

/* ---- words ---- */

const struct rs_word rs_words_types[] = {
	{ "text", RS_TYPE_TEXT }, { "count", RS_TYPE_COUNT }, { "id", RS_TYPE_ID }, { "time", RS_TYPE_TIME },
	{ "duration", RS_TYPE_DURATION }, { "bytes", RS_TYPE_BYTES }, { "milli", RS_TYPE_MILLI }, { 0 },
};
const struct rs_word rs_words_units[] = {
	{ "auto", RS_UNIT_AUTO }, { "s", RS_UNIT_S }, { "ms", RS_UNIT_MS }, { "us", RS_UNIT_US }, { 0 },
};
const struct rs_word rs_words_flags[] = {
	{ "latency", BIT(RS_COLUMN_LATENCY) }, { "left", BIT(RS_COLUMN_LEFT) },
	{ "signed", BIT(RS_COLUMN_SIGNED) },
	{ "key", BIT(RS_COLUMN_KEY) }, { "sum", BIT(RS_COLUMN_SUM) }, { "part", BIT(RS_COLUMN_PART) },
	{ "if_known", BIT(RS_COLUMN_IF_KNOWN) }, { "of_file", BIT(RS_COLUMN_OF_FILE) },
	{ "of_samples", BIT(RS_COLUMN_OF_SAMPLES) }, { "of_stacks", BIT(RS_COLUMN_OF_STACKS) },
	{ "on_request", BIT(RS_COLUMN_ON_REQUEST) },
	{ "begin", BIT(RS_COLUMN_BEGIN) }, { "end", BIT(RS_COLUMN_END) },
	{ "length", BIT(RS_COLUMN_LENGTH) }, { 0 },
};
const struct rs_word rs_words_view_kinds[] = {
	{ "table", RS_VIEW_TABLE }, { "stream", RS_VIEW_STREAM }, { "histogram", RS_VIEW_HIST }, { 0 },
};
const struct rs_word rs_words_tracks[] = {
	{ "task", RS_TRACK_TASK }, { "cpu", RS_TRACK_CPU }, { "disk", RS_TRACK_DISK },
	{ "connection", RS_TRACK_CONNECTION }, { 0 },
};
const struct rs_word rs_words_shapes[] = {
	{ "slice", RS_SPAN_SLICE }, { "state", RS_SPAN_STATE }, { "async", RS_SPAN_ASYNC },
	{ "instant", RS_SPAN_INSTANT }, { "counter", RS_SPAN_COUNTER },
	{ "sample", RS_SPAN_SAMPLE }, { 0 },
};
const struct rs_word rs_words_panels[] = { { "split", RS_PANEL_SPLIT }, { "table", RS_PANEL_TABLE }, { 0 } };
static const struct rs_word rs_words_roles[] = {
	{ "none", RS_ROLE_NONE }, { "cpu-stacks", RS_ROLE_CPU_STACKS },
	{ "wait-stacks", RS_ROLE_WAIT_STACKS }, { "path", RS_ROLE_PATH },
	{ "wait-tree", RS_ROLE_WAIT_TREE }, { "what-if", RS_ROLE_WHAT_IF },
	{ "alike", RS_ROLE_ALIKE },
	{ "time", RS_ROLE_TIME }, { "antagonists", RS_ROLE_ANTAGONISTS },
	{ "disk-queue", RS_ROLE_DISK_QUEUE }, { 0 },
};
#define TOPIC_WORD(name, word, question) { word, RS_TOPIC_##name },
static const struct rs_word rs_words_topics[] = {
	{ "other", RS_TOPIC_OTHER }, RS_TOPICS(TOPIC_WORD) { 0 }
};
static const struct rs_word rs_words_step_by[] = { { "end", RS_STEP_BY_END },
						   { "length", RS_STEP_BY_LENGTH },
						   { 0 } };
static const struct rs_word rs_words_as[] = {
	{ "histogram", RS_LATENCIES_HISTOGRAM }, { "heat", RS_LATENCIES_HEAT },
	{ "slowest", RS_LATENCIES_SLOWEST }, { 0 },
};
static const struct rs_word rs_words_confidence[] = { { "measured", RS_MEASURED },
						      { "inferred", RS_INFERRED },
						      { 0 } };
static const struct rs_word rs_words_switch[] = { { "off", 0 }, { "on", 1 }, { 0 } };

/* ---- the catalogue: read into the structs that analyses declare ---- */

RS_MESSAGE(rs_column)
	{ "name", RS_STRING, RS_AT(name), .required = true },
	{ "heading", RS_STRING, RS_AT(heading), .required = true },
	{ "type", RS_WORD, RS_AT(type), .words = rs_words_types, .required = true },
	{ "unit", RS_WORD, RS_AT(unit), .words = rs_words_units, .lenient = true },
	{ "flags", RS_WORDS, RS_AT(flags), .words = rs_words_flags },
	{ "width", RS_NUMBER, RS_AT(width), .most = 1000 },
	{ "help", RS_STRING, RS_AT(help), .required = true },
RS_MESSAGE_END(rs_column, RS_OBJECT_OF, NULL)

static const char *cause_word(unsigned int cause)
{
	return rs_cause_row((enum rs_cause)cause)->word;
}

static bool find_cause(const char *word, unsigned int *number)
{
	enum rs_cause cause;
	bool found = rs_cause_find(word, &cause);

	if (found)
		*number = cause;
	return found;
}

RS_MESSAGE(rs_part)
	{ "column", RS_STRING, RS_AT(column), .required = true },
	{ "cause", RS_WORD, RS_AT(cause), .wire = "means", .word = cause_word, .find = find_cause,
	  .required = true },
RS_MESSAGE_END(rs_part, RS_OBJECT_OF, NULL)

RS_MESSAGE(rs_panel)
	{ "kind", RS_WORD, RS_AT(kind), .words = rs_words_panels, .required = true },
	{ "title", RS_STRING, RS_AT(title), .required = true },
	{ "columns", RS_STRING, RS_AT(columns), .required = true, .help = "names, a comma between" },
	{ "sort", RS_STRING, RS_AT(sort) },
	{ "place", RS_NUMBER, RS_AT(place), .most = UINT16_MAX, .help = "panels come in this order" },
	{ "opens", RS_STRING, RS_AT(opens), .help = "the view to open on a row; null: all that know it" },
	{ "every", RS_BOOL, RS_AT(every), .help = "every row is wanted" },
	{ "fold_by", RS_STRING, RS_AT(fold_by), .help = "for `fold` of `rows`, or null" },
	{ "otherwise", RS_BOOL, RS_AT(otherwise), .help = "shown only where no other panel has rows" },
	{ "parts", RS_ARRAY, RS_AT(parts), .most = RS_MAX_PARTS, .of = &rs_part_message,
	  .help = "they sum to the whole of a row" },
RS_MESSAGE_END(rs_panel, RS_OBJECT_OF, NULL)

RS_MESSAGE(rs_latencies)
	{ "columns", RS_STRING, RS_AT(columns), .required = true },
	{ "kind", RS_STRING, RS_AT(kind) },
	{ "kind_column", RS_STRING, RS_AT(kind_column), .help = "the kind is what a row has there" },
	{ "label_column", RS_STRING, RS_AT(label_column), .help = "the label is what a row has there" },
	{ "labels", RS_STRING, RS_AT(labels), .help = "else any of these, a comma between; null: any" },
	{ "track_column", RS_STRING, RS_AT(track_column) },
RS_MESSAGE_END(rs_latencies, RS_OBJECT_OF, NULL)

static bool view_is_valid(const void *message)
{
	return ((const struct rs_catalogue_view *)message)->view.columns->name;
}

RS_MESSAGE(rs_catalogue_view){ "name", RS_STRING, RS_AT(view.name), .required = true },
	{ "summary", RS_STRING, RS_AT(view.summary), .required = true },
	{ "base", RS_STRING, RS_AT(view.base),
	  .help = "what sums and percentages of a row are of; null: its columns say it" },
	{ "analysis", RS_STRING, RS_AT(analysis), .required = true },
	{ "kind", RS_WORD, RS_AT(view.kind), .words = rs_words_view_kinds, .required = true },
	{ "role",           RS_WORD,
	  RS_AT(view.role), .words = rs_words_roles,
	  .lenient = true,  .help = "which screen is of it" },
	{ "topic", RS_WORD, RS_AT(view.topic), .words = rs_words_topics, .lenient = true,
	  .help = "the question that it answers: its group in lists" },
	{ "sort", RS_STRING, RS_AT(view.sort) }, { "text_columns", RS_STRING, RS_AT(view.text_columns) },
	{ "options", RS_STRING, RS_AT(view.options) },
	{ "by_name", RS_BOOL, RS_AT(view.by_name),
	  .help = "as long as the trace itself: kept only once asked for" },
	{ "why_off", RS_STRING, RS_AT(why_off), .help = "null: it can be asked for" },
	{ "on_demand", RS_BOOL, RS_AT(on_demand),
	  .help = "each `rows` analyzes its time range anew; live without one, the last 10 s" },
	{ "columns",           RS_ARRAY,
	  RS_AT(view.columns), .most = RS_MAX_COLUMNS,
	  .required = true,    .of = &rs_column_message },
	{ "panel",           RS_OBJECT,
	  RS_AT(view.panel), .of = &rs_panel_message,
	  .lenient = true,   .help = "what an overview shows of it" },
	{ "latencies",
	  RS_ARRAY,
	  RS_AT(view.latencies),
	  .most = RS_MAX_COLUMNS,
	  .of = &rs_latencies_message,
	  .help = "the spans whose latencies its columns are; a column that is named nowhere goes by the "
		  "first" },
	RS_MESSAGE_END(rs_catalogue_view, RS_OBJECT_OF, view_is_valid)

		RS_MESSAGE(rs_catalogue_kind){ "name", RS_STRING, RS_AT(name), .required = true },
	{ "number", RS_NUMBER, RS_AT(number), .most = UINT16_MAX },
	{ "track", RS_WORD, RS_AT(track), .words = rs_words_tracks, .required = true },
	{ "shape", RS_WORD, RS_AT(shape), .words = rs_words_shapes, .required = true },
	{ "rate", RS_STRING, RS_AT(rate),
	  .help = "what many of them are called: \"calls\"; several may share one" },
	{ "slowest", RS_STRING, RS_AT(slowest), .wire = "worst",
	  .help = "what a slow one is called: \"system call\"; null: not listed" },
	{ "cause", RS_STRING, RS_AT(cause), .help = "what all such spans wait for; null: of `kinds`" },
	RS_MESSAGE_END(rs_catalogue_kind, RS_OBJECT_OF, NULL)

		RS_MESSAGE(rs_catalogue_format){ "name", RS_STRING, RS_AT(name), .required = true },
	{ "endings", RS_STRING, RS_AT(endings), .required = true,
	  .help = "of files' names: \".json\"; of several the first is the usual one" },
	{ "help", RS_STRING, RS_AT(help), .required = true },
	RS_MESSAGE_END(rs_catalogue_format, RS_OBJECT_OF, NULL)

		RS_MESSAGE(rs_catalogue){ "views",     RS_LIST,          RS_AT(views),
					  .most = 256, .required = true, .of = &rs_catalogue_view_message },
	{ "kinds", RS_LIST, RS_AT(kinds), .most = 1024, .required = true, .of = &rs_catalogue_kind_message },
	{ "formats",          RS_LIST,          RS_AT(formats),
	  .most = 64,         .required = true, .of = &rs_catalogue_format_message,
	  .help = "of `save`" },
	RS_MESSAGE_END(rs_catalogue, RS_OBJECT_OF, NULL)

		RS_MESSAGE(rs_quality){ "events", RS_NUMBER, RS_AT(events) },
	{ "gaps", RS_NUMBER, RS_AT(gaps) }, { "gaps_uncounted", RS_NUMBER, RS_AT(gaps_uncounted) },
	{ "unmatched", RS_NUMBER, RS_AT(unmatched) }, { "discarded", RS_NUMBER, RS_AT(discarded) },
	{ "inferred", RS_NUMBER, RS_AT(inferred) }, { "in_flight", RS_NUMBER, RS_AT(in_flight) },
	{ "evicted", RS_NUMBER, RS_AT(evicted) }, { "late", RS_NUMBER, RS_AT(late) },
	{ "bad_pages", RS_NUMBER, RS_AT(bad_pages) }, { "bad_records", RS_NUMBER, RS_AT(bad_records) },
	{ "all_tasks", RS_NUMBER, RS_AT(all_tasks) }, { "no_wakings", RS_NUMBER, RS_AT(no_wakings) },
	{ "sampled", RS_BOOL, RS_AT(sampled), .help = "samples of the CPUs were requested" },
	{ "samples", RS_NUMBER, RS_AT(samples) },
	{ "samples_lost", RS_NUMBER, RS_AT(samples_lost), .help = "that the kernel had no room for" },
	{ "stacks", RS_NUMBER, RS_AT(stacks), .help = "recorded with events" },
	{ "stacks_unmatched", RS_NUMBER, RS_AT(stacks_unmatched), .help = "whose event is not known" },
	{ "stack_cost_ns", RS_NUMBER, RS_AT(stack_cost_ns),
	  .help = "of a wait's event with its stack, as it was measured; 0: unknown" },
	{ "changed", RS_STRING, RS_AT(changed),
	  .help = "what another program changed in the instance, and from when to when; null: nothing" },
	{ "starved_ns", RS_NUMBER, RS_AT(starved_ns),
	  .help = "seconds of which the engine's threads waited for a CPU half or more" },
	RS_MESSAGE_END(rs_quality, RS_OBJECT_OF, NULL)

	/* ---- the others ---- */

	static bool span_is_valid(const void *message)
{
	const struct rs_wire_span *s = message;

	return s->start_ns <= s->end_ns;
}

static bool run_is_valid(const void *message)
{
	const struct rs_wire_run *run = message;

	return run->from < run->to;
}

static bool spans_are_valid(const void *message)
{
	const struct rs_spans_reply *r = message;

	for (const struct rs_spans_track *t = r->tracks; t < r->tracks + r->nr_tracks; t++)
		for (const struct rs_spans_row *row = t->rows; row < t->rows + t->nr_rows; row++)
			for (const struct rs_wire_run *run = row->runs; run < row->runs + row->nr_runs; run++)
				if (run->to > r->cells || run->label >= r->nr_labels)
					return false;
	return r->cell_ns > 0;
}

static bool bucket_is_valid(const void *message)
{
	const struct rs_wire_bucket *b = message;

	return b->from_ns < b->to_ns;
}

static bool heat_row_is_valid(const void *message)
{
	const struct rs_heat_row *row = message;

	return row->from_ns < row->to_ns && row->nr_counts == row->nr_sums_ns;
}

#define RS_MESSAGE_TABLES
#include "rpc/messages.inc"

/* ---- the requests ---- */

static const struct rs_member *nothing_members(void)
{
	static const struct rs_member members[] = { { 0 } };

	return members;
}

static const struct rs_message nothing_message = { RS_REQUEST_OF, nothing_members, 1, NULL };

const struct rs_protocol_op rs_protocol_ops[] = {
	{ "hello", &rs_hello_request_message, &rs_hello_reply_message, "who are you" },
	{ "state", &nothing_message, &rs_state_reply_message, "how things stand" },
	{ "rows", &rs_rows_request_message, &rs_rows_reply_message, "a view's rows" },
	{ "open", &rs_open_request_message, &rs_open_reply_message,
	  "what is in flight, now or at `to_ns`: the oldest first, and after all others the calls (`kind` is "
	  "`call`) that had begun before the capture" },
	{ "findings", &rs_findings_request_message, &rs_findings_reply_message,
	  "what the analyses judge: live of the last whole interval, of a file of all of it, else of the "
	  "time range" },
	{ "alarms", &rs_alarms_request_message, &rs_alarms_reply_message,
	  "the conditions that the daemon judges, and which of them fired" },
	{ "recorded", &rs_recorded_request_message, &nothing_message,
	  "of the daemon's own process: which of them are in a recording: root and the owner" },
	{ "unusual", &nothing_message, &rs_unusual_reply_message,
	  "what is not usual, of what the daemon has learned" },
	{ "forget", &nothing_message, &nothing_message,
	  "throw away what the daemon has learned: root and the owner" },
	{ "incidents", &rs_incidents_request_message, &rs_incidents_reply_message,
	  "findings over time: live those that were found in the intervals of the window, else of the "
	  "time range, which is judged second by second, or in a thousand steps" },
	{ "compare", &rs_compare_request_message, &rs_compare_reply_message,
	  "what changed from one time to another, as `ringside diff` has it" },
	{ "worst", &rs_slowest_request_message, &rs_slowest_reply_message,
	  "the longest spans of each kind that has a `worst` in `hello`" },
	{ "tracks", &rs_tracks_request_message, &rs_tracks_reply_message, "which tracks there are" },
	{ "spans", &rs_spans_request_message, &rs_spans_reply_message, "what tracks show in so many cells" },
	{ "pressure", &rs_pressure_request_message, &rs_pressure_reply_message,
	  "pressure of a control group over time: how long tasks waited for CPU, memory or I/O" },
	{ "span", &rs_span_request_message, &rs_span_reply_message,
	  "one span, who woke its task, and who got its CPU" },
	{ "step", &rs_step_request_message, &rs_span_reply_message,
	  "the next span after one, or the one before, by end or length: `span` alone" },
	{ "details", &rs_details_request_message, &rs_details_reply_message,
	  "the arguments of a span, read from its pages: `from_ns` and `to_ns` are its begin and end" },
	{ "latencies", &rs_latencies_request_message, &rs_latencies_reply_message,
	  "how long the spans of a kind were" },
	{ "kinds", &rs_kinds_request_message, &rs_kinds_reply_message,
	  "which kinds of spans ended in that time, how many, and how long they took together" },
	{ "pin", &rs_pin_request_message, &rs_pin_reply_message,
	  "keep the pages of a time in the window, in place of those pinned before, until `unpin` or the "
	  "connection's end" },
	{ "unpin", &nothing_message, &nothing_message, "keep them no longer" },
	{ "size", &rs_size_request_message, &rs_size_reply_message,
	  "how many bytes a recording of that time has, about" },
	{ "save", &rs_save_request_message, &rs_save_reply_message,
	  "write a file to the descriptor that is passed: root and the owner" },
	{ "trace", &rs_trace_request_message, &rs_status_reply_message,
	  "change what is traced: root and the owner" },
	{ "status", &nothing_message, &rs_status_reply_message, "the daemon's own account" },
	{ "follow", &nothing_message, &rs_follow_reply_message,
	  "the raw pages from now on, to the stream socket that is passed" },
	{ 0 },
};

const struct rs_protocol_op *rs_protocol_find_op(const char *name)
{
	for (const struct rs_protocol_op *op = rs_protocol_ops; name && op->name; op++)
		if (!strcmp(op->name, name))
			return op;
	return NULL;
}

const struct rs_asked_time *rs_protocol_time(const struct rs_protocol_op *op, const void *request)
{
	for (const struct rs_member *m = op->request->members(); m->name; m++)
		if (m->of == &rs_asked_time_message)
			return (const void *)((const char *)request + m->offset);
	return NULL;
}

/* ---- values ---- */

struct rs_scalar rs_protocol_scalar(const struct rs_column *column, const struct rs_value *value)
{
	if (!value->known)
		return (struct rs_scalar){ .is = RS_SCALAR_NULL };
	if (column->type == RS_TYPE_TEXT)
		return (struct rs_scalar){ .is = RS_SCALAR_STRING, .s = value->s };
	if (column->flags & RS_COLUMN_SIGNED)
		return (struct rs_scalar){ .is = RS_SCALAR_NEGATIVE, .i = value->i };
	return (struct rs_scalar){ .is = RS_SCALAR_UNSIGNED, .u = value->u };
}

bool rs_protocol_value(const struct rs_scalar *scalar, const struct rs_column *column, struct rs_value *value)
{
	*value = rs_null();
	if (scalar->is == RS_SCALAR_NULL)
		return true;
	value->known = true;
	if (column->type == RS_TYPE_TEXT) {
		value->s = scalar->is == RS_SCALAR_STRING ? scalar->s : "";
		return scalar->is == RS_SCALAR_STRING;
	}
	return column->flags & RS_COLUMN_SIGNED ? rs_message_scalar_i64(scalar, &value->i) :
						  rs_message_scalar_u64(scalar, &value->u);
}
