/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save.h - writes a time range to a descriptor: the flight recorder's file
 *
 * Uses constant memory, while the capture goes on. Pages that the window drops meanwhile are marked as lost.
 */
#ifndef RS_SERVICE_SAVE_H
#define RS_SERVICE_SAVE_H

#include "base/buf.h"
#include "query/time-range.h"

/*
 * A descriptor that a client opened, whose reader may stop reading. A pipe with a stopped reader must not
 * block a thread forever: each write waits for room first, and writes no more than fits at once. The
 * descriptor's flags stay unchanged, because they are shared with the client. The caller ignores SIGPIPE.
 */
struct rs_save_output {
	int fd;
	bool (*go_on)(void *arg);  /* called before each write; false: the client has closed. May be NULL */
	void *arg;
	int stall_ms;              /* gives up after this time without progress; 0: ten seconds */
	bool is_file;              /* set by rs_save */
	uint64_t bytes;            /* written */
};

struct rs_export;

struct rs_save {
	const struct rs_time_range_source_config *origin;
	/* analyses, times, the initial task snapshot; trace.dat ignores the analyses */
	struct rs_time_range_config config;
	const struct rs_initial_task *created;      /* tasks created in the time range */
	size_t nr_created;
	struct rs_save_output out;            /* .fd; .go_on returns false to stop */
	struct rs_export *export;             /* set by rs_save: whose output is written; NULL: none */
	/* results */
	enum rs_time_range_why why;
	uint64_t nr_events;
};

struct rs_save_format {
	const char *name, *endings; /* of files' names, each with its dot */
	const char *help;
};

/* The formats that rs_save() writes, by their number from 0 on. Returns false behind the last. */
bool rs_save_format(size_t number, struct rs_save_format *format);
/* Returns -1 with err; what was written stays. */
int rs_save(struct rs_save *save, const char *format, struct rs_error *err);

#endif
