/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline-screen.h - shared by the files of the timeline screen: tracks over time
 *
 * The screen draws the last answer at its own times. While another is pending, the old picture is scaled and
 * shifted to the new time range. Only one request is pending at a time; if the screen has moved on when its
 * answer comes, it asks again.
 */
#ifndef RS_TUI_TIMELINE_SCREEN_H
#define RS_TUI_TIMELINE_SCREEN_H

#include "tui/toolkit/chart.h"
#include "tui/app/question.h"
#include "tui/app/screen.h"
#include "tui/latency/latency.h"
#include "tui/table/path.h"
#include "tui/table/why-nodes.h"
#include "tui/timeline/timeline-pressure.h"

#include "ringside/span.h"

#define RS_TL_MAX_TRACKS 512
#define RS_TL_ASK_TRACKS 48     /* visible tracks in one request */
#define RS_TL_ASK_CELLS 32768   /* of all its tracks together, see docs/protocol.md */
#define RS_TL_NAME 40
#define RS_TL_ENGINE_NAME 36     /* of the name that its engine uses; the rest is for the machine */

struct rs_tl_track {
	/* "task:4242.0"; with several machines "1/task:4242.0", and "1/" and "1t/" for their headings */
	char name[RS_TL_NAME];
	char label[72];           /* name to show */
	char vcpu[72];            /* a guest's CPU that this task runs: "web vcpu 0 (CPU 0/KVM)"; "": none */
	enum rs_track_type of;
	int64_t pid, tid;         /* 0: none, or unknown */
	bool kernel_thread;
	uint64_t nr_spans;        /* that ended in the time of the request; 0: unknown, it was added */
	bool idle;                /* it hardly ran or waited in that time, see query/track-activity.h */
	char involved[12];        /* "waker": what it had to do with the wait, which it is no part of; "" */
	bool inked;               /* the last picture had more of it than sleep */
};

struct rs_tl_row {
	unsigned int track;       /* index in tracks */
	enum rs_span_shape shape;
	unsigned int depth;
	const struct rs_wire_run *runs; /* in cells of the picture */
	size_t nr;
	const char *const *labels; /* of the runs */
	bool lower;               /* the lower line of the row above, see timeline-tall.c */
};

struct rs_tl_arrow {
	unsigned int from, to;    /* indexes in tracks */
	uint64_t at_ns;
};

/* An answer. Its rows have the order of the screen's tracks; a track without spans has a row without runs. */
struct rs_tl_picture {
	struct rs_axis axis;
	const struct rs_spans_reply *replies[RS_TUI_MAX_MACHINES]; /* NULL: not asked, or refused */
	struct rs_tl_row *rows;
	size_t nr_rows, max_rows;
	struct rs_tl_arrow *arrows;
	size_t nr_arrows;
};

/* A request to the engines of several machines, complete when all have answered. */
struct rs_tl_joint {
	struct rs_timeline_screen *timeline;
	void (*answered)(struct rs_timeline_screen *t, struct rs_tl_joint *j); /* may take the replies */
	struct rs_question questions[RS_TUI_MAX_MACHINES]; /* .answer: NULL: not asked, or refused */
	unsigned int nr_open;     /* requests without an answer */
};

/* A track that takes part in a wait: "victim", "holder", "takes", "device" ... */
struct rs_tl_role {
	char track[RS_TL_ENGINE_NAME], label[40], role[8];
	int64_t pid;              /* 0: no task, or unknown */
};

/* The request that a wait was for, and what its disk served before it. */
struct rs_tl_queue {
	struct rs_question question; /* .answered calls rs_timeline_queue_read */
	int64_t tid;              /* who waited */
	char comm[24];
	uint64_t end_ns;          /* of the request; 0: unknown */
	uint64_t ahead, ahead_ns;
	char behind[24];          /* who had most of that; "": itself, or unknown */
};

#define RS_TL_ROLES 16
struct rs_tl_cast {
	int64_t tid;              /* of whose wait; 0: of none */
	uint64_t from_ns, to_ns;  /* to_ns 0: the screen was not opened on a time */
	struct rs_why_nodes nodes;
	struct rs_tl_role at[RS_TL_ROLES];
	unsigned int nr;
	bool only;                /* no other tracks are shown */
	struct rs_tl_queue queue; /* of the first wait for a disk */
};

