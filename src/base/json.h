/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - the one JSON writer: owns commas, nesting and escaping
 *
 *	struct rs_json j;
 *	rs_json_init(&j, &buf);
 *	rs_json_open(&j, '{');
 *	rs_json_key(&j, "lat_ns"); rs_json_u64(&j, 1234);
 *	rs_json_key(&j, "comm");   rs_json_str(&j, hostile_bytes);
 *	rs_json_close(&j, '}');
 *
 * Numbers are written by integer arithmetic. Strings: control characters become
 * \u00XX, what is not valid UTF-8 becomes U+FFFD; all else goes out as it is.
 */
#ifndef RS_BASE_JSON_H
#define RS_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct rs_json {
	struct rs_buf *out;
	bool needs_comma;
};

void rs_json_init(struct rs_json *j, struct rs_buf *out);
void rs_json_open(struct rs_json *j, char bracket);  /* '{' or '[' */
void rs_json_close(struct rs_json *j, char bracket); /* '}' or ']' */
void rs_json_key(struct rs_json *j, const char *key);
void rs_json_u64(struct rs_json *j, uint64_t v);
void rs_json_i64(struct rs_json *j, int64_t v);
void rs_json_milli(struct rs_json *j, uint64_t thousandths); /* 1500 -> 1.5 */
void rs_json_str(struct rs_json *j, const char *s); /* NULL: null */
void rs_json_bool(struct rs_json *j, bool v);
void rs_json_null(struct rs_json *j);
/* A member: its key and its value. */
void rs_json_put_str(struct rs_json *j, const char *key, const char *s);
void rs_json_put_u64(struct rs_json *j, const char *key, uint64_t v);
void rs_json_put_bool(struct rs_json *j, const char *key, bool v);
/* Values that another writer wrote, with the commas between them; none where len is 0. */
void rs_json_splice(struct rs_json *j, const char *values, size_t len);

#endif
