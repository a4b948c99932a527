/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.h - a kind of screen: const ops and its own data; the app owns header, footer, time and keys
 *
 * Screens form a stack: a new screen comes on top, Backspace goes back. ask() sends requests to the
 * engine: at each refresh, and after rs_app_refresh. The screen keeps the answer, and draw() uses only
 * that. Keys become actions by the rows of its key table; a key that the screen does not handle goes to
 * the app. Footer, help and the manual are made from the same rows.
 *
 * Each row of rs_screens is a screen with a key of its own. The key works on every screen that does not use
 * it itself, and the new screen opens on the selection there. The first row is the first screen.
 */
#ifndef RS_TUI_APP_SCREEN_H
#define RS_TUI_APP_SCREEN_H

#include "base/buf.h"
#include "rpc/client.h"
#include "tui/app/machine-set.h"
#include "tui/toolkit/canvas.h"
#include "tui/toolkit/keys.h"
#include "view/columns.h"

struct rs_app;
struct rs_axis;
struct rs_screen;
struct rs_screen_selection;
struct rs_selection_keys;

struct rs_screen_ops {
	const char *name;        /* "table": for settings and help */
	const struct rs_key *keys; /* ends with a NULL help */
	bool types;              /* the user types text into it: letters are not keys of the app here */
	void (*ask)(struct rs_screen *s);
	void (*draw)(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);
	bool (*act)(struct rs_screen *s, int action, const struct rs_key_event *key);
	/* Returns true if an action of .keys does something now; else its key is dimmed. NULL: all do. */
	bool (*can)(const struct rs_screen *s, int action);
	/* Handles a key without a row in .keys: a typed character, the mouse. May be NULL. */
	bool (*key)(struct rs_screen *s, const struct rs_key_event *key);
	/*
	 * Writes what is selected or seen as Markdown, with the command that prints it; nothing: there is
	 * nothing yet. NULL: the text of the screen is copied.
	 */
	void (*copy)(struct rs_screen *s, struct rs_buf *out);
	/* writes its word of the breadcrumb; NULL: its name */
	void (*title)(struct rs_screen *s, struct rs_buf *out);
	const char *help_text;       /* lines for the help, after the keys; NULL: .help writes them */
	void (*help)(struct rs_screen *s, struct rs_buf *out);    /* such as its columns. May be NULL */
	/*
	 * Returns the view whose columns the filter compares here, and what the screen is about, whatever the
	 * filter says; leaves *given as it is if that is nothing. NULL: the filter does nothing here.
	 */
	const struct rs_view *(*filtered)(struct rs_screen *s, const struct rs_selection_keys **given);
	/* Returns the selection, for screens that open on it; false: nothing is selected. May be NULL. */
	bool (*selection)(struct rs_screen *s, struct rs_screen_selection *out);
	/*
	 * For the pane beside the screen on a wide terminal: returns a new screen with the details of the
	 * selection, which .selection has; NULL: none are known. It may change the app's machine. NULL: no
	 * pane.
	 */
	struct rs_screen *(*detail)(struct rs_screen *s);
	/*
	 * Returns the same screen for the app's current machine. NULL: a screen about one process, CPU or
	 * disk, which has no equivalent.
	 */
	struct rs_screen *(*reopen)(struct rs_screen *s);
	/*
	 * For a screen that shows all machines: moves the cursor to the app's current machine instead. May be
	 * NULL.
	 */
	void (*go_to_machine)(struct rs_screen *s);
	void (*free)(struct rs_screen *s);                        /* NULL: free() */
};

/* First member of each screen. */
struct rs_screen {
	const struct rs_screen_ops *ops;
	struct rs_app *app;
	struct rs_tui_machine *machine;  /* the machine whose engine it asks */
};

/*
 * Returns a zeroed struct of so many bytes that begins with a screen of the app's current machine. NULL: no
 * memory, after showing a message.
 */
void *rs_screen_new(struct rs_app *app, const struct rs_screen_ops *ops, size_t bytes);

/* Write "1.23ms" and "1,234" into text, and return it. */
#define RS_SCREEN_TEXT 48
const char *rs_screen_duration(uint64_t ns, char *text);
const char *rs_screen_grouped(uint64_t v, char *text);

/* ---- services of the app ---- */

