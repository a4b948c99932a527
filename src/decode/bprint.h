/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bprint.h - the texts of trace_printk where the kernel recorded only a format's address and packed arguments
 *
 * The formats are the kernel's printk_formats, which a trace.dat carries. The arguments are packed as the
 * kernel's vbin_printf does: numbers at multiples of their size (those of 8 bytes, at multiples of 4),
 * strings with their NUL.
 */
#ifndef RS_DECODE_BPRINT_H
#define RS_DECODE_BPRINT_H

#include "base/buf.h"
#include "source/source.h"

struct rs_bprint;

struct rs_bprint *rs_bprint_new(const struct rs_trace_info *info); /* info must outlive it; NULL: no memory */
void rs_bprint_free(struct rs_bprint *b);

/*
 * Adds the text without the line's end, or the address of a format that is not known. "?" stands for
 * arguments that are missing or cannot be shown from a file ("%pI4").
 */
void rs_bprint_put(const struct rs_bprint *b, uint64_t fmt, const uint8_t *args, size_t len_bytes,
		   struct rs_buf *out);

#endif
