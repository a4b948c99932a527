// SPDX-License-Identifier: GPL-2.0-or-later
/* wait-tree - where all of a wait's time went: parts, culprits, and the tasks that it waited for with theirs
 */
#include "ringside/culprit.h"
#include "ringside/plugin.h"
#include "ringside/socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "engine/short-cmdline.h"
#include "why/chain-level.h"
#include "why/far-turns.h"
#include "why/works.h"

#define WAIT_TREE_LEAST 50u   /* what is less than a 50th of the whole is not a node of its own */
#define WAIT_TREE_CHILDREN 6u

struct wait_tree_build {
	struct rs_ctx *c;
	struct rs_wait_tree *tree;
	uint64_t least_ns;
	bool failed;
};

/* A part of a level, or the waker of that number. */
struct wait_tree_child {
	uint64_t ns;
	bool is_waker;
	unsigned int at;
};

#define WAIT_TREE_MOST (RS_NR_PARTS + RS_CHAIN_LEVEL_WAKERS)

/* The rest of a node, of so many that are small, is added as one. */
struct wait_tree_rest {
	uint64_t ns;
	uint32_t nr;
};

static bool wait_tree_fill(struct wait_tree_build *b, struct rs_chain_level *level, struct rs_wait_node of);

static bool wait_tree_put(struct wait_tree_build *b, const struct rs_wait_node *node)
{
	/* the last places are for what remains of each node around */
	if (b->tree->nr + (node->kind != RS_WAIT_NODE_OTHERS ? node->depth + 1 : 0) >= RS_MAX_WAIT_NODES)
		return false;
	b->tree->at[b->tree->nr++] = *node;
	return true;
}

static void wait_tree_take(struct wait_tree_rest *rest, uint64_t ns)
{
	rest->ns -= ns < rest->ns ? ns : rest->ns;
}

static void wait_tree_put_rest(struct wait_tree_build *b, const struct rs_wait_node *of,
			       const struct wait_tree_rest *rest)
{
	if (rest->ns)
		wait_tree_put(b, &(struct rs_wait_node){ .kind = RS_WAIT_NODE_OTHERS, .depth = of->depth + 1,
							 .part = RS_PART_UNKNOWN, .ns = rest->ns,
							 .nr = rest->nr, .call = -1 });
}

static bool wait_tree_is_small(const struct wait_tree_build *b, uint64_t ns, unsigned int nr)
{
	return ns < b->least_ns || nr >= WAIT_TREE_CHILDREN;
}

/* ---- parts, and who had what was waited for ---- */

static int wait_tree_compare_culprits(const void *a, const void *b)
{
	const struct rs_culprit *const *x = a, *const *y = b;

	return (*x)->ns < (*y)->ns ? 1 : -((*x)->ns > (*y)->ns);
}

static unsigned int wait_tree_culprits(const struct rs_chain_level *level, enum rs_time_part part,
				       const struct rs_culprit *out[RS_MAX_CULPRITS])
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < level->parts.nr; i++)
		if (level->parts.at[i].part == part)
			out[nr++] = &level->parts.at[i];
	qsort(out, nr, sizeof *out, wait_tree_compare_culprits);
	return nr;
}

/* Of what is its own, or is taken by no task, the part says all. */
static bool wait_tree_names_culprit(const struct rs_culprit *k)
{
	return k->kind == RS_CULPRIT_TASK || k->kind == RS_CULPRIT_IRQ || k->kind == RS_CULPRIT_OTHERS;
}

static void wait_tree_set_piece(struct rs_wait_node *node, const struct rs_culprit *k)
{
	node->dev = k->dev;
	node->socket = k->socket;
	node->cpu_1 = k->cpu_1;
	if (!k->piece_ns)
		return;
	node->from_ns = k->at_ns;
	node->to_ns = k->at_ns + k->piece_ns;
}

static bool wait_tree_put_culprit(struct wait_tree_build *b, const struct rs_wait_node *of,
				  const struct rs_culprit *k, bool is_first)
{
	struct rs_wait_node node = { .kind = RS_WAIT_NODE_CULPRIT, .depth = of->depth + 1, .part = k->part,
				     .ns = k->ns, .call = -1, .on_path = of->on_path && is_first,
				     .pid = k->pid, .tid = k->tid };
	char buf[sizeof node.name];

	snprintf(node.name, sizeof node.name, "%s", rs_culprit_text(b->c, k, buf, sizeof buf));
	wait_tree_set_piece(&node, k);
	return wait_tree_put(b, &node);
}

static bool wait_tree_put_part(struct wait_tree_build *b, const struct rs_chain_level *level,
			       struct rs_wait_node part)
{
	const struct rs_culprit *culprits[RS_MAX_CULPRITS];
	unsigned int nr = wait_tree_culprits(level, part.part, culprits), nr_put = 0;
	struct wait_tree_rest rest = { .ns = part.ns };

