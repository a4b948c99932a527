/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flame.h - shared by the files of the flame graph's screen: stacks as frames, on-CPU, off-CPU or side by
 * side
 */
#ifndef RS_TUI_FLAME_H
#define RS_TUI_FLAME_H

#include "tui/app/question.h"
#include "tui/app/screen.h"
#include "tui/flame/icicle.h"
#include "view/stack-rows.h"

#define RS_FLAME_PANELS 2

/* One graph. */
struct rs_flame_panel {
	struct rs_flame *flame;            /* the screen */
	const struct rs_catalogue_view *of; /* a view of stacks; NULL: the engine does not have it */
	struct rs_question question;       /* "rows" */
	struct rs_frame_tree *tree;
	struct rs_icicle icicle;
	uint64_t zoomed, selected;         /* identities of frames, see frame-tree.h; 0: the root */
	bool selected_merged;              /* the cell of the selected frame's narrow children */
	size_t top;                        /* first visible line */
	uint64_t from_ns, to_ns;           /* of what it shows; 0: nothing yet */
	/* length of the time that it is compared with; 0: it is not compared */
	uint64_t before_ns;
	uint64_t interval;                 /* live: the last that was added */
	struct rs_area area;               /* of the cells, as last drawn */
	double matching;                   /* the share that the search found */
	size_t nr_matching;
	char refused[200];                 /* why the last request failed; "": it did not */
};

/* A kind of stacks: on-CPU, or a type of waits. */
struct rs_flame_kind {
	const char *title;
	const char *type;                  /* of the view's column; NULL: all */
	const char *unit;                  /* "sample"; NULL: time */
};

struct rs_flame {
	struct rs_screen screen;           /* first */
	const struct rs_flame_kind *kinds[RS_FLAME_PANELS]; /* what the panels show */
	struct rs_flame_panel panels[RS_FLAME_PANELS];
	bool shown[RS_FLAME_PANELS];
	unsigned int active;               /* the panel that has the keys */
	struct rs_selection_keys keys;     /* of this task, this CPU; none: of all */
	/* its own time range, until the user chooses another; to_ns 0: that of the app */
	uint64_t from_ns, to_ns;
	struct rs_shown_time begun_at;     /* the app's time when the screen opened */
	char search[64];                   /* "": none */
};

extern const struct rs_flame_kind rs_flame_waits[]; /* ends with a NULL title */
bool rs_flame_can(const struct rs_screen *s, int action);
bool rs_flame_act(struct rs_screen *s, int action, const struct rs_key_event *key);
bool rs_flame_key(struct rs_screen *s, const struct rs_key_event *key);
void rs_flame_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);

/* Sums up, and counts the matches of the search. */
void rs_flame_update(struct rs_flame_panel *p);
/* Returns the selected cell; NULL: there are no cells. */
const struct rs_icicle_cell *rs_flame_selected(const struct rs_flame_panel *p);
uint32_t rs_flame_find(const struct rs_flame_panel *p, uint64_t identity);
/*
 * Drops what was shown; live, the graph begins anew. compare: what was shown becomes what the next is
 * compared with.
 */
void rs_flame_begin_anew(struct rs_flame_panel *p, bool compare);

#endif
