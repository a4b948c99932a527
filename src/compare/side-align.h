/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side-align.h - names of processes that two sides tell apart by what they know of them
 *
 * "python3 old.py" on one side and "python3 new.py" on the other are two versions of one, where each side has
 * one python3 alone; and where a side knows no command lines nothing tells which python3 is which. Then both
 * sides have "python3" afterwards, with the sums of all.
 */
#ifndef RS_COMPARE_SIDE_ALIGN_H
#define RS_COMPARE_SIDE_ALIGN_H

#include "compare/side.h"

/* After both have ended. False: no memory, and they are as they were, or in part. */
bool rs_side_align(struct rs_side *a, struct rs_side *b);

#endif
