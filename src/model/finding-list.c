// SPDX-License-Identifier: GPL-2.0-or-later
/* finding-list - the findings of the analyses, the costliest first */
#include "model/finding-order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "ringside/sample.h"

#define FINDING_LIST_ITEMS 96

static void finding_list_copy_evidence(struct rs_finding_item *item, const struct rs_evidence *e)
{
	for (item->nr_evidence = 0; e && e->view && item->nr_evidence < RS_MAX_EVIDENCE; e++) {
		rs_copy(item->evidence[item->nr_evidence].view, sizeof item->evidence->view, e->view);
		rs_copy(item->evidence[item->nr_evidence].sort, sizeof item->evidence->sort, e->sort);
		rs_copy(item->evidence[item->nr_evidence].where, sizeof item->evidence->where, e->where);
		rs_copy(item->evidence[item->nr_evidence].by, sizeof item->evidence->by, e->by);
		item->nr_evidence++;
	}
}

static void finding_list_add_pid(struct rs_finding_party *party, int32_t pid)
{
	for (unsigned int i = 0; i < party->nr_pids; i++)
		if (party->pids[i] == pid)
			return;
	if (party->nr_pids < RS_FINDING_PIDS)
		party->pids[party->nr_pids++] = pid;
	party->nr++;
}

static void finding_list_add_party(struct rs_finding_party *party, int32_t pid, unsigned int nr)
{
	if (pid)
		finding_list_add_pid(party, pid);
	if (nr > party->nr)
		party->nr = nr;
}

/* Takes what the costliest one says. */
static void finding_list_copy_words(struct rs_finding_item *item, const struct rs_finding_told *told)
{
	const struct rs_finding *f = told->finding;
	const struct rs_evidence itself[] = { { f->rule->view, NULL, told->where, NULL }, { 0 } };

	item->first_cost_ns = f->cost_ns;
	item->measured = f->measured;
	item->confidence = f->confidence;
	item->names_code = f->names_code;
	item->category = f->category;
	item->is_complete = (f->says ? f->says : &f->rule->says)->is_complete;
	item->cause = told->cause;
	item->how = told->how;
	rs_copy(item->view, sizeof item->view, f->rule->view);
	rs_copy(item->where, sizeof item->where, told->where);
	finding_list_copy_evidence(item, told->evidence ? told->evidence : itself);
}

static bool finding_list_is_same(const struct rs_finding_item *item, const struct rs_finding_told *told)
{
	const struct rs_finding *f = told->finding;

	return item->rule == f->rule && item->victim.program == told->victim_program &&
	       item->culprit.program == told->culprit_program &&
	       !strcmp(item->victim.name, f->victim ? f->victim : "") &&
	       !strcmp(item->culprit.name, f->culprit ? f->culprit : "") &&
	       (f->victim_pid || !strcmp(item->cause.text, told->cause.text));
}

/*
 * Returns the item that the finding belongs to, a new one if there is none; NULL: it costs less than all that
 * are stored.
 */
static struct rs_finding_item *finding_list_find(struct rs_finding_list *list,
						 const struct rs_finding_told *told)
{
	const struct rs_finding *f = told->finding;
	struct rs_finding_item *item;

	for (size_t i = 0; i < list->nr; i++)
		if (finding_list_is_same(&list->items[i], told))
			return &list->items[i];
	if (list->nr == list->max && list->items[list->nr - 1].cost_ns >= f->cost_ns)
		return NULL;
	if (list->nr < list->max)
		list->nr++;
	item = &list->items[list->nr - 1];
	*item = (struct rs_finding_item){ .rule = f->rule, .since_ns = f->since_ns };
	rs_copy(item->victim.name, sizeof item->victim.name, f->victim);
	rs_copy(item->culprit.name, sizeof item->culprit.name, f->culprit);
	item->victim.program = told->victim_program;
	item->culprit.program = told->culprit_program;
	return item;
}

/* Moves an item that has grown to its place. */
static void finding_list_sort_item(struct rs_finding_list *list, struct rs_finding_item *item)
{
	while (item > list->items && item[-1].cost_ns < item->cost_ns) {
		struct rs_finding_item before = item[-1];

		item[-1] = *item;
		*item-- = before;
	}
}

