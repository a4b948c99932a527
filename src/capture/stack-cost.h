/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack-cost.h - what a wait costs that is recorded with its stack, as this machine does it
 */
#ifndef RS_CAPTURE_STACK_COST_H
#define RS_CAPTURE_STACK_COST_H

#include <stdint.h>

struct rs_instance;
struct rs_sample_source;

/*
 * Returns the cost of a wait's event with its stack in ns, measured for some milliseconds before any event of
 * the plan is on; 0: it could not be measured. Empties the buffer, and perf's rings. perf: see
 * source/perf/switch-stacks.h; NULL: a trigger records stacks.
 */
uint64_t rs_stack_cost_measure(struct rs_instance *in, struct rs_sample_source *perf);

#endif
