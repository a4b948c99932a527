// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * frame-tree.c - a table of stacks by names (named-stacks.h), with weights beside it
 *
 * A caller has a smaller number than what it called, so sums and depths need one pass.
 */
#include "model/frame-tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "ringside/event.h"

#define FRAME_TREE_MAX_NODES (1u << 18)

struct rs_frame_tree {
	struct rs_named_stacks *stacks;
	struct rs_named_copy copy;
	struct rs_frame_node *nodes;
	size_t nr, room;
	uint32_t *children;            /* of all nodes, one after the other */
	size_t children_room;
	bool failed;
};

/* ---- frames ---- */

static struct rs_frame_node *frame_tree_grow(struct rs_frame_tree *t, uint32_t id)
{
	while (t->nr <= id) {
		struct rs_frame_node *n = RS_VECTOR_ADD(&t->nodes, &t->nr, &t->room);

		if (!n) {
			t->failed = true;
			return NULL;
		}
		*n = (struct rs_frame_node){ .last = (uint32_t)t->nr - 1,
					     .function = rs_named_stacks_text_of(t->stacks, 0),
					     .module = rs_named_stacks_text_of(t->stacks, 0),
					     .cause = rs_named_stacks_text_of(t->stacks, 0) };
	}
	return &t->nodes[id];
}

/* As the table of stacks has it, without any folding. */
static void frame_tree_read(const struct rs_frame_tree *t, uint32_t id, struct rs_frame_node *n)
{
	n->caller = rs_named_stacks_caller(t->stacks, id);
	n->function = rs_named_stacks_function(t->stacks, id);
	n->module = rs_named_stacks_module(t->stacks, id);
	n->depth = t->nodes[n->caller].depth + 1;
	n->last = id;
}

static void frame_tree_name(struct rs_frame_tree *t, uint32_t id)
{
	struct rs_frame_node *n = frame_tree_grow(t, id);
	uint32_t caller = rs_named_stacks_caller(t->stacks, id);

	if (!n)
		return;
	frame_tree_read(t, id, n);
	n->identity = rs_hash_u64(rs_hash_bytes(n->function, strlen(n->function)) ^
				  rs_hash_u64(t->nodes[caller].identity) ^
				  rs_hash_bytes(n->module, strlen(n->module)) << 1);
}

/* Returns the node of a stack that may be new, as its callers. */
static uint32_t frame_tree_node_of(struct rs_frame_tree *t, uint32_t id)
{
	while (t->nr <= id && !t->failed)
		frame_tree_name(t, (uint32_t)t->nr);
	return id < t->nr ? id : RS_FRAME_OTHERS;
}

static uint32_t frame_tree_text(struct rs_frame_tree *t, const char *text, size_t len)
{
	return rs_named_stacks_text(t->stacks, text, len);
}

static uint32_t frame_tree_add(struct rs_frame_tree *t, uint32_t caller, uint32_t function, uint32_t module)
{
	return frame_tree_node_of(t, rs_named_stacks_add_numbers(t->stacks, caller, function, module));
}

uint32_t rs_frame_tree_add_frame(struct rs_frame_tree *t, uint32_t caller, const char *function,
				 const char *module)
{
	return frame_tree_add(t, caller, frame_tree_text(t, function, strlen(function)),
			      frame_tree_text(t, module, strlen(module)));
}

void rs_frame_tree_weigh(struct rs_frame_tree *t, uint32_t node, enum rs_frame_side side, uint64_t weight,
			 const char *cause)
{
	uint32_t text = cause && *cause ? frame_tree_text(t, cause, strlen(cause)) : 0;
	struct rs_frame_node *n = &t->nodes[node < t->nr ? node : RS_FRAME_OTHERS];

	n->self[side] += weight;
	if (text && (!*n->cause || weight > n->cause_weight)) {
		n->cause = rs_named_stacks_text_of(t->stacks, text);
		n->cause_weight = weight;
	}
}

/* Returns the next part of a list, its length in *len; *rest: behind it. */
static const char *frame_tree_part(const char **rest, size_t *len)
{
	const char *part = *rest;

	*len = strcspn(part, ";");
	*rest += *len + (part[*len] == ';');
	return part;
}

