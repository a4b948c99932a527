// SPDX-License-Identifier: GPL-2.0-or-later
/* culprits - divides a task's time by what it went to, and among those who had what the task waited for */
#include "ringside/culprit.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "engine/internal.h"

#define MAX_SLICES 4096u          /* of one wait: beyond, the rest is of several */
#define WAKEUP_NS 10000000ull     /* SEMANTICS, "Runnable beside an idle CPU" */
#define SHOWN_NS 1000u            /* times are shown in microseconds: one that was copied may be that much too early */

#define PART_ROW(id, name, rank, view, help) [RS_PART_##id] = { name, RS_RANK_##rank, view, help },
static const struct rs_part_row rows[RS_NR_PARTS] = { RS_PARTS(PART_ROW) };

const struct rs_part_row *rs_part_row(enum rs_time_part part)
{
	return &rows[(unsigned int)part < RS_NR_PARTS ? part : RS_PART_UNKNOWN];
}

/* What is divided: one segment, clipped to the time that is asked about. */
struct culprits_part {
	struct rs_ctx *c;
	const struct rs_segment *seg;
	uint64_t from_ns, to_ns;
	struct rs_culprits *out;
};

/* ---- the list ---- */

static bool culprit_is_of_type(const struct rs_culprit *k, uint64_t rwbs)
{
	return k->rwbs == rwbs || rs_request_type(k->rwbs) == rs_request_type(rwbs);
}

/* Most often it is one of the last. NULL: not in the list. */
static struct rs_culprit *culprits_known(struct rs_culprits *out, enum rs_time_part part, enum rs_culprit_kind kind, uint64_t id, uint64_t rwbs)
{
	out->steps += out->nr;
	for (struct rs_culprit *k = out->at + out->nr; k-- > out->at;)
		if (k->id == id && k->part == part && k->kind == kind && (!out->by_type || culprit_is_of_type(k, rwbs)))
			return k;
	return NULL;
}

static const char *culprit_comm(const struct rs_task_name *n)
{
	return n->task ? n->task->comm : n->comm;
}

/* Where there is no room for one more: processes of one name are one. */
static struct rs_culprit *culprits_of_that_name(struct rs_culprits *out, const struct rs_culprit *k)
{
	for (unsigned int i = 0; k->name && i < out->nr; i++) {
		const struct rs_culprit *entry = &out->at[i];

		if (entry->part == k->part && entry->name && !strcmp(culprit_comm(entry->name), culprit_comm(k->name)))
			return &out->at[i];
	}
	return NULL;
}

static struct rs_culprit *culprits_entry(struct rs_culprits *out, const struct rs_culprit *k)
{
	struct rs_culprit *entry = culprits_known(out, k->part, k->kind, k->id, k->rwbs);

	if (entry)
		return entry;
	entry = &out->at[out->nr];
	if (out->nr < RS_MAX_CULPRITS - RS_NR_PARTS) {
		*entry = *k;
		entry->ns = entry->piece_ns = 0;
		out->nr++;
		return entry;
	}
	entry = culprits_of_that_name(out, k);
	if (entry)
		return entry;
	/* the last places are for the rest of each part */
	for (unsigned int i = out->nr; i--;)
		if (out->at[i].part == k->part && out->at[i].kind == RS_CULPRIT_OTHERS)
			return &out->at[i];
	entry = &out->at[out->nr++];
	*entry = (struct rs_culprit){ .part = k->part, .kind = RS_CULPRIT_OTHERS };
	return entry;
}

/* Adds a piece that begins at at_ns. A process is one culprit, whichever of its threads it was. */
static void culprit_add(struct rs_culprits *out, const struct rs_culprit *k, uint64_t at_ns, uint64_t ns)
{
	struct rs_culprit *entry = culprits_entry(out, k);

	uint64_t total_ns = entry->ns + ns;

	if (ns > entry->piece_ns) { /* what only the longest piece tells: its device, its lock */
		if (entry->kind != RS_CULPRIT_OTHERS)
			*entry = *k;
		entry->piece_ns = ns;
		entry->at_ns = at_ns;
	}
	entry->ns = total_ns;
}

static void culprits_add_nobody(struct rs_culprits *out, enum rs_time_part part, enum rs_culprit_kind kind, uint64_t from_ns, uint64_t to_ns)
{
	if (to_ns > from_ns)
		culprit_add(out, &(struct rs_culprit){ .part = part, .kind = kind }, from_ns, to_ns - from_ns);
}

static uint64_t culprit_task_id(int32_t pid, int32_t tid)
{
	return pid ? (uint64_t)pid : (uint64_t)(uint32_t)tid << 32;
}

