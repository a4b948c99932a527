// SPDX-License-Identifier: GPL-2.0-or-later
/* process - what a process takes for a unit of its work on each side, and which parts of its time changed */
#include "compare/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

#define PROCESS_LEAST_SHARE_OF_TIME 0.002 /* of one CPU's time on one side: less is not looked at */
#define PROCESS_LEAST_NS 1000.0           /* a change of less is no change */

/* Of RS_PROCESS_WHY_KEYS. */
enum process_key { KEY_COMM, KEY_PART, KEY_DEV, KEY_TYPE, KEY_CULPRIT };

bool rs_process_has_verdict(const struct rs_process_change *p)
{
	return p->verdict >= RS_PROCESS_SLOWER && p->verdict <= RS_PROCESS_LESS;
}

const char *rs_process_word(enum rs_process_verdict verdict)
{
	static const char *const words[RS_NR_PROCESS_VERDICTS] = {
		"alike", "slower", "faster", "more", "less", "undetermined",
	};

	return words[verdict];
}

/* ---- the parts ---- */

static enum rs_time_part process_part_named(const char *name)
{
	for (unsigned int i = 0; i < RS_NR_PARTS; i++)
		if (!strcmp(rs_part_row((enum rs_time_part)i)->name, name))
			return (enum rs_time_part)i;
	return RS_PART_UNKNOWN;
}

/* It waits for something to do, or for an answer: which of both the wait alone does not tell. Or unknown. */
static bool process_is_input(enum rs_time_part part)
{
	enum rs_cause_rank rank = rs_part_cause(part)->rank;

	return (rank == RS_RANK_CHOICE || rank == RS_RANK_IDLE || rank == RS_RANK_UNKNOWN) &&
	       !((RS_PART_BIT(TIMER) | RS_PART_BIT(NETWORK) | RS_PART_BIT(SEND_BUFFER) |
		  RS_PART_BIT(SEND_PEER) | RS_PART_BIT(SEND_LINK)) >>
			 part &
		 1);
}

bool rs_process_is_somebody(const char *culprit)
{
	static const char *const nobody[] = { "", "-", "itself", "interrupt", "idle", "others" };

	for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++)
		if (!strcmp(culprit, nobody[i]))
			return false;
	return true;
}

static bool process_is_same_culprit(const char *a, const char *b)
{
	return !strcmp(a, b) || (!rs_process_is_somebody(a) && !rs_process_is_somebody(b));
}

/* Stages of one request on one disk are told as one, and so are the ways to wait for a CPU. */
static bool process_is_same(const struct rs_process_part *p, enum rs_time_part part,
			    const struct rs_side_row *row)
{
	enum rs_category category = rs_part_cause(part)->category;
	bool is_alike = category == RS_CATEGORY_DISK || category == RS_CATEGORY_QUEUE ||
			category == RS_CATEGORY_IRQ || category == RS_CATEGORY_MEMORY;

	if (is_alike ? rs_part_cause(p->part)->category != category : p->part != part)
		return false;
	return !strcmp(p->dev, rs_side_key(row, KEY_DEV)) &&
	       process_is_same_culprit(p->culprit, rs_side_key(row, KEY_CULPRIT)) &&
	       (is_alike || !strcmp(p->type, rs_side_key(row, KEY_TYPE)));
}

static struct rs_process_part *process_get_part(struct rs_process_change *p, const struct rs_side_row *row)
{
	enum rs_time_part part = process_part_named(rs_side_key(row, KEY_PART));
	struct rs_process_part *new;

	for (size_t i = 0; i < p->nr_parts; i++)
		if (process_is_same(&p->parts[i], part, row))
			return &p->parts[i];
	new = RS_VECTOR_ADD(&p->parts, &p->nr_parts, &p->parts_room);
	if (new)
		*new = (struct rs_process_part){ .part = part, .dev = rs_side_key(row, KEY_DEV),
						 .type = rs_side_key(row, KEY_TYPE),
						 .culprit = rs_side_key(row, KEY_CULPRIT) };
	return new;
}

