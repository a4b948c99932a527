// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/finding-list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(struct rs_finding_sink *sink, const struct rs_finding *finding)
{
	struct rs_finding_list *list = (struct rs_finding_list *)(void *)sink;
	size_t at = list->nr;

	while (at && list->items[at - 1].weight < finding->weight)
		at--;
	if (at == list->max)
		return;
	if (list->nr < list->max)
		list->nr++;
	memmove(&list->items[at + 1], &list->items[at], (list->nr - at - 1) * sizeof *list->items);
	list->items[at].weight = finding->weight;
	snprintf(list->items[at].text, sizeof list->items[at].text, "%s", finding->text);
	snprintf(list->items[at].view, sizeof list->items[at].view, "%s", finding->view ? finding->view : "");
	snprintf(list->items[at].where, sizeof list->items[at].where, "%s", finding->where ? finding->where : "");
}

bool rs_finding_list_init(struct rs_finding_list *list, size_t max)
{
	*list = (struct rs_finding_list){ .sink.finding = take, .max = max };
	list->items = calloc(max ? max : 1, sizeof *list->items);
	return list->items;
}

void rs_finding_list_done(struct rs_finding_list *list)
{
	free(list->items);
	list->items = NULL;
	list->nr = 0;
}
