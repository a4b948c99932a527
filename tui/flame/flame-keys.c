// SPDX-License-Identifier: GPL-2.0-or-later
/* flame-keys.c - keys and mouse of the flame graph */
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/key-tables.h"
#include "tui/flame/flame.h"

enum {
	ZOOM = 1,
	OUT,
	OUTWARD,
	INWARD,
	LEFT,
	RIGHT,
	TOP,
	SEARCH,
	NEXT,
	PREVIOUS,
	COMPARE,
	PANELS,
	WAITS,
	OTHER,
	ANEW,
	WHEEL_UP,
	WHEEL_DOWN,
	PAGE_UP,
	PAGE_DOWN
};

const struct rs_key rs_flame_keys[] = {
	{ { RS_KEY_ENTER }, ZOOM, "Zoom", "the selected frame as wide as the screen; a double click, too",
	  RS_KEY_SELECTION },
	{ { RS_KEY_BACKSPACE, RS_CTRL('h'), RS_KEY_ESCAPE }, OUT, "Zoom out",
	  "zoom out to the caller's frame, then clear the search, then close the screen" },
	{ { '/', RS_KEY_F1 + 2 }, SEARCH, "Search",
	  "mark frames whose function or module contains a text, and add up their share" },
	{ { 'n' }, NEXT, "Next", "the next frame that is marked", RS_KEY_RARE },
	{ { 'N' }, PREVIOUS, "Previous", "the one before", RS_KEY_RARE },
	{ { 'D' }, COMPARE, "Compare",
	  "compare what comes, or another time range, with what is shown now; again: no more" },
	{ { 'X' }, PANELS, "On/off-CPU", "on-CPU, off-CPU, both side by side" },
	{ { 'K' }, WAITS, "Kind",
	  "off-CPU: of another kind: the run queue, block requests, locks, system calls, faults",
	  RS_KEY_RARE },
	{ { RS_KEY_TAB }, OTHER, "Other graph", "the other graph", RS_KEY_RARE },
	{ { 'E' }, ANEW, "Begin anew", "live: begin anew", RS_KEY_RARE },
	{ { RS_KEY_UP, 'k' }, OUTWARD, "Up", "the caller", RS_KEY_CURSOR },
	{ { RS_KEY_DOWN, 'j' }, INWARD, "Down", "the heaviest that it called", RS_KEY_CURSOR },
	{ { RS_KEY_LEFT }, LEFT, "Left", "the frame to the left on this line", RS_KEY_CURSOR },
	{ { RS_KEY_RIGHT }, RIGHT, "Right", "the frame to the right", RS_KEY_CURSOR },
	{ { RS_KEY_HOME, 'g' }, TOP, "First", "the whole graph", RS_KEY_CURSOR },
	{ { RS_KEY_WHEEL_UP }, WHEEL_UP, "Up", "scroll up", RS_KEY_CURSOR },
	{ { RS_KEY_WHEEL_DOWN }, WHEEL_DOWN, "Down", "scroll down", RS_KEY_CURSOR },
	{ { RS_KEY_PAGE_UP }, PAGE_UP, "Page up", "callers further out, by a page", RS_KEY_CURSOR },
	{ { RS_KEY_PAGE_DOWN }, PAGE_DOWN, "Page down", "further in", RS_KEY_CURSOR },
	{ .help = NULL },
};

static struct rs_flame_panel *flame_active(struct rs_flame *f)
{
	return &f->panels[f->active];
}

static void flame_select(struct rs_flame_panel *p, const struct rs_icicle_cell *cell)
{
	p->selected = rs_frame_tree_node(p->tree, cell->node)->identity;
	p->selected_merged = cell->nr_merged;
}

static void flame_step(struct rs_flame_panel *p, enum rs_icicle_step step, unsigned int times)
{
	const struct rs_icicle_cell *cell = rs_flame_selected(p);

	while (cell && times--) {
		cell = &p->icicle.cells[rs_icicle_step(&p->icicle, (size_t)(cell - p->icicle.cells), step)];
		flame_select(p, cell);
	}
}

/* ---- zoom ---- */

