/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usual-sources.h - the rows of views that series are made of, and what can be unusual in them
 *
 * A source is a view, grouped by keys that mean the same tomorrow: the name of a process and its program, a
 * call, a disk. What a wait waited for decides whether a longer one is slow: a server that waits longer for
 * its next request is not.
 */
#ifndef RS_USUAL_USUAL_SOURCES_H
#define RS_USUAL_USUAL_SOURCES_H

#include "base/buf.h"

#define RS_USUAL_SOURCES 8u

struct rs_usual_source {
	const char *view, *by;
	const char *measure;         /* whose sum is taken; NULL: the view's latency */
	bool can_be_slow, can_be_less, can_be_more;
	/* "fsync by postgres": %1 and %2 are its keys */
	const char *what;
};

extern const struct rs_usual_source rs_usual_sources[RS_USUAL_SOURCES]; /* a NULL .view ends them */

/* The place of a source's view, -1: there is none of that name. */
int rs_usual_sources_find(const char *view);
/* Adds "fsync by postgres". key: the texts of its keys, a NUL behind each. */
void rs_usual_sources_put_what(struct rs_buf *to, unsigned int source, const char *key, size_t key_bytes);

#endif
