/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * app.h - shared by the files of the app: stack, frame, time, keys. Screens include only screen.h
 */
#ifndef RS_TUI_APP_APP_H
#define RS_TUI_APP_APP_H

#include "tui/app/app-filter.h"
#include "tui/app/app-pane.h"
#include "tui/app/app-pin.h"
#include "tui/app/app-search.h"
#include "tui/app/grid.h"
#include "tui/app/screen.h"
#include "tui/app/settings.h"
#include "tui/app/tui.h"
#include "tui/toolkit/prompt.h"
#include "tui/toolkit/theme.h"

#define RS_MAX_STACK 64
#define RS_MAX_CLICKS 64

/* Cells of the header or footer that take a click, as last drawn. */
struct rs_click {
	int y, x, width;
	uint32_t key;            /* 0: none of these */
	unsigned int term;       /* from 1 on: a term of the filter, which it removes; 0: */
	unsigned int crumb;      /* a word of the breadcrumb, its place on the stack */
};

struct rs_app {
	struct rs_tui_machine *all;      /* of all hosts; owned */
	unsigned int nr_all;
	struct rs_tui_machine *machines; /* those of the host that is shown: at least one of all */
	unsigned int nr_machines;
	struct rs_tui_machine *machine;  /* the current one, see machine-set.h */
	const struct rs_tui_options *opt;
	struct rs_settings settings;
	struct rs_screen *stack[RS_MAX_STACK];
	unsigned int nr_stack;
	struct rs_screen *closed[RS_MAX_STACK]; /* popped screens: freed when no call is inside them */
	unsigned int nr_closed;
	struct rs_app_pane pane;
	struct rs_app_filter filter;
	struct rs_prompt prompt;
	const struct rs_screen *prompt_of; /* the screen that asked; not called once it has closed */
	struct rs_app_search search;   /* of the prompt, while it is one of rs_app_search */
	struct rs_canvas *shown;       /* the last frame, for the key that saves it as text */

	/* from the answer to "hello" */
	bool live;                     /* the source is not a file */
	uint64_t interval_ns, begin_ns;
	int64_t realtime_offset_ns;
	bool has_wall;

	/* quality of the last answer for a time range */
	struct rs_counts range_quality;   /* quality of the last rows of a time range */
	struct rs_value *range_lost;      /* its lost_by_cpu */
	bool has_range_quality;
	uint64_t now_ns, oldest_ns, events, interval;
	uint64_t lost_to_ns;           /* when the last loss of events ended; UINT64_MAX: unknown */
	bool loading, ended;
	bool is_remote;                /* the engine is on another machine */
	bool can_open_files;           /* there is who shows another recording on this terminal */
	bool lost;                     /* the daemon closed: the screens show its last data */

	struct rs_shown_time time;
	struct rs_shown_time compared; /* what the next D of a timeline compares with; to_ns 0: nothing */
	bool paused;
	struct rs_app_pin pin;         /* what the engine keeps of it while the window moves on */
	uint64_t shown_from_ns, shown_to_ns; /* from the last answer about "now"; 0: none yet */
	/* from the last answer about a time range: later than requested if the window has moved on */
	uint64_t range_from_ns;
	struct rs_cell_style style;

	struct rs_buf copied;          /* for the clipboard; the terminal takes it */
	struct rs_buf opens;           /* a recording to be shown; the loop takes it */
	char said[512];                /* one line, shown until the next key */
	enum rs_style_id said_style;

	uint64_t refresh_ms;
	enum rs_theme theme;           /* the terminal applies it */
	bool no_mouse;                 /* the terminal selects text with the mouse */
	bool letters;                  /* bars of letters, with colors too */
	unsigned int palette_setting;  /* of rs_setting_rows, whose value the prompt asks for */

	bool quit, dirty, by_key;      /* by_key: a key caused the change, so it is drawn at once */
	uint64_t next_state, next_ask, last_draw; /* CLOCK_MONOTONIC */
	uint64_t asked_interval, asked_events;
	bool ask_due;
	struct rs_saving *saving;      /* the file that is being written; NULL: none */
	struct rs_area area;           /* of the screen, to place mouse events */
	struct rs_click clicks[RS_MAX_CLICKS];
	unsigned int nr_clicks;        /* reset with each frame */
};

enum rs_app_action {
	RS_APP_QUIT = 1,
	RS_APP_CLOSE,
	RS_APP_BACK,
	RS_APP_FILTER,
	RS_APP_UNFILTER,
	RS_APP_HELP,
	RS_APP_PALETTE,
	RS_APP_PICK,
	RS_APP_PAUSE,
	RS_APP_EARLIER,
	RS_APP_LATER,
	RS_APP_SHORTER,
	RS_APP_LONGER,
	RS_APP_JUMP,
	RS_APP_LIVE,
	RS_APP_SAVE,
	RS_APP_DUMP,
	RS_APP_CLOCK,
	RS_APP_COPY,
	RS_APP_THEME,
	RS_APP_MACHINE,
	RS_APP_OPEN, /* + index in rs_screens */
};

/* The clients must have answered "hello", and must outlive the app. Returns NULL with err. */
struct rs_app *rs_app_new(const struct rs_tui_engine *engine, const struct rs_tui_options *opt,
			  struct rs_error *err);
void rs_app_free(struct rs_app *app);

/* ---- the stack ---- */

struct rs_screen *rs_app_top(const struct rs_app *app);
void rs_app_pop_to(struct rs_app *app, unsigned int at); /* closes all screens above; 0: all but the first */
/*
 * Opens the screen of a row. Closes an older screen of that row; if that one shows everything, goes back to
 * it instead.
 */
