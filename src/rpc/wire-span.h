/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire-span.h - spans and tracks in requests and answers (docs/protocol.md)
 */
#ifndef RS_RPC_WIRE_SPAN_H
#define RS_RPC_WIRE_SPAN_H

#include <cjson/cJSON.h>

#include "base/json.h"
#include "query/slowest-spans.h"

#define RS_DEPTH_UNKNOWN UINT32_MAX

/* The object. */
void rs_wire_span(struct rs_json *j, struct rs_timelines *t, const struct rs_slowest_span *s, unsigned int depth);
void rs_wire_put_track(struct rs_json *j, const char *key, const struct rs_track_ref *ref); /* a member; NULL: null */

/* Members of a request. Each -1 with err where it makes no sense. */
int rs_wire_span_read_track(const cJSON *request, struct rs_track_ref *ref, struct rs_error *err);
/* "tracks", or else "track"; *nr at most max. */
int rs_wire_span_read_tracks(const cJSON *request, struct rs_track_ref *refs, size_t max, size_t *nr, struct rs_error *err);
/* Without it: optional is returned. */
int rs_wire_span_read_row(const cJSON *request, enum rs_span_shape *lane, struct rs_error *err);
/* from_ns, to_ns; without them all that there is. */
int rs_wire_span_read_time(const cJSON *request, uint64_t *from_ns, uint64_t *to_ns, struct rs_error *err);
int rs_wire_span_read_number(const cJSON *request, const char *name, uint64_t otherwise, uint64_t most,
			     uint64_t *v,
			     struct rs_error *err);
/* A kind by its number or its name. */
int rs_wire_span_read_kind(const cJSON *request, const struct rs_timelines *t, unsigned int *kind, struct rs_error *err);

#endif
