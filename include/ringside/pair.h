/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair.h - two moments that belong together, for an analysis that knows which only when it is asked
 *
 *	static size_t pairs(const struct rs_pair_words *asked, struct rs_pair *pairs, size_t max)
 *	{
 *		pairs[0] = (struct rs_pair){ "kvm:kvm_exit", "kvm:kvm_entry", .key = "task" };
 *		return 1;
 *	}
 *
 * The engine binds the events and the key, and matches: an end belongs to the begin of the same key that came last.
 * Loss, unmatched ends, what is in flight and what had no room are its matter.
 */
#ifndef RINGSIDE_PAIR_H
#define RINGSIDE_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "task.h"

#define RS_MAX_PAIRS 64

/* What follows the view's name on the command line. */
struct rs_pair_words {
	const char *const *words;
	size_t nr_words;
	const char *key;             /* --key; NULL not given */
};

struct rs_pair {
	/*
	 * "SYSTEM:EVENT", or "EVENT" alone. With one '*' in both ("irq_vectors:*_entry", "irq_vectors:*_exit") a pair for
	 * each event that matches. The same event twice: each ends what the one before began.
	 */
	const char *begin, *end;
	const char *key;             /* "task", "cpu", or a field that both events have */
	bool nests;                  /* begins of one key nest: an end belongs to the innermost */
	bool on_cpu;                 /* it happens to a CPU, whichever task is there */
	bool required;               /* the user named it: where an event is missing that is said. Else there is no such pair */
	/* Of one event that both begins and ends: it ends where this field is end_value, and begins where it is not */
	const char *state;
	uint64_t end_value;
};

/* One that was found in this trace: names for who shows it, as long as the session lives. */
struct rs_pair_name {
	const char *begin, *end;     /* "kvm_exit" */
	const char *key;
	bool on_cpu, by_task, by_cpu;
};

/* A pair that ended; or, with .in_flight, one that is in flight, up to now. */
struct rs_pair_end {
	unsigned int index;          /* which: rs_pair_name */
	uint64_t key;                /* the field's value; of "task" and "cpu" nothing that is shown */
	uint64_t begin_ns, end_ns;
	uint16_t begin_cpu, end_cpu;
	struct rs_task *task;        /* in whose context it began; NULL: idle, forgotten, or it happens to a CPU (.on_cpu) */
	unsigned int depth;          /* of those of its key that it lies in */
	bool in_flight;
};

/* What was counted of a pair. */
struct rs_pair_counts {
	uint64_t in_flight;
	uint64_t unmatched;          /* ends without a begin, and begins that the next begin of their key came after */
	uint64_t discarded;          /* begins that a loss made uncertain */
};

#endif
