/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpack.h - unpacks a file that gzip, xz or zstd has packed, so that it can be read at any offset
 *
 *	if (rs_unpack_open(path, &progress, &fd, err) < 0)
 *		...  it is packed and cannot be unpacked, or holds no recording
 *	if (fd >= 0)
 *		source = rs_tracedat_open_fd(fd, path, ...);  // else path itself is what to open
 *
 * It goes to a file without a name in $TMPDIR, else /var/tmp, which is gone when the last one has closed it.
 * Memory is bounded by what the formats' windows take, at most 128 MiB; the file by what the folder's disk
 * can spare.
 */
#ifndef RS_RECORDING_UNPACK_H
#define RS_RECORDING_UNPACK_H

#include <stdint.h>

#include "base/error.h"

struct rs_unpack_progress {
	/* of the packed file; NULL: not shown */
	void (*step)(void *arg, uint64_t done_bytes, uint64_t all_bytes);
	void *arg;
};

/*
 * 0: *fd is the unpacked file, the caller's; -1 if path is not packed, or cannot be read at all. -1: err is
 * set.
 */
int rs_unpack_open(const char *path, const struct rs_unpack_progress *progress, int *fd,
		   struct rs_error *err);

/* Where such files are made: $TMPDIR, else /var/tmp. */
const char *rs_unpack_folder(void);
/* Makes one, O_CLOEXEC; -1: errno says why. */
int rs_unpack_nameless(void);

#endif
