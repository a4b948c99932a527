/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - one line on stderr that is written over, only where that is a terminal
 *
 *	struct rs_progress p;
 *	rs_progress_init(&p);
 *	while (work())
 *		if (rs_progress_due(&p))
 *			rs_progress_show(&p, "%d of %d", done, all);
 *	rs_progress_done(&p);
 */
#ifndef RS_CLI_PROGRESS_H
#define RS_CLI_PROGRESS_H

#include "source/source.h"

struct rs_progress {
	bool on, shown;
	uint64_t begin_ns, next_ns;
};

void rs_progress_init(struct rs_progress *p);
bool rs_progress_due(struct rs_progress *p);  /* at most four times a second */
void rs_progress_show(struct rs_progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* How far the source, a file, has been read, if it is due. */
void rs_progress_show_file(struct rs_progress *p, struct rs_source *source, uint64_t nr_events);
void rs_progress_done(struct rs_progress *p); /* clears the line: before any other output to the terminal */

#endif
