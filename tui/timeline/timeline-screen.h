/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline-screen.h - what the files of the timeline screen share: tracks over time
 *
 * What is drawn is the last answer, by its own times: while another is on its way it is seen where it belongs in what
 * is shown by now, larger, smaller or further to the side. One question is open at a time; when its answer comes, and
 * what is shown is not what was asked for any more, it is asked again.
 */
#ifndef RS_TUI_TIMELINE_SCREEN_H
#define RS_TUI_TIMELINE_SCREEN_H

#include "tui/toolkit/axis.h"
#include "tui/toolkit/screens.h"

#include "ringside/span.h"

#define RS_TL_MAX_TRACKS 512
#define RS_TL_ASK_TRACKS 48     /* of those in sight, at once */
#define RS_TL_NAME 40
#define RS_TL_NAME_THERE 36     /* of its engine's name: the rest is the machine's */

struct rs_tl_track {
	char name[RS_TL_NAME];    /* "task:4242.0"; of one of several machines "1/task:4242.0"; their headings "1/" and "1t/" */
	char label[72];           /* its name */
	char vcpu[72];            /* and which CPU of a guest it is: "web vcpu 0 (CPU 0/KVM)"; "": none */
	enum rs_track_type of;
	int64_t pid, tid;         /* 0: none, or not known */
};

/* Cells that look the same; of a span as the timeline has it, from cell border to cell border. */
struct rs_tl_run {
	uint64_t from_ns, to_ns;
	uint64_t nr;
	uint32_t label;           /* into labels */
	uint32_t state;
	uint16_t kind;
	uint8_t eighths;
};

struct rs_tl_row {
	unsigned int track;       /* of tracks */
	enum rs_span_shape shape;
	unsigned int depth;
	size_t first, nr;         /* runs */
};

struct rs_tl_arrow {
	unsigned int from, to;    /* tracks */
	uint64_t at_ns;
};

/* An answer. Its rows are of tracks in the order of the screen's; a track without any has a row without runs. */
struct rs_tl_picture {
	struct rs_axis axis;
	struct rs_tl_run *runs;
	size_t nr_runs, max_runs;
	struct rs_tl_row *rows;
	size_t nr_rows, max_rows;
	struct rs_tl_arrow *arrows;
	size_t nr_arrows;
	char **labels;
	size_t nr_labels, first_label; /* first_label: of the machine whose rows are being read */
};

/* A question to the engines of several machines, answered when each of them has. */
struct rs_tl_joint {
	struct rs_timeline_screen *timeline;
	void (*answered)(struct rs_timeline_screen *t, const struct rs_tl_joint *j);
	struct rs_tl_answer {
		struct rs_tl_joint *of;
		const void *reply; /* by machine; NULL: not asked, or refused */
		struct rs_client *client;
	} answers[RS_TUI_MAX_MACHINES];
	unsigned int nr_open;     /* asked, and not answered */
};

/* A span that was asked for. */
struct rs_tl_span {
	bool known;
	char track[RS_TL_NAME];
	char label[72], comm[40];
	enum rs_span_shape shape;
	unsigned int kind;
	uint64_t start_ns, end_ns;
	bool open, longer;
	int64_t pid, tid;
	/* who woke it */
	bool waker_known;
	char waker_track[RS_TL_NAME], waker_comm[40]; /* track "": an interrupt, or forgotten */
	int64_t waker_tid;
	uint64_t waker_at_ns;
	/* who was given its CPU, of a preempted wait */
	char taker_track[RS_TL_NAME], taker_comm[40]; /* track "": it is none, or not known */
	int64_t taker_tid;
	uint64_t taker_ran_ns;
	struct rs_buf details;    /* "ret 1  args 0x3 ..." */
	bool details_asked;
};

