// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-picture.c - answers of "tracks" and "spans", checked and kept */
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "daemon/wire.h"
#include "tui/timeline.h"

/* ---- tracks ---- */

static enum rs_track_type type_of(const char *name)
{
	return !strncmp(name, "cpu:", 4) ? RS_TRACK_CPU : !strncmp(name, "disk:", 5) ? RS_TRACK_DISK : RS_TRACK_TASK;
}

long rs_tl_find_track(const struct rs_timeline_screen *t, const char *name)
{
	for (size_t i = 0; i < t->nr_tracks; i++)
		if (!strcmp(t->tracks[i].name, name))
			return (long)i;
	return -1;
}

static bool read_track(const cJSON *json, struct rs_tl_track *track)
{
	const char *name = rs_wire_text_of(json, "track");

	if (!name || strlen(name) >= sizeof track->name)
		return false;
	*track = (struct rs_tl_track){ .of = type_of(name), .pid = rs_wire_number_of(json, "pid"), .tid = rs_wire_number_of(json, "tid") };
	rs_copy(track->name, sizeof track->name, name);
	rs_copy(track->label, sizeof track->label, rs_wire_text_of(json, "label"));
	return true;
}

bool rs_tl_read_tracks(struct rs_timeline_screen *t, const cJSON *reply)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(reply, "tracks"), *at;
	struct rs_tl_track *tracks = calloc(RS_TL_MAX_TRACKS, sizeof *tracks);
	size_t nr = 0;

	if (!tracks || !cJSON_IsArray(list)) {
		free(tracks);
		return false;
	}
	cJSON_ArrayForEach(at, list)
		if (nr < RS_TL_MAX_TRACKS && read_track(at, &tracks[nr]))
			nr++;
	free(t->tracks);
	t->tracks = tracks;
	t->nr_tracks = nr;
	t->tracks_known = true;
	return true;
}

long rs_tl_add_track(struct rs_timeline_screen *t, size_t after, const char *name, const char *label)
{
	struct rs_tl_track *track;

	if (t->nr_tracks >= RS_TL_MAX_TRACKS || !t->tracks)
		return -1;
	after = after < t->nr_tracks ? after + 1 : t->nr_tracks;
	memmove(&t->tracks[after + 1], &t->tracks[after], (t->nr_tracks - after) * sizeof *t->tracks);
	track = &t->tracks[after];
	t->nr_tracks++;
	*track = (struct rs_tl_track){ .of = type_of(name) };
	rs_copy(track->name, sizeof track->name, name);
	rs_copy(track->label, sizeof track->label, label && *label ? label : name);
	if (track->of == RS_TRACK_TASK)
		track->tid = strtol(name + 5, NULL, 10);
	return (long)after;
}

/* ---- runs ---- */

void rs_tl_picture_done(struct rs_tl_picture *p)
{
	for (size_t i = 0; i < p->nr_labels; i++)
		free(p->labels[i]);
	free(p->labels);
	free(p->runs);
	free(p->rows);
	free(p->arrows);
	*p = (struct rs_tl_picture){ .nr_runs = 0 };
}

static bool grow(void *list, size_t *max, size_t nr, size_t size)
{
	void **at = list, *more;

	if (nr < *max)
		return true;
	more = realloc(*at, (*max ? 2 * *max : 256) * size);
	if (!more)
		return false;
	*at = more;
	*max = *max ? 2 * *max : 256;
	return true;
}

/* [from_cell, to_cell, kind, label, state, nr, eighths] */
static bool read_run(struct rs_tl_picture *p, const cJSON *json)
{
	uint64_t v[7] = { 0 };
	const struct rs_axis *a = &p->axis;
	unsigned int n = 0;
	const cJSON *at;

	cJSON_ArrayForEach(at, json) {
		if (n == 7)
			break;
		if (!rs_wire_u64_read(at, &v[n++]))
			return false;
	}
	if (n < 7 || v[0] >= v[1] || v[1] > a->nr_cells || v[2] > UINT16_MAX || v[3] >= p->nr_labels ||
	    !grow(&p->runs, &p->max_runs, p->nr_runs, sizeof *p->runs))
		return false;
	p->runs[p->nr_runs++] = (struct rs_tl_run){
		.from_ns = a->from_ns + v[0] * a->cell_ns, .to_ns = a->from_ns + v[1] * a->cell_ns,
		.kind = (uint16_t)v[2], .label = (uint32_t)v[3], .state = (uint32_t)v[4], .nr = v[5],
		.eighths = v[6] > 8 ? 8 : (uint8_t)v[6],
	};
	return true;
}

static bool add_row(struct rs_tl_picture *p, unsigned int track, enum rs_span_shape lane, unsigned int depth)
{
	if (!grow(&p->rows, &p->max_rows, p->nr_rows, sizeof *p->rows))
		return false;
	p->rows[p->nr_rows++] = (struct rs_tl_row){ track, lane, depth, p->nr_runs, 0 };
	return true;
}

