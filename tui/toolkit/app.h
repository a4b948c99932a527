/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app.h - what the parts of the app share: stack, frame, time, keys. Screens include screen.h alone
 */
#ifndef RS_TUI_APP_H
#define RS_TUI_APP_H

#include "tui/table/grid.h"
#include "tui/toolkit/prompt.h"
#include "tui/toolkit/screens.h"
#include "tui/toolkit/settings.h"
#include "tui/toolkit/theme.h"
#include "tui/toolkit/tui.h"

#define RS_MAX_STACK 64
#define RS_MAX_CLICKS 64

/* Cells of header or footer that take a click, as they were drawn last. */
struct rs_click {
	int y, x, width;
	uint32_t key;            /* 0: a word of the breadcrumb, */
	unsigned int crumb;      /* of this place on the stack */
};

struct rs_app {
	struct rs_tui_machine *machines; /* one at least, */
	unsigned int nr_machines;
	struct rs_tui_machine *machine;  /* and the current one, see machine-set.h */
	const struct rs_tui_options *opt;
	struct rs_settings settings;
	struct rs_screen *stack[RS_MAX_STACK];
	unsigned int nr_stack;
	struct rs_screen *closed[RS_MAX_STACK]; /* popped, maybe by themselves: freed when nobody is in them */
	unsigned int nr_expired;
	struct rs_prompt prompt;
	const struct rs_screen *prompt_of; /* who asked: when it goes nobody is told */
	struct rs_canvas *shown;       /* what was drawn last: a key dumps it */

	/* what the server says of itself: hello, once */
	bool live;                     /* source is not a file */
	uint64_t interval_ns, begin_ns;
	int64_t realtime_offset_ns;
	bool has_wall;

	/* the last answers to "state": of all machines together */
	struct rs_counts range_quality;   /* of the last rows of a time range, */
	struct rs_value *range_lost;      /* and its lost_by_cpu */
	bool has_range_quality;
	uint64_t now_ns, oldest_ns, events, interval;
	uint64_t lost_to_ns;           /* when the last loss of events ended; UINT64_MAX: not known */
	bool loading, ended;
	bool lost;                     /* the daemon has closed: what is seen is its last */

	struct rs_shown_time time;
	bool paused;
	uint64_t step_ns;              /* of [ and ] */
	uint64_t shown_from_ns, shown_to_ns; /* of the last answer about now; 0: none yet */
	uint64_t range_from_ns;               /* of the last one about the past: later than was asked for where the rest has closed */
	struct rs_cell_style style;

	char said[512];                /* one line, until the next key */
	enum rs_style_id said_style;

	uint64_t refresh_ms;
	enum rs_theme theme;           /* as the terminal is to have it */

	bool quit, dirty, by_key;      /* by_key: what changed was the user's doing: drawn at once */
	uint64_t next_state, next_ask, last_draw; /* CLOCK_MONOTONIC */
	uint64_t asked_interval, asked_events;
	bool ask_due;
	struct rs_saving *saving;      /* a file that is being written; NULL none */
	struct rs_area area;           /* of the screen, for the mouse */
	struct rs_click clicks[RS_MAX_CLICKS];
	unsigned int nr_clicks;        /* begins anew with each frame */
};

enum rs_app_action {
	RS_APP_QUIT = 1, RS_APP_BACK, RS_APP_HELP, RS_APP_PICK,
	RS_APP_PAUSE, RS_APP_EARLIER, RS_APP_LATER, RS_APP_SHORTER, RS_APP_LONGER,
	RS_APP_JUMP, RS_APP_LIVE, RS_APP_SAVE, RS_APP_DUMP, RS_APP_CLOCK, RS_APP_FASTER, RS_APP_SLOWER, RS_APP_THEME,
	RS_APP_MACHINE,
	RS_APP_OPEN, /* + row of rs_screens */
};

/* The clients have said hello, and outlive the app. NULL: err is set. */
struct rs_app *rs_app_new(const struct rs_tui_engine *engine, const struct rs_tui_options *opt, struct rs_error *err);
void rs_app_free(struct rs_app *app);

/* ---- the stack ---- */

struct rs_screen *rs_app_top(const struct rs_app *app);
void rs_app_pop_to(struct rs_app *app, unsigned int at); /* what lies above goes; 0: the first */
/* Opens a row's screen; an older one of that row goes, or, if it shows all there is, is closed back to. */
void rs_app_open_row(struct rs_app *app, const struct rs_screen_row *row,
		     const struct rs_screen_selection *selection);
