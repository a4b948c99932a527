/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stalls.h - stalls for memory and for dirty pages, as waits use them
 */
#ifndef RS_ENGINE_MATCH_STALLS_H
#define RS_ENGINE_MATCH_STALLS_H

#include <stdbool.h>

struct rs_analysis;
struct rs_interval;
struct rs_session;
struct rs_stall;
struct rs_task;

extern const struct rs_analysis rs_engine_stalls;

/* The task's current stall that is not discarded; false: none. */
bool rs_stalls_current(const struct rs_session *s, struct rs_task *t, struct rs_stall *stall);
/* A sleep has ended, which may be that of a throttled writer. */
void rs_stalls_end_dirty(struct rs_session *s, struct rs_task *t, const struct rs_interval *iv);

#endif
