// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perfetto-kernel.c - events of the kernel that are written field by field, and what is made of them for
 * readers
 *
 * Readers know threads by task_newtask and their names by task_rename. Where a recording has forks and execs
 * alone, these are written in their place.
 */
#include "export/perfetto/perfetto.h"

#include <string.h>

#include "export/perfetto/perfetto-fields.h"
#include "export/perfetto/proto.h"

#define KERNEL_MAX_FIELDS 4
#define KERNEL_SECTOR_BYTES 512u
#define KERNEL_CLONE_THREAD 0x10000 /* uapi/linux/sched.h */

enum { KERNEL_RENAME_NEW = 2 }; /* of the fields of task_rename */

enum kernel_scope { KERNEL_OF_CPU, KERNEL_OF_TASK, KERNEL_NEWTASK, KERNEL_RENAME, KERNEL_FORK, KERNEL_EXEC };

/* kind: of the spans that show it, which readers draw from the events alone; NULL: none */
struct kernel_event {
	const char *system, *name, *kind;
	unsigned int field;
	enum kernel_scope scope;        /* whom it is about */
	unsigned int tid_field;          /* of a task's: the field with its tid */
	struct { const char *name; uint8_t field; bool is_text; } fields[KERNEL_MAX_FIELDS];
};

static const struct kernel_event kernel_events[] = {
	{ "irq", "irq_handler_entry", "irq", PF_EVENT_IRQ_ENTRY, KERNEL_OF_CPU, 0,
	  { { "?irq", 1, false }, { "?name", 2, true } } },
	{ "irq", "irq_handler_exit", "irq", PF_EVENT_IRQ_EXIT, KERNEL_OF_CPU, 0,
	  { { "?irq", 1, false }, { "?ret", 2, false } } },
	{ "irq", "softirq_entry", "softirq", PF_EVENT_SOFTIRQ_ENTRY, KERNEL_OF_CPU, 0,
	  { { "?vec", 1, false } } },
	{ "irq", "softirq_exit", "softirq", PF_EVENT_SOFTIRQ_EXIT, KERNEL_OF_CPU, 0,
	  { { "?vec", 1, false } } },
	{ "power", "cpu_frequency", "cpu_frequency", PF_EVENT_CPU_FREQUENCY, KERNEL_OF_CPU, 0,
	  { { "?state", 1, false }, { "?cpu_id", 2, false } } },
	{ "power", "cpu_idle", "cpu_idle", PF_EVENT_CPU_IDLE, KERNEL_OF_CPU, 0,
	  { { "?state", 1, false }, { "?cpu_id", 2, false } } },
	{ "task", "task_newtask", NULL, PF_EVENT_TASK_NEWTASK, KERNEL_NEWTASK, 0,
	  { { "?pid", 1, false }, { "?comm", 2, true }, { "?clone_flags", 3, false },
	    { "?oom_score_adj", 4, false } } },
	{ "task", "task_rename", NULL, PF_EVENT_TASK_RENAME, KERNEL_RENAME, 0,
	  { { "?pid", 1, false }, { "?oldcomm", 2, true }, { "?newcomm", 3, true },
	    { "?oom_score_adj", 4, false } } },
	{ "sched", "sched_process_exec", NULL, PF_EVENT_PROCESS_EXEC, KERNEL_EXEC, 1,
	  { { "?filename", 1, true }, { "?pid", 2, false }, { "?old_pid", 3, false } } },
	{ "sched", "sched_process_exit", NULL, PF_EVENT_PROCESS_EXIT, KERNEL_OF_TASK, 1,
	  { { "?comm", 1, true }, { "?pid", 2, false }, { "?prio", 4, false } } },
	{ "sched", "sched_process_fork", NULL, PF_EVENT_PROCESS_FORK, KERNEL_FORK, 3,
	  { { "?parent_comm", 1, true }, { "?parent_pid", 2, false }, { "?child_comm", 3, true },
	    { "?child_pid", 4, false } } },
	{ "sched", "sched_process_free", NULL, PF_EVENT_PROCESS_FREE, KERNEL_OF_TASK, 1,
	  { { "?comm", 1, true }, { "?pid", 2, false }, { "?prio", 3, false } } },
};

enum { KERNEL_NR_EVENTS = sizeof kernel_events / sizeof *kernel_events };

bool rs_perfetto_is_native(const struct rs_span_kind *kind)
{
	for (size_t i = 0; i < KERNEL_NR_EVENTS; i++)
		if (kernel_events[i].scope == KERNEL_OF_CPU && !strcmp(kernel_events[i].kind, kind->name))
			return true;
	return false;
}

/* ---- whose events are written ---- */

/* Only if the analysis whose spans it shows was asked for. */
static bool kernel_is_wanted(const struct rs_perfetto *pf, const char *kind)
{
	for (const struct rs_perfetto_kind *k = pf->kinds; kind && k; k = k->next)
		if (!strcmp(k->kind->name, kind))
			return true;
	return !kind;
}

enum { KERNEL_UNWANTED = KERNEL_NR_EVENTS };

