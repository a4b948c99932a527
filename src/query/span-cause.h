/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span-cause.h - what most of the time of a task's span was: whether it cost anybody anything is told by that
 */
#ifndef RS_QUERY_SPAN_CAUSE_H
#define RS_QUERY_SPAN_CAUSE_H

#include "query/latency-dist.h"

/*
 * The cause that has most of a span on a task's track, by the states of the task meanwhile; of a state its
 * own. Returns false if no state is known, or it is on another track.
 */
bool rs_span_cause_of(struct rs_timelines *t, const struct rs_slowest_span *s, enum rs_cause *cause);

#endif