struct rs_timeline_screen {
	struct rs_screen screen;  /* first */
	char title[72];
	/* which tracks: all, or those of a process; others come by following who woke whom */
	int64_t pid, tid;         /* 0, 0: all */
	struct rs_tl_track *tracks;
	size_t nr_tracks;
	struct rs_tl_joint tracks_question, spans_question;
	bool tracks_known;
	bool tracks_of_part;      /* asked for while the file was being read */
	uint32_t folded;          /* groups of machines' tracks: see rs_tl_group */
	uint32_t brief, whole;    /* those that are in brief, and those that Enter has opened: see rs_timeline_make_room */
	unsigned int age;         /* refreshes since the tracks were asked for, */
	uint64_t tracks_from_ns, tracks_to_ns; /* and the time of that question */

	struct rs_axis axis;      /* what is to be seen; nr_cells 0: not drawn yet */
	bool touched;             /* a key has moved it */
	bool follows;             /* its end is the last event */
	struct rs_shown_time seen_time; /* of the app, when it was taken over last */
	struct rs_tl_picture picture;
	bool asks_again;
	size_t asked_first;       /* track of the question that is open */
	size_t asked_nr;

	size_t row, top;          /* of picture.rows: the cursor's, the first in sight */
	char at_track[RS_TL_NAME]; /* where the cursor is when rows change */
	enum rs_span_shape at_shape;
	unsigned int at_depth;
	bool placed;              /* there were rows before */
	uint64_t cursor_ns;
	int rows_height;          /* in sight */
	int label_width;
	bool hides_arrows;

	struct rs_tl_span span;   /* what is selected */
	bool span_asked;
	struct rs_tl_steps {      /* to be taken once what is asked is answered, and a file is read: in one direction */
		unsigned int nr;
		bool back, by_duration;
	} steps;
	bool from_slowest;        /* the step that is asked for is to the longest of all */
	struct rs_tui_machine *span_of; /* whose engine was asked for it last */
	bool goes_to_span;        /* opened on one: selected with the first picture */
	uint64_t marks[2];
	unsigned int nr_marks;
};

/* timeline-keys.c */
extern const struct rs_key rs_timeline_keys[];
bool rs_timeline_act(struct rs_screen *s, int action, const struct rs_key_event *key);
bool rs_timeline_key(struct rs_screen *s, const struct rs_key_event *event);

/* timeline.c */
void rs_timeline_ask_tracks(struct rs_timeline_screen *t);
/* For what is in sight; when one is open, when it is answered. */
void rs_timeline_ask(struct rs_timeline_screen *t);
uint64_t rs_timeline_now_ns(const struct rs_timeline_screen *t);
uint64_t rs_timeline_oldest_ns(const struct rs_timeline_screen *t);
void rs_timeline_show(struct rs_timeline_screen *t, uint64_t from_ns,
		      uint64_t cell_ns); /* within what there is */
void rs_timeline_show_range(struct rs_timeline_screen *t, uint64_t from_ns, uint64_t to_ns);
bool rs_timeline_is_live(const struct rs_timeline_screen *t);
bool rs_timeline_selection(struct rs_screen *s, struct rs_screen_selection *out);
void rs_timeline_open_tracks(struct rs_timeline_screen *t, int64_t pid, const char *title); /* another screen on top */

/* A span and what is around it; pid 0: on all tracks. */
struct rs_screen *rs_timeline_open_at(struct rs_app *app, const char *track, enum rs_span_shape shape, unsigned int kind,
				      uint64_t start_ns, uint64_t end_ns, int64_t pid);

/* timeline-machines.c */
/* A track as an engine names it, as it is called here; name has RS_TL_NAME bytes. */
void rs_timeline_put_name(const struct rs_tui_machine *machine, const char *track, char *name);
struct rs_tui_machine *rs_timeline_machine(const struct rs_timeline_screen *t, const char *name); /* whose track it is */
const char *rs_timeline_name_there(const char *name);              /* as its engine calls it; "": the heading of a machine */
/* Of the machine's CPUs and disks; "" where there is one machine. */
void rs_timeline_put_heading(const struct rs_tui_machine *machine, char *name);
bool rs_timeline_is_heading(const char *name);
bool rs_timeline_fold(struct rs_timeline_screen *t);               /* the group whose heading the cursor is on; false: on none */
static inline uint32_t rs_tl_group(unsigned int machine, bool of_tasks)
{
	return 1u << (2 * machine + of_tasks);
}

