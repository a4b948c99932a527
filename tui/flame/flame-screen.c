// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * flame-screen.c - the flame graph: asks for stacks as a tree of frames, and keeps selection and zoom where
 * frames change
 *
 * Live, an interval has too few samples for a graph: intervals are added up from the time that the screen
 * opened.
 */
#include "tui/app/key-tables.h"
#include "tui/flame/flame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "tui/app/app.h"
#include "tui/app/markdown.h"

#define FLAME_STACK_BYTES 32768 /* of a copied stack; of a longer one the outermost frames are left out */

static const enum rs_view_role flame_roles[RS_FLAME_PANELS] = { RS_ROLE_CPU_STACKS, RS_ROLE_WAIT_STACKS };

static const struct rs_flame_kind flame_on_cpu = { "on-CPU", NULL, "sample" };
const struct rs_flame_kind rs_flame_waits[] = {
	{ "off-CPU", "off-cpu", NULL }, { "run queue", "run-queue", NULL }, { "block", "block", NULL },
	{ "locks", "lock", NULL },
	{ "system calls", "syscall", NULL }, { "faults", "fault", "fault" }, { 0 },
};

/* ---- answers ---- */

/* Frames name their callers by the place in the answer; nodes: of these places. */
static bool flame_add_frames(struct rs_flame_panel *p, const struct rs_rows_reply *rows)
{
	uint32_t *nodes = calloc(rows->nr_frames + 1, sizeof *nodes);
	bool ok = nodes;

	for (size_t i = 0; ok && i < rows->nr_frames; i++) {
		const struct rs_wire_frame *f = &rows->frames[i];

		ok = f->caller <= i && f->function < rows->nr_texts && f->module < rows->nr_texts &&
		     f->cause < rows->nr_texts;
		if (!ok)
			break;
		nodes[i + 1] = rs_frame_tree_add_frame(p->tree, nodes[f->caller], rows->texts[f->function],
						       rows->texts[f->module]);
		rs_frame_tree_weigh(p->tree, nodes[i + 1], RS_FRAME_SHOWN, f->self, rows->texts[f->cause]);
	}
	free(nodes);
	return ok;
}

static bool flame_grows(const struct rs_flame *f)
{
	return f->screen.app->live && f->screen.app->time.now && !f->to_ns;
}

/* Live, an answer may be of the interval that was added already. */
static void flame_read(struct rs_flame_panel *p, const struct rs_rows_reply *rows)
{
	if (flame_grows(p->flame) && p->to_ns && rows->interval == p->interval)
		return;
	if (!flame_grows(p->flame) || !p->to_ns) {
		rs_frame_tree_clear_side(p->tree, RS_FRAME_SHOWN);
		p->from_ns = rows->from_ns.known ? rows->from_ns.u : 0;
	}
	p->to_ns = rows->to_ns.known ? rows->to_ns.u : 0;
	p->interval = rows->interval;
	if (!flame_add_frames(p, rows))
		snprintf(p->refused, sizeof p->refused, "%s: malformed answer", p->of->view.name);
	rs_flame_update(p);
}

static void flame_on_answer(void *of, const struct rs_reply *reply)
{
	struct rs_flame_panel *p = of;

	snprintf(p->refused, sizeof p->refused, "%s", reply->message ? "" : reply->error);
	if (reply->message) {
		rs_app_note_rows(p->flame->screen.app, reply->message);
		flame_read(p, reply->message);
	}
	rs_question_drop(&p->question); /* the tree has all of it */
}

void rs_flame_update(struct rs_flame_panel *p)
{
	const char *search = p->flame->search;

	if (!rs_frame_tree_finish(p->tree))
		snprintf(p->refused, sizeof p->refused, "out of memory");
	p->matching = *search ? rs_frame_tree_matching(p->tree, search, &p->nr_matching) : 0;
	rs_app_redraw(p->flame->screen.app);
}

void rs_flame_begin_anew(struct rs_flame_panel *p, bool compare)
{
	p->before_ns = compare ? p->to_ns - p->from_ns : 0;
	if (compare)
		rs_frame_tree_move_before(p->tree);
	else
		rs_frame_tree_clear_side(p->tree, RS_FRAME_BEFORE);
	if (flame_grows(p->flame)) {
		rs_frame_tree_clear_side(p->tree, RS_FRAME_SHOWN);
		p->from_ns = p->to_ns = 0;
	}
	rs_flame_update(p);
	rs_app_refresh(p->flame->screen.app);
}

/* ---- requests ---- */

/*
 * The columns that the filter needs, then what a graph is made of. Processes are its outermost frames, unless
 * their number or that of a thread is filtered by.
 */
