/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacked-pages.h - pages as the kernel would write them if it recorded stacks: perf's callchains become
 * kernel_stack and user_stack
 *
 * Both streams of a CPU are in the order of time, and perf's handler of sched_switch runs right after the
 * instance's, or right before it: whose is called first depends on which was on first. So a stack belongs to
 * the last switch if its task is the one that left the CPU there, else to the next one if it is that one's.
 * What is neither is of a switch that was lost.
 */
#ifndef RS_DECODE_STACKED_PAGES_H
#define RS_DECODE_STACKED_PAGES_H

#include "source/perf/samples.h"
#include "source/source.h"

/*
 * Makes a source hand out its pages with the stacks, which has a ring for each CPU; both outlive the filter.
 * Whoever closes the source frees it. Call it before the first page. Returns -1 with err set: the trace lacks
 * a format.
 */
int rs_stacked_pages_open(struct rs_source *source, struct rs_sample_source *stacks, struct rs_error *err);
void rs_stacked_pages_free(struct rs_page_filter *filter); /* NULL: none */

#endif
