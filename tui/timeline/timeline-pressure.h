/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline-pressure.h - below the tracks: how much of the time tasks were held up for want of CPU, memory or
 * I/O, of the control group of the cursor's track, else of the machine
 */
#ifndef RS_TUI_TIMELINE_PRESSURE_H
#define RS_TUI_TIMELINE_PRESSURE_H

#include "tui/app/question.h"
#include "tui/toolkit/canvas.h"
#include "tui/toolkit/chart.h"

#define RS_TL_PRESSURE_LINES 3

/* A member of the timeline. */
struct rs_tl_pressure {
	struct rs_question question; /* of rs_pressure_reply */
	int64_t tid;                 /* whose group was asked about last; 0: the machine */
	bool asked;
};

/* Asks, if the group is another one, or live. */
void rs_timeline_pressure_ask(struct rs_tl_pressure *p, struct rs_tui_machine *machine, int64_t tid);
/* A line for each of CPU, memory and I/O that held somebody up in this time. */
int rs_timeline_pressure_lines(const struct rs_tl_pressure *p, const struct rs_axis *axis);
/* area: of these lines; label_width: columns before the first cell. */
void rs_timeline_pressure_draw(const struct rs_tl_pressure *p, const struct rs_axis *axis,
			       struct rs_canvas *c, struct rs_area area, int label_width);
void rs_timeline_pressure_done(struct rs_tl_pressure *p);

#endif
