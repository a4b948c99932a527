/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asked.h - what --dev, --type, --syscall, -x and -m ask of a view's columns
 *
 * Disks go by name or number ("vda", "254,0", "254:0"), each option takes a list, and a name that
 * nothing here has is refused: a filter that can match nothing would look like a machine that does nothing.
 *
 *	struct rs_asked asked = { 0 };
 *	rs_asked_make(&asked, opt, view, &source->info, &notes, &err);
 *	rs_asked_terms(&asked, opt, view, &terms);
 *	rs_asked_done(&asked);
 */
#ifndef RS_CLI_OPTIONS_ASKED_H
#define RS_CLI_OPTIONS_ASKED_H

#include "cli/options/options.h"
#include "ringside/table.h"
#include "source/source.h"

struct rs_asked {
	struct rs_buf patterns[RS_MAX_OPTIONS]; /* of the n-th of rs_option_rows, see rs_pattern_matches */
};

/*
 * rs_asked_make - view: whose types --type names; NULL: of several, which are not checked. In *notes (may be
 * NULL), lines: what is allowed and yet most likely matches nothing. -1 with err set: a name that is unknown.
 */
int rs_asked_make(struct rs_asked *asked, const struct rs_options *opt, const struct rs_view *view,
			 const struct rs_trace_info *info, struct rs_buf *warnings, struct rs_error *err);
void rs_asked_done(struct rs_asked *asked);

/*
 * The terms of a view, which live as long as asked does. An option that asks of a column that it lacks asks
 * nothing of it.
 */
void rs_asked_terms(const struct rs_asked *asked, const struct rs_options *opt, const struct rs_view *view,
			   struct rs_terms *terms);

#endif
