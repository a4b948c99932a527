// SPDX-License-Identifier: GPL-2.0-or-later
/* wait-shape - the shapes of critical paths, compared link by link */
#include "ringside/wait-shape.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

#define WAIT_SHAPE_FEATURES 3u /* of a link: its name, call and part */

void rs_wait_shape_set(struct rs_wait_shape *shape, const struct rs_chain *chain)
{
	const struct rs_chain_link *last = chain->nr ? &chain->at[chain->nr - 1] : NULL;

	memset(shape, 0, sizeof *shape);
	for (shape->nr = 0; shape->nr < chain->nr; shape->nr++) {
		const struct rs_chain_link *link = &chain->at[shape->nr];
		struct rs_shape_link *to = &shape->at[shape->nr];

		rs_copy(to->name, sizeof to->name, link->process);
		to->call = link->call < 0 ? -1 : rs_call_number(link->call);
		to->part = (uint8_t)link->part;
	}
	if (!last || last->followed || last->culprit.kind != RS_CULPRIT_TASK)
		return;
	rs_copy(shape->at[shape->nr].name, sizeof shape->at->name, last->culprit_text);
	shape->at[shape->nr].call = -1;
	shape->at[shape->nr++].part = (uint8_t)last->part;
	shape->has_culprit = true;
}

static const char *wait_shape_skip_digits(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

static bool wait_shape_is_same_name(const char *a, const char *b)
{
	for (;; a++, b++) {
		a = wait_shape_skip_digits(a);
		b = wait_shape_skip_digits(b);
		if (*a != *b || !*a)
			return *a == *b;
	}
}

static unsigned int wait_shape_compare(const struct rs_shape_link *a, const struct rs_shape_link *b)
{
	return (unsigned int)wait_shape_is_same_name(a->name, b->name) + (a->call == b->call) +
	       (a->part == b->part);
}

unsigned int rs_wait_shape_alike(const struct rs_wait_shape *a, const struct rs_wait_shape *b)
{
	unsigned int both = a->nr < b->nr ? a->nr : b->nr, most = a->nr > b->nr ? a->nr : b->nr, same = 0;

	for (unsigned int i = 0; i < both; i++)
		same += wait_shape_compare(&a->at[i], &b->at[i]);
	return most ? same * 1000 / (WAIT_SHAPE_FEATURES * most) : 0;
}

static void wait_shape_put(const struct rs_ctx *c, const struct rs_shape_link *link, bool is_last,
			   struct rs_buf *out)
{
	const char *call = link->call >= 0 ? rs_syscall_name(c, link->call) : NULL;

	rs_buf_puts(out, *link->name ? link->name : "unknown");
	if (call)
		rs_buf_printf(out, " %s", call);
	if (!call || is_last)
		rs_buf_printf(out, " %s", rs_part_row((enum rs_time_part)link->part)->name);
}

void rs_wait_shape_text(const struct rs_ctx *c, const struct rs_wait_shape *shape, char *buf,
			size_t size_bytes)
{
	struct rs_buf out = RS_BUF_INIT;

	for (unsigned int i = 0; i < shape->nr; i++) {
		if (i)
			rs_buf_puts(&out, shape->has_culprit && i == shape->nr - 1 ? ": " : ", ");
		if (shape->has_culprit && i == shape->nr - 1)
			rs_buf_puts(&out, shape->at[i].name);
		else
			wait_shape_put(c, &shape->at[i], i + 1 + shape->has_culprit >= shape->nr, &out);
	}
	snprintf(buf, size_bytes, "%.*s", (int)out.len, out.data ? out.data : "");
	rs_buf_done(&out);
}
