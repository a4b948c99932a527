/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording.h - opens a trace.dat as a source */
#ifndef RS_RECORDING_RECORDING_H
#define RS_RECORDING_RECORDING_H

#include <stdint.h>

struct rs_error;
struct rs_source;

/*
 * The text of the option VERSION in ringside's own recordings: a file without the trailer that it announces
 * is cut off.
 */
#define RS_TRACEDAT_WITH_TRAILER "ringside, with a trailer"

/*
 * rs_tracedat_open - opens a trace.dat of version 6 or 7. buffer: the name of a buffer instance (trace-cmd
 * -B), NULL for the top instance. Returns NULL with err set on error.
 */
struct rs_source *rs_tracedat_open(const char *path, const char *buffer, struct rs_error *err);
/* Likewise, for a file that is already open as path. The caller closes fd; -1: opens path. */
struct rs_source *rs_tracedat_open_fd(int fd, const char *path, const char *buffer, struct rs_error *err);
/*
 * Sets the factor that converts a recording's cycles to ns, taken from another recording of the same counter,
 * for a recording that has none. Call it after opening, before the first page is read.
 */
void rs_tracedat_lend_factor(struct rs_source *source, uint32_t mult, uint32_t shift);
/*
 * Returns the names of the buffer instances, one in each line, "" if there are none. The caller frees them.
 */
char *rs_tracedat_buffers(const char *path, struct rs_error *err);

#endif
