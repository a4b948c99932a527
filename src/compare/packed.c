// SPDX-License-Identifier: GPL-2.0-or-later
/* packed - a row of a side as bytes */
#include "compare/packed.h"

#include <stdlib.h>

#include "base/vector.h"

static void packed_put(struct rs_buf *out, uint64_t v)
{
	for (; v >= 128; v >>= 7)
		rs_buf_putc(out, (char)(v | 128));
	rs_buf_putc(out, (char)v);
}

void rs_packed_put_sums(struct rs_buf *out, const struct rs_side_row *row, unsigned int nr_blocks)
{
	for (unsigned int i = 0; i < nr_blocks; i++) {
		packed_put(out, row->block_nr[i]);
		packed_put(out, row->block_sum[i]);
	}
}

static int packed_compare(const void *a, const void *b)
{
	const struct rs_side_point *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

void rs_packed_put_points(struct rs_buf *out, struct rs_side_row *row)
{
	struct rs_side_point before = { 0 };

	if (row->nr_points)
		qsort(row->points, row->nr_points, sizeof *row->points, packed_compare);
	for (size_t i = 0; i < row->nr_points; i++) {
		const struct rs_side_point *p = &row->points[i];

		packed_put(out, p->block - before.block);
		packed_put(out, p->value - (p->block == before.block ? before.value : 0));
		packed_put(out, p->nr);
		before = *p;
	}
}

/* ---- back ---- */

struct packed_at {
	const unsigned char *at, *end;
};

/* False: there is no whole number of 64 bits. */
static bool packed_get(struct packed_at *from, uint64_t *v)
{
	*v = 0;
	for (unsigned int shift = 0; from->at < from->end && shift < 64; shift += 7) {
		unsigned char byte = *from->at++;

		if (shift == 63 && byte > 1)
			return false;
		*v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return true;
	}
	return false;
}

bool rs_packed_get_sums(struct rs_side_row *row, unsigned int nr_blocks, const void *bytes, size_t len)
{
	struct packed_at from = { bytes, (const unsigned char *)bytes + len };

	for (unsigned int i = 0; i < nr_blocks; i++) {
		if (!packed_get(&from, &row->block_nr[i]) || !packed_get(&from, &row->block_sum[i]) ||
		    __builtin_add_overflow(row->nr, row->block_nr[i], &row->nr) ||
		    __builtin_add_overflow(row->sum, row->block_sum[i], &row->sum))
			return false;
	}
	return from.at == from.end;
}

static bool packed_get_point(struct packed_at *from, const struct rs_side_point *before,
			     struct rs_side_point *p)
{
	uint64_t blocks, value, nr;

	if (!packed_get(from, &blocks) || !packed_get(from, &value) || !packed_get(from, &nr) ||
	    blocks >= RS_SIDE_MAX_BLOCKS || nr > UINT32_MAX)
		return false;
	*p = (struct rs_side_point){ value, (uint32_t)nr, before->block + (uint32_t)blocks };
	return blocks || !__builtin_add_overflow(before->value, value, &p->value);
}

bool rs_packed_get_points(struct rs_side_row *row, unsigned int nr_blocks, const void *bytes, size_t len)
{
	struct packed_at from = { bytes, (const unsigned char *)bytes + len };
	struct rs_side_point before = { 0 }, *p;

	while (from.at < from.end) {
		p = RS_VECTOR_ADD(&row->points, &row->nr_points, &row->room);
		if (!p || !packed_get_point(&from, &before, p) || p->block >= nr_blocks) {
			row->nr_points -= p != NULL;
			return false;
		}
		before = *p;
	}
	return true;
}
