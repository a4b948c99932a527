/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export-file.h - recordings in another program's format, for export, record and save */
#ifndef RS_CLI_EXPORT_EXPORT_FILE_H
#define RS_CLI_EXPORT_EXPORT_FILE_H

#include "cli/export/output-file.h"
#include "cli/options/options.h"
#include "export/export.h"

/* The options that narrow or shape an export, and all that export --daemon and save take. */
#define RS_EXPORT_NARROWS \
	"debuginfod,compat,gzip,max-size,analysis,pid,tid,no-children,comm,cgroup,cpus,self,exact"
#define RS_EXPORT_OPTIONS "socket,host,remote,format,output,from,to,last,quiet," RS_EXPORT_NARROWS

/*
 * rs_export_file_choose - the format that -f names, else the end of the output's name; NULL: the name has no
 * end
 *
 * others: more endings, for the message: ", .csv". -1: unknown, err is set.
 */
int rs_export_file_choose(const struct rs_options *opt, const char *others,
			  const struct rs_export_format **format, struct rs_error *err);
/* Returns -1, with err, if an option that was given is not for that format. */
int rs_export_file_check(const struct rs_options *opt, const struct rs_export_format *format,
			 struct rs_error *err);
/*
 * Says "NAME: 3.1MiB, 7124 events" on standard error, and more; nothing of standard output, NULL or "-".
 * bytes 0: a pipe's are not known.
 */
void rs_export_file_say(const char *name, uint64_t bytes, uint64_t nr_events, const char *more);
/* Opens opt->output, unless it is what is read. */
int rs_export_file_open(const struct rs_options *opt, struct rs_output_file *file, enum rs_output_kind kind,
			struct rs_error *err);
/* As the format wants it. */
int rs_export_file_open_as(const struct rs_options *opt, struct rs_output_file *file,
			   const struct rs_export_format *format, struct rs_error *err);
/*
 * rs_export_file - the machines' recordings in that format, as one picture, to the first's opt->output.
 * opened: it is open already, and is closed.
 */
enum rs_exit rs_export_file(const struct rs_options *const *machines, size_t nr,
			    const struct rs_export_format *format, const struct rs_output_file *opened,
			    struct rs_error *err);
/* What the daemon's window holds, to opt->output. */
enum rs_exit rs_export_file_of_daemon(const struct rs_options *opt, const struct rs_export_format *format,
				      struct rs_error *err);

/* ---- export-tracedat.c ---- */

/* Writes a format to a file that is open, and closes it. */
typedef enum rs_exit rs_export_run(const struct rs_options *const *machines, size_t nr,
				   const struct rs_export_format *format, const struct rs_output_file *file,
				   struct rs_error *err);
/* The recording of the one machine, or the part of it that is asked for, as a trace.dat of version 6. */
rs_export_run rs_export_tracedat;

#endif
