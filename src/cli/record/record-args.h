/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-args.h - the command lines of processes, read while a recording is made
 *
 * A process that holds its mmap_lock makes a reader of its command line wait, however long. So a thread of
 * its own reads them, of the processes that there are at the begin, then of those that are new at the end;
 * the end waits for it a moment only.
 *
 * Bounded: RECORD_ARGS_MAX processes, RECORD_ARGS_BYTES of each.
 */
#ifndef RS_CLI_RECORD_RECORD_ARGS_H
#define RS_CLI_RECORD_RECORD_ARGS_H

#include "source/source.h"

#define RECORD_ARGS_MAX 4096u
#define RECORD_ARGS_BYTES 256u

struct rs_record_args;

/* NULL: no thread, or no memory: nothing is read. initial: their first threads are those that are read. */
struct rs_record_args *rs_record_args_begin(const struct rs_initial_task *initial, size_t nr);
/*
 * Reads those of tasks that are new, and sets args and nr_args of info: valid until the process ends. args
 * may be NULL.
 */
void rs_record_args_end(struct rs_record_args *args, const struct rs_initial_task *living, size_t nr,
			struct rs_trace_info *info);

#endif
