/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * args-reader.h - reads the command lines of processes from /proc, for a table of them
 *
 * A process that holds its mmap_lock makes a reader of its command line wait, however long. So a thread of
 * its own reads them, each once; who asks never waits. Bounded: ARGS_READER_BUDGET new ones in each
 * ARGS_READER_TICK_NS, so that a storm of new programs costs no more than that; what is beyond is not known.
 */
#ifndef RS_SOURCE_LIVE_ARGS_READER_H
#define RS_SOURCE_LIVE_ARGS_READER_H

#include <sys/types.h>
#include <time.h>

#include "source/process-args.h"
#include "source/source.h"

struct rs_args_reader;

/* clock: that of the trace, NULL unknown. plain: secrets stay. NULL: no thread, or no memory. */
struct rs_args_reader *rs_args_reader_begin(const clockid_t *clock, bool plain);
/* Waits for no process: the thread frees what both have. May be NULL. */
void rs_args_reader_end(struct rs_args_reader *r);
pid_t rs_args_reader_tid(const struct rs_args_reader *r);
/* Owned by the reader. */
struct rs_process_args_table *rs_args_reader_table(struct rs_args_reader *r);

/* Has it read, unless it was asked for before. r may be NULL. */
void rs_args_reader_ask(struct rs_args_reader *r, const struct rs_process *of);
/* Asks for those of all processes in a list of tasks, without a limit on how many at once. */
void rs_args_reader_ask_all(struct rs_args_reader *r, const struct rs_initial_task *tasks, size_t nr);
/* Waits until all that were asked for have been read, but not for long. */
void rs_args_reader_wait(struct rs_args_reader *r, unsigned int ms);
/* Reads it at once, in the caller's thread, if it is not in the table yet. Returns the length; 0: unknown. */
size_t rs_args_reader_read(struct rs_args_reader *r, const struct rs_process *of, char *buf,
			   size_t size_bytes);

#endif
