// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fd-lookups - asks for the files of descriptors, and uses the replies when the events before them have been
 * seen
 */
#include <stdlib.h>
#include <string.h>

#include "engine/files/fd-paths-parts.h"
#include "engine/files/terminals.h"
#include "engine/task-table.h"
#include "ringside/plugin.h"

#define FD_LOOKUPS_TICK_NS \
	50000000u /* at most FD_LOOKUPS_NR requests in that time: a storm of new files is not worth more */
#define FD_LOOKUPS_NR 64u

/* ---- replies ---- */

static void fd_lookups_set_path(struct rs_fd_paths *p, struct rs_fd_known *k, const char *path)
{
	if (k->noted)
		rs_fd_history_end(p->history, k->noted, k->looked_ns);
	k->noted = 0;
	free(k->path);
	k->path = path ? strdup(path) : NULL;
	k->as_opened = k->is_joined = false;
	k->name = 0;
	if (k->looked_ns) /* it is not what it was */
		k->socket = 0;
	if (k->looked_ns && k->file) /* of calls from now on */
		k->file = 0;
	else if (k->path)
		rs_file_ids_resolve(&p->ids, k->file, rs_file_ids_add_path(&p->ids, k->path));
}

/*
 * "socket:[4711]", whose name was not known yet, or not connected yet, and now is: it is the same socket, and
 * was so for all calls.
 */
static bool fd_lookups_is_named(const char *before, const char *now)
{
	return rs_fd_paths_is_unnamed(before) && rs_fd_paths_is_socket(now) && !rs_fd_paths_is_unnamed(now);
}

/* A socket whose name is known already: by an event, and in no table yet. */
static bool fd_lookups_is_unnamed(const char *before, const char *now)
{
	return fd_lookups_is_named(now, before);
}

void rs_fd_lookups_name_socket(struct rs_fd_paths *p, struct rs_fd_known *k, const char *name)
{
	char *path = strdup(name);

	if (!path)
		return;
	if (!k->path)
		k->read_ns = k->since_ns;
	free(k->path);
	k->path = path;
	k->is_joined = false;
	k->name = 0;
	rs_file_ids_resolve(&p->ids, k->file, rs_file_ids_add_path(&p->ids, path));
	k->file = 0;
	rs_fd_known_note(p, k);
}

/*
 * The path has changed although nothing closed the descriptor: the file was renamed, or the descriptor
 * changed in a way that is not known here.
 */
static void fd_lookups_accept_reply(struct rs_fd_paths *p, struct rs_fd_known *k, const struct rs_fd_path *r)
{
	bool same = r->path && k->path && !strcmp(k->path, r->path);

	if (fd_lookups_is_named(k->path, r->path)) {
		rs_fd_lookups_name_socket(p, k, r->path);
	} else if (!same && !fd_lookups_is_unnamed(k->path, r->path) && (r->path || !k->as_opened)) {
		fd_lookups_set_path(p, k, r->path);
		if (k->looked_ns)
			k->since_ns = r->read_ns;
		k->read_ns = r->read_ns;
	}
	k->tcp_state = (uint8_t)r->state;
	k->tcp_state_ns = r->state_ns;
	k->asked_ns = 0;
	k->looked_ns = r->read_ns;
	rs_fd_known_note(p, k);
}

static int32_t fd_lookups_process_of(struct rs_fd_paths *p, const struct rs_fd_path *r)
{
	const struct rs_task_instance *inst = rs_tasks_find(p->tasks, r->tid);

	/* the command may not have run yet */
	return p->nr_recorded && (inst || r->fd != RS_FD_CWD) ? inst ? inst->task.pid : 0 : r->tid;
}

/*
 * A directory that nothing is known of: the reply is for a command that did not run yet, or was asked for
 * while the recording was made, and comes at its time. Any other is late: a call has ended what it was asked
 * for, and it may be of before that call.
 */
static bool fd_lookups_is_first(struct rs_fd_paths *p, const struct rs_fd_path *r, int32_t pid)
{
	bool is_command = pid && pid == p->command;

	if (r->fd != RS_FD_CWD || !r->path || (!p->nr_recorded && !is_command))
		return false;
	p->command = is_command ? 0 : p->command;
	return true;
}

