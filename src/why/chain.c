// SPDX-License-Identifier: GPL-2.0-or-later
/* chain - follows a wait to the task that ended it, to what that one waited for, and so on */
#include "ringside/culprit.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/own-name.h"
#include "engine/internal.h"
#include "engine/task-table.h"
#include "why/culprits.h"
#include "why/history.h"
#include "why/lines.h"
#include "why/works.h"

#define MAX_WAITS 512u   /* of a level that are looked at; the newest */
#define MAX_WAKERS 32u
#define LEAST_OTHERS 20u /* a sentence tells of other tasks if they were a 20th of the time */

/* A wait that ended with a task as its waker, clipped to the time of its level. */
struct chain_wait {
	const struct rs_segment *seg;
	uint64_t from_ns, to_ns;
};

/* Tasks of one name are one: a hundred compilers, one after the other, are what make waits for. */
struct chain_waker {
	const struct rs_task_name *name;       /* of the newest */
	uint64_t ns;
	uint32_t nr;
	bool several;
};

/* One task, and the times that it is asked about: newest first. */
struct chain_level {
	struct rs_ctx *c;
	const struct rs_task_name *name;
	struct rs_culprits parts;              /* of all that is not followed */
	struct chain_wait waits[MAX_WAITS];
	unsigned int nr_waits;
	struct chain_waker wakers[MAX_WAKERS];
	unsigned int nr_wakers;
};

/* ---- one level ---- */

/* A device, a stall for memory and a sleep until something comes are explained by themselves. */
static bool chain_is_followed(const struct rs_segment *seg)
{
	return seg->kind == RS_BLOCKED && seg->waker_kind == RS_WAKER_TASK && seg->cause != RS_CAUSE_DISK &&
	       seg->cause != RS_CAUSE_RECLAIM;
}

static const char *chain_comm(const struct rs_task_name *n)
{
	return n->task ? n->task->comm : n->comm;
}

static bool chain_is_same(const struct rs_task_name *a, const struct rs_task_name *b)
{
	return a == b || (*chain_comm(a) && !strcmp(chain_comm(a), chain_comm(b)));
}

static void chain_add_wait(struct chain_level *level, const struct chain_wait *wait)
{
	struct chain_waker *waker = level->wakers;

	for (; waker < level->wakers + level->nr_wakers; waker++)
		if (chain_is_same(waker->name, wait->seg->waker))
			break;
	if (waker == level->wakers + level->nr_wakers) {
		if (level->nr_wakers == MAX_WAKERS)
			return;
		*waker = (struct chain_waker){ .name = wait->seg->waker };
		level->nr_wakers++;
	}
	waker->ns += wait->to_ns - wait->from_ns;
	waker->nr++;
	waker->several |= waker->name != wait->seg->waker;
	if (level->nr_waits < MAX_WAITS)
		level->waits[level->nr_waits++] = *wait;
}

static void chain_add_segment(struct chain_level *level, const struct rs_segment *seg, uint64_t from_ns,
			      uint64_t to_ns)
{
	struct rs_line_part held;
	struct rs_line line;

	if (!chain_is_followed(seg)) {
		rs_culprits_add(level->c, seg, from_ns, to_ns, &level->parts);
		return;
	}
	rs_line_begin(&line, level->c, seg, from_ns, to_ns);
	while (rs_line_next(&line, &held))
		chain_add_wait(level, &(struct chain_wait){ held.seg, held.from_ns, held.to_ns });
}

