/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map-ahead.h - a thread that maps what of a file is read next
 *
 * To map a file's pages costs a fifth of the time that its analysis takes, and needs nothing of it: done beside it,
 * where there is a second CPU, it costs no time at all. Nobody waits for it: who comes first maps for himself.
 *
 *	a = rs_map_ahead_new(nr_lanes);
 *	rs_map_ahead_ask(a, lane, from, len_bytes);  // a lane has one request at a time: the last
 *	if (!rs_map_ahead_begun(a, lane))            // taken back: it did not come to it
 *		...
 */
#ifndef RS_SOURCE_MAP_AHEAD_H
#define RS_SOURCE_MAP_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_map_ahead;

/* NULL: no memory, or no thread. Then nothing is mapped ahead. */
struct rs_map_ahead *rs_map_ahead_new(unsigned int nr_lanes);
/* Before what it was asked for is unmapped: it is over when this returns. */
void rs_map_ahead_free(struct rs_map_ahead *a);
void rs_map_ahead_ask(struct rs_map_ahead *a, unsigned int lane, const uint8_t *from, size_t len_bytes);
/* Has the lane's last request been begun, or done? If not, it is taken back. False for NULL. */
bool rs_map_ahead_begun(struct rs_map_ahead *a, unsigned int lane);
/* MADV_POPULATE_READ, where the kernel has it (5.14): else pages come by faults. */
void rs_map_now(const uint8_t *from, size_t len_bytes);

#endif