static struct rs_culprit culprit_task(enum rs_time_part part, const struct rs_task_name *n)
{
	int32_t pid = rs_task_name_pid(n);

	return (struct rs_culprit){ .part = part, .kind = RS_CULPRIT_TASK, .id = culprit_task_id(pid, n->tid), .pid = pid, .tid = n->tid, .name = n };
}

/* A sample has taken its share of time: what is left is like what was seen. */
static bool culprits_suffice(const struct culprits_part *p)
{
	return p->out->most_steps && p->out->steps >= p->out->most_steps;
}

/* Likewise if the history reaches back to at_ns only. */
static bool culprits_are_the_last(const struct culprits_part *p, uint64_t at_ns)
{
	return p->out->most_steps && at_ns < p->to_ns && rs_history_from_ns(p->c) > p->from_ns;
}

/* ---- on a CPU, or waiting for one ---- */

/*
 * The interrupts of a CPU, newest first, along with the slices that they came in. One lies in one slice: it ends before
 * the CPU switches.
 */
struct irq_cursor {
	struct rs_history_walk walk;
	const struct rs_segment *irq;  /* the next; NULL: no more */
};

static void culprits_irqs_begin(const struct culprits_part *p, struct irq_cursor *cursor)
{
	rs_history_walk_irqs(p->c, &cursor->walk, p->seg->cpu, p->to_ns);
	cursor->irq = rs_history_next(&cursor->walk);
}

/* A softirq is the very work of that thread: it does not take it from itself. */
static bool culprits_is_own_softirq(const struct rs_segment *irq, const struct rs_task_name *n)
{
	const char *comm = n ? culprit_comm(n) : "";

	return irq->irq->kind == RS_SOFTIRQ && (!strncmp(comm, "ksoftirqd/", 10) || !strncmp(comm, "ktimers/", 8));
}

static void culprits_add_irq(struct rs_culprits *out, const struct rs_segment *irq, uint64_t ns)
{
	struct rs_culprit k = { .part = irq->irq->kind == RS_HARDIRQ ? RS_PART_IRQ : RS_PART_SOFTIRQ, .kind = RS_CULPRIT_IRQ,
				.id = irq->irq->index, .irq = irq->irq };

	culprit_add(out, &k, irq->from_ns, ns);
}

/* Adds the interrupts between two times, which are earlier than those of the call before. Returns how long they took. */
static uint64_t culprits_add_irqs(const struct culprits_part *p, struct irq_cursor *cursor, const struct rs_task_name *n, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t sum_ns = 0;

	for (; cursor->irq && cursor->irq->to_ns > from_ns; cursor->irq = rs_history_next(&cursor->walk), p->out->steps++) {
		const struct rs_segment *irq = cursor->irq;
		uint64_t inside_ns = rs_part_ns(from_ns, irq->from_ns, irq->to_ns < to_ns ? irq->to_ns : to_ns);

		if (inside_ns > irq->what)
			inside_ns = irq->what;
		if (inside_ns > to_ns - from_ns - sum_ns)
			inside_ns = to_ns - from_ns - sum_ns;
		if (culprits_is_own_softirq(irq, n))
			continue;
		sum_ns += inside_ns;
		if (inside_ns)
			culprits_add_irq(p->out, irq, inside_ns);
	}
	return sum_ns;
}

static void culprits_divide_run(const struct culprits_part *p)
{
	struct irq_cursor irqs;
	uint64_t irq_ns;

	culprits_irqs_begin(p, &irqs);
	irq_ns = culprits_add_irqs(p, &irqs, p->seg->of, p->from_ns, p->to_ns);
	culprits_add_nobody(p->out, RS_PART_RUN, RS_CULPRIT_SELF, p->from_ns, p->to_ns - irq_ns);
}

static struct rs_culprit culprits_of_slice(const struct rs_segment *slice, uint64_t len_ns)
{
	if (slice->kind == RS_IDLE)
		return (struct rs_culprit){ .part = len_ns > WAKEUP_NS ? RS_PART_IDLE_CPU : RS_PART_WAKEUP, .kind = RS_CULPRIT_IDLE };
	return slice->of ? culprit_task(RS_PART_QUEUE, slice->of) : (struct rs_culprit){ .part = RS_PART_QUEUE };
}