/*
 * ---- whose calls are the work: a server's work is what its client asks for ----
 *
 * Two processes that wait for each other are a client and a server: the client is the one that waits longer.
 * A server that now asks another one makes more calls for the same work; its client's calls tell.
 */

#define PROCESS_CLIENTS 4u /* of clients: so far the search goes */

static double process_waited(const struct rs_side *side, const char *comm, const char *for_whom)
{
	const struct rs_side_view *why = &side->views[RS_PROCESS_WHY];
	double ns = 0;

	for (size_t i = 0; i < why->nr_rows; i++) {
		const struct rs_side_row *row = why->rows[i];

		if (!strcmp(rs_side_key(row, KEY_COMM), comm) &&
		    !strcmp(rs_side_key(row, KEY_CULPRIT), for_whom) &&
		    process_is_input(process_part_named(rs_side_key(row, KEY_PART))))
			ns += (double)row->sum;
	}
	return ns;
}

/* Who waits longest for this one, and longer than this one for it, on both sides; NULL: nobody. */
static const char *process_client(const struct rs_side *a, const struct rs_side *b, const char *comm)
{
	const struct rs_side_view *why = &a->views[RS_PROCESS_WHY];
	const char *client = NULL;
	double most = 0;

	for (size_t i = 0; i < why->nr_rows; i++) {
		const char *other = rs_side_key(why->rows[i], KEY_COMM);
		double waited;

		if (strcmp(rs_side_key(why->rows[i], KEY_CULPRIT), comm) != 0 || !strcmp(other, comm))
			continue;
		waited = process_waited(a, other, comm);
		if (waited > most && waited > process_waited(a, comm, other) &&
		    process_waited(b, other, comm) > process_waited(b, comm, other)) {
			most = waited;
			client = other;
		}
	}
	return client;
}

/* Sets whose calls count. */
static void process_find_work(struct rs_process_change *p, const struct rs_side *a, const struct rs_side *b,
			      const char *per)
{
	const char *comm = p->comm;

	p->worker = p->comm;
	for (unsigned int i = 0; !per && !a->of_runs && i < PROCESS_CLIENTS; i++) {
		comm = process_client(a, b, comm);
		if (!comm || !strcmp(comm, p->comm))
			break;
		rs_workload_find(a, b, RS_PROCESS_CALLS, comm, NULL, &p->work);
		if (p->work.call && !p->work.is_mixed)
			p->worker = comm;
	}
	rs_workload_find(a, b, RS_PROCESS_CALLS, p->worker, per, &p->work);
}

static bool process_add_row(struct rs_process_change *p, const struct rs_side *side,
			    const struct rs_side_row *row, bool is_b)
{
	struct rs_process_part *part = process_get_part(p, row);

	for (unsigned int i = 0; part && i < side->nr_blocks; i++)
		(is_b ? part->b : part->a)[i] += (double)row->block_sum[i];
	return part;
}

static bool process_add_rows(struct rs_process_change *p, const struct rs_side *side, bool is_b)
{
	const struct rs_side_view *why = &side->views[RS_PROCESS_WHY];

	for (size_t i = 0; i < why->nr_rows; i++)
		if (!strcmp(rs_side_key(why->rows[i], KEY_COMM), p->comm) &&
		    !process_add_row(p, side, why->rows[i], is_b))
			return false;
	return true;
}

/* ---- the change ---- */

/* May whoever ended such a wait be to blame for its length? An idle kernel thread waits for no one. */
static bool process_may_follow(const struct rs_process_part *part)
{
	return part->part != RS_PART_IDLE && part->part != RS_PART_STOPPED &&
	       rs_part_cause(part->part)->rank != RS_RANK_UNKNOWN;
}

