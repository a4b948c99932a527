/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * catalogue.h - the views and the span kinds of a server, as its answer to "hello" lists them
 *
 * The client uses the same struct rs_view as the analyses, with panel and latencies; its .rows is NULL.
 */
#ifndef RS_RPC_CATALOGUE_H
#define RS_RPC_CATALOGUE_H

#include <string.h>

#include "ringside/span.h"
#include "ringside/table.h"

struct rs_catalogue_view {
	struct rs_view view;
	const char *analysis;
	const char *why_off;      /* NULL: the view is on */
};

struct rs_catalogue_kind {
	const char *name;         /* "syscall" */
	unsigned int number;      /* the number in spans */
	enum rs_track_type track;
	enum rs_span_shape shape;
	const char *rate;         /* "calls": their rate is worth showing; NULL: it is not */
	const char *slowest;        /* "system call": the slowest are worth showing, under this name; NULL: they are not */
};

struct rs_catalogue {
	const struct rs_catalogue_view *views;
	size_t nr_views;
	const struct rs_catalogue_kind *kinds;
	size_t nr_kinds;
};

/* NULL: none, also below. */
static inline const struct rs_catalogue_view *rs_catalogue_view(const struct rs_catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->nr_views; i++)
		if (!strcmp(c->views[i].view.name, name))
			return &c->views[i];
	return NULL;
}

static inline const struct rs_catalogue_kind *rs_catalogue_kind(const struct rs_catalogue *c, unsigned int number)
{
	for (size_t i = 0; i < c->nr_kinds; i++)
		if (c->kinds[i].number == number)
			return &c->kinds[i];
	return NULL;
}

#endif