	wait_tree_set_piece(&part, culprits[0]);
	if (!wait_tree_put(b, &part))
		return false;
	if (nr == 1 && !wait_tree_names_culprit(culprits[0]))
		return true;
	for (unsigned int i = 0; i < nr; i++)
		if (!wait_tree_is_small(b, culprits[i]->ns, nr_put) &&
		    wait_tree_put_culprit(b, &part, culprits[i], !i)) {
			wait_tree_take(&rest, culprits[i]->ns);
			nr_put++;
		} else {
			rest.nr++;
		}
	wait_tree_put_rest(b, &part, &rest);
	return true;
}

/* ---- tasks that were waited for ---- */

static bool wait_tree_put_waker(struct wait_tree_build *b, const struct rs_chain_level *from,
				const struct rs_chain_waker *waker, struct rs_wait_node node)
{
	struct rs_chain_level *level = malloc(sizeof *level);
	const struct rs_chain_wait *slowest;
	const struct rs_work *work;
	struct rs_chain_waker next = *waker;
	bool was_put;

	if (!level) {
		b->failed = true;
		return false;
	}
	memcpy(level, from, sizeof *level);
	slowest = rs_chain_level_keep(level, waker);
	if (slowest) {
		node.part = rs_chain_level_part(level, slowest);
		node.from_ns = slowest->from_ns;
		node.to_ns = slowest->to_ns;
		if (node.part == RS_PART_LOCK || node.part == RS_PART_FUTEX)
			node.lock_addr = slowest->seg->what;
		node.socket = rs_segment_socket(slowest->seg);
		next.name = slowest->seg->waker;
		work = rs_works_of_wait(level->c, slowest->seg);
		node.function = work ? work->function : 0;
	}
	node.nr = next.nr;
	rs_chain_level_next(level, &next);
	was_put = wait_tree_fill(b, level, node);
	free(level);
	return was_put;
}

static int wait_tree_compare_children(const void *a, const void *b)
{
	const struct wait_tree_child *x = a, *y = b;

	return x->ns < y->ns ? 1 : -(x->ns > y->ns);
}

static unsigned int wait_tree_children(const struct rs_chain_level *level,
				       struct wait_tree_child out[WAIT_TREE_MOST])
{
	uint64_t ns[RS_NR_PARTS] = { 0 };
	unsigned int nr = 0;

	for (unsigned int i = 0; i < level->parts.nr; i++)
		ns[level->parts.at[i].part] += level->parts.at[i].ns;
	for (unsigned int part = 0; part < RS_NR_PARTS; part++)
		if (ns[part])
			out[nr++] = (struct wait_tree_child){ ns[part], false, part };
	for (unsigned int i = 0; i < level->nr_wakers; i++)
		out[nr++] = (struct wait_tree_child){ level->wakers[i].ns, true, i };
	qsort(out, nr, sizeof *out, wait_tree_compare_children);
	return nr;
}

static bool wait_tree_put_child(struct wait_tree_build *b, const struct rs_chain_level *level,
				const struct rs_wait_node *of, const struct wait_tree_child *child,
				bool is_first)
{
	struct rs_wait_node node = { .depth = of->depth + 1, .ns = child->ns, .call = -1,
				     .on_path = of->on_path && is_first };

	if (child->is_waker && of->depth + 1 < RS_MAX_LINKS) {
		node.kind = RS_WAIT_NODE_TASK;
		return wait_tree_put_waker(b, level, &level->wakers[child->at], node);
	}
	if (child->is_waker)
		return false;
	node.kind = RS_WAIT_NODE_PART;
	node.part = (enum rs_time_part)child->at;
	return wait_tree_put_part(b, level, node);
}

static void wait_tree_name(struct rs_wait_node *node, const struct rs_task_name *n)
{
	node->pid = rs_task_name_pid(n);
	node->tid = n->tid;
	node->inst = n->inst;
	snprintf(node->name, sizeof node->name, "%s", rs_chain_level_comm(n));
}

/* In which call it was longest: of the whole, the caller says it. */
static int64_t wait_tree_call(const struct rs_chain_level *level)
{
	const struct rs_chain_wait *slowest = NULL;

	for (unsigned int i = 0; i < level->nr_waits; i++)
		if (!slowest || level->waits[i].to_ns - level->waits[i].from_ns >
					slowest->to_ns - slowest->from_ns)
			slowest = &level->waits[i];
	return slowest ? rs_segment_call(slowest->seg) : -1;
}

/* Adds the node of the level's task, and what is below it. */
static bool wait_tree_fill(struct wait_tree_build *b, struct rs_chain_level *level, struct rs_wait_node of)
{
	struct wait_tree_child children[WAIT_TREE_MOST];
	unsigned int nr = wait_tree_children(level, children), nr_put = 0;
	struct wait_tree_rest rest = { .ns = of.ns };

	wait_tree_name(&of, level->name);
	if (of.call < 0)
		of.call = wait_tree_call(level);
	if (!wait_tree_put(b, &of))
		return false;
	for (unsigned int i = 0; i < nr; i++)
		if (!wait_tree_is_small(b, children[i].ns, nr_put) &&
		    wait_tree_put_child(b, level, &of, &children[i], !i)) {
			wait_tree_take(&rest, children[i].ns);
			nr_put++;
		} else {
			rest.nr++;
		}
	wait_tree_put_rest(b, &of, &rest);
	return true;
}

