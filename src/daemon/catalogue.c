// SPDX-License-Identifier: GPL-2.0-or-later
#include "daemon/catalogue.h"

#include <stdlib.h>
#include <string.h>

#define MAX_VIEWS 256
#define MAX_KINDS 1024

/* Words for numbers, both ways; a number that no word has is 0. */
struct word {
	const char *word;
	unsigned int number;
};

static const struct word types[] = {
	{ "text", RS_TYPE_TEXT }, { "count", RS_TYPE_COUNT }, { "id", RS_TYPE_ID }, { "time", RS_TYPE_TIME },
	{ "duration", RS_TYPE_DURATION }, { "bytes", RS_TYPE_BYTES }, { "milli", RS_TYPE_MILLI }, { 0 },
};
static const struct word units[] = {
	{ "auto", RS_UNIT_AUTO }, { "s", RS_UNIT_S }, { "ms", RS_UNIT_MS }, { "us", RS_UNIT_US }, { 0 },
};
static const struct word flags[] = {
	{ "latency", RS_COLUMN_LATENCY }, { "left", RS_COLUMN_LEFT }, { "signed", RS_COLUMN_SIGNED },
	{ "key", RS_COLUMN_KEY }, { 0 },
};
static const struct word view_kinds[] = {
	{ "table", RS_VIEW_TABLE }, { "stream", RS_VIEW_STREAM }, { "histogram", RS_VIEW_HIST }, { 0 },
};
static const struct word tracks[] = {
	{ "task", RS_TRACK_TASK }, { "cpu", RS_TRACK_CPU }, { "disk", RS_TRACK_DISK }, { 0 },
};
static const struct word shapes[] = {
	{ "slice", RS_SPAN_SLICE }, { "state", RS_SPAN_STATE }, { "async", RS_SPAN_ASYNC },
	{ "instant", RS_SPAN_INSTANT }, { 0 },
};

static const char *word_of(const struct word *words, unsigned int number)
{
	for (; words->word; words++)
		if (words->number == number)
			return words->word;
	return NULL;
}

static bool number_of(const struct word *words, const char *word, unsigned int *number)
{
	for (; word && words->word; words++) {
		if (!strcmp(words->word, word)) {
			*number = words->number;
			return true;
		}
	}
	return false;
}

const char *rs_wire_track(enum rs_track_type track) { return word_of(tracks, track); }
const char *rs_wire_shape(enum rs_span_shape shape) { return word_of(shapes, shape); }

/* ---- the server's end ---- */

static void write_column(struct rs_json *j, const struct rs_column *c)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "name", c->name);
	rs_json_put_str(j, "heading", c->heading);
	rs_json_put_str(j, "type", word_of(types, c->type));
	rs_json_put_str(j, "unit", word_of(units, c->unit));
	rs_json_key(j, "flags");
	rs_json_open(j, '[');
	for (const struct word *w = flags; w->word; w++)
		if (c->flags & w->number)
			rs_json_str(j, w->word);
	rs_json_close(j, ']');
	rs_json_put_u64(j, "width", (uint64_t)c->width);
	rs_json_put_str(j, "help", c->help);
	rs_json_close(j, '}');
}

void rs_catalogue_write_view(struct rs_json *j, const struct rs_view *view, const char *analysis, const char *why_off)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "name", view->name);
	rs_json_put_str(j, "summary", view->summary);
	rs_json_put_str(j, "analysis", analysis);
	rs_json_put_str(j, "kind", word_of(view_kinds, view->kind));
	rs_json_put_str(j, "sort", view->sort);
	rs_json_put_str(j, "text_columns", view->text_columns);
	rs_json_put_str(j, "options", view->options);
	rs_json_put_str(j, "why_off", why_off);
	rs_json_key(j, "columns");
	rs_json_open(j, '[');
	for (const struct rs_column *c = view->columns; c->name; c++)
		write_column(j, c);
	rs_json_close(j, ']');
	rs_json_close(j, '}');
}

void rs_catalogue_write_kind(struct rs_json *j, const struct rs_span_kind *kind, unsigned int number)
{
	rs_json_open(j, '{');
	rs_json_put_str(j, "name", kind->name);
	rs_json_put_u64(j, "number", number);
	rs_json_put_str(j, "track", rs_wire_track(kind->track));
	rs_json_put_str(j, "shape", rs_wire_shape(kind->shape));
	rs_json_close(j, '}');
}

/* ---- the client's end: what it reads is as little trusted as anything from a socket ---- */

