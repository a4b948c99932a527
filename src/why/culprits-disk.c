// SPDX-License-Identifier: GPL-2.0-or-later
/* culprits-disk - divides a wait for a disk among those whose requests the disk served meanwhile */
#include "engine/internal.h"
#include "engine/task-table.h"
#include "why/culprits-parts.h"

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
		[RS_REQUEST_READ] = "read",   [RS_REQUEST_READ_AHEAD] = "read-ahead",
		[RS_REQUEST_WRITE] = "write", [RS_REQUEST_WRITE_BACK] = "write-back",
		[RS_REQUEST_FLUSH] = "flush", [RS_REQUEST_DISCARD] = "discard",
	};

	return names[type];
}

static bool culprits_is_any_request(const struct rs_segment *seg)
{
	return seg->cause == RS_CAUSE_OTHER_D && seg->detail == RS_SEGMENT_COMPLETION;
}

/*
 * A worker of the kernel that slept until a request completed, and then ended the wait: it does what is left
 * to do after the request (a stacked device, a file system's conversion). It is no culprit, the disk is.
 */
static const struct rs_segment *culprits_relay(const struct rs_culprits_part *p)
{
	const struct rs_task_name *waker = p->seg->waker_kind == RS_WAKER_TASK ? p->seg->waker : NULL;
	struct rs_history_walk walk;
	const struct rs_segment *seg;

	if (p->seg->cause != RS_CAUSE_OTHER_D || !waker ||
	    !(waker->task ? waker->task->kernel_thread : waker->kernel_thread))
		return NULL;
	rs_history_walk_waker(p->c, &walk, p->seg);
	while ((seg = rs_history_next(&walk)) && seg->to_ns > p->seg->from_ns)
		if (seg->kind == RS_BLOCKED)
			return (seg->cause == RS_CAUSE_IDLE || seg->cause == RS_CAUSE_SLEEP) &&
					       seg->detail == RS_SEGMENT_COMPLETION ?
				       seg :
				       NULL;
	return NULL;
}

bool rs_culprits_find_done(const struct rs_culprits_part *p, struct rs_culprits_done *done)
{
	const struct rs_segment *relay;

	*done = (struct rs_culprits_done){ (uint32_t)p->seg->what, p->seg->to_ns,
					   culprits_is_any_request(p->seg) };
	if (p->seg->cause == RS_CAUSE_DISK || done->of_whoever)
		return true;
	relay = culprits_relay(p);
	if (relay)
		*done = (struct rs_culprits_done){ (uint32_t)relay->what, relay->to_ns, true };
	return relay;
}

/* The last request that completed during the wait; NULL: it is not known. */
static const struct rs_done_request *culprits_own_request(const struct rs_culprits_part *p,
							  const struct rs_culprits_done *done)
{
	const struct rs_done_request *r = rs_history_request_by(p->c, done->dev, done->by_ns);

	for (; r && r->complete_ns >= p->seg->from_ns;
	     r = rs_history_request(p->c, done->dev, r), p->out->steps++)
		if (r->tid == p->seg->of->tid || done->of_whoever)
			return r;
	return NULL;
}

static struct rs_culprit culprits_of_request(const struct rs_culprits_part *p, enum rs_time_part part,
					     const struct rs_done_request *r, bool own)
{
	struct rs_culprit k = { .part = part, .dev = r->dev, .rwbs = r->rwbs, .kind = RS_CULPRIT_UNKNOWN };
	const struct rs_task_instance *inst = r->tid > 0 ? rs_tasks_find(&p->c->session->tasks, r->tid) :
							   NULL;
	const struct rs_task_name *of = p->seg->of; /* NULL: of a request that nobody is known to wait for */

	if (own || (of && (r->tid == of->tid || (r->pid && r->pid == rs_task_name_pid(of))))) {
		k.kind = RS_CULPRIT_SELF;
	} else if (r->tid) {
		k.kind = RS_CULPRIT_TASK;
		k.id = rs_culprits_list_task_id(r->pid, r->tid);
		k.pid = r->pid;
		k.tid = r->tid;
		k.comm = r->comm;
		k.name = inst && r->begin_ns >= inst->task.birth_ns ? inst->name : NULL;
	}
	return k;
}