static void finding_list_note_slowest(struct rs_finding_item *item, const struct rs_wait_instance *wait)
{
	if (wait->tid > 0 && wait->to_ns - wait->from_ns > item->slowest.to_ns - item->slowest.from_ns)
		item->slowest = *wait;
}

void rs_finding_list_add(struct rs_finding_list *list, const struct rs_finding_told *told)
{
	const struct rs_finding *f = told->finding;
	struct rs_finding_item *item = finding_list_find(list, told);
	uint64_t weight;

	if (!item)
		return;
	if (f->cost_ns >= item->first_cost_ns)
		finding_list_copy_words(item, told);
	item->is_told |= told->is_told;
	item->cost_ns += f->cost_ns;
	item->lost_ns += f->lost_ns || !f->of_ns ? f->lost_ns : f->cost_ns;
	if (!f->of_name)
		item->of_ns += f->of_ns;
	else if (f->of_ns > item->of_ns)
		item->of_ns = f->of_ns;
	if (f->since_ns < item->since_ns)
		item->since_ns = f->since_ns;
	finding_list_note_slowest(item, &f->slowest);
	weight = list->interval_ns >= 1000 ? item->cost_ns / (list->interval_ns / 1000) : 0;
	item->weight = weight < 1000 ? (unsigned int)weight : 1000;
	finding_list_add_party(&item->victim, f->victim_pid, f->nr_victims);
	finding_list_add_party(&item->culprit, f->culprit_pid, f->nr_culprits);
	finding_list_sort_item(list, item);
}

/*
 * Returns true if `of` is about a victim of the one that the item is about, and the item is that one's own
 * doing.
 */
static bool finding_list_is_takers(const struct rs_finding_item *item, const struct rs_finding_item *of)
{
	bool is_own = item->culprit.nr && rs_finding_order_is_of(&item->victim, &item->culprit);

	if (rs_finding_order_is_death(item) || item->rule->explains_waits ||
	    rs_finding_order_starves_itself(item, of))
		return false;
	if (item == of || !of->culprit.nr || (item->culprit.nr && !is_own) ||
	    (!is_own && strcmp(item->view, of->view) != 0))
		return false;
	return rs_finding_order_is_of(&item->victim, &of->culprit) &&
	       !rs_finding_order_is_of(&of->victim, &of->culprit);
}

/* Who waits for its own kind is no reason; who does something very often is. */
static void finding_list_add_reason(struct rs_finding_item *to, const struct rs_finding_item *of)
{
	bool many = to->culprit.nr > 1;
	struct rs_phrase cause;

	if (!strcmp(of->rule->verb, "waits") || to->reason[0] || !rs_phrase_have(&to->how, RS_SLOT_CULPRIT) ||
	    to->is_complete)
		return;
	rs_finding_list_cause(of, &cause);
	snprintf(to->reason, sizeof to->reason, "%s %.*s %.200s", many ? "they" : "it",
		 (int)strlen(of->rule->verb) - many, of->rule->verb, cause.text);
}

/*
 * What the sentence says, or how much time all of them lose, follows from all findings of the item: a sum
 * over threads is no "%".
 */
static void finding_list_measure(const struct rs_finding_list *list, struct rs_finding_item *item)
{
	const char *unit = item->rule->unit ? item->rule->unit : "";
	uint64_t lost_ns = item->lost_ns;

	if (!strcmp(unit, "ms/s") && list->interval_ns)
		item->measured = rs_milli(lost_ns, list->interval_ns, 1000).u;
	else if (!strcmp(unit, "%") && item->of_ns)
		item->measured = lost_ns < item->of_ns ? rs_milli(lost_ns, item->of_ns, 100).u : 100000;
}

