// SPDX-License-Identifier: GPL-2.0-or-later
/* The server's end: views and kinds of spans as they are declared. */
#include "rpc/catalogue.h"
#include "rpc/wire-words.h"

static void write_column(struct rs_json *j, const struct rs_column *c)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "name", c->name);
	rs_json_put_str(j, "heading", c->heading);
	rs_json_put_str(j, "type", rs_wire_word_find(rs_words_types, c->type));
	rs_json_put_str(j, "unit", rs_wire_word_find(rs_words_units, c->unit));
	rs_json_key(j, "flags");
	rs_json_open(j, '[');
	for (const struct rs_word *w = rs_words_flags; w->word; w++)
		if (c->flags & w->number)
			rs_json_str(j, w->word);
	rs_json_close(j, ']');
	rs_json_put_u64(j, "width", (uint64_t)c->width);
	rs_json_put_str(j, "help", c->help);
	rs_json_close(j, '}');
}

static void write_panel(struct rs_json *j, const struct rs_panel *panel)
{
	rs_json_key(j, "panel");
	if (!panel) {
		rs_json_null(j);
		return;
	}
	rs_json_open(j, '{');
	rs_json_put_str(j, "kind", rs_wire_word_find(rs_words_panels, panel->kind));
	rs_json_put_str(j, "title", panel->title);
	rs_json_put_str(j, "columns", panel->columns);
	rs_json_put_str(j, "sort", panel->sort);
	rs_json_put_u64(j, "place", panel->place);
	rs_json_put_bool(j, "every", panel->every);
	rs_json_put_str(j, "fold_by", panel->fold_by);
	rs_json_put_str(j, "fold_life", panel->fold_lifetime);
	rs_json_put_bool(j, "otherwise", panel->otherwise);
	rs_json_key(j, "parts");
	rs_json_open(j, '[');
	for (const struct rs_part *p = panel->parts; p && p->column; p++) {
		rs_json_open(j, '{');
		rs_json_put_str(j, "column", p->column);
		rs_json_put_str(j, "means", rs_cause_row(p->cause)->word);
		rs_json_close(j, '}');
	}
	rs_json_close(j, ']');
	rs_json_close(j, '}');
}

static void write_lengths(struct rs_json *j, const struct rs_latencies *latencies)
{
	rs_json_key(j, "lengths");
	rs_json_open(j, '[');
	for (; latencies && latencies->columns; latencies++) {
		rs_json_open(j, '{');
		rs_json_put_str(j, "columns", latencies->columns);
		rs_json_put_str(j, "kind", latencies->kind);
		rs_json_put_str(j, "kind_column", latencies->kind_column);
		rs_json_put_str(j, "label_column", latencies->label_column);
		rs_json_put_str(j, "labels", latencies->labels);
		rs_json_put_str(j, "track_column", latencies->track_column);
		rs_json_close(j, '}');
	}
	rs_json_close(j, ']');
}

void rs_catalogue_write_view(struct rs_json *j, const struct rs_view *view, const char *analysis, const char *why_off)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "name", view->name);
	rs_json_put_str(j, "summary", view->summary);
	rs_json_put_str(j, "analysis", analysis);
	rs_json_put_str(j, "kind", rs_wire_word_find(rs_words_view_kinds, view->kind));
	rs_json_put_str(j, "sort", view->sort);
	rs_json_put_str(j, "text_columns", view->text_columns);
	rs_json_put_str(j, "options", view->options);
	rs_json_put_bool(j, "by_name", view->by_name);
	rs_json_put_str(j, "why_off", why_off);
	rs_json_key(j, "columns");
	rs_json_open(j, '[');
	for (const struct rs_column *c = view->columns; c->name; c++)
		write_column(j, c);
	rs_json_close(j, ']');
	write_panel(j, view->panel);
	write_lengths(j, view->latencies);
	rs_json_close(j, '}');
}

void rs_catalogue_write_kind(struct rs_json *j, const struct rs_span_kind *kind, unsigned int number)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "name", kind->name);
	rs_json_put_u64(j, "number", number);
	rs_json_put_str(j, "track", rs_wire_track(kind->track));
	rs_json_put_str(j, "shape", rs_wire_shape(kind->shape));
	rs_json_put_str(j, "rate", kind->rate);
	rs_json_put_str(j, "worst", kind->slowest);
	rs_json_close(j, '}');
}
