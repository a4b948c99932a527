/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-view.h - what rs_show keeps of each view: for show.c and its parts */
#ifndef RS_CLI_SHOW_SHOW_VIEW_H
#define RS_CLI_SHOW_SHOW_VIEW_H

#include "cli/show/show.h"
#include "view/formatter.h"

/* One view with its question and its printer. */
struct rs_show_view {
	struct rs_view_ref ref;
	struct rs_query query;
	struct rs_terms terms;      /* of query and formatter */
	struct rs_formatter_options formatter;
	struct rs_buf columns;      /* scratch of face */
	struct rs_printer *printer; /* NULL: not of rows, or this source cannot feed it */
	struct rs_sink *sink;       /* the printer's, or the summary's; NULL none */
};

#endif
