// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay-cast - a replay as an asciicast of version 2: a line of JSON for the terminal, then one for each
 * moment at which it is written to
 *
 * Only what changes is written. Names are escaped for a terminal first, then for JSON.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/json.h"
#include "export/replay/replay.h"

enum {
	COLUMNS = 100,
	ROWS = 24,
	NAME = 38,
	BAR_AT = NAME + 2,
	BAR = 22,
	TEXT_AT = BAR_AT + BAR + 1,
	TEXT = COLUMNS - TEXT_AT + 1,
	HEAD_ROW = 1,
	HEAD_LINES = 3,
	SPEED_ROW = 4,
	TRACK_ROW = 6,
	CAPTION_ROW = TRACK_ROW + RS_REPLAY_TRACKS + 1,
	CAPTION_LINES = 2,
	LAST_ROW = CAPTION_ROW + CAPTION_LINES,
	LAST_LINES = 3,
	TIMES = BAR + RS_REPLAY_CAPTIONS + RS_REPLAY_STEPS + 1
};

struct cast_writer {
	const struct rs_replay *r;
	struct rs_buf *out;
	struct rs_buf screen;            /* what is written to the terminal next */
	unsigned int play_ms, row;
	unsigned int nr_columns;         /* of the bars that are drawn */
	const char *texts[RS_REPLAY_TRACKS]; /* that are shown */
	const struct rs_replay_caption *caption;
};

/* ---- the file ---- */

static uint64_t cast_ms(const struct cast_writer *w, uint64_t ns)
{
	uint64_t all = w->r->to_ns - w->r->from_ns, at = ns - w->r->from_ns;

	return all > UINT64_MAX / w->play_ms ? at / (all / w->play_ms) : at * w->play_ms / all;
}

static void cast_put_header(struct rs_buf *out)
{
	struct rs_json j;

	rs_json_init(&j, out);
	rs_json_open(&j, '{');
	rs_json_put_u64(&j, "version", 2);
	rs_json_put_u64(&j, "width", COLUMNS);
	rs_json_put_u64(&j, "height", ROWS);
	rs_json_put_str(&j, "title", "ringside: one wait, moment by moment");
	rs_json_close(&j, '}');
	rs_buf_putc(out, '\n');
}

/* Nothing where nothing changes. */
static void cast_put_event(struct cast_writer *w, uint64_t ms)
{
	struct rs_json j;

	if (!w->screen.len)
		return;
	rs_json_init(&j, w->out);
	rs_json_open(&j, '[');
	rs_json_milli(&j, ms);
	rs_json_str(&j, "o");
	rs_json_str(&j, w->screen.data);
	rs_json_close(&j, ']');
	rs_buf_putc(w->out, '\n');
	w->out->failed |= w->screen.failed;
	rs_buf_clear(&w->screen);
}

/* ---- the screen ---- */

static void cast_put_at(struct cast_writer *w, unsigned int row, unsigned int column, const char *text,
			int width)
{
	rs_buf_printf(&w->screen, "\033[%u;%uH", row, column);
	rs_escape_padded(&w->screen, text, width);
}

static void cast_put_line(void *arg, unsigned int nr, const char *line)
{
	struct cast_writer *w = arg;

	cast_put_at(w, w->row + nr, 1, line, COLUMNS);
}

/* What the track did for most of that part of its bar; NULL: unknown. */
static const struct rs_replay_step *cast_find_most(const struct rs_replay *r,
						   const struct rs_replay_track *track, uint64_t from_ns,
						   uint64_t to_ns)
{
	const struct rs_replay_step *most = NULL;
	uint64_t most_ns = 0;

	for (unsigned int i = track->first; i < track->first + track->nr; i++) {
		const struct rs_replay_step *step = &r->steps[i];
		uint64_t from = step->from_ns > from_ns ? step->from_ns : from_ns;
		uint64_t to = step->to_ns < to_ns ? step->to_ns : to_ns;

		if (to > from && to - from > most_ns) {
			most = step;
			most_ns = to - from;
		}
	}
	return most;
}

static uint64_t cast_column_ns(const struct rs_replay *r, unsigned int column)
{
	uint64_t all = r->to_ns - r->from_ns;

	return column == BAR ? r->to_ns : r->from_ns + all / BAR * column + all % BAR * column / BAR;
}

static void cast_put_cell(struct cast_writer *w, unsigned int track, unsigned int column)
{
	const struct rs_replay_step *step = cast_find_most(w->r, &w->r->tracks[track],
							   cast_column_ns(w->r, column),
							   cast_column_ns(w->r, column + 1));
	const struct rs_cause_row *row = step ? rs_cause_row(step->cause) : NULL;

	rs_buf_printf(&w->screen, "\033[%u;%uH", TRACK_ROW + track, BAR_AT + column);
	if (!row) /* of a CPU or a disk: nothing is there */
		rs_buf_putc(&w->screen, w->r->tracks[track].kind == RS_REPLAY_TASK ? '?' : ' ');
	else if (row->rank == RS_RANK_IDLE)
		rs_buf_putc(&w->screen, ' ');
	else
		rs_buf_printf(&w->screen, "\033[48;5;%d;38;5;16m%c\033[0m", (int)row->dark, row->letter);
}

