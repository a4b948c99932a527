// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel-probes - the records of kmem's tracepoints, as perf hands them out: fields are where the formats say
 */
#include <string.h>
#include <unistd.h>

#include "source/perf/probe-parts.h"

#define KERNEL_IRQ_FLAGS 0x58 /* common_flags: TRACE_FLAG_HARDIRQ, SOFTIRQ and NMI of the trace format */
#define KERNEL_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)
#define KERNEL_MAX_ORDER 31

struct perf_event_attr rs_kernel_probe_attr(const struct rs_kernel_probe *k)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_TRACEPOINT, .config = k->event_id, .sample_period = 1,
		.sample_type = KERNEL_TYPE | (rs_kernel_probe_allocates(k) ? PERF_SAMPLE_CALLCHAIN : 0),
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
	};
}

static uint64_t kernel_read(struct rs_probe_field f, const uint8_t *raw, uint32_t raw_bytes)
{
	uint64_t v = 0;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint8_t *to = (uint8_t *)&v + sizeof v - f.size_bytes;
#else
	uint8_t *to = (uint8_t *)&v;
#endif
	if (f.size_bytes <= sizeof v && f.offset_bytes + f.size_bytes <= raw_bytes)
		memcpy(to, raw + f.offset_bytes, f.size_bytes);
	return v;
}

/* __data_loc: where the text is, and, above that, its length. */
static void kernel_read_name(const struct rs_kernel_probe *k, const uint8_t *raw, uint32_t raw_bytes,
			     char name[RS_PROBE_NAME_BYTES])
{
	uint32_t at = (uint32_t)kernel_read(k->name, raw, raw_bytes), len = at >> 16;

	at &= 0xffff;
	memset(name, 0, RS_PROBE_NAME_BYTES);
	if (k->name.size_bytes == 4 && at + len <= raw_bytes)
		memcpy(name, raw + at, len < RS_PROBE_NAME_BYTES ? len : RS_PROBE_NAME_BYTES - 1);
}

/*
 * The number of a page becomes its physical address, so that all are bytes. An allocation that failed has
 * none, or all ones.
 */
static bool kernel_read_page(const struct rs_kernel_probe *k, const uint8_t *raw, uint32_t raw_bytes,
			     uint64_t args[RS_PROBE_ARGS])
{
	uint64_t number = kernel_read(k->addr, raw, raw_bytes), order = kernel_read(k->order, raw, raw_bytes),
		 page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!number || number > UINT64_MAX / page_bytes || order > KERNEL_MAX_ORDER)
		return false;
	args[0] = number * page_bytes;
	args[1] = args[2] = page_bytes << order;
	return true;
}

bool rs_kernel_probe_read(const struct rs_kernel_probe *k, const uint8_t *raw, uint32_t raw_bytes,
			  uint64_t args[RS_PROBE_ARGS], char name[RS_PROBE_NAME_BYTES])
{
	*name = '\0';
	memset(args, 0, RS_PROBE_ARGS * sizeof *args);
	/* the task that an interrupt came upon has not asked for its memory */
	if (rs_kernel_probe_allocates(k) && (kernel_read(k->flags, raw, raw_bytes) & KERNEL_IRQ_FLAGS))
		return false;
	if (k->function == RS_PROBE_PAGE_ALLOC || k->function == RS_PROBE_PAGE_FREE)
		return kernel_read_page(k, raw, raw_bytes, args);
	args[0] = kernel_read(k->addr, raw, raw_bytes);
	args[1] = kernel_read(k->asked, raw, raw_bytes);
	args[2] = kernel_read(k->bytes, raw, raw_bytes);
	if (rs_kernel_probe_allocates(k))
		kernel_read_name(k, raw, raw_bytes, name);
	return args[0];
}
