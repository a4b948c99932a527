/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irq-sources.h - the sources of interrupts that were seen: each handler of an interrupt line, each softirq vector
 */
#ifndef RS_ENGINE_IRQ_SOURCES_H
#define RS_ENGINE_IRQ_SOURCES_H

#include "ringside/irq.h"

#define RS_NR_IRQ_BUCKETS 256u
#define RS_MAX_SOFTIRQS 32u /* those that have a name: kernels have 10 */

struct rs_irq_bucket {
	struct rs_irq_source source;
	struct rs_irq_bucket *chain;
};

struct rs_irq_sources {
	struct rs_irq_bucket *buckets[RS_NR_IRQ_BUCKETS];
	uint32_t nr;
	char softirq_names[RS_MAX_SOFTIRQS][16];
};

void rs_irq_sources_done(struct rs_irq_sources *q);
/* name: of a line's handler; ignored for a softirq. NULL where there is no room for one more. */
const struct rs_irq_source *rs_irq_sources_get(struct rs_irq_sources *q, enum rs_irq_kind kind, uint32_t nr, const char *name);

#endif
