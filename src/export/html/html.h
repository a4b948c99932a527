/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html.h - a report as one HTML page, shared by html*.c only
 *
 * The page needs nothing but itself: no network, no other file. All that it has is bounded: the first rows of
 * each view, the slowest spans of each kind, a timeline of a fixed number of columns, the longest slices of
 * its tracks. It is written when the recording has been read. Sentences, tables and the picture need no
 * script; it adds what they are worked with by.
 */
#ifndef RS_EXPORT_HTML_HTML_H
#define RS_EXPORT_HTML_HTML_H

#include "export/html/html-page.h"
#include "export/html/html-slices.h"
#include "export/html/html-style.h"
#include "export/html/html-trees.h"
#include "export/scene/scene.h"
#include "view/printer.h"

#define RS_HTML_ROWS 40         /* of each table */
#define RS_HTML_BARS 24         /* processes, CPUs where time went */
#define RS_HTML_FRAMES 1200u    /* of each flame graph */
#define RS_HTML_SLOWEST 12      /* spans of each kind */
#define RS_HTML_FINDINGS 64u    /* that show an instance */
#define RS_HTML_MAX_BYTES 5000000u /* of the page; slices are left out for it */

/* ---- html-timeline.c: columns of equal time; when the recording gets longer, each takes two ---- */

#define RS_HTML_COLUMNS 1024u
#define RS_HTML_TASKS 128u      /* tasks that are followed: the busiest */
#define RS_HTML_DRAWN 160u      /* tracks of the picture, at most: CPUs and tasks */
#define RS_HTML_PAINS 512u      /* victims of findings */
#define RS_HTML_FUTEX ((unsigned int)RS_NR_CATEGORIES) /* a layer beside those of the categories */
#define RS_HTML_LAYERS (RS_HTML_FUTEX + 1u)

struct rs_html_task {
	float ns[RS_HTML_COLUMNS][RS_HTML_LAYERS];
	uint64_t id;            /* of the task instance; 0: free */
	uint64_t busy_ns;
	int32_t tid, pid;
	bool is_party;          /* of an instance that a finding shows: it is drawn */
	char comm[RS_COMM_LEN], process[RS_COMM_LEN];
	char cmdline[200];      /* of the process, cut; "": unknown, or not asked for yet */
};

/* The task that ran most in a column, by weighed majority. */
struct rs_html_cpu_column {
	float run_ns, lead_ns;
	uint32_t name;          /* of names */
};

#define RS_HTML_NAMES 256u

/* A finding says that such waits of the process cost it time. */
struct rs_html_pain {
	int32_t pid;
	enum rs_category category;
};

struct rs_html_timeline {
	uint64_t begin_ns, end_ns;
	unsigned int column_shift; /* a column is 1 << column_shift ns */
	unsigned int nr_cpus;
	struct rs_html_cpu_column (*cpus)[RS_HTML_COLUMNS];
	struct rs_html_task *tasks; /* RS_HTML_TASKS of them */
	char names[RS_HTML_NAMES][RS_COMM_LEN]; /* 0: others */
	unsigned int nr_names;
	uint8_t recent_names[RS_HTML_NAMES]; /* by hash */
	uint64_t least_busy_ns; /* of all rows, when it was last looked at */
	struct rs_html_slices slices; /* of tasks by their rows, then of CPUs */
	struct rs_wait_instance findings[RS_HTML_FINDINGS]; /* the n-th finding's; tid 0: it has none */
	unsigned int nr_findings;
	struct rs_html_pain pains[RS_HTML_PAINS];
	unsigned int nr_pains;
	unsigned int nr_busy;   /* tasks that ran or waited, also without a row */
	struct rs_html_drawn drawn[RS_HTML_DRAWN];
	unsigned int nr_drawn;
};

/* Stored with each task: how busy it was, also while it has no row. */
struct rs_html_busy {
	uint64_t busy_ns;
	uint32_t row;
};

/* false: no memory */
bool rs_html_timeline_init(struct rs_html_timeline *t, unsigned int nr_cpus, uint64_t begin_ns);
void rs_html_timeline_done(struct rs_html_timeline *t);
/* Notes the command lines of the tasks that have a row. While the session is there. */
void rs_html_timeline_note_cmdlines(struct rs_scene *s);

