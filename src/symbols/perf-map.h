/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-map.h - functions that a program has made at run time, from the file /tmp/perf-PID.map that it writes
 * for profilers
 *
 * A line is "START SIZE name", numbers in hex (tools/perf/Documentation/jit-interface.txt). The file is
 * untrusted: its owner must be the process' user or root, it is a regular file, and it is read up to a limit.
 */
#ifndef RS_SYMBOLS_PERF_MAP_H
#define RS_SYMBOLS_PERF_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct rs_perf_map {
	struct rs_perf_map_function {
		uint64_t address, bytes;
		const char *name;       /* into a chunk */
		/* a later line replaces an earlier one: the program has made other code there */
		uint32_t order;
	} *functions;
	size_t nr, room;
	struct perf_map_chunk *chunks; /* the lines that were read, the last ones first */
	int64_t read_bytes;          /* of the file, so far */
	/* when it must have been written last, in CLOCK_REALTIME; to_ns 0: at any time */
	int64_t from_ns, to_ns;
};

/*
 * Reads what the program has added to the file since. Names that were returned before stay valid. owner: the
 * uid of the process; -1 unknown: then the file must be root's.
 */
void rs_perf_map_read(struct rs_perf_map *m, const char *path, uid_t owner);
/*
 * Returns true if the process runs: *uid is its user, and *start_ns when it began, in CLOCK_REALTIME. False
 * also if /proc does not show it.
 */
bool rs_perf_map_process(int32_t pid, uid_t *uid, int64_t *start_ns);
void rs_perf_map_done(struct rs_perf_map *m);
/* NULL: no function of the file covers the address. */
const char *rs_perf_map_function(const struct rs_perf_map *m, uint64_t address);

#endif
