/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deflate.h - compresses as zlib does (RFC 1950, 1951), with less effort than zlib's fastest level
 *
 * An export must keep up with the reading: matches are looked for once at each place, and codes are the fixed ones. What is as
 * regular as packets or lines of JSON becomes about a third, at more than twice the speed of zlib's level 1.
 */
#ifndef RS_EXPORT_DEFLATE_H
#define RS_EXPORT_DEFLATE_H

#include "base/buf.h"

/* Appends the bytes to `out` as a zlib stream. Without memory out->failed is set. At most 2 GB. */
void rs_deflate(struct rs_buf *out, const void *data, size_t len);

#endif