static unsigned int kernel_find_row(const struct rs_perfetto *pf, struct rs_ctx *c, unsigned int id)
{
	const char *system = NULL, *name = rs_event_name(c, id, &system);

	for (unsigned int i = 0; name && i < KERNEL_NR_EVENTS; i++)
		if (!strcmp(kernel_events[i].name, name) && !strcmp(kernel_events[i].system, system))
			return kernel_is_wanted(pf, kernel_events[i].kind) ? i : KERNEL_UNWANTED;
	return KERNEL_UNWANTED;
}

/* Newer kernels omit the pid of a rename: it is the current task's. */
static int32_t kernel_task_tid(const struct kernel_event *e, const struct rs_event *ev,
			       const struct rs_field *f)
{
	return rs_has(&f[e->tid_field]) ? (int32_t)rs_i64(ev, &f[e->tid_field]) : ev->tid;
}

/*
 * An interrupt has no task: a filter selects those that interrupted one of its tasks, and those that hit
 * ringside count.
 */
static bool kernel_is_shown(struct rs_ctx *c, const struct kernel_event *e, const struct rs_event *ev,
			    const struct rs_task *t)
{
	if (e->scope == KERNEL_OF_CPU)
		return rs_shown(c, NULL) || (ev->task && rs_shown(c, ev->task));
	return rs_shown(c, t ? t : ev->task);
}

/* ---- what follows from an event for its task ---- */

void rs_perfetto_put_newtask(struct rs_perfetto *pf, const struct rs_task *t, int32_t parent_tid)
{
	struct rs_perfetto_event e;
	char *p = rs_perfetto_open_event(pf, 0, t->birth_ns, parent_tid, PF_EVENT_TASK_NEWTASK, &e);

	if (!p)
		return;
	p = rs_proto_uint(p, PF_NEWTASK_PID, (uint32_t)t->tid);
	p = rs_proto_text(p, PF_NEWTASK_COMM, t->comm, strlen(t->comm));
	p = rs_proto_uint(p, PF_NEWTASK_FLAGS, t->pid && t->pid != t->tid ? KERNEL_CLONE_THREAD : 0);
	rs_perfetto_close_event(pf, &e, p);
}

static void kernel_put_rename(struct rs_perfetto *pf, const struct rs_event *ev, const struct rs_task *t)
{
	struct rs_perfetto_event e;
	char *p = rs_perfetto_open_event(pf, ev->cpu, ev->ts_ns, t->tid, PF_EVENT_TASK_RENAME, &e);

	if (!p)
		return;
	p = rs_proto_uint(p, PF_RENAME_PID, (uint32_t)t->tid);
	rs_perfetto_close_event(pf, &e, rs_proto_text(p, PF_RENAME_NEW, t->comm, strlen(t->comm)));
}

/* As readers know it: of one whose process is unknown, the process is its own. */
static int32_t kernel_process_of(struct rs_ctx *c, int32_t tid)
{
	const struct rs_task *t = tid > 0 ? rs_task_find(c, tid) : NULL;

	return t && t->pid ? t->pid : tid;
}

/* The engine has handled the event before: the task has its birth and its new name. */
static void kernel_follow(struct rs_ctx *c, const struct kernel_event *e, const struct rs_event *ev,
			  const struct rs_task *t)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	struct rs_perfetto_task *d = rs_scene_task_own(&pf->scene, t);

	if (e->scope == KERNEL_NEWTASK || e->scope == KERNEL_FORK)
		d->forked_by = kernel_process_of(c, ev->tid);
	if (e->scope == KERNEL_NEWTASK)
		d->has_newtask = true;
	else if (e->scope == KERNEL_FORK && !d->has_newtask && t->birth_ns)
		d->parent_tid = ev->tid > 0 ? ev->tid : t->tid;
	else if (e->scope == KERNEL_EXEC && !d->is_renamed)
		kernel_put_rename(pf, ev, t);
	if (e->scope != KERNEL_OF_TASK && e->scope != KERNEL_FORK)
		d->is_named = true;
	d->is_renamed = e->scope == KERNEL_RENAME;
}

/* ---- fields ---- */

static char *kernel_put_field(char *p, unsigned int field, bool is_text, const struct rs_event *ev,
			      const struct rs_field *f)
{
	char text[64];

	if (is_text)
		return rs_proto_text(p, field, text, rs_str(ev, f, text, sizeof text));
	return rs_proto_int(p, field, rs_i64(ev, f));
}

static void kernel_put_event(struct rs_perfetto *pf, const struct kernel_event *row,
			     const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto_event e;
	char *p = rs_perfetto_open_event(pf, ev->cpu, ev->ts_ns, ev->tid, row->field, &e);

	if (!p)
		return;
	if (row->scope == KERNEL_RENAME && !rs_has(&f[row->tid_field]))
		p = rs_proto_uint(p, PF_RENAME_PID, ev->tid > 0 ? (uint32_t)ev->tid : 0);
	for (unsigned int i = 0; i < KERNEL_MAX_FIELDS && row->fields[i].name; i++)
		if (rs_has(&f[i]))
			p = kernel_put_field(p, row->fields[i].field, row->fields[i].is_text, ev, &f[i]);
	rs_perfetto_close_event(pf, &e, p);
}

