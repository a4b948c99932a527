// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app-frame.c - draws a whole frame: header, quality line, top screen, message or prompt, footer; and handles
 * clicks outside of the screen's area: on a key of the footer, on a word of the breadcrumb
 *
 * The header has source and cost of tracing, breadcrumb, time range. A narrow terminal drops its least
 * important parts. Lost events and the time range go last.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/app/app.h"
#include "view/quality-line.h"

/* ---- clicks ---- */

void rs_app_click_add(struct rs_app *app, struct rs_click click)
{
	if (app->nr_clicks < RS_MAX_CLICKS)
		app->clicks[app->nr_clicks++] = click;
}

void rs_app_click(struct rs_app *app, int y, int x)
{
	for (unsigned int i = 0; i < app->nr_clicks; i++) {
		const struct rs_click click = app->clicks[i];

		if (y != click.y || x < click.x || x >= click.x + click.width)
			continue;
		if (click.key)
			rs_app_key(app, &(struct rs_key_event){ .key = click.key });
		else
			rs_app_pop_to(app, click.crumb);
		return;
	}
}

/* ---- the header ---- */

#define MAX_PARTS 10

struct header_part {
	int worth;               /* the smallest goes first */
	enum rs_style_id style_id;
	char text[80];
};

struct header_parts {
	unsigned int nr;
	struct header_part parts[MAX_PARTS];
};

__attribute__((format(printf, 4, 5)))
static void header_add(struct header_parts *p, int worth, enum rs_style_id style_id, const char *format, ...)
{
	struct header_part *part = &p->parts[p->nr];
	va_list ap;

	if (p->nr == MAX_PARTS)
		return;
	va_start(ap, format);
	vsnprintf(part->text, sizeof part->text, format, ap);
	va_end(ap);
	part->worth = worth;
	part->style_id = style_id;
	p->nr += *part->text != '\0';
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static const char *bytes(char *text, uint64_t v)
{
	text[rs_units_put_bytes(text, v)] = '\0';
	return text;
}

static void add_source(const struct rs_app *app, struct header_parts *p)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(app->machine->client);
	const char *source = or_empty(hello->source), *path = or_empty(hello->path),
		   *slash = strrchr(path, '/');

	if (app->machine->name)
		header_add(p, 9, RS_STYLE_KEY, "%.40s", app->machine->name);
	header_add(p, 4, RS_STYLE_TEXT, "%s", or_empty(hello->host));
	header_add(p, 3, RS_STYLE_TEXT, "%s", or_empty(hello->kernel));
	if (*path)
		header_add(p, 8, RS_STYLE_BOLD, "%s %.60s", source, slash && slash[1] ? slash + 1 : path);
	else
		header_add(p, 8, RS_STYLE_BOLD, "%s", source);
	header_add(p, 1, RS_STYLE_DIM, "%s", or_empty(hello->clock));
}

static void add_window(const struct rs_app *app, struct header_parts *p)
{
	char length[RS_SCREEN_TEXT] = "", size[RS_SCREEN_TEXT];
	uint64_t used = app->machine->state ? app->machine->state->window_bytes : 0;

	if (app->now_ns > app->oldest_ns)
		rs_screen_duration(app->now_ns - app->oldest_ns, length);
	if (*length && used)
		header_add(p, 2, RS_STYLE_TEXT, "window %s %s", length, bytes(size, used));
	else if (*length)
		header_add(p, 2, RS_STYLE_TEXT, "%s %s", app->live ? "window" : "length", length);
}

/* Tracing was turned off, by hand or by an error: events of this time are missing from all numbers. */
static bool tracing_is_off(const struct rs_app *app)
{
	return app->live && !app->ended && app->machine->state && !app->machine->state->tracing;
}

static void add_events(const struct rs_app *app, struct header_parts *p)
{
	const struct rs_state_reply *state = app->machine->state;
	char text[RS_SCREEN_TEXT];

	if (tracing_is_off(app))
		header_add(p, 9, RS_STYLE_BAD, "TRACING OFF");
	else if (app->live && !app->ended && state && state->changed_now)
		header_add(p, 9, RS_STYLE_BAD, "CHANGED BY OTHERS: %.40s", state->changed_now);
	else if (app->live && state && state->events_per_s.known)
		header_add(p, 7, RS_STYLE_TEXT, "%s ev/s", rs_screen_grouped(state->events_per_s.u, text));
	else if (state)
		header_add(p, 7, RS_STYLE_TEXT, "%s events",
			   rs_screen_grouped(state->counts.quality.events, text));
}