/* Most slices are no longer than one of that task's before: then nothing but the time is new. */
static bool culprits_add_known_slice(const struct culprits_part *p, const struct rs_segment *slice, uint64_t ns)
{
	const struct rs_task_name *n = slice->of;
	struct rs_culprit *known = n ? culprits_known(p->out, RS_PART_QUEUE, RS_CULPRIT_TASK, culprit_task_id(rs_task_name_pid(n), n->tid), 0) : NULL;

	if (!known || ns > known->piece_ns)
		return false;
	known->ns += ns;
	return true;
}

/* The slice of others, from..to of it: the wait's own bounds decide how long the CPU was idle beside it. */
static void culprits_add_slice(const struct culprits_part *p, struct irq_cursor *irqs, const struct rs_segment *slice, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t len_ns = to_ns - from_ns, irq_ns = irqs->irq && irqs->irq->to_ns > from_ns ? culprits_add_irqs(p, irqs, NULL, from_ns, to_ns) : 0;
	struct rs_culprit k;

	if (len_ns <= irq_ns || culprits_add_known_slice(p, slice, len_ns - irq_ns))
		return;
	k = culprits_of_slice(slice, len_ns);
	culprit_add(p->out, &k, from_ns, len_ns - irq_ns);
}

static void culprits_divide_queue(const struct culprits_part *p)
{
	struct rs_history_walk walk;
	const struct rs_segment *slice;
	struct irq_cursor irqs;
	uint64_t at_ns = p->to_ns;
	unsigned int nr = 0;

	culprits_irqs_begin(p, &irqs);
	rs_history_walk_cpu(p->c, &walk, p->seg->cpu, p->to_ns);
	while (at_ns > p->from_ns && nr < MAX_SLICES && !culprits_suffice(p) && (slice = rs_history_next(&walk)) && slice->to_ns > p->from_ns) {
		uint64_t from_ns = slice->from_ns > p->from_ns ? slice->from_ns : p->from_ns, to_ns = slice->to_ns < at_ns ? slice->to_ns : at_ns;

		if (from_ns >= at_ns)
			continue;
		culprits_add_nobody(p->out, RS_PART_QUEUE, RS_CULPRIT_UNKNOWN, to_ns, at_ns);
		culprits_add_slice(p, &irqs, slice, from_ns, to_ns);
		at_ns = from_ns;
		nr++;
		p->out->steps++;
	}
	if (!culprits_suffice(p) && !culprits_are_the_last(p, at_ns))
		culprits_add_nobody(p->out, RS_PART_QUEUE, nr < MAX_SLICES ? RS_CULPRIT_UNKNOWN : RS_CULPRIT_OTHERS, p->from_ns, at_ns);
}

/* ---- disks ---- */

enum rs_request_type rs_request_type(uint64_t rwbs)
{
	char buf[RS_RWBS_LEN];
	const char *text = rs_rwbs_text(rwbs, buf);

	switch (*text) {
	case 'R':
		return strchr(text, 'A') ? RS_REQUEST_READ_AHEAD : RS_REQUEST_READ;
	case 'W':
		return strpbrk(text, "SFM") ? RS_REQUEST_WRITE : RS_REQUEST_WRITE_BACK;
	case 'F':
		return RS_REQUEST_FLUSH;
	case 'D':
		return RS_REQUEST_DISCARD;
	default:
		return RS_REQUEST_OTHER;
	}
}

const char *rs_request_type_name(enum rs_request_type type)
{
	static const char *const names[RS_NR_REQUEST_TYPES] = {
		[RS_REQUEST_READ] = "read", [RS_REQUEST_READ_AHEAD] = "read-ahead", [RS_REQUEST_WRITE] = "write",
		[RS_REQUEST_WRITE_BACK] = "write-back", [RS_REQUEST_FLUSH] = "flush", [RS_REQUEST_DISCARD] = "discard",
	};

	return names[type];
}

static bool culprits_is_any_request(const struct rs_segment *seg)
{
	return seg->cause == RS_CAUSE_OTHER_D && seg->detail == RS_SEGMENT_COMPLETION;
}

/* A request ended the wait, of its own or of whoever, when it completed. */
struct culprits_done {
	uint32_t dev;
	uint64_t by_ns;
	bool of_whoever;
};

/*
 * A worker of the kernel that slept until a request completed, and then ended the wait: it does what is left to do after the
 * request (a stacked device, a file system's conversion). It is no culprit, the disk is.
 */
