/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maps.h - the executable mappings of each process, as they are at the time of the last record
 *
 * An address of a process becomes a module and an offset in it, which mean the same in each process and stay
 * valid when the process has ended. The caller passes records in the order of time.
 */
#ifndef RS_SYMBOLS_MAPS_H
#define RS_SYMBOLS_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_maps;

/* [start, end) shows a module from offset on. */
struct rs_mapping {
	uint64_t start, end, offset;
	uint32_t module;
};

/* NULL: no memory. */
struct rs_maps *rs_maps_new(void);
void rs_maps_free(struct rs_maps *m);
/* Replaces what it overlaps. Ignores an empty range. Without memory the range has no module. */
void rs_maps_add(struct rs_maps *m, int32_t pid, const struct rs_mapping *mapping);
void rs_maps_fork(struct rs_maps *m, int32_t parent, int32_t child); /* a new process */
void rs_maps_exec(struct rs_maps *m, int32_t pid);
/* Calls fn for each mapping of each process. */
void rs_maps_for_each(const struct rs_maps *m,
		      void (*fn)(void *arg, int32_t pid, const struct rs_mapping *mapping), void *arg);
/* NULL: no mapping is known there. Valid until the next change. */
const struct rs_mapping *rs_maps_find(struct rs_maps *m, int32_t pid, uint64_t address);

#endif