void rs_finding_list_end(struct rs_finding_list *list)
{
	unsigned int nr;

	for (size_t i = 0; i < list->nr; i++)
		finding_list_measure(list, &list->items[i]);
	for (size_t i = 0; i < list->nr; i++)
		for (size_t j = 0; j < list->nr; j++) {
			if (rs_finding_order_follows(&list->items[i], &list->items[j]))
				list->items[i].hidden = true;
			if (!finding_list_is_takers(&list->items[i], &list->items[j]))
				continue;
			list->items[i].hidden = true;
			finding_list_add_reason(&list->items[j], &list->items[i]);
		}
	rs_finding_order(list);
	for (size_t i = 0; i < list->nr; i++) {
		nr = 0;
		for (size_t j = 0; j < i; j++)
			nr += list->items[j].rule == list->items[i].rule && !list->items[j].hidden;
		list->items[i].hidden |= !list->items[i].is_told || nr >= RS_FINDINGS_OF_RULE;
	}
}

bool rs_finding_list_init(struct rs_finding_list *list)
{
	*list = (struct rs_finding_list){ .max = FINDING_LIST_ITEMS };
	list->items = malloc(list->max * sizeof *list->items); /* not touched: most of it stays free */
	return list->items;
}

void rs_finding_list_done(struct rs_finding_list *list)
{
	free(list->items);
	list->items = NULL;
	list->nr = 0;
}

const struct rs_finding_item *rs_finding_list_get(const struct rs_finding_list *list, size_t n)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!list->items[i].hidden && !n--)
			return &list->items[i];
	return NULL;
}

/* ---- the sentence ---- */

const char *rs_finding_list_party(const struct rs_finding_party *party, char *buf, size_t size_bytes)
{
	const char *name = party->title[0] ? party->title : party->name;

	if (!party->name[0])
		return NULL;
	if (party->nr > 1)
		snprintf(buf, size_bytes, "%u %s processes", party->nr, name);
	else if (party->nr_pids)
		snprintf(buf, size_bytes, "%s (%d)", name, party->pids[0]);
	else
		snprintf(buf, size_bytes, "%s", party->name);
	return buf;
}

/* "83 % of its time ", where the sentence says it. */
static void finding_list_put_share(const struct rs_finding_item *item, bool brief, struct rs_phrase *out)
{
	uint64_t of_ns = item->of_ns, percent = 100;
	char text[24];

	if (!of_ns)
		return;
	if (item->lost_ns < of_ns)
		percent = (item->lost_ns / 10 + of_ns / 2000) / (of_ns / 1000 ? of_ns / 1000 : 1);
	snprintf(text, sizeof text, "%u %%", (unsigned int)percent);
	rs_phrase_puts(out, RS_SLOT_SHARE, text);
	if (!brief)
		rs_phrase_puts(out, RS_SLOT_OF_TIME,
			      item->victim.nr > 1 ? " of their time" : " of its time");
	rs_phrase_puts(out, RS_SLOT_TEXT, " ");
}

static void finding_list_settle(const struct rs_finding_item *item, const struct rs_phrase *from,
				struct rs_phrase *out)
{
	char party[96];

	rs_phrase_settle(out, from, item->victim.nr > 1, item->culprit.nr > 1,
			rs_finding_list_party(&item->culprit, party, sizeof party));
}

void rs_finding_list_cause(const struct rs_finding_item *item, struct rs_phrase *out)
{
	rs_phrase_init(out);
	finding_list_settle(item, &item->cause, out);
}

/* What follows the colon. */
static void finding_list_put_how(const struct rs_finding_item *item, struct rs_phrase *out)
{
	bool has_culprit = rs_phrase_have(&item->how, RS_SLOT_CULPRIT);

	if (!item->how.nr || (has_culprit && !item->culprit.name[0]))
		return;
	rs_phrase_puts(out, RS_SLOT_COLON, ": ");
	finding_list_settle(item, &item->how, out);
	if (has_culprit && item->reason[0]) {
		rs_phrase_puts(out, RS_SLOT_TEXT, ", ");
		rs_phrase_puts(out, RS_SLOT_TEXT, item->reason);
	}
}

