// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * app-header.c - the first line of each screen: what is seen, of which source and time; below it what is
 * wrong
 *
 * While no event was lost the header is one line. What was lost in the time that is shown, a warning, and
 * what is unusual take a line each: they cannot be missed, and nothing else stands there. All that the line
 * has no room for is in the help.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "tui/app/app.h"

/* ---- the parts of the line ---- */

#define HEADER_OWN_MILLI 30 /* of one CPU: ringside's own cost is worth a place from 3 % on */

static const char *header_or_empty(const char *text)
{
	return text ? text : "";
}

static const struct rs_hello_reply *header_hello(const struct rs_app *app)
{
	return rs_client_hello_reply(app->machine->client);
}

static enum rs_style_id header_put_program(const struct rs_app *app, struct rs_buf *out)
{
	rs_buf_puts(out, "ringside");
	return RS_STYLE_TITLE;
}

static enum rs_style_id header_put_machine(const struct rs_app *app, struct rs_buf *out)
{
	rs_buf_printf(out, "%.40s", header_or_empty(app->machine->name));
	return RS_STYLE_KEY;
}

/* Of a host among several: how far its clock is from ours. */
static enum rs_style_id header_put_clock(const struct rs_app *app, struct rs_buf *out)
{
	rs_buf_printf(out, "%.40s", header_or_empty(app->machine->clock));
	return RS_STYLE_DIM;
}

/* "record.dat"; of a live engine its host. */
static enum rs_style_id header_put_source(const struct rs_app *app, struct rs_buf *out)
{
	const struct rs_hello_reply *hello = header_hello(app);
	const char *path = header_or_empty(hello->path), *slash = strrchr(path, '/'),
		   *host = header_or_empty(hello->host);

	if (*path)
		rs_buf_printf(out, "%.60s", slash && slash[1] ? slash + 1 : path);
	else
		rs_buf_printf(out, "%s%s%.40s", header_or_empty(hello->source), *host ? " " : "", host);
	return RS_STYLE_BOLD;
}

/* The screens show a time that has passed, of an engine that goes on: what it does now is not theirs. */
static bool header_is_of_range(const struct rs_app *app)
{
	return app->live && !app->time.now;
}

/* Of a file its length, of a live engine that of its window. */
static enum rs_style_id header_put_length(const struct rs_app *app, struct rs_buf *out)
{
	char length[RS_SCREEN_TEXT];

	if (app->now_ns > app->oldest_ns && !header_is_of_range(app))
		rs_buf_printf(out, "%s%s", app->live ? "window " : "",
			      rs_screen_duration(app->now_ns - app->oldest_ns, length));
	return RS_STYLE_DIM;
}

static enum rs_style_id header_put_cpus(const struct rs_app *app, struct rs_buf *out)
{
	uint32_t nr = header_hello(app)->nr_cpus;

	if (nr)
		rs_buf_printf(out, "%u CPU%s", nr, nr == 1 ? "" : "s");
	return RS_STYLE_DIM;
}

/* What is captured of the machine, if not all: "filters -c cart". */
static enum rs_style_id header_put_capture(const struct rs_app *app, struct rs_buf *out)
{
	const char *filters = header_or_empty(header_hello(app)->filters);

	if (*filters)
		rs_buf_printf(out, "filters %.60s", filters);
	return RS_STYLE_WARN;
}

static enum rs_style_id header_put_events(const struct rs_app *app, struct rs_buf *out)
{
	const struct rs_state_reply *state = app->machine->state;
	char text[RS_SCREEN_TEXT];

	if (header_is_of_range(app))
		return RS_STYLE_DIM;
	if (app->live && state && state->events_per_s.known)
		rs_buf_printf(out, "%s ev/s", rs_screen_grouped(state->events_per_s.u, text));
	else if (state)
		rs_buf_printf(out, "%s events", rs_screen_grouped(state->counts.quality.events, text));
	return RS_STYLE_DIM;
}

/* Tracing was turned off, by hand or by an error: events of this time are missing from all numbers. */
static enum rs_style_id header_put_changed(const struct rs_app *app, struct rs_buf *out)
{
	const struct rs_state_reply *state = app->machine->state;

	if (app->live && !app->ended && state && !state->tracing)
		rs_buf_puts(out, "TRACING OFF");
	else if (app->live && !app->ended && state && state->changed_now)
		rs_buf_printf(out, "CHANGED BY OTHERS: %.40s", state->changed_now);
	return RS_STYLE_BAD;
}