static size_t flame_list_by(const struct rs_flame *f, const struct rs_view *view, const char **by)
{
	static const char *const names[] = { "tid", "pid", "cpu", "type", "cause" };
	bool has_task = rs_selection_key(&f->keys, "tid") || rs_selection_key(&f->keys, "pid");
	size_t nr = 0;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (rs_column_named(view, names[i]) >= 0 &&
		    (i > 2 || rs_selection_key(&f->keys, names[i]) ||
		     rs_app_filter_uses(f->screen.app, view, &f->keys, names[i])))
			by[nr++] = names[i];
	if (!has_task)
		by[nr++] = "comm";
	by[nr++] = "stack";
	return nr;
}

static void flame_ask_panel(struct rs_flame *f, struct rs_flame_panel *p)
{
	const char *by[RS_MAX_BY];
	struct rs_buf own = RS_BUF_INIT, where = RS_BUF_INIT;
	bool any = rs_selection_where(&f->keys, &p->of->view, &own);
	const char *type = f->kinds[p - f->panels]->type;

	if (type && rs_column_named(&p->of->view, "type") >= 0)
		rs_buf_printf(&own, "%stype == \"%s\"", any ? " && " : "", type);
	rs_app_filter_where(f->screen.app, &p->of->view, &f->keys, own.data, &where);
	rs_buf_done(&own);
	rs_question_ask(&p->question, "rows",
			&(struct rs_rows_request){
				.view = p->of->view.name,
				.where = where.len ? where.data : NULL,
				.by = by,
				.nr_by = flame_list_by(f, &p->of->view, by),
				.limit = 1,
				.tree = true,
				.time = f->to_ns ?
						(struct rs_asked_time){ rs_u(f->from_ns), rs_u(f->to_ns) } :
						rs_app_asked_time(f->screen.app),
			});
	rs_buf_done(&where);
}

static void flame_ask(struct rs_screen *s)
{
	struct rs_flame *f = (struct rs_flame *)s;
	const struct rs_shown_time *now = &s->app->time;

	if (now->now != f->begun_at.now || now->from_ns != f->begun_at.from_ns ||
	    now->to_ns != f->begun_at.to_ns)
		f->to_ns = 0;
	for (unsigned int i = 0; i < RS_FLAME_PANELS; i++)
		if (f->shown[i])
			flame_ask_panel(f, &f->panels[i]);
}

/* ---- selection ---- */

uint32_t rs_flame_find(const struct rs_flame_panel *p, uint64_t identity)
{
	return identity ? rs_frame_tree_find(p->tree, identity) : RS_FRAME_ROOT;
}

const struct rs_icicle_cell *rs_flame_selected(const struct rs_flame_panel *p)
{
	uint32_t node = rs_flame_find(p, p->selected);
	size_t at = rs_icicle_find(&p->icicle, p->tree, node);

	if (at == SIZE_MAX)
		return p->icicle.nr ? p->icicle.cells : NULL;
	if (p->selected_merged)
		for (size_t i = rs_icicle_first(&p->icicle, p->icicle.cells[at].line + 1);
		     i < rs_icicle_first(&p->icicle, p->icicle.cells[at].line + 2); i++)
			if (p->icicle.cells[i].nr_merged && p->icicle.cells[i].node == node)
				return &p->icicle.cells[i];
	return &p->icicle.cells[at];
}

static bool flame_get_selection(struct rs_screen *s, struct rs_screen_selection *out)
{
	const struct rs_flame *f = (const struct rs_flame *)s;

	*out = (struct rs_screen_selection){ .keys = f->keys, .column = -1, .from_ns = f->from_ns,
					     .to_ns = f->to_ns };
	return f->keys.nr > 0;
}

static const struct rs_view *flame_filtered(struct rs_screen *s, const struct rs_selection_keys **given)
{
	const struct rs_flame *f = (const struct rs_flame *)s;

	*given = &f->keys;
	for (unsigned int i = 0; i < RS_FLAME_PANELS; i++)
		if (f->shown[i])
			return &f->panels[i].of->view;
	return NULL;
}

static void flame_put_title(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_flame *f = (const struct rs_flame *)s;

	rs_buf_puts(out, "flame");
	if (f->keys.nr) {
		rs_buf_puts(out, " ");
		rs_selection_title(&f->keys, out);
	}
}

/* A frame and its callers, the outermost first, and what they weigh: a line as flamegraph.pl reads it. */
static void flame_put_folded(const struct rs_frame_tree *tree, uint32_t node, struct rs_buf *out)
{
	char stack[FLAME_STACK_BYTES];

	rs_escape_text(out, rs_frame_tree_put_stack(tree, node, stack, sizeof stack));
	rs_buf_printf(out, " %" PRIu64 "\n", rs_frame_tree_node(tree, node)->total[RS_FRAME_SHOWN]);
}

