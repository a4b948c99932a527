// SPDX-License-Identifier: GPL-2.0-or-later
/* timeline-picture.c - answers of "tracks" and "spans", checked and kept */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "rpc/wire.h"
#include "tui/toolkit/app.h"
#include "tui/timeline/timeline-screen.h"

/* ---- tracks ---- */

static enum rs_track_type timeline_picture_type_of(const char *name)
{
	name = rs_timeline_name_there(name);
	return !strncmp(name, "cpu:", 4) ? RS_TRACK_CPU : !strncmp(name, "disk:", 5) ? RS_TRACK_DISK : RS_TRACK_TASK;
}

long rs_timeline_find_track(const struct rs_timeline_screen *t, const char *name)
{
	for (size_t i = 0; i < t->nr_tracks; i++)
		if (!strcmp(t->tracks[i].name, name))
			return (long)i;
	return -1;
}

static bool read_track(const struct rs_tui_machine *machine, const cJSON *json, struct rs_tl_track *track)
{
	const char *name = rs_wire_text_of(json, "track");

	if (!name || !*name || strlen(name) >= RS_TL_NAME_THERE)
		return false;
	*track = (struct rs_tl_track){ .of = timeline_picture_type_of(name), .pid = rs_wire_number_of(json, "pid"), .tid = rs_wire_number_of(json, "tid") };
	rs_timeline_put_name(machine, name, track->name);
	rs_copy(track->label, sizeof track->label, rs_wire_text_of(json, "label"));
	rs_copy(track->vcpu, sizeof track->vcpu, rs_wire_text_of(json, "vcpu"));
	return true;
}

static bool is_in_group(const cJSON *json, bool of_tasks)
{
	const char *name = rs_wire_text_of(json, "track");

	return name && (timeline_picture_type_of(name) == RS_TRACK_TASK) == of_tasks;
}

/* The name of the machine, before a group of its tracks; where there is one machine there are no groups. */
static bool add_heading(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine, bool of_tasks,
			struct rs_tl_track *track)
{
	unsigned int at = (unsigned int)(machine - machine->app->machines);
	bool folded = t->folded & rs_tl_group(at, of_tasks);

	if (!machine->name)
		return false;
	*track = (struct rs_tl_track){ .of = of_tasks ? RS_TRACK_TASK : RS_TRACK_CPU };
	snprintf(track->name, sizeof track->name, "%u%s/", at, of_tasks ? "t" : "");
	snprintf(track->label, sizeof track->label, "%.40s%s%s", machine->name, of_tasks ? ": threads" : "",
		 folded ? " (Enter unfolds)" : t->brief & rs_tl_group(at, of_tasks) ? " (Enter: all rows)" : "");
	return true;
}

static const cJSON *tracks_of(const struct rs_tl_joint *answers, unsigned int machine)
{
	return cJSON_GetObjectItemCaseSensitive(answers->answers[machine].reply, "tracks");
}

static size_t count_group(const cJSON *list, bool of_tasks)
{
	const cJSON *at;
	size_t nr = 0;

	cJSON_ArrayForEach(at, list)
		nr += is_in_group(at, of_tasks);
	return nr;
}

/* How many of each machine's CPUs and disks there is room for. */
static size_t timeline_picture_make_room(struct rs_timeline_screen *t, const struct rs_tl_joint *answers)
{
	size_t nr[RS_TUI_MAX_MACHINES] = { 0 };

	for (unsigned int i = 0; i < t->screen.app->nr_machines; i++)
		nr[i] = count_group(tracks_of(answers, i), false);
	return rs_timeline_make_room(t, nr);
}

/* Those of a machine's tracks that stand together, in brief so many as fit; returns how many there are then. */
static size_t timeline_picture_add_group(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine, const cJSON *list,
					 bool of_tasks, size_t fit, struct rs_tl_track *tracks, size_t nr)
{
	uint32_t group = rs_tl_group((unsigned int)(machine - machine->app->machines), of_tasks);
	bool any = false;
	const cJSON *at;

	cJSON_ArrayForEach(at, list) {
		if (!is_in_group(at, of_tasks) || nr + 1 >= RS_TL_MAX_TRACKS)
			continue;
		if (!any && add_heading(t, machine, of_tasks, &tracks[nr]))
			nr++;
		any = true;
		if (t->folded & group || (t->brief & group && !fit))
			continue;
		if (read_track(machine, at, &tracks[nr])) {
			nr++;
			fit--;
		}
	}
	return nr;
}

