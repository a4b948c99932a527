/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - from perf's records to stacks: follows the mappings of processes, and calls the analyses with
 * each sample
 */
#ifndef RS_STACKS_STACKS_H
#define RS_STACKS_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_session;
struct rs_stack_address;

/* Of an event: innermost first; returns its number. */
uint32_t rs_stacks_add(struct rs_session *s, int32_t pid, const struct rs_stack_address *addresses,
		       size_t nr);

/* Room for one text at a time, for a cell. NULL: there are no stacks. */
char *rs_stacks_text(const struct rs_session *s, size_t *size_bytes);

#endif
