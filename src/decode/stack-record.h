/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack-record.h - the kernel's own events kernel_stack and user_stack: the addresses of a stack that was recorded with an event
 */
#ifndef RS_DECODE_STACK_RECORD_H
#define RS_DECODE_STACK_RECORD_H

#include "decode/formats.h"

#define RS_STACK_RECORD_MAX_USER 64u    /* the kernel records 8 */
#define RS_STACK_RECORD_MAX_KERNEL 128u

/* Fields that are bound. */
enum { RS_STACK_RECORD_NR, RS_STACK_RECORD_TGID = RS_STACK_RECORD_NR, RS_STACK_RECORD_CALLERS };

struct rs_stack_record {
	struct rs_bound bound;
	unsigned int long_bytes;
	bool is_user;
};

/* Returns false if the trace has no such event, or its format is not understood. */
bool rs_stack_record_bind(struct rs_stack_record *r, struct rs_formats *formats, const struct rs_trace_info *info, bool is_user);
/*
 * Copies the addresses of an event with this ID, innermost first, at most max. Sets *cut if there may be more. The innermost of a program is
 * where it was; all others are where a call returns to. Returns their number.
 */
unsigned int rs_stack_record_read(const struct rs_stack_record *r, const struct rs_event *ev, uint64_t *addresses, unsigned int max, bool *cut);

#endif