/* Adds what the task did between two times. */
static void chain_add_time(struct chain_level *level, struct rs_history_walk *walk, uint64_t from_ns,
			   uint64_t to_ns)
{
	const struct rs_segment *seg;
	uint64_t at_ns = to_ns;

	while (at_ns > from_ns && (seg = rs_history_next(walk)) && seg->to_ns > from_ns) {
		uint64_t begin_ns = seg->from_ns > from_ns ? seg->from_ns : from_ns,
			 end_ns = seg->to_ns < at_ns ? seg->to_ns : at_ns;

		if (begin_ns >= at_ns)
			continue;
		rs_culprits_add(level->c, NULL, end_ns, at_ns, &level->parts);
		chain_add_segment(level, seg, begin_ns, end_ns);
		at_ns = begin_ns;
	}
	rs_culprits_add(level->c, NULL, from_ns, at_ns, &level->parts);
}

static const struct chain_waker *chain_main_waker(const struct chain_level *level)
{
	const struct chain_waker *most = NULL;

	for (unsigned int i = 0; i < level->nr_wakers; i++)
		if (!most || level->wakers[i].ns > most->ns)
			most = &level->wakers[i];
	return most;
}

static uint64_t chain_part_ns(const struct chain_level *level, enum rs_time_part part)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < level->parts.nr; i++)
		if (level->parts.at[i].part == part)
			ns += level->parts.at[i].ns;
	return ns;
}

/*
 * Of the part that most time went to, whoever had it, the culprit that had most. Those that are not told
 * apart come last.
 */
static const struct rs_culprit *chain_main_part(const struct chain_level *level, uint64_t *part_ns)
{
	const struct rs_culprit *most = NULL;

	*part_ns = 0;
	for (unsigned int i = 0; i < level->parts.nr; i++) {
		const struct rs_culprit *k = &level->parts.at[i];
		uint64_t ns = chain_part_ns(level, k->part);
		bool is_more = most && k->part == most->part && k->kind != RS_CULPRIT_OTHERS &&
			       (most->kind == RS_CULPRIT_OTHERS || k->ns > most->ns);

		if (ns > *part_ns || is_more) {
			most = k;
			*part_ns = ns;
		}
	}
	return most;
}

/* ---- links ---- */

static void chain_name_link(struct rs_ctx *c, struct rs_chain_link *link, const struct rs_task_name *n)
{
	const struct rs_task *leader;

	link->pid = rs_task_name_pid(n);
	link->tid = n->tid;
	link->inst = n->inst;
	link->kernel_thread = n->task ? n->task->kernel_thread : n->kernel_thread;
	leader = link->pid && link->pid != link->tid ? rs_task_find(c, link->pid) : NULL;
	link->pid_inst = link->pid == link->tid ? link->inst : leader ? leader->inst : 0;
	memcpy(link->comm, chain_comm(n), sizeof link->comm);
	snprintf(link->process, sizeof link->process, "%s", rs_task_name_comm(c, n));
}

static enum rs_trail chain_lost_trail(struct rs_ctx *c, const struct rs_chain_link *link)
{
	if (link->part != RS_PART_UNKNOWN)
		return RS_TRAIL_KNOWN;
	if (link->from_ns < rs_history_from_ns(c))
		return RS_TRAIL_FORGOTTEN;
	return rs_discarded(c, link->from_ns, link->to_ns) ? RS_TRAIL_EVENTS_LOST : RS_TRAIL_NOT_SEEN;
}

/* The chain ends: what most of the time went to explains it, or nothing does. */
static void chain_end_link(struct chain_level *level, struct rs_chain_link *link,
			   const struct rs_culprit *part, uint64_t part_ns)
{
	if (!part)
		return;
	link->part = part->part;
	link->part_ns = part_ns;
	link->culprit = *part;
	snprintf(link->culprit_text, sizeof link->culprit_text, "%s",
		 rs_culprit_text(level->c, part, link->culprit_text, sizeof link->culprit_text));
}

/*
 * The task waits for that waker: its longest wait says in which call. Leaves only the waits for it in the
 * level.
 */
