/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory-watch.h - no allocation fails unnoticed
 *
 * Most code does without what it could not get: a row is not kept, a string is cut, a cache stays empty. That
 * is right in the middle of an event, and wrong where the result is shown as if it were whole. Each
 * allocation of the program that fails is therefore counted (the linker's --wrap: see the Makefile), and code
 * that returns a result checks once, at its end:
 *
 *	if (rs_memory_check("report", err) < 0)
 *		return -1;                   // instead of a table that is shorter than it should be
 */
#ifndef RS_BASE_MEMORY_WATCH_H
#define RS_BASE_MEMORY_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * How many allocations of this thread have failed since it began. Compare two answers around a piece of work.
 */
uint64_t rs_memory_failures(void);
/* Of those, has any not been reported (see below)? */
bool rs_memory_failures_unreported(void);
/* Has any allocation of the process failed that rs_memory_reported has not taken back? */
bool rs_memory_failed(void);
/*
 * -1 if so: err says "WHAT: out of memory ..."; an error that is set already is kept, and given that reason.
 */
int rs_memory_check(const char *what, struct rs_error *err);
/* This thread has reported its failures to its client: they no longer count as the process's. */
void rs_memory_reported(void);
/* Another process reported a failure: what it sent is incomplete. */
void rs_memory_failed_elsewhere(void);
/*
 * Notes a failure inside a library, which the linker cannot see. Call with errno 0 before the library; after
 * it this looks whether errno is ENOMEM. True: it is; what the library made may be wrong.
 */
bool rs_memory_library_failed(void);

#endif
