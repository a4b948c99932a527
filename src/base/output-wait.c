// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/output-wait.h"

#include <stdatomic.h>

static atomic_uint nr_waiting;

void rs_output_wait_begin(void)
{
	atomic_fetch_add(&nr_waiting, 1);
}

void rs_output_wait_end(void)
{
	atomic_fetch_sub(&nr_waiting, 1);
}

bool rs_output_waits(void)
{
	return atomic_load(&nr_waiting) > 0;
}
