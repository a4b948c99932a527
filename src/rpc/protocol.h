/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * protocol.h - the messages of the protocol (docs/protocol.md): messages.inc declares the struct of each
 *
 * A request of all zeros asks for the defaults. An answer is valid as long as the frame that it was read
 * from. Numbers are in base units, times in ns of the trace clock; an unknown struct rs_value is null.
 */
#ifndef RS_RPC_PROTOCOL_H
#define RS_RPC_PROTOCOL_H

#include <string.h>

#include "base/message.h"
#include "model/quality.h"
#include "ringside/span.h"
#include "ringside/table.h"

#define RS_PROTOCOL 5
#define RS_MAX_OPEN_REQUESTS 32
#define RS_MAX_UNREAD_BYTES (32u << 20) /* for one client; then it is disconnected */
#define RS_MAX_UNREAD_SECONDS 10
#define RS_HELLO_SECONDS 5              /* a new client must send "hello" within this time */
#define RS_MAX_CLIENTS_OF_ONE 32        /* connections of one user; root and the owner have no limit */
#define RS_MAX_SPANS_TRACKS 128
#define RS_MAX_LISTED_TRACKS 4096
#define RS_MAX_OPEN 1000
#define RS_MAX_ASKED_ROWS 100000
#define RS_MAX_KIND_SUMS 2048

struct rs_protocol_op {
	const char *name;
	const struct rs_message *request, *reply; /* reply: its members besides id and ok */
	const char *help;
};

/*
 * ---- the views and the span kinds of a server, as its answer to "hello" lists them ----
 *
 * The client uses the same struct rs_view as the analyses, with panel and latencies; its .rows is NULL.
 */

struct rs_catalogue_view {
	struct rs_view view;
	const char *analysis;
	const char *why_off;      /* NULL: the view is on */
	/* each request analyzes its time range anew: slow, so asked only where it is wanted */
	bool on_demand;
};

struct rs_catalogue_kind {
	const char *name;         /* "syscall" */
	unsigned int number;      /* the number in spans */
	enum rs_track_type track;
	enum rs_span_shape shape;
	const char *rate;         /* "calls": their rate is worth showing; NULL: it is not */
	/* "system call": the slowest are worth showing, under this name; NULL: they are not */
	const char *slowest;
	const char *cause;        /* "lock": what such spans wait for; NULL: they are no waits, or states */
};

struct rs_catalogue_format {
	const char *name, *endings; /* of files' names, each with its dot: the first is the usual one */
	const char *help;
};

struct rs_catalogue {
	const struct rs_catalogue_view *views;
	size_t nr_views;
	const struct rs_catalogue_kind *kinds;
	size_t nr_kinds;
	const struct rs_catalogue_format *formats; /* that the engine saves */
	size_t nr_formats;
};

/* NULL: none, also below. */
static inline const struct rs_catalogue_view *rs_catalogue_view(const struct rs_catalogue *c,
								const char *name)
{
	for (size_t i = 0; i < c->nr_views; i++)
		if (!strcmp(c->views[i].view.name, name))
			return &c->views[i];
	return NULL;
}

static inline const struct rs_catalogue_view *rs_catalogue_view_of(const struct rs_catalogue *c,
								   enum rs_view_role role)
{
	for (size_t i = 0; i < c->nr_views; i++)
		if (c->views[i].view.role == role)
			return &c->views[i];
	return NULL;
}

static inline const struct rs_catalogue_kind *rs_catalogue_kind(const struct rs_catalogue *c,
								unsigned int number)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (c->kinds[i].number == number)
			return &c->kinds[i];
	return NULL;
}

extern const struct rs_message rs_catalogue_message;

/* ---- messages ---- */

extern const struct rs_protocol_op rs_protocol_ops[]; /* ends with a NULL name */
const struct rs_protocol_op *rs_protocol_find_op(const char *name); /* NULL: no name, or unknown */
struct rs_asked_time;
/* NULL: the request has no time */
const struct rs_asked_time *rs_protocol_time(const struct rs_protocol_op *op, const void *request);

enum rs_step_by { RS_STEP_BY_END, RS_STEP_BY_LENGTH };
enum rs_latencies_as { RS_LATENCIES_HISTOGRAM, RS_LATENCIES_HEAT, RS_LATENCIES_SLOWEST };

#include "rpc/messages.inc"

/* ---- values ---- */

extern const struct rs_word rs_words_types[], rs_words_units[], rs_words_flags[], rs_words_view_kinds[],
	rs_words_tracks[], rs_words_shapes[], rs_words_panels[];

/* Converts a view's cell for sending. */
struct rs_scalar rs_protocol_scalar(const struct rs_column *column, const struct rs_value *value);
/*
 * Converts it back; a text stays valid as long as the scalar's. Returns false if the type differs from the
 * column's.
 */
bool rs_protocol_value(const struct rs_scalar *scalar, const struct rs_column *column,
		       struct rs_value *value);

#endif