/* Live, losses from before the window's begin affect no available data. */
static bool loss_has_expired(const struct rs_app *app)
{
	return app->live && app->lost_to_ns < app->oldest_ns;
}

/* A null count means gaps that the kernel did not count. */
static void add_lost(const struct rs_app *app, struct header_parts *p)
{
	char text[RS_SCREEN_TEXT];
	enum rs_style_id bad = loss_has_expired(app) ? RS_STYLE_TEXT : RS_STYLE_BAD;
	const struct rs_state_reply *state = app->machine->state;

	if (!state)
		return;
	if (!state->counts.lost.known)
		header_add(p, 9, bad, "LOST ?");
	else
		header_add(p, 9, state->counts.lost.u ? bad : RS_STYLE_GOOD, "%s %s",
			   state->counts.lost.u ? "LOST" : "lost",
			   rs_screen_grouped(state->counts.lost.u, text));
}

static void add_own(const struct rs_app *app, struct header_parts *p)
{
	const struct rs_state_reply *state = app->machine->state;
	char size[RS_SCREEN_TEXT];

	if (!state || !state->own_cpu_milli.known)
		return;
	header_add(p, 5, RS_STYLE_DIM, "own %u.%u%%%s%s", (unsigned int)state->own_cpu_milli.u / 10,
		   (unsigned int)state->own_cpu_milli.u % 10, state->own_rss_bytes.known ? " " : "",
		   state->own_rss_bytes.known ? bytes(size, state->own_rss_bytes.u) : "");
}

static int header_width_of(const struct header_parts *p, bool ascii)
{
	int width = 0;

	for (unsigned int i = 0; i < p->nr; i++)
		width += rs_put_text_columns(p->parts[i].text, ascii) + 2;
	return width;
}

static void drop_least(struct header_parts *p)
{
	unsigned int least = 0;

	for (unsigned int i = 1; i < p->nr; i++)
		if (p->parts[i].worth < p->parts[least].worth)
			least = i;
	memmove(p->parts + least, p->parts + least + 1, (p->nr - least - 1) * sizeof *p->parts);
	p->nr--;
}

static void draw_parts(struct rs_app *app, struct rs_canvas *c, struct rs_area line)
{
	struct header_parts p = { 0 };
	int x = line.x + 1;

	header_add(&p, 6, RS_STYLE_TITLE, "ringside");
	add_source(app, &p);
	add_window(app, &p);
	add_events(app, &p);
	add_lost(app, &p);
	add_own(app, &p);
	while (p.nr > 1 && header_width_of(&p, rs_canvas_ascii(c)) > line.width)
		drop_least(&p);
	for (unsigned int i = 0; i < p.nr; i++)
		x += rs_put(c, line.y, x, line.x + line.width - x, p.parts[i].style_id, p.parts[i].text) + 2;
}

/* ---- the time range ---- */

/* Puts the part of the range that is still available: the window may have passed its begin. */
static void put_range(const struct rs_app *app, struct rs_buf *out)
{
	bool is_expired = app->range_from_ns > app->time.from_ns && app->range_from_ns < app->time.to_ns;

	rs_buf_puts(out, "PAST ");
	rs_app_moment(app, is_expired ? app->range_from_ns : app->time.from_ns, out);
	rs_buf_puts(out, " to ");
	rs_app_moment(app, app->time.to_ns, out);
	rs_buf_puts(out, is_expired ? ", rest gone" : "");
}

static enum rs_style_id header_put_time(const struct rs_app *app, struct rs_buf *out)
{
	if (app->lost) {
		rs_buf_puts(out, "THE DAEMON HAS GONE, waiting for it");
		return RS_STYLE_BAD;
	}
	if (app->paused) {
		rs_buf_puts(out, "PAUSED at ");
		rs_app_moment(app, app->time.to_ns, out);
		return RS_STYLE_WARN;
	}
	if (!app->time.now) {
		put_range(app, out);
		return RS_STYLE_WARN;
	}
	if (!app->live) {
		rs_buf_puts(out, "all of the file");
		return RS_STYLE_DIM;
	}
	rs_buf_puts(out, app->ended ? "ENDED at " : "live ");
	if (app->now_ns)
		rs_app_moment(app, app->now_ns, out);
	return app->ended ? RS_STYLE_WARN : RS_STYLE_GOOD;
}