/* CPUs and disks of all machines are together above, so that what one does is seen beside what the other does meanwhile. */
bool rs_timeline_read_tracks(struct rs_timeline_screen *t, const struct rs_tl_joint *answers)
{
	struct rs_tl_track *tracks = calloc(RS_TL_MAX_TRACKS, sizeof *tracks);
	const struct rs_app *app = t->screen.app;
	size_t nr = 0, fit = timeline_picture_make_room(t, answers);
	bool any = false;

	for (unsigned int i = 0; tracks && i < 2 * app->nr_machines; i++) {
		unsigned int machine = i % app->nr_machines;
		const cJSON *list = tracks_of(answers, machine);

		any |= cJSON_IsArray(list);
		nr = timeline_picture_add_group(t, &app->machines[machine], list, i >= app->nr_machines, fit,
						tracks, nr);
	}
	if (!any) {
		free(tracks);
		return false;
	}
	free(t->tracks);
	t->tracks = tracks;
	t->nr_tracks = nr;
	t->tracks_known = true;
	return true;
}

long rs_timeline_add_track(struct rs_timeline_screen *t, size_t after, const char *name, const char *label)
{
	struct rs_tl_track *track;

	if (t->nr_tracks >= RS_TL_MAX_TRACKS || !t->tracks)
		return -1;
	after = after < t->nr_tracks ? after + 1 : t->nr_tracks;
	memmove(&t->tracks[after + 1], &t->tracks[after], (t->nr_tracks - after) * sizeof *t->tracks);
	track = &t->tracks[after];
	t->nr_tracks++;
	*track = (struct rs_tl_track){ .of = timeline_picture_type_of(name) };
	rs_copy(track->name, sizeof track->name, name);
	rs_copy(track->label, sizeof track->label, label && *label ? label : rs_timeline_name_there(name));
	if (track->of == RS_TRACK_TASK)
		track->tid = strtol(rs_timeline_name_there(name) + 5, NULL, 10);
	return (long)after;
}

/* ---- runs ---- */

void rs_timeline_picture_done(struct rs_tl_picture *p)
{
	for (size_t i = 0; i < p->nr_labels; i++)
		free(p->labels[i]);
	free(p->labels);
	free(p->runs);
	free(p->rows);
	free(p->arrows);
	*p = (struct rs_tl_picture){ .nr_runs = 0 };
}

static bool timeline_picture_grow(void *list, size_t *max, size_t nr, size_t size)
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
	if (n < 7 || v[0] >= v[1] || v[1] > a->nr_cells || v[2] > UINT16_MAX || v[3] >= p->nr_labels - p->first_label ||
	    !timeline_picture_grow(&p->runs, &p->max_runs, p->nr_runs, sizeof *p->runs))
		return false;
	p->runs[p->nr_runs++] = (struct rs_tl_run){
		.from_ns = a->from_ns + v[0] * a->cell_ns, .to_ns = a->from_ns + v[1] * a->cell_ns,
		.kind = (uint16_t)v[2], .label = (uint32_t)(p->first_label + v[3]), .state = (uint32_t)v[4], .nr = v[5],
		.eighths = v[6] > 8 ? 8 : (uint8_t)v[6],
	};
	return true;
}

static bool add_row(struct rs_tl_picture *p, unsigned int track, enum rs_span_shape lane, unsigned int depth)
{
	if (!timeline_picture_grow(&p->rows, &p->max_rows, p->nr_rows, sizeof *p->rows))
		return false;
	p->rows[p->nr_rows++] = (struct rs_tl_row){ track, lane, depth, p->nr_runs, 0 };
	return true;
}

static bool timeline_picture_read_row(struct rs_tl_picture *p, unsigned int track, enum rs_span_shape lane,
				      const cJSON *json)
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
static bool timeline_picture_read_tracks(struct rs_tl_picture *p, unsigned int track, const cJSON *lanes)
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

			if (name && !strcmp(name, order[i].name) &&
			    !timeline_picture_read_row(p, track, order[i].lane, at))
				return false;
		}
	return p->nr_rows > before || add_row(p, track, RS_SPAN_STATE, 0);
}

/* Behind those of the machines before. */
static bool timeline_picture_read_labels(struct rs_tl_picture *p, const cJSON *list)
{
	size_t max = p->nr_labels + (size_t)cJSON_GetArraySize(list);
	char **labels = realloc(p->labels, (max + 1) * sizeof *labels);
	const cJSON *at;

	if (!labels)
		return false;
	p->labels = labels;
	cJSON_ArrayForEach(at, list) {
		p->labels[p->nr_labels] = strdup(cJSON_IsString(at) ? at->valuestring : "");
		if (!p->labels[p->nr_labels])
			return false;
		p->nr_labels++;
	}
	return true;
}

static long timeline_picture_find_end(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine, const cJSON *arrow, const char *end)
{
	const char *track = rs_wire_text_of(arrow, end);
	char name[RS_TL_NAME];

	rs_timeline_put_name(machine, track ? track : "", name);
	return track ? rs_timeline_find_track(t, name) : -1;
}

