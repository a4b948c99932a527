/* SPDX-License-Identifier: GPL-2.0-or-later */
/* culprits.h - what is asked of culprits.c within why/ */
#ifndef RS_WHY_CULPRITS_H
#define RS_WHY_CULPRITS_H

#include "ringside/culprit.h"

struct rs_segment;
struct rs_session;

/*
 * A softirq runs in the context of t: is it t's own, because t sends or receives, or did it come with an
 * interrupt? True if that is not known.
 */
bool rs_culprits_softirq_is_own(struct rs_session *s, const struct rs_task *t);

/* Adds the part of one segment between two times to the list; seg NULL: of unknown time. */
void rs_culprits_add(struct rs_ctx *c, const struct rs_segment *seg, uint64_t from_ns, uint64_t to_ns,
		     struct rs_culprits *out);

#endif
