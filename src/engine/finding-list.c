// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/finding-list.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static void finding_list_copy_evidence(struct rs_finding_item *item, const struct rs_evidence *e)
{
	for (; e && e->view && item->nr_evidence < RS_MAX_EVIDENCE; e++) {
		rs_copy(item->evidence[item->nr_evidence].view, sizeof item->evidence->view, e->view);
		rs_copy(item->evidence[item->nr_evidence].sort, sizeof item->evidence->sort, e->sort);
		rs_copy(item->evidence[item->nr_evidence].where, sizeof item->evidence->where, e->where);
		rs_copy(item->evidence[item->nr_evidence].by, sizeof item->evidence->by, e->by);
		item->nr_evidence++;
	}
}

static unsigned int finding_list_weight_of(const struct rs_finding *finding)
{
	return finding->weight < 1000 ? (unsigned int)finding->weight : 1000;
}

static void finding_list_copy_finding(struct rs_finding_item *item, const struct rs_finding *finding)
{
	const struct rs_evidence itself[] = { { finding->view, NULL, finding->where, NULL }, { 0 } };

	*item = (struct rs_finding_item){ .weight = finding_list_weight_of(finding) };
	rs_copy(item->text, sizeof item->text, finding->text);
	rs_copy(item->brief, sizeof item->brief, finding->brief);
	rs_copy(item->view, sizeof item->view, finding->view);
	rs_copy(item->where, sizeof item->where, finding->where);
	finding_list_copy_evidence(item, finding->evidence ? finding->evidence : itself);
}

void rs_finding_list_add(struct rs_finding_list *list, const struct rs_finding *finding)
{
	size_t at = list->nr;

	while (at && list->items[at - 1].weight < finding_list_weight_of(finding))
		at--;
	if (at == list->max)
		return;
	if (list->nr < list->max)
		list->nr++;
	memmove(&list->items[at + 1], &list->items[at], (list->nr - at - 1) * sizeof *list->items);
	finding_list_copy_finding(&list->items[at], finding);
}

bool rs_finding_list_init(struct rs_finding_list *list, size_t max)
{
	*list = (struct rs_finding_list){ .max = max };
	list->items = calloc(max ? max : 1, sizeof *list->items);
	return list->items;
}

void rs_finding_list_done(struct rs_finding_list *list)
{
	free(list->items);
	list->items = NULL;
	list->nr = 0;
}