struct rs_timeline_screen {
	struct rs_screen screen;  /* first */
	char title[72];
	/* which tracks: all, or those of a process; following wakers adds others */
	int64_t pid, tid;         /* 0, 0: all */
	struct rs_tl_track *tracks;
	size_t nr_tracks;
	struct rs_tl_joint tracks_question, spans_question;
	bool tracks_known;
	bool tracks_of_part;      /* requested while the file was loading */
	unsigned int order_of;    /* .nr_read of the findings that the tracks are ordered by; 0: of none */
	uint32_t folded;          /* bits of the folded groups, see rs_tl_group */
	/* bits of the groups in brief, and of those that Enter expanded, see rs_timeline_make_room */
	uint32_t brief, whole;
	unsigned int filter_changes; /* of the app's filter, at the request for tracks */
	struct rs_selection_keys given; /* pid or tid */
	unsigned int age;         /* refreshes since the request for tracks */
	uint64_t tracks_from_ns, tracks_to_ns; /* its time range */

	struct rs_axis axis;      /* the shown time range; nr_cells 0: not drawn yet */
	bool touched;             /* the user has moved it */
	bool follows;             /* its end follows the last event */
	struct rs_shown_time seen_time; /* the app's time when it was last taken over */
	struct rs_tl_picture picture;
	bool asks_again;
	size_t asked_first;       /* first track of the pending request */
	size_t asked_nr;

	size_t row, top;          /* in picture.rows: the cursor's row, the first visible row */
	char at_track[RS_TL_NAME]; /* the cursor's track, kept when rows change */
	enum rs_span_shape at_shape;
	unsigned int at_depth;
	bool placed;              /* an earlier answer had rows */
	bool on_first;            /* opened on no track: until .touched the cursor is on the first */
	uint64_t cursor_ns;
	int rows_height;          /* visible rows */
	int label_width;
	bool hides_arrows;
	bool shows_quiet;         /* see timeline-quiet.c */
	char wanted[RS_TL_NAME];  /* the last one that was quiet and that the user went to */

	/* the selected span */
	const struct rs_span_reply *selected; /* the answer about it, which has a span; NULL: none */
	char span_track[RS_TL_NAME];
	struct rs_buf details;    /* "ret 1  args 0x3 ..." */
	/* functions and their modules, outermost first, ';' between; "": it has no stack */
	struct rs_buf stack, stack_modules;
	bool details_asked;
	bool span_asked;
	/* steps that wait for an answer or for the end of loading, all in one direction */
	struct rs_tl_steps {
		unsigned int nr;
		bool back, by_duration;
	} steps;
	bool from_slowest;        /* the pending step goes to the slowest span */
	bool step_fits;           /* it goes by duration, and zooms to a span that is too small to see */
	struct rs_tui_machine *span_of; /* the machine of the last request for a span */
	bool goes_to_span;        /* opened on a span: the first picture selects it */
	struct rs_wire_span opened_on; /* its kind and times */
	char find[64];            /* n and N go to tracks with this in their name; "": to the slowest */
	uint64_t marks[2];
	uint64_t pressed_ns;      /* where the mouse button was pressed; UINT64_MAX: not on a track */
	unsigned int nr_marks;
	struct rs_path path;      /* the critical path that is highlighted; no links: none */
	unsigned int path_at;     /* its selected link */
	bool path_into_sight;     /* the next picture scrolls to it */
	struct rs_tl_pressure pressure;
	struct rs_tl_cast cast;   /* of the wait that the screen was opened on */
};

/* timeline-keys.c */
bool rs_timeline_can(const struct rs_screen *s, int action);
bool rs_timeline_act(struct rs_screen *s, int action, const struct rs_key_event *key);
bool rs_timeline_key(struct rs_screen *s, const struct rs_key_event *event);
void rs_timeline_cursor_find(struct rs_timeline_screen *t);       /* after the rows changed */
void rs_timeline_cursor_row(struct rs_timeline_screen *t);        /* after .at_track changed */
void rs_timeline_cursor_to(struct rs_timeline_screen *t, const char *track, enum rs_span_shape shape,
			   uint64_t at_ns);

/* timeline-screen.c */
void rs_timeline_ask_tracks(struct rs_timeline_screen *t);
/* Asks for the visible tracks; if a request is pending, after its answer. */
void rs_timeline_ask(struct rs_timeline_screen *t);
uint64_t rs_timeline_oldest_ns(const struct rs_timeline_screen *t);
void rs_timeline_show(struct rs_timeline_screen *t, uint64_t from_ns,
		      uint64_t cell_ns); /* limited to the available data */