/* The selected stack; all that is seen where everything is selected, or frames that are too narrow. */
static void flame_copy(struct rs_screen *s, struct rs_buf *out)
{
	const struct rs_flame *f = (const struct rs_flame *)s;
	const struct rs_flame_panel *p = &f->panels[f->active];
	const struct rs_icicle_cell *cell = rs_flame_selected(p);

	if (!cell || cell->nr_merged || cell->node == RS_FRAME_ROOT) {
		rs_markdown_seen(s, out);
		return;
	}
	rs_buf_puts(out, "    "); /* code, of Markdown */
	flame_put_folded(p->tree, cell->node, out);
}

/* ---- the screen ---- */

static void flame_free(struct rs_screen *s)
{
	struct rs_flame *f = (struct rs_flame *)s;

	for (unsigned int i = 0; i < RS_FLAME_PANELS; i++) {
		rs_question_done(&f->panels[i].question);
		rs_frame_tree_free(f->panels[i].tree);
		rs_icicle_done(&f->panels[i].icicle);
	}
	free(f);
}

static const struct rs_screen_ops ops = {
	.name = "flame",
	.keys = rs_flame_keys,
	.ask = flame_ask,
	.draw = rs_flame_draw,
	.act = rs_flame_act, .can = rs_flame_can, .copy = flame_copy,
	.key = rs_flame_key,
	.title = flame_put_title,
	.selection = flame_get_selection,
	.filtered = flame_filtered,
	.free = flame_free,
	.help_text = "A line is a level of calls, the outermost on top; a frame is as wide as its share of "
		     "all samples, and above what it called,\n"
		     "the heaviest first. What a frame is wider than the frames below it is its own. +12 are "
		     "12 frames too narrow to be shown.\n"
		     "A frame's color is that of its module, off-CPU of what was waited for. Compared, a "
		     "frame that has more is red (+), less\n"
		     "is blue (-). The last line has the share with its 95 % confidence interval.\n"
		     "Live, the graph grows from the time that it was opened.\n",
};

static bool flame_panel_init(struct rs_flame *f, unsigned int at)
{
	const struct rs_catalogue_view *of = rs_catalogue_view_of(
		rs_client_catalogue(f->screen.machine->client), flame_roles[at]);
	struct rs_flame_panel *p = &f->panels[at];

	*p = (struct rs_flame_panel){ .flame = f, .tree = rs_frame_tree_new(),
				      .of = of && !of->why_off ? of : NULL,
				      .question = { .machine = f->screen.machine, .answered = flame_on_answer,
						    .of = p } };
	return p->tree && rs_frame_tree_finish(p->tree);
}

/* Of the selection, what stacks can be filtered by. */
static void flame_use_selection(struct rs_flame *f, const struct rs_screen_selection *selection)
{
	const struct rs_selection_key *function = rs_selection_key(&selection->keys, "function");
	static const char *const names[] = { "comm", "pid", "tid", "cpu" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct rs_selection_key *key = rs_selection_key(&selection->keys, names[i]);

		if (key)
			f->keys.keys[f->keys.nr++] = *key;
	}
	f->begun_at = f->screen.app->time;
	f->from_ns = selection->from_ns;
	f->to_ns = selection->to_ns;
	if (function)
		rs_copy(f->search, sizeof f->search, function->text);
}

static bool flame_has_panel(struct rs_flame *f)
{
	for (unsigned int i = RS_FLAME_PANELS; i-- > 0;)
		if (f->panels[i].of) {
			f->active = i;
			f->shown[i] = true;
			if (i + 1 < RS_FLAME_PANELS)
				f->shown[i + 1] = false;
		}
	return f->shown[f->active];
}

struct rs_screen *rs_flame_open(struct rs_app *app, const struct rs_screen_selection *selection)
{
	struct rs_flame *f = rs_screen_new(app, &ops, sizeof *f);
	bool ok = f;

	if (f) {
		f->kinds[0] = &flame_on_cpu;
		f->kinds[1] = rs_flame_waits;
	}
	for (unsigned int i = 0; ok && i < RS_FLAME_PANELS; i++)
		ok = flame_panel_init(f, i);
	if (f && !ok)
		rs_app_say(app, RS_STYLE_BAD, "out of memory");
	if (ok && !flame_has_panel(f)) {
		rs_app_say(app, RS_STYLE_WARN,
			   app->live ?
				   "no stacks: the CPUs are not sampled (ringside --samples)" :
				   "no stacks: the recording has no samples of the CPUs (record --samples)");
		ok = false;
	}
	if (ok && selection)
		flame_use_selection(f, selection);
	if (f && !ok)
		flame_free(&f->screen);
	return ok ? &f->screen : NULL;
}
