/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack-names.h - stacks by the names of their functions: rows are grouped by what is shown of a stack, and
 * many stacks have the same names
 *
 * A frame's name is looked up once, and no text is made: see rs_stack_text for what looks alike. Rows have
 * numbers in a table of names, where who takes them has one.
 */
#ifndef RS_ENGINE_STORE_STACK_NAMES_H
#define RS_ENGINE_STORE_STACK_NAMES_H

#include "model/named-stacks.h"
#include "ringside/plugin.h"

/* For one pass over the rows of a store: numbers of stacks do not change meanwhile. */
struct rs_stack_names {
	uint64_t *hashes;              /* by number of the stack; 0: not computed yet */
	size_t room;
	uint32_t *named;               /* likewise: in the table of names; 0: not there yet */
	size_t named_room;
	uint32_t *path;                /* of frames, innermost first */
	size_t path_room;
	bool no_memory;
};

/* Returns a number that stacks of the same names alone have; 0: stack is 0, or there is no memory. */
uint64_t rs_stack_names_hash(struct rs_stack_names *n, const struct rs_ctx *c, uint32_t stack);
/*
 * Adds the stack to a table of names, the same in all calls, and returns its number there; 0: stack is 0, or
 * no frame has a name.
 */
uint32_t rs_stack_names_add(struct rs_stack_names *n, const struct rs_ctx *c, uint32_t stack,
			    struct rs_named_stacks *to);
void rs_stack_names_done(struct rs_stack_names *n);

#endif
