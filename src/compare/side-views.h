/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side-views.h - whose rows are compared, where nobody names any: each of other things than the others
 *
 *	struct rs_side_asked asked[RS_SIDE_VIEWS_MOST];
 *	size_t nr = 0;
 *
 *	rs_side_views_add_process(asked, &nr, &err);   // the first, see process.h
 *	rs_side_views_add_default(asked, &nr);
 *	side = rs_side_new(asked, nr, &err);
 */
#ifndef RS_COMPARE_SIDE_VIEWS_H
#define RS_COMPARE_SIDE_VIEWS_H

#include "compare/process.h"

#define RS_SIDE_VIEWS_MOST (RS_PROCESS_NR_VIEWS + 16u)

/* Those that rs_process_compare reads, in its order. -1: err is set. */
int rs_side_views_add_process(struct rs_side_asked *asked, size_t *nr, struct rs_error *err);
/* And those whose rows are listed: that have .diff_by, in the order of lists, as far as there is room. */
void rs_side_views_add_default(struct rs_side_asked *asked, size_t *nr);

#endif