void rs_timeline_show_range(struct rs_timeline_screen *t, uint64_t from_ns, uint64_t to_ns);
bool rs_timeline_selection(struct rs_screen *s, struct rs_screen_selection *out);
/* opens another screen on top */
void rs_timeline_open_tracks(struct rs_timeline_screen *t, int64_t pid, const char *title);

/* timeline-picture.c */
/*
 * Prefixes an engine's track name with its machine; a missing or too long one gives "". name has RS_TL_NAME
 * bytes.
 */
void rs_timeline_put_name(const struct rs_tui_machine *machine, const char *track, char *name);
/* the machine of a track */
struct rs_tui_machine *rs_timeline_machine(const struct rs_timeline_screen *t, const char *name);
/* the name of a kind of the track's spans; "": its machine has none of that number */
const char *rs_timeline_kind_name(const struct rs_timeline_screen *t, const char *track, unsigned int number);
/* the engine's name of a track; "": a machine's heading */
const char *rs_timeline_engine_name(const char *name);
/* Writes the heading of a machine's CPUs and disks; "" if there is only one machine. */
void rs_timeline_put_heading(const struct rs_tui_machine *machine, char *name);
bool rs_timeline_is_heading(const char *name);
/*
 * Lists a machine's tracks among nr from the first on, by the names that its engine uses. Returns their
 * number.
 */
size_t rs_timeline_list_tracks(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine,
			       size_t first, size_t nr, const char **tracks);
/* folds the group whose heading the cursor is on; false: not on a heading */
bool rs_timeline_fold(struct rs_timeline_screen *t);
static inline uint32_t rs_tl_group(unsigned int machine, bool of_tasks)
{
	return 1u << (2 * machine + of_tasks);
}

/* Returns the time between the marks, else the shown time, as far as there is data; false: there is none. */
bool rs_timeline_time(const struct rs_timeline_screen *t, struct rs_shown_time *time);
/* makes the machine of the cursor's row the screen's machine */
void rs_timeline_follow_cursor(struct rs_timeline_screen *t);
/* moves the cursor to the first row of the current machine */
void rs_timeline_go_to_machine(struct rs_screen *s);
void rs_timeline_joint_ask(struct rs_tl_joint *j, struct rs_tui_machine *machine, const char *op,
			   const void *request);
void rs_timeline_joint_forget(struct rs_tl_joint *j);
bool rs_timeline_read_tracks(struct rs_timeline_screen *t, const struct rs_tl_joint *answers);
/* takes the replies */
bool rs_timeline_read_picture(struct rs_timeline_screen *t, struct rs_tl_joint *answers);
void rs_timeline_picture_done(struct rs_tl_picture *p);
long rs_timeline_find_track(const struct rs_timeline_screen *t, const char *name); /* -1: none */
/*
 * Takes the list of RS_TL_MAX_TRACKS, of which nr are used, for the one of before. Until the next answer the
 * picture shows its rows under the same names.
 */
void rs_timeline_replace_tracks(struct rs_timeline_screen *t, struct rs_tl_track *tracks, size_t nr);
/* Likewise, where the list itself has changed from what it was before. */
void rs_timeline_rename_rows(struct rs_timeline_screen *t, const struct rs_tl_track *before);
/*
 * Adds a track that is not listed yet, such as a waker's, after `after`. Returns its index; -1: too many
 * tracks.
 */
long rs_timeline_add_track(struct rs_timeline_screen *t, size_t after, const char *name, const char *label);
const struct rs_wire_run *rs_timeline_run_at(const struct rs_tl_picture *p, const struct rs_tl_row *row,
					     uint64_t at_ns);

/* timeline-order.c: which tracks come first */
/* Orders the tracks. The cursor stays on its track. */
void rs_timeline_order(struct rs_timeline_screen *t);
/* Likewise while they are on the screen, which shows the first ones if it did before. */
void rs_timeline_order_anew(struct rs_timeline_screen *t);
/* Likewise if other findings are known by now. Returns false if not. */
bool rs_timeline_order_again(struct rs_timeline_screen *t);

