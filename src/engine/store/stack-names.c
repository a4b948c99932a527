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

void rs_stack_names_done(struct rs_stack_names *n)
{
	free(n->hashes);
	free(n->path);
}