static const struct chain_wait *chain_follow_link(struct chain_level *level, struct rs_chain_link *link,
						  const struct chain_waker *waker)
{
	const struct chain_wait *slowest = NULL;
	struct rs_culprits one = { .nr = 0 };
	unsigned int nr = 0;

	for (unsigned int i = 0; i < level->nr_waits; i++) {
		const struct chain_wait wait = level->waits[i];

		if (!chain_is_same(wait.seg->waker, waker->name))
			continue;
		level->waits[nr++] = wait;
		if (!slowest || wait.to_ns - wait.from_ns > slowest->to_ns - slowest->from_ns)
			slowest = &level->waits[nr - 1];
	}
	level->nr_waits = nr;
	rs_culprits_add(level->c, slowest->seg, slowest->from_ns, slowest->to_ns, &one);
	link->followed = true;
	link->part = one.nr ? one.at[0].part : RS_PART_UNKNOWN;
	link->part_ns = waker->ns;
	if (link->call < 0)
		link->call = rs_segment_call(slowest->seg);
	return slowest;
}

static void chain_count_others(const struct chain_level *level, struct rs_chain_link *link,
			       const struct chain_waker *followed)
{
	for (unsigned int i = 0; i < level->nr_wakers; i++) {
		if (&level->wakers[i] == followed)
			continue;
		link->nr_others++;
		link->others_ns += level->wakers[i].ns;
	}
}

/*
 * What a worker of the kernel did before a work was queued has nothing to do with who waits for that work:
 * from there on the task that queued it is followed. Returns since when the worker itself is.
 */
static uint64_t chain_add_work(struct chain_level *level, const struct chain_wait *wait)
{
	const struct rs_work *work = rs_works_at(level->c, wait->seg->waker, wait->seg->to_ns);
	uint64_t from_ns = wait->from_ns, queue_ns, begin_ns;

	if (!work || work->begin_ns <= from_ns)
		return from_ns;
	begin_ns = work->begin_ns < wait->to_ns ? work->begin_ns : wait->to_ns;
	queue_ns = work->queued.to_ns < begin_ns ? work->queued.to_ns : begin_ns;
	if (queue_ns > from_ns)
		chain_add_segment(level, &work->queued, from_ns, queue_ns);
	else
		queue_ns = from_ns;
	rs_culprits_add_part(&level->parts, RS_PART_WORK, queue_ns, begin_ns);
	return begin_ns;
}

/* The level of the waker: what it did during the waits that are left in this one. */
static void chain_next_level(struct chain_level *level, const struct chain_waker *waker)
{
	struct chain_wait waits[MAX_WAITS];
	unsigned int nr = level->nr_waits;

	memcpy(waits, level->waits, nr * sizeof *waits);
	level->name = waker->name;
	level->parts.nr = level->nr_waits = level->nr_wakers = 0;
	for (unsigned int i = 0; i < nr; i++) {
		struct rs_history_walk walk;
		uint64_t from_ns = chain_add_work(level, &waits[i]);

		rs_history_walk_waker(level->c, &walk, waits[i].seg);
		chain_add_time(level, &walk, from_ns, waits[i].to_ns);
	}
}

void rs_chain_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		   struct rs_chain *chain)
{
	struct chain_level level = { .c = c, .name = rs_history_name(c, t) };
	struct rs_chain_link *link = chain->at;
	const struct chain_wait *slowest;
	struct rs_history_walk walk;

	*chain = (struct rs_chain){ .nr = 0 };
	if (!level.name || to_ns <= from_ns)
		return;
	*link = (struct rs_chain_link){ .from_ns = from_ns, .to_ns = to_ns, .ns = to_ns - from_ns,
					.nr_waits = 1, .call = -1 };
	rs_history_walk_task(c, &walk, level.name);
	chain_add_time(&level, &walk, from_ns, to_ns);
	for (;;) {
		const struct chain_waker *waker = chain_main_waker(&level);
		uint64_t part_ns;
		const struct rs_culprit *part = chain_main_part(&level, &part_ns);
		struct chain_waker next;

		chain->nr++;
		chain_name_link(c, link, level.name);
		if (!waker || part_ns >= waker->ns || chain->nr == RS_MAX_LINKS) {
			chain->is_cut = waker && chain->nr == RS_MAX_LINKS;
			chain_count_others(&level, link, NULL);
			chain_end_link(&level, link, part, part_ns);
			chain->trail = chain_lost_trail(c, link);
			return;
		}
		next = *waker;
		chain_count_others(&level, link, waker);
		slowest = chain_follow_link(&level, link, &next);
		link[1] = (struct rs_chain_link){ .from_ns = slowest->from_ns, .to_ns = slowest->to_ns,
						  .ns = next.ns, .nr_waits = next.nr, .call = -1,
						   .several = next.several };
		next.name = slowest->seg->waker;
		chain_next_level(&level, &next);
		link++;
	}
}

