// SPDX-License-Identifier: GPL-2.0-or-later
/* json - the one JSON writer: owns commas, nesting and escaping */
#include "base/json.h"

#include "base/escape.h"
#include "base/units.h"

void rs_json_init(struct rs_json *j, struct rs_buf *out)
{
	j->out = out;
	j->needs_comma = false;
}

static void before_value(struct rs_json *j)
{
	if (j->needs_comma)
		rs_buf_putc(j->out, ',');
	j->needs_comma = true;
}

void rs_json_open(struct rs_json *j, char bracket)
{
	before_value(j);
	rs_buf_putc(j->out, bracket);
	j->needs_comma = false;
}

void rs_json_close(struct rs_json *j, char bracket)
{
	rs_buf_putc(j->out, bracket);
	j->needs_comma = true;
}

static void put_quoted(struct rs_json *j, const char *s)
{
	rs_buf_putc(j->out, '"');
	rs_escape_json(j->out, s);
	rs_buf_putc(j->out, '"');
}

void rs_json_key(struct rs_json *j, const char *key)
{
	before_value(j);
	put_quoted(j, key);
	rs_buf_putc(j->out, ':');
	j->needs_comma = false;
}

void rs_json_u64(struct rs_json *j, uint64_t v)
{
	char text[RS_UNIT_TEXT];

	before_value(j);
	rs_buf_add(j->out, text, rs_units_put_u64(text, v));
}

void rs_json_i64(struct rs_json *j, int64_t v)
{
	char text[RS_UNIT_TEXT];

	before_value(j);
	rs_buf_add(j->out, text, rs_units_put_i64(text, v));
}

void rs_json_milli(struct rs_json *j, uint64_t thousandths)
{
	char text[RS_UNIT_TEXT];

	before_value(j);
	rs_buf_add(j->out, text, rs_units_put_milli(text, thousandths));
}

void rs_json_str(struct rs_json *j, const char *s)
{
	before_value(j);
	if (s)
		put_quoted(j, s);
	else
		rs_buf_add(j->out, "null", 4);
}

void rs_json_bool(struct rs_json *j, bool v)
{
	before_value(j);
	rs_buf_puts(j->out, v ? "true" : "false");
}

void rs_json_null(struct rs_json *j)
{
	rs_json_str(j, NULL);
}

void rs_json_splice(struct rs_json *j, const char *values, size_t len)
{
	if (!len)
		return;
	before_value(j);
	rs_buf_add(j->out, values, len);
}

void rs_json_put_str(struct rs_json *j, const char *key, const char *s)
{
	rs_json_key(j, key);
	rs_json_str(j, s);
}

void rs_json_put_u64(struct rs_json *j, const char *key, uint64_t v)
{
	rs_json_key(j, key);
	rs_json_u64(j, v);
}

void rs_json_put_bool(struct rs_json *j, const char *key, bool v)
{
	rs_json_key(j, key);
	rs_json_bool(j, v);
}
