/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-kernel.h - the symbols of the kernel that a perf.data was recorded on, if that kernel runs here
 *
 * A perf.data has none, only the kernel's build-id and an address. A kernel that was booted again lies at
 * another one.
 */
#ifndef RS_PERFDATA_PERF_KERNEL_H
#define RS_PERFDATA_PERF_KERNEL_H

#include "base/buf.h"
#include "decode/sample-record.h"
#include "perfdata/perf-header.h"

/* Returns true for the mapping of the kernel itself. */
bool rs_perf_kernel_is(const struct rs_sample_event *mmap);
/*
 * Adds them as /proc/kallsyms has them; those of another kernel are in ~/.debug, or missing; so are they
 * where addresses are hidden. Returns true if it lies where it was: the recording is of this boot, most
 * likely.
 */
bool rs_perf_kernel_symbols(struct rs_perf_header *h, const struct rs_sample_event *mmap, struct rs_buf *out);

#endif
