/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usual-state.h - what was learned, as bytes: little-endian, with a checksum, at most RS_USUAL_STATE_MOST
 *
 *	magic "rsusual", 0                         8 bytes
 *	version, 1                                 4
 *	how many bytes there are in all            4
 *	generation: the highest is the latest      8
 *	checksum of all that follows (FNV-1a)      8
 *	blocks, place of the next one              4, 4
 *	number of each block's ten minutes         4 each
 *	series                                     4
 *	of each: view, with zeros behind           16
 *		bytes of the key, the key           4, 96
 *		time, ns                            8
 *		the measures of each block          2 each: see series.h
 */
#ifndef RS_USUAL_USUAL_STATE_H
#define RS_USUAL_USUAL_STATE_H

#include "usual/usual.h"

#define RS_USUAL_STATE_MOST (8u << 20)
#define RS_USUAL_STATE_VERSION 1u
#define RS_USUAL_STATE_HEADER 32u

/* Writes it in place of what the buffer has; out->failed: no memory. */
void rs_usual_state_put(const struct rs_usual *u, uint64_t generation, struct rs_buf *out);
/*
 * The header alone: how many bytes there are, and the generation. False: it is none, or of another version.
 */
bool rs_usual_state_header(const void *bytes, size_t len, size_t *nr_bytes, uint64_t *generation);
/*
 * Takes what was learned, in place of what u has. Views that are unknown here are left out. -1: the bytes are
 * damaged, and u has learned nothing.
 */
int rs_usual_state_get(struct rs_usual *u, const void *bytes, size_t len, struct rs_error *err);

#endif