static const struct rs_segment *culprits_relay(const struct culprits_part *p)
{
	const struct rs_task_name *waker = p->seg->waker_kind == RS_WAKER_TASK ? p->seg->waker : NULL;
	struct rs_history_walk walk;
	const struct rs_segment *seg;

	if (p->seg->cause != RS_CAUSE_OTHER_D || !waker || !(waker->task ? waker->task->kernel_thread : waker->kernel_thread))
		return NULL;
	rs_history_walk_waker(p->c, &walk, p->seg);
	while ((seg = rs_history_next(&walk)) && seg->to_ns > p->seg->from_ns)
		if (seg->kind == RS_BLOCKED)
			return (seg->cause == RS_CAUSE_IDLE || seg->cause == RS_CAUSE_SLEEP) && seg->detail == RS_SEGMENT_COMPLETION ? seg : NULL;
	return NULL;
}

/* Returns false if it is not for a disk that the task waits. */
static bool culprits_find_done(const struct culprits_part *p, struct culprits_done *done)
{
	const struct rs_segment *relay;

	*done = (struct culprits_done){ (uint32_t)p->seg->what, p->seg->to_ns, culprits_is_any_request(p->seg) };
	if (p->seg->cause == RS_CAUSE_DISK || done->of_whoever)
		return true;
	relay = culprits_relay(p);
	if (relay)
		*done = (struct culprits_done){ (uint32_t)relay->what, relay->to_ns, true };
	return relay;
}

/* The last request that completed during the wait; NULL: it is not known. */
static const struct rs_done_request *culprits_own_request(const struct culprits_part *p, const struct culprits_done *done)
{
	const struct rs_done_request *r = rs_history_request_by(p->c, done->dev, done->by_ns);

	for (; r && r->complete_ns >= p->seg->from_ns; r = rs_history_request(p->c, done->dev, r), p->out->steps++)
		if (r->tid == p->seg->of->tid || done->of_whoever)
			return r;
	return NULL;
}

static struct rs_culprit culprits_of_request(const struct culprits_part *p, enum rs_time_part part, const struct rs_done_request *r, bool own)
{
	struct rs_culprit k = { .part = part, .dev = r->dev, .rwbs = r->rwbs, .kind = RS_CULPRIT_UNKNOWN };
	const struct rs_task_instance *inst = r->tid > 0 ? rs_tasks_find(&p->c->session->tasks, r->tid) : NULL;
	const struct rs_task_name *of = p->seg->of; /* NULL: of a request that nobody is known to wait for */

	if (own || (of && (r->tid == of->tid || (r->pid && r->pid == rs_task_name_pid(of))))) {
		k.kind = RS_CULPRIT_SELF;
	} else if (r->tid) {
		k.kind = RS_CULPRIT_TASK;
		k.id = culprit_task_id(r->pid, r->tid);
		k.pid = r->pid;
		k.tid = r->tid;
		k.comm = r->comm;
		k.name = inst && r->begin_ns >= inst->task.birth_ns ? inst->name : NULL;
	}
	return k;
}

/* The part of [from_ns, to_ns) that lies in the wait. */
static void culprits_add_clipped(const struct culprits_part *p, const struct rs_culprit *k, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns < p->from_ns)
		from_ns = p->from_ns;
	if (to_ns > p->to_ns)
		to_ns = p->to_ns;
	if (to_ns > from_ns)
		culprit_add(p->out, k, from_ns, to_ns - from_ns);
}

static bool culprits_is_flush(const struct rs_done_request *r)
{
	return rs_request_type(r->rwbs) == RS_REQUEST_FLUSH;
}

/*
 * From its insert to its completion the device worked for whoever's request completed next: the time between two
 * completions is that of the later one.
 */
static void culprits_divide_device(const struct culprits_part *p, const struct rs_done_request *own, bool fault)
{
	enum rs_time_part queued = fault ? RS_PART_FAULT : RS_PART_DISK_QUEUE;
	enum rs_time_part served = fault ? RS_PART_FAULT : culprits_is_flush(own) ? RS_PART_DISK_FLUSH : RS_PART_DISK_DEVICE;
	uint64_t issue_ns = own->issue_ns, begin_ns = own->begin_ns, end_ns = own->complete_ns;
	const struct rs_done_request *r = own;

	for (unsigned int steps = 0; r && end_ns > begin_ns && steps < MAX_SLICES; steps++) {
		const struct rs_done_request *next = rs_history_request(p->c, own->dev, r);
		uint64_t before_ns = next && next->complete_ns > begin_ns ? next->complete_ns : begin_ns;
		struct rs_culprit k = culprits_of_request(p, queued, r, r == own);

		culprits_add_clipped(p, &k, before_ns, end_ns < issue_ns ? end_ns : issue_ns);
		k.part = served;
		culprits_add_clipped(p, &k, before_ns > issue_ns ? before_ns : issue_ns, end_ns);
		end_ns = before_ns;
		r = next;
		p->out->steps++;
	}
	culprits_add_clipped(p, &(struct rs_culprit){ .part = served, .dev = own->dev }, begin_ns, end_ns);
}