/* Of merged frames: their caller; where that has the whole width already, the heaviest of them. */
static void flame_zoom(struct rs_flame_panel *p)
{
	const struct rs_icicle_cell *cell = rs_flame_selected(p);
	uint32_t node = cell ? cell->node : RS_FRAME_ROOT;

	if (cell && cell->nr_merged && node == p->icicle.zoomed)
		node = rs_frame_tree_child(p->tree, node, cell->first_merged);
	p->zoomed = rs_frame_tree_node(p->tree, node)->identity;
	p->selected = p->zoomed;
	p->selected_merged = false;
}

/* False: the whole is shown. */
static bool flame_zoom_out(struct rs_flame_panel *p)
{
	uint32_t node = rs_flame_find(p, p->zoomed);
	const struct rs_frame_node *n = rs_frame_tree_node(p->tree, node);

	if (node == RS_FRAME_ROOT)
		return false;
	do /* an only child is as wide as its caller: skips those */
		n = rs_frame_tree_node(p->tree, n->caller);
	while (n->depth && rs_frame_tree_node(p->tree, n->caller)->size <= n->size);
	p->zoomed = n->depth ? n->identity : 0;
	return true;
}

/* ---- search ---- */

static void flame_search(struct rs_flame *f, const char *text)
{
	rs_copy(f->search, sizeof f->search, text);
	for (unsigned int i = 0; i < RS_FLAME_PANELS; i++)
		rs_flame_update(&f->panels[i]);
}

static void flame_on_typed(void *arg, const char *text)
{
	flame_search(arg, text);
}

static void flame_on_search(void *arg, const char *text)
{
	flame_search(arg, text ? text : "");
}

/* By lines, from left to right; one that is merged or outside of the zoomed frame is passed over. */
static void flame_next(struct rs_flame *f, int step)
{
	struct rs_flame_panel *p = flame_active(f);
	const struct rs_icicle_cell *cell = rs_flame_selected(p);
	size_t nr = p->icicle.nr, at = cell ? (size_t)(cell - p->icicle.cells) : 0;

	for (size_t i = 1; *f->search && i <= nr; i++) {
		cell = &p->icicle.cells[(step > 0 ? at + i : at + nr - i) % nr];
		if (!cell->nr_merged &&
		    rs_frame_tree_node_matches(p->tree, rs_frame_tree_node(p->tree, cell->node),
					       f->search)) {
			flame_select(p, cell);
			return;
		}
	}
	rs_app_say(f->screen.app, RS_STYLE_WARN,
		   *f->search ? "no frame that is shown contains \"%s\"" : "search a text first (/)",
		   f->search);
}

/* ---- panels ---- */

/* on, off, both; as far as the engine has them */
static void flame_next_panels(struct rs_flame *f)
{
	if (!f->panels[0].of || !f->panels[1].of) {
		rs_app_say(f->screen.app, RS_STYLE_WARN,
			   f->panels[0].of ? "no stacks of waits are recorded (--stacks)" :
					     "the CPUs are not sampled (--samples)");
		return;
	}
	if (f->shown[0] && f->shown[1])
		f->shown[1] = false;
	else if (f->shown[1])
		f->shown[0] = true;
	else
		f->shown[0] = !(f->shown[1] = true);
	f->active = !f->shown[0];
	rs_app_refresh(f->screen.app);
}

static void flame_next_waits(struct rs_flame *f)
{
	struct rs_flame_panel *p = &f->panels[1];

	if (!f->shown[1]) {
		rs_app_say(f->screen.app, RS_STYLE_WARN, "waits are not shown (X)");
		return;
	}
	f->kinds[1] = f->kinds[1][1].title ? f->kinds[1] + 1 : rs_flame_waits;
	rs_flame_begin_anew(p, false);
	rs_app_say(f->screen.app, RS_STYLE_TEXT, "%s", f->kinds[1]->title);
}

static void flame_compare(struct rs_flame *f)
{
	bool compare = !flame_active(f)->before_ns;

	for (unsigned int i = 0; i < RS_FLAME_PANELS; i++)
		if (f->shown[i])
			rs_flame_begin_anew(&f->panels[i], compare);
	rs_app_say(f->screen.app, RS_STYLE_TEXT,
		   !compare ? "not compared any more" :
		   f->screen.app->live && f->screen.app->time.now ?
			      "what comes is compared with what was shown" :
			      "now choose another time range ([, ], b): it is compared with this one");
}

