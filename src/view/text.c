// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text.c - aligned columns with familiar headings
 *
 * A number is never cut: one that is too long shifts the rest of its line.
 * Task names are cut to their column, as in the tools that the headings come from.
 */
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "view/cell.h"
#include "view/printer.h"

#define TEXT_MAX_GROWN 48      /* a text column grows up to this to fit its content */
#define MIN_LAST 8        /* the last column is never cut below this to fit the terminal */

static const char *text_of(const struct rs_value *value)
{
	return value->known ? value->s : "-";
}

/* ---- lines ---- */

/* A line in progress: its width so far, in columns of the terminal. */
struct line {
	struct rs_printer *p;
	size_t used;
};

static void pad(struct line *l, size_t nr)
{
	rs_buf_pad(l->p->out, ' ', nr);
	l->used += nr;
}

/* Writes bytes of `width` columns, aligned in the column; the last column is not padded on the right. */
static void text_put_cell(struct line *l, const struct rs_column *c, int column_width, const char *text,
			  size_t len, size_t width, bool last)
{
	size_t blanks = (size_t)column_width > width ? (size_t)column_width - width : 0;

	if (!rs_column_is_left(c))
		pad(l, blanks);
	rs_buf_add(l->p->out, text, len);
	l->used += width;
	if (rs_column_is_left(c) && !last)
		pad(l, blanks);
}

static void text_trim(struct rs_buf *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	if (out->size)
		out->data[out->len] = '\0';
}

static void text_put_padded(struct line *l, const char *s, size_t width, bool last)
{
	rs_escape_padded(l->p->out, s, (int)width);
	l->used += width;
	if (last)
		text_trim(l->p->out);
}

static void text_put_text(struct line *l, const struct rs_column *c, int column_width, const char *s,
			  bool last)
{
	size_t width = rs_escape_width(s), limit = l->p->view->is_lines ? 0 : l->p->opt.width;

	if (rs_cell_column_is_comm(c) && width > (size_t)column_width) {
		text_put_padded(l, s, (size_t)column_width, last);
	} else if (last && limit && l->used + width > limit && limit >= l->used + MIN_LAST) {
		text_put_padded(l, s, limit - l->used, true);
	} else {
		rs_escape_text(l->p->out, s);
		l->used += width;
		if (!last && (size_t)column_width > width)
			pad(l, (size_t)column_width - width);
	}
}

static void text_put_header(struct rs_printer *p)
{
	struct line l = { p, 0 };
	char room[RS_HEADING_BYTES];

	for (unsigned int i = 0; i < p->columns.nr; i++) {
		const struct rs_column *c = &p->view->columns[p->columns.at[i]];
		const char *heading = rs_cell_heading(&p->style, c, room);
		int *width = &p->widths[p->columns.at[i]], heading_width = (int)strlen(heading);

		if (*width < c->width)
			*width = c->width;
		if (*width < heading_width)
			*width = heading_width;
		if (p->opt.no_header || p->view->is_lines)
			continue;
		pad(&l, i ? 1 : p->indent);
		text_put_cell(&l, c, *width, heading, (size_t)heading_width, (size_t)heading_width,
			      i + 1 == p->columns.nr);
	}
	if (!p->opt.no_header && !p->view->is_lines)
		rs_buf_putc(p->out, '\n');
}

static void text_measure(struct rs_printer *p, const struct rs_value *values)
{
	char number[RS_UNIT_TEXT + 1];

	for (unsigned int i = 0; i < p->columns.nr; i++) {
		unsigned int at = p->columns.at[i];
		const struct rs_column *c = &p->view->columns[at];
		int width;

		if (c->type != RS_TYPE_TEXT)
			width = (int)rs_cell_number(&p->style, c, &values[at], number);
		else if (rs_cell_column_is_comm(c))
			continue;
		else
			width = (int)rs_escape_width(text_of(&values[at]));
		if (c->type == RS_TYPE_TEXT && width > TEXT_MAX_GROWN)
			width = TEXT_MAX_GROWN;
		if (width > p->widths[at])
			p->widths[at] = width;
	}
}

