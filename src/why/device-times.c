// SPDX-License-Identifier: GPL-2.0-or-later
/* device-times - estimates a low quantile of the times on each disk, without keeping them */
#include "why/device-times.h"

#define DEVICE_TIMES_LEAST 20u  /* requests, before anything is said */
#define DEVICE_TIMES_STEP 256u  /* the estimate moves by a 256th of itself: up for each that takes longer */
#define DEVICE_TIMES_DOWN 3u    /* and three times as far down for each that does not: one in four */

static int device_times_find(const struct rs_device_times *times, uint32_t dev, enum rs_request_type type)
{
	for (unsigned int i = 0; i < times->nr; i++)
		if (times->at[i].dev == dev && times->at[i].type == type)
			return (int)i;
	return -1;
}

void rs_device_times_add(struct rs_device_times *times, const struct rs_request *r)
{
	enum rs_request_type type = rs_request_type(rs_rwbs_key(r->rwbs));
	int at = device_times_find(times, r->dev, type);
	uint64_t ns = r->complete_ns - r->issue_ns, *estimate;

	if (r->discarded || !r->issue_ns || r->issue_ns > r->complete_ns)
		return;
	if (at < 0) {
		if (times->nr == RS_DEVICE_TIMES)
			return;
		at = (int)times->nr++;
		times->at[at].dev = r->dev;
		times->at[at].type = type;
		times->at[at].ns = ns;
		times->at[at].nr = 0;
	}
	times->at[at].nr++;
	estimate = &times->at[at].ns;
	if (ns < *estimate)
		*estimate -= *estimate / DEVICE_TIMES_STEP * DEVICE_TIMES_DOWN;
	else
		*estimate += *estimate / DEVICE_TIMES_STEP;
}

uint64_t rs_device_times_ns(const struct rs_device_times *times, uint32_t dev, uint64_t rwbs)
{
	int at = device_times_find(times, dev, rs_request_type(rwbs));

	return at >= 0 && times->at[at].nr >= DEVICE_TIMES_LEAST ? times->at[at].ns : 0;
}
