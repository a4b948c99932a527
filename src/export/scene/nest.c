// SPDX-License-Identifier: GPL-2.0-or-later
/* nest - makes the slices of a thread nest strictly, for any input */
#include "export/scene/nest.h"

#include <string.h>

/* Merges the two oldest and the gap between them. */
static void nest_make_room(struct rs_nest *n)
{
	if (n->nr < RS_NEST_OUTER)
		return;
	n->outer[0].end_ns = n->outer[1].end_ns;
	memmove(&n->outer[1], &n->outer[2], (n->nr - 2) * sizeof n->outer[0]);
	n->nr--;
}

uint64_t rs_nest_add(struct rs_nest *n, uint64_t start_ns, uint64_t end_ns)
{
	if (n->nr && end_ns < n->outer[n->nr - 1].end_ns)
		return end_ns;
	while (n->nr && n->outer[n->nr - 1].start_ns >= start_ns)
		n->nr--;
	if (n->nr && n->outer[n->nr - 1].end_ns > start_ns)
		start_ns = n->outer[n->nr - 1].end_ns;
	nest_make_room(n);
	n->outer[n->nr].start_ns = start_ns;
	n->outer[n->nr++].end_ns = end_ns;
	return start_ns;
}
