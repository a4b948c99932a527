/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - which code ran: samples of the CPUs, each with its stack; and where events happened
 *
 * An analysis with a callback RS_ON_SAMPLE makes a capture sample all CPUs. A sample shows what a CPU ran at
 * that time; it begins and ends nothing, so states and waits do not change by it.
 *
 * The table of stacks is bounded. When it is full, the numbers of stacks that no row of a store has are given
 * to others.
 */
#ifndef RINGSIDE_STACK_H
#define RINGSIDE_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "table.h"
#include "task.h"

struct rs_ctx;

/* What the CPUs count beside samples, where they have a PMU: see .grown. */
enum rs_counter { RS_COUNTER_CYCLES, RS_COUNTER_INSTRUCTIONS, RS_COUNTER_CACHE_MISSES, RS_NR_COUNTERS };

struct rs_cpu_sample {
	struct rs_task *task;      /* never idle */
	uint64_t ts_ns;
	/* of its innermost frame: see rs_stack_frame. Kept only by a row of a store, see store.h */
	uint32_t stack;
	uint16_t cpu;
	bool in_kernel;            /* its innermost frame is the kernel's */
	/*
	 * the events that it stands for, as cycles: its period. They differ where the kernel keeps a
	 * frequency
	 */
	uint64_t weight;
	unsigned int counted;      /* which of .grown are known: bits 1 << RS_COUNTER_CYCLES ... */
	/* since the last sample of the CPU, whoever ran: charged to this task as samples are */
	uint64_t grown[RS_NR_COUNTERS];
};

struct rs_frame {
	const char *function;      /* readable; NULL: no symbol covers the address */
	const char *module;        /* "libz.so.1", "[kernel]", "[ext4]" */
	uint64_t offset;           /* in the module's file; an address if it has none */
	bool is_address;
};

/* A stack that was recorded with an event, of an analysis that .uses_stacks (record --stacks). */
struct rs_event_stack {
	struct rs_task *task;      /* NULL: idle, or it has exited */
	uint64_t ts_ns;
	uint32_t id;               /* of the event, see rs_event_name */
	uint32_t stack;
	uint16_t cpu;
};

struct rs_call;
struct rs_interval;

/*
 * Returns the stack of the event that began it: of a task's RS_BLOCKED, RS_PREEMPTED or RS_DELAY, where it
 * had left its CPU. Call it from the callback. 0: none was recorded.
 */
uint32_t rs_interval_stack(const struct rs_ctx *c, const struct rs_interval *iv);
uint32_t rs_call_stack(const struct rs_ctx *c, const struct rs_call *call);
/* Likewise; else, where it left its CPU last in that call. */
uint32_t rs_call_wait_stack(const struct rs_ctx *c, const struct rs_call *call);

/*
 * A stack is a number: of a frame, and of all that called it. Returns the frame's name as far as it is known
 * by now. Call it when rows are shown: it may read the symbols of a file. The texts live as long as the
 * session.
 */
void rs_stack_frame(const struct rs_ctx *c, uint32_t stack, struct rs_frame *frame);
/* Returns the stack of the caller; 0: it is the outermost frame. */
uint32_t rs_stack_caller(const struct rs_ctx *c, uint32_t stack);

/*
 * The function that most samples of some threads are in, as the innermost one; the texts live as long as the
 * session.
 */
struct rs_hot_code {
	const char *function, *module;
	uint64_t nr, nr_samples;   /* samples in it; of all */
};

/*
 * Of which threads: of these processes and threads, of processes of a name, or those that a function accepts.
 */
struct rs_hot_code_asked {
	const int32_t *ids;
	unsigned int nr_ids;
	const char *comm;          /* NULL: any */
	bool (*accepts)(void *arg, int32_t tid); /* in the place of ids and comm; NULL: these tell */
	void *arg;
};

/*
 * Returns false if nothing is known for certain since the last reset: there are no samples of them, too few,
 * or none of their functions has a tenth of them.
 */
bool rs_hot_code(const struct rs_ctx *c, const struct rs_hot_code_asked *asked, struct rs_hot_code *code);
/* "deflate_slow (libz.so.1)". Returns buf. */
const char *rs_hot_code_text(const struct rs_hot_code *code, char *buf, size_t size_bytes);

/* Functions of the kernel that only tell how an event came about. */
/* of calls and faults */
enum rs_stack_part { RS_STACK_TRACING = 1, RS_STACK_SCHEDULER = 2, RS_STACK_LOCKS = 4, RS_STACK_ENTRY = 8,
		     RS_STACK_ALLOCATOR = 16,
		     RS_STACK_OUTSIDE_LOCKS = RS_STACK_TRACING | RS_STACK_SCHEDULER | RS_STACK_LOCKS,
		     RS_STACK_OUTSIDE_ENTRY = RS_STACK_TRACING | RS_STACK_SCHEDULER | RS_STACK_ENTRY };

/*
 * Returns the stack without its innermost frames in these parts; 0 if all are, so that who called is not
 * known.
 */
uint32_t rs_stack_outside(const struct rs_ctx *c, uint32_t stack, unsigned int parts);
/* Likewise; the stack as it is if all are. */
uint32_t rs_stack_outside_or_all(const struct rs_ctx *c, uint32_t stack, unsigned int parts);
/*
 * "main;work;read": outermost first; what does not fit is left out there. Returns where in buf the text
 * begins.
 */
const char *rs_stack_text(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes);
/* "prog;prog;libc.so.6": the modules of these functions, likewise. */
const char *rs_stack_modules(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes);
/* "read < work < main": innermost first, likewise. Returns buf. */
const char *rs_stack_callers(const struct rs_ctx *c, uint32_t stack, char *buf, size_t size_bytes);
/* The callers of a stack without these parts, for a column; lives until the next one. Null: stack is 0. */
struct rs_value rs_stack_value(const struct rs_ctx *c, uint32_t stack, unsigned int parts);
/*
 * Returns the function that wanted this lock last, as far as it was recorded; for an analysis that
 * .uses_stacks. NULL: unknown.
 */
const char *rs_lock_caller(const struct rs_ctx *c, uint64_t lock_addr);
/* "libz.so.1+0x12a4" of a file, else the address. */
void rs_stack_put_address(const struct rs_frame *frame, char *buf, size_t size_bytes);

#endif
