/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscalls-rules.h - which system calls of a process are findings: calls in a loop that fail, poll, move a few
 * bytes, end by their time-out, or are signals and timers
 */
#ifndef RS_PLUGINS_PARTS_SYSCALLS_RULES_H
#define RS_PLUGINS_PARTS_SYSCALLS_RULES_H

#include "ringside/plugin.h"

/* One system call of one task. */
struct rs_call_row {
	struct rs_hist lat;
	uint64_t errors, in_flight;
	uint64_t cpu_ns, cpu_calls; /* of the calls whose part on a CPU is known, and how many these are */
	/* sum of what they returned, where it may be a number of bytes; how many returned 0 */
	uint64_t bytes, zeros;
	uint64_t shorts; /* of those, less than a quarter of the third argument: what a read has room for */
	uint64_t last_error;
};

/* Who sends most signals, and how many calls a process makes. */
struct rs_syscalls_rules {
	bool has_sender;             /* who sends most signals was looked for: */
	uint64_t nr_signals;
	int32_t sender;
	char comm[RS_COMM_LEN];
	int32_t pid;                 /* whose calls are counted */
	uint64_t nr_calls;
	uint64_t nr_reaped;          /* children whose end it was told */
};

extern const struct rs_rule rs_syscalls_rules[];

/*
 * Puts the findings of the rows of the analysis' view number `view`, which are struct rs_call_row, as
 * .findings does. The state of the analysis is a struct rs_syscalls_rules.
 */
void rs_syscalls_rules_judge(struct rs_ctx *c, unsigned int view);

#endif
