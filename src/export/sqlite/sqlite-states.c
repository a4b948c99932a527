// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sqlite-states.c - the states of tasks, waits with what they went to, samples with their stacks, the tasks
 * themselves
 */
#include "base/units.h"
#include "export/sqlite/sqlite.h"

/* ---- stacks: each that a row names, and its callers ---- */

/* Returns the number of the stack, and notes it; null: there is none. */
static struct rs_value states_stack(struct rs_scene *s, uint32_t stack)
{
	return rs_u_if(stack && rs_scene_use_stack(s, stack), stack);
}

void rs_sqlite_put_stack(struct rs_scene *s, uint32_t stack, uint32_t caller, const struct rs_frame *frame)
{
	char address[RS_CELL_TEXT_BYTES];

	rs_stack_put_address(frame, address, sizeof address);
	rs_sqlite_put(rs_sqlite_of(s), RS_SQLITE_STACK,
		      (const struct rs_value[]){ rs_u(stack), rs_u_if(caller, caller), rs_s(frame->function),
						 rs_s(frame->module), rs_s(address) });
}

void rs_sqlite_put_sample(struct rs_scene *s, const struct rs_scene_track *at,
			  const struct rs_cpu_sample *sample)
{
	rs_sqlite_put(rs_sqlite_of(s), RS_SQLITE_SAMPLE,
		      (const struct rs_value[]){ rs_u(sample->ts_ns), rs_u(rs_sqlite_thread_id(at->task)),
						 rs_u(sample->cpu), states_stack(s, sample->stack),
						 rs_u(sample->in_kernel), rs_u(sample->weight) });
}

/* ---- states ---- */

static const char *states_culprit_kind(const struct rs_culprit *k)
{
	static const char *const names[] = { [RS_CULPRIT_SELF] = "itself",
					     [RS_CULPRIT_TASK] = "task",
					     [RS_CULPRIT_INTERRUPT] = "interrupt",
					     [RS_CULPRIT_IDLE] = "idle",
					     [RS_CULPRIT_OTHERS] = "others" };

	return k->kind == RS_CULPRIT_IRQ                      ? rs_irq_kind_name(k->irq->kind) :
	       (size_t)k->kind < sizeof names / sizeof *names ? names[k->kind] :
								NULL;
}

static struct rs_value states_culprit_thread(struct rs_ctx *c, const struct rs_culprit *k)
{
	const struct rs_task *t;

	if (k->kind != RS_CULPRIT_TASK)
		return rs_null();
	if (k->name)
		return rs_u((uint32_t)(k->name->task ? k->name->task->tid : k->name->tid) |
			    (uint64_t)(k->name->task ? k->name->task->inst : k->name->inst) << 32);
	t = k->tid > 0 ? rs_task_find(c, k->tid) : NULL;
	return t ? rs_u(rs_sqlite_thread_id(t)) : rs_null();
}

static void states_put_culprits(struct rs_ctx *c, struct rs_sqlite *sq, const struct rs_interval *iv)
{
	struct rs_culprits culprits;
	char buf[RS_IRQ_NAME_LEN + 24];

	rs_culprits_find(c, iv->task, iv->from_ns, iv->to_ns, &culprits);
	for (const struct rs_culprit *k = culprits.at; k < culprits.at + culprits.nr; k++) {
		bool is_task = k->kind == RS_CULPRIT_TASK;

		rs_sqlite_put(
			sq, RS_SQLITE_CULPRIT,
			(const struct rs_value[]){ rs_u(sq->nr_states), rs_s(rs_part_row(k->part)->name),
						   rs_s(states_culprit_kind(k)), states_culprit_thread(c, k),
						   rs_u_if(is_task && k->pid > 0, (uint64_t)k->pid),
						   rs_s(is_task || k->kind == RS_CULPRIT_IRQ ?
								rs_culprit_text(c, k, buf, sizeof buf) :
								NULL),
						   rs_u(k->ns), rs_u_if(k->piece_ns, k->at_ns) });
	}
}

