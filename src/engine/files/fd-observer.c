// SPDX-License-Identifier: GPL-2.0-or-later
/* fd-observer - when the descriptors of processes are followed, and by which events they change */
#include "engine/analysis-instance.h"
#include "engine/files/fd-paths-parts.h"
#include "engine/files/fd-sockets.h"
#include "engine/files/terminals.h"
#include "engine/internal.h"
#include "engine/observer.h"

struct rs_fd_paths *rs_fd_paths_of(const struct rs_session *s)
{
	return rs_observer_state(s, RS_OBSERVER_FILES);
}

/* Its rows, or its findings. */
static bool fd_observer_is_shown(const struct rs_session *s, unsigned int i)
{
	return s->analyses[i].ctx.subscribed || (s->config.findings && s->analyses[i].analysis->rules);
}

/*
 * It costs each call that names a descriptor: an analysis that can do without pays only where what it knows
 * is shown.
 */
static bool fd_observer_is_required(const struct rs_session *s)
{
	bool recorded = s->source->info.nr_fd_paths;

	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		const struct rs_analysis *a = s->analyses[i].analysis;

		if (!s->analyses[i].disabled[0] &&
		    (a->requires_files || a->requires_names || (recorded && a->requires_sockets) ||
		     (recorded && a->uses_files && fd_observer_is_shown(s, i))))
			return true;
	}
	return false;
}

/*
 * The sockets of descriptors are known without look-ups, but only if all calls of a process are captured: of
 * some CPUs, or some threads, they do not tell what else closes a descriptor.
 */
static bool fd_observer_has_sockets(const struct rs_session *s)
{
	const struct rs_selection *selection = &s->config.selection;

	if (s->parts[RS_ENGINE_SOCKETS].disabled[0] || selection->cpus || selection->by_kernel)
		return false;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] &&
		    (s->analyses[i].analysis->requires_sockets ||
		     (s->analyses[i].analysis->uses_files && fd_observer_is_shown(s, i))))
			return true;
	return false;
}

static bool fd_observer_asks_for_files(const struct rs_session *s)
{
	return s->config.fd_requester.ask && !s->config.for_viewers;
}

/* In a recording without look-ups and names nothing is followed. */
static bool fd_observer_follows(const struct rs_session *s)
{
	if (s->source->info.nr_fd_paths || s->open_names.nr)
		return s->config.shows_fds || fd_observer_is_required(s);
	return fd_observer_asks_for_files(s) && fd_observer_is_required(s);
}

/* Without memory descriptors have no paths. */
static int fd_observer_begin(struct rs_session *s)
{
	const struct rs_trace_info *info = &s->source->info;
	bool follows = fd_observer_follows(s), has_sockets = fd_observer_has_sockets(s);
	struct rs_fd_paths *p;

	if (s->parts[RS_ENGINE_CALLS].disabled[0] ||
	    (!fd_observer_asks_for_files(s) && !follows && !has_sockets))
		return 0;
	p = rs_fd_paths_new(&s->config.fd_requester, &s->tasks, &s->states.gaps, s->syscalls);
	rs_observer_set(s, RS_OBSERVER_FILES, p);
	if (p && follows)
		rs_fd_paths_follow_files(p, info->fd_paths, info->nr_fd_paths, s->open_names.nr > 0,
					 s->config.selection.command);
	if (p && has_sockets)
		rs_fd_paths_follow_sockets(p);
	if (p && s->config.for_viewers && s->config.fd_requester.ask)
		rs_fd_paths_keep_sockets_alone(p);
	for (size_t i = 0; p && has_sockets && i < info->nr_fd_sockets; i++)
		rs_fd_paths_add_told(p, &info->fd_sockets[i]);
	return 0;
}

static void fd_observer_free(struct rs_session *s, void *state)
{
	rs_fd_paths_free(state);
}

struct rs_fd_history *rs_fd_history_of(const struct rs_session *s)
{
	const struct rs_fd_paths *p = rs_fd_paths_of(s);

	return p ? p->history : NULL;
}

static void fd_observer_gap(struct rs_session *s, const struct rs_gap *gap)
{
	struct rs_fd_history *history = rs_fd_history_of(s);

	if (history)
		rs_fd_history_end_all(history, gap->from_ns);
}

static void fd_observer_batch(struct rs_session *s)
{
	rs_fd_lookups_take_replies(rs_fd_paths_of(s), rs_terminals_of(s));
}