static bool header_put_loading(const struct rs_app *app, struct rs_buf *out)
{
	const struct rs_loading *loading = app->machine->state ? app->machine->state->loading : NULL;

	if (!loading)
		return false;
	if (loading->all_bytes)
		rs_buf_printf(out, "loading %llu%%  ",
			      (unsigned long long)((unsigned __int128)loading->done_bytes * 100 /
						   loading->all_bytes));
	else
		rs_buf_puts(out, "loading  ");
	return true;
}

/* ---- the breadcrumb ---- */

static void put_crumb(const struct rs_app *app, unsigned int i, struct rs_buf *out)
{
	struct rs_screen *s = app->stack[i];

	rs_buf_clear(out);
	if (s->ops->title)
		s->ops->title(s, out);
	else
		rs_buf_puts(out, s->ops->name);
}

/* Cuts the breadcrumb from the left: the current screen matters more than the way to it. */
static void draw_crumbs(struct rs_app *app, struct rs_canvas *c, struct rs_area line)
{
	bool ascii = rs_canvas_ascii(c);
	struct rs_buf text = RS_BUF_INIT;
	unsigned int first = app->nr_stack;
	int width = 0, x = line.x + 1;

	while (first) {
		put_crumb(app, first - 1, &text);
		width += rs_put_text_columns(text.data, ascii) + 3;
		if (width > line.width - 2 && first < app->nr_stack)
			break;
		first--;
	}
	if (first)
		rs_put_glyph(c, line.y, line.x, RS_STYLE_DIM, RS_GLYPH_ELLIPSIS);
	for (unsigned int i = first; i < app->nr_stack; i++) {
		bool last = i + 1 == app->nr_stack;

		put_crumb(app, i, &text);
		int used = rs_put(c, line.y, x, line.x + line.width - x, last ? RS_STYLE_BOLD : RS_STYLE_TEXT,
				  text.data);

		rs_app_click_add(app, (struct rs_click){ .y = line.y, .x = x, .width = used, .crumb = i });
		x += used + 1;
		if (!last && x < line.x + line.width)
			rs_put_glyph(c, line.y, x, RS_STYLE_DIM, RS_GLYPH_CRUMB);
		x += 2;
	}
	rs_buf_done(&text);
}

static void draw_way(struct rs_app *app, struct rs_canvas *c, struct rs_area line)
{
	struct rs_buf text = RS_BUF_INIT;
	bool loading = header_put_loading(app, &text);

	/* Until the answer comes, the rows below are of another time range. */
	if (!app->time.now && !app->paused &&
	    rs_client_nr_open(app->machine->client) > app->machine->state_asked)
		rs_buf_puts(&text, "reading  ");
	if (rs_save_dialog_is_running(app))
		rs_buf_puts(&text, "saving  ");
	enum rs_style_id style_id = header_put_time(app, &text);
	int width = rs_put_text_columns(text.data, true) + 1;

	if (width > line.width * 2 / 3)
		width = line.width * 2 / 3;
	draw_crumbs(app, c, (struct rs_area){ line.y, line.x, 1, line.width - width - 1 });
	rs_put(c, line.y, line.x + line.width - width, width - 1, loading ? RS_STYLE_WARN : style_id,
	       text.data);
	rs_buf_done(&text);
}

/* Returns the number of lines. */
static int header_draw(struct rs_app *app, struct rs_canvas *c)
{
	const char *warning = app->machine->state ? app->machine->state->warning : NULL;
	int width = rs_canvas_area(c).width;

	draw_parts(app, c, (struct rs_area){ 0, 0, 1, width });
	draw_way(app, c, (struct rs_area){ 1, 0, 1, width });
	if (!warning)
		return 2;
	rs_put_format(c, 2, 0, width, RS_STYLE_BAD, " ! %s", warning);
	return 3;
}

/* ---- the quality line ---- */

#define QUALITY_DRAW_MAX_CPUS 1024 /* CPUs that are named one by one */

struct quality_draw_counts {
	uint64_t lost[QUALITY_DRAW_MAX_CPUS], uncounted[QUALITY_DRAW_MAX_CPUS];
};

