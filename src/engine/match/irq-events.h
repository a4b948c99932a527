/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irq-events.h - interrupts and softirqs, and the sources that they come from
 */
#ifndef RS_ENGINE_MATCH_IRQ_EVENTS_H
#define RS_ENGINE_MATCH_IRQ_EVENTS_H

#include <stdint.h>

#include "base/map.h"
#include "ringside/irq.h"

struct rs_analysis;
struct rs_irq_source_entry;
struct rs_session;

#define RS_MAX_SOFTIRQS 32u /* those that have a name: kernels have 10 */

/* The sources of interrupts that were seen: each handler of an interrupt line, each softirq vector. */
struct rs_irq_sources {
	struct rs_map by_line;
	struct rs_irq_source_entry *entries; /* all of them, the newest first */
	uint32_t nr;
	char softirq_names[RS_MAX_SOFTIRQS][16];
};

extern const struct rs_analysis rs_engine_irqs;

int rs_irq_events_init(struct rs_irq_sources *q); /* 0, or -1 without memory */
void rs_irq_events_done(struct rs_irq_sources *q);
/* name: of a line's handler; ignored for a softirq. NULL where there is no room for one more. */
const struct rs_irq_source *rs_irq_events_source(struct rs_irq_sources *q, enum rs_irq_kind kind, uint32_t nr,
						 const char *name);
void rs_irq_events_range_begin(struct rs_session *s);  /* the time range begins */

#endif
