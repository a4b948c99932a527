/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tui-stage.h - screens over an engine that answers from a table: keys go in, the frame comes out as text
 *
 *	static const struct reply replies[] = {
 *		REPLY("rows", "\"view\":\"work\"", "\"rows\":[[\"sh\",7,1500,3]]"),
 *		{ 0 },
 *	};
 *	struct stage *s = rs_stage_new(12, 60, "work", replies);
 *	check_way(s, "work > sh (7)", "live 10.000000 s"); // the breadcrumb, and what the header ends with
 *	check_screen(s, 3, "COMM ...", "sh ...");      // the lines from the third on
 *	rs_stage_keys(s, (uint32_t[]){ 's', RS_KEY_DOWN, RS_KEY_ENTER, 0 });
 *	check_asked(s, "\"sort\":\"comm\"");           // in one of the questions since the last look
 *	rs_stage_free(s);
 *
 * Lines are counted as if the header had three: 0 is its first, the area of the screen begins at 3, however many there
 * are. So what is lost, and takes a line of the header, moves no line of a check. Heights count alike.
 *
 * The views of the stage: work (a table), log (a stream), dist (a histogram), why and critical-path (on demand), profile-stacks and wait-stacks (of flame graphs), off (which is not to be had).
 */
#ifndef TEST_TUI_STAGE_H
#define TEST_TUI_STAGE_H

#include "tui/app/app.h"

struct reply {
	const char *op, *has;    /* has: text of the question; NULL any. The first row that fits answers */
	const char *members;     /* of the answer, after "ok"; NULL: it is refused */
	const char *error;       /* why it is refused */
};

#define REPLY(op, has, members) { op, has, members, NULL }
#define REFUSAL(op, has, error) { op, has, NULL, error }

struct stage;

/* screen: NULL the first. "state" is answered as live, in interval 1, unless replies have it. ASCII. */
struct stage *rs_stage_new(int height, int width, const char *screen, const struct reply *replies);
struct stage *rs_stage_new_file(int height, int width, const char *screen, const struct reply *replies);
/* The first screen of an engine whose views have panels, too: works and cores. */
struct stage *rs_stage_new_overview(bool is_file, int height, int width, const struct reply *replies);
/* Of a file; a view more, wait-tree, and all kinds of spans are calls. */
struct stage *rs_stage_new_trees(int height, int width, const char *screen, const struct reply *replies);
void rs_stage_free(struct stage *s);
struct rs_app *rs_stage_app(struct stage *s);
void rs_stage_replies(struct stage *s, const struct reply *replies); /* from now on */
void rs_stage_resize(struct stage *s, int height, int width);
/* What was asked has been answered, seconds later if need be: all that is due has been asked. */
void rs_stage_settle(struct stage *s);
void rs_stage_later(struct stage *s, uint64_t ns);
void rs_stage_keys(struct stage *s, const uint32_t *keys); /* ends with 0; settles after each */
/* A key whose questions are asked and not answered yet. */
void rs_stage_key_unanswered(struct stage *s, uint32_t key);
/* Keys and answers that come before the next frame. */
void rs_stage_keys_unseen(struct stage *s, const uint32_t *keys);
void rs_stage_later_unseen(struct stage *s, uint64_t ns);
void rs_stage_type(struct stage *s, const char *text);
void rs_stage_mouse(struct stage *s, uint32_t key, int y, int x);
/* Random keys and sizes, down to 1 x 1; without the keys that quit and that write files. */
void rs_stage_storm(struct stage *s, unsigned int seed, unsigned int nr_keys);
enum rs_style_id rs_stage_style(const struct stage *s, int y, int x);   /* of a cell of the last frame */
const char *rs_stage_text(struct stage *s);  /* the frame */
const char *rs_stage_asked(struct stage *s); /* the questions since it was called last, but "state": a line each */

#define STAGE_AREA 3

#define KEYS(...) ((const uint32_t[]){ __VA_ARGS__, 0 })
#define check_screen(s, from, ...) \
	rs_check_screen(s, from, (const char *const[]){ __VA_ARGS__, NULL }, __FILE__, __LINE__)
#define check_way(s, crumbs, time) rs_check_way(s, crumbs, time, __FILE__, __LINE__)
#define check_asked(s, text) rs_check_asked(s, text, true, __FILE__, __LINE__)
#define check_not_asked(s, text) rs_check_asked(s, text, false, __FILE__, __LINE__)

void rs_check_screen(struct stage *s, int from, const char *const *lines, const char *file, int line);
void rs_check_way(struct stage *s, const char *crumbs, const char *time, const char *file, int line);
void rs_check_asked(struct stage *s, const char *text, bool asked, const char *file, int line);

#endif
