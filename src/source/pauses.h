/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pauses.h - when events of all CPUs are missing and no page marks the gap: tracing was off (Ctrl-Z, events
 * turned on or off), or another program had changed what is recorded
 *
 * Live, one thread adds a pause while others read: its own before tracing is on again, a change by another
 * program when it is noticed, which is up to a second later. All zero is an empty list.
 */
#ifndef RS_SOURCE_PAUSES_H
#define RS_SOURCE_PAUSES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With more pauses the last one is extended: a gap that is too long is correct, a missing one is not. */
#define RS_MAX_PAUSES 256

#define RS_PAUSE_WHAT_BYTES 96

/* In the trace clock. */
struct rs_pause {
	uint64_t off_ns, on_ns;
	/* that another program changed: "tracing_on 0"; "": the session itself turned tracing off */
	char what[RS_PAUSE_WHAT_BYTES];
};

struct rs_pauses {
	pthread_mutex_t lock;                /* protects the members below */
	size_t nr;
	struct rs_pause list[RS_MAX_PAUSES]; /* by time */
	size_t nr_more;                      /* how often the last one was extended */
	uint64_t more_off_ns;                /* start of the latest extension */
};

/* How far one reader of the list is. All zero: at its start. */
struct rs_pauses_cursor {
	size_t nr, nr_more;
	uint64_t to_ns;
};

/* Adds the latest pause; corrects times that go back, or that are later than any clock's. */
void rs_pauses_add(struct rs_pauses *p, uint64_t off_ns, uint64_t on_ns);
/*
 * The same with .what. A change that begins where the last one ends, with the same .what, extends that one.
 */
void rs_pauses_put(struct rs_pauses *p, const struct rs_pause *pause);

/*
 * Returns the next pause after the cursor, and advances the cursor, or false. If the last pause was extended
 * since it was read, the extension is the next: one as it was added, several as one that begins where the
 * last read pause ended.
 */
bool rs_pauses_next(struct rs_pauses *p, struct rs_pauses_cursor *at, struct rs_pause *pause);
/* Adds the pauses that end after from_ns and begin at to_ns or before. */
void rs_pauses_copy(struct rs_pauses *to, struct rs_pauses *from, uint64_t from_ns, uint64_t to_ns);
/* Returns a cursor at the end of the list. */
struct rs_pauses_cursor rs_pauses_end(struct rs_pauses *p);

#endif
