/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack-table.h - stacks, each kept once: a tree whose nodes are calls
 *
 * A node is a frame and what called it, so that stacks share what they have in common. The number of the
 * innermost node identifies the stack.
 *
 *	id = RS_STACK_ROOT;
 *	for (outermost to innermost)
 *		id = rs_stack_table_add(t, id, module, offset);
 *	for (; id != RS_STACK_ROOT; id = rs_stack_table_node(t, id)->caller)   // innermost to outermost
 *		...
 *
 * Bounded: when it is full, what is new is cut at RS_STACK_OTHERS, and counted, until its user says which
 * stacks are in use.
 */
#ifndef RS_MODEL_STACK_TABLE_H
#define RS_MODEL_STACK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_STACK_ROOT 0u
#define RS_STACK_OTHERS 1u /* any stack that the table had no room for */
#define RS_STACKS_MAX (1u << 20)

struct rs_stack_node {
	uint64_t offset;
	uint32_t module, caller;
	/* the user's, for the names that it found; NULL: none yet, or unknown */
	const char *function, *module_name;
};

struct rs_stack_table;

/* max: nodes, at least 2, at most RS_STACKS_MAX. NULL: no memory. */
struct rs_stack_table *rs_stack_table_new(size_t max);
void rs_stack_table_free(struct rs_stack_table *t);
uint32_t rs_stack_table_add(struct rs_stack_table *t, uint32_t caller, uint32_t module, uint64_t offset);
/* Valid until the next add. Numbers that are no stack's are RS_STACK_OTHERS. */
struct rs_stack_node *rs_stack_table_node(const struct rs_stack_table *t, uint32_t id);
bool rs_stack_table_is_full(const struct rs_stack_table *t);
/* Returns one more than the largest number of a stack. */
size_t rs_stack_table_nr(const struct rs_stack_table *t);
/*
 * Frees the nodes that no used stack contains; their numbers will be used again. used: by number, non-zero
 * for a stack in use.
 */
void rs_stack_table_sweep(struct rs_stack_table *t, uint8_t *used);
uint64_t rs_stack_table_nr_cut(const struct rs_stack_table *t);

#endif
