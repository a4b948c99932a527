/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stalls.h - stalls for memory that are in flight
 */
#ifndef RS_ENGINE_STALLS_H
#define RS_ENGINE_STALLS_H

#include "ringside/wait.h"

struct rs_session;

/* The task's current stall that is not discarded; false: none. */
bool rs_stalls_current(const struct rs_session *s, struct rs_task *t, struct rs_stall *stall);
/* A sleep has ended, which may be that of a throttled writer. */
void rs_stalls_end_dirty(struct rs_session *s, struct rs_task *t, const struct rs_interval *iv);

#endif