static void read_lost(struct rs_quality *t, struct quality_draw_counts *by, const struct rs_counts *of)
{
	*by = (struct quality_draw_counts){ 0 };
	for (t->nr_cpus = 0; t->nr_cpus < of->nr_lost_by_cpu && t->nr_cpus < QUALITY_DRAW_MAX_CPUS;
	     t->nr_cpus++) {
		by->lost[t->nr_cpus] = of->lost_by_cpu[t->nr_cpus].u;
		by->uncounted[t->nr_cpus] = !of->lost_by_cpu[t->nr_cpus].known;
	}
	t->lost_by_cpu = by->lost;
	t->uncounted_by_cpu = by->uncounted;
}

static void read_quality(const struct rs_app *app, struct rs_quality *t, struct quality_draw_counts *by)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(app->machine->client);
	const struct rs_counts *of = !app->time.now && app->has_range_quality ? &app->range_quality :
										&app->machine->state->counts;

	*t = of->quality;
	t->unit = hello->unit;
	t->filters = hello->filters;
	t->from_ns = of->from_ns.u;
	t->to_ns = of->to_ns.u;
	read_lost(t, by, of);
}

/*
 * Where the line is too long, its items stand one blank apart. It may be shorter than its bytes: it then has
 * room.
 */
static void quality_draw_squeeze(char *line, size_t width)
{
	char *to = line;

	if (strlen(line) <= width)
		return;
	for (const char *at = line; *at; at++)
		if (at[0] != ' ' || at[1] != ' ')
			*to++ = *at;
	*to = '\0';
}

/*
 * As the text formatter does, from the state, or from the answer for a time range. The header shows the
 * kernel and the clock, which begin the line in text output.
 */
static void quality_draw(struct rs_app *app, struct rs_canvas *c, int y)
{
	struct rs_buf text = RS_BUF_INIT;
	struct rs_quality quality;
	struct quality_draw_counts by;
	enum rs_style_id style_id = RS_STYLE_DIM;
	char *from;

	if (!app->machine->state)
		return;
	read_quality(app, &quality, &by);
	rs_quality_line(&text, &quality);
	if (text.len)
		text.data[text.len - 1] = '\0';
	if ((quality.gaps || rs_quality_lost(&quality)) && !(app->time.now && loss_has_expired(app)))
		style_id = RS_STYLE_BAD;
	else if (quality.discarded || quality.evicted || quality.late || quality.bad_pages ||
		 quality.bad_records)
		style_id = RS_STYLE_WARN;
	from = strstr(text.data, "  ");
	from = from ? from + 2 : text.data;
	quality_draw_squeeze(from, (size_t)rs_canvas_area(c).width - 1);
	rs_put_cut(c, y, 1, rs_canvas_area(c).width - 1, style_id, from);
	rs_buf_done(&text);
}

/* ---- the frame ---- */

static void draw_too_small(struct rs_canvas *c, struct rs_area all)
{
	rs_put_format(c, all.height / 2, 0, all.width, RS_STYLE_TEXT, "%dx%d: too small (%dx%d)", all.width,
		      all.height, RS_TUI_MIN_WIDTH, RS_TUI_MIN_HEIGHT);
}

/* The prompt or the message covers the last lines of the screen. */
static void draw_said(struct rs_app *app, struct rs_canvas *c, struct rs_area line)
{
	if (app->prompt.open) {
		rs_prompt_draw(&app->prompt, c, (struct rs_area){ line.y - 2, line.x, 3, line.width });
	} else if (*app->said) {
		rs_canvas_fill(c, line, app->said_style);
		rs_put(c, line.y, line.x + 1, line.width - 1, app->said_style, app->said);
	}
}

void rs_app_draw(struct rs_app *app, struct rs_canvas *c)
{
	struct rs_area all = rs_canvas_area(c);
	struct rs_screen *top = rs_app_top(app);
	int y;

	rs_canvas_clear(c);
	rs_canvas_set_letters(c, app->letters);
	app->dirty = app->by_key = false;
	app->nr_clicks = 0;
	app->shown = c;
	if (all.height < RS_TUI_MIN_HEIGHT || all.width < RS_TUI_MIN_WIDTH) {
		draw_too_small(c, all);
		return;
	}
	y = header_draw(app, c);
	quality_draw(app, c, y++);
	app->area = (struct rs_area){ y, 0, all.height - y - 1, all.width };
	if (top)
		top->ops->draw(top, c, app->area);
	draw_said(app, c, (struct rs_area){ all.height - 2, 0, 1, all.width });
	rs_app_footer_draw(app, c, all.height - 1);
}
