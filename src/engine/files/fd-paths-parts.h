/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fd-paths-parts.h - what the parts of fd-paths.h share: the table of known descriptors, and look-ups */
#ifndef RS_ENGINE_FILES_FD_PATHS_PARTS_H
#define RS_ENGINE_FILES_FD_PATHS_PARTS_H

#include "engine/calls/call-facts.h"
#include "engine/files/fd-history.h"
#include "engine/files/fd-paths.h"
#include "engine/files/file-ids.h"
#include "engine/files/open-names.h"
#include "ringside/event.h"

#define FD_PATHS_NR_SETS 1024u           /* of known descriptors, by pid and number */
#define FD_PATHS_NR_WAYS 4u /* the least recently shown one is replaced: it shows its number again */
#define FD_PATHS_AGAIN_NS \
	1000000000u /* checked again: a file may have been renamed, and what was no file may be one now */
#define FD_PATHS_UNNAMED_NS 100000000u   /* a socket that was not connected may be by now */
#define FD_PATHS_NR_REPLIES 256u         /* that wait for the events before them */
#define FD_PATHS_NR_CHAINS 1024u
#define FD_PATHS_NR_TOLD 4096u           /* likewise */
#define FD_PATHS_NR_LEFT 256u            /* sockets of a batch: that more are closed stays unknown */

struct rs_fd_known {
	int32_t pid, fd;        /* pid 0: empty */
	uint64_t since_ns;      /* no call that closes it has begun since */
	uint64_t read_ns;       /* path is valid from since_ns until here at least; 0: not known yet */
	uint64_t looked_ns;     /* the last reply, 0: none; set also if it has no path */
	uint64_t used_ns;
	uint64_t asked_ns;      /* 0: no reply is awaited */
	uint64_t ended_ns;      /* begin of the call of ended_by that closes it; 0: none */
	int32_t ended_by;
	bool wanted;            /* to be requested */
	char *path;             /* NULL: not known, or it has none */
	bool survives;          /* an exec: it was opened without O_CLOEXEC, and not marked so since */
	bool as_opened;         /* path is the name that it was opened by */
	uint64_t file;          /* see file-ids.h; 0: not needed yet. A duplicate has the same */
	bool is_joined;         /* its socket was asked for by its path: see fd-sockets.c */
	uint8_t tcp_state;      /* of its look-up: enum rs_tcp_state at tcp_state_ns; 0: unknown */
	uint64_t tcp_state_ns;
	uint32_t name;          /* see rs_call_socket_name; 0: not asked for yet */
	uint64_t socket;        /* its number, see socket.h; 0: it is none, or unknown. Likewise */
	uint64_t noted;         /* its number in the history; 0: it is not there */
	uint32_t next;          /* 1 + the index of the next one in the chain of its process */
};

/* A call that is about to end, and its new descriptor: of that socket. tid 0: none */
struct rs_fd_opens {
	int32_t tid, fd;
	uint64_t socket;
};

struct rs_fd_paths {
	struct rs_fd_requester requester;
	struct rs_tasks *tasks;
	const struct rs_gaps *gaps;
	/* each call on a file is followed, not only those that are shown */
	bool for_files;
	/* sockets are kept in duplicates; their descriptors are looked up when somebody asks */
	bool for_sockets;
	bool sockets_alone;     /* calls on files are not looked up */
	/* the kernel reads the names of files: working directories are followed, too */
	bool has_names;
	/* whose working directory was asked for before it ran, and did not come yet; 0: none */
	int32_t command;
	const struct rs_call_facts *calls;  /* what each call does to descriptors */
	/*
	 * Threads in a call that may close a descriptor, by a hash of their process: a collision only makes
	 * it more careful. The first is for threads of unknown processes, which may be any.
	 */
	uint32_t in_flight[257];
	uint32_t nr_wanted, next;
	uint64_t budget_ns;
	uint32_t budget;                    /* look-ups that may be asked for at once */
	struct rs_fd_known known[FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS];
	uint32_t chains[FD_PATHS_NR_CHAINS]; /* 1 + the index of the first known one, by pid; 0: none */
	struct rs_file_ids ids;
	/* Replies in order of their time, not used yet: of a recording all of them, live a ring of copies. */
	const struct rs_fd_path *recorded;
	size_t nr_recorded, at_recorded;
	struct rs_fd_path replies[FD_PATHS_NR_REPLIES];
	uint64_t nr_replies, nr_used;
	struct rs_fd_socket_list told;      /* that another session knew; those before at_told are used */
	size_t at_told;
	struct rs_fd_history *history;      /* NULL: nobody asks for it */
	uint64_t now_ns;                    /* of the last call that did something to descriptors, or asked */
	/* of closed descriptors, until it is known whether others are of the same socket */
	struct { uint64_t socket, ts_ns; } left[FD_PATHS_NR_LEFT];
	uint32_t nr_left;
	struct rs_open_names names;
	struct rs_fd_reply reply;
	struct rs_fd_opens opens;
	char poll_text[RS_SOCKET_TEXT_BYTES]; /* see rs_call_socket_text */
};

/* ---- fd-known.c: what is known of descriptors ---- */

struct rs_fd_range {
	uint32_t from, to;
	bool by_exec;           /* without those that survive it */
};

static inline struct rs_fd_known *rs_fd_known_set_of(struct rs_fd_paths *p, int32_t pid, int32_t fd)
{
	uint64_t hash = rs_hash_u64((uint64_t)(uint32_t)pid << 32 | (uint32_t)fd);

	return &p->known[hash % FD_PATHS_NR_SETS * FD_PATHS_NR_WAYS];
}