static bool process_is_told(struct rs_estimate change, unsigned int nr_blocks)
{
	return fabs(change.value) > rs_estimate_told(nr_blocks) * change.error &&
	       fabs(change.value) > PROCESS_LEAST_NS;
}

static unsigned int process_blocks(const struct rs_side *a, const struct rs_side *b)
{
	return a->nr_blocks < b->nr_blocks ? a->nr_blocks : b->nr_blocks;
}

static void process_judge_part(struct rs_process_change *p, struct rs_process_part *part,
			       const struct rs_side *a, const struct rs_side *b)
{
	part->of_a = rs_estimate_ratio(part->a, p->work.a, a->nr_blocks);
	part->of_b = rs_estimate_ratio(part->b, p->work.b, b->nr_blocks);
	part->change = rs_estimate_change(part->of_a, part->of_b);
	part->is_told = process_is_told(part->change, process_blocks(a, b));
	part->is_new = part->is_told && part->of_a.value < part->of_b.value / 100;
	part->is_absent = part->is_told && part->of_b.value < part->of_a.value / 100;
	part->counts = !process_is_input(part->part);
}

/* Which parts are summed. */
static bool process_is_counted(const struct rs_process_part *part)
{
	return part->counts;
}

static bool process_is_sure(const struct rs_process_part *part)
{
	return part->counts && part->is_told;
}

/* From their sums in each block: parts of one block are not independent. */
static struct rs_estimate process_sum(const struct rs_process_change *p, const struct rs_side *side,
				      bool is_b, bool (*is_in)(const struct rs_process_part *part))
{
	double sum[RS_SIDE_MAX_BLOCKS] = { 0 };

	for (size_t n = 0; n < p->nr_parts; n++)
		for (unsigned int i = 0; is_in(&p->parts[n]) && i < side->nr_blocks; i++)
			sum[i] += is_b ? p->parts[n].b[i] : p->parts[n].a[i];
	return rs_estimate_ratio(sum, is_b ? p->work.b : p->work.a, side->nr_blocks);
}

static bool process_is_large(const struct rs_process_change *p, struct rs_estimate change,
			     unsigned int nr_blocks)
{
	return process_is_told(change, nr_blocks) &&
	       fabs(change.value) >= RS_PROCESS_LEAST_SHARE * p->of_a.value;
}

/*
 * What it is by the change of all its time, or, where a busy machine makes that uncertain, by the parts whose
 * change is certain. RS_PROCESS_SLOWER, RS_PROCESS_FASTER or RS_PROCESS_ALIKE.
 */
static enum rs_process_verdict process_direction(const struct rs_process_change *p, const struct rs_side *a,
						 const struct rs_side *b)
{
	struct rs_estimate sure = rs_estimate_change(process_sum(p, a, false, process_is_sure),
						     process_sum(p, b, true, process_is_sure));
	unsigned int nr_blocks = process_blocks(a, b);

	if (process_is_large(p, p->change, nr_blocks))
		return p->change.value > 0 ? RS_PROCESS_SLOWER : RS_PROCESS_FASTER;
	if (process_is_large(p, sure, nr_blocks) && sure.value * p->change.value > 0)
		return sure.value > 0 ? RS_PROCESS_SLOWER : RS_PROCESS_FASTER;
	return RS_PROCESS_ALIKE;
}

static enum rs_process_verdict process_verdict(const struct rs_process_change *p, const struct rs_side *a,
					       const struct rs_side *b)
{
	enum rs_process_verdict direction;

	if (process_blocks(a, b) < RS_SIDE_LEAST_BLOCKS || p->work.is_mixed)
		return RS_PROCESS_UNDETERMINED;
	direction = process_direction(p, a, b);
	if (p->work.call || direction == RS_PROCESS_ALIKE)
		return direction;
	return direction == RS_PROCESS_SLOWER ? RS_PROCESS_MORE : RS_PROCESS_LESS;
}