/* Nothing, where nobody has to look. */
static enum rs_style_id header_put_fired(const struct rs_app *app, struct rs_buf *out)
{
	uint64_t nr = rs_fired_nr_unseen(app->machine);

	if (nr)
		rs_buf_printf(out, "! %llu fired (I)", (unsigned long long)nr);
	return RS_STYLE_BAD;
}

static enum rs_style_id header_put_own(const struct rs_app *app, struct rs_buf *out)
{
	const struct rs_state_reply *state = app->machine->state;

	if (app->live && app->time.now && state && state->own_cpu_milli.known &&
	    state->own_cpu_milli.u >= HEADER_OWN_MILLI)
		rs_buf_printf(out, "own %u.%u%%", (unsigned int)state->own_cpu_milli.u / 10,
			      (unsigned int)state->own_cpu_milli.u % 10);
	return RS_STYLE_WARN;
}

/* Until the answer comes, the rows below are of another time range. */
static bool header_is_reading(const struct rs_app *app)
{
	return !app->time.now && !app->paused &&
	       rs_client_nr_open(app->machine->client) > app->machine->state_asked;
}

static enum rs_style_id header_put_busy(const struct rs_app *app, struct rs_buf *out)
{
	const struct rs_loading *loading = app->machine->state ? app->machine->state->loading : NULL;

	if (loading && loading->all_bytes)
		rs_buf_printf(out, "loading %llu%%",
			      (unsigned long long)((unsigned __int128)loading->done_bytes * 100 /
						   loading->all_bytes));
	else if (loading)
		rs_buf_puts(out, "loading");
	else if (rs_save_dialog_is_running(app))
		rs_buf_puts(out, "saving");
	else if (header_is_reading(app))
		rs_buf_puts(out, "reading");
	return RS_STYLE_WARN;
}

/*
 * Puts the part of the range that is still available: the window may have passed its begin. Nothing is known
 * of the time after the last event.
 */
static void header_put_range(const struct rs_app *app, struct rs_buf *out)
{
	bool is_expired = app->range_from_ns > app->time.from_ns && app->range_from_ns < app->time.to_ns;
	uint64_t to_ns = app->now_ns > app->time.from_ns && app->now_ns < app->time.to_ns ? app->now_ns :
											    app->time.to_ns;

	rs_buf_puts(out, "PAST ");
	rs_app_moment(app, is_expired ? app->range_from_ns : app->time.from_ns, out);
	rs_buf_puts(out, " to ");
	rs_app_moment(app, to_ns, out);
	if (is_expired)
		rs_buf_puts(out, ", rest expired");
	else
		rs_app_pin_put(app, out);
}