void rs_app_open_row(struct rs_app *app, const struct rs_screen_row *row,
		     const struct rs_screen_selection *selection);
/* Frees a screen that is not on the stack, later, when no call is inside it. No reply arrives any more. */
void rs_app_stack_close(struct rs_app *app, struct rs_screen *s);
/* called between two keys, when no call is inside them */
void rs_app_stack_free_closed(struct rs_app *app);
void rs_app_stack_free(struct rs_app *app);
/*
 * Moves the screens to the next machine. Each is created anew there. Screens about one process, CPU or disk
 * close, because the other machine does not have it.
 */
void rs_app_stack_next_machine(struct rs_app *app);

/* ---- the app ---- */

/* Sends the requests that are due at now_ns (CLOCK_MONOTONIC). Returns the time until the next one, in ns. */
uint64_t rs_app_tick(struct rs_app *app, uint64_t now_ns);
/* Returns how long the next frame can wait: 0: draw now; UINT64_MAX: nothing changed. */
uint64_t rs_app_draw_due(const struct rs_app *app, uint64_t now_ns);
void rs_app_draw(struct rs_app *app, struct rs_canvas *c);
/* Forgets the time and state of the former server, because another one answers from now on. */
void rs_app_reset_state(struct rs_app *app);
int rs_app_push_first(struct rs_app *app, struct rs_error *err); /* the screen that the options name */
void rs_app_key(struct rs_app *app, const struct rs_key_event *key);
extern const struct rs_key rs_app_keys[];
/* Return true if the action, the key of a screen's row does something on the top screen now. */
bool rs_app_can(const struct rs_app *app, int action);
bool rs_app_can_open(const struct rs_app *app, const struct rs_screen_row *row);
/* Returns true if the top screen leaves the key to the app. */
bool rs_app_gets_key(const struct rs_app *app, uint32_t key);
/*
 * Notes the time range of an answer with rows: a pause keeps it. For a time range, notes its data quality
 * too.
 */
void rs_app_note_rows(struct rs_app *app, const struct rs_rows_reply *rows);
/* NULL: unknown. */
void rs_app_note_quality(struct rs_app *app, const struct rs_counts *quality);
/* Writes the settings, and shows a message if that fails. */
void rs_app_save_settings(struct rs_app *app);

/* ---- frame ---- */

#define RS_TUI_MIN_HEIGHT 8
#define RS_TUI_MIN_WIDTH 40

/* Draws the first lines of the frame; returns their number. */
int rs_app_header_draw(struct rs_app *app, struct rs_canvas *c);
/* Writes all that the header may have no room for, a line each: source, own cost, data quality ... */
void rs_app_header_help(const struct rs_app *app, struct rs_buf *out);
/*
 * app-quality.c: as the text formatter does, without kernel and clock. The quality of a time range is known
 * once its answer has come: until then nothing is said, and never the quality of another time. Returns false
 * then. style_id is RS_STYLE_TEXT if nothing is wrong.
 */
bool rs_app_quality_put(const struct rs_app *app, struct rs_buf *out, enum rs_style_id *style_id);
/* Returns the number of lines: none where nothing is wrong. */
int rs_app_quality_draw(const struct rs_app *app, struct rs_canvas *c, int y);

void rs_app_click(struct rs_app *app, int y, int x);

/* ---- tour ---- */

/* Draws what the tour says of the screen on top, above row bottom. Returns the number of lines. */
int rs_tour_draw(const struct rs_app *app, struct rs_canvas *c, int bottom);
void rs_app_click_add(struct rs_app *app, struct rs_click click); /* until the next frame */
void rs_app_footer_draw(struct rs_app *app, struct rs_canvas *c, int y);

/* ---- time ---- */

/*
 * Writes the time range of an answer: "last 1.00s" live, "all 2.31s" for a whole file, else "1.00s from
 * 12.345678 s".
 */
void rs_app_time_put_range(const struct rs_app *app, uint64_t from_ns, uint64_t to_ns, struct rs_buf *out);
/* Likewise for a grid; "latest" for a live stream, because each of its rows has its own time. */
void rs_app_time_put_grid_range(const struct rs_app *app, const struct rs_grid *g, struct rs_buf *out);
/* Returns the bounds of a time; for "now": all available data. */
void rs_app_time_bounds(const struct rs_app *app, const struct rs_shown_time *time, uint64_t *from_ns,
			uint64_t *to_ns);
void rs_app_time_pause(struct rs_app *app);
void rs_app_time_live(struct rs_app *app);
void rs_app_time_all(struct rs_app *app); /* shows all available data, unless the user chose a time range */
void rs_app_time_step(struct rs_app *app, int by);
void rs_app_time_width(struct rs_app *app, bool longer);
void rs_app_time_jump(struct rs_app *app);
void rs_app_time_next_clock(struct rs_app *app);
/*
 * Parses "12.5" (since the begin), "-10s" (before now), "@123456" (trace clock) or "14:03:07" (wall clock).
 * Returns false for anything else.
 */
bool rs_app_time_parse(const struct rs_app *app, const char *text, uint64_t *ts_ns);

/* Lets the user select a time, and about how much it is; then the format. */
void rs_save_ranges_begin(struct rs_app *app);
/* Lets the user select a format for that time, which is called `what`: "all". Both may go then. */
void rs_save_dialog_begin(struct rs_app *app, const struct rs_asked_time *time, const char *what);
void rs_save_dialog_end(struct rs_app *app);
bool rs_save_dialog_is_running(const struct rs_app *app);
void rs_save_dialog_dump(struct rs_app *app);

#endif
