/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starvation.h - whether the threads of a capture get the CPU time that they ask for
 *
 * A capture is starved in a second of which one of its threads has waited for a CPU half or more. A loaded
 * machine delays a thread by milliseconds; this one falls behind, and the kernel has no room for its events
 * soon. The session goes on: this is when a flight recorder is wanted, and its user must know what was
 * missed, and why.
 */
#ifndef RS_SOURCE_LIVE_STARVATION_H
#define RS_SOURCE_LIVE_STARVATION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "source/live/own-threads.h"

/* The sums of a thread when it was last read; 0: when it began. */
struct rs_starvation_thread {
	char state;               /* its letter */
	uint64_t cpu_ns, wait_ns;
	uint64_t early_ns;        /* of a wait that had not ended: counted, and not part of wait_ns yet */
};

/*
 * Returns how long a thread has waited for a CPU since the last call, elapsed_ns ago. A thread that was
 * runnable then and now, and has used no CPU time between, still waits.
 */
uint64_t rs_starvation_waited_ns(struct rs_starvation_thread *t, char state, uint64_t cpu_ns,
				 uint64_t wait_ns, uint64_t elapsed_ns);

/* Times are of CLOCK_MONOTONIC. */
struct rs_starvation {
	_Atomic uint64_t all_ns;   /* of all starved seconds */
	_Atomic uint64_t last_ns;  /* when the last one ended; 0: never */
	_Atomic uint64_t added_ns; /* of the last call of rs_starvation_add; 0: none */
};

/*
 * About once a second: the thread that waited longest has waited for waited_ns since the last call,
 * elapsed_ns ago.
 */
void rs_starvation_add(struct rs_starvation *s, uint64_t waited_ns, uint64_t elapsed_ns, uint64_t now_ns);

/*
 * Any thread, at any time. Is it starved, or was it in the last seconds? It is told a while longer, so that
 * it can be noticed. Where rs_starvation_add is late, the thread that calls it is starved itself.
 */
bool rs_starvation_is_on(const struct rs_starvation *s, uint64_t now_ns);
uint64_t rs_starvation_ns(const struct rs_starvation *s, uint64_t now_ns); /* the sum so far */

#endif