static bool read_column(struct rs_column *c, const cJSON *json)
{
	unsigned int type, unit = RS_UNIT_AUTO, flag;
	const cJSON *at;
	uint64_t width;

	*c = (struct rs_column){
		.name = rs_wire_text_of(json, "name"), .heading = rs_wire_text_of(json, "heading"),
		.help = rs_wire_text_of(json, "help"),
	};
	if (!c->name || !number_of(types, rs_wire_text_of(json, "type"), &type) ||
	    !rs_wire_u64_of(json, "width", 0, &width) || width > 1000)
		return false;
	number_of(units, rs_wire_text_of(json, "unit"), &unit);
	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(json, "flags"))
		if (cJSON_IsString(at) && number_of(flags, at->valuestring, &flag))
			c->flags |= flag;
	c->type = (enum rs_type)type;
	c->unit = (enum rs_unit)unit;
	c->width = (int)width;
	if (!c->heading)
		c->heading = c->name;
	if (!c->help)
		c->help = "";
	return true;
}

static bool read_columns(struct rs_view *view, const cJSON *list)
{
	int nr = cJSON_GetArraySize(list);
	struct rs_column *columns;
	const cJSON *at;

	if (nr < 1 || nr > RS_MAX_COLUMNS || !(columns = calloc((size_t)nr + 1, sizeof *columns)))
		return false;
	view->columns = columns;
	cJSON_ArrayForEach(at, list)
		if (!read_column(columns++, at))
			return false;
	return true;
}

static bool read_view(struct rs_catalogue_view *v, const cJSON *json)
{
	unsigned int kind;

	v->view = (struct rs_view){
		.name = rs_wire_text_of(json, "name"), .summary = rs_wire_text_of(json, "summary"),
		.text_columns = rs_wire_text_of(json, "text_columns"), .sort = rs_wire_text_of(json, "sort"),
		.options = rs_wire_text_of(json, "options"),
	};
	v->analysis = rs_wire_text_of(json, "analysis");
	v->why_off = rs_wire_text_of(json, "why_off");
	if (!v->view.name || !v->analysis || !number_of(view_kinds, rs_wire_text_of(json, "kind"), &kind))
		return false;
	v->view.kind = (enum rs_view_kind)kind;
	if (!v->view.summary)
		v->view.summary = "";
	return read_columns(&v->view, cJSON_GetObjectItemCaseSensitive(json, "columns"));
}

static bool read_kind(struct rs_catalogue_kind *k, const cJSON *json)
{
	unsigned int track, shape;
	uint64_t number;

	k->name = rs_wire_text_of(json, "name");
	if (!k->name || !rs_wire_u64_of(json, "number", 0, &number) || number > UINT16_MAX ||
	    !number_of(tracks, rs_wire_text_of(json, "track"), &track) ||
	    !number_of(shapes, rs_wire_text_of(json, "shape"), &shape))
		return false;
	k->number = (unsigned int)number;
	k->track = (enum rs_track_type)track;
	k->shape = (enum rs_span_shape)shape;
	return true;
}

/* An array of the size of a list of the hello; NULL: no list, too long a one, no memory. */
static void *room_for(const cJSON *list, int max, size_t size)
{
	int nr = cJSON_GetArraySize(list);

	return cJSON_IsArray(list) && nr <= max ? calloc((size_t)nr + 1, size) : NULL;
}

static bool read_all(struct rs_catalogue *c)
{
	const cJSON *views = cJSON_GetObjectItemCaseSensitive(c->text, "views"), *at;
	const cJSON *kinds = cJSON_GetObjectItemCaseSensitive(c->text, "kinds");

	c->views = room_for(views, MAX_VIEWS, sizeof *c->views);
	c->kinds = room_for(kinds, MAX_KINDS, sizeof *c->kinds);
	if (!c->views || !c->kinds)
		return false;
	cJSON_ArrayForEach(at, views)
		if (!read_view(&c->views[c->nr_views++], at))
			return false;
	cJSON_ArrayForEach(at, kinds)
		if (!read_kind(&c->kinds[c->nr_kinds++], at))
			return false;
	return true;
}

int rs_catalogue_read(struct rs_catalogue *c, const cJSON *hello, struct rs_error *err)
{
	*c = (struct rs_catalogue){ .text = cJSON_Duplicate(hello, true) };
	if (c->text && read_all(c))
		return 0;
	rs_catalogue_done(c);
	return rs_fail(err, "the server's hello lists views that cannot be read (is it of another version?)");
}

void rs_catalogue_done(struct rs_catalogue *c)
{
	for (size_t i = 0; c->views && i < c->nr_views; i++)
		free((void *)c->views[i].view.columns);
	free(c->views);
	free(c->kinds);
	cJSON_Delete(c->text);
	*c = (struct rs_catalogue){ 0 };
}

const struct rs_catalogue_view *rs_catalogue_view(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->nr_views; i++)
		if (!strcmp(c->views[i].view.name, name))
			return &c->views[i];
	return NULL;
}

const struct rs_catalogue_kind *rs_catalogue_kind(const struct rs_catalogue *c, unsigned int number)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (c->kinds[i].number == number)
			return &c->kinds[i];
	return NULL;
}