/* timeline-span.c: the selected span, its details, its waker */
void rs_timeline_select(struct rs_timeline_screen *t);            /* the span at the cursor */
void rs_timeline_select_span(struct rs_timeline_screen *t);       /* the span that the screen was opened on */
void rs_timeline_step(struct rs_timeline_screen *t, bool back, bool by_duration);
void rs_timeline_step_on(struct rs_timeline_screen *t);           /* continues the waiting steps */
/* for a preempted wait: to the task that got the CPU */
void rs_timeline_to_waker(struct rs_timeline_screen *t);
/* zooms so that the selected span fills the middle */
void rs_timeline_fit(struct rs_timeline_screen *t);
void rs_timeline_unselect(struct rs_timeline_screen *t);
static inline const struct rs_wire_span *rs_tl_selected(const struct rs_timeline_screen *t)
{
	return t->selected ? t->selected->span : NULL;
}

/* timeline-copy.c */
/*
 * The spans with the kind, name and task of the selected one, on a task; else of any name, which is a task or
 * a size and differs for each span. Returns false if nothing is selected.
 */
bool rs_timeline_latency_of(const struct rs_timeline_screen *t, struct rs_latency_of *of);
/* The selected span, else the critical path, as Markdown. */
void rs_timeline_copy(struct rs_screen *s, struct rs_buf *out);

/* Returns the columns of a time in the shown time range. False: it is outside. */
bool rs_timeline_columns(const struct rs_axis *a, uint64_t from_ns, uint64_t to_ns, int *from, int *to);

/* timeline-states.c: draws a run of a task's states, from one cell up to another */
void rs_timeline_states_draw_run(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				 const struct rs_tl_row *row, const struct rs_wire_run *run, int from,
				 int to);
/* Makes a slice that was drawn dim where the task's states leave no ink: there it cost nobody anything. */
void rs_timeline_states_dim_slice(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				  const struct rs_tl_row *row, const struct rs_wire_run *run);

/* timeline-tall.c: states that are two lines high */
/* Adds the lower lines where there is room for them. False: no memory. */
bool rs_timeline_tall_add_rows(const struct rs_timeline_screen *t, struct rs_tl_picture *p);
bool rs_timeline_tall_has_lower(const struct rs_tl_picture *p, const struct rs_tl_row *row);
size_t rs_timeline_tall_upper(const struct rs_tl_picture *p, size_t row); /* of a lower line; else the row */
/* A cell of the upper or the lower line. */
void rs_timeline_tall_put_cell(struct rs_canvas *c, int y, int x, bool lower, enum rs_cause cause,
			       const struct rs_ink_task *task, bool begins);

/* timeline-quiet.c: the tracks where nothing happens are one line, at the end */
bool rs_timeline_quiet_is_heading(const char *name);
/* Says of each track whether it is quiet. Returns false if they are not folded: they are few, or all. */
bool rs_timeline_quiet_list(const struct rs_timeline_screen *t, bool quiet[RS_TL_MAX_TRACKS]);
void rs_timeline_quiet_add_heading(struct rs_timeline_screen *t); /* behind all tracks, if there is none */
bool rs_timeline_quiet_is_folded(const struct rs_timeline_screen *t, size_t track);
bool rs_timeline_quiet_any_folded(const struct rs_timeline_screen *t);
/* Has one of these rows of a track more than sleep and idleness? */
bool rs_timeline_quiet_has_ink(const struct rs_timeline_screen *t, const struct rs_tl_row *rows, size_t nr);
/* Orders the tracks anew if a folded one is .inked. Returns true if so. */
bool rs_timeline_quiet_wake(struct rs_timeline_screen *t);
/* Orders them anew if that track is folded: it is not from now on. */
void rs_timeline_quiet_bring_back(struct rs_timeline_screen *t, const char *name);
/* Shows them all, or folds them again. Returns false if none is quiet. */
bool rs_timeline_quiet_toggle(struct rs_timeline_screen *t);
void rs_timeline_quiet_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, int y, bool selected);

/* timeline-search.c */
void rs_timeline_search_begin(struct rs_timeline_screen *t);       /* asks for the text */
/* Moves the cursor to the next track that matches, step -1: to the one before; here: the current one, too. */
void rs_timeline_search(struct rs_timeline_screen *t, int step, bool here);