bool rs_wait_tree_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		       int64_t call, struct rs_wait_tree *tree)
{
	struct wait_tree_build b = { .c = c, .tree = tree, .least_ns = (to_ns - from_ns) / WAIT_TREE_LEAST };
	struct rs_chain_level *level = malloc(sizeof *level);

	tree->nr = 0;
	if (!level)
		return false;
	if (rs_chain_level_begin(level, c, t, from_ns, to_ns))
		wait_tree_fill(&b, level,
			       (struct rs_wait_node){ .kind = RS_WAIT_NODE_TASK, .on_path = true,
						      .part = RS_PART_UNKNOWN, .ns = to_ns - from_ns, .nr = 1,
						      .from_ns = from_ns, .to_ns = to_ns, .call = call });
	free(level);
	return !b.failed;
}

/* ---- as words ---- */

const char *rs_wait_node_role(const struct rs_wait_node *n)
{
	if (n->kind == RS_WAIT_NODE_CULPRIT)
		return n->part == RS_PART_QUEUE ? "takes" : n->dev ? "device" : NULL;
	if (n->kind == RS_WAIT_NODE_PART)
		return n->dev ? "device" : NULL;
	if (n->kind != RS_WAIT_NODE_TASK)
		return NULL;
	if (!n->depth)
		return "victim";
	switch (n->part) {
	case RS_PART_LOCK:
	case RS_PART_FUTEX:
		return "holder";
	case RS_PART_CHILD:
		return "child";
	case RS_PART_KERNEL:
	case RS_PART_WORK:
		return "worker";
	default:
		return "peer";
	}
}

/* "trader (383)"; of a first thread whose process shares its name with others "python3 server.py (383)". */
static void wait_node_put_task(struct rs_ctx *c, const struct rs_wait_node *n, struct rs_buf *out)
{
	const char *comm = n->tid && n->tid == n->pid ? rs_api_process_comm(c, n->pid) : NULL;
	char buf[RS_SHORT_ARGS_BYTES];
	const char *title = comm && !strcmp(comm, n->name) ?
				    rs_short_cmdline(c, n->pid, comm, buf, sizeof buf) :
				    NULL;

	rs_buf_puts(out, title ? title : n->name);
	if (n->tid)
		rs_buf_printf(out, " (%d)", n->tid);
}

/* "socket, postgres (812) on guest, which has the turn for 50.123 ms: disk: in device 49.870 ms" */
static void wait_node_put_far(struct rs_ctx *c, const struct rs_wait_node *n, const struct rs_far_task *far,
			      struct rs_buf *out)
{
	char peer[RS_FAR_TASK_TEXT_BYTES];
	struct rs_far_share share;

	rs_buf_printf(out, ", %s", rs_far_task_text(far, peer));
	if (!rs_far_turns_find(c, n->socket, n->from_ns, n->to_ns, &share))
		return;
	rs_buf_printf(out, ", which has the turn for %.3f ms", (double)share.ns / 1e6);
	if (share.turn->part != RS_PART_UNKNOWN)
		rs_buf_printf(out, ": %s %.3f ms", rs_part_row(share.turn->part)->name,
			      (double)share.turn->part_ns / 1e6);
}

/* Below "trader (383): futex" is "  audit-log (384), holder". */
static void wait_node_put_text(struct rs_ctx *c, const struct rs_wait_node *n, struct rs_buf *out)
{
	const char *call = n->call >= 0 ? rs_syscall_name(c, n->call) : NULL;
	const char *dev = n->dev ? rs_disk_name(c, n->dev) : NULL;
	const char *function = n->function ? rs_function(c, n->function) : NULL;
	const struct rs_far_task *far = n->socket ? rs_socket_far_task_of_name(c, n->socket) : NULL;

	for (unsigned int i = 0; i < n->depth; i++)
		rs_buf_puts(out, "  ");
	switch (n->kind) {
	case RS_WAIT_NODE_TASK:
		wait_node_put_task(c, n, out);
		if (n->depth)
			rs_buf_printf(out, ", %s", rs_wait_node_role(n));
		if (call || function)
			rs_buf_printf(out, ": %s", call ? call : function);
		return;
	case RS_WAIT_NODE_PART:
		rs_buf_puts(out, n->part == RS_PART_RUN ? "on a CPU" : rs_part_row(n->part)->name);
		if (dev)
			rs_buf_printf(out, " %s", dev);
		if (far)
			wait_node_put_far(c, n, far, out);
		return;
	case RS_WAIT_NODE_CULPRIT:
		wait_node_put_task(c, n, out);
		return;
	default:
		rs_buf_printf(out, "%u other%s", n->nr, n->nr == 1 ? "" : "s");
	}
}

void rs_wait_node_text(struct rs_ctx *c, const struct rs_wait_node *n, char *buf, size_t size_bytes)
{
	struct rs_buf out = RS_BUF_INIT;

	wait_node_put_text(c, n, &out);
	snprintf(buf, size_bytes, "%.*s", (int)out.len, out.data ? out.data : "");
	rs_buf_done(&out);
}