static uint32_t frame_tree_add_text(struct rs_frame_tree *t, uint32_t node, const struct rs_frame_stack *s)
{
	const char *functions = s->text, *modules = s->modules ? s->modules : "";

	while (*functions) {
		size_t len, module_len;
		const char *function = frame_tree_part(&functions, &len),
			   *module = frame_tree_part(&modules, &module_len);

		node = frame_tree_add(t, node, frame_tree_text(t, function, len),
				      frame_tree_text(t, module, module_len));
	}
	return node;
}

void rs_frame_tree_add_stack(struct rs_frame_tree *t, const struct rs_frame_stack *s)
{
	uint32_t node = s->outer ? rs_frame_tree_add_frame(t, RS_FRAME_ROOT, s->outer, "") : RS_FRAME_ROOT;

	if (s->stack)
		node = frame_tree_node_of(t, rs_named_stacks_copy(t->stacks, &t->copy, s->stacks, node,
								  s->stack));
	else
		node = frame_tree_add_text(t, node, s);
	rs_frame_tree_weigh(t, node, s->side, s->weight, s->cause);
}

/* ---- the whole ---- */

void rs_frame_tree_clear_side(struct rs_frame_tree *t, enum rs_frame_side side)
{
	for (size_t i = 0; i < t->nr; i++)
		t->nodes[i].self[side] = 0;
}

void rs_frame_tree_move_before(struct rs_frame_tree *t)
{
	for (size_t i = 0; i < t->nr; i++)
		t->nodes[i].self[RS_FRAME_BEFORE] = t->nodes[i].self[RS_FRAME_SHOWN];
	rs_frame_tree_clear_side(t, RS_FRAME_SHOWN);
}

/* A caller gets the sums of what it called, and the cause of the heaviest. */
static void frame_tree_sum(struct rs_frame_tree *t)
{
	for (size_t i = 0; i < t->nr; i++)
		memcpy(t->nodes[i].total, t->nodes[i].self, sizeof t->nodes[i].total);
	for (size_t i = t->nr; --i > RS_FRAME_ROOT;) {
		struct rs_frame_node *n = &t->nodes[i],
				     *caller = &t->nodes[rs_named_stacks_caller(t->stacks, (uint32_t)i)];

		for (int side = 0; side < RS_FRAME_SIDES; side++)
			caller->total[side] += n->total[side];
		if (*n->cause && (!*caller->cause || n->total[RS_FRAME_SHOWN] > caller->cause_weight)) {
			caller->cause = n->cause;
			caller->cause_weight = n->total[RS_FRAME_SHOWN];
		}
	}
}

static double frame_share(const struct rs_frame_tree *t, const struct rs_frame_node *n,
			  enum rs_frame_side side)
{
	uint64_t all = t->nodes[RS_FRAME_ROOT].total[side];

	return all ? (double)n->total[side] / (double)all : 0;
}

static void frame_tree_size(struct rs_frame_tree *t)
{
	const uint64_t *all = t->nodes[RS_FRAME_ROOT].total;
	int nr_sides = !!all[RS_FRAME_SHOWN] + !!all[RS_FRAME_BEFORE];

	for (size_t i = 0; i < t->nr; i++)
		t->nodes[i].size = nr_sides ? (frame_share(t, &t->nodes[i], RS_FRAME_SHOWN) +
					       frame_share(t, &t->nodes[i], RS_FRAME_BEFORE)) /
						      nr_sides :
					      0;
}

/* ---- frames without a name ---- */

static bool frame_is_unknown(const struct rs_frame_node *n)
{
	return !strncmp(n->function, "[unknown]", strlen("[unknown]"));
}

/* Has it no weight of its own, and calls no other? */
static bool frame_only_calls(const struct rs_frame_node *n, const struct rs_frame_node *called)
{
	return !memcmp(n->total, called->total, sizeof n->total);
}

/* "[unknown] x14"; of a known module with the address of the outermost: "[unknown] app+0x17c3 x2". */
static void frame_tree_name_fold(struct rs_frame_tree *t, struct rs_frame_node *n, unsigned int nr)
{
	bool has_module = *n->module && strcmp(n->module, "[unknown]") != 0;
	char name[160];
	int len = snprintf(name, sizeof name, "%.120s x%u", has_module ? n->function : "[unknown]", nr);

	n->function = rs_named_stacks_text_of(t->stacks, frame_tree_text(t, name, (size_t)len));
}

