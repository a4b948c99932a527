// SPDX-License-Identifier: GPL-2.0-or-later
/* chain - follows a wait to the task that ended it, to what that one waited for, and so on */
#include "ringside/culprit.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/own-name.h"
#include "engine/internal.h"
#include "engine/task-table.h"
#include "why/chain-level.h"
#include "why/culprits.h"
#include "why/works.h"

#define LEAST_OTHERS 20u /* a sentence tells of other tasks if they were a 20th of the time */

static uint64_t chain_part_ns(const struct rs_chain_level *level, enum rs_time_part part)
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
static const struct rs_culprit *chain_main_part(const struct rs_chain_level *level, uint64_t *part_ns)
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
	memcpy(link->comm, rs_chain_level_comm(n), sizeof link->comm);
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
static void chain_end_link(struct rs_chain_level *level, struct rs_chain_link *link,
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

/* The task waits for that waker: its longest wait says in which call. */
static const struct rs_chain_wait *chain_follow_link(struct rs_chain_level *level, struct rs_chain_link *link,
						     const struct rs_chain_waker *waker)
{
	const struct rs_chain_wait *slowest = rs_chain_level_keep(level, waker);

	link->followed = true;
	link->part = rs_chain_level_part(level, slowest);
	link->part_ns = waker->ns;
	if (link->call < 0)
		link->call = rs_segment_call(slowest->seg);
	return slowest;
}

static void chain_count_others(const struct rs_chain_level *level, struct rs_chain_link *link,
			       const struct rs_chain_waker *followed)
{
	for (unsigned int i = 0; i < level->nr_wakers; i++) {
		if (&level->wakers[i] == followed)
			continue;
		link->nr_others++;
		link->others_ns += level->wakers[i].ns;
	}
}

void rs_chain_find(struct rs_ctx *c, const struct rs_task *t, uint64_t from_ns, uint64_t to_ns,
		   struct rs_chain *chain)
{
	struct rs_chain_level level;
	struct rs_chain_link *link = chain->at;
	const struct rs_chain_wait *slowest;
	const struct rs_work *work = NULL;

	*chain = (struct rs_chain){ .nr = 0 };
	if (!rs_chain_level_begin(&level, c, t, from_ns, to_ns))
		return;
	*link = (struct rs_chain_link){ .from_ns = from_ns, .to_ns = to_ns, .ns = to_ns - from_ns,
					.nr_waits = 1, .call = -1 };
	for (;;) {
		const struct rs_chain_waker *waker = rs_chain_level_main_waker(&level);
		uint64_t part_ns;
		const struct rs_culprit *part = chain_main_part(&level, &part_ns);
		struct rs_chain_waker next;

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
		link->is_queued = work && slowest->seg == &work->queued;
		work = rs_works_of_wait(c, slowest->seg);
		link[1] = (struct rs_chain_link){ .from_ns = slowest->from_ns, .to_ns = slowest->to_ns,
						  .ns = next.ns, .nr_waits = next.nr, .call = -1,
						   .several = next.several,
						  .function = work ? work->function : 0 };
		next.name = slowest->seg->waker;
		rs_chain_level_next(&level, &next);
		link++;
	}
}

void rs_chain_find_request(struct rs_ctx *c, const struct rs_request *r, struct rs_chain *chain)
{
	struct rs_chain_level level = { .c = c };
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

	if (link->is_queued) {
		rs_buf_printf(out, "until %s queued that work", chain->at[i + 1].comm);
		return;
	}
	if (link->followed) {
		rs_buf_printf(out, "waiting for %s (%s)", chain->at[i + 1].comm,
			      rs_part_row(link->part)->name);
		return;
	}
	rs_buf_puts(out, link->part == RS_PART_RUN ? "on a CPU" : rs_part_row(link->part)->name);
	if (disk)
		rs_buf_printf(out, " %s", disk);
	if (rs_part_row(link->part)->cause == RS_CAUSE_RUN || link->culprit.kind == RS_CULPRIT_IDLE ||
	    !link->culprit_text[0])
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
	const char *call = link->call >= 0 ? rs_syscall_name(c, link->call) : NULL,
		   *function = link->function ? rs_function(c, link->function) : NULL;
	char text[48], rwbs[RS_RWBS_LEN];

	rs_buf_printf(out, "%s (%d%s)%s: ", link->comm, link->tid, link->several ? " and others" : "",
		      i ? " meanwhile" : "");
	if (call || chain->rwbs)
		rs_buf_printf(out, "%s%s, ", call ? "" : "request ",
			      call ? call : rs_rwbs_text(chain->rwbs, rwbs));
	if (function)
		rs_buf_printf(out, "work %s, ", function);
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
