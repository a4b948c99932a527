/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe-parts.h - what probes.c, kernel-probes.c and probe-rate.c share */
#ifndef RS_SOURCE_PERF_PROBE_PARTS_H
#define RS_SOURCE_PERF_PROBE_PARTS_H

#include <linux/perf_event.h>

#include "source/perf/probes.h"

/* Opens an event, off. Returns its descriptor, or -1 with errno set. */
int rs_probes_open_event(struct perf_event_attr *attr, pid_t tid, int cpu);
/* Likewise, with the threads that this one will start. */
int rs_probes_open_inherited(struct perf_event_attr *attr, pid_t tid, int cpu);
/* A sample for each hit of an event of tracefs. */
struct perf_event_attr rs_probes_attr(uint32_t event_id, enum rs_probe_side side);
struct perf_event_attr rs_probes_dummy_attr(void);
/* The same for a tracepoint of kmem. */
struct perf_event_attr rs_kernel_probe_attr(const struct rs_kernel_probe *k);
/*
 * Reads a tracepoint's record; name "": it has none. False: it does not count, it failed or is an
 * interrupt's.
 */
bool rs_kernel_probe_read(const struct rs_kernel_probe *k, const uint8_t *raw, uint32_t raw_bytes,
			  uint64_t args[RS_PROBE_ARGS], char name[RS_PROBE_NAME_BYTES]);
/* Calls fn for each thread. -1: there is no such process, or fn returned it. */
int rs_probes_for_each_thread(const struct rs_probe_target *target, int (*fn)(void *arg, pid_t tid),
			      void *arg);
const struct rs_probe_target *rs_probes_target(const struct rs_probes *p);
int rs_probes_fail(const struct rs_probe_target *target, struct rs_error *err); /* by errno */

#endif
