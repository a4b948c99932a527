// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recurring-waits - rule: who is kept waiting at regular times, rarely enough that no interval shows it
 *
 * Other rules ask for a share of the time. Who is held up for 300 ms every 5 s loses 6 %, and each of
 * its users notices. From 100 ms on a person does not feel that a program answers at once (R. B.
 * Miller, Response Time in Man-Computer Conversational Transactions, 1968).
 */
#include "ringside/plugin.h"
#include "why/recurring.h"

#define RECURRING_WAIT_NS 100000000u  /* that a person notices */
#define RECURRING_WINDOW_NS 60000000000u /* live */
#define RECURRING_LEAST_TIMES 3000     /* in thousandths; of fewer there is no period */
#define RECURRING_MOST_MILLI 500      /* of the time: beyond it waits more than not, which other rules tell */

#define RECURRING_CAUSE(of) \
	"{each} " of "{ in |call}, every {period}, {nr} times"

static const struct rs_evidence of_queue[] = { { "runqslower", NULL, "pid == {pid}" },
					       { "antagonists", NULL, "pid == {pid}" },
					       { "tasks", NULL, "pid == {pid}" },
					       { 0 } },
				of_disk[] = { { "iosnoop", NULL, "pid == {pid}" },
					      { "offcpu", NULL, "pid == {pid}" },
					      { "disks" },
					      { 0 } };

static const struct rs_rule rules[] = {
	{ "recurring-wait", "a process is kept waiting at regular times", RECURRING_LEAST_TIMES,
	  "times", "waits",
	  "look for what runs with that period: a timer, a job of cron, a garbage collector",
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = RS_LIST(rs_evidence, { "offcpu", NULL, "pid == {pid}" },
			      { "tasks", NULL, "pid == {pid}" }),
	  .found =
		"Waits of one kind, of processes of one name, for a CPU, a disk, a lock or memory, that "
		"took 100 ms or more, at least {least}, at regular distances: three quarters of these are "
		"within a tenth of their median. Live, those of the last 60 s are judged.",
	  .wrong =
		"Three waits by chance are as regular in one case of 20. Nothing is reported of who "
		"waits for more than half of the time, and of waits before events were lost." },
	{ 0 },
};

/* By the cause of the waits; a cause without a row is not judged. */
static const struct recurring_cause {
	struct rs_sentence says, of_own_thread;
	const struct rs_evidence *evidence;
} recurring_causes[RS_NR_CAUSES] = {
	[RS_CAUSE_DELAY] = { .says = { RECURRING_CAUSE("for a CPU"), "{culprit} {^runs} meanwhile" },
			     .of_own_thread = { RECURRING_CAUSE("for a CPU"),
						"its thread {culprit} runs meanwhile" },
			     .evidence = of_queue },
	[RS_CAUSE_FUTEX] = { .says = { RECURRING_CAUSE("for a user-space lock"), "{culprit} {^holds} it" },
			     .of_own_thread = { RECURRING_CAUSE("for a user-space lock"),
						"its thread {culprit} holds it" } },
	[RS_CAUSE_LOCK] = { .says = { RECURRING_CAUSE("for a kernel lock"), "{culprit} {^holds} it" },
			    .of_own_thread = { RECURRING_CAUSE("for a kernel lock"),
					       "its thread {culprit} holds it" } },
	[RS_CAUSE_DISK] = { .says = { RECURRING_CAUSE("for disk{ |disk}"), "requests of {culprit}" },
			    .evidence = of_disk },
	[RS_CAUSE_RECLAIM] = { .says = { RECURRING_CAUSE("for memory") } },
	[RS_CAUSE_OTHER_D] = { .says = { RECURRING_CAUSE("in the kernel (state D)") } },
};

static void recurring_waits_report(struct rs_ctx *c, const struct rs_recurring *r, uint64_t cost_ns)
{
	const struct rs_slow_wait *w = r->slowest;
	const struct recurring_cause *of = &recurring_causes[w->cause];
	bool is_own = r->culprit && r->culprit->is_own_thread && of->of_own_thread.cause;

	rs_report_finding(c, &(struct rs_finding){
		.rule = rules, .says = is_own ? &of->of_own_thread : &of->says, .evidence = of->evidence,
		.cost_ns = cost_ns, .lost_ns = cost_ns, .victim = w->comm,
		.victim_pid = w->pid ? w->pid : w->tid,
		.culprit = r->culprit ? r->culprit->culprit : NULL,
		.culprit_pid = r->culprit ? r->culprit->culprit_pid : 0, .measured = 1000ull * r->nr,
		.since_ns = r->first_ns, .slowest = { w->tid, w->from_ns, w->to_ns },
		.category = rs_cause_row(w->cause)->category,
		.slots = RS_LIST(rs_slot, { "each", RS_SLOT_DURATION, rs_u(r->sum_ns / r->nr) },
				 { "period", RS_SLOT_DURATION, rs_u(r->period_ns) },
				 { "nr", RS_SLOT_NUMBER, rs_u(r->nr) },
				 { "call", RS_SLOT_CALL, rs_i(w->call) },
				 { "disk", RS_SLOT_DISK,
				   rs_u(w->cause == RS_CAUSE_DISK ? w->what : 0) }) });
}

/* Of the last 60 s, those that did not come when they should have are over. */
static bool recurring_waits_apply(const struct rs_recurring_list *list, const struct rs_recurring *r)
{
	return recurring_causes[r->slowest->cause].says.cause && r->period_ns &&
	       rs_milli(r->sum_ns / r->nr, r->period_ns, 1).u <= RECURRING_MOST_MILLI &&
	       (!list->is_window || list->now_ns - r->last_to_ns <= 2 * r->period_ns);
}

/* They cost what they cost on average in an interval of the length that other findings are judged by. */
static void recurring_waits_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	struct rs_recurring_list list;

	if (!interval_ns)
		return;
	rs_recurring_collect(c, RECURRING_WAIT_NS, RECURRING_WINDOW_NS, &list);
	for (unsigned int i = 0; i < list.nr; i++)
		if (recurring_waits_apply(&list, &list.at[i]))
			recurring_waits_report(c, &list.at[i],
					       (uint64_t)((double)list.at[i].sum_ns * (double)interval_ns /
							  (double)(list.now_ns - list.from_ns)));
}

const struct rs_analysis rs_analysis_recurring_waits = {
	.abi = RS_ABI,
	.name = "recurring-waits",
	.summary = "who is kept waiting at regular times",
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.rules = rules,
	.findings = recurring_waits_put_findings,
};
