/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html-trees.h - where the time of slow waits went: the trees of those that a finding may show
 *
 * Findings come at the end, when the history has forgotten most waits. A finding shows the longest of the
 * waits that have one cause and one culprit, of those that the engine has divided; so the tree of each wait
 * is found that is the longest of its kind up to then, and replaces that of the one before.
 */
#ifndef RS_EXPORT_HTML_HTML_TREES_H
#define RS_EXPORT_HTML_HTML_TREES_H

#include "base/buf.h"
#include "base/map.h"
#include "ringside/plugin.h"

struct rs_html_tree {
	struct rs_map_node node;
	struct rs_wait_instance wait;
	char *rows;             /* of a table, HTML; NULL: the tree says nothing */
};

/* All zeros but for the map. */
struct rs_html_trees {
	struct rs_html_tree *at;
	unsigned int nr;
	struct rs_map map;
};

/* false: no memory */
bool rs_html_trees_init(struct rs_html_trees *t);
void rs_html_trees_done(struct rs_html_trees *t);
/* The wait ends now. kind: a hash of all that it has in common with others; call: that it was in, or -1. */
void rs_html_trees_add(struct rs_html_trees *t, struct rs_ctx *c, const struct rs_interval *iv, int64_t call,
		       uint64_t kind, uint64_t begin_ns);
/*
 * Returns the tree of the wait, else of the longest one of its thread and kind, a hash as above. NULL:
 * unknown.
 */
const struct rs_html_tree *rs_html_trees_find(const struct rs_html_trees *t,
					      const struct rs_wait_instance *wait, uint64_t kind);

#endif
