/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device-times.h - how long requests take on a disk by themselves: one in four of a type takes less, from
 * issue to completion
 *
 * A disk serves several at once: of a request that completes right after another the time between the two
 * completions is not what it would have taken without the other.
 */
#ifndef RS_WHY_DEVICE_TIMES_H
#define RS_WHY_DEVICE_TIMES_H

#include "ringside/culprit.h"

#define RS_DEVICE_TIMES 32 /* disks and types; the first that come */

struct rs_device_times {
	struct { uint32_t dev; enum rs_request_type type; uint64_t ns, nr; } at[RS_DEVICE_TIMES];
	unsigned int nr;
};

/* Adds a request that completed. */
void rs_device_times_add(struct rs_device_times *times, const struct rs_request *r);
/* Returns 0 if it is not known: too few were seen. rwbs: rs_rwbs_text */
uint64_t rs_device_times_ns(const struct rs_device_times *times, uint32_t dev, uint64_t rwbs);

#endif
