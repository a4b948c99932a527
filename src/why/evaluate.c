// SPDX-License-Identifier: GPL-2.0-or-later
/* evaluate - judges the processes of each name by families of rules, and reports the row that matches */
#include "why/evaluate.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "ringside/plugin.h"

void rs_evaluate_add_slots(struct rs_case_slots *to, const struct rs_slot *slots, size_t nr)
{
	for (size_t i = 0; i < nr && to->nr < RS_CASE_SLOTS; i++)
		to->at[to->nr++] = slots[i];
}

const struct rs_rule_row *rs_evaluate_row(const struct rs_family *family, struct rs_case *k)
{
	const struct rs_rule_row *row = family->rows;

	if (family->choose)
		return family->choose(k);
	while (row->rule && row->is && !row->is(k))
		row++;
	return row->rule ? row : NULL;
}

/* A case without a wait in particular has none. */
static struct rs_wait_instance evaluate_slowest(const struct rs_blame_entry *e)
{
	return e ? (struct rs_wait_instance){ e->waiter_tid, e->wait_from_ns, e->wait_to_ns } :
		   (struct rs_wait_instance){ 0 };
}

static void evaluate_report(const struct rs_family *family, struct rs_case *k, const struct rs_rule_row *row)
{
	struct rs_case_slots slots;

	slots.nr = 0;
	if (family->slots)
		family->slots(k, row, &slots);
	slots.at[slots.nr] = (struct rs_slot){ 0 };
	rs_report_finding(k->c, &(struct rs_finding){
		.rule = row->rule, .says = &row->says, .slots = slots.at,
		.evidence = k->evidence ? k->evidence : row->evidence,
		.cost_ns = k->cost_ns ? k->cost_ns : k->ns, .lost_ns = k->ns, .of_ns = k->of_ns,
		.victim = k->victim ? k->victim : k->b->comm, .victim_pid = k->b->pid,
		.nr_victims = k->b->nr_processes,
		.culprit = k->culprit.comm, .culprit_pid = k->culprit.pid, .nr_culprits = k->culprit.nr,
		.names_code = k->names_code, .confidence = k->confidence,
		.since_ns = k->e ? k->e->since_ns : 0, .slowest = evaluate_slowest(k->e),
		.category = k->e ? rs_part_cause(k->e->part)->category : RS_CATEGORY_RUN,
	});
}

static bool evaluate_one(const struct rs_family *family, struct rs_case *k)
{
	const struct rs_rule_row *row = family->find(k) ? rs_evaluate_row(family, k) : NULL;

	if (!row || (family->least && rs_milli(k->ns, k->of_ns, 100).u < family->least(k, row)))
		return false;
	k->confidence = row->is_inferred ? RS_INFERRED : RS_MEASURED;
	if (family->blame)
		family->blame(k, row);
	evaluate_report(family, k, row);
	return true;
}

void rs_evaluate(struct rs_ctx *c, const struct rs_family *const *families, size_t nr)
{
	alignas(max_align_t) char room[RS_CASE_BYTES];
	uint64_t interval_ns = rs_judged_ns(c);
	size_t nr_names = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr_names) : NULL;

	for (size_t i = 0; i < nr_names; i++)
		for (size_t f = 0, told = 0; f < nr; f++) {
			struct rs_case *k = (struct rs_case *)room;

			if (told && families[f]->unless_told)
				continue;
			memset(room, 0, families[f]->case_size_bytes);
			*k = (struct rs_case){ .c = c, .b = &list[i], .interval_ns = interval_ns };
			told += evaluate_one(families[f], k);
		}
}
