// SPDX-License-Identifier: GPL-2.0-or-later
/* The client's end: what it reads is as little trusted as anything that comes from a socket. */
#include <stdlib.h>
#include <string.h>

#include "rpc/catalogue.h"
#include "rpc/wire.h"
#include "rpc/wire-words.h"

#define CATALOGUE_READ_MAX_VIEWS 256
#define CATALOGUE_READ_MAX_KINDS 1024

static bool read_column(struct rs_column *c, const cJSON *json)
{
	unsigned int type, unit = RS_UNIT_AUTO, flag;
	const cJSON *at;
	uint64_t width;

	*c = (struct rs_column){
		.name = rs_wire_text_of(json, "name"), .heading = rs_wire_text_of(json, "heading"),
		.help = rs_wire_text_of(json, "help"),
	};
	if (!c->name || !rs_wire_word_number(rs_words_types, rs_wire_text_of(json, "type"), &type) ||
	    !rs_wire_u64_of(json, "width", 0, &width) || width > 1000)
		return false;
	rs_wire_word_number(rs_words_units, rs_wire_text_of(json, "unit"), &unit);
	cJSON_ArrayForEach(at, cJSON_GetObjectItemCaseSensitive(json, "flags"))
		if (cJSON_IsString(at) && rs_wire_word_number(rs_words_flags, at->valuestring, &flag))
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

static bool read_parts(struct rs_panel *panel, const cJSON *list)
{
	int nr = cJSON_GetArraySize(list);
	struct rs_part *parts;
	const cJSON *at;

	if (nr > RS_MAX_PARTS || !(parts = calloc((size_t)nr + 1, sizeof *parts)))
		return false;
	panel->parts = parts;
	cJSON_ArrayForEach(at, list) {
		parts->column = rs_wire_text_of(at, "column");
		if (!parts->column || !rs_cause_find(rs_wire_text_of(at, "means"), &parts->cause))
			return false;
		parts++;
	}
	return true;
}

/* Where a newer server has kinds of panels that we do not know, the overview goes without. */
static bool read_panel(struct rs_view *view, const cJSON *json)
{
	struct rs_panel *panel;
	unsigned int kind;
	uint64_t place;

	if (!cJSON_IsObject(json) || !rs_wire_word_number(rs_words_panels, rs_wire_text_of(json, "kind"),
							  &kind))
		return true;
	panel = calloc(1, sizeof *panel);
	if (!panel)
		return false;
	view->panel = panel;
	*panel = (struct rs_panel){
		.kind = (enum rs_panel_kind)kind, .title = rs_wire_text_of(json, "title"),
		.columns = rs_wire_text_of(json, "columns"), .sort = rs_wire_text_of(json, "sort"),
		.fold_by = rs_wire_text_of(json, "fold_by"),
		.fold_lifetime = rs_wire_text_of(json, "fold_life"),
		.every = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "every")),
		.otherwise = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "otherwise")),
	};
	if (!panel->title || !panel->columns || !rs_wire_u64_of(json, "place", 0, &place) || place > UINT16_MAX)
		return false;
	panel->place = (unsigned int)place;
	return read_parts(panel, cJSON_GetObjectItemCaseSensitive(json, "parts"));
}

static bool read_lengths(struct rs_view *view, const cJSON *list)
{
	int nr = cJSON_GetArraySize(list);
	struct rs_latencies *latencies;
	const cJSON *at;

	if (!nr)
		return true;
	if (nr > RS_MAX_COLUMNS || !(latencies = calloc((size_t)nr + 1, sizeof *latencies)))
		return false;
	view->latencies = latencies;
	cJSON_ArrayForEach(at, list) {
		*latencies = (struct rs_latencies){
			.columns = rs_wire_text_of(at, "columns"), .kind = rs_wire_text_of(at, "kind"),
			.kind_column = rs_wire_text_of(at, "kind_column"),
			.label_column = rs_wire_text_of(at, "label_column"),
			.labels = rs_wire_text_of(at, "labels"), .track_column = rs_wire_text_of(at, "track_column"),
		};
		if (!latencies++->columns)
			return false;
	}
	return true;
}

static bool read_view(struct rs_catalogue_view *v, const cJSON *json)
{
	unsigned int kind;

	v->view = (struct rs_view){
		.name = rs_wire_text_of(json, "name"), .summary = rs_wire_text_of(json, "summary"),
		.text_columns = rs_wire_text_of(json, "text_columns"), .sort = rs_wire_text_of(json, "sort"),
		.options = rs_wire_text_of(json, "options"),
		.by_name = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "by_name")),
	};
	v->analysis = rs_wire_text_of(json, "analysis");
	v->why_off = rs_wire_text_of(json, "why_off");
	if (!v->view.name || !v->analysis || !rs_wire_word_number(rs_words_view_kinds, rs_wire_text_of(json, "kind"), &kind))
		return false;
	v->view.kind = (enum rs_view_kind)kind;
	if (!v->view.summary)
		v->view.summary = "";
	return read_columns(&v->view, cJSON_GetObjectItemCaseSensitive(json, "columns")) &&
	       read_panel(&v->view, cJSON_GetObjectItemCaseSensitive(json, "panel")) &&
	       read_lengths(&v->view, cJSON_GetObjectItemCaseSensitive(json, "lengths"));
}

static bool read_kind(struct rs_catalogue_kind *k, const cJSON *json)
{
	unsigned int track, shape;
	uint64_t number;

	k->name = rs_wire_text_of(json, "name");
	k->rate = rs_wire_text_of(json, "rate");
	k->slowest = rs_wire_text_of(json, "worst");
	if (!k->name || !rs_wire_u64_of(json, "number", 0, &number) || number > UINT16_MAX ||
	    !rs_wire_word_number(rs_words_tracks, rs_wire_text_of(json, "track"), &track) ||
	    !rs_wire_word_number(rs_words_shapes, rs_wire_text_of(json, "shape"), &shape))
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

static bool catalogue_read_all(struct rs_catalogue *c)
{
	const cJSON *views = cJSON_GetObjectItemCaseSensitive(c->text, "views"), *at;
	const cJSON *kinds = cJSON_GetObjectItemCaseSensitive(c->text, "kinds");

	c->views = room_for(views, CATALOGUE_READ_MAX_VIEWS, sizeof *c->views);
	c->kinds = room_for(kinds, CATALOGUE_READ_MAX_KINDS, sizeof *c->kinds);
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
	if (c->text && catalogue_read_all(c))
		return 0;
	rs_catalogue_done(c);
	return rs_fail(err, "the server's hello lists views that cannot be read (is it of another version?)");
}

void rs_catalogue_done(struct rs_catalogue *c)
{
	for (size_t i = 0; c->views && i < c->nr_views; i++) {
		const struct rs_view *view = &c->views[i].view;

		if (view->panel)
			free((void *)view->panel->parts);
		free((void *)view->panel);
		free((void *)view->latencies);
		free((void *)view->columns);
	}
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
