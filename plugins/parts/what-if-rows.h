/* SPDX-License-Identifier: GPL-2.0-or-later */
/* what-if-rows.h - the rows of what-if: waits as they were, and as they would be */
#ifndef RS_PLUGINS_PARTS_WHAT_IF_ROWS_H
#define RS_PLUGINS_PARTS_WHAT_IF_ROWS_H

#include "plugins/parts/what-if-sums.h"

extern const struct rs_column rs_what_if_rows_columns[];

/* .rows of the view. Its tasks' data are struct rs_what_if_task, its state is struct rs_what_if_state. */
int rs_what_if_rows_put(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out);

#endif