void rs_finding_list_words(const struct rs_finding_item *item, bool brief, struct rs_phrase *out)
{
	const char *victim, *verb = item->rule->verb;
	char party[96];

	rs_phrase_init(out);
	victim = rs_finding_list_party(&item->victim, party, sizeof party);
	rs_phrase_puts(out, RS_SLOT_VICTIM, victim ? victim : "a task");
	rs_phrase_puts(out, RS_SLOT_TEXT, " ");
	if (item->victim.nr > 1)
		rs_phrase_add(out, RS_SLOT_VERB, verb, strlen(verb) - 1); /* "waits", "wait" */
	else
		rs_phrase_puts(out, RS_SLOT_VERB, verb);
	rs_phrase_puts(out, RS_SLOT_TEXT, " ");
	finding_list_put_share(item, brief, out);
	finding_list_settle(item, &item->cause, out);
	finding_list_put_how(item, out);
}

static const char *finding_list_sentence(const struct rs_finding_item *item, bool brief, char *buf)
{
	struct rs_phrase words;

	rs_finding_list_words(item, brief, &words);
	memcpy(buf, words.text, words.len + 1);
	return buf;
}

const char *rs_finding_list_text(const struct rs_finding_item *item, char *buf)
{
	return finding_list_sentence(item, false, buf);
}

const char *rs_finding_list_brief(const struct rs_finding_item *item, char *buf)
{
	return finding_list_sentence(item, true, buf);
}

/* ---- the code ---- */

const char *rs_hot_code_text(const struct rs_hot_code *code, char *buf, size_t size_bytes)
{
	size_t len = strlen(code->module);
	bool is_kernel = len > 2 && code->module[0] == '[' && code->module[len - 1] == ']';

	snprintf(buf, size_bytes, "%.100s (%.*s)", code->function, is_kernel ? (int)len - 2 : 50,
		 code->module + is_kernel);
	return buf;
}

const struct rs_finding_party *rs_finding_list_runner(const struct rs_finding_item *item)
{
	return item->culprit.nr ? &item->culprit : &item->victim;
}

const char *rs_finding_list_code(const struct rs_finding_item *item, char *buf)
{
	const struct rs_hot_code code = { item->code.function, item->code.module, item->code.nr,
					  item->code.nr_samples };
	const struct rs_finding_party *runner = rs_finding_list_runner(item);
	char party[96], function[256];

	if (!item->code.function[0] || !rs_finding_list_party(runner, party, sizeof party))
		return NULL;
	snprintf(buf, RS_FINDING_TEXT, "%s %s %u %% of %s CPU time in %s", party,
		 runner->nr > 1 ? "spend" : "spends",
		 (unsigned int)((code.nr * 100 + code.nr_samples / 2) / code.nr_samples),
		 runner->nr > 1 ? "their" : "its", rs_hot_code_text(&code, function, sizeof function));
	return buf;
}

/* On the command line the largest come first without a sign. */
static void finding_list_put_sort(const char *sort, struct rs_buf *out)
{
	for (const char *at = sort; *at; at += strcspn(at, ","), at += *at == ',') {
		rs_buf_printf(out, "%s%s", at == sort ? "" : ",", *at == '-' ? "" : "-");
		at += *at == '-';
		rs_buf_printf(out, "%.*s", (int)strcspn(at, ","), at);
	}
}

static bool finding_list_has(const char *text)
{
	return text && *text;
}

void rs_finding_list_command(const struct rs_finding_command *command, struct rs_buf *out)
{
	rs_buf_printf(out, "ringside %s", command->view);
	if (finding_list_has(command->by))
		rs_buf_printf(out, " --by %s", command->by);
	if (finding_list_has(command->sort)) {
		rs_buf_puts(out, " -s ");
		finding_list_put_sort(command->sort, out);
	}
	if (finding_list_has(command->where)) {
		rs_buf_puts(out, " --where ");
		rs_escape_word(out, command->where);
	}
}

void rs_finding_list_put_command(const struct rs_finding_item *item, unsigned int evidence,
				 struct rs_buf *out)
{
	rs_finding_list_command(&(struct rs_finding_command){
		item->evidence[evidence].view, item->evidence[evidence].by, item->evidence[evidence].sort,
		item->evidence[evidence].where }, out);
}
