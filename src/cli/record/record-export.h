/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-export.h - record --export: what was recorded, in another program's format, once the capture has
 * ended
 *
 *	rs_record_export_choose(&e, opt, "trace.dat", &err);   // before the capture: while root, and without
 *	                                                       // threads
 *	rs_record_export_open(&e, writer, &err);               // while root
 *	... the capture
 *	rs_record_export_run(&e, finished, &err);              // always
 *
 * A stream of bytes is written by this process, which has given up root meanwhile, to a file that it opened
 * before. A format that makes files of its own is written by a child that waits for the capture's end with
 * the rights of the begin, as `ringside export` would have them.
 */
#ifndef RS_CLI_RECORD_RECORD_EXPORT_H
#define RS_CLI_RECORD_RECORD_EXPORT_H

#include <sys/types.h>

#include "cli/export/export-file.h"

struct rs_tracedat_writer;

struct rs_record_export {
	struct rs_options options;             /* the export's; .output NULL: nothing is exported */
	const struct rs_export_format *format;
	/* the capture's files are made: if nothing is exported, that is said */
	bool begun;
	struct rs_output_file file;            /* of a stream */
	pid_t child;                           /* of any other format; 0: none */
	int to_child;                          /* a byte says whether there is a recording */
	struct rs_error *child_error;          /* shared with it */
};

/* path: of the recording. -1: err is set, and nothing has been made. */
int rs_record_export_choose(struct rs_record_export *e, const struct rs_options *opt, const char *path,
			    struct rs_error *err);
int rs_record_export_open(struct rs_record_export *e, const struct rs_tracedat_writer *writer,
			  struct rs_error *err);
/*
 * finished: the recording is there, and whole. Without it, or with err, nothing is exported, and that is
 * said.
 */
void rs_record_export_run(struct rs_record_export *e, bool finished, struct rs_error *err);

#endif
