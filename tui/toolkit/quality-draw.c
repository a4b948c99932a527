// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quality-draw.c - draws the quality line as the text formatter does: from the state, or from the answer for a time
 * range
 */
#include <string.h>

#include "tui/toolkit/app.h"
#include "view/quality-line.h"

#define QUALITY_DRAW_MAX_CPUS 1024 /* CPUs that are named one by one */

struct quality_draw_counts {
	uint64_t lost[QUALITY_DRAW_MAX_CPUS], uncounted[QUALITY_DRAW_MAX_CPUS];
};

static void read_lost(struct rs_quality *t, struct quality_draw_counts *by, const struct rs_counts *of)
{
	*by = (struct quality_draw_counts){ 0 };
	for (t->nr_cpus = 0; t->nr_cpus < of->nr_lost_by_cpu && t->nr_cpus < QUALITY_DRAW_MAX_CPUS; t->nr_cpus++) {
		by->lost[t->nr_cpus] = of->lost_by_cpu[t->nr_cpus].u;
		by->uncounted[t->nr_cpus] = !of->lost_by_cpu[t->nr_cpus].known;
	}
	t->lost_by_cpu = by->lost;
	t->uncounted_by_cpu = by->uncounted;
}

static void read_quality(const struct rs_app *app, struct rs_quality *t, struct quality_draw_counts *by)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(app->machine->client);
	const struct rs_counts *of = !app->time.now && app->has_range_quality ? &app->range_quality : &app->machine->state->counts;

	*t = of->quality;
	t->unit = hello->unit;
	t->filters = hello->filters;
	t->from_ns = of->from_ns.u;
	t->to_ns = of->to_ns.u;
	read_lost(t, by, of);
}

/* Where the line is too long, its items stand one blank apart. It may be shorter than its bytes: it then has room. */
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

/* The header shows the kernel and the clock, which begin the line in text output. */
void rs_quality_draw(struct rs_app *app, struct rs_canvas *c, int y)
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
	if ((quality.gaps || rs_quality_lost(&quality)) && !(app->time.now && rs_header_loss_has_expired(app)))
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
