/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-fds.h - the files of descriptors, looked up while a recording is made
 *
 * A recording has the numbers of descriptors only, and their files are gone when it is read. So the pages are
 * searched for calls that open a descriptor, and for the first read, write, sync, send or receive on one, and
 * the guardian reads its link in /proc, of a socket its ends, too. The time of the look-up is kept: a reader
 * uses the path only if no call can have changed the descriptor in between. Likewise the command lines of
 * programs that are begun.
 *
 * Bounded: at most RECORD_FDS_PAGES pages and RECORD_FDS_ASKS look-ups in RECORD_FDS_TICK_NS, RECORD_FDS_MAX
 * replies, and RECORD_FDS_TEXT_BYTES of text. What is beyond has no path.
 */
#ifndef RS_CLI_RECORD_RECORD_FDS_H
#define RS_CLI_RECORD_RECORD_FDS_H

#include "base/buf.h"
#include "decode/formats.h"
#include "decode/page.h"
#include "engine/session.h"

#define RECORD_FDS_TICK_NS 50000000u
#define RECORD_FDS_PAGES 200u
#define RECORD_FDS_ASKS 64u
#define RECORD_FDS_AGAIN 8u            /* of these, of sockets that had no name when they were looked up */
#define RECORD_FDS_MAX 16384u
#define RECORD_FDS_TEXT_BYTES (1u << 20)
#define RECORD_FDS_SEEN 4096u

struct rs_record_fds {
	struct rs_fd_requester requester;  /* .ask NULL: nothing is looked up */
	struct rs_page_layout layout;
	struct rs_common common;
	struct rs_bound enter, leave, exec;
	struct rs_args_reader *args;       /* NULL: command lines are not recorded */
	/* of files, as they are opened: working directories are looked up, too */
	bool has_names;
	uint64_t tick_ns;
	unsigned int nr_pages, nr_asked, nr_again;
	uint64_t seen[RECORD_FDS_SEEN];    /* thread and descriptor that were looked up, by a hash of both */
	struct rs_fd_path *paths;          /* by time */
	size_t nr_paths, paths_room, text_bytes;
	struct rs_fd_reply reply;
	/* of the processes that ran at the begin: one of each container */
	struct rs_fd_requester container_requester;
	const struct rs_initial_task *next_task, *end_tasks; /* those that are looked at next */
	struct rs_buf containers;          /* lines */
};

/*
 * info has the formats. command: its working directory is looked up at once; 0: none. Without both events of
 * all system calls, no descriptor is looked up. args: of the source, may be NULL.
 */
void rs_record_fds_init(struct rs_record_fds *r, const struct rs_trace_info *info,
			struct rs_fd_requester requester, int32_t command, struct rs_args_reader *args);
/* Also looks up what the containers of the initial tasks are called. */
void rs_record_fds_ask_containers(struct rs_record_fds *r, const struct rs_trace_info *info,
				  struct rs_fd_requester requester);
void rs_record_fds_done(struct rs_record_fds *r);
/* Searches a page. Never waits. */
void rs_record_fds_page(struct rs_record_fds *r, const uint8_t *page, size_t len_bytes);
void rs_record_fds_take_replies(struct rs_record_fds *r);

#endif
