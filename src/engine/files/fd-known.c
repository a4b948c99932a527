// SPDX-License-Identifier: GPL-2.0-or-later
/* fd-known - the table of known descriptors: by process and number, with a chain for each process */
#include <stdlib.h>
#include <string.h>

#include "engine/files/fd-paths-parts.h"

void rs_fd_known_set_wanted(struct rs_fd_paths *p, struct rs_fd_known *k, bool wanted)
{
	p->nr_wanted += wanted - k->wanted;
	k->wanted = wanted;
}

uint32_t *rs_fd_known_chain_of(struct rs_fd_paths *p, int32_t pid)
{
	return &p->chains[(uint32_t)pid % FD_PATHS_NR_CHAINS];
}

void rs_fd_known_forget(struct rs_fd_paths *p, struct rs_fd_known *k)
{
	uint32_t *at;

	if (!k->pid)
		return;
	for (at = rs_fd_known_chain_of(p, k->pid); &p->known[*at - 1] != k;)
		at = &p->known[*at - 1].next;
	*at = k->next;
	rs_fd_known_set_wanted(p, k, false);
	if (k->noted)
		rs_fd_history_end(p->history, k->noted, k->ended_ns ? k->ended_ns : p->now_ns);
	free(k->path);
	*k = (struct rs_fd_known){ 0 };
}

struct rs_fd_known *rs_fd_known_add(struct rs_fd_paths *p, int32_t pid, int32_t fd, uint64_t now_ns)
{
	struct rs_fd_known *set = rs_fd_known_set_of(p, pid, fd), *k = set;
	uint32_t *chain = rs_fd_known_chain_of(p, pid);

	for (unsigned int i = 1; i < FD_PATHS_NR_WAYS; i++) /* an empty one was used at time 0 */
		if (set[i].used_ns < k->used_ns)
			k = &set[i];
	rs_fd_known_forget(p, k);
	*k = (struct rs_fd_known){ .pid = pid, .fd = fd, .since_ns = now_ns, .used_ns = now_ns,
				   .next = *chain };
	*chain = (uint32_t)(k - p->known) + 1;
	return k;
}

struct rs_fd_known *rs_fd_known_query(struct rs_fd_paths *p, int32_t pid, int32_t fd, uint64_t now_ns)
{
	struct rs_fd_known *k = rs_fd_known_add(p, pid, fd, now_ns);

	rs_fd_known_set_wanted(p, k, !p->sockets_alone);
	return k;
}

void rs_fd_known_note(struct rs_fd_paths *p, struct rs_fd_known *k)
{
	if (!p->history || k->noted || !rs_fd_paths_is_socket(k->path) || rs_fd_paths_is_unnamed(k->path))
		return;
	k->noted = rs_fd_history_note(p->history, &(struct rs_fd_socket){
		.since_ns = k->since_ns, .until_ns = p->now_ns, .pid = k->pid, .fd = k->fd,
		.name = k->path });
}

uint64_t rs_fd_known_file(struct rs_fd_paths *p, struct rs_fd_known *k)
{
	const char *path = k->file && rs_file_ids_is_resolved(&p->ids, k->file) ?
				   rs_file_ids_path(&p->ids, k->file) :
				   NULL;

	if (!k->file && k->as_opened) {
		k->file = rs_file_ids_add_pending(&p->ids);
		rs_file_ids_suggest(&p->ids, k->file, rs_file_ids_add_path(&p->ids, k->path));
	}
	/* from the look-up on all calls have the path's own number */
	if (path || !k->file)
		k->file = path || k->path ? rs_file_ids_add_path(&p->ids, path ? path : k->path) :
					    rs_file_ids_add_pending(&p->ids);
	return k->file;
}

void rs_fd_known_duplicate(struct rs_fd_paths *p, struct rs_fd_known *of, int32_t pid, int32_t fd,
			   uint64_t now_ns)
{
	char *path = of->path ? strdup(of->path) : NULL;
	bool as_opened = of->as_opened && path, survives = of->survives;
	uint64_t file = rs_fd_known_file(p, of), socket = of->socket;
	struct rs_fd_known *k = rs_fd_known_add(p, pid, fd, now_ns); /* may take the place of `of` */

	k->file = file;
	k->socket = socket;
	k->path = path;
	k->as_opened = as_opened;
	k->survives = survives;
	k->read_ns = path ? now_ns : 0;
	k->looked_ns = as_opened ? 0 : k->read_ns;
	rs_fd_known_set_wanted(p, k, !p->sockets_alone && (!path || as_opened));
	rs_fd_known_note(p, k);
}

/* ---- what ends it ---- */

static void fd_known_leave(struct rs_fd_paths *p, const struct rs_fd_known *k)
{
	if (!k->socket || p->nr_left == FD_PATHS_NR_LEFT)
		return;
	p->left[p->nr_left].socket = k->socket;
	p->left[p->nr_left++].ts_ns = k->ended_ns;
}

static void fd_known_end_one(struct rs_fd_paths *p, struct rs_fd_known *k, const struct rs_task *t)
{
	if (!t)
		fd_known_leave(p, k);
	/* either of two calls that close it may have been the first */
	if (!t || k->ended_ns || (!k->path && !k->socket)) {
		rs_fd_known_forget(p, k);
		return;
	}
	rs_fd_known_set_wanted(p, k, false);
	k->ended_ns = t->syscall_enter_ns;
	k->ended_by = t->tid;
}

void rs_fd_known_end(struct rs_fd_paths *p, int32_t pid, struct rs_fd_range r, const struct rs_task *t)
{
	uint32_t *first = pid ? rs_fd_known_chain_of(p, pid) : p->chains,
		 *last = pid ? first : p->chains + FD_PATHS_NR_CHAINS - 1;
	struct rs_fd_known *k;

	if (pid && r.from == r.to) {
		k = rs_fd_known_find(p, pid, (int32_t)r.from);
		if (k)
			fd_known_end_one(p, k, t);
		return;
	}
	for (uint32_t *chain = first; chain <= last; chain++)
		for (uint32_t at = *chain; at;) {
			k = &p->known[at - 1];
			at = k->next;
			if ((!pid || k->pid == pid) && (uint32_t)k->fd >= r.from && (uint32_t)k->fd <= r.to &&
			    !(r.by_exec && k->survives))
				fd_known_end_one(p, k, t);
		}
}
