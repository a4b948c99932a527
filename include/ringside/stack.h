/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - which code ran: samples of the CPUs, each with its stack
 *
 * An analysis with a callback RS_ON_SAMPLE makes a capture sample all CPUs. A sample shows what a CPU ran at that time; it
 * begins and ends nothing, so states and waits do not change by it.
 *
 * The table of stacks is bounded. When it is full, the numbers of stacks that are no first key of a row are given to others.
 */
#ifndef RINGSIDE_STACK_H
#define RINGSIDE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "task.h"

struct rs_ctx;

struct rs_cpu_sample {
	struct rs_task *task;      /* never idle */
	uint64_t ts_ns;
	uint32_t stack;            /* of its innermost frame: see rs_stack_frame. Kept only as the first key of a store */
	uint16_t cpu;
	bool in_kernel;            /* its innermost frame is the kernel's */
};

struct rs_frame {
	const char *function;      /* readable; NULL: no symbol covers the address */
	const char *module;        /* "libz.so.1", "[kernel]", "[ext4]" */
	uint64_t offset;           /* in the module's file; an address if it has none */
	bool is_address;
};

/*
 * A stack is a number: of a frame, and of all that called it. Returns the frame's name as far as it is known by now. Call it when
 * rows are shown: it may read the symbols of a file. The texts live as long as the session.
 */
void rs_stack_frame(const struct rs_ctx *c, uint32_t stack, struct rs_frame *frame);
/* Returns the stack of the caller; 0: it is the outermost frame. */
uint32_t rs_stack_caller(const struct rs_ctx *c, uint32_t stack);

#endif
