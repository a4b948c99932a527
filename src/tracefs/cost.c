// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cost.c - how long the kernel takes to put one event into its buffer, on this machine
 *
 * trace_marker writes an event of the size that most have, by the way that all go: reserve, stamp, copy, commit. The
 * same write with tracing off does all but that; the difference is the event's. What a tracepoint costs in excess of
 * it (the copying of names, the way to a system call's slow path) is its own; what a filter throws away is cheaper.
 */
#include "tracefs/cost.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "tracefs/file.h"

#define NR_WRITES 500
#define NR_ROUNDS 5

static uint64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* CPU time of so many writes, the least of some rounds: others' interrupts and a cold cache only add. */
static uint64_t time_writes(int fd, unsigned int *nr_taken)
{
	static const char text[] = "what an event costs is measured";
	uint64_t least_ns = UINT64_MAX;

	for (int round = 0; round < NR_ROUNDS; round++) {
		uint64_t begin_ns = thread_ns();

		*nr_taken = 0;
		for (int i = 0; i < NR_WRITES; i++)
			*nr_taken += write(fd, text, sizeof text - 1) > 0;
		begin_ns = thread_ns() - begin_ns;
		least_ns = begin_ns < least_ns ? begin_ns : least_ns;
	}
	return least_ns;
}

void rs_cost_measure(struct rs_instance *in)
{
	int fd = rs_file_open(in->path, "trace_marker", O_WRONLY), cleared;
	unsigned int nr_refused, nr_taken;
	uint64_t off_ns, on_ns;

	if (fd < 0)
		return;
	off_ns = time_writes(fd, &nr_refused); /* the kernel says EBADF, after the same way there */
	rs_instance_pause(in, false);
	on_ns = time_writes(fd, &nr_taken);
	rs_instance_pause(in, true);
	close(fd);
	if (on_ns > off_ns && nr_taken == NR_WRITES)
		in->event_cost_ns = (on_ns - off_ns) / NR_WRITES;
	cleared = rs_file_open(in->path, "trace", O_WRONLY | O_TRUNC); /* the opening empties the buffer */
	if (cleared >= 0)
		close(cleared);
}
