/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-head.h - what a recording tells of the kernel that made it, read while still root
 *
 *	struct rs_record_head h;
 *	rs_record_head_read(&h, tracefs, instance, source, &err);
 *	rs_tracedat_writer_begin(w, &h.head, &err);
 *	rs_record_head_done(&h);
 */
#ifndef RS_CLI_RECORD_HEAD_H
#define RS_CLI_RECORD_HEAD_H

#include "base/buf.h"
#include "export/tracedat-writer.h"
#include "tracefs/tracefs.h"

#define RS_RECORD_COMMAND_BYTES 200 /* about: of the words of a command, to be known again by */

struct rs_record_head {
	struct rs_tracedat_head head; /* what it points to is below, or the source's */
	struct rs_trace_info info;    /* the source's, and printk_formats */
	char *header_event, *printk_formats, *clocks;
	struct rs_buf command;
	struct rs_format_text *ftrace;
	size_t nr_ftrace;
};

/* kallsyms is opened here, since it hides its addresses from others than root, and read later. */
int rs_record_head_read(struct rs_record_head *h, const char *tracefs, struct rs_instance *in,
			struct rs_error *err);
/* Takes the source's description as it is now: its tasks are known once tracing is on. */
void rs_record_head_set_info(struct rs_record_head *h, const struct rs_trace_info *info);
/* After that: what the recording is of. words: ends with NULL */
void rs_record_head_set_command(struct rs_record_head *h, int32_t pid, char *const *words);
void rs_record_head_done(struct rs_record_head *h);

#endif