/*
 * A write that is to be on the medium is preceded by a flush, a request of its own, and a journal's commit waits for both:
 * what is left of the time before the request is not a disk's.
 */
static void culprits_divide_before(const struct culprits_part *p, const struct rs_done_request *own, enum rs_time_part part)
{
	struct rs_culprit k = { .part = part, .dev = own->dev };
	const struct rs_done_request *r = own;
	uint64_t at_ns = own->begin_ns;

	while (at_ns > p->from_ns && (r = rs_history_request(p->c, own->dev, r)) && r->complete_ns > p->from_ns) {
		if (!culprits_is_flush(r) || r->complete_ns > at_ns || r->issue_ns >= at_ns)
			continue;
		culprits_add_clipped(p, &k, r->complete_ns, at_ns);
		culprits_add_clipped(p, &(struct rs_culprit){ .part = RS_PART_DISK_FLUSH, .kind = RS_CULPRIT_SELF, .dev = r->dev, .rwbs = r->rwbs },
				     r->issue_ns, r->complete_ns);
		at_ns = r->issue_ns;
	}
	culprits_add_clipped(p, &k, p->from_ns, at_ns);
}

/* Not of a write: then it is in a call that began before the recording did, a long sync(2). */
static bool culprits_is_fault(const struct culprits_part *p, const struct rs_done_request *own)
{
	const struct rs_task *t = p->seg->of->task;
	char buf[RS_RWBS_LEN];

	if (own && strchr(rs_rwbs_text(own->rwbs, buf), 'W'))
		return false;
	return !p->seg->call && !(t ? t->kernel_thread : p->seg->of->kernel_thread) && rs_waits_calls_are_recorded(p->c->session);
}

static void culprits_divide_disk(const struct culprits_part *p, const struct culprits_done *done)
{
	const struct rs_done_request *own = culprits_own_request(p, done);
	bool fault = culprits_is_fault(p, own);
	struct rs_culprit k = { .part = fault ? RS_PART_FAULT : own ? RS_PART_DISK_DONE : RS_PART_DISK_DEVICE, .dev = done->dev };

	if (own) {
		culprits_divide_before(p, own, fault ? RS_PART_FAULT : RS_PART_DISK_BEFORE);
		culprits_divide_device(p, own, fault);
	}
	culprits_add_clipped(p, &k, own ? own->complete_ns : p->from_ns, p->to_ns);
}

/* ---- sleeps ---- */

static const struct {
	const char *calls;
	enum rs_time_part part;
} sleeps[] = {
	{ "epoll_wait,epoll_pwait,epoll_pwait2,poll,ppoll,ppoll_time64,select,_newselect,pselect6,pselect6_time64,"
	  "io_getevents,io_pgetevents,io_pgetevents_time64,io_uring_enter", RS_PART_POLL },
	{ "nanosleep,clock_nanosleep,clock_nanosleep_time64", RS_PART_TIMER },
	{ "pause,rt_sigsuspend,sigsuspend,rt_sigtimedwait,rt_sigtimedwait_time64", RS_PART_SIGNAL },
	{ "wait4,waitid,waitpid,vfork,clone,clone3", RS_PART_CHILD },
	{ "recvfrom,recvmsg,recvmmsg,recvmmsg_time64,recv,sendto,sendmsg,sendmmsg,send,accept,accept4,connect,socketcall,shutdown", RS_PART_SOCKET },
	{ "read,readv,pread64,preadv,preadv2,write,writev,pwrite64,pwritev,pwritev2,splice,tee,sendfile,sendfile64,copy_file_range", RS_PART_READ_WRITE },
};

static enum rs_time_part culprits_part_of_name(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof sleeps / sizeof *sleeps; i++)
		for (const char *at = sleeps[i].calls; *at; at += strcspn(at, ","), at += *at == ',')
			if (!strncmp(at, name, len) && (at[len] == ',' || !at[len]))
				return sleeps[i].part;
	return RS_PART_OTHER_CALL;
}

/* Cached: a comparison of names for each wait would cost more than all the rest. */
static enum rs_time_part culprits_part_of_call(struct rs_ctx *c, int64_t nr)
{
	int place = rs_call_place(nr);
	const char *name;
	uint8_t *cached;

