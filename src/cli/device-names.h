/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device-names.h - what --dev, --type and --syscall name, as the columns have it
 *
 * Disks go by name or number ("vda", "254,0", "254:0"), each option takes a list, and a name that
 * nothing here has is refused: a filter that can match nothing would look like a machine that does nothing.
 *
 *	struct rs_asked asked = RS_ASKED_INIT;
 *	rs_device_names_make(&asked, opt, view, &source->info, &notes, &err);  // query.dev = rs_asked_text(&asked.dev) ...
 *	rs_device_names_done(&asked);
 */
#ifndef RS_CLI_DEVICE_NAMES_H
#define RS_CLI_DEVICE_NAMES_H

#include "cli/options.h"
#include "ringside/table.h"
#include "source/source.h"

struct rs_asked {
	struct rs_buf dev, type, syscall; /* patterns, see rs_pattern_matches */
};

#define RS_ASKED_INIT { RS_BUF_INIT, RS_BUF_INIT, RS_BUF_INIT }

/*
 * rs_device_names_make - view: whose types --type names; NULL: of several,
 which are not checked. In *notes (may be
 * NULL), lines: what is allowed and yet most likely matches nothing. -1 with err set: a name that is unknown.
 */
int rs_device_names_make(struct rs_asked *asked, const struct rs_options *opt, const struct rs_view *view,
			 const struct rs_trace_info *info, struct rs_buf *warnings, struct rs_error *err);
void rs_device_names_done(struct rs_asked *asked);

/* NULL: the option was not given. */
static inline const char *rs_asked_text(const struct rs_buf *patterns)
{
	return patterns->len ? patterns->data : NULL;
}

#endif