static void cast_put_bars(struct cast_writer *w, uint64_t ns)
{
	while (w->nr_columns < BAR && cast_column_ns(w->r, w->nr_columns + 1) <= ns) {
		for (unsigned int i = 0; i < w->r->nr_tracks; i++)
			cast_put_cell(w, i, w->nr_columns);
		w->nr_columns++;
	}
}

static void cast_put_texts(struct cast_writer *w, uint64_t ns)
{
	for (unsigned int i = 0; i < w->r->nr_tracks; i++) {
		const struct rs_replay_step *step = rs_replay_steps_at(w->r, &w->r->tracks[i], ns);
		const char *text = step ? step->text : "";

		if (ns < w->r->to_ns && text != w->texts[i]) {
			cast_put_at(w, TRACK_ROW + i, TEXT_AT, text, TEXT);
			w->texts[i] = text;
		}
	}
}

static void cast_put_caption(struct cast_writer *w, uint64_t ns)
{
	const struct rs_replay_caption *caption = rs_replay_words_at(w->r, ns);

	if (!caption || caption == w->caption)
		return;
	w->caption = caption;
	for (w->row = CAPTION_ROW; w->row < CAPTION_ROW + CAPTION_LINES; w->row++)
		cast_put_at(w, w->row, 1, "", COLUMNS);
	rs_buf_puts(&w->screen, "\033[1m");
	w->row = CAPTION_ROW;
	rs_replay_words_wrap(caption->text, COLUMNS, CAPTION_LINES, cast_put_line, w);
	rs_buf_puts(&w->screen, "\033[0m");
}

static void cast_put_first(struct cast_writer *w)
{
	char text[RS_REPLAY_TEXT];

	rs_buf_puts(&w->screen, "\033[?25l\033[2J");
	w->row = HEAD_ROW;
	rs_replay_words_wrap(w->r->headline, COLUMNS, HEAD_LINES, cast_put_line, w);
	rs_replay_words_speed(w->r, text, sizeof text);
	cast_put_at(w, SPEED_ROW, 1, text, COLUMNS);
	for (unsigned int i = 0; i < w->r->nr_tracks; i++) {
		const struct rs_replay_track *track = &w->r->tracks[i];

		snprintf(text, sizeof text, "%s%s%s", track->name, *track->role ? ", " : "", track->role);
		cast_put_at(w, TRACK_ROW + i, 1, text, NAME);
	}
}

/* The cursor is left below all, so that a shell's prompt comes there. */
static void cast_put_last(struct cast_writer *w)
{
	w->row = LAST_ROW;
	rs_replay_words_wrap(w->r->last, COLUMNS, LAST_LINES, cast_put_line, w);
	rs_buf_printf(&w->screen, "\033[?25h\033[%u;1H", (unsigned int)ROWS);
}

/* ---- moments ---- */

/* When something changes, in order. */
static size_t cast_find_times(const struct rs_replay *r, uint64_t times[TIMES])
{
	size_t nr = 0;

	for (unsigned int i = 0; i <= BAR; i++)
		times[nr++] = cast_column_ns(r, i);
	for (unsigned int i = 0; i < r->nr_captions; i++)
		times[nr++] = r->captions[i].from_ns;
	for (unsigned int i = 0; i < r->nr_steps; i++)
		times[nr++] = r->steps[i].from_ns;
	rs_replay_words_sort(times, nr);
	return nr;
}

static void cast_put_wait(struct cast_writer *w)
{
	uint64_t times[TIMES];
	size_t nr = cast_find_times(w->r, times);

	cast_put_first(w);
	for (size_t i = 0; i < nr; i++) {
		cast_put_bars(w, times[i]);
		cast_put_texts(w, times[i]);
		cast_put_caption(w, times[i]);
		if (i + 1 == nr)
			cast_put_last(w);
		cast_put_event(w, cast_ms(w, times[i]));
	}
}

void rs_replay_cast_put(const struct rs_replay *r, struct rs_buf *out)
{
	struct cast_writer w = { .r = r, .out = out, .screen = RS_BUF_INIT,
				 .play_ms = rs_replay_words_play_ms(r) };

	cast_put_header(out);
	if (r->nr_tracks) {
		cast_put_wait(&w);
	} else {
		rs_buf_puts(&w.screen, "No wait was found that cost time.\r\n");
		cast_put_event(&w, 0);
	}
	rs_buf_done(&w.screen);
}