static void process_judge_all(struct rs_process_change *p, const struct rs_side *a, const struct rs_side *b)
{
	double reach;

	p->input_ns = 0;
	for (size_t n = 0; n < p->nr_parts; n++)
		p->input_ns += p->parts[n].counts ? 0 : p->parts[n].change.value;
	p->of_a = process_sum(p, a, false, process_is_counted);
	p->of_b = process_sum(p, b, true, process_is_counted);
	p->change = rs_estimate_change(p->of_a, p->of_b);
	reach = rs_estimate_interval(process_blocks(a, b)) * p->change.error;
	p->low_ns = p->change.value - reach;
	p->high_ns = p->change.value + reach;
	p->cost = b->len_ns ? p->change.value * p->work.all_b / ((double)b->len_ns / 1e9) : 0;
	p->verdict = process_verdict(p, a, b);
}

/* ---- waits for input that another process made longer ---- */

static struct rs_process_change *process_find(struct rs_process_list *list, const char *comm)
{
	for (size_t i = 0; i < list->nr; i++)
		if (!strcmp(list->at[i].comm, comm))
			return &list->at[i];
	return NULL;
}

static bool process_is_on(const struct rs_side *side, const char *comm)
{
	const struct rs_side_view *why = &side->views[RS_PROCESS_WHY];

	for (size_t i = 0; i < why->nr_rows; i++)
		if (!strcmp(rs_side_key(why->rows[i], KEY_COMM), comm))
			return true;
	return false;
}

/* Does what this one waits for take longer itself, or faster, or is it new, or gone? */
static bool process_is_changed(struct rs_process_list *list, const struct rs_side *a, const struct rs_side *b,
			       const char *comm)
{
	const struct rs_process_change *p = process_find(list, comm);

	if (p)
		return rs_process_has_verdict(p);
	return process_is_on(a, comm) != process_is_on(b, comm);
}

/* Returns true if a wait for input counts now that did not before. */
static bool process_follow_one(struct rs_process_list *list, struct rs_process_change *p,
			       const struct rs_side *a, const struct rs_side *b)
{
	bool more = false;

	for (size_t i = 0; i < p->nr_parts; i++) {
		struct rs_process_part *part = &p->parts[i];

		if (part->counts || !part->is_told || !process_may_follow(part) ||
		    !strcmp(part->culprit, p->comm) || !process_is_changed(list, a, b, part->culprit))
			continue;
		part->counts = part->is_followed = more = true;
	}
	if (!more)
		return false;
	process_judge_all(p, a, b);
	return true;
}

/* Is at least half of what it takes longer its own doing, or of what it wants and others have? */
static bool process_is_root(const struct rs_process_change *p)
{
	double own = 0;

	for (size_t i = 0; i < p->nr_parts; i++)
		if (process_is_sure(&p->parts[i]) && !p->parts[i].is_followed)
			own += p->parts[i].change.value;
	return p->verdict == RS_PROCESS_SLOWER && own > p->change.value / 2;
}

/* Through chains of processes: each round reaches one link further. */
static void process_follow(struct rs_process_list *list, const struct rs_side *a, const struct rs_side *b)
{
	bool more = true;

	for (unsigned int round = 0; more && round < RS_MAX_LINKS; round++) {
		more = false;
		for (size_t i = 0; i < list->nr; i++)
			more |= process_follow_one(list, &list->at[i], a, b);
	}
	for (size_t i = 0; i < list->nr; i++)
		list->at[i].is_root = process_is_root(&list->at[i]);
}

/* ---- all processes ---- */

static int process_compare_parts(const void *x, const void *y)
{
	double a = fabs(((const struct rs_process_part *)x)->change.value),
	       b = fabs(((const struct rs_process_part *)y)->change.value);

	return (a < b) - (a > b);
}

