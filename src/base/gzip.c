// SPDX-License-Identifier: GPL-2.0-or-later
/* gzip - packs a stream of bytes as gzip does */
#include "base/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#define GZIP_LEVEL 1 /* a trace packs to a tenth by it; level 6 takes four times as long for a fifth less */
#define GZIP_FORMAT 16        /* to deflateInit2: gzip's header and end */
#define GZIP_PIECE_BYTES 65536

struct rs_gzip {
	z_stream stream;
	struct rs_buf packed;
};

struct rs_gzip *rs_gzip_new(struct rs_error *err)
{
	struct rs_gzip *z = calloc(1, sizeof *z);

	if (z && deflateInit2(&z->stream, GZIP_LEVEL, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT, MAX_MEM_LEVEL,
			      Z_DEFAULT_STRATEGY) == Z_OK) {
		z->packed = (struct rs_buf)RS_BUF_INIT;
		return z;
	}
	free(z);
	rs_fail(err, "cannot compress: out of memory");
	return NULL;
}

/* b's bytes are read, and replaced by the packed ones. */
static void gzip_run(struct rs_gzip *z, struct rs_buf *b, int flush)
{
	int status;

	z->stream.next_in = (Bytef *)b->data;
	z->stream.avail_in = (uInt)b->len;
	do {
		char piece[GZIP_PIECE_BYTES];

		z->stream.next_out = (Bytef *)piece;
		z->stream.avail_out = sizeof piece;
		status = deflate(&z->stream, flush);
		rs_buf_add(&z->packed, piece, sizeof piece - z->stream.avail_out);
	} while (z->stream.avail_out == 0 && status != Z_STREAM_END);
	z->packed.failed |= b->failed;
	rs_buf_clear(b);
	rs_buf_add(b, z->packed.data, z->packed.len);
	b->failed |= z->packed.failed;
	rs_buf_clear(&z->packed);
}

void rs_gzip_put(struct rs_gzip *z, struct rs_buf *b)
{
	gzip_run(z, b, Z_NO_FLUSH);
}

void rs_gzip_end(struct rs_gzip *z, struct rs_buf *b)
{
	gzip_run(z, b, Z_FINISH);
}

void rs_gzip_free(struct rs_gzip *z)
{
	if (!z)
		return;
	deflateEnd(&z->stream);
	rs_buf_done(&z->packed);
	free(z);
}
