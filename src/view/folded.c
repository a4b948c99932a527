// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * folded.c - stacks as flamegraph.pl and speedscope read them: "comm;outer;inner 12"
 *
 * Of a view of stacks (stack-rows.h). Rows that look alike, as of two processes of one name, are lines of
 * their own: readers add them up. The data quality goes aside: a reader takes each line for a stack.
 */
#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"

/* A process may choose a name with a ; in it. */
static void folded_put_comm(struct rs_buf *out, const char *comm)
{
	size_t begin = out->len;

	rs_escape_text(out, comm);
	for (char *at = out->data + begin; (at = memchr(at, ';', (size_t)(out->data + out->len - at)));)
		*at = ':';
}

static void folded_put_row(struct rs_printer *p, const struct rs_value *values)
{
	struct rs_value comm = values[p->stack.comm], stack = values[p->stack.stack],
			weight = values[p->stack.self];
	char number[RS_UNIT_TEXT];

	folded_put_comm(p->out, comm.known ? comm.s : "[unknown]");
	rs_buf_putc(p->out, ';');
	rs_escape_text(p->out, stack.known ? stack.s : "[unknown]");
	rs_buf_putc(p->out, ' ');
	rs_buf_add(p->out, number, rs_units_put_u64(number, weight.u));
	rs_buf_putc(p->out, '\n');
}

void rs_folded_put_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			   const struct rs_quality *quality)
{
	if (printers[0]->opt.aside)
		rs_quality_line(printers[0]->opt.aside, quality);
}

const struct rs_formatter rs_formatter_folded = {
	.name = "folded", .of_stacks = true, .row = folded_put_row, .quality = rs_folded_put_quality,
};
