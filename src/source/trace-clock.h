/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace-clock.h - the trace clocks that user space can read too
 */
#ifndef RS_SOURCE_TRACE_CLOCK_H
#define RS_SOURCE_TRACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* "boot", "mono", "mono_raw", "tai"; false for other clocks: only the kernel can read them. */
bool rs_trace_clock_id(const char *clock, clockid_t *id);
uint64_t rs_trace_clock_ns(clockid_t id); /* any clock of the system, too; 0: it cannot be read */
/* CLOCK_REALTIME minus the clock, now. */
int64_t rs_trace_clock_realtime_offset_ns(clockid_t id);

#endif
