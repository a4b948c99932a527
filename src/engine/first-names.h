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

#include "decode/formats.h"
#include "source/source.h"

#define RS_FIRST_NAMES_BYTES (1ull << 30) /* so far they are looked for: half a second of one CPU */

struct rs_first_names;

/*
 * rs_first_names_new - source is for this alone, stays the caller's, and outlives
 * it; formats, of the same recording, are looked into now. max_bytes of pages are
 * read at most, about; what is named later keeps the name of the file's list.
 * NULL: no memory, or no event that it knows.
 */
struct rs_first_names *rs_first_names_new(struct rs_source *source, struct rs_formats *formats, uint64_t max_bytes);
void rs_first_names_free(struct rs_first_names *n);

/*
 * The name of a tid's first life, before an event has told it; NULL where none does, up to to_ns (0: to the end). now:
 * the event that it comes up in, NULL none. n may be NULL. RS_COMM_LEN bytes, filled up with 0, until the next call.
 */
const char *rs_first_names_get(struct rs_first_names *n, int32_t tid, const struct rs_event *now, uint64_t to_ns);

#endif
