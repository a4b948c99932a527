/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-convert.h - rewrites a perf.data as a recording in trace.dat format, so that everything that reads one
 * reads the other
 *
 *	if (rs_perf_convert(fd, path, &progress, &image_fd, err) < 0)
 *		...  it is a perf.data that cannot be read
 *	if (image_fd >= 0)
 *		source = rs_tracedat_open_fd(image_fd, path, NULL, err);   // else it is no perf.data
 *
 * The records of tracepoints become pages, and perf's formats those of the recording; samples, their mappings
 * and what perf says of processes follow. The file has no name, lies where packed recordings are unpacked to,
 * and ends with its last descriptor.
 */
#ifndef RS_PERFDATA_PERF_CONVERT_H
#define RS_PERFDATA_PERF_CONVERT_H

#include "recording/unpack.h"

/*
 * fd: the file, which stays the caller's; -1: opens path. *to: the caller's; -1: it is no perf.data. progress
 * may be NULL.
 */
int rs_perf_convert(int fd, const char *path, const struct rs_unpack_progress *progress, int *to,
		    struct rs_error *err);

#endif
