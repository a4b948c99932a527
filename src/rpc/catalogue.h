/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catalogue.h - the views of a server, as its hello tells them: what a face needs to show any of them
 *
 * The client has the same struct rs_view as the analyses' own, made from JSON, with panel and lengths; .rows is NULL there.
 */
#ifndef RS_RPC_CATALOGUE_H
#define RS_RPC_CATALOGUE_H

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/json.h"
#include "ringside/span.h"
#include "ringside/table.h"

struct rs_catalogue_view {
	struct rs_view view;
	const char *analysis;
	const char *why_off;      /* NULL: it can be asked */
};

struct rs_catalogue_kind {
	const char *name;         /* "syscall" */
	unsigned int number;      /* as spans carry it */
	enum rs_track_type track;
	enum rs_span_shape shape;
	const char *rate;         /* how many there are in a second is worth a line: "calls"; NULL no */
	const char *slowest;        /* the longest are worth showing, as this: "system call"; NULL no */
};

struct rs_catalogue {
	struct rs_catalogue_view *views;
	size_t nr_views;
	struct rs_catalogue_kind *kinds;
	size_t nr_kinds;
	void *text;               /* that all names point into */
};

int rs_catalogue_read(struct rs_catalogue *c, const cJSON *hello, struct rs_error *err);
void rs_catalogue_done(struct rs_catalogue *c);
const struct rs_catalogue_view *rs_catalogue_view(const struct rs_catalogue *c, const char *name); /* NULL: none */
const struct rs_catalogue_kind *rs_catalogue_kind(const struct rs_catalogue *c, unsigned int number);

/* The server's end. */
void rs_catalogue_write_view(struct rs_json *j, const struct rs_view *view, const char *analysis, const char *why_off);
void rs_catalogue_write_kind(struct rs_json *j, const struct rs_span_kind *kind, unsigned int number);
const char *rs_wire_track(enum rs_track_type track); /* "task" */
const char *rs_wire_shape(enum rs_span_shape shape); /* "slice" */

#endif