static void text_put_row(struct rs_printer *p, const struct rs_value *values)
{
	char number[RS_UNIT_TEXT + 1];
	struct line l = { p, 0 };

	for (unsigned int i = 0; i < p->columns.nr; i++) {
		unsigned int at = p->columns.at[i];
		const struct rs_column *c = &p->view->columns[at];
		bool last = i + 1 == p->columns.nr;
		size_t len;

		pad(&l, i ? 1 : p->indent);
		if (c->type == RS_TYPE_TEXT) {
			text_put_text(&l, c, p->widths[at], text_of(&values[at]), last);
		} else {
			len = rs_cell_number(&p->style, c, &values[at], number);
			text_put_cell(&l, c, p->widths[at], number, len, len, last);
		}
	}
	rs_buf_putc(p->out, '\n');
}

static void text_put_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			     const struct rs_quality *t)
{
	struct rs_buf *out = nr == 1 && printers[0]->view->is_lines && printers[0]->opt.aside ?
				     printers[0]->opt.aside :
				     printers[0]->out;

	for (size_t i = 0; i < nr; i++)
		rs_quality_line_dropped(out, printers[i]);
	rs_quality_line(out, t);
}

const struct rs_formatter rs_formatter_text = {
	.name = "text", .has_text_columns = true, .measures = true, .picture = &rs_formatter_picture,
	.header = text_put_header, .measure = text_measure, .row = text_put_row, .quality = text_put_quality,
};

/* ---- a histogram view as its picture ---- */

static void text_collect(struct rs_printer *p, const struct rs_value *values)
{
	int from = rs_column_named(p->view, "from_ns"), to = rs_column_named(p->view, "to_ns");
	int count = rs_column_named(p->view, "count");
	struct rs_buckets *b = &p->buckets;

	if (from >= 0 && to >= 0 && count >= 0 && b->nr < RS_MAX_BUCKETS)
		b->at[b->nr++] = (struct rs_bucket){ values[from].u, values[to].u, values[count].u };
}

static void begin_picture(struct rs_printer *p, const char *label)
{
	if (p->nr_pictures++)
		rs_buf_putc(p->out, '\n');
	if (!*label)
		return;
	rs_escape_text(p->out, label);
	rs_buf_putc(p->out, '\n');
}

/*
 * Drawn from the histogram itself in microseconds, as bcc does; the rows are powers
 * of two of nanoseconds. A distribution below 16 us would be four lines then, so it is
 * shown in nanoseconds.
 */
static void text_draw(struct rs_printer *p, const char *label, const struct rs_hist *hist)
{
	bool fine = hist->max < 16000 || p->opt.counts;
	struct rs_bucket buckets[RS_MAX_BUCKETS];
	unsigned int nr;

	p->buckets.nr = 0;
	if (p->opt.nr_rows && p->nr_pictures >= p->opt.nr_rows) {
		p->nr_pictures++;
		return;
	}
	begin_picture(p, label);
	nr = rs_hist_picture_buckets(hist, fine ? 1 : 1000, buckets);
	rs_hist_picture_draw(p->out,
			     p->opt.counts ? p->opt.counts :
			     fine          ? "nsecs" :
					     "usecs",
			     fine ? 1 : 1000, buckets, nr);
	rs_buf_puts(p->out, "  ");
	rs_hist_picture_line(p->out, "", hist, p->opt.counts);
}

/* Rows that come without a histogram are drawn as they are; pictures beyond -n are counted. */
static void finish_pictures(struct rs_printer *p)
{
	if (p->buckets.nr) {
		begin_picture(p, "");
		rs_hist_picture_draw(p->out, p->opt.counts ? p->opt.counts : "nsecs", 1, p->buckets.at,
				     p->buckets.nr);
	}
	if (p->opt.nr_rows && p->nr_pictures > p->opt.nr_rows)
		rs_buf_printf(p->out, "(%llu more, cut by -n)\n",
			      (unsigned long long)(p->nr_pictures - p->opt.nr_rows));
}

const struct rs_formatter rs_formatter_picture = {
	.name = "text", .has_text_columns = true,
	.row = text_collect, .hist = text_draw, .finish = finish_pictures, .quality = text_put_quality,
};
