/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait-shape.h - the shape of a wait: its critical path without times and numbers of tasks, and how alike two
 * shapes are
 *
 *	rs_chain_find(c, call->task, call->enter_ns, call->exit_ns, &chain);
 *	rs_wait_shape_set(&shape, &chain);
 *	rs_wait_shape_alike(&shape, &other);   // 1000: the same
 */
#ifndef RINGSIDE_WAIT_SHAPE_H
#define RINGSIDE_WAIT_SHAPE_H

#include "culprit.h"

struct rs_wait_shape {
	unsigned int nr;
	bool has_culprit;               /* the last is no link: who had what the one before waited for */
	/* the links of the path, then the culprit */
	struct rs_shape_link {
		char name[RS_COMM_LEN]; /* of the process; "": unknown, or no task */
		int64_t call;           /* see rs_call_number; -1: none, or unknown */
		uint8_t part;           /* enum rs_time_part */
	} at[RS_MAX_LINKS + 1];
};

void rs_wait_shape_set(struct rs_wait_shape *shape, const struct rs_chain *chain);
/*
 * Returns in thousandths how alike two are: how many of the names, calls and parts are the same, link by link
 * from the wait on. Digits in names do not count: they tell workers apart.
 */
unsigned int rs_wait_shape_alike(const struct rs_wait_shape *a, const struct rs_wait_shape *b);
/* Writes "trader futex, audit run queue: encode". Hostile bytes (names). */
void rs_wait_shape_text(const struct rs_ctx *c, const struct rs_wait_shape *shape, char *buf,
			size_t size_bytes);

#endif
