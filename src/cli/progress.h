/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - one line on stderr that is written over, only where that is a terminal
 *
 *	struct rs_progress p;
 *	rs_progress_init(&p, opt->quiet);
 *	while (work())
 *		if (rs_progress_due(&p))
 *			rs_progress_show(&p, "%d of %d", done, all);
 *	rs_progress_done(&p);
 */
#ifndef RS_CLI_PROGRESS_H
#define RS_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_progress {
	bool on, shown;
	uint64_t next_ns;
};

void rs_progress_init(struct rs_progress *p, bool quiet);
bool rs_progress_due(struct rs_progress *p);  /* at most four times a second */
void rs_progress_show(struct rs_progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rs_progress_done(struct rs_progress *p); /* clears the line: before any other output to the terminal */

#endif