static unsigned int process_rank(const struct rs_process_change *p)
{
	static const unsigned int ranks[RS_NR_PROCESS_VERDICTS] = {
		[RS_PROCESS_SLOWER] = 1, [RS_PROCESS_FASTER] = 2, [RS_PROCESS_MORE] = 3,
		[RS_PROCESS_LESS] = 4, [RS_PROCESS_ALIKE] = 5, [RS_PROCESS_UNDETERMINED] = 6,
	};

	return p->is_root ? 0 : ranks[p->verdict];
}

static int process_compare_changes(const void *x, const void *y)
{
	const struct rs_process_change *a = x, *b = y;
	unsigned int rank_a = process_rank(a), rank_b = process_rank(b);
	double cost_a = fabs(a->cost), cost_b = fabs(b->cost);

	if (rank_a != rank_b)
		return rank_a < rank_b ? -1 : 1;
	return (cost_a < cost_b) - (cost_a > cost_b);
}

static bool process_is_for_another(const struct rs_process_change *p, const struct rs_process_part *part,
				   const struct rs_side *a, const struct rs_side *b)
{
	return process_may_follow(part) && strcmp(part->culprit, p->comm) != 0 &&
	       (process_is_on(a, part->culprit) || process_is_on(b, part->culprit));
}

/* Does it do anything worth a comparison on this side? */
static bool process_is_busy(const struct rs_process_change *p, const struct rs_side *a,
			    const struct rs_side *b)
{
	double busy_a = 0, busy_b = 0;

	for (size_t n = 0; n < p->nr_parts; n++) {
		const struct rs_process_part *part = &p->parts[n];

		if (!part->counts && !process_is_for_another(p, part, a, b))
			continue;
		for (unsigned int i = 0; i < RS_SIDE_MAX_BLOCKS; i++) {
			busy_a += part->a[i];
			busy_b += part->b[i];
		}
	}
	return busy_a > PROCESS_LEAST_SHARE_OF_TIME * (double)a->len_ns ||
	       busy_b > PROCESS_LEAST_SHARE_OF_TIME * (double)b->len_ns;
}

static void process_add(struct rs_process_list *list, const struct rs_side *a, const struct rs_side *b,
			const char *comm, const char *per)
{
	struct rs_process_change *p = RS_VECTOR_ADD(&list->at, &list->nr, &list->room);

	if (!p) {
		list->failed = true;
		return;
	}
	*p = (struct rs_process_change){ .comm = comm };
	if (!process_add_rows(p, a, false) || !process_add_rows(p, b, true))
		list->failed = true;
	process_find_work(p, a, b, per);
	for (size_t i = 0; i < p->nr_parts; i++)
		process_judge_part(p, &p->parts[i], a, b);
	if (!process_is_busy(p, a, b)) {
		free(p->parts);
		list->nr--;
		return;
	}
	process_judge_all(p, a, b);
}

void rs_process_compare(struct rs_process_list *list, const struct rs_side *a, const struct rs_side *b,
			const char *per)
{
	const struct rs_side_view *why = &a->views[RS_PROCESS_WHY];
	const char *before = "";

	memset(list, 0, sizeof *list);
	for (size_t i = 0; i < why->nr_rows; i++) {
		const char *comm = rs_side_key(why->rows[i], KEY_COMM);

		/* rows of one process come in any order */
		if (!strcmp(comm, before) || process_find(list, comm) || !process_is_on(b, comm))
			continue;
		before = comm;
		process_add(list, a, b, comm, per);
	}
	process_follow(list, a, b);
	for (size_t i = 0; i < list->nr; i++)
		if (list->at[i].nr_parts)
			qsort(list->at[i].parts, list->at[i].nr_parts, sizeof *list->at[i].parts,
			      process_compare_parts);
	if (list->nr)
		qsort(list->at, list->nr, sizeof *list->at, process_compare_changes);
}

void rs_process_list_done(struct rs_process_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->at[i].parts);
	free(list->at);
	memset(list, 0, sizeof *list);
}
