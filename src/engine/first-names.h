/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first-names.h - what the first event that names a task calls it, for the time before that event
 *
 * A row of a stream is printed as it ends, and the task may be named only later;
 * a table knows by the end. So another reading of the file goes ahead, for names
 * alone: no states, one look at most events' type, and only as far as it takes
 * to find the name that is asked for, which is most often not far.
 */
#ifndef RS_ENGINE_FIRST_NAMES_H
#define RS_ENGINE_FIRST_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

struct rs_first_names;

/*
 * rs_first_names_new - source is for this alone, stays the caller's, and outlives
 * it. max_bytes of pages are read at most, about; what is named later keeps the
 * name of the file's list. NULL: no memory, or no event that it knows.
 */
struct rs_first_names *rs_first_names_new(struct rs_source *source, uint64_t max_bytes);
void rs_first_names_free(struct rs_first_names *n);

/*
 * The name of a tid's first life, before an event has told it; NULL where none
 * does, up to to_ns (0: to the end). n may be NULL. Lives until the next call.
 */
const char *rs_first_names_get(struct rs_first_names *n, int32_t tid, uint64_t to_ns);

#endif
