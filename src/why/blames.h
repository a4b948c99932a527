/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blames.h - the table behind why/blame.h: added to as slices and waits end */
#ifndef RS_WHY_BLAMES_H
#define RS_WHY_BLAMES_H

#include "why/blame.h"

struct rs_session;
struct rs_task_instance;
struct rs_blames;

/* NULL: no analysis requires it. */
struct rs_blames *rs_blames_of(const struct rs_session *s);

#endif
