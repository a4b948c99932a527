/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * protocol.h - the messages of the protocol (docs/protocol.md): messages.inc declares the struct of each
 *
 * A request of all zeros asks for the defaults. An answer is valid as long as the frame that it was read from.
 * Numbers are in base units, times in ns of the trace clock; an unknown struct rs_value is null.
 */
#ifndef RS_RPC_PROTOCOL_H
#define RS_RPC_PROTOCOL_H

#include "base/message.h"
#include "model/quality.h"
#include "rpc/catalogue.h"

#define RS_PROTOCOL 2
#define RS_MAX_OPEN_REQUESTS 32
#define RS_MAX_UNREAD_BYTES (32u << 20) /* for one client; then it is disconnected */
#define RS_MAX_UNREAD_SECONDS 10
#define RS_HELLO_SECONDS 5              /* a new client must send "hello" within this time */
#define RS_MAX_CLIENTS_OF_ONE 32        /* connections of one user; root and the owner have no limit */
#define RS_MAX_SPANS_TRACKS 128
#define RS_MAX_LISTED_TRACKS 4096
#define RS_MAX_OPEN 1000
#define RS_MAX_ASKED_ROWS 100000

struct rs_protocol_op {
	const char *name;
	const struct rs_message *request, *reply; /* reply: its members besides id and ok */
	const char *help;
};

extern const struct rs_message rs_catalogue_message;

extern const struct rs_protocol_op rs_protocol_ops[]; /* ends with a NULL name */
const struct rs_protocol_op *rs_protocol_find_op(const char *name); /* NULL: no name, or unknown */
struct rs_asked_time;
const struct rs_asked_time *rs_protocol_time(const struct rs_protocol_op *op, const void *request); /* NULL: the request has no time */

enum rs_step_by { RS_STEP_BY_END, RS_STEP_BY_LENGTH };
enum rs_latencies_as { RS_LATENCIES_HISTOGRAM, RS_LATENCIES_HEAT, RS_LATENCIES_SLOWEST };

#include "rpc/messages.inc"

/* ---- values ---- */

extern const struct rs_word rs_words_types[], rs_words_units[], rs_words_flags[], rs_words_view_kinds[], rs_words_tracks[],
	rs_words_shapes[], rs_words_panels[];

/* Converts a view's cell for sending. */
struct rs_scalar rs_protocol_scalar(const struct rs_column *column, const struct rs_value *value);
/* Converts it back; a text stays valid as long as the scalar's. Returns false if the type differs from the column's. */
bool rs_protocol_value(const struct rs_scalar *scalar, const struct rs_column *column, struct rs_value *value);

#endif
