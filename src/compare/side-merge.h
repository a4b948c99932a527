/* SPDX-License-Identifier: GPL-2.0-or-later */
/* side-merge.h - what was measured later, as more blocks of a side */
#ifndef RS_COMPARE_SIDE_MERGE_H
#define RS_COMPARE_SIDE_MERGE_H

#include "compare/side.h"

/*
 * Adds all of a side to another of the same views. Blocks of both stay apart; where they are too many, those
 * of the side that has more become fewer, two by two. False: no memory; `to` has a part of it then.
 */
bool rs_side_merge(struct rs_side *to, struct rs_side *from);

#endif
