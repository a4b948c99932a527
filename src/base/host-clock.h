/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host-clock.h - how the clocks of another machine differ from those of this one */
#ifndef RS_BASE_HOST_CLOCK_H
#define RS_BASE_HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define RS_HOSTS_MAX 16 /* at a time */

/* Its time minus ours, at one moment; the moment is known to within_ns before and after. */
struct rs_host_clock {
	bool known;
	int64_t boot_offset_ns;      /* CLOCK_BOOTTIME: the trace clock, where no other was asked for */
	int64_t wall_offset_ns;      /* CLOCK_REALTIME */
	uint64_t within_ns;          /* half of the shortest round trip */
};

#endif
