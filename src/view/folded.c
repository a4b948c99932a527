// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * folded.c - stacks as flamegraph.pl and speedscope read them: "comm;outer;inner 12"
 *
 * Of a view with the columns comm, stack and self. Rows that look alike, as of two processes of one name, are lines of their
 * own: readers add them up. The data quality goes aside: a reader takes each line for a stack.
 */
#include "base/escape.h"
#include "base/units.h"
#include "view/printer.h"

const char rs_folded_columns[] = "comm,stack,self";

static void folded_put_row(struct rs_printer *p, const struct rs_value *values)
{
	struct rs_value comm = values[p->columns.at[0]], stack = values[p->columns.at[1]], self = values[p->columns.at[2]];
	char number[RS_UNIT_TEXT];

	rs_escape_text(p->out, comm.known ? comm.s : "[unknown]");
	rs_buf_putc(p->out, ';');
	rs_escape_text(p->out, stack.known ? stack.s : "[unknown]");
	rs_buf_putc(p->out, ' ');
	rs_buf_add(p->out, number, rs_units_put_u64(number, self.u));
	rs_buf_putc(p->out, '\n');
}

static void folded_put_quality(struct rs_printer *const *printers, size_t nr, const char *view, const struct rs_quality *quality)
{
	if (printers[0]->opt.aside)
		rs_quality_line(printers[0]->opt.aside, quality);
}

const struct rs_formatter rs_formatter_folded = {
	.name = "folded", .row = folded_put_row, .quality = folded_put_quality,
};