/* The part of [from_ns, to_ns) that lies in the wait. */
static void culprits_add_clipped(const struct rs_culprits_part *p, const struct rs_culprit *k,
				 uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns < p->from_ns)
		from_ns = p->from_ns;
	if (to_ns > p->to_ns)
		to_ns = p->to_ns;
	if (to_ns > from_ns)
		rs_culprits_list_put(p->out, k, from_ns, to_ns - from_ns);
}

static bool culprits_is_flush(const struct rs_done_request *r)
{
	return rs_request_type(r->rwbs) == RS_REQUEST_FLUSH;
}

/*
 * Another's write of a file system's metadata: who changes what a journal is about to write waits for that.
 * Until there is the request, the other one prepares it: nobody holds it back.
 */
static bool culprits_is_of_journal(const struct rs_culprits_part *p, const struct rs_done_request *r)
{
	char buf[RS_RWBS_LEN];
	const char *rwbs = rs_rwbs_text(r->rwbs, buf);

	return p->seg->of && r->tid > 0 && r->tid != p->seg->of->tid && strchr(rwbs, 'W') &&
	       strchr(rwbs, 'M');
}

void rs_culprits_divide_device(const struct rs_culprits_part *p, const struct rs_done_request *own,
			       bool fault)
{
	enum rs_time_part queued = fault ? RS_PART_FAULT : RS_PART_DISK_QUEUE;
	enum rs_time_part served = fault                  ? RS_PART_FAULT :
				   culprits_is_flush(own) ? RS_PART_DISK_FLUSH :
							    RS_PART_DISK_DEVICE;
	uint64_t issue_ns = own->issue_ns, begin_ns = own->begin_ns, end_ns = own->complete_ns;
	const struct rs_done_request *r = own;

	for (unsigned int steps = 0; r && end_ns > begin_ns && steps < RS_CULPRITS_MAX_SLICES; steps++) {
		const struct rs_done_request *next = rs_history_request(p->c, own->dev, r);
		uint64_t before_ns = next && next->complete_ns > begin_ns ? next->complete_ns : begin_ns;
		struct rs_culprit k = culprits_of_request(p, queued, r,
							  r == own && !culprits_is_of_journal(p, own));

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
 * A write that is to be on the medium is preceded by a flush, a request of its own, and a journal's commit
 * waits for both: what is left of the time before the request is not a disk's.
 */
static void culprits_divide_before(const struct rs_culprits_part *p, const struct rs_done_request *own,
				   const struct rs_culprit *before)
{
	const struct rs_done_request *r = own;
	uint64_t at_ns = own->begin_ns;

	while (at_ns > p->from_ns && (r = rs_history_request(p->c, own->dev, r)) &&
	       r->complete_ns > p->from_ns) {
		if (!culprits_is_flush(r) || r->complete_ns > at_ns || r->issue_ns >= at_ns)
			continue;
		culprits_add_clipped(p, before, r->complete_ns, at_ns);
		culprits_add_clipped(p, &(struct rs_culprit){ .part = RS_PART_DISK_FLUSH,
			.kind = RS_CULPRIT_SELF, .dev = r->dev, .rwbs = r->rwbs },
				     r->issue_ns, r->complete_ns);
		at_ns = r->issue_ns;
	}
	culprits_add_clipped(p, before, p->from_ns, at_ns);
}

/* Not of a write: then it is in a call that began before the recording did, a long sync(2). */
static bool culprits_is_fault(const struct rs_culprits_part *p, const struct rs_done_request *own)
{
	char buf[RS_RWBS_LEN];

	if (own && strchr(rs_rwbs_text(own->rwbs, buf), 'W'))
		return false;
	return rs_segment_in_no_call(p->seg);
}

void rs_culprits_divide_disk(const struct rs_culprits_part *p, const struct rs_culprits_done *done)
{
	const struct rs_done_request *own = culprits_own_request(p, done);
	bool fault = culprits_is_fault(p, own);
	struct rs_culprit before = { .part = fault ? RS_PART_FAULT : RS_PART_DISK_BEFORE, .dev = done->dev };
	struct rs_culprit k = { .part = fault ? RS_PART_FAULT : own ? RS_PART_DISK_DONE : RS_PART_DISK_DEVICE,
				.dev = done->dev };

	if (own) {
		if (!fault && culprits_is_of_journal(p, own))
			before = culprits_of_request(p, RS_PART_KERNEL, own, false);
		culprits_divide_before(p, own, &before);
		rs_culprits_divide_device(p, own, fault);
	}
	culprits_add_clipped(p, &k, own ? own->complete_ns : p->from_ns, p->to_ns);
}
