// SPDX-License-Identifier: GPL-2.0-or-later
/* host-output - what several hosts print, put together as one output: whole lines, or whole tables */
#include "cli/host-output.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"

#define HOST_OUTPUT_LINE_BYTES (1u << 20)
#define HOST_OUTPUT_TABLE_BYTES (16u << 20)
#define HOST_OUTPUT_HEADING "MACHINE"

void rs_host_output_init(struct rs_host_output *o, enum rs_host_output_kind kind, const char *const *names,
			 size_t nr)
{
	*o = (struct rs_host_output){ .kind = kind, .nr = nr, .out = RS_BUF_INIT, .header = RS_BUF_INIT };
	for (size_t i = 0; i < nr; i++) {
		o->names[i] = names[i];
		o->held[i] = (struct rs_buf)RS_BUF_INIT;
	}
}

void rs_host_output_done(struct rs_host_output *o)
{
	for (size_t i = 0; i < o->nr; i++)
		rs_buf_done(&o->held[i]);
	rs_buf_done(&o->header);
	rs_buf_done(&o->out);
}

/* ---- headings ---- */

static void host_output_put_ns(struct rs_buf *out, uint64_t ns)
{
	char text[RS_UNIT_TEXT];

	rs_buf_add(out, text, rs_units_put_duration(text, ns, RS_UNIT_AUTO, -1));
}

void rs_host_output_put_clock(struct rs_buf *out, const struct rs_host_clock *clock)
{
	uint64_t ns = (uint64_t)llabs(clock->wall_offset_ns);

	if (!clock->known)
		return;
	if (ns <= clock->within_ns) {
		rs_buf_puts(out, "its clock is as ours, within ");
	} else {
		rs_buf_puts(out, "its clock is ");
		host_output_put_ns(out, ns);
		rs_buf_printf(out, " %s ours, within ", clock->wall_offset_ns > 0 ? "ahead of" : "behind");
	}
	host_output_put_ns(out, clock->within_ns);
}

void rs_host_output_put_heading(struct rs_buf *out, bool first, const char *name,
				const struct rs_host_clock *clock)
{
	rs_buf_puts(out, first ? "machine " : "\nmachine ");
	rs_escape_text(out, name);
	if (clock->known) {
		rs_buf_puts(out, ": ");
		rs_host_output_put_clock(out, clock);
	}
	rs_buf_puts(out, "\n\n");
}

/* ---- what is whole ---- */

/* A host's own bytes: each line is escaped as a name is, so that no terminal obeys them. */
static void host_output_put_text(struct rs_buf *out, const char *bytes, size_t len)
{
	struct rs_buf line = RS_BUF_INIT;

	for (const char *at = bytes, *end = bytes + len, *next; at < end; at = next) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		next = newline ? newline + 1 : end;
		rs_buf_clear(&line);
		rs_buf_add(&line, at, (size_t)((newline ? newline : end) - at));
		rs_escape_text(out, line.data);
		rs_buf_puts(out, newline ? "\n" : "");
	}
	rs_buf_done(&line);
}

static int host_output_width(const struct rs_host_output *o)
{
	size_t width = strlen(HOST_OUTPUT_HEADING);

	for (size_t i = 0; i < o->nr; i++)
		if (strlen(o->names[i]) > width)
			width = strlen(o->names[i]);
	return (int)width;
}

/* "# web1: 6.18 ...": the data quality, which names its machine itself. */
static bool host_output_has_name(const char *name, const char *line, size_t len)
{
	size_t name_len = strlen(name);

	return len > name_len + 2 && !memcmp(line, "# ", 2) && !memcmp(line + 2, name, name_len) &&
	       line[2 + name_len] == ':';
}

/* The first line of each is the same header. */
static void host_output_put_line(struct rs_host_output *o, size_t host, const char *line, size_t len)
{
	const char *name = o->names[host];
	bool is_first = !o->has_begun[host];

	o->has_begun[host] = true;
	if (is_first && o->header.len == len && !memcmp(o->header.data, line, len))
		return;
	if (is_first && !o->header.len) {
		rs_buf_add(&o->header, line, len);
		name = HOST_OUTPUT_HEADING;
	}
	if (!host_output_has_name(name, line, len))
		rs_buf_printf(&o->out, "%-*s ", host_output_width(o), name);
	host_output_put_text(&o->out, line, len);
}

static void host_output_put_error(struct rs_host_output *o, size_t host, const char *line, size_t len)
{
	static const char own[] = "ringside: ";
	size_t own_len = len >= sizeof own && !memcmp(line, own, sizeof own - 1) ? sizeof own - 1 : 0;

	if (!host_output_has_name(o->names[host], line, len))
		rs_buf_printf(&o->out, "%s%s: ", own_len ? own : "", o->names[host]);
	host_output_put_text(&o->out, line + own_len, len - own_len);
}

static void host_output_put_whole(struct rs_host_output *o, size_t host, const char *bytes, size_t len)
{
	if (!len)
		return;
	if (o->kind == RS_HOST_TABLES) {
		rs_host_output_put_heading(&o->out, !o->has_heading, o->names[host], &o->clocks[host]);
		o->has_heading = true;
	}
	if (o->kind == RS_HOST_LINES)
		host_output_put_line(o, host, bytes, len);
	else if (o->kind == RS_HOST_ERRORS)
		host_output_put_error(o, host, bytes, len);
	else
		host_output_put_text(&o->out, bytes, len);
}

void rs_host_output_add(struct rs_host_output *o, size_t host, const char *bytes, size_t len)
{
	struct rs_buf *held = &o->held[host];
	size_t limit = o->kind == RS_HOST_TABLES ? HOST_OUTPUT_TABLE_BYTES : HOST_OUTPUT_LINE_BYTES;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != '\f')
			rs_buf_putc(held, bytes[i]);
		if (held->len < limit &&
		    bytes[i] != (o->kind == RS_HOST_TABLES ? '\f' : '\n'))
			continue;
		host_output_put_whole(o, host, held->data, held->len);
		rs_buf_clear(held);
	}
}

void rs_host_output_end(struct rs_host_output *o, size_t host)
{
	struct rs_buf *held = &o->held[host];

	if (held->len && held->data[held->len - 1] != '\n')
		rs_buf_putc(held, '\n');
	host_output_put_whole(o, host, held->data, held->len);
	rs_buf_clear(held);
}