static enum rs_style_id header_put_time(const struct rs_app *app, struct rs_buf *out)
{
	if (app->lost) {
		rs_buf_puts(out, app->is_remote ? "THE CONNECTION IS LOST, trying again" :
						  "THE DAEMON HAS GONE, waiting for it");
		return RS_STYLE_BAD;
	}
	if (app->paused) {
		rs_buf_puts(out, "PAUSED at ");
		rs_app_moment(app, app->time.to_ns, out);
		rs_app_pin_put(app, out);
		return RS_STYLE_WARN;
	}
	if (!app->time.now) {
		header_put_range(app, out);
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

/* In the order of the line: the breadcrumb stands between those at the left and those at the right. */
static const struct header_part {
	int worth;               /* the smallest gives way first; 0: none does */
	bool right;
	/* Writes the text, "" if there is nothing to say, and returns its style. */
	enum rs_style_id (*put)(const struct rs_app *app, struct rs_buf *out);
	uint32_t key;            /* that a click on it stands for; 0: none */
} header_parts[] = {
	{ 1, false, header_put_program },
	{ 8, false, header_put_machine },
	{ 3, false, header_put_clock },
	{ 6, false, header_put_source },
	{ 4, false, header_put_length },
	{ 2, false, header_put_cpus },
	{ 3, false, header_put_events },
	{ 5, false, header_put_capture },
	{ 9, true, header_put_changed },
	{ 9, true, header_put_fired, 'I' },
	{ 4, true, header_put_own },
	{ 7, true, header_put_busy },
	{ 0, true, header_put_time },
};

#define HEADER_NR_PARTS (sizeof header_parts / sizeof header_parts[0])
#define HEADER_GAP 2

struct header_line {
	struct rs_buf texts[HEADER_NR_PARTS];
	enum rs_style_id style_ids[HEADER_NR_PARTS];
	int widths[HEADER_NR_PARTS]; /* with the gap; 0: not shown */
	int crumbs;                  /* what the breadcrumb needs at least */
	bool brief;                  /* the terms of the filter are only counted */
};

/* ---- the terms of the filter ---- */

#define HEADER_TERM_COLUMNS 32

/* "comm ~ cart x  ", or "2 filters  " */
static int header_terms_width(const struct rs_app *app, bool brief, bool ascii)
{
	int width = brief ? (int)strlen("9 filters") + HEADER_GAP : 0;

	for (unsigned int i = 0; !brief && i < app->filter.nr; i++) {
		int columns = rs_put_text_columns(app->filter.terms[i], ascii);

		width += (columns < HEADER_TERM_COLUMNS ? columns : HEADER_TERM_COLUMNS) + 2 + HEADER_GAP;
	}
	return app->filter.nr ? width : 0;
}

/* Those that do nothing on this screen are dim. */
static void header_draw_terms(struct rs_app *app, struct rs_canvas *c, int x, bool brief)
{
	if (brief) {
		rs_put_format(c, 0, x, 12, RS_STYLE_KEY, "%u filter%s", app->filter.nr,
			      app->filter.nr == 1 ? "" : "s");
		return;
	}
	for (unsigned int i = 0; i < app->filter.nr; i++) {
		enum rs_style_id style_id = rs_app_filter_holds(app, i) ? RS_STYLE_KEY : RS_STYLE_DIM;

		x += rs_put_cut(c, 0, x, HEADER_TERM_COLUMNS, style_id, app->filter.terms[i]) + 1;
		rs_put_glyph(c, 0, x, style_id, RS_GLYPH_CLOSE);
		rs_app_click_add(app, (struct rs_click){ .x = x, .width = 1, .term = i + 1 });
		x += 1 + HEADER_GAP;
	}
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

/* All of it, but at most two thirds of the line. */
static int header_crumbs_need(const struct rs_app *app, int width, bool ascii)
{
	struct rs_buf text = RS_BUF_INIT;
	int need = 2;

	for (unsigned int i = 0; i < app->nr_stack; i++) {
		put_crumb(app, i, &text);
		need += rs_put_text_columns(text.data, ascii) + 3;
	}
	rs_buf_done(&text);
	return need < width * 2 / 3 ? need : width * 2 / 3;
}

/* ---- the line ---- */

static int header_width(const struct header_line *l, bool right)
{
	int width = 0;

	for (size_t i = 0; i < HEADER_NR_PARTS; i++)
		width += header_parts[i].right == right ? l->widths[i] : 0;
	return width;
}

/* Returns false if nothing is left that may give way, of what is worth less than `below`. */
static bool header_drop_least(struct header_line *l, int below)
{
	size_t least = HEADER_NR_PARTS;

	for (size_t i = 0; i < HEADER_NR_PARTS; i++)
		if (l->widths[i] && header_parts[i].worth && header_parts[i].worth < below &&
		    (least == HEADER_NR_PARTS || header_parts[i].worth < header_parts[least].worth))
			least = i;
	if (least == HEADER_NR_PARTS)
		return false;
	l->widths[least] = 0;
	return true;
}

static bool header_shorten_terms(struct header_line *l)
{
	bool was_brief = l->brief;

	l->brief = true;
	return !was_brief;
}

static int header_need(const struct rs_app *app, const struct header_line *l, bool ascii)
{
	return header_width(l, false) + l->crumbs + header_terms_width(app, l->brief, ascii) +
	       header_width(l, true);
}

#define HEADER_TERMS_WORTH 7

static void header_line_make(const struct rs_app *app, struct header_line *l, int width, bool ascii)
{
	l->crumbs = header_crumbs_need(app, width, ascii);
	for (size_t i = 0; i < HEADER_NR_PARTS; i++) {
		l->texts[i] = (struct rs_buf)RS_BUF_INIT;
		l->style_ids[i] = header_parts[i].put(app, &l->texts[i]);
		l->widths[i] = l->texts[i].len ? rs_put_text_columns(l->texts[i].data, ascii) + HEADER_GAP :
						 0;
	}
	while (header_need(app, l, ascii) > width &&
	       (header_drop_least(l, HEADER_TERMS_WORTH) || header_shorten_terms(l) ||
		header_drop_least(l, INT_MAX)))
		;
}

static int header_draw_side(struct rs_app *app, const struct header_line *l, struct rs_canvas *c, int x,
			    int end, bool right)
{
	for (size_t i = 0; i < HEADER_NR_PARTS; i++)
		if (l->widths[i] && header_parts[i].right == right) {
			rs_put(c, 0, x, end - x, l->style_ids[i], l->texts[i].data);
			if (header_parts[i].key)
				rs_app_click_add(app, (struct rs_click){
					.x = x, .width = l->widths[i] - HEADER_GAP,
					.key = header_parts[i].key });
			x += l->widths[i];
		}
	return x;
}

static void header_draw_line(struct rs_app *app, struct rs_canvas *c)
{
	int width = rs_canvas_area(c).width, x, right, terms;
	struct header_line l = { .brief = false };

	header_line_make(app, &l, width, rs_canvas_ascii(c));
	right = width + 1 - header_width(&l, true);
	if (right < width / 3)
		right = width / 3;
	x = header_draw_side(app, &l, c, 1, width, false);
	terms = right - header_terms_width(app, l.brief, rs_canvas_ascii(c));
	draw_crumbs(app, c, (struct rs_area){ 0, x - 1, 1, terms - x });
	if (app->filter.nr)
		header_draw_terms(app, c, terms, l.brief);
	header_draw_side(app, &l, c, right, width, true);
	for (size_t i = 0; i < HEADER_NR_PARTS; i++)
		rs_buf_done(&l.texts[i]);
}

int rs_app_header_draw(struct rs_app *app, struct rs_canvas *c)
{
	const struct rs_state_reply *state = header_is_of_range(app) ? NULL : app->machine->state;
	const char *warning = state ? state->warning : NULL;
	int y = 1;

	header_draw_line(app, c);
	if (warning)
		rs_put_format(c, y++, 0, rs_canvas_area(c).width, RS_STYLE_BAD, " ! %s", warning);
	if (state && state->unusual)
		rs_put_format(c, y++, 1, rs_canvas_area(c).width - 1, RS_STYLE_WARN, "unusual: %s",
			      state->unusual);
	return y + rs_app_quality_draw(app, c, y);
}

/* ---- the help: all that the line may have no room for ---- */

static void header_help_row(struct rs_buf *out, const char *name, const char *text)
{
	if (*text)
		rs_buf_printf(out, "%-12s %s\n", name, text);
}

void rs_app_header_help(const struct rs_app *app, struct rs_buf *out)
{
	const struct rs_hello_reply *hello = header_hello(app);
	const struct rs_state_reply *state = app->machine->state;
	struct rs_buf text = RS_BUF_INIT;
	enum rs_style_id style_id;
	char size[RS_SCREEN_TEXT];

	rs_buf_printf(&text, "%s %s", header_or_empty(hello->source), header_or_empty(hello->path));
	header_help_row(out, "source", text.data);
	header_help_row(out, "host", header_or_empty(hello->host));
	header_help_row(out, "kernel", header_or_empty(hello->kernel));
	header_help_row(out, "clock", header_or_empty(hello->clock));
	header_help_row(out, "filters", header_or_empty(hello->filters));
	rs_buf_clear(&text);
	header_put_length(app, &text);
	if (text.len && state && state->window_bytes) {
		size[rs_units_put_bytes(size, state->window_bytes)] = '\0';
		rs_buf_printf(&text, ", %s", size);
	}
	header_help_row(out, "length", text.data);
	rs_buf_clear(&text);
	header_put_events(app, &text);
	header_help_row(out, "events", text.data);
	rs_buf_clear(&text);
	if (state && state->own_cpu_milli.known)
		rs_buf_printf(&text, "%u.%u%% of a CPU", (unsigned int)state->own_cpu_milli.u / 10,
			      (unsigned int)state->own_cpu_milli.u % 10);
	if (text.len && state->own_rss_bytes.known) {
		size[rs_units_put_bytes(size, state->own_rss_bytes.u)] = '\0';
		rs_buf_printf(&text, ", %s", size);
	}
	header_help_row(out, "own cost", text.data);
	rs_buf_clear(&text);
	if (rs_app_quality_put(app, &text, &style_id))
		header_help_row(out, "quality", text.data);
	rs_buf_done(&text);
}
