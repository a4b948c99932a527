/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd-paths.h - the file of a call's descriptor, where it is certain
 *
 * An event has only the descriptor's number. Its file can be looked up while the process has it open, by the
 * requester (session.h), and the reply holds for the moment of the look-up, not for a call before or after
 * it. So:
 *
 *	since          read             enter          exit
 *	a row showed   the requester    a call of      it returned: the row shows the path
 *	the number     looked it up     the process
 *
 * A path is valid from `since` until a call of the process begins that may assign the number to another file
 * (close, dup2, close_range, execve ...). It is used once events later than the look-up have come, for calls
 * that began after `since`: then all events before the look-up have been seen, and none of them was such a
 * call. Nothing begins while such a call is in flight, and a gap ends everything. So the first rows of a
 * descriptor show the number alone.
 *
 * If the calls of a process do not show all changes (io_uring closes files without one; a table shared with
 * another process, or not by all threads), it has no paths.
 */
#ifndef RS_ENGINE_FILES_FD_PATHS_H
#define RS_ENGINE_FILES_FD_PATHS_H

#include "engine/session.h"
#include "engine/states/states.h"

struct rs_fd_paths;
struct rs_session;
struct rs_syscall_names;
struct rs_terminals;

/* A socket of which only the inode is known: it is not connected, or its name was not known yet. */
static inline bool rs_fd_paths_is_unnamed(const char *path)
{
	return path && !strncmp(path, "socket:[", 8);
}

/* false also of NULL. */
bool rs_fd_paths_is_socket(const char *path);

/* NULL: descriptors are shown as numbers. */
struct rs_fd_paths *rs_fd_paths_of(const struct rs_session *s);

/* Returns NULL without memory. tasks and gaps belong to the session and outlive it. */
struct rs_fd_paths *rs_fd_paths_new(const struct rs_fd_requester *requester, struct rs_tasks *tasks,
				    const struct rs_gaps *gaps, struct rs_syscall_names *names);
void rs_fd_paths_free(struct rs_fd_paths *p);
/*
 * Follows the descriptor of each call on a file from its begin: an analysis calls rs_call_file. recorded: by
 * time, outlives p. has_names: rs_fd_names_set will be called; then working directories are followed, too,
 * that of the command from its begin on (0: none).
 */
void rs_fd_paths_follow_files(struct rs_fd_paths *p, const struct rs_fd_path *recorded, size_t nr_recorded,
			      bool has_names, int32_t command);
/*
 * Keeps the sockets of descriptors, of which events tell: an analysis calls rs_call_socket. Costs the calls
 * that open, duplicate and close descriptors alone.
 */
void rs_fd_paths_follow_sockets(struct rs_fd_paths *p);
/*
 * No file is asked for, nor shown: what is known of one is what was looked up for its socket. Keeps a
 * history.
 */
void rs_fd_paths_keep_sockets_alone(struct rs_fd_paths *p);

/* Another session knew it; beyond FD_PATHS_NR_TOLD that are not used yet it is dropped. */
void rs_fd_paths_add_told(struct rs_fd_paths *p, const struct rs_fd_socket *known);

/*
 * A call of the task reads or writes a descriptor that is not known: it is open since before, until a call
 * closes it, so the look-up may come later.
 */
void rs_fd_paths_first_use(struct rs_fd_paths *p, const struct rs_task *t);
/* A call has begun: inst->task.syscall and its arguments are set. */
void rs_fd_paths_enter(struct rs_fd_paths *p, struct rs_task_instance *inst);
/* The call has returned, and its row has been emitted. has_args: its begin was seen. */
void rs_fd_paths_exit(struct rs_fd_paths *p, struct rs_task_instance *inst, int64_t nr, int64_t ret,
		      uint64_t now_ns, bool has_args);
/*
 * The task's call, which begins now, opens a file by this name: shown until the look-up tells the path, and
 * after it if none does.
 */
void rs_fd_names_set(struct rs_fd_paths *p, const struct rs_task *t, const char *name);
/* A process has been forked, with a table of its own. */
void rs_fd_paths_fork(struct rs_fd_paths *p, const struct rs_task *parent, int32_t child, uint64_t now_ns);
/* The task has another program: what was opened without O_CLOEXEC stays. */
void rs_fd_paths_exec(struct rs_fd_paths *p, struct rs_task_instance *inst);
/* The thread has exited or is about to be evicted: its call is no longer in flight. */
void rs_fd_paths_end_call(struct rs_fd_paths *p, struct rs_task_instance *inst);
/* The process has ended, or its pid belongs to another one from now on: forgets its descriptors. */
void rs_fd_paths_forget(struct rs_fd_paths *p, int32_t pid);
/* Another process has the same working directory from now on (CLONE_FS), and may move it at any time. */
void rs_fd_paths_share_cwd(struct rs_fd_paths *p, int32_t pid, uint64_t now_ns);
/* Tasks other than the threads of this process may change its descriptors. */
void rs_fd_paths_discard(struct rs_fd_paths *p, int32_t pid, uint64_t now_ns);

/* Returns the text for a descriptor of a call that returns now, or NULL. Valid until the next event. */
const char *rs_fd_paths_get(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd);

/*
 * Called before and after a batch of events: takes the replies, and sends the requests. Never waits. The
 * replies are those of the terminals, too; NULL: nobody else asks.
 */
void rs_fd_lookups_take_replies(struct rs_fd_paths *p, struct rs_terminals *terminals);
void rs_fd_lookups_send_requests(struct rs_fd_paths *p, uint64_t now_ns);

#endif
