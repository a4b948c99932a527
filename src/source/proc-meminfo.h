/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc-meminfo.h - the machine's memory, from /proc/meminfo and /proc/vmstat
 */
#ifndef RS_SOURCE_PROC_MEMINFO_H
#define RS_SOURCE_PROC_MEMINFO_H

#include <time.h>

#include "ringside/sample.h"

/* clock NULL: the trace clock cannot be read here. Values that the files lack are null; dir is "/proc". */
void rs_proc_gauges(struct rs_gauges *g, const char *dir, const clockid_t *clock);

#endif
