/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * query.h - the options, put as the question of one view: what its analysis and its printer are asked
 */
#ifndef RS_CLI_QUERY_H
#define RS_CLI_QUERY_H

#include "cli/options.h"
#include "engine/session.h"
#include "view/formatter.h"

/*
 * rs_query_make - for one view; strings point into opt and the view. With several
 * views at once (strict false) what this one does not know is left out.
 */
int rs_query_make(const struct rs_options *opt, const struct rs_view *view, bool strict,
		  struct rs_query *query, struct rs_error *err);

/* columns: scratch that must live as long as the face options. */
int rs_query_make_printer(const struct rs_options *opt, const struct rs_view *view,
			  struct rs_formatter_options *formatter,
			  struct rs_buf *columns, struct rs_error *err);

/* The views named in "a,b" or "all"; returns how many, 0 with err set. */
size_t rs_query_find_views(const char *names, struct rs_view_ref *refs, size_t max, struct rs_error *err);

#endif
