/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host-output.h - what several hosts print, put together as one output: whole lines, or whole tables
 *
 *	rs_host_output_init(&o, RS_HOST_TABLES, names, nr);
 *	rs_host_output_add(&o, host, bytes, len);     // as they come
 *	rs_host_output_end(&o, host);
 *	rs_out(&o.out, &err);                         // at any time between
 *
 * The hosts are not trusted: text is escaped, and a line or table has a limit, where it is cut in two.
 */
#ifndef RS_CLI_HOST_OUTPUT_H
#define RS_CLI_HOST_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/host-clock.h"
#include "link/host-run.h"

enum rs_host_output_kind {
	RS_HOST_ROWS,      /* JSON, CSV: each line names its machine */
	RS_HOST_LINES,     /* text of a stream: the machine's name in a column before each line */
	RS_HOST_TABLES,    /* text: up to a form feed under the machine's name */
	RS_HOST_ERRORS,    /* standard error: "ringside: note" there is "ringside: web1: note" here */
};

struct rs_host_output {
	enum rs_host_output_kind kind;
	const char *names[RS_HOSTS_MAX];
	struct rs_host_clock clocks[RS_HOSTS_MAX]; /* for the headings, as soon as they are known */
	size_t nr;
	struct rs_buf held[RS_HOSTS_MAX];          /* up to the end of the line or table */
	struct rs_buf header;                      /* of a stream, once; empty: none yet */
	bool has_begun[RS_HOSTS_MAX], has_heading;
	struct rs_buf out;
};

void rs_host_output_init(struct rs_host_output *o, enum rs_host_output_kind kind, const char *const *names,
			 size_t nr);
void rs_host_output_done(struct rs_host_output *o);
void rs_host_output_add(struct rs_host_output *o, size_t host, const char *bytes, size_t len);
void rs_host_output_end(struct rs_host_output *o, size_t host);

/* "machine web1: its clock ...", and an empty line; before all but the first, too. */
void rs_host_output_put_heading(struct rs_buf *out, bool first, const char *name,
				const struct rs_host_clock *clock);
/* "its clock is 3.2 ms ahead, within 0.1 ms": of day, which people compare. */
void rs_host_output_put_clock(struct rs_buf *out, const struct rs_host_clock *clock);

#endif
