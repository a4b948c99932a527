/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first-names.h - the name that the first event to name a task gives it, for the time before that event
 *
 * A row of a stream is printed as it ends, and the task may be named only later; a table has the name by the
 * end. So another reader of the file runs ahead, for names alone: it keeps no states, checks only the type of
 * most events, and reads only up to the name that is needed, which is usually near.
 */
#ifndef RS_ENGINE_FIRST_NAMES_H
#define RS_ENGINE_FIRST_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/formats.h"
#include "source/source.h"

#define RS_FIRST_NAMES_BYTES (1ull << 30) /* reads at most this far ahead: half a second of one CPU */

struct rs_first_names;

/*
 * rs_first_names_new - source is used by this alone, belongs to the caller, and outlives it; formats are
 * those of the same recording. Reads about max_bytes of pages at most; a task that is named later keeps the
 * name from the file's list. Returns NULL without memory, or if the recording has none of the events that
 * name tasks.
 */
struct rs_first_names *rs_first_names_new(struct rs_source *source, struct rs_formats *formats,
					  uint64_t max_bytes);
void rs_first_names_free(struct rs_first_names *n);

/*
 * Returns the name of a tid's first task instance before an event named it; NULL if none does up to to_ns (0:
 * to the end). now: the event at hand, may be NULL. n may be NULL. RS_COMM_LEN bytes, padded with 0, valid
 * until the next call.
 */
const char *rs_first_names_get(struct rs_first_names *n, int32_t tid, const struct rs_event *now,
			       uint64_t to_ns);

#endif
