// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * printer.c - filters, sorts and limits rows by the user's options, and passes them to
 * a format
 */
#include "view/formatter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "view/printer.h"

/* Column widths are fitted to this many rows; later ones may be out of line. */
#define NR_MEASURED 4096

static const struct rs_formatter *const formatters[] = { &rs_formatter_text,
							 &rs_formatter_json,
							 &rs_formatter_csv,
							 &rs_formatter_folded,
							 &rs_formatter_svg,
							 &rs_formatter_html,
							 NULL };

static const struct rs_formatter *find_formatter(const char *name, struct rs_error *err)
{
	const char *names[sizeof formatters / sizeof formatters[0]] = { NULL }, *near;

	for (unsigned int i = 0; formatters[i]; i++) {
		if (!strcmp(formatters[i]->name, name))
			return formatters[i];
		names[i] = formatters[i]->name;
	}
	near = rs_nearest(name, names);
	if (near)
		rs_fail_usage(err, "no format '%.40s' (did you mean '%s'?)", name, near);
	else
		rs_fail_usage(err, "no format '%.40s' (text, json or csv)", name);
	return NULL;
}

/* ---- rows ---- */

static void write_header(struct rs_printer *p)
{
	if (!p->has_header && p->formatter->header)
		p->formatter->header(p);
	p->has_header = true;
}

static void write_row(struct rs_printer *p, const struct rs_value *values)
{
	write_header(p);
	p->nr_written++;
	p->formatter->row(p, values);
}

bool rs_printer_full(const struct rs_printer *p)
{
	return !p->rows && p->formatter != &rs_formatter_picture && p->opt.nr_rows &&
		p->nr_written >= p->opt.nr_rows;
}

/*
 * Few of many ended spans are shown: one that is shorter than -m, or than all stored rows, is not
 * even made into a row. Stored rows raise the limit only if nothing but the order refuses rows,
 * so that the refused ones can be counted.
 */
static void raise_least(struct rs_printer *p)
{
	if (rs_printer_full(p))
		p->sink.least_ns = UINT64_MAX;
	else if (p->rows && p->latency >= 0 && !rs_filter_refuses(&p->filter))
		p->sink.least_ns = rs_rows_least(p->rows, (unsigned int)p->latency);
}

/* Of the first row: someone who misspelt a filter sees an existing value. */
static void note_refused(struct rs_printer *p, const struct rs_value *values)
{
	int column = *p->refused ? -1 : rs_filter_refusing(&p->filter, p->view, values);

	p->nr_refused++;
	if (column >= 0 && p->view->columns[column].type == RS_TYPE_TEXT)
		snprintf(p->refused, sizeof p->refused, "%s %s", p->view->columns[column].name,
			 values[column].known ? values[column].s : "-");
}

void rs_printer_explain(const struct rs_printer *p, struct rs_buf *warnings)
{
	if (!p->filter.has_patterns || !p->nr_refused || rs_printer_nr_rows(p))
		return;
	rs_buf_printf(warnings, "%s: none of %llu rows passes the filters", p->view->name,
		      (unsigned long long)p->nr_refused);
	if (*p->refused)
		rs_buf_printf(warnings, ": one has %s", p->refused);
	rs_buf_putc(warnings, '\n');
}

static void printer_take_row(struct rs_printer *p, const struct rs_value *values)
{
	if (!rs_filter_passes(&p->filter, p->view, values)) {
		note_refused(p, values);
		return;
	}
	p->group_passed = true;
	if (!p->rows) {
		if (!rs_printer_full(p))
			write_row(p, values);
	} else if (!rs_rows_add(p->rows, values)) {
		p->out->failed = true;
	}
	raise_least(p);
}

uint64_t rs_printer_nr_rows(const struct rs_printer *p)
{
	uint64_t nr_less = rs_filter_refuses(&p->filter) ? 0 : p->sink.nr_less;

	return p->rows ? rs_rows_nr_added(p->rows) + nr_less : p->nr_written;
}

void rs_printer_clear(struct rs_printer *p)
{
	if (p->rows)
		rs_rows_clear(p->rows);
	p->sink.nr_less = 0;
	p->sink.least_ns = p->filter.least_ns;
}

