/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pauses.h - when tracing was off on all CPUs (Ctrl-Z, events turned on or off): gaps that no page marks
 *
 * Live, one thread adds a pause before tracing is on again, while others read. All zero is an empty list.
 */
#ifndef RS_SOURCE_PAUSES_H
#define RS_SOURCE_PAUSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With more pauses the last one is extended: a gap that is too long is correct, a missing one is not. */
#define RS_MAX_PAUSES 256

/* In the trace clock. */
struct rs_pause {
	uint64_t off_ns, on_ns;
};

struct rs_pauses {
	pthread_mutex_t lock;                /* protects the members below */
	size_t nr;
	struct rs_pause list[RS_MAX_PAUSES]; /* by time */
	size_t nr_more;                      /* pauses that were added to the last one */
	uint64_t more_off_ns;                /* start of the latest of these */
};

/* How far one reader of the list is. All zero: at its start. */
struct rs_pauses_cursor {
	size_t nr;
	uint64_t to_ns;
};

/* Adds the latest pause; corrects times that go back. */
void rs_pauses_add(struct rs_pauses *p, uint64_t off_ns, uint64_t on_ns);

/*
 * Returns the next pause after the cursor, and advances the cursor, or false. If pauses were added to the last one since it was read, they are
 * the next: one as it is, several as one pause that begins where the last read one ended.
 */
bool rs_pauses_next(struct rs_pauses *p, struct rs_pauses_cursor *at, struct rs_pause *pause);
/* Adds the pauses that end after from_ns and begin at to_ns or before. */
void rs_pauses_copy(struct rs_pauses *to, struct rs_pauses *from, uint64_t from_ns, uint64_t to_ns);
/* Returns a cursor at the end of the list. */
struct rs_pauses_cursor rs_pauses_end(struct rs_pauses *p);

#endif
