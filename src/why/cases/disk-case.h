/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disk-case.h - what a rule about waits for a disk judges; the state of the analysis is a struct rs_disk_use
 */
#ifndef RS_WHY_CASES_DISK_CASE_H
#define RS_WHY_CASES_DISK_CASE_H

#include "ringside/plugin.h"
#include "why/disk-use.h"
#include "why/evaluate.h"

/* Why a disk serves another: it asked itself, or the kernel's threads do it for what it writes, or flushes.
 */
enum rs_disk_reason { RS_FOR_ITSELF, RS_FOR_WRITE_BACK, RS_FOR_COMMITS };

enum rs_disk_wait {
	RS_IN_DEVICE,
	RS_IN_BEFORE,
	RS_IN_FAULT,
	RS_IN_FLUSH,
	RS_IN_JOURNAL,
	RS_IN_WRITE,
	RS_IN_DIRTY,
	RS_IN_RETURN,
	RS_IN_KERNEL,
	RS_NR_DISK_WAITS
};

struct rs_disk_case {
	struct rs_case of;                            /* .e: of the kind .most, the costliest */
	uint64_t ns[RS_NR_DISK_WAITS];
	const struct rs_blame_entry *first[RS_NR_DISK_WAITS]; /* the costliest */
	uint64_t others_ns, own_write_ns, queued_ns;
	/* of all: runnable, while the disk's interrupts had its CPU */
	uint64_t irq_ns;
	/* that the wait is for, or because of; .amount: for how long */
	struct rs_disk_user other;
	enum rs_disk_reason reason;                   /* why the disk serves that one */
	uint32_t dev;                                 /* of the costliest wait that has one; 0: unknown */
	enum rs_disk_wait most;
	bool is_of_flush;                             /* the row that is true is about flushes */
	char name[80];                                /* of the culprit, if it is a device */
	char number[32];
};

/* Fills the case of .of.b: the kinds of its waits, and the costliest. */
void rs_disk_case_gather(struct rs_disk_case *k);
/* Finds who has most of the device meanwhile. Processes of its own name do what it does. */
void rs_disk_case_find_other(struct rs_disk_case *k);
/* Returns who waits most for flushes of its own, of the others; NULL: unknown. */
const struct rs_blame *rs_disk_case_flusher(struct rs_ctx *c, const struct rs_blame *victim);
uint64_t rs_disk_case_own_flush_ns(struct rs_ctx *c, const struct rs_blame *b);
bool rs_disk_case_is_journal(const struct rs_blame_entry *e);
/* Returns the disk that the waits are for; 0: unknown. */
uint32_t rs_disk_case_dev(const struct rs_disk_case *k);

#endif
