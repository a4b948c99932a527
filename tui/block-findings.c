// SPDX-License-Identifier: GPL-2.0-or-later
/* block-findings.c - what the analyses judge, a sentence each, the weightiest first; Enter shows where it is from */
#include <stdio.h>
#include <stdlib.h>

#include "base/copy.h"
#include "daemon/wire.h"
#include "tui/app.h"
#include "tui/block.h"

#define ROWS 8
#define HEAVY 500         /* of 1000: half of the time that there is */

struct finding {
	uint64_t weight;
	char text[200], view[32], where[256];
};

struct findings {
	struct rs_block block;  /* first */
	struct finding rows[ROWS];
	size_t nr;
};

static void got(void *arg, const cJSON *reply)
{
	struct findings *f = arg;
	const cJSON *json;

	f->nr = 0;
	if (!rs_block_answered(&f->block, reply))
		return;
	cJSON_ArrayForEach(json, cJSON_GetObjectItemCaseSensitive(reply, "findings")) {
		struct finding *row = &f->rows[f->nr];

		if (f->nr == ROWS || !rs_wire_text_of(json, "text") || !rs_wire_u64_of(json, "weight", 0, &row->weight))
			continue;
		rs_copy(row->text, sizeof row->text, rs_wire_text_of(json, "text"));
		rs_copy(row->view, sizeof row->view, rs_wire_text_of(json, "view"));
		rs_copy(row->where, sizeof row->where, rs_wire_text_of(json, "where"));
		f->nr++;
	}
}

static void ask(struct rs_block *b)
{
	rs_app_put_time(b->app, rs_client_begin(rs_app_client(b->app), "findings"));
	rs_block_send(b, got);
}

static size_t nr_rows(struct rs_block *b)
{
	return ((struct findings *)b)->nr;
}

static void draw(struct rs_block *b, struct rs_canvas *c, struct rs_area area, long selected)
{
	struct findings *f = (struct findings *)b;

	for (int y = 0; y < area.height && (size_t)y < f->nr; y++) {
		struct rs_area line = { area.y + y, area.x, 1, area.width };
		bool heavy = f->rows[y].weight >= HEAVY;

		rs_putf(c, line.y, line.x, line.width, heavy ? RS_LOOK_WARN : RS_LOOK_TEXT, "%c %s", heavy ? '!' : '-',
			f->rows[y].text);
		if (y == selected)
			rs_put_look(c, line, RS_LOOK_SELECTED);
	}
}

static struct rs_screen *open(struct rs_block *b, size_t row)
{
	struct findings *f = (struct findings *)b;
	const struct rs_catalogue_view *view = NULL;

	if (row < f->nr)
		view = rs_catalogue_view(rs_client_catalogue(rs_app_client(b->app)), f->rows[row].view);
	if (!view)
		return NULL;
	return rs_table_new(b->app, view, NULL, f->rows[row].where[0] ? f->rows[row].where : NULL);
}

static const struct rs_block_ops ops = {
	.ask = ask, .nr_rows = nr_rows, .draw = draw, .open = open,
};

struct rs_block *rs_block_findings_new(struct rs_app *app)
{
	struct findings *f = calloc(1, sizeof *f);

	if (!f)
		return NULL;
	f->block = (struct rs_block){ .ops = &ops, .app = app, .title = "Verdict", .place = 0, .left = true, .least = 1, .most = 4 };
	return &f->block;
}