void rs_app_show_time(struct rs_app *app, const struct rs_shown_time *time); /* and refreshes */
/* Likewise, as a member of a request. */
struct rs_asked_time rs_app_asked_time(const struct rs_app *app);
void rs_app_push(struct rs_app *app, struct rs_screen *s);  /* takes ownership; NULL: does nothing */
void rs_app_pop(struct rs_app *app);
void rs_app_redraw(struct rs_app *app);   /* draws a frame soon */
void rs_app_refresh(struct rs_app *app);  /* asks, and draws when the answer comes */
/* Shows a line above the footer until the next key. */
void rs_app_say(struct rs_app *app, enum rs_style_id style_id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Asks the user for a line there; calls done(text) once: NULL if the user canceled. preset may be NULL. */
void rs_app_prompt(struct rs_app *app, const char *question, const char *preset,
		   void (*done)(void *arg, const char *text), void (*typed)(void *arg, const char *text),
		   void *arg);
/*
 * To be called by done, of a text that is wrong: the prompt stays open with the cursor at byte `at` of the
 * text, and shows the reason until the text changes.
 */
void rs_app_prompt_refuse(struct rs_app *app, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Appends the `where` of a request for rows of this view: `own`, which may be NULL or "", and the terms of
 * the filter that hold there. given: the selection that the screen is about, see .filtered; NULL: none.
 */
void rs_app_filter_where(const struct rs_app *app, const struct rs_view *view,
			 const struct rs_selection_keys *given, const char *own, struct rs_buf *out);
/* Does a term that holds there compare this column? Rows must be grouped by it then. */
bool rs_app_filter_uses(const struct rs_app *app, const struct rs_view *view,
			const struct rs_selection_keys *given, const char *name);
/* Puts text on the clipboard of the user's terminal, and says so. */
void rs_app_copy(struct rs_app *app, const char *text);
/* Shows a recording on the same terminal, in screens of its own, until the user closes them. */
void rs_app_open_file(struct rs_app *app, const char *path);
/* Returns true if the reply is an error, after showing it. */
bool rs_app_refused(struct rs_app *app, const struct rs_reply *reply);

/* Writes a moment in the format that the user selected: "12.345 s", "14:03:07.123". */
void rs_app_moment(const struct rs_app *app, uint64_t ts_ns, struct rs_buf *out);
/* Draws a time axis with such moments: see rs_chart_axis_draw. */
void rs_app_draw_axis(const struct rs_app *app, struct rs_canvas *c, struct rs_area line,
		      const struct rs_axis *axis, uint64_t origin_ns);

/* ---- the selection: values of columns that name something ---- */

#define RS_MAX_SELECTION_KEYS 8

struct rs_selection_key {
	const struct rs_column *column;  /* in the catalogue */
	struct rs_value value;           /* always known; of a text: in .text */
	char text[72];
};

struct rs_selection_keys {
	unsigned int nr;
	struct rs_selection_key keys[RS_MAX_SELECTION_KEYS];
};

struct rs_screen_selection {
	const struct rs_catalogue_view *view;  /* NULL: no view */
	const struct rs_value *values;         /* the selected row, valid during the call; NULL: none */
	struct rs_selection_keys keys;           /* from the row, and from the rows that led to this screen */
	int column;                            /* the selected column of the view; -1: none */
	uint64_t from_ns, to_ns;               /* the time of what is selected; to_ns 0: that of the app */
	bool is_wait;                          /* a wait, or a call, of a thread: it has a tid and a time */
	enum rs_category category;             /* of a finding, that of its waits; RS_CATEGORY_RUN: unknown */
};

/*
 * Adds the columns of a row that name something. A thread of the row replaces its process: if keys has pid
 * and the row has pid and tid, the selection becomes that thread.
 */
void rs_selection_add(struct rs_selection_keys *keys, const struct rs_view *view,
		      const struct rs_value *values);
/* Returns the thread, which of a process is its first; -1: no task is selected. */
int64_t rs_selection_thread(const struct rs_selection_keys *keys);
/*
 * Makes the selected row a wait, if it is about a thread, and says when what it is about began and
 * ended.
 */
void rs_selection_add_wait(struct rs_screen_selection *out);
/* Sets what is selected to a wait of a thread. Returns false, setting nothing, without thread or time. */
bool rs_selection_set_wait(struct rs_screen_selection *out, const char *comm, int64_t pid, int64_t tid,
			   uint64_t from_ns, uint64_t to_ns);
/*
 * Adds a task: its name, its process, and its thread if that is another. 0, and a comm of "-", are unknown.
 */
void rs_selection_add_task(struct rs_selection_keys *keys, const char *comm, int64_t pid, int64_t tid);
void rs_selection_add_cpu(struct rs_selection_keys *keys, int64_t cpu);
/* NULL: none */
const struct rs_selection_key *rs_selection_key(const struct rs_selection_keys *keys, const char *name);
/* Returns the number with that name, or -1. */
int64_t rs_selection_number(const struct rs_selection_keys *keys, const char *name);
/*
 * Writes a filter: "pid == 4242 && syscall == \"read\"", from the keys that this view has. Returns false if
 * it has none.
 */
bool rs_selection_where(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out);
/*
 * Writes the columns that the view must group by, so that the filter works and a process is split into
 * threads: "tid,syscall". Returns false if the view's default grouping does.
 */
bool rs_selection_by(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out);
/* Writes "postgres (4242) read", for a breadcrumb. */
void rs_selection_title(const struct rs_selection_keys *keys, struct rs_buf *out);

/* ---- the rows ---- */

struct rs_screen_row {
	const char *name;        /* "timeline": also for --screen */
	uint32_t key;            /* opens it from any screen; 0: none */
	const char *label;       /* for the footer */
	const char *help;        /* one line, no full stop */
	/* shows everything, not a selection: opening it again goes back to the same screen */
	bool whole;
	/* selection: NULL: nothing is selected. Returns NULL after showing the reason by rs_app_say. */
	struct rs_screen *(*open)(struct rs_app *app, const struct rs_screen_selection *selection);
	bool selects;            /* has nothing to show without a selection */
	bool rare;               /* not in the footer */
};

/* Ends with a NULL name. */
extern const struct rs_screen_row rs_screens[];
size_t rs_screens_nr(void);
const struct rs_screen_row *rs_screen_row(const char *name);   /* NULL: none */

/* ---- screens that other screens open ---- */

/* where: the filter that the user typed; NULL: none. keys: NULL: none. */
struct rs_screen *rs_table_new(struct rs_app *app, const struct rs_catalogue_view *view,
			       const struct rs_selection_keys *keys, const char *where);
struct rs_screen *rs_overview_new(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_incidents_screen_open(struct rs_app *app, const struct rs_screen_selection *selection);
/* What changed from one time to another. */
struct rs_screen *rs_compare_screen_new(struct rs_app *app, const struct rs_shown_time *before,
					const struct rs_shown_time *time);
struct rs_screen *rs_fired_screen_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_timeline_open(struct rs_app *app, const struct rs_screen_selection *selection);
/* Opens the screen on a span and its surroundings; pid 0: with all tracks. */
struct rs_screen *rs_timeline_open_at(struct rs_app *app, const char *track, enum rs_span_shape shape,
				      unsigned int kind, uint64_t start_ns, uint64_t end_ns, int64_t pid);
struct rs_screen *rs_latency_histogram_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_heat_map_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_flame_open(struct rs_app *app, const struct rs_screen_selection *selection);
/* Returns true if the engine tells where the time of a wait went; false: it is an older one. */
bool rs_why_is_known(const struct rs_app *app);
/* The screen about a wait, of an older engine the details of its task; finding: that tells of it, copied;
 * NULL: none. */
struct rs_screen *rs_why_open_wait(struct rs_app *app, const struct rs_screen_selection *wait,
				   const struct rs_wire_finding *finding);
/*
 * Likewise of the selected wait, else of the slowest of the selected process, or of all; of an older engine
 * the view why.
 */
struct rs_screen *rs_why_open_selection(struct rs_app *app, const struct rs_screen_selection *selection);
/* The views why and antagonists of the selected task; of all tasks if none is selected. */
struct rs_screen *rs_why_table_open(struct rs_app *app, const struct rs_screen_selection *selection);
struct rs_screen *rs_why_table_open_antagonists(struct rs_app *app,
						const struct rs_screen_selection *selection);
struct rs_screen *rs_details_new(struct rs_app *app, const struct rs_screen_selection *selection);
/* Likewise; NULL, after saying so, if nothing is selected. */
struct rs_screen *rs_details_open(struct rs_app *app, const struct rs_screen_selection *selection);
/* The screen with the rows that show why a finding is true. */
struct rs_screen *rs_details_new_evidence(struct rs_app *app, const struct rs_wire_finding *finding);
/* Opens a view with that filter, grouping and sort order; by "": the view's default. */
struct rs_screen *rs_table_new_as(struct rs_app *app, const struct rs_catalogue_view *view, const char *where,
				  const char *by, const struct rs_sort *sort);
/* The waits of the same shape as this one, of all that there is, or of the time range that is shown. */
struct rs_screen *rs_table_new_alike(struct rs_app *app, const struct rs_wire_wait *wait);
struct rs_screen *rs_picker_new(struct rs_app *app); /* lists all screens and views */
struct rs_screen *rs_help_screen_new(struct rs_app *app, struct rs_screen *of);

#endif
