/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-head.h - what a recording says of the kernel that made it, and of the command it was made of
 */
#ifndef RS_CLI_RECORD_RECORD_HEAD_H
#define RS_CLI_RECORD_RECORD_HEAD_H

#include "base/buf.h"
#include "recording/tracedat-writer.h"
#include "tracefs/tracefs.h"

struct rs_record_head {
	struct rs_tracedat_head head; /* what it points to is below, or the source's */
	struct rs_trace_info info;    /* the source's, and printk_formats */
	char *header_event, *printk_formats, *clocks;
	struct rs_buf command;
	struct rs_format_text *ftrace;
	size_t nr_ftrace;
};

/*
 * To be called while still root: kallsyms hides its addresses from others, so it is opened here and read
 * later. Whatever it returns, rs_record_head_done() follows. -1: err says what cannot be read
 */
int rs_record_head_read(struct rs_record_head *h, const char *tracefs, struct rs_instance *in,
			struct rs_error *err);
/* Copies the source's description as it is now: its tasks are known once tracing is on. */
void rs_record_head_set_info(struct rs_record_head *h, const struct rs_trace_info *info);
/* To be called after rs_record_head_set_info(). pid: of the command; words: end with NULL */
void rs_record_head_set_command(struct rs_record_head *h, int32_t pid, char *const *words);
void rs_record_head_done(struct rs_record_head *h);

#endif
