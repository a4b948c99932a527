// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chain-list - keeps the chains of the calls and waits that explain most, one of each process name
 *
 * A chain is found as its wait ends, when the history still has all of it.
 */
#include "ringside/culprit.h"
#include "ringside/plugin.h"

#define CHOICE_COUNTS 16u /* a sleep that somebody chose explains nothing, and counts as a 16th of its time */
#define LEAST_SHARE 16u   /* of the first chain: what explains less is not listed */

/*
 * The wait of a parent comes after that of its child, and has the same end: then it is the parent's that is
 * asked about.
 */
static bool chain_list_goes_through(const struct rs_chain *chain, int32_t tid)
{
	for (unsigned int i = 1; i < chain->nr; i++)
		if (chain->at[i].tid == tid)
			return true;
	return false;
}

static bool chain_list_replaces(const struct rs_chain *chain, const struct rs_listed_chain *item)
{
	return !strcmp(chain->at[0].process, item->chain.at[0].process) ||
	       chain_list_goes_through(chain, item->chain.at[0].tid);
}

static void chain_list_remove(struct rs_chain_list *list, unsigned int i)
{
	list->nr--;
	memmove(&list->at[i], &list->at[i + 1], (list->nr - i) * sizeof *list->at);
}

static void chain_list_insert(struct rs_chain_list *list, const struct rs_chain *chain, uint64_t explained_ns)
{
	unsigned int i = 0;

	while (i < list->nr && list->at[i].explained_ns > explained_ns)
		i++;
	if (i == RS_MAX_CHAINS)
		return;
	list->nr += list->nr < RS_MAX_CHAINS;
	memmove(&list->at[i + 1], &list->at[i], (list->nr - 1 - i) * sizeof *list->at);
	list->at[i] = (struct rs_listed_chain){ explained_ns, *chain };
	list->least_ns = list->at[0].explained_ns / LEAST_SHARE;
	if (list->nr == RS_MAX_CHAINS && list->at[list->nr - 1].explained_ns > list->least_ns)
		list->least_ns = list->at[list->nr - 1].explained_ns;
}

/* Waits that get longer and longer would each be the longest for a moment. */
static uint64_t chain_list_least_ns(const struct rs_chain_list *list, const struct rs_listed_chain *item)
{
	return item->explained_ns + (list->is_rough ? item->explained_ns / 8 : 0);
}

/* Returns false for a duration that no chain of the task could be listed with. */
static bool chain_list_is_worth(struct rs_ctx *c, const struct rs_chain_list *list, const struct rs_task *t,
				uint64_t ns)
{
	const char *process;

	if (!rs_chain_list_has_room(list, ns))
		return false;
	process = rs_task_process_comm(c, t);
	for (unsigned int i = 0; i < list->nr; i++)
		if (ns < chain_list_least_ns(list, &list->at[i]) && process &&
		    !strcmp(process, list->at[i].chain.at[0].process))
			return false;
	return true;
}

void rs_chain_list_add(struct rs_chain_list *list, const struct rs_chain *chain)
{
	uint64_t explained_ns = rs_chain_explained_ns(chain);

	if (!chain->nr)
		return;
	if (!explained_ns)
		explained_ns = chain->at[0].ns / CHOICE_COUNTS;
	for (unsigned int i = 0; i < list->nr; i++) {
		bool is_through = chain_list_goes_through(chain, list->at[i].chain.at[0].tid);

		if (chain_list_replaces(chain, &list->at[i]) &&
		    explained_ns + (is_through ? explained_ns / 4 : 0) < list->at[i].explained_ns)
			return;
	}
	for (unsigned int i = list->nr; i--;)
		if (chain_list_replaces(chain, &list->at[i]))
			chain_list_remove(list, i);
	chain_list_insert(list, chain, explained_ns);
}

static void chain_list_add_time(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_task *t,
				int64_t call, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_chain chain;

	if (!chain_list_is_worth(c, list, t, to_ns - from_ns))
		return;
	rs_chain_find(c, t, from_ns, to_ns, &chain);
	chain.at[0].call = call;
	rs_chain_list_add(list, &chain);
}

void rs_chain_list_add_state(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_interval *iv,
			     int64_t syscall)
{
	if (!iv->discarded && iv->kind != RS_RUN && iv->from_ns >= c->range_from_ns && syscall < 0 &&
	    rs_shown(c, iv->task))
		chain_list_add_time(c, list, iv->task, -1, iv->from_ns, iv->to_ns);
}

void rs_chain_list_add_wait(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_wait *w)
{
	if (rs_cause_row(w->cause)->rank == RS_RANK_WAIT)
		rs_chain_list_add_state(c, list, w->interval, w->syscall);
}

void rs_chain_list_add_call(struct rs_ctx *c, struct rs_chain_list *list, const struct rs_call *call)
{
	uint64_t from_ns = call->enter_ns < c->range_from_ns ? c->range_from_ns : call->enter_ns;

	if (rs_chain_list_has_room(list, call->exit_ns - call->enter_ns) && !call->discarded &&
	    from_ns < call->exit_ns && rs_shown(c, call->task))
		chain_list_add_time(c, list, call->task, call->nr, from_ns, call->exit_ns);
}