static void printer_on_row(struct rs_sink *sink, const struct rs_value *values)
{
	printer_take_row((struct rs_printer *)sink, values);
}

static void printer_on_row_of_other_clock(struct rs_sink *sink, const struct rs_value *values)
{
	struct rs_printer *p = (struct rs_printer *)sink;
	struct rs_value shifted[RS_MAX_COLUMNS];
	unsigned int nr = rs_columns_nr(p->view);

	memcpy(shifted, values, nr * sizeof *values);
	for (unsigned int i = 0; i < nr; i++)
		if (p->view->columns[i].type == RS_TYPE_TIME)
			shifted[i].u += (uint64_t)p->opt.shift_ns;
	printer_take_row(p, shifted);
}

static void printer_on_hist(struct rs_sink *sink, const char *label, const struct rs_hist *hist)
{
	struct rs_printer *p = (struct rs_printer *)sink;
	bool passed = p->group_passed || !p->filter.where.nr_nodes;

	/* --where looks at keys, which all rows of a group share */
	p->group_passed = false;
	if (passed && p->formatter->hist)
		p->formatter->hist(p, label, hist);
}

/*
 * No --columns, and no row has been written yet. In an empty table nothing is known: the header that it got
 * is not that of rows that follow.
 */
static void drop_unknown(struct rs_printer *p, size_t nr)
{
	uint64_t known = 0;

	if (nr && p->all_columns.nr) {
		p->columns = p->all_columns;
		p->all_columns.nr = 0;
		p->has_header = false;
	}
	if (p->has_header || p->opt.columns || !p->formatter->has_text_columns || !p->rows)
		return;
	if (!nr)
		p->all_columns = p->columns;
	for (size_t i = 0; i < nr; i++)
		known |= rs_columns_known(p->view, rs_rows_get(p->rows, i));
	rs_columns_drop(p->view, RS_COLUMN_IF_KNOWN, known, &p->columns);
	if (p->columns.nr == p->all_columns.nr)
		p->all_columns.nr = 0;
}

void rs_printer_flush(struct rs_printer *p)
{
	size_t nr = p->rows ? rs_rows_sort(p->rows) : 0;

	drop_unknown(p, nr);
	for (size_t i = 0; p->formatter->measure && i < nr && i < NR_MEASURED; i++)
		p->formatter->measure(p, rs_rows_get(p->rows, i));
	write_header(p);
	for (size_t i = 0; i < nr; i++)
		write_row(p, rs_rows_get(p->rows, i));
}

void rs_printer_finish(struct rs_printer *p)
{
	rs_printer_flush(p);
	if (p->rows) {
		p->nr_dropped = rs_rows_nr_dropped(p->rows);
		rs_rows_clear(p->rows);
	}
	if (p->formatter->finish)
		p->formatter->finish(p);
}

void rs_printers_quality(struct rs_printer *const *printers, size_t nr, const char *view,
			 const struct rs_quality *quality)
{
	printers[0]->formatter->quality(printers, nr, view, quality);
}

bool rs_printer_keep(struct rs_printer *p)
{
	if (!p->rows)
		p->rows = rs_rows_new(p->view, &(struct rs_sort){ .nr = 0 }, p->opt.nr_rows, RS_ROWS_BYTES);
	if (p->rows)
		rs_rows_set_stacks(p->rows, p->sink.stacks);
	return p->rows;
}

/* ---- setting up ---- */

/*
 * Streams are written as they come, and so are tables if possible. Sorted rows must be
 * complete first, and so must a table whose column widths are fitted.
 */
static bool must_keep(const struct rs_printer *p, const struct rs_sort *sort)
{
	if (p->formatter == &rs_formatter_picture)
		return false;
	return sort->nr || (p->formatter->measures && p->view->kind == RS_VIEW_TABLE);
}

/* Without memory for that it takes texts. */
static void printer_take_stacks(struct rs_printer *p)
{
	if (p->formatter->takes_stacks)
		p->sink.stacks = rs_named_stacks_new(RS_STACKS_MAX);
	p->sink.texts = rs_filter_columns(&p->filter, p->view);
}

