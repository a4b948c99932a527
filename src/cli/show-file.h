/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-file.h - views of a recording, to standard output
 */
#ifndef RS_CLI_SHOW_FILE_H
#define RS_CLI_SHOW_FILE_H

#include "cli/options.h"
#include "cli/show.h"
#include "source/source.h"

/*
 * Opens opt->input, after a look at when its first event was (0: there is none), or with opt->base as what there is. NULL on
 * error.
 */
struct rs_source *rs_show_open_recording(const struct rs_options *opt, struct rs_moment_clock *clock, struct rs_error *err);

/* cmd-export.c: opens opt->output but leaves in it what is there; the fd, 0 standard output, -1 on error. */
int rs_export_open(const struct rs_options *opt, struct rs_error *err);
/* The machines' recordings in that format, as one picture, to the first's opt->output; closes its output_fd. */
enum rs_exit rs_export_files(const struct rs_options *const *machines, size_t nr, const char *format_name,
			     struct rs_error *err);

/* Reads opt->input once and shows the views, with progress on a terminal. */
enum rs_exit rs_show_file(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			  const struct rs_options *opt, struct rs_error *err);
/* A note that names the views that could not be shown, "cpus,disks"; none for "". */
void rs_show_explain_left_out(const char *views);

#endif
