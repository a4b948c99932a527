/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-findings.h - the findings of a session, as text or JSON: of `findings`, and at the begin of a summary
 */
#ifndef RS_CLI_SHOW_SHOW_FINDINGS_H
#define RS_CLI_SHOW_SHOW_FINDINGS_H

#include "cli/options/options.h"
#include "engine/session.h"
#include "model/finding-list.h"

/* Checks the rule names of --silence and --fail-on. */
int rs_show_findings_check(const struct rs_options *opt, struct rs_error *err);
/*
 * Each finding with the command that shows its evidence and what to try, or one line if there is none.
 * as_page: of a summary.
 */
void rs_show_findings_put(struct rs_session *session, const struct rs_options *opt, bool as_page,
			  struct rs_buf *out);
/* "ringside disks --where 'dev == "8,0"' -i trace.dat": the command that shows its evidence. */
void rs_show_findings_put_command(const struct rs_finding_item *f, const struct rs_options *opt,
				  struct rs_buf *out);
/* Appends " -i trace.dat --from 2 --to 3" to a command. */
void rs_show_findings_put_source(const struct rs_options *opt, struct rs_buf *command);
/* The quality line, or in JSON _meta. */
void rs_show_findings_put_end(struct rs_session *session, const struct rs_options *opt, struct rs_buf *out);
/* Returns how many findings --fail-on names. */
unsigned int rs_show_findings_failed(struct rs_session *session, const struct rs_options *opt);

#endif
