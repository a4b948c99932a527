// SPDX-License-Identifier: GPL-2.0-or-later
/* why-nodes.c - asks for the tree of a wait, and reads its rows */
#include "tui/table/why-nodes.h"

#include <string.h>

#include "tui/app/app.h"
#include "tui/app/grid.h"

static const struct rs_catalogue_view *why_nodes_view(const struct rs_why_nodes *n)
{
	return rs_catalogue_view_of(rs_client_catalogue(n->question.machine->client), RS_ROLE_WAIT_TREE);
}

bool rs_why_nodes_ask(struct rs_why_nodes *n, int64_t pid, int64_t tid, const struct rs_asked_time *time)
{
	const struct rs_catalogue_view *of = why_nodes_view(n);

	if (!of)
		return false;
	rs_question_ask(&n->question, "rows", &(struct rs_rows_request){
		.view = of->view.name, .limit = RS_WHY_NODES, .pid = tid ? 0 : (int32_t)pid,
		.tid = (int32_t)tid, .time = *time });
	return true;
}

static const char *why_nodes_text(const struct rs_grid *g, size_t row, const char *name)
{
	const struct rs_value *v = rs_grid_cell_named(g, row, name);

	return v->known && v->s ? v->s : "";
}

static uint64_t why_nodes_number(const struct rs_grid *g, size_t row, const char *name, uint64_t otherwise)
{
	const struct rs_value *v = rs_grid_cell_named(g, row, name);

	return v->known ? v->u : otherwise;
}

static struct rs_why_node why_nodes_row(const struct rs_grid *g, size_t row)
{
	return (struct rs_why_node){
		.kind = why_nodes_text(g, row, "kind"),
		.role = why_nodes_text(g, row, "role"),
		.comm = why_nodes_text(g, row, "comm"),
		.syscall = why_nodes_text(g, row, "syscall"),
		.part = why_nodes_text(g, row, "part"),
		.dev = why_nodes_text(g, row, "dev"),
		.disk = why_nodes_text(g, row, "disk"),
		.text = why_nodes_text(g, row, "text"),
		.depth = why_nodes_number(g, row, "depth", 0),
		.ns = why_nodes_number(g, row, "took_ns", 0),
		.instance = why_nodes_number(g, row, "instance", 0),
		.pid = (int64_t)why_nodes_number(g, row, "pid", 0),
		.tid = (int64_t)why_nodes_number(g, row, "tid", 0),
		.socket = why_nodes_text(g, row, "socket"),
		.connection = why_nodes_number(g, row, "connection", 0),
		.cpu = (int64_t)why_nodes_number(g, row, "cpu", UINT64_MAX),
		.from_ns = why_nodes_number(g, row, "at_ns", 0),
		.to_ns = why_nodes_number(g, row, "to_ns", 0),
		.on_path = why_nodes_number(g, row, "on_path", 0),
	};
}

/* Returns the node around; NULL: none. */
static const struct rs_why_node *why_nodes_around(const struct rs_why_nodes *n, size_t i)
{
	for (size_t around = i; around--;)
		if (n->at[around].depth < n->at[i].depth)
			return &n->at[around];
	return NULL;
}

/* A node begins where the one before it in the same node ends. */
static void why_nodes_place(struct rs_why_nodes *n)
{
	for (size_t i = 0; i < n->nr; i++) {
		struct rs_why_node *node = &n->at[i];
		const struct rs_why_node *around = why_nodes_around(n, i);

		node->before_ns = around ? around->before_ns : 0;
		for (size_t before = i; before-- && n->at[before].depth >= node->depth;)
			if (n->at[before].depth == node->depth) {
				node->before_ns = n->at[before].before_ns + n->at[before].ns;
				break;
			}
	}
}

void rs_why_nodes_read(struct rs_why_nodes *n)
{
	struct rs_grid g;

	n->nr = 0;
	if (!n->question.answer)
		return;
	rs_grid_init(&g, &why_nodes_view(n)->view);
	if (rs_grid_read(&g, n->question.answer))
		while (n->nr < g.nr && n->nr < RS_WHY_NODES) {
			n->at[n->nr] = why_nodes_row(&g, n->nr);
			n->nr++;
		}
	rs_grid_done(&g);
	why_nodes_place(n);
}

void rs_why_nodes_done(struct rs_why_nodes *n)
{
	if (n->question.machine)
		rs_question_done(&n->question);
	n->nr = 0;
}
