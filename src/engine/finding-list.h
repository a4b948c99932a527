/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finding-list.h - the findings of the analyses, the heaviest first; used like in-flight-list.h */
#ifndef RS_ENGINE_FINDING_LIST_H
#define RS_ENGINE_FINDING_LIST_H

#include <stddef.h>

#include "ringside/finding.h"

struct rs_finding_item {
	unsigned int weight;
	char text[240], brief[160], view[40], where[120];  /* where and brief may be "" */
	unsigned int nr_evidence;
	struct { char view[40], sort[40], where[120], by[64]; } evidence[RS_MAX_EVIDENCE]; /* sort, where and by may be "" */
};

struct rs_finding_list {
	struct rs_finding_item *items;
	size_t nr, max;
};

/* Returns false without memory. */
bool rs_finding_list_init(struct rs_finding_list *list, size_t max);
void rs_finding_list_done(struct rs_finding_list *list);
void rs_finding_list_add(struct rs_finding_list *list, const struct rs_finding *finding);

#endif
