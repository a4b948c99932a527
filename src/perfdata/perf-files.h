/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf-files.h - the build-ids of files that a perf.data names without one
 *
 * perf saves those of files that a sample was in, and from a pipe none. A file of this machine has the right
 * one if it is certain that this very file was mapped: since this boot, with this inode, and unchanged since
 * before the recording began.
 */
#ifndef RS_PERFDATA_PERF_FILES_H
#define RS_PERFDATA_PERF_FILES_H

#include "base/map.h"
#include "decode/sample-record.h"
#include "perfdata/perf-header.h"

struct rs_perf_files {
	struct rs_map by_path;
	/* when the recording began, by the clock of this machine; 0: it is of another boot */
	int64_t begin_wall_ns;
};

/* Returns false without memory; rs_perf_files_done in any case. */
bool rs_perf_files_init(struct rs_perf_files *f);
void rs_perf_files_done(struct rs_perf_files *f);
/* The recording was made on this host since its last boot: its first record is of begin_ns. */
void rs_perf_files_same_boot(struct rs_perf_files *f, const struct rs_perf_header *h, uint64_t begin_ns);
/* NULL: none is known. */
const struct rs_perf_build_id *rs_perf_files_build_id(struct rs_perf_files *f,
						      const struct rs_sample_event *mmap);

#endif
