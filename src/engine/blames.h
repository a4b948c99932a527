/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blames.h - the table behind ringside/blame.h: added to as slices and waits end */
#ifndef RS_ENGINE_BLAMES_H
#define RS_ENGINE_BLAMES_H

#include "ringside/blame.h"

struct rs_session;
struct rs_task_instance;
struct rs_blames;

/* NULL: no memory. */
struct rs_blames *rs_blames_new(struct rs_ctx *c);
void rs_blames_free(struct rs_blames *b);
/* After the history: a wait for a CPU; any other wait. */
void rs_blames_interval(struct rs_blames *b, const struct rs_interval *iv);
void rs_blames_wait(struct rs_blames *b, const struct rs_wait *w);
void rs_blames_evict(struct rs_blames *b, struct rs_task_instance *inst);
void rs_blames_reset(struct rs_blames *b);

#endif