/* All events before now_ns have been seen, so none of them has closed what replies until then are about. */
void rs_fd_lookups_use(struct rs_fd_paths *p, uint64_t now_ns)
{
	const struct rs_fd_path *r;

	for (; (r = rs_fd_paths_next_reply(p)) && r->read_ns < now_ns; ) {
		int32_t pid = fd_lookups_process_of(p, r);
		struct rs_fd_known *k = pid > 0 && r->fd >= 0 ? rs_fd_known_find(p, pid, r->fd) : NULL;

		if (!k && fd_lookups_is_first(p, r, pid))
			k = rs_fd_names_add_cwd(p, pid, r->read_ns);
		/* the reply may be about the file before: another one will come */
		if (k && !k->ended_ns && r->read_ns >= k->since_ns &&
		    !rs_gaps_hit(p->gaps, k->since_ns, r->read_ns))
			fd_lookups_accept_reply(p, k, r);
		if (p->nr_recorded)
			p->at_recorded++;
		else
			free(p->replies[p->nr_used++ % FD_PATHS_NR_REPLIES].path);
	}
}

/* ---- what another session knew ---- */

static void fd_lookups_use_one_told(struct rs_fd_paths *p, struct rs_fd_socket *told, uint64_t now_ns)
{
	struct rs_fd_known *k = rs_fd_known_find(p, told->pid, told->fd);

	if (k ? k->ended_ns || told->until_ns < k->since_ns : told->until_ns < now_ns)
		return; /* it is about one that is closed by now, or may be */
	if (k && rs_gaps_hit(p->gaps, k->since_ns, now_ns))
		return;
	k = k ? k : rs_fd_known_add(p, told->pid, told->fd, told->since_ns);
	if (!k->path || rs_fd_paths_is_unnamed(k->path))
		rs_fd_lookups_name_socket(p, k, told->name);
}

/*
 * All events before now_ns have been seen. Nothing closes what another session knew up to then: it saw these
 * events, too.
 */
void rs_fd_lookups_use_told(struct rs_fd_paths *p, uint64_t now_ns)
{
	while (p->at_told < p->told.nr && p->told.row[p->at_told].since_ns < now_ns)
		fd_lookups_use_one_told(p, &p->told.row[p->at_told++], now_ns);
	if (p->at_told < p->told.nr)
		return;
	rs_fd_socket_list_done(&p->told);
	p->at_told = 0;
}

/* ---- asking ---- */

/* Another path than before: which one is that of the calls up to then is not known. */
static void fd_lookups_doubt(struct rs_fd_paths *p, const struct rs_fd_path *r)
{
	struct rs_fd_known *k = r->tid > 0 && r->fd >= 0 ? rs_fd_known_find(p, r->tid, r->fd) : NULL;

	if (!k || !k->path || k->as_opened || k->ended_ns || r->read_ns < k->since_ns ||
	    (r->path && (!strcmp(r->path, k->path) || fd_lookups_is_named(k->path, r->path) ||
			  fd_lookups_is_unnamed(k->path, r->path))))
		return;
	free(k->path);
	k->path = NULL;
	k->file = 0;
}

void rs_fd_lookups_take_replies(struct rs_fd_paths *p, struct rs_terminals *terminals)
{
	const struct rs_fd_reply *r = &p->reply;

	while (p->requester.answer && p->nr_replies - p->nr_used < FD_PATHS_NR_REPLIES &&
	       p->requester.answer(p->requester.arg, &p->reply)) {
		struct rs_fd_path *reply = &p->replies[p->nr_replies++ % FD_PATHS_NR_REPLIES];

		*reply = (struct rs_fd_path){
			.read_ns = r->read_ns, .tid = r->pid, .fd = r->fd,
			.path = r->len > 0 ? strndup(r->path, (size_t)r->len) : NULL,
			.state = (uint32_t)r->state, .state_ns = r->state_ns,
		};
		fd_lookups_doubt(p, reply);
		if (terminals)
			rs_terminals_reply(terminals, r);
	}
}

void rs_fd_lookups_send_requests(struct rs_fd_paths *p, uint64_t now_ns)
{
	rs_fd_paths_reach(p, now_ns);
	if (!p->requester.ask)
		return;
	if (!p->nr_wanted)
		return;
	if (!p->budget_ns || now_ns - p->budget_ns >= FD_LOOKUPS_TICK_NS) {
		p->budget_ns = now_ns;
		p->budget = FD_LOOKUPS_NR;
	}
	for (uint32_t i = 0; i < FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS && p->nr_wanted && p->budget; i++) {
		struct rs_fd_known *k = &p->known[p->next];

		p->next = (p->next + 1) % (FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS);
		if (!k->wanted)
			continue;
		if (!p->requester.ask(p->requester.arg, k->pid, k->fd))
			return;
		rs_fd_known_set_wanted(p, k, false);
		k->asked_ns = now_ns;
		p->budget--;
	}
}
