/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe.h - memory that one process allocates and frees: calls of its functions that were probed (ringside
 * alloc), and what the kernel allocates for it (ringside kmem)
 *
 * An analysis with a callback RS_ON_PROBE makes a capture probe them; .kinds says which, 1 <<
 * RS_PROBE_KERNEL. Each call of a function that allocates has two hits, at its begin and at its return, in
 * the order of time with those of all other threads. Functions that only free have one. What the kernel
 * allocates has one, as if it returned; what it frees has one, too, and comes from all tasks: much is freed
 * later, by others.
 */
#ifndef RINGSIDE_PROBE_H
#define RINGSIDE_PROBE_H

#include "task.h"

/* In recordings: only add at the end. */
enum rs_probe_function {
	RS_PROBE_MALLOC,
	RS_PROBE_CALLOC,
	RS_PROBE_REALLOC,
	RS_PROBE_REALLOCARRAY,
	RS_PROBE_ALIGNED_ALLOC,
	RS_PROBE_MEMALIGN,
	RS_PROBE_POSIX_MEMALIGN,
	RS_PROBE_NEW,
	RS_PROBE_NEW_ARRAY,
	RS_PROBE_FREE,
	RS_PROBE_MMAP,
	RS_PROBE_MREMAP,
	RS_PROBE_MUNMAP,
	RS_NR_PROBED_FUNCTIONS,
	RS_PROBE_KMALLOC = RS_NR_PROBED_FUNCTIONS,
	RS_PROBE_SLAB_ALLOC,
	RS_PROBE_PAGE_ALLOC,
	RS_PROBE_KFREE,
	RS_PROBE_SLAB_FREE,
	RS_PROBE_PAGE_FREE,
	RS_NR_PROBE_FUNCTIONS,
	RS_PROBE_LOST = 255, /* no call: hits were lost, here or earlier, of any thread */
};

enum rs_probe_kind { RS_PROBE_PROCESS, RS_PROBE_KERNEL, RS_NR_PROBE_KINDS };

static inline enum rs_probe_kind rs_probe_kind_of(enum rs_probe_function function)
{
	return function < RS_NR_PROBED_FUNCTIONS ? RS_PROBE_PROCESS : RS_PROBE_KERNEL;
}

#define RS_PROBE_ARGS 4
#define RS_PROBE_NAME_BYTES 32 /* of the kernel's caches; a longer name is cut */

struct rs_probe_hit {
	struct rs_task *task;      /* NULL: of LOST, and of what the kernel frees */
	uint64_t ts_ns;
	enum rs_probe_function function;
	bool returns;
	/*
	 * At the begin; at the return args[0] is the result; of LOST how many hits. Of the kernel the address
	 * (of a page the physical one), the bytes that it was asked for, and those that it took; where pages
	 * are freed args[1] are their bytes.
	 */
	uint64_t args[RS_PROBE_ARGS];
	const char *name;          /* of the kernel's cache; NULL: unknown. Valid in the callback */
	/* at the return, and where the kernel allocates: whence, see stack.h; else 0 */
	uint32_t stack;
	uint16_t cpu;
};

#endif
