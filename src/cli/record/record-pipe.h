/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-pipe.h - record -o -: a trace.dat on standard output
 *
 * Its begin is known at its end only. So it is recorded to a file without a name, which is copied then, and
 * is gone however the program ends.
 */
#ifndef RS_CLI_RECORD_RECORD_PIPE_H
#define RS_CLI_RECORD_RECORD_PIPE_H

#include "recording/tracedat-writer.h"

/* Before the capture. Refuses a terminal. NULL: err is set */
struct rs_tracedat_writer *rs_record_pipe_open(unsigned int nr_cpus, size_t page_bytes, struct rs_error *err);
/* After rs_tracedat_writer_finish. A reader that has closed the pipe is no error. */
int rs_record_pipe_copy(const struct rs_tracedat_writer *writer, struct rs_error *err);

#endif
