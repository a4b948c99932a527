/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack-record.h - the kernel's own events kernel_stack and user_stack: the addresses of a stack that was
 * recorded with an event
 */
#ifndef RS_DECODE_STACK_RECORD_H
#define RS_DECODE_STACK_RECORD_H

#include "decode/formats.h"
#include "decode/page.h"
#include "decode/sample-record.h"

#define RS_STACK_RECORD_MAX_USER 64u    /* the kernel records 8 */
#define RS_STACK_RECORD_MAX_KERNEL 128u

/* Fields that are bound. */
enum { RS_STACK_RECORD_NR, RS_STACK_RECORD_TGID = RS_STACK_RECORD_NR, RS_STACK_RECORD_CALLERS };

struct rs_stack_record {
	struct rs_bound bound;
	unsigned int long_bytes;
	bool is_user;
};

/* A callchain of perf: the kernel's addresses, and the program's, innermost first. */
struct rs_stack_chain {
	uint64_t kernel[RS_STACK_RECORD_MAX_KERNEL], user[RS_STACK_RECORD_MAX_USER];
	unsigned int nr_kernel, nr_user;
};

/* Where the parts of a record are that is written. */
struct rs_stack_place {
	uint16_t id, first_at, callers_at; /* first: the number of addresses; of a user_stack the process */
};

#define RS_STACK_RECORD_HEAD_BYTES 8u   /* type, flags, preempt count and task: of all events since 2.6.33 */

/* Returns false if the trace has no such event, or its format is not understood. */
bool rs_stack_record_bind(struct rs_stack_record *r, struct rs_formats *formats,
			  const struct rs_trace_info *info, bool is_user);
/*
 * Copies the addresses of an event with this ID, innermost first, at most max. Sets *cut if there may be
 * more. The innermost of a program is where it was; all others are where a call returns to. Returns their
 * number.
 */
unsigned int rs_stack_record_read(const struct rs_stack_record *r, const struct rs_event *ev,
				  uint64_t *addresses, unsigned int max, bool *cut);

/* Addresses of guests, and those that are too many, are left out. */
void rs_stack_record_split(const struct rs_sample_event *ev, struct rs_stack_chain *chain);
/*
 * Writes a stack as the kernel's own records have it. head: the first RS_STACK_RECORD_HEAD_BYTES of its
 * event's record, so that a reader knows whose it is. Without memory out->failed is set.
 */
void rs_stack_record_put_kernel(struct rs_buf *out, const struct rs_page_layout *layout,
				const struct rs_stack_place *place, const uint8_t *head,
				const struct rs_stack_chain *chain);
void rs_stack_record_put_user(struct rs_buf *out, const struct rs_page_layout *layout,
			      const struct rs_stack_place *place, const uint8_t *head,
			      const struct rs_stack_chain *chain, int32_t pid);

#endif