static bool read_row(struct rs_tl_picture *p, unsigned int track, enum rs_span_shape lane, const cJSON *json)
{
	const cJSON *run;

	if (!add_row(p, track, lane, (unsigned int)rs_wire_number_of(json, "depth")))
		return false;
	cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(json, "runs"))
		if (!read_run(p, run))
			return false;
	p->rows[p->nr_rows - 1].nr = p->nr_runs - p->rows[p->nr_rows - 1].first;
	return true;
}

/* What a track is in above what it does. */
static bool read_lanes(struct rs_tl_picture *p, unsigned int track, const cJSON *lanes)
{
	static const struct { const char *name; enum rs_span_shape lane; } order[] = {
		{ "state", RS_SPAN_STATE }, { "slice", RS_SPAN_SLICE }, { "async", RS_SPAN_ASYNC },
		{ "instant", RS_SPAN_INSTANT }, { "counter", RS_SPAN_COUNTER },
	};
	size_t before = p->nr_rows;
	const cJSON *at;

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		cJSON_ArrayForEach(at, lanes) {
			const char *name = rs_wire_text_of(at, "lane");

			if (name && !strcmp(name, order[i].name) && !read_row(p, track, order[i].lane, at))
				return false;
		}
	return p->nr_rows > before || add_row(p, track, RS_SPAN_STATE, 0);
}

static bool read_labels(struct rs_tl_picture *p, const cJSON *list)
{
	const cJSON *at;

	p->labels = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *p->labels);
	if (!p->labels)
		return false;
	cJSON_ArrayForEach(at, list) {
		p->labels[p->nr_labels] = strdup(cJSON_IsString(at) ? at->valuestring : "");
		if (!p->labels[p->nr_labels])
			return false;
		p->nr_labels++;
	}
	return true;
}

static bool read_arrows(struct rs_timeline_screen *t, struct rs_tl_picture *p, const cJSON *list)
{
	const cJSON *at;

	p->arrows = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *p->arrows);
	if (!p->arrows)
		return false;
	cJSON_ArrayForEach(at, list) {
		const char *from = rs_wire_text_of(at, "from"), *to = rs_wire_text_of(at, "to");
		long a = from ? rs_tl_find_track(t, from) : -1, b = to ? rs_tl_find_track(t, to) : -1;

		if (a >= 0 && b >= 0)
			p->arrows[p->nr_arrows++] = (struct rs_tl_arrow){ (unsigned int)a, (unsigned int)b,
									  (uint64_t)rs_wire_number_of(at, "at_ns") };
	}
	return true;
}

/* Of tracks that were not asked for a row stands there all the same: the list scrolls over all of them. */
static bool read_tracks(struct rs_timeline_screen *t, struct rs_tl_picture *p, const cJSON *list)
{
	const cJSON *at = list ? list->child : NULL;

	for (unsigned int i = 0; i < t->nr_tracks; i++) {
		const char *name = at ? rs_wire_text_of(at, "track") : NULL;
		bool is_it = name && !strcmp(name, t->tracks[i].name);

		if (!(is_it ? read_lanes(p, i, cJSON_GetObjectItemCaseSensitive(at, "lanes")) :
			      add_row(p, i, RS_SPAN_STATE, 0)))
			return false;
		at = is_it ? at->next : at;
	}
	return true;
}

bool rs_tl_read_picture(struct rs_timeline_screen *t, const cJSON *reply)
{
	struct rs_tl_picture p = { .nr_runs = 0 };
	uint64_t cells;

	if (!rs_wire_u64_of(reply, "from_ns", 0, &p.axis.from_ns) ||
	    !rs_wire_u64_of(reply, "cell_ns", 0, &p.axis.cell_ns) ||
	    !rs_wire_u64_of(reply, "cells", 0, &cells) || !p.axis.cell_ns || cells > 4096)
		return false;
	p.axis.nr_cells = (unsigned int)cells;
	if (!read_labels(&p, cJSON_GetObjectItemCaseSensitive(reply, "labels")) ||
	    !read_tracks(t, &p, cJSON_GetObjectItemCaseSensitive(reply, "tracks")) ||
	    !read_arrows(t, &p, cJSON_GetObjectItemCaseSensitive(reply, "arrows"))) {
		rs_tl_picture_done(&p);
		return false;
	}
	rs_tl_picture_done(&t->picture);
	t->picture = p;
	return true;
}

const struct rs_tl_run *rs_tl_run_at(const struct rs_tl_picture *p, const struct rs_tl_row *row, uint64_t at_ns)
{
	for (size_t i = row->first; i < row->first + row->nr; i++)
		if (p->runs[i].from_ns <= at_ns && at_ns < p->runs[i].to_ns)
			return &p->runs[i];
	return NULL;
}