/* Inline: each read and each write of a file is looked up. */
static inline struct rs_fd_known *rs_fd_known_find(struct rs_fd_paths *p, int32_t pid, int32_t fd)
{
	struct rs_fd_known *set = rs_fd_known_set_of(p, pid, fd);

	for (unsigned int i = 0; i < FD_PATHS_NR_WAYS; i++)
		if (set[i].pid == pid && set[i].fd == fd)
			return &set[i];
	return NULL;
}

/* Of an open descriptor: its file is to be looked up, unless sockets alone are. */
struct rs_fd_known *rs_fd_known_query(struct rs_fd_paths *p, int32_t pid, int32_t fd, uint64_t now_ns);
/* Likewise, and its file is known: nothing is to be looked up. */
struct rs_fd_known *rs_fd_known_add(struct rs_fd_paths *p, int32_t pid, int32_t fd, uint64_t now_ns);
/* Its path has become known, or was inherited: if it is a socket's, the history has it from now on. */
void rs_fd_known_note(struct rs_fd_paths *p, struct rs_fd_known *k);
void rs_fd_known_set_wanted(struct rs_fd_paths *p, struct rs_fd_known *k, bool wanted);
void rs_fd_known_forget(struct rs_fd_paths *p, struct rs_fd_known *k);
/* 1 + the index of the first one of this process; 0: none. */
uint32_t *rs_fd_known_chain_of(struct rs_fd_paths *p, int32_t pid);
/* Returns the number of its file, see file-ids.h. */
uint64_t rs_fd_known_file(struct rs_fd_paths *p, struct rs_fd_known *k);
/* fd is of the same file as `of` from now on. */
void rs_fd_known_duplicate(struct rs_fd_paths *p, struct rs_fd_known *of, int32_t pid, int32_t fd,
			   uint64_t now_ns);
/*
 * pid 0: of any process. t: the task whose call begins to close them, and may still show one; NULL: they are
 * closed.
 */
void rs_fd_known_end(struct rs_fd_paths *p, int32_t pid, struct rs_fd_range r, const struct rs_task *t);

/* ---- fd-names.c: the paths of files by the names that calls open them by ---- */

/* The task's call has opened k. */
void rs_fd_names_open(struct rs_fd_paths *p, struct rs_fd_known *k, const struct rs_task *t,
		      enum rs_fd_effect effect);
/*
 * A call of the task begins: returns what is known of its working directory, and asks if that is nothing.
 * NULL: it cannot be known.
 */
struct rs_fd_known *rs_fd_names_cwd(struct rs_fd_paths *p, const struct rs_task *t);
/* It is, or will be, known from now on. NULL: a call that may change it is in flight. */
struct rs_fd_known *rs_fd_names_add_cwd(struct rs_fd_paths *p, int32_t pid, uint64_t now_ns);

/* Returns false if the effect of a call in flight at the time of the look-up is not known. */
bool rs_fd_paths_can_query(struct rs_fd_paths *p, const struct rs_task *t);

/*
 * Returns what is known of the call's descriptor; requests it if there is nothing, or it is old. NULL:
 * nothing yet.
 */
struct rs_fd_known *rs_fd_paths_use(struct rs_fd_paths *p, const struct rs_call *call, int32_t fd);
/* Was it open, for the same file, since before the call, until its end if no other closes it? */
bool rs_fd_paths_is_open(const struct rs_fd_known *k, const struct rs_call *call);

/* ---- fd-lookups.c: replies, once the events before them have been seen ---- */

/* It is a socket of that name, and was since it was opened. */
void rs_fd_lookups_name_socket(struct rs_fd_paths *p, struct rs_fd_known *k, const char *name);
void rs_fd_lookups_use(struct rs_fd_paths *p, uint64_t now_ns);
void rs_fd_lookups_use_told(struct rs_fd_paths *p, uint64_t now_ns);

/* Threads of the process that are in a call which may change its descriptors. */
static inline uint32_t *rs_fd_paths_in_flight(struct rs_fd_paths *p, int32_t pid)
{
	return &p->in_flight[pid ? 1 + (uint32_t)pid % 256 : 0];
}

/* Requests it again when it is old. */
static inline void rs_fd_paths_touch(struct rs_fd_paths *p, struct rs_fd_known *k, uint64_t now_ns)
{
	uint64_t then_ns = k->asked_ns ? k->asked_ns : k->looked_ns,
		 again_ns = rs_fd_paths_is_unnamed(k->path) ? FD_PATHS_UNNAMED_NS : FD_PATHS_AGAIN_NS;

	k->used_ns = now_ns;
	if (!k->ended_ns && now_ns > then_ns && now_ns - then_ns > again_ns)
		rs_fd_known_set_wanted(p, k, true);
}

/* The next reply that is not used yet; NULL: none. */
static inline const struct rs_fd_path *rs_fd_paths_next_reply(const struct rs_fd_paths *p)
{
	if (p->at_recorded < p->nr_recorded)
		return &p->recorded[p->at_recorded];
	return p->nr_used < p->nr_replies ? &p->replies[p->nr_used % FD_PATHS_NR_REPLIES] : NULL;
}

/* All events before now_ns have been seen. For every call. */
static inline void rs_fd_paths_reach(struct rs_fd_paths *p, uint64_t now_ns)
{
	const struct rs_fd_path *r = rs_fd_paths_next_reply(p);

	p->now_ns = now_ns;
	if (p->at_told < p->told.nr && p->told.row[p->at_told].since_ns < now_ns)
		rs_fd_lookups_use_told(p, now_ns);
	if (r && r->read_ns < now_ns)
		rs_fd_lookups_use(p, now_ns);
}

#endif
