// SPDX-License-Identifier: GPL-2.0-or-later
/* app-quality.c - the data quality of the time that is shown: a line of the header if something is wrong */
#include <string.h>

#include "tui/app/app.h"
#include "view/quality-line.h"

#define QUALITY_MAX_CPUS 1024 /* CPUs that are named one by one */

struct quality_lost {
	uint64_t lost[QUALITY_MAX_CPUS], uncounted[QUALITY_MAX_CPUS];
};

static void quality_read_lost(struct rs_quality *t, struct quality_lost *by, const struct rs_counts *of)
{
	*by = (struct quality_lost){ 0 };
	for (t->nr_cpus = 0; t->nr_cpus < of->nr_lost_by_cpu && t->nr_cpus < QUALITY_MAX_CPUS;
	     t->nr_cpus++) {
		by->lost[t->nr_cpus] = of->lost_by_cpu[t->nr_cpus].u;
		by->uncounted[t->nr_cpus] = !of->lost_by_cpu[t->nr_cpus].known;
	}
	t->lost_by_cpu = by->lost;
	t->uncounted_by_cpu = by->uncounted;
}

static void quality_read(const struct rs_app *app, struct rs_quality *t, struct quality_lost *by)
{
	const struct rs_hello_reply *hello = rs_client_hello_reply(app->machine->client);
	const struct rs_counts *of = app->time.now ? &app->machine->state->counts : &app->range_quality;

	*t = of->quality;
	t->unit = hello->unit;
	t->filters = hello->filters;
	t->from_ns = of->from_ns.u;
	t->to_ns = of->to_ns.u;
	quality_read_lost(t, by, of);
}

/*
 * Where the line is too long, its items stand one blank apart. It may be shorter than its bytes: it then has
 * room.
 */
static void quality_squeeze(char *line, size_t width)
{
	char *to = line;

	if (strlen(line) <= width)
		return;
	for (const char *at = line; *at; at++)
		if (at[0] != ' ' || at[1] != ' ')
			*to++ = *at;
	*to = '\0';
}

/* Live, losses from before the window's begin affect no available data. */
static bool quality_loss_has_expired(const struct rs_app *app)
{
	return app->time.now && app->live && app->lost_to_ns < app->oldest_ns;
}

/* Returns RS_STYLE_TEXT if nothing is wrong. */
static enum rs_style_id quality_judge(const struct rs_app *app, const struct rs_quality *quality)
{
	if ((quality->gaps || rs_quality_lost(quality)) && !quality_loss_has_expired(app))
		return RS_STYLE_BAD;
	if (quality->discarded || quality->evicted || quality->late || quality->bad_pages ||
	    quality->bad_records)
		return RS_STYLE_WARN;
	return RS_STYLE_TEXT;
}

bool rs_app_quality_put(const struct rs_app *app, struct rs_buf *out, enum rs_style_id *style_id)
{
	struct rs_quality quality;
	struct quality_lost by;
	struct rs_buf text = RS_BUF_INIT;
	const char *from;

	if (!app->machine->state || (!app->time.now && !app->has_range_quality))
		return false;
	quality_read(app, &quality, &by);
	*style_id = quality_judge(app, &quality);
	rs_quality_line(&text, &quality);
	if (text.len)
		text.data[text.len - 1] = '\0';
	from = strstr(text.data, "  ");
	rs_buf_puts(out, from ? from + 2 : text.data);
	rs_buf_done(&text);
	return true;
}

int rs_app_quality_draw(const struct rs_app *app, struct rs_canvas *c, int y)
{
	int width = rs_canvas_area(c).width - 1;
	struct rs_buf text = RS_BUF_INIT;
	enum rs_style_id style_id;
	bool wrong = rs_app_quality_put(app, &text, &style_id) && style_id != RS_STYLE_TEXT;

	if (wrong) {
		quality_squeeze(text.data, (size_t)width);
		rs_put_cut(c, y, 1, width, style_id, text.data);
	}
	rs_buf_done(&text);
	return wrong;
}