static unsigned int frame_tree_nr_members(const struct rs_frame_tree *t, const struct rs_frame_node *n)
{
	unsigned int nr = 1;

	for (uint32_t at = n->last; &t->nodes[at] != n; at = rs_named_stacks_caller(t->stacks, at))
		nr++;
	return nr;
}

/*
 * A caller comes before what it called, so it is known by then whether it is a member of another node. What
 * is folded is undone here the next time: a chain may have got a branch by then.
 */
static void frame_tree_fold(struct rs_frame_tree *t)
{
	for (uint32_t i = RS_FRAME_OTHERS + 1; i < t->nr; i++) {
		struct rs_frame_node *n = &t->nodes[i], *caller;

		frame_tree_read(t, i, n);
		if (!(t->nodes[n->caller].size > 0))
			n->caller = t->nodes[n->caller].caller;
		caller = &t->nodes[n->caller];
		n->depth = caller->depth + 1;
		if (!(n->size > 0) || !frame_is_unknown(n) || !frame_is_unknown(caller) ||
		    n->module != caller->module || !frame_only_calls(caller, n))
			continue;
		n->size = 0;
		caller->last = i;
	}
	for (uint32_t i = RS_FRAME_OTHERS + 1; i < t->nr; i++)
		if (t->nodes[i].last != i)
			frame_tree_name_fold(t, &t->nodes[i], frame_tree_nr_members(t, &t->nodes[i]));
}

/* ---- places ---- */

static int frame_tree_compare(const void *a, const void *b, void *arg)
{
	const struct rs_frame_tree *t = arg;
	const struct rs_frame_node *x = &t->nodes[*(const uint32_t *)a], *y = &t->nodes[*(const uint32_t *)b];

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return strcmp(x->function, y->function);
}

/* Counts the children of each node, gives each its part of the list, and fills that. */
static void frame_tree_order(struct rs_frame_tree *t)
{
	uint32_t at = 0;

	for (size_t i = 0; i < t->nr; i++)
		t->nodes[i].nr = 0;
	for (size_t i = RS_FRAME_ROOT + 1; i < t->nr; i++)
		t->nodes[t->nodes[i].caller].nr += t->nodes[i].size > 0;
	for (size_t i = 0; i < t->nr; i++) {
		t->nodes[i].first = at;
		at += t->nodes[i].nr;
		t->nodes[i].nr = 0;
	}
	for (size_t i = RS_FRAME_ROOT + 1; i < t->nr; i++) {
		struct rs_frame_node *caller = &t->nodes[t->nodes[i].caller];

		if (t->nodes[i].size > 0)
			t->children[caller->first + caller->nr++] = (uint32_t)i;
	}
	for (size_t i = 0; i < t->nr; i++)
		if (t->nodes[i].nr > 1)
			qsort_r(t->children + t->nodes[i].first, t->nodes[i].nr, sizeof *t->children,
				frame_tree_compare, t);
}

static void frame_tree_place(struct rs_frame_tree *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		double at = t->nodes[i].at;

		for (uint32_t child = 0; child < t->nodes[i].nr; child++) {
			struct rs_frame_node *n = &t->nodes[rs_frame_tree_child(t, (uint32_t)i, child)];

			n->at = at;
			at += n->size;
		}
	}
}

bool rs_frame_tree_finish(struct rs_frame_tree *t)
{
	if (t->failed || rs_named_stacks_failed(t->stacks) ||
	    !RS_VECTOR_RESERVE(&t->children, &t->children_room, t->nr))
		return false;
	frame_tree_sum(t);
	frame_tree_size(t);
	frame_tree_fold(t);
	frame_tree_order(t);
	frame_tree_place(t);
	return true;
}

static void frame_tree_drop(struct rs_frame_tree *t)
{
	free(t->nodes);
	free(t->children);
	rs_named_stacks_copy_done(&t->copy);
	rs_named_stacks_free(t->stacks);
}

static const char *frame_tree_begin_text(struct rs_frame_tree *t, const char *text)
{
	return rs_named_stacks_text_of(t->stacks, frame_tree_text(t, text, strlen(text)));
}

