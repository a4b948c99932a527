// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * states-balance - the state in flight, and the accounting of a task instance's lifetime: how much of it is
 * known. After a reset (-I) only the part since then counts
 */
#include "engine/internal.h"
#include "engine/states/states.h"
#include "engine/task-table.h"

uint64_t rs_states_open_discarded(const struct rs_states *st, uint64_t now_ns)
{
	uint64_t nr = 0;

	for (const struct rs_task_instance *inst = st->tasks->oldest; inst; inst = inst->next)
		nr += inst->task.state != RS_UNKNOWN && inst->task.state != RS_DEAD &&
		      rs_states_is_discarded(st, inst, now_ns);
	return nr;
}

enum rs_state rs_states_current(const struct rs_states *st, const struct rs_task_instance *inst,
				uint64_t now_ns, uint64_t *open_ns)
{
	const struct rs_task *t = &inst->task;

	*open_ns = t->state == RS_DEAD ? 0 : now_ns - t->since_ns;
	if (t->state == RS_DEAD)
		return RS_DEAD;
	if (t->state == RS_UNKNOWN || rs_states_is_discarded(st, inst, now_ns))
		return RS_UNKNOWN;
	/* after a gap of zero length nothing is discarded, but another task may be on the CPU */
	if (t->state == RS_RUN && !inst->on_cpu)
		return RS_UNKNOWN;
	if (t->state == RS_RUN && inst->partial)
		*open_ns = RS_AGE_UNKNOWN;
	return t->state;
}

void rs_task_lifetime_ns(const struct rs_ctx *c, const struct rs_task *t, uint64_t *lifetime_ns,
			 uint64_t *unknown_ns)
{
	const struct rs_states *st = &c->session->states;
	const struct rs_task_instance *inst = rs_task_instance_of(t);
	uint64_t now_ns = c->session->now_ns, from = t->birth_ns ? t->birth_ns : c->session->range.begin_ns,
		 open_ns;
	uint64_t to = t->state == RS_DEAD ? inst->died_ns : now_ns;
	enum rs_state open = rs_states_current(st, inst, now_ns, &open_ns);

	/*
	 * to can be before from: an exec gave it a state that began before its birth, and the next exec took
	 * that away
	 */
	*lifetime_ns = (uint64_t)(rs_signed_since_reset_ns(st, from, to) - inst->dead_since_reset_ns);
	*unknown_ns = inst->unknown_ns + rs_since_reset_ns(st, from, t->first_ns);
	if (open == RS_UNKNOWN || open_ns == RS_AGE_UNKNOWN)
		*unknown_ns += rs_since_reset_ns(st, t->since_ns, now_ns);
}

/*
 * If the start of an on-CPU slice was not seen, its length is unknown. From the reset on it is known: it
 * continues as a slice that begins now. So does a CPU's idle time.
 */
static void states_balance_begin_anew(struct rs_states *st, struct rs_task_instance *inst, uint64_t now_ns)
{
	struct rs_task *t = &inst->task;

	if (t->state != RS_RUN || !inst->partial || st->exact || rs_states_is_discarded(st, inst, now_ns) ||
	    t->since_ns >= now_ns)
		return;
	rs_states_add_unknown(st, inst, now_ns);
	t->oncpu_ns += now_ns - t->since_ns;
	t->since_ns = now_ns;
	t->inferred = true;
	inst->partial = false;
	st->nr_inferred++;
}

uint64_t rs_states_run_ns(const struct rs_states *st, const struct rs_task_instance *inst, uint64_t now_ns)
{
	uint64_t open_ns, ns = inst->spent_ns[RS_RUN] - inst->run_before_ns;

	if (rs_states_current(st, inst, now_ns, &open_ns) == RS_RUN && open_ns != RS_AGE_UNKNOWN)
		return ns + open_ns;
	return ns + rs_states_run_before_ns(st, inst);
}