	if (place < 0)
		return RS_PART_OTHER_CALL;
	cached = &c->session->sleep_parts[place];
	if (!*cached) {
		name = rs_syscall_name(c, nr & ~RS_CALL_DOUBTFUL);
		*cached = name ? (uint8_t)culprits_part_of_name(name) : RS_PART_OTHER_CALL;
	}
	return (enum rs_time_part)*cached;
}

bool rs_culprits_softirq_is_own(struct rs_session *s, const struct rs_task *t)
{
	enum rs_time_part part;
	const char *name;

	if (!rs_waits_calls_are_recorded(s))
		return true;
	if (!t || t->syscall < 0)
		return false;
	part = culprits_part_of_call(&s->parts[RS_ENGINE_CALLS].ctx, t->syscall);
	name = part == RS_PART_OTHER_CALL ? rs_syscall_names_get(s->syscalls, t->syscall) : NULL;
	/* a close sends the end of the stream */
	return part == RS_PART_SOCKET || part == RS_PART_READ_WRITE || (name && (!strcmp(name, "close") || !strncmp(name, "exit", 4)));
}

static enum rs_time_part culprits_part_of_stall(enum rs_stall_kind kind)
{
	static const enum rs_time_part parts[RS_NR_STALLS] = {
		[RS_STALL_RECLAIM] = RS_PART_RECLAIM, [RS_STALL_MEMCG] = RS_PART_MEMCG, [RS_STALL_COMPACTION] = RS_PART_COMPACTION,
		[RS_STALL_THROTTLE] = RS_PART_THROTTLE, [RS_STALL_DIRTY] = RS_PART_DIRTY,
	};

	return (unsigned int)kind < RS_NR_STALLS ? parts[kind] : RS_PART_RECLAIM;
}

static enum rs_time_part culprits_part_of_sleep(const struct culprits_part *p)
{
	const struct rs_segment *seg = p->seg;

	if (seg->letter == 'T' || seg->letter == 't')
		return RS_PART_STOPPED;
	if (seg->letter == 'I' || (seg->of->task && seg->of->task->kernel_thread && !seg->call))
		return RS_PART_IDLE;
	return seg->call ? culprits_part_of_call(p->c, rs_segment_call(seg)) : RS_PART_SLEEP;
}

static enum rs_time_part culprits_part_of_wait(const struct culprits_part *p)
{
	switch ((enum rs_cause)p->seg->cause) {
	case RS_CAUSE_LOCK:
		return RS_PART_LOCK;
	case RS_CAUSE_FUTEX:
		return RS_PART_FUTEX;
	case RS_CAUSE_RECLAIM:
		return culprits_part_of_stall((enum rs_stall_kind)p->seg->detail);
	case RS_CAUSE_OTHER_D: /* who calls vfork waits in state D until its child calls exec */
		return culprits_part_of_sleep(p) == RS_PART_CHILD ? RS_PART_CHILD : RS_PART_KERNEL;
	case RS_CAUSE_IDLE:
	case RS_CAUSE_SLEEP:
		return culprits_part_of_sleep(p);
	case RS_CAUSE_OFF_CPU:
		return RS_PART_OFF_CPU;
	default:
		return RS_PART_SLEEP;
	}
}

static void culprits_divide_wait(const struct culprits_part *p)
{
	const struct rs_segment *seg = p->seg;
	struct rs_culprit k = { .part = culprits_part_of_wait(p) };

	if (seg->waker_kind == RS_WAKER_TASK)
		k = culprit_task(k.part, seg->waker);
	else if (seg->waker_kind == RS_WAKER_INTERRUPT)
		k.kind = RS_CULPRIT_INTERRUPT;
	if (k.part == RS_PART_LOCK || k.part == RS_PART_FUTEX)
		k.lock_addr = seg->what;
	if (k.part == RS_PART_LOCK)
		k.lock_flags = seg->detail;
	culprit_add(p->out, &k, p->from_ns, p->to_ns - p->from_ns);
}

/* ---- all of it ---- */

static void culprits_divide(const struct culprits_part *p)
{
	struct culprits_done done;

	switch ((enum rs_state)p->seg->kind) {
	case RS_RUN:
		culprits_divide_run(p);
		break;
	case RS_DELAY:
	case RS_PREEMPTED:
		culprits_divide_queue(p);
		break;
	case RS_BLOCKED:
		if (culprits_find_done(p, &done))
			culprits_divide_disk(p, &done);
		else
			culprits_divide_wait(p);
		break;
	default:
		culprits_add_nobody(p->out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, p->from_ns, p->to_ns);
	}
}

void rs_culprits_add_part(struct rs_culprits *out, enum rs_time_part part, uint64_t from_ns, uint64_t to_ns)
{
	culprits_add_nobody(out, part, RS_CULPRIT_UNKNOWN, from_ns, to_ns);
}

