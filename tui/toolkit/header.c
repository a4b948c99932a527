// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * header.c - draws the header: source and cost of tracing, breadcrumb, time range
 *
 * A narrow terminal drops the least important parts. Lost events and the time range go last.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/toolkit/app.h"

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

static const char *grouped(char *text, uint64_t v)
{
	text[rs_units_put_grouped(text, v)] = '\0';
	return text;
}

static const char *bytes(char *text, uint64_t v)
{
	text[rs_units_put_bytes(text, v)] = '\0';
	return text;
}

static void add_source(const struct rs_app *app, struct header_parts *p)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(app->machine->client);
	const char *source = or_empty(hello->source), *path = or_empty(hello->path), *slash = strrchr(path, '/');

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
	char length[RS_UNIT_TEXT + 1] = "", size[RS_UNIT_TEXT + 1];
	uint64_t used = app->machine->state ? app->machine->state->window_bytes : 0;

	if (app->now_ns > app->oldest_ns)
		length[rs_units_put_duration(length, app->now_ns - app->oldest_ns, RS_UNIT_AUTO, -1)] = '\0';
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
	char text[RS_UNIT_TEXT + 1];

	if (tracing_is_off(app))
		header_add(p, 9, RS_STYLE_BAD, "TRACING OFF");
	else if (app->live && state && state->events_per_s.known)
		header_add(p, 7, RS_STYLE_TEXT, "%s ev/s", grouped(text, state->events_per_s.u));
	else if (state)
		header_add(p, 7, RS_STYLE_TEXT, "%s events", grouped(text, state->counts.quality.events));
}

/* Live, losses from before the window's begin affect no available data. */
bool rs_header_loss_has_expired(const struct rs_app *app)
{
	return app->live && app->lost_to_ns < app->oldest_ns;
}

/* A null count means gaps that the kernel did not count. */
static void add_lost(const struct rs_app *app, struct header_parts *p)
{
	char text[RS_UNIT_TEXT + 1];
	enum rs_style_id bad = rs_header_loss_has_expired(app) ? RS_STYLE_TEXT : RS_STYLE_BAD;
	const struct rs_state_reply *state = app->machine->state;

	if (!state)
		return;
	if (!state->counts.lost.known)
		header_add(p, 9, bad, "LOST ?");
	else
		header_add(p, 9, state->counts.lost.u ? bad : RS_STYLE_GOOD, "%s %s", state->counts.lost.u ? "LOST" : "lost",
			   grouped(text, state->counts.lost.u));
}

static void add_own(const struct rs_app *app, struct header_parts *p)
{
	const struct rs_state_reply *state = app->machine->state;
	char size[RS_UNIT_TEXT + 1];

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
		rs_buf_printf(out, "loading %llu%%  ", (unsigned long long)((unsigned __int128)loading->done_bytes * 100 / loading->all_bytes));
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
		int used = rs_put(c, line.y, x, line.x + line.width - x, last ? RS_STYLE_BOLD : RS_STYLE_TEXT, text.data);

		rs_clicks_add_crumb(app, line.y, x, used, i);
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
	if (!app->time.now && !app->paused && rs_client_nr_open(app->machine->client) > app->machine->state_asked)
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

int rs_header_draw(struct rs_app *app, struct rs_canvas *c)
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