static bool read_arrows(const struct rs_timeline_screen *t, struct rs_tl_picture *p, const struct rs_tui_machine *machine,
			const cJSON *list)
{
	size_t max = p->nr_arrows + (size_t)cJSON_GetArraySize(list);
	struct rs_tl_arrow *arrows = realloc(p->arrows, (max + 1) * sizeof *arrows);
	const cJSON *at;

	if (!arrows)
		return false;
	p->arrows = arrows;
	cJSON_ArrayForEach(at, list) {
		long a = timeline_picture_find_end(t, machine, at, "from"),
		b = timeline_picture_find_end(t, machine, at, "to");

		if (a >= 0 && b >= 0)
			p->arrows[p->nr_arrows++] = (struct rs_tl_arrow){ (unsigned int)a, (unsigned int)b,
									  (uint64_t)rs_wire_number_of(at, "at_ns") };
	}
	return true;
}

/* Of each machine: what is left of its answer's tracks, and where its labels begin. */
struct rest {
	const cJSON *at[RS_TUI_MAX_MACHINES];
	size_t first_label[RS_TUI_MAX_MACHINES];
};

/* Of one in brief the first row: what a CPU ran, not what interrupted it. */
static void keep_first_row(struct rs_tl_picture *p, size_t first)
{
	p->nr_rows = first + 1;
	p->nr_runs = p->rows[first].first + p->rows[first].nr;
}

/* Of tracks that were not asked for a row stands there all the same: the list scrolls over all of them. */
static bool read_track_rows(const struct rs_timeline_screen *t, struct rs_tl_picture *p, unsigned int track, struct rest *rest)
{
	size_t machine = (size_t)(rs_timeline_machine(t, t->tracks[track].name) - t->screen.app->machines);
	bool brief = t->tracks[track].of != RS_TRACK_TASK && t->brief & rs_tl_group((unsigned int)machine, false);
	const cJSON *at = rest->at[machine];
	const char *name = at ? rs_wire_text_of(at, "track") : NULL;
	size_t first = p->nr_rows;

	if (!name || strcmp(name, rs_timeline_name_there(t->tracks[track].name)))
		return add_row(p, track, RS_SPAN_STATE, 0);
	rest->at[machine] = at->next;
	p->first_label = rest->first_label[machine];
	if (!timeline_picture_read_tracks(p, track, cJSON_GetObjectItemCaseSensitive(at, "lanes")))
		return false;
	if (brief)
		keep_first_row(p, first);
	return true;
}

static bool read_tracks(const struct rs_timeline_screen *t, struct rs_tl_picture *p, struct rest *rest)
{
	for (unsigned int i = 0; i < t->nr_tracks; i++)
		if (!read_track_rows(t, p, i, rest))
			return false;
	return true;
}

/* All were asked about the same cells. */
static bool read_axis(const cJSON *reply, struct rs_axis *axis)
{
	uint64_t cells;

	if (!rs_wire_u64_of(reply, "from_ns", 0, &axis->from_ns) || !rs_wire_u64_of(reply, "cell_ns", 0, &axis->cell_ns) ||
	    !rs_wire_u64_of(reply, "cells", 0, &cells) || !axis->cell_ns || cells > 4096)
		return false;
	axis->nr_cells = (unsigned int)cells;
	return true;
}

/* What does not depend on the order of the rows. */
static bool read_answer(const struct rs_timeline_screen *t, struct rs_tl_picture *p, const struct rs_tui_machine *machine,
			const cJSON *reply)
{
	return read_axis(reply, &p->axis) && timeline_picture_read_labels(p, cJSON_GetObjectItemCaseSensitive(reply, "labels")) &&
	       read_arrows(t, p, machine, cJSON_GetObjectItemCaseSensitive(reply, "arrows"));
}

bool rs_timeline_read_picture(struct rs_timeline_screen *t, const struct rs_tl_joint *answers)
{
	struct rs_tl_picture p = { .nr_runs = 0 };
	const struct rs_app *app = t->screen.app;
	struct rest rest = { 0 };
	bool good = true;

	for (unsigned int i = 0; good && i < app->nr_machines; i++) {
		const cJSON *reply = answers->answers[i].reply, *list = cJSON_GetObjectItemCaseSensitive(reply, "tracks");

		rest.at[i] = list ? list->child : NULL;
		rest.first_label[i] = p.nr_labels;
		good = !reply || read_answer(t, &p, &app->machines[i], reply);
	}
	if (!good || !p.axis.cell_ns || !read_tracks(t, &p, &rest)) {
		rs_timeline_picture_done(&p);
		return false;
	}
	rs_timeline_picture_done(&t->picture);
	t->picture = p;
	return true;
}

const struct rs_tl_run *rs_timeline_run_at(const struct rs_tl_picture *p, const struct rs_tl_row *row, uint64_t at_ns)
{
	for (size_t i = row->first; i < row->first + row->nr; i++)
		if (p->runs[i].from_ns <= at_ns && at_ns < p->runs[i].to_ns)
			return &p->runs[i];
	return NULL;
}
