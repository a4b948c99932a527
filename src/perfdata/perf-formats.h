/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-formats.h - the formats of tracepoints, which perf writes into a perf.data as trace-cmd writes them
 * into a trace.dat
 */
#ifndef RS_PERFDATA_PERF_FORMATS_H
#define RS_PERFDATA_PERF_FORMATS_H

#include "source/source.h"

struct rs_perf_formats {
	bool big_endian;
	unsigned int long_bytes;
	struct rs_text header_page, header_event, printk_formats;
	struct rs_format_text *formats;
	size_t nr, room;
};

/* The texts point into data. NULL, or what is wrong; rs_perf_formats_done in any case. */
const char *rs_perf_formats_read(struct rs_perf_formats *f, const uint8_t *data, size_t len);
/* system is not copied. Returns false without memory. */
bool rs_perf_formats_add(struct rs_perf_formats *f, const char *system, struct rs_text text);
bool rs_perf_formats_have(const struct rs_perf_formats *f, const char *system, const char *name);
void rs_perf_formats_done(struct rs_perf_formats *f);

#endif
