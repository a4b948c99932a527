// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * strip.c - keeps what each row shows of each interval (rs_cause_of_piece), and draws that as cells
 *
 * A cell covers the same intervals in each frame, so that the strip moves by whole cells and its colors do
 * not flicker.
 */
#include "tui/overview/strip.h"

#include <string.h>

enum rs_cause rs_strip_choose(enum rs_cause most, enum rs_cause piece, const struct rs_ink_task *task)
{
	return task && rs_cause_ink(most, task, NULL) == RS_INK_FULL ? most : piece;
}

static enum rs_cause strip_cause_of(const struct rs_split *split, const struct rs_ink_task *task)
{
	uint64_t ns[RS_NR_CAUSES] = { 0 };
	unsigned int most = RS_CAUSE_IDLE, cause;

	for (unsigned int i = 0; i < split->nr; i++)
		ns[split->parts[i].cause] += split->parts[i].ns;
	for (unsigned int i = 0; i < RS_NR_CAUSES; i++)
		if (i != RS_CAUSE_IDLE && ns[i] > (most == RS_CAUSE_IDLE ? 0 : ns[most]))
			most = i;
	cause = rs_cause_of_piece(ns);
	if (cause == RS_NR_CAUSES)
		cause = RS_CAUSE_IDLE;
	return rs_strip_choose((enum rs_cause)most, (enum rs_cause)cause, task);
}

static struct rs_strip_row *strip_row(const struct rs_strip *s, uint64_t identity)
{
	for (size_t i = 0; i < RS_STRIP_ROWS; i++)
		if (s->rows[i].last && s->rows[i].identity == identity)
			return (struct rs_strip_row *)&s->rows[i];
	return NULL;
}

bool rs_strip_is_known(const struct rs_strip *s, uint64_t identity)
{
	return strip_row(s, identity);
}

static struct rs_strip_row *strip_oldest(struct rs_strip *s)
{
	struct rs_strip_row *oldest = s->rows;

	for (size_t i = 0; i < RS_STRIP_ROWS; i++)
		if (s->rows[i].last < oldest->last)
			oldest = &s->rows[i];
	return oldest;
}

void rs_strip_add(struct rs_strip *s, uint64_t interval, uint64_t identity, const struct rs_split *split,
		  const struct rs_ink_task *task)
{
	struct rs_strip_row *row = strip_row(s, identity);

	if (!row) {
		row = strip_oldest(s);
		*row = (struct rs_strip_row){ .identity = identity };
		memset(row->causes, RS_CAUSE_IDLE, sizeof row->causes);
	}
	if (interval <= row->last)
		return;
	for (uint64_t missed = row->last + 1;
	     row->last && missed < interval && missed < row->last + RS_STRIP_SAMPLES; missed++)
		row->causes[missed % RS_STRIP_SAMPLES] = RS_CAUSE_IDLE;
	row->causes[interval % RS_STRIP_SAMPLES] = (uint8_t)strip_cause_of(split, task);
	row->last = interval;
	if (interval > s->now)
		s->now = interval;
}

void rs_strip_clear(struct rs_strip *s)
{
	memset(s, 0, sizeof *s);
}

/* As if each piece were an interval: the first is number 0. */
void rs_strip_set(struct rs_strip *s, uint64_t identity, const uint8_t causes[RS_STRIP_SAMPLES])
{
	struct rs_strip_row *row = strip_row(s, identity);

	if (!row)
		row = strip_oldest(s);
	row->identity = identity;
	s->now = row->last = RS_STRIP_SAMPLES - 1;
	for (unsigned int i = 0; i < RS_STRIP_SAMPLES; i++)
		row->causes[i] = causes[i] < RS_NR_CAUSES ? causes[i] : RS_CAUSE_NOT_SEEN;
}

/* Returns the most frequent cause of nr intervals, the latest of equals. */
static enum rs_cause strip_most(const struct rs_strip *s, const struct rs_strip_row *row, uint64_t from,
				uint64_t nr)
{
	uint8_t counts[RS_NR_CAUSES] = { 0 };
	enum rs_cause most = RS_CAUSE_IDLE;

	for (uint64_t i = from; i < from + nr; i++)
		if (i + RS_STRIP_SAMPLES > s->now && i <= row->last) {
			enum rs_cause cause = row->causes[i % RS_STRIP_SAMPLES];

			if (++counts[cause] >= counts[most])
				most = cause;
		}
	return most;
}

void rs_strip_draw(const struct rs_strip *s, uint64_t identity, const struct rs_ink_task *task,
		   struct rs_canvas *c, struct rs_area line)
{
	const struct rs_strip_row *row = strip_row(s, identity);
	uint64_t nr = line.width > 0 ? (RS_STRIP_SAMPLES + (uint64_t)line.width - 1) / (uint64_t)line.width :
				       0;
	enum rs_cause before = RS_CAUSE_IDLE;

	for (int x = 0; row && x < line.width; x++) {
		uint64_t back = (uint64_t)(line.width - 1 - x), cell = s->now / nr;
		enum rs_cause cause = cell < back ? RS_CAUSE_IDLE :
						    strip_most(s, row, (cell - back) * nr, nr);

		rs_chart_put_cell(c, line.y, line.x + x, cause, task, cause != before);
		before = cause;
	}
}
