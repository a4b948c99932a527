// SPDX-License-Identifier: GPL-2.0-or-later
/* html-trees - trees of waits as rows: how long, when, a bar to scale, and what it was, indented by depth */
#include "export/html/html-trees.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/escape.h"
#include "base/units.h"
#include "ringside/culprit.h"

#define TREES_MAX 2048u
#define TREES_LEAST_NS 200000u /* what took less is hardly shown, and there are many */

bool rs_html_trees_init(struct rs_html_trees *t)
{
	t->at = calloc(TREES_MAX, sizeof *t->at);
	return rs_map_init(&t->map, 256) && t->at;
}

void rs_html_trees_done(struct rs_html_trees *t)
{
	for (unsigned int i = 0; i < t->nr; i++)
		free(t->at[i].rows);
	free(t->at);
	rs_map_done(&t->map);
	*t = (struct rs_html_trees){ 0 };
}

/* ---- rows ---- */

/* tid: whose track shows it; 0: none does. */
static void html_trees_put_when(const struct rs_wait_node *n, int32_t tid, uint64_t begin_ns,
				struct rs_buf *out)
{
	char number[RS_UNIT_TEXT];

	rs_buf_puts(out, "<td class=\"n\">");
	if (n->to_ns <= begin_ns) {
		rs_buf_puts(out, "-</td>");
		return;
	}
	rs_buf_printf(out,
		      "<a class=\"instance\" href=\"#timeline-of-all\" data-tid=\"%" PRId32
		      "\" data-from=\"%" PRIu64 "\" data-to=\"%" PRIu64 "\">",
		      tid, n->from_ns > begin_ns ? n->from_ns - begin_ns : 0, n->to_ns - begin_ns);
	rs_buf_add(out, number, rs_units_put_seconds_since(number, n->from_ns, begin_ns));
	rs_buf_puts(out, "</a></td>");
}

static void html_trees_put_row(struct rs_ctx *c, const struct rs_wait_node *n, int32_t tid,
			       uint64_t whole_ns, uint64_t begin_ns, struct rs_buf *out)
{
	char number[RS_UNIT_TEXT], text[160];

	rs_buf_puts(out, "<tr><td class=\"n\">");
	rs_buf_add(out, number, rs_units_put_duration(number, n->ns, RS_UNIT_AUTO, -1));
	rs_buf_puts(out, "</td>");
	html_trees_put_when(n, tid, begin_ns, out);
	rs_buf_printf(out, "<td class=\"scale\"><i style=\"width:%.1f%%\"></i></td><td>%s",
		      whole_ns ? 100.0 * (double)n->ns / (double)whole_ns : 0, n->on_path ? "<b>" : "");
	rs_wait_node_text(c, n, text, sizeof text);
	rs_escape_xml(out, text);
	rs_buf_printf(out, "%s</td></tr>\n", n->on_path ? "</b>" : "");
}

/* Of a part the task above it, whose time it was. */
static int32_t html_trees_tid(const struct rs_wait_tree *tree, unsigned int i)
{
	unsigned int depth = tree->at[i].depth;

	if (tree->at[i].kind != RS_WAIT_NODE_PART)
		return tree->at[i].tid;
	while (i && !(tree->at[i].kind == RS_WAIT_NODE_TASK && tree->at[i].depth < depth))
		i--;
	return tree->at[i].tid;
}

/* A tree of one node says nothing. */
static char *html_trees_rows(struct rs_ctx *c, const struct rs_wait_tree *tree, uint64_t begin_ns)
{
	struct rs_buf out = RS_BUF_INIT;
	char *rows = NULL;

	for (unsigned int i = 0; tree->nr > 1 && i < tree->nr; i++)
		html_trees_put_row(c, &tree->at[i], html_trees_tid(tree, i), tree->at[0].ns, begin_ns, &out);
	if (out.len && !out.failed)
		rows = strdup(out.data);
	rs_buf_done(&out);
	return rows;
}

/* ---- the longest of each kind ---- */

static uint64_t html_trees_hash(uint64_t kind, int32_t tid)
{
	return rs_hash_pair(kind, (uint32_t)tid);
}

/* Returns that of the same task and kind, or a new one; NULL: there are too many. */
static struct rs_html_tree *html_trees_entry(struct rs_html_trees *t, uint64_t hash)
{
	struct rs_html_tree *tree = RS_MAP_ENTRY(rs_map_find(&t->map, hash), struct rs_html_tree, node);

	if (tree || t->nr == TREES_MAX)
		return tree;
	tree = &t->at[t->nr++];
	rs_map_add(&t->map, &tree->node, hash);
	return tree;
}

void rs_html_trees_add(struct rs_html_trees *t, struct rs_ctx *c, const struct rs_interval *iv, int64_t call,
		       uint64_t kind, uint64_t begin_ns)
{
	uint64_t len_ns = iv->to_ns - iv->from_ns;
	struct rs_html_tree *tree;
	struct rs_wait_tree found;

	if (len_ns < TREES_LEAST_NS)
		return;
	tree = html_trees_entry(t, html_trees_hash(kind, iv->task->tid));
	if (!tree || len_ns <= tree->wait.to_ns - tree->wait.from_ns ||
	    !rs_wait_tree_find(c, iv->task, iv->from_ns, iv->to_ns, call, &found))
		return;
	tree->wait = (struct rs_wait_instance){ iv->task->tid, iv->from_ns, iv->to_ns };
	free(tree->rows);
	tree->rows = html_trees_rows(c, &found, begin_ns);
}

const struct rs_html_tree *rs_html_trees_find(const struct rs_html_trees *t,
					      const struct rs_wait_instance *wait, uint64_t kind)
{
	for (unsigned int i = 0; i < t->nr; i++)
		if (t->at[i].wait.tid == wait->tid && t->at[i].wait.from_ns == wait->from_ns &&
		    t->at[i].wait.to_ns == wait->to_ns)
			return &t->at[i];
	return RS_MAP_ENTRY(rs_map_find(&t->map, html_trees_hash(kind, wait->tid)), struct rs_html_tree,
			    node);
}
