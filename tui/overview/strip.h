/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strip.h - the last minute of each row of a panel, or the time range that is shown: what most of its time
 * went to, piece by piece
 */
#ifndef RS_TUI_STRIP_H
#define RS_TUI_STRIP_H

#include "tui/toolkit/chart.h"

#define RS_STRIP_SAMPLES 60
#define RS_STRIP_ROWS 128

struct rs_strip_row {
	uint64_t identity;             /* of the row, see rs_grid_identity */
	uint64_t last;                 /* interval of the latest sample; 0: free */
	uint8_t causes[RS_STRIP_SAMPLES]; /* indexed by the interval's number */
};

struct rs_strip {
	struct rs_strip_row rows[RS_STRIP_ROWS];
	uint64_t now;                  /* latest interval of all rows */
};

/*
 * What a piece shows: what took most of it, if that cost the task (rs_cause_ink), else that of
 * rs_cause_of_piece. task NULL: the row is of none.
 */
enum rs_cause rs_strip_choose(enum rs_cause most, enum rs_cause piece, const struct rs_ink_task *task);
/*
 * Adds a row of an interval; another time for the same interval does nothing. Of too many rows the oldest go.
 */
void rs_strip_add(struct rs_strip *s, uint64_t interval, uint64_t identity, const struct rs_split *split,
		  const struct rs_ink_task *task);
/* Replaces all: one row's pieces of a time range, RS_STRIP_SAMPLES of them. */
void rs_strip_clear(struct rs_strip *s);
void rs_strip_set(struct rs_strip *s, uint64_t identity, const uint8_t causes[RS_STRIP_SAMPLES]);
/* Has it samples of a row? */
bool rs_strip_is_known(const struct rs_strip *s, uint64_t identity);
/* Draws the last minute of a row, the latest cell at the right end. */
void rs_strip_draw(const struct rs_strip *s, uint64_t identity, const struct rs_ink_task *task,
		   struct rs_canvas *c, struct rs_area line);

#endif