void rs_states_reset(struct rs_states *st, uint64_t now_ns)
{
	st->reset_ns = now_ns;
	for (struct rs_task_instance *inst = st->tasks->oldest; inst; inst = inst->next) {
		states_balance_begin_anew(st, inst, now_ns);
		inst->run_before_ns = inst->spent_ns[RS_RUN] + rs_states_run_before_ns(st, inst);
		inst->unknown_ns = 0;
		inst->dead_since_reset_ns = 0;
	}
	for (unsigned int i = 0; i < st->nr_cpus; i++) {
		struct rs_cpu *c = &st->cpus[i];

		if (c->partial && !c->tid && !st->exact) {
			c->since_ns = now_ns;
			c->partial = false;
		}
	}
}

enum rs_state rs_states_cpu(const struct rs_states *st, unsigned int cpu, uint64_t now_ns, uint64_t *open_ns)
{
	const struct rs_cpu *c = cpu < st->nr_cpus ? &st->cpus[cpu] : NULL;
	enum rs_state state = RS_UNKNOWN;

	*open_ns = 0;
	if (!c || c->tid == RS_TID_UNKNOWN)
		return RS_UNKNOWN;
	if (c->inst)
		state = rs_states_current(st, c->inst, now_ns, open_ns);
	if (state == RS_RUN && *open_ns != RS_AGE_UNKNOWN)
		return RS_RUN;
	*open_ns = now_ns - c->since_ns;
	return !c->tid && !c->partial && !rs_gaps_hit(&c->gaps, c->since_ns, now_ns) ? RS_IDLE : RS_UNKNOWN;
}

int64_t rs_states_imbalance(const struct rs_states *st, const struct rs_task_instance *inst,
			    uint64_t begin_ns, uint64_t now_ns)
{
	const struct rs_task *t = &inst->task;
	uint64_t from = t->birth_ns ? t->birth_ns : begin_ns;
	uint64_t to = t->state == RS_DEAD ? inst->died_ns : now_ns;
	uint64_t open_ns = t->state == RS_DEAD ? 0 : now_ns - t->since_ns, spent = 0;

	for (int s = 0; s < RS_NR_STATES; s++)
		spent += inst->spent_ns[s];
	return (int64_t)(to - from) - inst->dead_ns - (int64_t)(spent + open_ns + (t->first_ns - from));
}

static void states_report_in_flight(struct rs_states *st, struct rs_task_instance *inst, uint64_t now_ns)
{
	struct rs_task *t = &inst->task;
	uint64_t open_ns;
	enum rs_state state = rs_states_current(st, inst, now_ns, &open_ns);
	struct rs_interval iv = {
		.kind = state, .task = t, .from_ns = t->since_ns, .to_ns = now_ns, .cpu = t->cpu,
		.in_flight = true,
		.with_delay = state == RS_BLOCKED && rs_states_lacks_wakings(st),
		.letter = t->letter, .inferred = t->inferred, .wait_ns = inst->wait_ns,
		.delay_ns = inst->delay_ns, .waker_tid = -1,
	};

	if (state != RS_UNKNOWN && state != RS_DEAD && open_ns != RS_AGE_UNKNOWN)
		st->on_interval(st->arg, &iv);
}

void rs_states_range_end(struct rs_states *st, uint64_t now_ns)
{
	for (struct rs_task_instance *inst = st->tasks->oldest; inst; inst = inst->next)
		states_report_in_flight(st, inst, now_ns);
	for (unsigned int cpu = 0; cpu < st->nr_cpus; cpu++) {
		uint64_t open_ns;
		struct rs_interval iv = {
			.kind = RS_IDLE, .to_ns = now_ns, .cpu = (uint16_t)cpu, .in_flight = true,
			.waker_tid = -1, .wait_ns = -1, .delay_ns = -1,
		};

		if (rs_states_cpu(st, cpu, now_ns, &open_ns) != RS_IDLE)
			continue;
		iv.from_ns = now_ns - open_ns;
		st->on_interval(st->arg, &iv);
	}
}