/* ---- html-picture.c ---- */

void rs_html_picture_put(struct rs_html_timeline *t, struct rs_buf *out);

/* ---- html-ink.c ---- */

void rs_html_ink_add_finding(struct rs_html_timeline *t, const struct rs_finding_item *f);
/* Complete when all findings were added. */
struct rs_ink_task rs_html_ink_of(const struct rs_html_timeline *t, const struct rs_html_task *task);
/* Returns the layer that a state is summed in, drawn from the bottom; RS_HTML_LAYERS: it is not known. */
unsigned int rs_html_ink_layer(enum rs_cause cause);
/* cause: gets what colors it. */
enum rs_ink rs_html_ink_of_layer(unsigned int layer, const struct rs_ink_task *ink, enum rs_cause *cause);
/* Returns how much of its time was lost: what is drawn in full, and is no work. */
float rs_html_ink_lost_ns(const struct rs_html_timeline *t, const struct rs_html_task *task);
/* Writes a digit for each cause, which the script reads: enum rs_ink, or 4: in full, as a sleep. */
void rs_html_ink_put(const struct rs_ink_task *ink, char text[RS_NR_CAUSES + 1]);

struct rs_html;

/* ---- html-states.c: states as slices, and the data of the page's script ---- */

/* track: of a row, or RS_HTML_TASKS and the CPU */
void rs_html_states_add(struct rs_scene *s, unsigned int track, const struct rs_scene_state *state,
			enum rs_cause cause);
/* Marks the rows of those that take part in what findings show. Before the picture is put. */
void rs_html_states_mark_parties(struct rs_html_timeline *t);
/* Returns the tree of a wait that a finding shows, or of a longer one like it; NULL: unknown. */
const struct rs_html_tree *rs_html_states_find_tree(const struct rs_html *h,
						    const struct rs_wait_instance *wait);
/* After the picture. max_bytes: of all of it */
void rs_html_states_put(struct rs_html_timeline *t, size_t max_bytes, struct rs_buf *out);

/* ---- html-slowest.c ---- */

struct rs_html_slowest_kind;

void rs_html_slowest_add_kind(struct rs_html_slowest_kind **kinds, const struct rs_span_kind *kind,
			      struct rs_buf *failed);
void rs_html_slowest_add(struct rs_html_slowest_kind *kinds, struct rs_ctx *c,
			 const struct rs_span_kind *kind, const struct rs_span *span);
void rs_html_slowest_put(const struct rs_html_slowest_kind *kinds, uint64_t begin_ns, struct rs_buf *out);
void rs_html_slowest_free(struct rs_html_slowest_kind *kinds);

/* ---- html-view.c: the rows of views ---- */

struct html_section;
struct rs_html_view;

struct rs_html {
	struct rs_scene scene;   /* first */
	struct rs_buf *out;
	struct rs_formatter_options options;
	struct rs_html_view *views, **views_tail; /* in the order of the analyses */
	struct rs_html_slowest_kind *kinds;
	struct rs_html_timeline timeline;
	struct rs_buf findings, incidents, foot; /* foot: the end of the page */
	struct html_section *sections; /* of a page whose recording was read; NULL: none was */
	struct rs_html_trees trees;
	char nonce[RS_HTML_NONCE]; /* of the page's scripts: a script that a name smuggles in has none */
	char *host;
};

static inline struct rs_html *rs_html_of(struct rs_scene *s)
{
	return (struct rs_html *)s;
}

void rs_html_timeline_add(struct rs_scene *s, const struct rs_scene_track *at,
			  const struct rs_scene_state *state);
struct rs_sink *rs_html_view_add(struct rs_scene *s, const struct rs_view *view);
void rs_html_views_put_bars(struct rs_html *h, struct rs_buf *out);
void rs_html_views_put_histograms(struct rs_html *h, struct rs_buf *out);
void rs_html_views_put_flames(struct rs_html *h, struct rs_buf *out);
void rs_html_views_put_tables(struct rs_html *h, struct rs_buf *out);
void rs_html_views_free(struct rs_html *h);

/* page.js and page-timeline.js, which the build embeds */
extern const char rs_page_js[], rs_page_timeline_js[];

struct rs_export *rs_html_make(const struct rs_export_options *options, struct rs_buf *out);

#endif
