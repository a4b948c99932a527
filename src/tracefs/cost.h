/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost.h - what an event costs the machine; for src/tracefs/ only
 */
#ifndef RS_TRACEFS_COST_H
#define RS_TRACEFS_COST_H

#include "tracefs/tracefs.h"

/* Into the instance, which is as new: nothing enabled. What it wrote to find out is gone when it returns. */
void rs_cost_measure(struct rs_instance *in);

#endif
