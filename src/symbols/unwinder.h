/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwinder.h - the callers of a function, by the registers and the top of the stack that a sample has:
 * --call-graph dwarf
 *
 * Code that keeps no frame pointers tells its callers by the tables of .eh_frame, which elfutils reads. The
 * files are those that were mapped, as far as they are here; the stack is a copy of some KiB, so that outer
 * callers may be missing.
 */
#ifndef RS_SYMBOLS_UNWINDER_H
#define RS_SYMBOLS_UNWINDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/symbolizer.h"

struct rs_unwind_mapping {
	uint64_t start, offset;
	uint32_t module;
	/* else code that the process has made, which keeps frame pointers or has no callers */
	bool is_file;
};

struct rs_unwind_files {
	/* Finds what a process has at an address. */
	bool (*find)(void *arg, int32_t pid, uint64_t address, struct rs_unwind_mapping *mapping);
	/* Opens the file of a module, and says what its build-id must be; -1: it cannot be opened. */
	int (*open)(void *arg, uint32_t module, struct rs_mapped_file *file);
	void *arg;
};

/* Of this machine's kind, in its byte order. */
struct rs_unwind_state {
	int32_t pid;
	uint64_t reg_mask;           /* sample_regs_user of perf_event_attr */
	const uint8_t *regs;
	const uint8_t *stack;
	size_t stack_bytes;
	bool is_32_bit;              /* a program of 32 bits: its callers are not known */
};

struct rs_unwound_frame {
	uint64_t address;
	bool caller;                 /* a return address */
};

struct rs_unwinder;

/*
 * Returns which registers a sample must have, as perf_event_open takes them; 0: this machine's stacks cannot
 * be unwound.
 */
uint64_t rs_unwinder_regs(void);

/* NULL: no memory. */
struct rs_unwinder *rs_unwinder_new(const struct rs_unwind_files *files);
void rs_unwinder_free(struct rs_unwinder *u);
/* The file of a module can be opened by now. */
void rs_unwinder_retry(struct rs_unwinder *u, uint32_t module);
/* Innermost first. Returns the number of frames; 0: the registers are unknown. */
size_t rs_unwinder_frames(struct rs_unwinder *u, const struct rs_unwind_state *state,
			  struct rs_unwound_frame *frames, size_t max);

#endif
