// SPDX-License-Identifier: GPL-2.0-or-later
/* quality-draw.c - the trust line of the text face, made from the state; of the past, from what its rows came with */
#include <string.h>

#include "rpc/wire.h"
#include "tui/toolkit/app.h"
#include "view/quality-line.h"

#define QUALITY_DRAW_MAX_CPUS 1024 /* that are named one by one */

struct quality_draw_counts {
	uint64_t lost[QUALITY_DRAW_MAX_CPUS], uncounted[QUALITY_DRAW_MAX_CPUS];
};

static void read_lost(struct rs_quality *t, struct quality_draw_counts *by, const cJSON *state)
{
	const cJSON *cpu = cJSON_GetObjectItemCaseSensitive(state, "lost_by_cpu");

	*by = (struct quality_draw_counts){ 0 };
	t->nr_cpus = 0;
	for (cpu = cJSON_IsArray(cpu) ? cpu->child : NULL; cpu &&
	     t->nr_cpus < QUALITY_DRAW_MAX_CPUS; cpu = cpu->next) {
		if (!rs_wire_u64_read(cpu, &by->lost[t->nr_cpus]))
			by->uncounted[t->nr_cpus] = 1;
		t->nr_cpus++;
	}
	t->lost_by_cpu = by->lost;
	t->uncounted_by_cpu = by->uncounted;
}

static void read_quality(const struct rs_app *app, struct rs_quality *t, struct quality_draw_counts *by)
{
	const struct {
		const char *name;
		uint64_t *to;
	} counts[] = {
		{ "events", &t->events }, { "gaps", &t->gaps }, { "gaps_uncounted", &t->gaps_uncounted },
		{ "orphans", &t->unmatched }, { "voided", &t->discarded }, { "inferred", &t->inferred },
		{ "in_flight", &t->in_flight }, { "evicted", &t->evicted }, { "late", &t->late },
		{ "bad_pages", &t->bad_pages }, { "bad_records", &t->bad_records },
		{ "all_tasks", &t->all_tasks }, { "no_wakings", &t->no_wakings }, { "from_ns", &t->from_ns }, { "to_ns", &t->to_ns },
	};

	const cJSON *of = !app->time.now && app->range_quality ? app->range_quality : app->machine->state;

	*t = (struct rs_quality){
		.unit = rs_wire_text_of(rs_client_details(app->machine->client), "unit"),
		.filters = rs_wire_text_of(rs_client_details(app->machine->client), "filters"),
	};
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		if (!rs_wire_u64_of(of, counts[i].name, 0, counts[i].to))
			*counts[i].to = 0;
	read_lost(t, by, of);
}

/* Kernel and clock, the line's first words, are in the header. */
void rs_quality_draw(struct rs_app *app, struct rs_canvas *c, int y)
{
	struct rs_buf text = RS_BUF_INIT;
	struct rs_quality quality;
	struct quality_draw_counts by;
	enum rs_style_id style_id = RS_STYLE_DIM;
	const char *from;

	if (!app->machine->state)
		return;
	read_quality(app, &quality, &by);
	rs_quality_line(&text, &quality);
	if (text.len)
		text.data[text.len - 1] = '\0';
	if ((quality.gaps || rs_quality_lost(&quality)) && !(app->time.now && rs_header_loss_has_left(app)))
		style_id = RS_STYLE_BAD;
	else if (quality.discarded || quality.evicted || quality.late || quality.bad_pages ||
		 quality.bad_records)
		style_id = RS_STYLE_WARN;
	from = strstr(text.data, "  ");
	rs_put_cut(c, y, 1, rs_canvas_area(c).width - 1, style_id, from ? from + 2 : text.data);
	rs_buf_done(&text);
}