void rs_culprits_add(struct rs_ctx *c, const struct rs_segment *seg, uint64_t from_ns, uint64_t to_ns, struct rs_culprits *out)
{
	if (!seg)
		culprits_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, from_ns, to_ns);
	else if (to_ns > from_ns)
		culprits_divide(&(struct culprits_part){ c, seg, from_ns, to_ns, out });
}

static void culprits_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns, unsigned int most_steps, struct rs_culprits *out)
{
	struct culprits_part p = { .c = c, .out = out };
	struct rs_history_walk walk;
	uint64_t at_ns = to_ns;

	out->nr = out->steps = 0;
	out->most_steps = most_steps;
	rs_history_walk_task(c, &walk, rs_history_name(c, t));
	while (at_ns > from_ns && (p.seg = rs_history_next(&walk)) && p.seg->to_ns > from_ns) {
		p.from_ns = p.seg->from_ns > from_ns ? p.seg->from_ns : from_ns;
		p.to_ns = p.seg->to_ns < at_ns ? p.seg->to_ns : at_ns;
		if (p.from_ns >= at_ns)
			continue;
		culprits_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, p.to_ns, at_ns);
		culprits_divide(&p);
		at_ns = p.from_ns;
		if (culprits_suffice(&p))
			return;
	}
	culprits_add_nobody(out, RS_PART_UNKNOWN, RS_CULPRIT_UNKNOWN, from_ns, at_ns);
}

void rs_culprits_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns, struct rs_culprits *out)
{
	out->by_type = false;
	culprits_find(c, t, from_ns, to_ns, 0, out);
}

void rs_culprits_sample(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns, unsigned int most_steps, struct rs_culprits *out)
{
	out->by_type = false;
	culprits_find(c, t, from_ns, to_ns, most_steps, out);
}

void rs_culprits_find_by_type(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns, struct rs_culprits *out)
{
	out->by_type = true;
	culprits_find(c, t, from_ns, to_ns, 0, out);
}

void rs_culprits_find_request(struct rs_ctx *c, const struct rs_request *r, struct rs_culprits *out)
{
	const struct rs_done_request *own = rs_history_request(c, r->dev, NULL);
	struct rs_segment seg = { .of = rs_history_name(c, r->tid > 0 ? rs_task_find(c, r->tid) : NULL) };

	out->nr = out->steps = out->most_steps = 0;
	out->by_type = true;
	if (own && own->complete_ns == r->complete_ns)
		culprits_divide_device(&(struct culprits_part){ c, &seg, own->begin_ns, own->complete_ns, out }, own, false);
}

const char *rs_culprit_text(struct rs_ctx *c, const struct rs_culprit *k, char *buf, size_t size_bytes)
{
	switch (k->kind) {
	case RS_CULPRIT_SELF:
		return "itself";
	case RS_CULPRIT_TASK:
		return k->name ? rs_task_name_comm(c, k->name) : k->comm ? k->comm : "";
	case RS_CULPRIT_INTERRUPT:
		return "interrupt";
	case RS_CULPRIT_IRQ:
		snprintf(buf, size_bytes, "%s %u%s%s", rs_irq_kind_name(k->irq->kind), k->irq->nr, k->irq->name[0] ? " " : "", k->irq->name);
		return buf;
	case RS_CULPRIT_IDLE:
		return "idle";
	case RS_CULPRIT_OTHERS:
		return "others";
	default:
		return "";
	}
}

/* ---- what was asked ---- */

const struct rs_time_asked *rs_culprits_asked(const struct rs_ctx *c)
{
	return &c->session->config.asked_why;
}

static bool culprits_is_at(const struct rs_time_asked *asked, int32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	return asked->kind == RS_ASKED_SLICE && tid == asked->tid && from_ns < asked->at_ns + SHOWN_NS && asked->at_ns <= to_ns;
}

bool rs_culprits_asked_call(const struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	const char *name;

	if (asked->kind != RS_ASKED_CALLS || call->exit_ns - call->enter_ns < asked->least_ns)
		return culprits_is_at(asked, call->task->tid, call->enter_ns, call->exit_ns);
	name = rs_syscall_name(c, call->nr);
	return name && rs_pattern_matches(asked->calls, name);
}

/* A state within a call is asked about by the call, which is still in flight. */
bool rs_culprits_asked_state(const struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);

	return culprits_is_at(asked, iv->task->tid, iv->from_ns, iv->to_ns) &&
	       (iv->task->syscall < 0 || iv->task->syscall_enter_ns >= asked->at_ns + SHOWN_NS);
}