/* The name of another task can be set, too, and then newer kernels do not say whose it was. */
static bool kernel_is_of_other(const struct kernel_event *row, const struct rs_event *ev,
			       const struct rs_field *f, const struct rs_task *t)
{
	char comm[RS_COMM_LEN];

	return row->scope == KERNEL_RENAME && !rs_has(&f[row->tid_field]) && t &&
	       rs_str(ev, &f[KERNEL_RENAME_NEW], comm, sizeof comm) && strcmp(comm, t->comm) != 0;
}

static void kernel_on_event(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct rs_perfetto *pf = rs_api_session_arg(c);
	const struct kernel_event *row;
	const struct rs_task *t = NULL;

	if (rs_api_is_muted(c) || ev->cpu >= pf->scene.nr_cpus)
		return;
	if (!pf->event_row[ev->id])
		pf->event_row[ev->id] = (uint8_t)(1 + kernel_find_row(pf, c, ev->id));
	if (pf->event_row[ev->id] - 1u == KERNEL_UNWANTED)
		return;
	row = &kernel_events[pf->event_row[ev->id] - 1u];
	if (row->scope >= KERNEL_OF_TASK)
		t = rs_task_find(c, kernel_task_tid(row, ev, f));
	if (!kernel_is_shown(c, row, ev, t) || kernel_is_of_other(row, ev, f, t))
		return;
	kernel_put_event(pf, row, ev, f);
	if (t)
		kernel_follow(c, row, ev, t);
}

/* ---- requests ---- */

static void kernel_put_request(struct rs_perfetto *pf, uint64_t ts_ns, unsigned int field,
			       const struct rs_request *r, int32_t tid)
{
	struct rs_perfetto_event e;
	char *p = rs_perfetto_open_event(pf, 0, ts_ns, tid, field, &e);

	if (!p)
		return;
	p = rs_proto_uint(p, PF_BLOCK_IO_DEV, r->dev);
	p = rs_proto_uint(p, PF_BLOCK_IO_SECTOR, r->sector);
	p = rs_proto_uint(p, PF_BLOCK_IO_NR_SECTOR, r->bytes / KERNEL_SECTOR_BYTES);
	p = rs_proto_uint(p, PF_BLOCK_IO_BYTES, r->bytes);
	rs_perfetto_close_event(
		pf, &e, rs_proto_text(p, PF_BLOCK_IO_RWBS, r->rwbs, strnlen(r->rwbs, sizeof r->rwbs)));
}

/*
 * Readers count a disk's requests by pairs of these events, found by the sector. Kernels before 6.5 have
 * neither, a recording need not have both, and at the end of a request in parts the kernel says another
 * sector: so both are written from the request.
 */
void rs_perfetto_put_request(struct rs_scene *s, const struct rs_request *r)
{
	struct rs_perfetto *pf = rs_perfetto_of(s);

	if (!kernel_is_wanted(pf, "request"))
		return;
	kernel_put_request(pf, r->begin_ns, PF_EVENT_BLOCK_IO_START, r, r->tid);
	kernel_put_request(pf, r->complete_ns, PF_EVENT_BLOCK_IO_DONE, r, 0);
}

/* ---- what is requested ---- */

#define KERNEL_WAKING { "comm", "pid", "prio", "target_cpu", "?common_flags" }

void rs_perfetto_request(struct rs_perfetto *pf)
{
	static const struct rs_requirement scheduling[] = {
		{ "sched", "sched_switch", RS_PASSIVE, RS_BY_ANYONE, rs_perfetto_on_switch,
		  { "prev_comm", "prev_pid", "?prev_prio", "prev_state" } },
		{ "sched", "sched_waking", RS_PASSIVE, RS_BY_ANYONE, rs_perfetto_on_waking, KERNEL_WAKING },
		{ "sched", "sched_wakeup", RS_FALLBACK, RS_BY_ANYONE, rs_perfetto_on_wakeup, KERNEL_WAKING },
		{ "sched", "sched_wakeup_new", RS_PASSIVE, RS_BY_ANYONE, rs_perfetto_on_wakeup_new,
		  KERNEL_WAKING },
	};
	struct rs_requirement *row = pf->requirements;

	_Static_assert(KERNEL_NR_EVENTS + 5 <= RS_PERFETTO_MAX_REQUIREMENTS, "the last row is of zeros");
	memcpy(row, scheduling, sizeof scheduling);
	row += sizeof scheduling / sizeof *scheduling;
	for (size_t i = 0; i < KERNEL_NR_EVENTS; i++, row++) {
		const struct kernel_event *e = &kernel_events[i];

		*row = (struct rs_requirement){ e->system,    e->name,         RS_PASSIVE,
						RS_BY_ANYONE, kernel_on_event, { NULL } };
		for (unsigned int k = 0; k < KERNEL_MAX_FIELDS; k++)
			row->fields[k] = e->fields[k].name;
	}
}
