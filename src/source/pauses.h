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

/* Beyond these the last pause grows: a gap that is too long is true, one that is left out is not. */
#define RS_MAX_PAUSES 256

/* In the trace clock. */
struct rs_pause {
	uint64_t off_ns, on_ns;
};

struct rs_pauses {
	pthread_mutex_t lock;                /* of all that follows */
	size_t nr;
	struct rs_pause list[RS_MAX_PAUSES]; /* in the order of time */
	size_t nr_more;                      /* pauses by which the last one has grown */
	uint64_t more_off_ns;                /* begin of the latest of these */
};

/* How far one reader has read: so many pauses, the last of which ended then. All zero: none. */
struct rs_pauses_cursor {
	size_t nr;
	uint64_t to_ns;
};

/* One more pause, the latest so far; times that go back are corrected. */
void rs_pauses_add(struct rs_pauses *p, uint64_t off_ns, uint64_t on_ns);

/*
 * The next pause behind the cursor; false: there is none. Where the last one has grown by one pause since it was read,
 * that is the next; where it has grown by several, they are one, from the end of what was read on.
 */
bool rs_pauses_peek(struct rs_pauses *p, const struct rs_pauses_cursor *at, struct rs_pause *pause);
/* The same, and moves the cursor behind it. */
bool rs_pauses_next(struct rs_pauses *p, struct rs_pauses_cursor *at, struct rs_pause *pause);
/* A cursor behind all pauses. */
struct rs_pauses_cursor rs_pauses_end(struct rs_pauses *p);

#endif
