/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * self-cost.h - what this process takes of the machine: CPU and memory
 */
#ifndef RS_SERVICE_SELF_COST_H
#define RS_SERVICE_SELF_COST_H

#include <stdint.h>

struct rs_self_cost {
	int statm_fd;            /* /proc/self/statm, opened while that is allowed; -1 */
	uint64_t wall_ns, cpu_ns; /* when the share was last taken */
	uint64_t cpu_milli;      /* thousandths of one CPU */
};

void rs_self_cost_init(struct rs_self_cost *c);
void rs_self_cost_done(struct rs_self_cost *c);
/* The share since a second ago or a little more, 0 before there is one. */
uint64_t rs_self_cost_cpu_milli(struct rs_self_cost *c);
uint64_t rs_self_cost_rss_bytes(const struct rs_self_cost *c);

#endif