/* Once here, not for each row: a file that is closed again by now needs no request. */
static void fd_observer_batch_done(struct rs_session *s)
{
	rs_fd_lookups_send_requests(rs_fd_paths_of(s), s->now_ns);
	if (rs_fd_paths_of(s)->nr_left)
		rs_fd_sockets_leave(&s->parts[RS_ENGINE_CALLS].ctx);
}

/* What a call does to descriptors, enum rs_call_files. Most do nothing; one that is not known may do all. */
static uint8_t fd_observer_files(const struct rs_fd_paths *p, int64_t nr)
{
	int place = rs_call_place(nr);

	return place >= 0 ? p->calls->files[place] : RS_CALL_HAS_EFFECT;
}

/* A read or a write changes nothing that is known; of most the descriptor is known. */
static void fd_observer_call(struct rs_session *s, struct rs_task_instance *inst)
{
	struct rs_fd_paths *p = rs_fd_paths_of(s);
	uint8_t files = fd_observer_files(p, inst->task.syscall);

	if (p->for_files && files & RS_CALL_USES_FILE &&
	    !rs_fd_known_find(p, inst->task.pid, (int32_t)inst->task.syscall_args[0]))
		rs_fd_paths_first_use(p, &inst->task);
	if (files & RS_CALL_HAS_EFFECT || inst->ends_fds)
		rs_fd_paths_enter(p, inst);
}

static void fd_observer_call_done(struct rs_session *s, struct rs_task_instance *inst, int64_t nr,
				  int64_t ret, uint64_t ts_ns, bool is_paired)
{
	struct rs_fd_paths *p = rs_fd_paths_of(s);

	/* replies of look-ups are taken by the next call that does something */
	if (fd_observer_files(p, nr) & RS_CALL_HAS_EFFECT || inst->ends_fds || inst->abi == RS_ABI_UNKNOWN ||
	    p->names.nr)
		rs_fd_paths_exit(p, inst, nr, ret, ts_ns, is_paired);
}

/*
 * Where two processes share a table of descriptors, or a working directory, the calls of either show only
 * half of its changes.
 */
static void fd_observer_fork(struct rs_session *s, const struct rs_task *parent, const struct rs_task *child,
			     uint64_t clone_flags, uint64_t ts_ns)
{
	struct rs_fd_paths *p = rs_fd_paths_of(s);

	if (clone_flags & RS_CLONE_THREAD)
		return;
	if (!(clone_flags & RS_CLONE_FILES))
		rs_fd_paths_fork(p, parent, child->tid, ts_ns);
	if (!(clone_flags & (RS_CLONE_FILES | RS_CLONE_FS)))
		return;
	if (clone_flags & RS_CLONE_FS) {
		rs_fd_paths_share_cwd(p, parent->pid, ts_ns);
		rs_fd_paths_share_cwd(p, child->tid, ts_ns);
	}
	rs_fd_paths_discard(p, parent->pid, ts_ns);
	rs_fd_paths_discard(p, child->tid, ts_ns);
}

static void fd_observer_exec(struct rs_session *s, struct rs_task_instance *old,
			     struct rs_task_instance *inst)
{
	if (old)
		rs_fd_paths_end_call(rs_fd_paths_of(s), old);
	rs_fd_paths_exec(rs_fd_paths_of(s), inst);
}

/* Its call has ended, and if it was the first thread of a process so are the process' descriptors. */
static void fd_observer_end_task(struct rs_session *s, struct rs_task_instance *inst)
{
	rs_fd_paths_end_call(rs_fd_paths_of(s), inst);
	rs_fd_paths_forget(rs_fd_paths_of(s), inst->task.tid);
}

static void fd_observer_evict(struct rs_session *s, struct rs_task_instance *inst)
{
	rs_fd_paths_end_call(rs_fd_paths_of(s), inst);
}

const struct rs_observer rs_observer_files = {
	.name = "files",
	.begin = fd_observer_begin,
	.free = fd_observer_free,
	.batch = fd_observer_batch,
	.batch_done = fd_observer_batch_done,
	.gap = fd_observer_gap,
	.call = fd_observer_call,
	.call_done = fd_observer_call_done,
	.fork = fd_observer_fork,
	.exec = fd_observer_exec,
	.end_task = fd_observer_end_task,
	.evict = fd_observer_evict,
};
