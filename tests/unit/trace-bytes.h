/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace-bytes.h - any bytes become a recording, and what must hold of every recording
 *
 *	rs_check_bytes(bytes, len, broken);   // calls broken(what) for what does not hold
 *
 * The bytes choose a kernel's layout, the session's options and then event after
 * event. Most of these follow from the one before (who is on a CPU leaves it, a
 * call that began returns), some lie: other tids, CPUs and sectors, switches left
 * out, lost events, times that stand still, leap or go back.
 */
#ifndef TEST_TRACE_BYTES_H
#define TEST_TRACE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

/* What the first bytes ask of the session. */
struct bytes_options {
	bool exact, narrow, no_states;
	unsigned int step, reset_every;  /* events; reset_every 0: never */
	size_t max_tasks;                /* 0: the default */
	unsigned int from, to;           /* in 256ths of the recording; 0: none */
	bool moved;                      /* told back: a thread has execed, its slices and its leader's overlap */
};

/* Closed by ops->close. begin_ns and end_ns: its earliest and latest event. */
struct rs_source *rs_bytes_source(const uint8_t *bytes, size_t len, struct bytes_options *options,
				  uint64_t *begin_ns, uint64_t *end_ns);

/* Runs two sessions over the recording that the bytes make. broken may return: then it goes on. */
void rs_check_bytes(const uint8_t *bytes, size_t len, void (*broken)(const char *what));

#endif
