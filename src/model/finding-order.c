// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * finding-order - what explains more is told first, where two findings cost about the same
 *
 * Costs of one fault differ a little from one recording to the next: what is told first must not.
 */
#include "model/finding-order.h"

#include <string.h>

#define NEAR_OF \
	5u /* costs are near each other if the smaller one is no less than NEAR of NEAR_OF of the other */
#define NEAR 4u

bool rs_finding_order_is_of(const struct rs_finding_party *party, const struct rs_finding_party *process)
{
	size_t len = strlen(process->name);

	return party->program == process->program && !strncmp(party->name, process->name, len) &&
	       (!party->name[len] || party->name[len] == '/');
}

bool rs_finding_order_is_death(const struct rs_finding_item *item)
{
	return !strcmp(item->rule->verb, "dies");
}

static bool order_is_own(const struct rs_finding_item *item)
{
	return item->culprit.nr && rs_finding_order_is_of(&item->victim, &item->culprit);
}

/* Is whoever the one is about what the other waits for? */
static bool order_explains(const struct rs_finding_item *one, const struct rs_finding_item *other)
{
	return other->culprit.nr && rs_finding_order_is_of(&one->victim, &other->culprit) &&
	       !rs_finding_order_is_of(&other->victim, &other->culprit);
}

/* Threads of one name wait for each other: "server/worker" for its thread worker. */
static bool order_is_own_thread(const struct rs_finding_item *item)
{
	const char *thread = strchr(item->victim.name, '/');

	return thread && !strcmp(thread + 1, item->culprit.name);
}

/* Both tell of the same waits, for whoever is at the other end. */
static bool order_are_for_peers(const struct rs_finding_item *item, const struct rs_finding_item *from)
{
	return item->category == RS_CATEGORY_PEER && from->category == RS_CATEGORY_PEER;
}

bool rs_finding_order_follows(const struct rs_finding_item *item, const struct rs_finding_item *from)
{
	return from->rule->explains_waits && !item->rule->explains_waits &&
	       (order_is_own(item) || order_is_own_thread(item) || order_are_for_peers(item, from)) &&
	       rs_finding_order_is_of(&item->victim, &from->victim) && from->cost_ns >= item->cost_ns / 2;
}

bool rs_finding_order_starves_itself(const struct rs_finding_item *item, const struct rs_finding_item *of)
{
	return order_is_own(item) && item->victim.nr == 1 && !strcmp(item->rule->verb, "waits") &&
	       !strcmp(item->view, of->view) && item->cost_ns > of->cost_ns;
}

/* Others, who wait for its victims, may be many more than these. */
static bool order_explains_waits(const struct rs_finding_item *item, const struct rs_finding_item *costlier)
{
	return item->rule->explains_waits && order_explains(item, costlier) &&
	       item->cost_ns >= costlier->cost_ns / NEAR;
}

static bool order_is_near(const struct rs_finding_item *item, const struct rs_finding_item *costlier)
{
	return item->cost_ns / NEAR >= costlier->cost_ns / NEAR_OF;
}

/*
 * A death explains what waits for who died, whatever that costs. Who waits for another that waits in another
 * way itself is told with all of the chain: that sentence has the other's in it.
 */
static bool order_is_before(const struct rs_finding_item *item, const struct rs_finding_item *costlier)
{
	if (item->hidden || costlier->hidden || rs_finding_order_is_death(costlier))
		return false;
	if (rs_finding_order_is_death(item))
		return order_explains(item, costlier) || order_is_near(item, costlier);
	if (order_explains_waits(item, costlier))
		return true;
	return order_is_near(item, costlier) && strcmp(item->view, costlier->view) != 0 &&
	       order_explains(costlier, item) && !order_explains(item, costlier);
}

static void order_move(struct rs_finding_item *items, size_t from, size_t to)
{
	struct rs_finding_item item = items[from];

	memmove(&items[to + 1], &items[to], (from - to) * sizeof item);
	items[to] = item;
}

void rs_finding_order(struct rs_finding_list *list)
{
	for (size_t i = 1; i < list->nr; i++)
		for (size_t j = 0; j < i; j++)
			if (order_is_before(&list->items[i], &list->items[j])) {
				order_move(list->items, i, j);
				break;
			}
}
