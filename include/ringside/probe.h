/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe.h - calls of the functions that allocate and free memory, in a process whose functions were probed (ringside alloc)
 *
 * An analysis with a callback RS_ON_PROBE makes a capture probe them. Each call of one that allocates has two hits, at its
 * begin and at its return, in the order of time with those of all other threads. Functions that only free have one.
 */
#ifndef RINGSIDE_PROBE_H
#define RINGSIDE_PROBE_H

#include "task.h"

/* In recordings: only add at the end. */
enum rs_probe_function {
	RS_PROBE_MALLOC, RS_PROBE_CALLOC, RS_PROBE_REALLOC, RS_PROBE_REALLOCARRAY, RS_PROBE_ALIGNED_ALLOC, RS_PROBE_MEMALIGN,
	RS_PROBE_POSIX_MEMALIGN, RS_PROBE_NEW, RS_PROBE_NEW_ARRAY, RS_PROBE_FREE, RS_PROBE_MMAP, RS_PROBE_MREMAP, RS_PROBE_MUNMAP,
	RS_NR_PROBE_FUNCTIONS,
	RS_PROBE_LOST = 255,       /* no call: hits were lost, here or earlier, of any thread */
};

#define RS_PROBE_ARGS 4

struct rs_probe_hit {
	struct rs_task *task;      /* NULL: of LOST */
	uint64_t ts_ns;
	enum rs_probe_function function;
	bool returns;
	uint64_t args[RS_PROBE_ARGS]; /* at the begin; at the return args[0] is the result; of LOST how many hits */
	uint32_t stack;            /* at the return: whence it was called, see stack.h; else 0 */
	uint16_t cpu;
};

#endif
