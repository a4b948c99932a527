// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cost.c - how long the kernel takes to put one event into its buffer, on this machine
 *
 * trace_marker writes an event of the size that most have, by the way that all go: reserve, stamp, copy, commit. The
 * same write with tracing off does all but that; the difference is the event's. A system call can be made at will, so
 * what its two events cost is measured as it is: with them it takes the kernel's slow way. What other tracepoints cost
 * in excess of the marker (names that are copied) is not in it; what a filter throws away is cheaper.
 */
#include "tracefs/cost.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tracefs/tracefs-file.h"

#define NR_DONE 500
#define NR_ROUNDS 5

static uint64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static unsigned int nr_written; /* of the last round */

static void write_markers(int fd)
{
	static const char text[] = "what an event costs is measured";

	nr_written = 0;
	for (int i = 0; i < NR_DONE; i++)
		nr_written += write(fd, text, sizeof text - 1) > 0; /* with tracing off: EBADF, after the same way there */
}

static void make_calls(int ignored)
{
	for (int i = 0; i < NR_DONE; i++)
		syscall(SYS_getppid);
}

/* CPU time of a round, the least of some: others' interrupts and a cold cache only add. */
static uint64_t time_rounds(void (*round)(int fd), int fd)
{
	uint64_t least_ns = UINT64_MAX;

	for (int i = 0; i < NR_ROUNDS; i++) {
		uint64_t begin_ns = thread_ns(), ns;

		round(fd);
		ns = thread_ns() - begin_ns;
		least_ns = ns < least_ns ? ns : least_ns;
	}
	return least_ns;
}

static void measure_events(struct rs_instance *in)
{
	int fd = rs_tracefs_file_open(in->tracefs, "trace_marker", O_WRONLY);
	uint64_t off_ns, on_ns;

	if (fd < 0)
		return;
	off_ns = time_rounds(write_markers, fd);
	rs_instance_pause(in, false);
	on_ns = time_rounds(write_markers, fd);
	rs_instance_pause(in, true);
	if (on_ns > off_ns && nr_written == NR_DONE)
		in->event_cost_ns = (on_ns - off_ns) / NR_DONE;
	close(fd);
}

static bool cost_has_calls(const struct rs_plan *plan)
{
	for (size_t i = 0; i < plan->nr_events; i++)
		if (!strcmp(plan->events[i].system, "raw_syscalls"))
			return true;
	return false;
}

/* Everybody's calls are traced for these few milliseconds, as they soon will be. */
static void measure_calls(struct rs_instance *in)
{
	uint64_t off_ns = time_rounds(make_calls, -1), on_ns;

	rs_instance_pause(in, false);
	if (rs_tracefs_file_write(in->tracefs, "events/raw_syscalls/enable", "1") == 0) {
		on_ns = time_rounds(make_calls, -1);
		if (on_ns > off_ns)
			in->call_cost_ns = (on_ns - off_ns) / NR_DONE / 2;
	}
	rs_tracefs_file_write(in->tracefs, "events/raw_syscalls/enable", "0");
	rs_instance_pause(in, true);
}

void rs_cost_measure(struct rs_instance *in)
{
	int cleared;

	measure_events(in);
	if (cost_has_calls(in->plan))
		measure_calls(in);
	cleared = rs_tracefs_file_open(in->tracefs, "trace",
				       O_WRONLY | O_TRUNC); /* the opening empties the buffer */
	if (cleared >= 0)
		close(cleared);
}
