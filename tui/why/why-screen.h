/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why-screen.h - shared by the files of the screen about one wait: where its time went, the others of its
 * kind, what to try
 */
#ifndef RS_TUI_WHY_SCREEN_H
#define RS_TUI_WHY_SCREEN_H

#include "tui/latency/latency.h"
#include "tui/table/why-nodes.h"
#include "tui/why/why-changes.h"

#define RS_WHY_EVIDENCE 6

/* What a finding says: it outlives the finding. */
struct rs_why_finding {
	char text[1024], advice[512], rule[48], code[512]; /* "": none */
	struct rs_why_evidence { char view[40], sort[40], where[120], by[64]; } evidence[RS_WHY_EVIDENCE];
	unsigned int nr_evidence;
};

struct rs_why_screen {
	struct rs_screen screen;    /* first */
	struct rs_why_finding finding; /* .text "": it was not opened on one */
	/* of the row that it was opened on; .row.nr 0: none */
	const struct rs_catalogue_view *row_view;
	struct rs_selection_keys row;
	int64_t pid, tid;           /* whose wait; tid 0: the slowest of the process, pid 0 too: of all */
	uint64_t from_ns, to_ns;    /* of the wait; to_ns 0: the slowest of the shown time */
	struct rs_why_nodes nodes;
	bool asked;                 /* once: a wait that has ended does not change */
	size_t at, top;             /* the selected node, the first that is seen */
	struct rs_why_changes changes; /* of the wait that is shown, once they are asked for */
	/* the others of its kind */
	struct rs_latency_of of;    /* .kind "": none are known */
	struct rs_question slowest, histogram;
	struct rs_selection_keys given; /* the task of .of */
	unsigned int filter_changes; /* of the app's filter, when they were asked for */
};

/* Returns the first node, the wait itself; NULL: no answer yet, or nothing is known of it. */
static inline const struct rs_why_node *rs_why_wait(const struct rs_why_screen *w)
{
	return w->nodes.nr ? &w->nodes.at[0] : NULL;
}

/* Returns the longest waits of its kind, the longest first; NULL: not known. */
const struct rs_latencies_reply *rs_why_others(const struct rs_why_screen *w);
/* Returns the place of the wait among them, from 0 on; -1: it is not there. */
long rs_why_place(const struct rs_why_screen *w);

/* why-draw.c */
void rs_why_draw(struct rs_screen *s, struct rs_canvas *c, struct rs_area area);
/* why-text.c: all of it as Markdown, with the command that prints the same */
void rs_why_put_markdown(const struct rs_why_screen *w, struct rs_buf *out);
/* Writes "main (21209) waited 729 ms in futex". */
void rs_why_put_heading(const struct rs_why_screen *w, struct rs_buf *out);

#endif
