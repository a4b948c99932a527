// SPDX-License-Identifier: GPL-2.0-or-later
/* descriptor - checks the descriptor of an analysis, built in or loaded, before anything uses it */
#include "engine/plugins.h"

#include <string.h>

#define MAX_NAME 32
#define DESCRIPTOR_MAX_REQUIREMENTS 64
#define MAX_STREAMS 32        /* bits of rs_ctx.listening */
#define MAX_SPAN_KINDS 32
#define MAX_TASK_BYTES 4096   /* of each of 65536 tasks */
#define TIME_FLAGS (RS_COLUMN_BEGIN | RS_COLUMN_END | RS_COLUMN_LENGTH)
#define ALL_FLAGS \
	(RS_COLUMN_LATENCY | RS_COLUMN_LEFT | RS_COLUMN_SIGNED | RS_COLUMN_KEY | RS_COLUMN_SUM | \
	 RS_COLUMN_PART | RS_COLUMN_IF_KNOWN | RS_COLUMN_OF_FILE | RS_COLUMN_OF_SAMPLES | \
	 RS_COLUMN_OF_STACKS | RS_COLUMN_ON_REQUEST | TIME_FLAGS)

/* A word that people type and that is a key of JSON: a letter, then letters, digits and the one mark. */
static bool is_name(const char *name, char mark)
{
	size_t len = name ? strnlen(name, MAX_NAME + 1) : 0;

	if (!len || len > MAX_NAME || *name < 'a' || *name > 'z')
		return false;
	for (const char *p = name; *p; p++)
		if (!(*p >= 'a' && *p <= 'z') && !(*p >= '0' && *p <= '9') && *p != mark)
			return false;
	return true;
}

