// SPDX-License-Identifier: GPL-2.0-or-later
/* trace-clock - the trace clocks that user space can read too */
#include "source/trace-clock.h"

#include <stddef.h>
#include <string.h>

bool rs_trace_clock_id(const char *clock, clockid_t *id)
{
	static const struct { const char *name; clockid_t id; } clocks[] = {
		{ "boot", CLOCK_BOOTTIME },
		{ "mono", CLOCK_MONOTONIC },
		{ "mono_raw", CLOCK_MONOTONIC_RAW },
		{ "tai", CLOCK_TAI },
	};

	for (size_t i = 0; clock && i < sizeof clocks / sizeof *clocks; i++)
		if (!strcmp(clock, clocks[i].name)) {
			*id = clocks[i].id;
			return true;
		}
	return false;
}

uint64_t rs_trace_clock_ns(clockid_t id)
{
	struct timespec t = { 0 };

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The least interrupted of a few tries: the clock is read before and after. */
int64_t rs_trace_clock_realtime_offset_ns(clockid_t id)
{
	uint64_t least_ns = UINT64_MAX;
	int64_t offset_ns = 0;

	for (int i = 0; i < 5; i++) {
		uint64_t before = rs_trace_clock_ns(id), real = rs_trace_clock_ns(CLOCK_REALTIME),
			 took = rs_trace_clock_ns(id) - before;

		if (took < least_ns) {
			least_ns = took;
			offset_ns = (int64_t)(real - (before + took / 2));
		}
	}
	return offset_ns;
}
