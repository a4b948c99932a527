/* SPDX-License-Identifier: GPL-2.0-or-later */
/* culprits.h - what the history asks culprits.c of the work in softirqs */
#ifndef RS_WHY_CULPRITS_H
#define RS_WHY_CULPRITS_H

#include <stdbool.h>

struct rs_session;
struct rs_task;

/*
 * A softirq runs in the context of t: is it t's own, because t sends or receives, or did it come with an
 * interrupt? True if that is not known.
 */
bool rs_culprits_softirq_is_own(struct rs_session *s, const struct rs_task *t);

#endif