/* timeline-stack.c: its stack */
void rs_timeline_stack_clear(struct rs_timeline_screen *t);
/* false: another detail */
bool rs_timeline_stack_take(struct rs_timeline_screen *t, const struct rs_wire_detail *d);
/* Returns the lines for it, of a screen of that height. */
int rs_timeline_stack_lines(const struct rs_timeline_screen *t, int height);
void rs_timeline_stack_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area);

/* timeline-panel.c: a low screen has room for only its first line */
#define RS_TL_PANEL_LINES 5 /* the cursor's cell, the selected span, and the legend */
void rs_timeline_panel_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area);

/* timeline-cast.c: the tracks that take part in a wait */
/* Begins with that time, and a little around it. */
void rs_timeline_cast_set_time(struct rs_timeline_screen *t, uint64_t from_ns, uint64_t to_ns);
/* Opens on a wait of a thread: asks who takes part, and shows these tracks alone. */
void rs_timeline_cast_begin(struct rs_timeline_screen *t, int64_t tid, uint64_t from_ns, uint64_t to_ns);
/* Returns what the track is in the wait, "victim", or had to do with it, "waker"; "": neither. */
const char *rs_timeline_cast_role(const struct rs_timeline_screen *t, const struct rs_tl_track *track);
/* Adds the tracks of the wait, and its time, to a request for all. */
void rs_timeline_cast_add_near(const struct rs_timeline_screen *t, const struct rs_tui_machine *machine,
			       struct rs_tracks_request *request, const char *near[RS_TL_ROLES]);
/* Shows the time of the wait, once. Returns false: there is none, or it was shown. */
bool rs_timeline_cast_show_time(struct rs_timeline_screen *t);
/* Shows all tracks from now on. Returns false if they are shown. */
bool rs_timeline_cast_show_all(struct rs_timeline_screen *t);
void rs_timeline_cast_done(struct rs_timeline_screen *t);

/* timeline-queue.c: whom a disk serves, request by request */
/* Asks what was served before the request that the thread waited for in that time. */
void rs_timeline_queue_ask(struct rs_tl_queue *q, int64_t tid, const char *comm, uint64_t from_ns,
			   uint64_t to_ns);
void rs_timeline_queue_read(struct rs_tl_queue *q);
void rs_timeline_queue_done(struct rs_tl_queue *q);
/* Writes "17 ahead, 11.9ms", whole: and who had most of that. "": it is not known. */
void rs_timeline_queue_words(const struct rs_tl_queue *q, bool whole, char *text, size_t size_bytes);
/* Draws a request, or how deep the queue is where several share a cell, from one cell up to another. */
void rs_timeline_queue_draw_run(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				const struct rs_tl_row *row, const struct rs_wire_run *run, int from, int to);
/* Draws the request that was waited for, and behind it these words where there is room. */
void rs_timeline_queue_draw_ahead(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				  const struct rs_tl_row *row);

/* timeline-path.c: the critical path of what is selected */
/* Asks for the path of a thread in that time. */
void rs_timeline_path_find(struct rs_timeline_screen *t, int64_t tid, uint64_t from_ns, uint64_t to_ns);
void rs_timeline_path_toggle(struct rs_timeline_screen *t);       /* asks for it, or forgets it */
/* the cursor to the next link, or the one before */
void rs_timeline_path_step(struct rs_timeline_screen *t, bool back);
/* brings its tracks together, after the tracks changed */
void rs_timeline_path_arrange(struct rs_timeline_screen *t);
void rs_timeline_path_into_sight(struct rs_timeline_screen *t);
void rs_timeline_path_draw(const struct rs_timeline_screen *t, struct rs_canvas *c, int y);
void rs_timeline_path_draw_panel(const struct rs_timeline_screen *t, struct rs_canvas *c,
				 struct rs_area area);

/* timeline-draw.c */
/* Returns what a task was in, from a run of its states. */
enum rs_cause rs_timeline_cause_of(uint32_t state);
/* Returns the line of a track's first row; -1: not visible. */
int rs_timeline_find_line(const struct rs_timeline_screen *t, unsigned int track);
/* Draws a line across the rows from one line up to another, which it points to. */
void rs_timeline_draw_connection(const struct rs_timeline_screen *t, struct rs_canvas *c, int y,
				 uint64_t at_ns, int from, int to);
/* A name has the same style in every row and every answer. */
enum rs_style_id rs_timeline_slice_style(const char *label);
void rs_timeline_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);

#endif