void rs_chain_find_request(struct rs_ctx *c, const struct rs_request *r, struct rs_chain *chain)
{
	struct chain_level level = { .c = c };
	struct rs_chain_link *link = chain->at;
	const struct rs_culprit *part;
	uint64_t part_ns;

	*chain = (struct rs_chain){ .nr = 1, .rwbs = rs_rwbs_key(r->rwbs) };
	*link = (struct rs_chain_link){ .from_ns = r->begin_ns, .to_ns = r->complete_ns,
					.ns = r->complete_ns - r->begin_ns, .nr_waits = 1,
					.call = -1, .pid = r->pid, .tid = r->tid };
	memcpy(link->comm, r->comm, sizeof link->comm);
	memcpy(link->process, r->comm, sizeof link->process);
	rs_culprits_find_request(c, r, &level.parts);
	part = chain_main_part(&level, &part_ns);
	chain_end_link(&level, link, part, part_ns);
}

/*
 * In quarters. Who waits for somebody that sleeps of his own choice may wait in vain, or just have nothing to
 * do.
 */
static unsigned int chain_weight(const struct rs_chain *chain, const struct rs_chain_link *last)
{
	enum rs_time_part before = last > chain->at ? last[-1].part : RS_PART_UNKNOWN;

	if (last->culprit.kind == RS_CULPRIT_TASK && rs_own_name(last->culprit_text))
		return 0;
	switch (rs_part_cause(last->part)->rank) {
	case RS_RANK_WORK:
	case RS_RANK_WAIT:
		return 4;
	case RS_RANK_UNKNOWN:
		return 0;
	default:
		return before == RS_PART_LOCK ? 4 : before == RS_PART_FUTEX ? 3 : last > chain->at ? 2 : 0;
	}
}

uint64_t rs_chain_explained_ns(const struct rs_chain *chain)
{
	const struct rs_chain_link *last = chain->nr ? &chain->at[chain->nr - 1] : NULL;

	return last ? last->part_ns / (chain->at[0].kernel_thread ? 8 : 4) * chain_weight(chain, last) : 0;
}

void rs_chain_find_command(struct rs_ctx *c, struct rs_chain *chain)
{
	const struct rs_task *t = c->session->config.selection.command ?
					  rs_task_find(c, c->session->config.selection.command) :
					  NULL;
	uint64_t from_ns, to_ns = rs_last_event_ns(c), open_ns;

	chain->nr = 0;
	if (!t)
		return;
	if (rs_task_state(c, t, &open_ns) == RS_DEAD && rs_task_instance_of(t)->died_ns < to_ns)
		to_ns = rs_task_instance_of(t)->died_ns;
	from_ns = t->birth_ns > rs_since_ns(c) ? t->birth_ns : rs_since_ns(c);
	rs_chain_find(c, t, from_ns, to_ns, chain);
}

/* ---- as sentences ---- */

/* What comes before the culprit's name. */
static const char *chain_says_of(const struct rs_chain_link *link)
{
	switch (link->part) {
	case RS_PART_QUEUE:
		return "behind ";
	case RS_PART_DISK_QUEUE:
	case RS_PART_DISK_DEVICE:
	case RS_PART_FAULT:
		return "which served ";
	default:
		return link->culprit.kind == RS_CULPRIT_INTERRUPT ? "ended by an " : "";
	}
}

