/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map-ahead.h - a thread that maps the part of a file that is read next, and unmaps what has been read
 *
 * Mapping a file's pages takes a fifth of the time of its analysis; on a second CPU it takes no time at all.
 * Neither thread waits for the other: the first one maps the step.
 *
 *	a = rs_map_ahead_new(nr_cpus);
 *	rs_map_ahead_ask(a, cpu, &step);            // one step for each CPU at a time
 *	if (rs_map_ahead_take_back(a, cpu, &step))  // it has not begun the step
 *		rs_map_ahead_step(&step);
 */
#ifndef RS_RECORDING_MAP_AHEAD_H
#define RS_RECORDING_MAP_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_map_range {
	const uint8_t *from;
	size_t len_bytes; /* 0: none */
};

/* Page by page of the kernel, but for the last one of a file. */
struct rs_map_ahead_step {
	/* the kernel keeps what was read of a mapping in the process's memory: given back */
	struct rs_map_range passed;
	struct rs_map_range next;   /* mapped in one call: a page fault costs as much as decoding the page */
	struct rs_map_range after;  /* the kernel reads it ahead */
};

/* Where the kernel cannot map ahead (before 5.14) pages come by faults. */
void rs_map_ahead_step(const struct rs_map_ahead_step *step);

struct rs_map_ahead;

/* NULL: no memory, or no thread. Then nothing is mapped ahead. */
struct rs_map_ahead *rs_map_ahead_new(unsigned int nr_cpus);
/* Call it before the file is unmapped: the thread has ended when this returns. */
void rs_map_ahead_free(struct rs_map_ahead *a);
/* In the place of the CPU's last step, which has been taken back or begun. */
void rs_map_ahead_ask(struct rs_map_ahead *a, unsigned int cpu, const struct rs_map_ahead_step *step);
/* Returns the CPU's step in *step if it has not been begun; false for NULL. */
bool rs_map_ahead_take_back(struct rs_map_ahead *a, unsigned int cpu, struct rs_map_ahead_step *step);

#endif
