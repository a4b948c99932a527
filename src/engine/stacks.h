/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks.h - from perf's records to stacks: follows the mappings of processes, and calls the analyses with each sample
 */
#ifndef RS_ENGINE_STACKS_H
#define RS_ENGINE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_session;
struct rs_stack_address;
struct rs_stacks;

/* samples, probes: they are used, beside stacks of events. NULL: no memory. */
struct rs_stacks *rs_stacks_new(struct rs_session *s, bool samples, bool probes);
void rs_stacks_free(struct rs_stacks *st);
/* Handles the records up to a time. Returns the time before which there is no other. */
uint64_t rs_stacks_take(struct rs_session *s, uint64_t until_ns);

/* Of an event: innermost first; returns its number. */
uint32_t rs_stacks_add(struct rs_session *s, int32_t pid, const struct rs_stack_address *addresses, size_t nr);

/* An interval ends, and the next one begins. */
void rs_stacks_reset(struct rs_stacks *st);

/* Room for one text at a time, for a cell. NULL: there are no stacks. */
char *rs_stacks_text(struct rs_stacks *st, size_t *size_bytes);

/* For the data quality. */
struct rs_stacks_counts {
	uint64_t nr_samples, nr_lost, nr_bad, nr_cut;
	bool sampled;
};

struct rs_stacks_counts rs_stacks_counts(const struct rs_stacks *st);

#endif
