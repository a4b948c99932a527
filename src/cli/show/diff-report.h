/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff-report.h - a comparison as a report: Markdown of a pull request, JUnit XML, an HTML page */
#ifndef RS_CLI_SHOW_DIFF_REPORT_H
#define RS_CLI_SHOW_DIFF_REPORT_H

#include "cli/show/show-diff.h"
#include "cli/show/show-sides.h"
#include "compare/change.h"
#include "compare/process.h"

/* What a comparison has found. */
struct rs_diff {
	const struct rs_show_pair *pair;
	struct rs_process_list processes;
	struct rs_change_list changes[RS_MAX_VIEWS]; /* of the views from RS_PROCESS_NR_VIEWS on */
	size_t nr_changes;
};

/* By opt->report. */
void rs_diff_report_put(struct rs_buf *out, const struct rs_diff *d);
void rs_diff_report_put_html(struct rs_buf *out, const struct rs_diff *d); /* diff-html.c */

#endif
