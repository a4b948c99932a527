/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catalogue.h - the views of a server and its kinds of spans, as its hello has them
 *
 * The client has the same struct rs_view as the analyses' own, with panel and latencies; .rows is NULL there.
 */
#ifndef RS_RPC_CATALOGUE_H
#define RS_RPC_CATALOGUE_H

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
	const struct rs_catalogue_view *views;
	size_t nr_views;
	const struct rs_catalogue_kind *kinds;
	size_t nr_kinds;
};

const struct rs_catalogue_view *rs_catalogue_view(const struct rs_catalogue *c, const char *name); /* NULL: none */
const struct rs_catalogue_kind *rs_catalogue_kind(const struct rs_catalogue *c, unsigned int number);

#endif
