/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gzip.h - packs a stream of bytes as gzip does
 *
 *	struct rs_gzip *z = rs_gzip_new(&err);
 *	rs_gzip_put(z, &buf);        // again and again: buf is replaced by what can be written of it
 *	rs_gzip_end(z, &buf);        // adds the rest
 *	rs_gzip_free(z);
 */
#ifndef RS_BASE_GZIP_H
#define RS_BASE_GZIP_H

#include "base/buf.h"
#include "base/error.h"

struct rs_gzip;

/* NULL: no memory. */
struct rs_gzip *rs_gzip_new(struct rs_error *err);
/* Without memory the buffer has .failed set. */
void rs_gzip_put(struct rs_gzip *z, struct rs_buf *b);
void rs_gzip_end(struct rs_gzip *z, struct rs_buf *b);
void rs_gzip_free(struct rs_gzip *z); /* NULL is fine */

#endif