bool rs_culprits_asked_request(const struct rs_ctx *c, const struct rs_request *r)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	const char *name;
	char number[32];

	if (asked->kind != RS_ASKED_REQUEST || r->sector != asked->sector || r->discarded || !r->shown)
		return false;
	rs_dev_text(r->dev, number, sizeof number);
	name = rs_disk_name(c, r->dev);
	return rs_pattern_matches(asked->disks, number) || (name && rs_pattern_matches(asked->disks, name));
}

static void culprits_put_ids(struct rs_buf *out, const char *option, const int32_t *ids, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		rs_buf_printf(out, "%s%d", i ? "," : option, ids[i]);
}

static void culprits_put_word(struct rs_buf *out, const char *option, const char *word)
{
	if (word) {
		rs_buf_puts(out, option);
		rs_escape_word(out, word);
	}
}

static void culprits_put_time(struct rs_buf *out, const char *option, uint64_t at_ns)
{
	if (at_ns)
		rs_buf_printf(out, "%s@%" PRIu64 ".%09" PRIu64, option, at_ns / 1000000000, at_ns % 1000000000);
}

static void culprits_put_selection(struct rs_buf *out, const struct rs_selection *sel)
{
	culprits_put_ids(out, " -p ", sel->pids, sel->nr_pids);
	culprits_put_ids(out, " -t ", sel->tids, sel->nr_tids);
	culprits_put_word(out, " -c ", sel->comm_glob);
	culprits_put_word(out, " --cgroup ", sel->cgroup_glob);
	if (!sel->nr_pids)
		culprits_put_ids(out, " -p ", &sel->command, sel->command != 0);
}

/* A process whose pid is not known is shown by its tid. */
void rs_part_command(const struct rs_ctx *c, enum rs_time_part part, uint32_t dev, int32_t pid, int32_t tid, char *buf, size_t size_bytes)
{
	const struct rs_session_config *config = &c->session->config;
	struct rs_buf out = RS_BUF_INIT;

	rs_buf_printf(&out, "ringside %s", rs_part_row(part)->view);
	culprits_put_word(&out, " -i ", config->input);
	if (dev)
		rs_buf_printf(&out, " --dev %u,%u", dev >> 20, dev & 0xfffff);
	else if (pid || tid)
		culprits_put_ids(&out, pid ? " -p " : " -t ", pid ? &pid : &tid, 1);
	else if (part != RS_PART_IRQ && part != RS_PART_SOFTIRQ)
		culprits_put_selection(&out, &config->selection);
	culprits_put_time(&out, " --from ", config->input ? config->from_ns : 0);
	culprits_put_time(&out, " --to ", config->input ? config->to_ns : 0);
	if (!out.failed && out.len < size_bytes)
		memcpy(buf, out.data, out.len + 1);
	else
		snprintf(buf, size_bytes, "ringside %s", rs_part_row(part)->view);
	rs_buf_done(&out);
}

unsigned int rs_culprits_meanwhile(struct rs_ctx *c, const struct rs_task_name *n, uint64_t from_ns, uint64_t to_ns, unsigned int most_steps,
				   uint64_t ns[RS_NR_CAUSES])
{
	struct rs_history_walk walk;
	const struct rs_segment *seg;
	uint64_t at_ns = to_ns;
	unsigned int steps = 0;

	memset(ns, 0, RS_NR_CAUSES * sizeof *ns);
	rs_history_walk_task(c, &walk, n);
	for (; at_ns > from_ns && steps < most_steps && (seg = rs_history_next(&walk)) && seg->to_ns > from_ns; steps++) {
		uint64_t begin_ns = seg->from_ns > from_ns ? seg->from_ns : from_ns, end_ns = seg->to_ns < at_ns ? seg->to_ns : at_ns;

		if (begin_ns >= at_ns)
			continue;
		ns[RS_CAUSE_NOT_SEEN] += at_ns - end_ns;
		ns[rs_cause_of_state((enum rs_state)seg->kind, (enum rs_cause)seg->cause)] += end_ns - begin_ns;
		at_ns = begin_ns;
	}
	if (at_ns == to_ns || (steps < most_steps && rs_history_from_ns(c) <= from_ns))
		ns[RS_CAUSE_NOT_SEEN] += at_ns - from_ns;
	else
		for (int cause = 0; cause < RS_NR_CAUSES; cause++)
			ns[cause] = (uint64_t)((double)ns[cause] * ((double)(to_ns - from_ns) / (double)(to_ns - at_ns)));
	return steps;
}