/* "waiting for db: socket"; of the last link "on a CPU", "disk: in device sda, requests of dd" */
static void chain_put_part(struct rs_ctx *c, const struct rs_chain *chain, unsigned int i, struct rs_buf *out)
{
	const struct rs_chain_link *link = &chain->at[i];
	const char *disk = link->culprit.dev ? rs_disk_name(c, link->culprit.dev) : NULL;
	char text[48];

	if (link->followed) {
		rs_buf_printf(out, "waiting for %s (%s)", chain->at[i + 1].comm,
			      rs_part_row(link->part)->name);
		return;
	}
	rs_buf_puts(out, link->part == RS_PART_RUN ? "on a CPU" : rs_part_row(link->part)->name);
	if (disk)
		rs_buf_printf(out, " %s", disk);
	if (link->part == RS_PART_RUN || link->culprit.kind == RS_CULPRIT_IDLE || !link->culprit_text[0])
		return;
	if (link->culprit.kind == RS_CULPRIT_SELF)
		rs_buf_puts(out, ", for its own requests");
	else
		rs_buf_printf(out, ", %s%s", chain_says_of(link), link->culprit_text);
	if (link->culprit.ns < link->part_ns - link->part_ns / 4)
		rs_buf_printf(out, " for %s of it", rs_duration_text(c, link->culprit.ns, text, sizeof text));
}

static void chain_put_link(struct rs_ctx *c, const struct rs_chain *chain, unsigned int i, struct rs_buf *out)
{
	const struct rs_chain_link *link = &chain->at[i];
	static const char *const trails[] = {
		[RS_TRAIL_KNOWN] = "",
		[RS_TRAIL_FORGOTTEN] = "it is older than the history",
		[RS_TRAIL_EVENTS_LOST] = "events were lost then",
		[RS_TRAIL_NOT_SEEN] = "no event tells what it did",
	};
	const char *call = link->call >= 0 ? rs_syscall_name(c, link->call) : NULL;
	char text[48], rwbs[RS_RWBS_LEN];

	rs_buf_printf(out, "%s (%d%s)%s: ", link->comm, link->tid, link->several ? " and others" : "",
		      i ? " meanwhile" : "");
	if (call || chain->rwbs)
		rs_buf_printf(out, "%s%s, ", call ? "" : "request ",
			      call ? call : rs_rwbs_text(chain->rwbs, rwbs));
	rs_buf_puts(out, rs_duration_text(c, link->ns, text, sizeof text));
	if (link->nr_waits > 1)
		rs_buf_printf(out, " in %u waits", link->nr_waits);
	rs_buf_printf(out, ", %s of it ", rs_duration_text(c, link->part_ns, text, sizeof text));
	chain_put_part(c, chain, i, out);
	if (link->others_ns > link->ns / LEAST_OTHERS)
		rs_buf_printf(out, "; %s for %u other%s",
			      rs_duration_text(c, link->others_ns, text, sizeof text), link->nr_others,
			      link->nr_others > 1 ? "s" : "");
	if (!link->followed && chain->is_cut)
		rs_buf_puts(out, "; the chain goes on");
	else if (!link->followed && link->part == RS_PART_UNKNOWN)
		rs_buf_printf(out, ": the trail is lost, %s", trails[chain->trail]);
}

void rs_chain_text(struct rs_ctx *c, const struct rs_chain *chain, unsigned int i, char *buf,
		   size_t size_bytes)
{
	struct rs_buf out = RS_BUF_INIT;

	chain_put_link(c, chain, i, &out);
	snprintf(buf, size_bytes, "%.*s", (int)out.len, out.data ? out.data : "");
	rs_buf_done(&out);
}
