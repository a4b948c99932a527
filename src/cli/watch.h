/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch.h - shows the progress of reading a file
 *
 *	struct rs_watched w;
 *	rs_watch_begin(&w, source, opt->quiet);
 *	while (read_some())
 *		rs_watch(&w, nr_events);
 *	rs_watch_end(&w);
 */
#ifndef RS_CLI_WATCH_H
#define RS_CLI_WATCH_H

#include "cli/progress.h"
#include "source/source.h"

struct rs_watched {
	struct rs_progress line;
	struct rs_source *source;
	uint64_t begin_ns;
};

void rs_watch_begin(struct rs_watched *w, struct rs_source *source, bool quiet);
void rs_watch(struct rs_watched *w, uint64_t nr_events);
void rs_watch_end(struct rs_watched *w);

#endif
