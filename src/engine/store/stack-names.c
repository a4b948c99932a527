// SPDX-License-Identifier: GPL-2.0-or-later
/* stack-names - stacks by the names of their functions */
#include "engine/store/stack-names.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

/* Of the name that rs_stack_text shows of a frame: that of an unknown function is its address. */
static uint64_t stack_names_hash_frame(const struct rs_ctx *c, uint32_t stack)
{
	struct rs_frame frame;
	const char *name;

	rs_stack_frame(c, stack, &frame);
	if (frame.function)
		return rs_hash_bytes(frame.function, strlen(frame.function));
	name = frame.is_address ? "" : frame.module;
	return rs_hash_pair(rs_hash_bytes(name, strlen(name)), frame.offset + 1);
}

uint64_t rs_stack_names_hash(struct rs_stack_names *n, const struct rs_ctx *c, uint32_t stack)
{
	uint64_t hash = 1;
	size_t depth = 0;

	for (uint32_t at = stack; at; at = rs_stack_caller(c, at)) {
		if (!RS_VECTOR_RESERVE_ZERO(&n->hashes, &n->room, (size_t)at + 1) ||
		    !RS_VECTOR_RESERVE(&n->path, &n->path_room, depth + 1)) {
			n->no_memory = true;
			return 0;
		}
		hash = n->hashes[at];
		if (hash)
			break;
		n->path[depth++] = at;
	}
	hash = hash ? hash : 1;
	while (depth) {
		hash = rs_hash_pair(hash, stack_names_hash_frame(c, n->path[--depth]));
		hash = hash ? hash : 1;
		n->hashes[n->path[depth]] = hash;
	}
	return stack ? hash : 0;
}

static uint32_t stack_names_add_frame(const struct rs_ctx *c, uint32_t stack, struct rs_named_stacks *to,
				      uint32_t caller)
{
	char unknown[RS_CELL_TEXT_BYTES];
	struct rs_frame frame;

	rs_stack_frame(c, stack, &frame);
	return rs_named_stacks_add(to, caller, rs_stack_frame_name(&frame, unknown), frame.module);
}

/* A text does not show innermost frames without a name, which a recording may have. */
static uint32_t stack_names_shown(const struct rs_named_stacks *to, uint32_t named)
{
	while (named > RS_STACK_OTHERS && !*rs_named_stacks_function(to, named))
		named = rs_named_stacks_caller(to, named);
	return named;
}

uint32_t rs_stack_names_add(struct rs_stack_names *n, const struct rs_ctx *c, uint32_t stack,
			    struct rs_named_stacks *to)
{
	uint32_t named = RS_STACK_ROOT;
	size_t depth = 0;

	for (uint32_t at = stack; at && !named; at = rs_stack_caller(c, at)) {
		if (!RS_VECTOR_RESERVE_ZERO(&n->named, &n->named_room, (size_t)at + 1) ||
		    !RS_VECTOR_RESERVE(&n->path, &n->path_room, depth + 1)) {
			n->no_memory = true;
			return RS_STACK_OTHERS;
		}
		named = n->named[at];
		if (!named)
			n->path[depth++] = at;
	}
	while (depth) {
		named = stack_names_add_frame(c, n->path[--depth], to, named);
		n->named[n->path[depth]] = named;
	}
	return stack_names_shown(to, named);
}

void rs_stack_names_done(struct rs_stack_names *n)
{
	free(n->hashes);
	free(n->named);
	free(n->path);
}
