/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save.h - a time range, written to a descriptor: the flight recorder's file
 *
 * In constant memory, while the capture goes on: what a window moves on over meanwhile is marked as lost.
 */
#ifndef RS_SERVICE_SAVE_H
#define RS_SERVICE_SAVE_H

#include "base/buf.h"
#include "service/fd-out.h"
#include "query/time-range.h"

struct rs_save {
	const struct rs_time_range_source_config *origin;
	struct rs_time_range_config config; /* analyses, times, the initial task snapshot; trace.dat: analyses are of no use */
	const struct rs_initial_task *created;      /* who began within */
	size_t nr_created;
	struct rs_fd_out out;            /* .fd; and .go_on: shall it go on? */
	/* what came of it */
	enum rs_time_range_why why;
	uint64_t nr_events;
};

/* -1: err; what is written by then stands. "trace.dat", "json", "csv", or a format of export/export.h. */
int rs_save(struct rs_save *save, const char *format, struct rs_error *err);

/* save-tracedat.c: raw pages; save-rows.c: the rows of all views of these analyses */
int rs_save_tracedat(struct rs_save *save, struct rs_error *err);
int rs_save_rows(struct rs_save *save, const char *format, struct rs_error *err);

/* A time range that is run while what it writes to `text` goes out. -1: err. */
int rs_save_run(struct rs_save *save, struct rs_time_range *time_range, struct rs_buf *text,
		struct rs_error *err);
/* The rest of the text. */
int rs_save_flush(struct rs_save *save, struct rs_buf *text, struct rs_error *err);

#endif