static bool flame_back(struct rs_flame *f)
{
	if (flame_zoom_out(flame_active(f)))
		return true;
	if (!*f->search)
		return false;
	flame_search(f, "");
	return true;
}

/* ---- keys ---- */

bool rs_flame_can(const struct rs_screen *s, int action)
{
	const struct rs_flame *f = (const struct rs_flame *)s;

	switch (action) {
	case ZOOM:
		return rs_flame_selected(&f->panels[f->active]);
	case NEXT: case PREVIOUS:
		return *f->search;
	case PANELS:
		return f->panels[0].of && f->panels[1].of;
	case WAITS:
		return f->shown[1];
	case OTHER:
		return f->shown[0] && f->shown[1];
	case ANEW:
		return s->app->live;
	}
	return true;
}

bool rs_flame_act(struct rs_screen *s, int action, const struct rs_key_event *key)
{
	struct rs_flame *f = (struct rs_flame *)s;
	struct rs_flame_panel *p = flame_active(f);
	unsigned int page = p->area.height > 1 ? (unsigned int)p->area.height - 1 : 1;

	switch (action) {
	case ZOOM:
		flame_zoom(p);
		break;
	case OUT:
		if (!flame_back(f))
			rs_app_pop(s->app);
		break;
	case OUTWARD: case WHEEL_UP:
		flame_step(p, RS_ICICLE_OUTWARD, action == WHEEL_UP ? 3 : 1);
		break;
	case INWARD: case WHEEL_DOWN:
		flame_step(p, RS_ICICLE_INWARD, action == WHEEL_DOWN ? 3 : 1);
		break;
	case PAGE_UP: case PAGE_DOWN:
		flame_step(p, action == PAGE_UP ? RS_ICICLE_OUTWARD : RS_ICICLE_INWARD, page);
		break;
	case LEFT: case RIGHT:
		flame_step(p, action == LEFT ? RS_ICICLE_LEFT : RS_ICICLE_RIGHT, 1);
		break;
	case TOP:
		p->zoomed = p->selected = 0;
		p->selected_merged = false;
		break;
	case SEARCH:
		rs_app_prompt(s->app, "search:", "", flame_on_search, flame_on_typed, f);
		break;
	case NEXT: case PREVIOUS:
		flame_next(f, action == NEXT ? 1 : -1);
		break;
	case COMPARE:
		flame_compare(f);
		break;
	case PANELS:
		flame_next_panels(f);
		break;
	case WAITS:
		flame_next_waits(f);
		break;
	case OTHER:
		f->active = f->shown[!f->active] ? !f->active : f->active;
		break;
	case ANEW:
		rs_flame_begin_anew(p, false);
		break;
	}
	rs_app_redraw(s->app);
	return true;
}

/* A click selects; a double click, one on what is selected, and the wheel with Ctrl zoom. */
bool rs_flame_key(struct rs_screen *s, const struct rs_key_event *key)
{
	struct rs_flame *f = (struct rs_flame *)s;
	int y = key->y + s->app->area.y, x = key->x + s->app->area.x;

	if (key->key == RS_KEY_ZOOM_OUT)
		flame_zoom_out(flame_active(f));
	else if (key->key != RS_KEY_MOUSE && key->key != RS_KEY_MOUSE_DOUBLE && key->key != RS_KEY_ZOOM_IN)
		return false;
	for (unsigned int i = 0; i < RS_FLAME_PANELS && key->key != RS_KEY_ZOOM_OUT; i++) {
		struct rs_flame_panel *p = &f->panels[i];
		bool in = f->shown[i] && y >= p->area.y && y < p->area.y + p->area.height && x >= p->area.x &&
			  x < p->area.x + p->area.width;
		size_t at = in ? rs_icicle_at(&p->icicle, p->top + (size_t)(y - p->area.y), x - p->area.x) :
				 SIZE_MAX;
		bool again = at != SIZE_MAX && i == f->active && rs_flame_selected(p) == &p->icicle.cells[at];

		if (in)
			f->active = i;
		if (at == SIZE_MAX)
			continue;
		flame_select(p, &p->icicle.cells[at]);
		if (again || key->key != RS_KEY_MOUSE)
			flame_zoom(p);
	}
	rs_app_redraw(s->app);
	return true;
}