/*
 * Of several machines' CPUs and disks, so that each is seen without scrolling: how many tracks of each there is room for.
 * nr: how many there are, by machine. Where they do not fit with all that they do, one row a track (t->brief) has to do.
 */
size_t rs_timeline_make_room(struct rs_timeline_screen *t, const size_t *nr);
struct rs_tui_machine *rs_timeline_machine_of_row(const struct rs_timeline_screen *t,
						  const struct rs_tl_row *row);
void rs_timeline_follow_cursor(struct rs_timeline_screen *t);      /* the screen's machine is that of the cursor's row */
void rs_timeline_go_to_machine(struct rs_screen *s);               /* the cursor, to the current one's first row */
void rs_timeline_joint_ask(struct rs_tl_joint *j, struct rs_tui_machine *machine, const char *op, const void *request);
void rs_timeline_joint_forget(struct rs_tl_joint *j, struct rs_app *app);

/* timeline-picture.c: answers */
bool rs_timeline_read_tracks(struct rs_timeline_screen *t, const struct rs_tl_joint *answers);
bool rs_timeline_read_picture(struct rs_timeline_screen *t, const struct rs_tl_joint *answers);
void rs_timeline_picture_done(struct rs_tl_picture *p);
long rs_timeline_find_track(const struct rs_timeline_screen *t, const char *name); /* -1: none */
/* One that is not among them yet, as a waker: behind `after`. -1: there are too many. */
long rs_timeline_add_track(struct rs_timeline_screen *t, size_t after, const char *name, const char *label);
const struct rs_tl_run *rs_timeline_run_at(const struct rs_tl_picture *p, const struct rs_tl_row *row, uint64_t at_ns);

/* timeline-cursor.c */
void rs_timeline_cursor_find(struct rs_timeline_screen *t);       /* after the rows have changed */
void rs_timeline_cursor_row(struct rs_timeline_screen *t, long by);
void rs_timeline_cursor_to(struct rs_timeline_screen *t, const char *track, enum rs_span_shape shape, uint64_t at_ns);
void rs_timeline_cursor_cell(struct rs_timeline_screen *t, int by);

/* timeline-span.c: the selected span, its details, its waker */
void rs_timeline_select(struct rs_timeline_screen *t);            /* what is at the cursor */
void rs_timeline_select_span(struct rs_timeline_screen *t);       /* that the screen was opened on */
void rs_timeline_step(struct rs_timeline_screen *t, bool back, bool by_duration);
void rs_timeline_step_on(struct rs_timeline_screen *t);           /* the steps that had to wait */
void rs_timeline_to_waker(struct rs_timeline_screen *t);          /* of a preempted wait: to who has the CPU */
void rs_timeline_fit(struct rs_timeline_screen *t);               /* the selected span fills the middle */
void rs_timeline_span_done(struct rs_tl_span *s);

/* timeline-looks.c */
void rs_timeline_draw_state(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run);
void rs_timeline_draw_slice(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run, const char *label);
void rs_timeline_draw_instant(struct rs_canvas *c, int y, int x, int width, const struct rs_tl_run *run);
void rs_timeline_draw_legend(struct rs_canvas *c, struct rs_area line);

/* timeline-panel.c */
void rs_timeline_draw_panel(const struct rs_timeline_screen *t, struct rs_canvas *c, struct rs_area area);
/* The numbers are of a machine's own catalogue. */
const char *rs_timeline_kind_name(const struct rs_tui_machine *machine, unsigned int number);

/* timeline-draw.c */
void rs_timeline_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);

#endif
