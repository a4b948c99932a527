/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finding-order.h - which of two findings is told first, where it is not the costlier one */
#ifndef RS_MODEL_FINDING_ORDER_H
#define RS_MODEL_FINDING_ORDER_H

#include "model/finding-list.h"

/* Returns true if the party is that process, or a thread of it: "server/worker" of "server". */
bool rs_finding_order_is_of(const struct rs_finding_party *party, const struct rs_finding_party *process);
/* Returns true if a process dies: that is never its own doing, to be told of it in another's sentence. */
bool rs_finding_order_is_death(const struct rs_finding_item *item);
/* Returns true if a process keeps itself from its work, at a higher cost than another, which waits for it. */
bool rs_finding_order_starves_itself(const struct rs_finding_item *item, const struct rs_finding_item *of);
/* Returns true if an item tells of waits most of which another one explains: for itself, or for a peer. */
bool rs_finding_order_follows(const struct rs_finding_item *item, const struct rs_finding_item *from);
/* Moves findings that explain more before others; the list is sorted by cost. */
void rs_finding_order(struct rs_finding_list *list);

#endif