/* A line of help: it goes to terminals, man pages and tables as it is. */
static bool is_line(const char *text)
{
	for (const char *p = text; p && *p; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			return false;
	return text;
}

static const struct rs_column *descriptor_find_column(const struct rs_view *v, const char *name, size_t len)
{
	for (const struct rs_column *c = v->columns; c->name; c++)
		if (strlen(c->name) == len && !memcmp(c->name, name, len))
			return c;
	return NULL;
}

/*
 * A name, a moment and an average have no sum, and neither has what -m compares with: it is of one, or the
 * longest.
 */
static bool is_summable(const struct rs_column *c)
{
	return (c->type == RS_TYPE_COUNT || c->type == RS_TYPE_DURATION || c->type == RS_TYPE_BYTES) &&
	       !(c->flags & (RS_COLUMN_LATENCY | RS_COLUMN_KEY | RS_COLUMN_PART));
}

static int check_column(const struct rs_view *v, const struct rs_column *c, struct rs_error *err)
{
	if (!is_name(c->name, '_'))
		return rs_fail(err, "view '%s': a column's name is a word of a-z, 0-9 and _, at most %d",
			       v->name, MAX_NAME);
	if (!is_line(c->heading) || !is_line(c->help))
		return rs_fail(err, "view '%s': column '%s' needs a heading and a line of help", v->name,
			       c->name);
	if (c->type < RS_TYPE_TEXT || c->type > RS_TYPE_MILLI || c->unit > RS_UNIT_US ||
	    c->flags & ~ALL_FLAGS || c->width < 0 || c->width > 256)
		return rs_fail(err, "view '%s': column '%s' has a type, unit, flag or width that is none",
			       v->name, c->name);
	if (c->flags & RS_COLUMN_SUM && !is_summable(c))
		return rs_fail(err, "view '%s': column '%s' is nothing that RS_COLUMN_SUM may add up",
			       v->name, c->name);
	if ((c->flags & (RS_COLUMN_BEGIN | RS_COLUMN_END) && c->type != RS_TYPE_TIME) ||
	    (c->flags & RS_COLUMN_LENGTH && c->type != RS_TYPE_DURATION))
		return rs_fail(err, "view '%s': column '%s' is no begin, end or length of anything", v->name,
			       c->name);
	for (const struct rs_column *before = v->columns; before < c; before++)
		if (!strcmp(before->name, c->name))
			return rs_fail(err, "view '%s' has two columns '%s'", v->name, c->name);
		else if (before->flags & c->flags & RS_COLUMN_LATENCY)
			return rs_fail(err, "view '%s' has two columns of RS_COLUMN_LATENCY: -m takes one",
				       v->name);
		else if (before->flags & c->flags & TIME_FLAGS)
			return rs_fail(err, "view '%s' has two begins, ends or lengths of a row", v->name);
		else if (before->flags & c->flags & RS_COLUMN_PART)
			return rs_fail(err, "view '%s' has two columns of RS_COLUMN_PART", v->name);
	return 0;
}

static int check_columns(const struct rs_view *v, struct rs_error *err)
{
	unsigned int nr = 0;

	for (const struct rs_column *c = v->columns; c && c->name; c++) {
		if (nr++ == RS_MAX_COLUMNS)
			return rs_fail(err, "view '%s' has more than %d columns", v->name, RS_MAX_COLUMNS);
		if (check_column(v, c, err) < 0)
			return -1;
	}
	return nr ? 0 : rs_fail(err, "view '%s' has no columns", v->name);
}

/* "comm,pid" or "-total_ns": each must be there. */
static int check_list(const struct rs_view *v, const char *what, const char *list, struct rs_error *err)
{
	for (const char *at = list; at && *at; at += *at == ',') {
		size_t len;

		at += *at == '-';
		len = strcspn(at, ",");
		if (!descriptor_find_column(v, at, len))
			return rs_fail(err, "view '%s': .%s names '%.*s', which is no column", v->name, what,
				       (int)(len > MAX_NAME ? MAX_NAME : len), at);
		at += len;
	}
	return 0;
}

static bool is_duration(const struct rs_view *v, const char *name)
{
	const struct rs_column *c = name ? descriptor_find_column(v, name, strlen(name)) : NULL;

	return c && c->type == RS_TYPE_DURATION;
}

static bool descriptor_is_text(const struct rs_view *v, const char *name)
{
	const struct rs_column *c = descriptor_find_column(v, name, strlen(name));

	return c && c->type == RS_TYPE_TEXT;
}

static int check_parts(const struct rs_view *v, const struct rs_panel *p, struct rs_error *err)
{
	unsigned int nr = 0;

	for (const struct rs_part *part = p->parts; part && part->column; part++) {
		if (nr++ == RS_MAX_PARTS)
			return rs_fail(err, "view '%s': its panel has more than %d parts", v->name,
				       RS_MAX_PARTS);
		if (!is_duration(v, part->column) || (unsigned int)part->cause >= RS_NR_CAUSES)
			return rs_fail(err,
				       "view '%s': a part of its panel, '%.64s', is no column of durations, "
				       "or means nothing",
				       v->name, part->column);
	}
	return nr ? 0 : rs_fail(err, "view '%s': its panel is a split without parts", v->name);
}

static int check_panel(const struct rs_view *v, struct rs_error *err)
{
	const struct rs_panel *p = v->panel;

	if (!p)
		return 0;
	if (v->kind != RS_VIEW_TABLE)
		return rs_fail(err, "view '%s' has a panel and is no table", v->name);
	if (p->kind < RS_PANEL_SPLIT || p->kind > RS_PANEL_TABLE || !is_line(p->title) || !*p->title ||
	    !p->columns || !*p->columns)
		return rs_fail(err, "view '%s': its panel needs a kind, a title and columns", v->name);
	if (check_list(v, "panel", p->columns, err) < 0 || check_list(v, "panel.sort", p->sort, err) < 0)
		return -1;
	if (p->fold_by && !descriptor_is_text(v, p->fold_by))
		return rs_fail(err, "view '%s': its panel folds by '%.64s', which is no column of text",
			       v->name, p->fold_by);
	if (p->opens && (!is_line(p->opens) || !*p->opens))
		return rs_fail(err, "view '%s': its panel opens a view without a name", v->name);
	return p->kind == RS_PANEL_SPLIT ? check_parts(v, p, err) : 0;
}

static int check_length(const struct rs_view *v, const struct rs_latencies *l, struct rs_error *err)
{
	if (check_list(v, "latencies", l->columns, err) < 0 ||
	    check_list(v, "latencies.kind_column", l->kind_column, err) < 0 ||
	    check_list(v, "latencies.label_column", l->label_column, err) < 0 ||
	    check_list(v, "latencies.track_column", l->track_column, err) < 0)
		return -1;
	for (const char *at = l->columns; *at; at += *at == ',') {
		size_t len = strcspn(at, ",");

		if (descriptor_find_column(v, at, len)->type != RS_TYPE_DURATION)
			return rs_fail(err,
				       "view '%s': .latencies names '%.*s', which is no column of durations",
				       v->name, (int)len, at);
		at += len;
	}
	if (!l->kind == !l->kind_column || (l->kind && (!is_line(l->kind) || !*l->kind)) ||
	    (l->labels && !is_line(l->labels)))
		return rs_fail(err,
			       "view '%s': .latencies of '%s' need a kind of span or the column that says "
			       "which, not both",
			       v->name, l->columns);
	return 0;
}

static int check_latencies(const struct rs_view *v, struct rs_error *err)
{
	unsigned int nr = 0;

	for (const struct rs_latencies *l = v->latencies; l && l->columns; l++) {
		if (nr++ == RS_MAX_COLUMNS)
			return rs_fail(err, "view '%s' has more than %d rows of .latencies", v->name,
				       RS_MAX_COLUMNS);
		if (check_length(v, l, err) < 0)
			return -1;
	}
	return 0;
}

/*
 * All of them together identify a row: rows that differ only in a key that is left out would be merged
 * unseen. Those on request follow from others, as the unit from the cgroup.
 */
static int check_keys(const struct rs_view *v, struct rs_error *err)
{
	unsigned int nr = 0;

	for (const struct rs_column *c = v->columns; c->name; c++)
		nr += (c->flags & RS_COLUMN_KEY) && !(c->flags & RS_COLUMN_ON_REQUEST);
	return nr <= RS_MAX_BY ? 0 :
				 rs_fail(err, "view '%s' has more than %d columns of RS_COLUMN_KEY", v->name,
					 RS_MAX_BY);
}

static int check_view(const struct rs_view *v, struct rs_error *err)
{
	if (!is_name(v->name, '-'))
		return rs_fail(err, "a view's name is a word of a-z, 0-9 and -, at most %d", MAX_NAME);
	if (!is_line(v->summary))
		return rs_fail(err, "view '%s' needs a summary of one line", v->name);
	if (v->base && !is_line(v->base))
		return rs_fail(err, "view '%s' has a base of more than one line", v->name);
	if (v->kind < RS_VIEW_TABLE || v->kind > RS_VIEW_HIST)
		return rs_fail(err, "view '%s' is neither a table, nor a stream, nor a histogram", v->name);
	if (v->role < RS_ROLE_NONE || v->role >= RS_NR_ROLES || (v->role && v->kind == RS_VIEW_HIST))
		return rs_fail(err, "view '%s' has a role that is none, or is a histogram", v->name);
	if ((v->rows != NULL) + (v->store != NULL) != (v->kind != RS_VIEW_STREAM))
		return rs_fail(
			err,
			"view '%s': a table and a histogram have either .rows or .store, a stream has none",
			v->name);
	if (check_columns(v, err) < 0 || check_keys(v, err) < 0 ||
	    check_list(v, "text_columns", v->text_columns, err) < 0 ||
	    check_list(v, "sort", v->sort, err) < 0 || check_panel(v, err) < 0)
		return -1;
	return check_latencies(v, err);
}

static int check_requirement(const struct rs_analysis *a, const struct rs_requirement *w,
			     struct rs_error *err)
{
	unsigned int nr = 0;

	if (!w->system || !w->handler || w->need > RS_NAMED || w->by > RS_BY_ANYONE)
		return rs_fail(err, "its want of '%.64s' lacks a system, a handler, a need or a scope",
			       w->name);
	if (w->need == RS_FALLBACK && w == a->requirements)
		return rs_fail(err, "its first want, '%.64s', is a fallback for nothing", w->name);
	while (nr < RS_MAX_FIELDS && w->fields[nr])
		nr++;
	return nr < RS_MAX_FIELDS ? 0 :
	       rs_fail(err, "its want of '%.64s' has more than %d fields", w->name, RS_MAX_FIELDS - 1);
}

static int check_requirements(const struct rs_analysis *a, struct rs_error *err)
{
	unsigned int nr = 0;

	for (const struct rs_requirement *w = a->requirements; w && w->name; w++) {
		if (nr++ == DESCRIPTOR_MAX_REQUIREMENTS)
			return rs_fail(err, "it wants more than %d events", DESCRIPTOR_MAX_REQUIREMENTS);
		if (check_requirement(a, w, err) < 0)
			return -1;
	}
	return 0;
}

static int check_callbacks(const struct rs_analysis *a, struct rs_error *err)
{
	uint32_t kinds = 0;

	for (const struct rs_callback *callback = a->callbacks; callback && callback->on; callback++) {
		if (callback->on >= RS_NR_CALLBACKS || !callback->gap)
			return rs_fail(err, "one of its callbacks has an unknown kind, or no function");
		if (kinds >> callback->on & 1)
			return rs_fail(err, "it has two callbacks of kind %d", (int)callback->on);
		kinds |= 1u << callback->on;
	}
	return a->pairs && !(kinds >> RS_ON_PAIR & 1) ?
		       rs_fail(err, "it has .pairs and no callback RS_ON_PAIR") :
		       0;
}

static int check_views(const struct rs_analysis *a, struct rs_error *err)
{
	unsigned int nr = 0;

	for (const struct rs_view *v = a->views; v && v->name; v++) {
		if (nr++ == MAX_STREAMS)
			return rs_fail(err, "it has more than %d views", MAX_STREAMS);
		if (check_view(v, err) < 0)
			return -1;
		for (const struct rs_view *before = a->views; before < v; before++)
			if (!strcmp(before->name, v->name))
				return rs_fail(err, "it has two views '%s'", v->name);
			else if (v->role && before->role == v->role)
				return rs_fail(err, "its views '%s' and '%s' have the same role",
					       before->name, v->name);
	}
	return 0;
}

static int check_spans(const struct rs_analysis *a, struct rs_error *err)
{
	unsigned int nr = 0;

	for (const struct rs_span_kind *k = a->spans; k && k->name; k++) {
		if (nr++ == MAX_SPAN_KINDS)
			return rs_fail(err, "it has more than %d kinds of spans", MAX_SPAN_KINDS);
		if (!*k->name || !is_line(k->name) || k->track >= RS_NR_TRACK_TYPES ||
		    k->shape > RS_SPAN_SAMPLE)
			return rs_fail(err,
				       "its kind of span '%.64s' has a name, track or shape that is none",
				       k->name);
		if ((k->rate && (!is_line(k->rate) || !*k->rate)) ||
		    (k->slowest && (!is_line(k->slowest) || !*k->slowest)) || (k->counts && !k->rate) ||
		    (k->is_slowest && !k->slowest) || (k->slowest && k->shape >= RS_SPAN_INSTANT) ||
		    (k->shape == RS_SPAN_COUNTER && (!k->columns || !k->columns->name)))
			return rs_fail(err,
				       "its kind of span '%s' needs a word for its rate or for its worst, "
				       "and latencies for these",
				       k->name);
		for (const struct rs_column *c = k->columns; c && c->name; c++)
			if (c - k->columns == RS_MAX_COLUMNS)
				return rs_fail(err, "its kind of span '%s' has more than %d columns", k->name,
					       RS_MAX_COLUMNS);
	}
	return 0;
}

int rs_descriptor_check(const struct rs_analysis *a, struct rs_error *err)
{
	if (a->abi != RS_ABI) /* with another ABI no member after this one is where it is expected */
		return rs_fail(err,
			       "it was built for ABI %u, this ringside has ABI %u (rebuild it against the "
			       "installed headers)",
			       a->abi, RS_ABI);
	if (!is_name(a->name, '-') || !is_line(a->summary))
		return rs_fail(
			err,
			"it needs a name, a word of a-z, 0-9 and -, at most %d, and a summary of one line",
			MAX_NAME);
	if (a->task_size > MAX_TASK_BYTES)
		return rs_fail(err, "it wants %zu bytes for each task, more than %d", a->task_size,
			       MAX_TASK_BYTES);
	if (check_requirements(a, err) < 0 || check_callbacks(a, err) < 0 || check_spans(a, err) < 0)
		return -1;
	return check_views(a, err);
}
