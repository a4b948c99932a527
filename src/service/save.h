/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save.h - writes a time range to a descriptor: the flight recorder's file
 *
 * Uses constant memory, while the capture goes on. Pages that the window drops meanwhile are marked as lost.
 */
#ifndef RS_SERVICE_SAVE_H
#define RS_SERVICE_SAVE_H

#include "base/buf.h"
#include "service/fd-out.h"
#include "query/time-range.h"

struct rs_save {
	const struct rs_time_range_source_config *origin;
	struct rs_time_range_config config; /* analyses, times, the initial task snapshot; trace.dat ignores the analyses */
	const struct rs_initial_task *created;      /* tasks created in the time range */
	size_t nr_created;
	struct rs_fd_out out;            /* .fd; .go_on returns false to stop */
	/* results */
	enum rs_time_range_why why;
	uint64_t nr_events;
};

/* format: "trace.dat", "json", "csv", or a format of export/export.h. Returns -1 with err; what was written stays. */
int rs_save(struct rs_save *save, const char *format, struct rs_error *err);

/* save-tracedat.c: raw pages; save-rows.c: the rows of all views of these analyses */
int rs_save_tracedat(struct rs_save *save, struct rs_error *err);
int rs_save_rows(struct rs_save *save, const char *format, struct rs_error *err);

/* Runs a time range, and writes what it adds to `text` as it goes. Returns -1 with err. */
int rs_save_run(struct rs_save *save, struct rs_time_range *time_range, struct rs_buf *text,
		struct rs_error *err);
/* Writes the rest of the text. */
int rs_save_flush(struct rs_save *save, struct rs_buf *text, struct rs_error *err);

#endif
