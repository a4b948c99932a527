/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes.h - a bounded cursor over bytes in the file's byte order
 *
 *	uint32_t nr = rs_bytes_u32(&b);
 *	const char *name = rs_bytes_string(&b);
 *	if (b.failed)
 *		...  nr is 0, name is NULL or both are right
 *
 * Nothing is ever read outside the bounds. The first read that would be sets
 * `failed`, which stays: a parser may read on and look once at the end, as long
 * as it does not loop on a number that it has not checked.
 */
#ifndef RS_RECORDING_BYTES_H
#define RS_RECORDING_BYTES_H

#include <stdbool.h>
#include <stdint.h>

struct rs_bytes {
	const uint8_t *data;
	uint64_t len, at;
	uint64_t origin;   /* where data begins in the file; of unpacked bytes: where the packed ones do */
	bool big_endian;
	bool unpacked;     /* not the file's own bytes: positions in it are not positions in the file */
	bool failed;
	uint64_t failed_at; /* byte of the file, see rs_bytes_where */
};

uint8_t rs_bytes_u8(struct rs_bytes *b);
uint16_t rs_bytes_u16(struct rs_bytes *b);
uint32_t rs_bytes_u32(struct rs_bytes *b);
uint64_t rs_bytes_u64(struct rs_bytes *b);
/* The next len bytes, or NULL; len 0 is never NULL unless the cursor has failed. */
const uint8_t *rs_bytes_take(struct rs_bytes *b, uint64_t len);
/* A string that is terminated within the bounds, or NULL. */
const char *rs_bytes_string(struct rs_bytes *b);
/* A cursor over the next len bytes, which this one steps over; failed if they are not there. */
struct rs_bytes rs_bytes_sub(struct rs_bytes *b, uint64_t len);

uint64_t rs_bytes_left(const struct rs_bytes *b);
/* The byte of the file at which the cursor stands, for messages. */
uint64_t rs_bytes_where(const struct rs_bytes *b);

#endif
