// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * path.c - a critical path: what a call or a wait waited for, link by link, as links that can be selected
 */
#include "tui/table/path.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/grid.h"

static const struct rs_catalogue_view *path_view(const struct rs_path *p)
{
	return rs_catalogue_view_of(rs_client_catalogue(p->question.machine->client), RS_ROLE_PATH);
}

bool rs_path_ask(struct rs_path *p, int64_t pid, int64_t tid, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_catalogue_view *of = path_view(p);

	if (!of)
		return false;
	rs_question_ask(&p->question, "rows", &(struct rs_rows_request){
		.view = of->view.name, .limit = RS_PATH_LINKS, .pid = (int32_t)pid, .tid = (int32_t)tid,
		.time = { rs_u(from_ns), rs_u(to_ns) } });
	return true;
}

static const char *path_text(const struct rs_grid *g, size_t row, const char *name)
{
	const struct rs_value *v = rs_grid_cell_named(g, row, name);

	return v->known && v->s ? v->s : "";
}

static uint64_t path_number(const struct rs_grid *g, size_t row, const char *name)
{
	const struct rs_value *v = rs_grid_cell_named(g, row, name);

	return v->known ? v->u : 0;
}

static struct rs_path_link path_link(const struct rs_grid *g, size_t row)
{
	return (struct rs_path_link){
		path_text(g, row, "comm"),           path_text(g, row, "syscall"),
		path_text(g, row, "part"),           path_text(g, row, "dev"),
		path_text(g, row, "culprit"),        path_text(g, row, "text"),
		(int64_t)path_number(g, row, "pid"), (int64_t)path_number(g, row, "tid"),
		path_number(g, row, "instance"),     path_number(g, row, "at_ns"),
		path_number(g, row, "to_ns"),        path_number(g, row, "took_ns"),
		path_number(g, row, "part_ns"),
	};
}

void rs_path_read(struct rs_path *p)
{
	struct rs_grid g;

	p->nr = 0;
	if (!p->question.answer)
		return;
	rs_grid_init(&g, &path_view(p)->view);
	if (rs_grid_read(&g, p->question.answer))
		while (p->nr < g.nr && p->nr < RS_PATH_LINKS) {
			p->links[p->nr] = path_link(&g, p->nr);
			p->nr++;
		}
	rs_grid_done(&g);
}

unsigned int rs_path_same_until(const struct rs_path *p, unsigned int from)
{
	unsigned int to = from + 1;

	while (to < p->nr && p->links[from].pid && p->links[to].pid == p->links[from].pid &&
	       !strcmp(p->links[to].comm, p->links[from].comm))
		to++;
	return to;
}

void rs_path_put_name(const struct rs_path *p, unsigned int from, char *text, size_t size)
{
	unsigned int nr = rs_path_same_until(p, from) - from;

	if (nr > 1)
		snprintf(text, size, "%.16s x%u", p->links[from].comm, nr);
	else
		snprintf(text, size, "%.16s", p->links[from].comm);
}

void rs_path_done(struct rs_path *p)
{
	if (p->question.machine)
		rs_question_done(&p->question);
	p->nr = 0;
}