void rs_app_stack_free_closed(struct rs_app *app);             /* between two keys: nobody is in them */
void rs_app_stack_free(struct rs_app *app);
/* All screens are taken off the stack, in their order; no answer comes to them any more. Returns how many. */
unsigned int rs_app_stack_take(struct rs_app *app, struct rs_screen **screens);
void rs_app_stack_drop(struct rs_app *app, struct rs_screen **screens, unsigned int nr); /* freed when nobody is in them */

/* ---- the app ---- */

/* What is due at now_ns (CLOCK_MONOTONIC) is asked. Returns how long nothing else is due, ns. */
uint64_t rs_app_tick(struct rs_app *app, uint64_t now_ns);
/* Should it be drawn? 0: now. Else how long it can wait; UINT64_MAX: nothing changed. */
uint64_t rs_app_draw_due(const struct rs_app *app, uint64_t now_ns);
void rs_app_draw(struct rs_app *app, struct rs_canvas *c);
/* Another server answers from now on: what was known of the time of the last one is not. */
void rs_app_begin_anew(struct rs_app *app);
int rs_app_push_first(struct rs_app *app, struct rs_error *err); /* the screen that the options name */
void rs_app_key(struct rs_app *app, const struct rs_key_event *key);
extern const struct rs_key rs_app_keys[];
/* An answer with rows: what "now" was in it, which a pause keeps; of a time range, its data quality. */
void rs_app_note_rows(struct rs_app *app, const struct rs_rows_reply *rows);
/* NULL: none is known. */
void rs_app_note_quality(struct rs_app *app, const struct rs_counts *quality);
const struct rs_cell_style *rs_app_style(const struct rs_app *app);
struct rs_settings *rs_app_settings(struct rs_app *app);
/* Settings changed: written, and said where they cannot be. */
void rs_app_keep_settings(struct rs_app *app);

/* ---- frame ---- */

#define RS_TUI_MIN_HEIGHT 10
#define RS_TUI_MIN_WIDTH 40

bool rs_header_loss_has_left(const struct rs_app *app);                       /* of what can still be looked at nothing was lost */
int rs_header_draw(struct rs_app *app, struct rs_canvas *c);               /* returns how many lines */
void rs_quality_draw(struct rs_app *app, struct rs_canvas *c, int y);
void rs_footer_draw(struct rs_app *app, struct rs_canvas *c, int y);

/* ---- clicks on it ---- */

void rs_clicks_add_key(struct rs_app *app, int y, int x, int width, uint32_t key);
void rs_clicks_add_crumb(struct rs_app *app, int y, int x, int width, unsigned int at);
void rs_clicks_take(struct rs_app *app, int y, int x);

/* ---- time ---- */

/* The time that an answer covers: live "last 1.00s", of all of a file "all 2.31s", else "1.00s from 12.345678 s". */
void rs_app_time_put_range(const struct rs_app *app, uint64_t from_ns, uint64_t to_ns, struct rs_buf *out);
/* Of rows; of a live stream "latest", for each row has its own time. */
void rs_app_time_put_grid_range(const struct rs_app *app, const struct rs_grid *g, struct rs_buf *out);
/* Where it begins and ends; now: all that there is. */
void rs_app_time_bounds(const struct rs_app *app, const struct rs_shown_time *time, uint64_t *from_ns, uint64_t *to_ns);
void rs_app_time_pause(struct rs_app *app);
void rs_app_time_live(struct rs_app *app);
void rs_app_time_all(struct rs_app *app); /* that there is, unless the user looks at another time */
void rs_app_time_step(struct rs_app *app, int by);
void rs_app_time_width(struct rs_app *app, bool longer);
void rs_app_time_jump(struct rs_app *app);
void rs_app_time_next_clock(struct rs_app *app);
/* "12.5" since the begin, "-10s" before now, "@123456" of the clock, "14:03:07" by the wall. False: none of these. */
bool rs_app_time_parse(const struct rs_app *app, const char *text, uint64_t *ts_ns);

void rs_save_dialog_begin(struct rs_app *app);
void rs_save_dialog_end(struct rs_app *app);
bool rs_save_dialog_goes_on(const struct rs_app *app);
void rs_save_dialog_dump(struct rs_app *app);

int rs_batch_run(struct rs_app *app, struct rs_error *err);

#endif