/* Who woke it: 0 an interrupt. */
static struct rs_value states_waker(struct rs_ctx *c, int32_t tid)
{
	const struct rs_task *t = tid > 0 ? rs_task_find(c, tid) : NULL;

	return t ? rs_u(rs_sqlite_thread_id(t)) : rs_u_if(tid >= 0, (uint64_t)(uint32_t)tid);
}

void rs_sqlite_put_state(struct rs_scene *s, const struct rs_scene_track *at,
			 const struct rs_scene_state *state)
{
	const struct rs_interval *iv = state->interval;
	const struct rs_wait *w = state->wait;
	struct rs_sqlite *sq = rs_sqlite_of(s);
	uint64_t lock = !w                         ? 0 :
			w->cause == RS_CAUSE_LOCK  ? w->lock_addr :
			w->cause == RS_CAUSE_FUTEX ? w->uaddr :
						     0;
	bool has_disk = w && w->cause == RS_CAUSE_DISK, blocked = iv->kind == RS_BLOCKED,
	     has_waker = blocked || iv->kind == RS_DELAY;
	char letter[2] = { iv->letter }, dev[32], address[RS_UNIT_TEXT + 1], call[32];

	if (has_disk)
		rs_dev_text(w->dev, dev, sizeof dev);
	address[rs_units_put_hex(address, lock)] = '\0';
	sq->nr_states++;
	rs_sqlite_put(sq, RS_SQLITE_STATE,
		      (const struct rs_value[]){
			      rs_u(sq->nr_states), rs_u(rs_sqlite_thread_id(iv->task)), rs_u(iv->from_ns),
			      rs_u(iv->to_ns), rs_s(rs_state_name(iv->kind, iv->letter)),
			      rs_s(blocked ? letter : NULL),
			      rs_s(rs_cause_row(rs_cause_of_state(iv->kind, w ? w->cause : RS_CAUSE_UNKNOWN))
					   ->name),
			      rs_u_if(!blocked, iv->cpu),
			      rs_s(w ? rs_call_name(s->c, w->syscall, call, sizeof call) : NULL),
			      has_waker ? states_waker(s->c, iv->waker_tid) : rs_null(),
			      rs_s(has_disk ? dev : NULL), rs_s(lock ? address : NULL),
			      states_stack(s, state->stack), rs_u(iv->inferred), rs_u(iv->in_flight) });
	if (iv->kind != RS_RUN && !iv->in_flight)
		states_put_culprits(s->c, sq, iv);
}

void rs_sqlite_put_gap(struct rs_scene *s, const struct rs_gap *gap)
{
	rs_sqlite_put(rs_sqlite_of(s), RS_SQLITE_GAP,
		      (const struct rs_value[]){ rs_u(gap->cpu), rs_u(gap->from_ns), rs_u(gap->to_ns),
						 rs_u_if(gap->nr_lost, gap->nr_lost) });
}

/* ---- tasks ---- */

void rs_sqlite_put_thread(struct rs_scene *s, const struct rs_scene_track *at)
{
	const struct rs_task *t = at->task;
	const char *args = t->tid == t->pid ? rs_task_cmdline(s->c, t) : NULL;

	rs_sqlite_put(rs_sqlite_of(s), RS_SQLITE_THREAD,
		      (const struct rs_value[]){
			      rs_u(rs_sqlite_thread_id(t)), rs_u((uint64_t)t->tid), rs_u(t->inst),
			      rs_u_if(t->pid > 0, (uint64_t)t->pid), rs_u_if(t->ppid > 0, (uint64_t)t->ppid),
			      rs_s(t->comm), rs_s(rs_task_process_comm(s->c, t)), rs_u(t->kernel_thread),
			      rs_u_if(t->birth_ns, t->birth_ns), rs_u_if(t->first_ns, t->first_ns),
			      rs_u_if(t->last_ns, t->last_ns), rs_u(t->exited), rs_s(t->cgroup),
			      rs_s(args) });
}
