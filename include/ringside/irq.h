/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * irq.h - an interrupt or softirq that ended, as matched by the engine
 */
#ifndef RINGSIDE_IRQ_H
#define RINGSIDE_IRQ_H

#include "task.h"

#define RS_IRQ_NAME_LEN 64
#define RS_MAX_IRQ_SOURCES 1024 /* a hostile file may name any number */

enum rs_irq_kind { RS_HARDIRQ, RS_SOFTIRQ };

/*
 * What interrupts: a handler of an interrupt line (a line that is shared has
 * several, each a source of its own), or a softirq vector. Lives as long as the
 * session, so that the pointer is the identity.
 */
struct rs_irq_source {
	enum rs_irq_kind kind;
	uint32_t nr;                /* the line, the vector */
	uint32_t index;             /* counts the sources from 0: for arrays of RS_MAX_IRQ_SOURCES */
	char name[RS_IRQ_NAME_LEN]; /* "eth0", "NET_RX"; "" unknown */
	/* requests of a disk have completed in it: it is a part of the time that the disk takes */
	bool ends_requests;
};

struct rs_irq {
	const struct rs_irq_source *source;
	struct rs_task *task;       /* whom it interrupted; NULL: the CPU was idle */
	uint64_t from_ns, to_ns;
	uint64_t own_ns;            /* without what interrupted it in turn */
	uint64_t own_inside_ns;     /* of that, what lies inside the time range */
	uint16_t cpu;
	bool in_flight;             /* the time range ends at to_ns, the interrupt does not */
};

/* "irq", "softirq" */
static inline const char *rs_irq_kind_name(enum rs_irq_kind kind)
{
	return kind == RS_HARDIRQ ? "irq" : "softirq";
}

/* NULL: no room for one more */
const struct rs_irq_source *rs_softirq_source(struct rs_ctx *c, uint32_t vec);

#endif