/* Those that are shown where --columns names none. */
static void printer_settle_columns(struct rs_printer *p)
{
	const struct rs_formatter_options *opt = &p->opt;

	rs_columns_drop(p->view,
			(opt->knows_files ? 0 : RS_COLUMN_OF_FILE) |
				(opt->knows_samples ? 0 : RS_COLUMN_OF_SAMPLES) |
				(opt->knows_stacks ? 0 : RS_COLUMN_OF_STACKS),
			0, &p->columns);
	rs_columns_add_keys(p->view, opt->by, &p->columns);
}

static int printer_set_up(struct rs_printer *p, struct rs_error *err)
{
	const struct rs_formatter_options *opt = &p->opt;
	const char *columns = opt->columns, *sort_text = opt->sort ? opt->sort : p->view->sort;
	struct rs_sort sort;

	if (rs_columns_nr(p->view) > RS_MAX_COLUMNS)
		return rs_fail(err, "%s: has more than %d columns", p->view->name, RS_MAX_COLUMNS);
	p->formatter = find_formatter(opt->format, err);
	if (!p->formatter)
		return -1;
	if (p->formatter->of_stacks && !rs_stack_rows_find(p->view, &p->stack))
		return rs_fail_usage(err, "%s: no stacks, which the format %s is of", p->view->name,
				     p->formatter->name);
	if (p->view->kind == RS_VIEW_HIST && p->formatter->picture && !columns)
		p->formatter = p->formatter->picture;
	if (!columns && p->formatter->has_text_columns)
		columns = p->view->text_columns;
	if (rs_columns_parse(p->view, columns, &p->columns, err) < 0 ||
	    rs_columns_parse_sort(p->view, sort_text, &sort, err) < 0)
		return -1;
	if (!opt->columns || opt->has_default_columns)
		printer_settle_columns(p);
	for (unsigned int i = 0; opt->sort && opt->largest_first && i < sort.nr; i++)
		sort.keys[i].descends ^= p->view->columns[sort.keys[i].column].type != RS_TYPE_TEXT;
	if (rs_filter_init(&p->filter, p->view, opt, err) < 0)
		return -1;
	printer_take_stacks(p);
	if (!must_keep(p, &sort))
		return 0;
	p->rows = rs_rows_new(p->view, &sort, opt->nr_rows, RS_ROWS_BYTES);
	if (!p->rows)
		return rs_fail(err, "%s: out of memory", p->view->name);
	rs_rows_set_stacks(p->rows, p->sink.stacks);
	return 0;
}

struct rs_printer *rs_printer_new(const struct rs_view *view, const struct rs_formatter_options *opt,
				  struct rs_buf *out, struct rs_error *err)
{
	struct rs_printer *p = calloc(1, sizeof *p);

	if (!p) {
		rs_fail(err, "%s: out of memory", view->name);
		return NULL;
	}
	p->sink = (struct rs_sink){ .row = opt->shift_ns ? printer_on_row_of_other_clock : printer_on_row,
				    .hist = printer_on_hist };
	p->view = view;
	p->latency = rs_column_of_latency(view);
	p->opt = *opt;
	p->style = (struct rs_cell_style){ opt->time, opt->begin_ns, opt->realtime_offset_ns, opt->counts };
	p->out = out;
	p->quantiles = (struct rs_buf)RS_BUF_INIT;
	if (printer_set_up(p, err) < 0) {
		rs_printer_free(p);
		return NULL;
	}
	rs_printer_clear(p);
	if (view->kind == RS_VIEW_STREAM && !p->rows)
		write_header(p);
	return p;
}

struct rs_sink *rs_printer_sink(struct rs_printer *p)
{
	return &p->sink;
}

void rs_printer_free(struct rs_printer *p)
{
	if (!p)
		return;
	rs_rows_free(p->rows);
	rs_buf_done(&p->quantiles);
	rs_frame_tree_free(p->frames);
	rs_named_stacks_free(p->sink.stacks);
	free(p);
}
