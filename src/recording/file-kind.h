/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file-kind.h - recognizes files that are not trace.dat by their first bytes
 *
 *	const struct rs_file_kind *kind = rs_file_kind_find(path, head, head_bytes, file_bytes);
 *	if (kind)
 *		rs_fail(err, "'%s' is %s (%s)", path, kind->what, kind->advice);
 */
#ifndef RS_RECORDING_FILE_KIND_H
#define RS_RECORDING_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_TRACEDAT_MAGIC "\x17\x08\x44tracing"
#define RS_TRACEDAT_MAGIC_BYTES 10
#define RS_PERFDATA_MAGIC_BYTES 8

struct rs_file_kind {
	const char *what;    /* "a perf.data, which perf record writes" */
	const char *advice;  /* what to do instead */
};

bool rs_file_kind_is_tracedat(const uint8_t *head, size_t head_bytes);
/* Of either byte order. */
bool rs_file_kind_is_perfdata(const uint8_t *head, size_t head_bytes);

/*
 * Looks at the first bytes, at most 64 KiB of them, and at the path's end. file_bytes: the size of all, 0
 * unknown. NULL: a trace.dat, or nothing that is known here.
 */
const struct rs_file_kind *rs_file_kind_find(const char *path, const uint8_t *head, size_t head_bytes,
					     uint64_t file_bytes);

#endif
