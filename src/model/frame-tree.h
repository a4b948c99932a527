/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame-tree.h - weighed stacks as a tree of frames, as a flame graph shows them
 *
 *	struct rs_frame_tree *t = rs_frame_tree_new();
 *
 *	rs_frame_tree_add_stack(t, &(struct rs_frame_stack){ .stacks = stacks, .stack = stack,
 *		.weight = 3 });
 *	rs_frame_tree_finish(t);
 *	root = rs_frame_tree_node(t, RS_FRAME_ROOT);        // the sum of all
 *	first = rs_frame_tree_child(t, RS_FRAME_ROOT, 0);   // the heaviest outermost frame
 *
 * It holds two profiles side by side, so that they can be compared; one alone is the side RS_FRAME_SHOWN.
 *
 * Frames without a name that only call one another, of one module, are one node: "[unknown] x14". Its members
 * are in the tree as they were, but have no size.
 */
#ifndef RS_MODEL_FRAME_TREE_H
#define RS_MODEL_FRAME_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/named-stacks.h"

enum { RS_FRAME_ROOT = 0, RS_FRAME_OTHERS = 1 }; /* the second: what the tree had no room for */
enum rs_frame_side { RS_FRAME_SHOWN, RS_FRAME_BEFORE, RS_FRAME_SIDES };

struct rs_frame_tree;

struct rs_frame_node {
	const char *function, *module; /* module "": unknown. They live as long as the tree */
	const char *cause;             /* of most of its weight; "": unknown */
	uint64_t self[RS_FRAME_SIDES], total[RS_FRAME_SIDES];
	uint64_t cause_weight;
	uint64_t identity;             /* of it and its callers: the same in another tree */
	/* its left edge and its share of the whole, 0 to 1; of two profiles the mean of both shares */
	double at, size;
	uint32_t caller;
	uint32_t first, nr;            /* its children: see rs_frame_tree_child */
	uint32_t depth;                /* 0: the root */
	uint32_t last;                 /* the innermost of its members; itself: it is one frame */
};

/* Texts are copied. */
struct rs_frame_stack {
	const char *outer;             /* a frame around all; NULL: none */
	const struct rs_named_stacks *stacks; /* of .stack: the same for all of a tree */
	uint32_t stack;                /* 0: .text has it */
	/* of a plugin's view that has only texts: functions, outermost first, a ; between */
	const char *text;
	const char *modules;           /* likewise; NULL: unknown */
	const char *cause;             /* NULL: unknown */
	uint64_t weight;
	enum rs_frame_side side;
};

struct rs_frame_tree *rs_frame_tree_new(void); /* NULL: no memory */
void rs_frame_tree_free(struct rs_frame_tree *t); /* may be NULL */
/* Drops the weights of one side. */
void rs_frame_tree_clear_side(struct rs_frame_tree *t, enum rs_frame_side side);
/* The weights of the shown side are from now on those that it is compared with. */
void rs_frame_tree_move_before(struct rs_frame_tree *t);

void rs_frame_tree_add_stack(struct rs_frame_tree *t, const struct rs_frame_stack *stack);
/* Returns the number of that frame below its caller. */
uint32_t rs_frame_tree_add_frame(struct rs_frame_tree *t, uint32_t caller, const char *function,
				 const char *module);
void rs_frame_tree_weigh(struct rs_frame_tree *t, uint32_t node, enum rs_frame_side side, uint64_t weight,
			 const char *cause);
/*
 * Sums up, and puts children in order: the heaviest first, by name if equal. False: no memory for that, or
 * before.
 */
bool rs_frame_tree_finish(struct rs_frame_tree *t);

/* After rs_frame_tree_finish, until the next change. */
const struct rs_frame_node *rs_frame_tree_node(const struct rs_frame_tree *t, uint32_t node);
size_t rs_frame_tree_nr(const struct rs_frame_tree *t); /* one more than the largest number */
uint32_t rs_frame_tree_child(const struct rs_frame_tree *t, uint32_t node, uint32_t i);
/* Returns the weight of the node itself, without what it called. */
uint64_t rs_frame_tree_self(const struct rs_frame_tree *t, const struct rs_frame_node *n,
			    enum rs_frame_side side);
/* "main;work;read", each frame by itself: see rs_named_stacks_put. */
const char *rs_frame_tree_put_stack(const struct rs_frame_tree *t, uint32_t node, char *buf,
				    size_t size_bytes);
/* Returns the node with this identity, or that one is a member of; RS_FRAME_ROOT: none. */
uint32_t rs_frame_tree_find(const struct rs_frame_tree *t, uint64_t identity);
/*
 * Returns how much of the whole, 0 to 1, is in frames whose name or module contains the text, ignoring case;
 * nr: how many frames.
 */
double rs_frame_tree_matching(const struct rs_frame_tree *t, const char *text, size_t *nr);
/* A node's texts by number, for who sends them. */
size_t rs_frame_tree_nr_texts(const struct rs_frame_tree *t);
const char *rs_frame_tree_text(const struct rs_frame_tree *t, uint32_t number);
uint32_t rs_frame_tree_text_number(const char *text_of_node);
bool rs_frame_tree_node_matches(const struct rs_frame_tree *t, const struct rs_frame_node *node,
				const char *text);

#endif