static bool frame_tree_begin(struct rs_frame_tree *t)
{
	t->stacks = rs_named_stacks_new(FRAME_TREE_MAX_NODES);
	if (!t->stacks || !frame_tree_grow(t, RS_FRAME_OTHERS))
		return false;
	t->nodes[RS_FRAME_ROOT].function = frame_tree_begin_text(t, "all");
	t->nodes[RS_FRAME_OTHERS].function = frame_tree_begin_text(t, "[others]");
	t->nodes[RS_FRAME_OTHERS].depth = 1;
	t->nodes[RS_FRAME_OTHERS].identity = 1;
	return !rs_named_stacks_failed(t->stacks);
}

struct rs_frame_tree *rs_frame_tree_new(void)
{
	struct rs_frame_tree *t = calloc(1, sizeof *t);

	if (t && frame_tree_begin(t))
		return t;
	rs_frame_tree_free(t);
	return NULL;
}

void rs_frame_tree_free(struct rs_frame_tree *t)
{
	if (t)
		frame_tree_drop(t);
	free(t);
}

/* ---- questions ---- */

const struct rs_frame_node *rs_frame_tree_node(const struct rs_frame_tree *t, uint32_t node)
{
	return &t->nodes[node < t->nr ? node : RS_FRAME_OTHERS];
}

size_t rs_frame_tree_nr(const struct rs_frame_tree *t)
{
	return t->nr;
}

size_t rs_frame_tree_nr_texts(const struct rs_frame_tree *t)
{
	return rs_named_stacks_nr_texts(t->stacks);
}

const char *rs_frame_tree_text(const struct rs_frame_tree *t, uint32_t number)
{
	return rs_named_stacks_text_of(t->stacks, number);
}

uint32_t rs_frame_tree_text_number(const char *text)
{
	return rs_named_stacks_number_of(text);
}

uint32_t rs_frame_tree_child(const struct rs_frame_tree *t, uint32_t node, uint32_t i)
{
	return t->children[t->nodes[node].first + i];
}

static bool frame_tree_is_member(const struct rs_frame_tree *t, uint32_t node)
{
	const struct rs_frame_node *n = &t->nodes[node];

	return !(n->size > 0) && (n->total[RS_FRAME_SHOWN] || n->total[RS_FRAME_BEFORE]);
}

uint32_t rs_frame_tree_find(const struct rs_frame_tree *t, uint64_t identity)
{
	for (size_t i = RS_FRAME_OTHERS + 1; i < t->nr; i++)
		if (t->nodes[i].identity == identity && t->nodes[i].size > 0)
			return (uint32_t)i;
		else if (t->nodes[i].identity == identity && frame_tree_is_member(t, (uint32_t)i))
			return t->nodes[i].caller;
	return RS_FRAME_ROOT;
}

uint64_t rs_frame_tree_self(const struct rs_frame_tree *t, const struct rs_frame_node *n,
			    enum rs_frame_side side)
{
	return t->nodes[n->last].self[side];
}

const char *rs_frame_tree_put_stack(const struct rs_frame_tree *t, uint32_t node, char *buf,
				    size_t size_bytes)
{
	return node <= RS_FRAME_OTHERS ? t->nodes[node].function :
					 rs_named_stacks_put(t->stacks, t->nodes[node].last, false, buf,
							     size_bytes);
}

/* One of its members is enough. */
bool rs_frame_tree_node_matches(const struct rs_frame_tree *t, const struct rs_frame_node *node,
				const char *text)
{
	bool matches = strcasestr(node->function, text) || strcasestr(node->module, text);

	for (uint32_t at = node->last; !matches && at > RS_FRAME_OTHERS;
	     at = rs_named_stacks_caller(t->stacks, at)) {
		matches = strcasestr(rs_named_stacks_function(t->stacks, at), text);
		if (&t->nodes[at] == node)
			break;
	}
	return matches;
}

/* A frame inside another that matches counts with that one. */
double rs_frame_tree_matching(const struct rs_frame_tree *t, const char *text, size_t *nr)
{
	double share = 0;

	*nr = 0;
	for (size_t i = RS_FRAME_OTHERS; i < t->nr; i++) {
		const struct rs_frame_node *n = &t->nodes[i], *caller = n;

		if (!n->size || !rs_frame_tree_node_matches(t, n, text))
			continue;
		++*nr;
		do
			caller = &t->nodes[caller->caller];
		while (caller != t->nodes && !rs_frame_tree_node_matches(t, caller, text));
		if (caller == t->nodes)
			share += n->size;
	}
	return share;
}
