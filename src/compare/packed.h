/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packed.h - a row of a side as bytes: numbers of 7 bits a byte, the lowest first, the last without bit 7
 *
 * Sums: for each block how many, and their time. Points: for each, in the order of blocks and values, how
 * many blocks it is after the one before, its value less that of the one before where that is of the same
 * block, and how often it came.
 */
#ifndef RS_COMPARE_PACKED_H
#define RS_COMPARE_PACKED_H

#include "base/buf.h"
#include "compare/side.h"

void rs_packed_put_sums(struct rs_buf *out, const struct rs_side_row *row, unsigned int nr_blocks);
/* Sorts the row's points. */
void rs_packed_put_points(struct rs_buf *out, struct rs_side_row *row);

/* False: it is no such bytes, of so many blocks, or there is no memory. The row is new. */
bool rs_packed_get_sums(struct rs_side_row *row, unsigned int nr_blocks, const void *bytes, size_t len);
bool rs_packed_get_points(struct rs_side_row *row, unsigned int nr_blocks, const void *bytes, size_t len);

#endif
