/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mapped-files.h - programs and libraries that processes have mapped, opened by a guardian, which is still
 * root
 *
 *	rs_mapped_files_ask(in->files_fd, &request);             // never waits; false: not now
 *	...
 *	while ((fd = rs_mapped_files_take(in->files_fd, &id)) >= 0)  // never waits; -1: no reply yet
 *		...
 *
 * /proc/PID/map_files opens the file that is mapped: one that was removed, or is of a container, or in a home
 * directory that the engine's user may not enter. Only ELF files are handed out, of which the engine reads
 * symbols.
 */
#ifndef RS_TRACEFS_MAPPED_FILES_H
#define RS_TRACEFS_MAPPED_FILES_H

#include <stdbool.h>
#include <stdint.h>

struct rs_mapped_files_request {
	int32_t pid;
	uint32_t id;             /* the caller's: the reply has it, too */
	uint64_t start, end;     /* of the mapping */
};

bool rs_mapped_files_ask(int socket_fd, const struct rs_mapped_files_request *request);
/*
 * Returns a file to be closed by the caller, and the id of its request. A file that cannot be opened has no
 * reply.
 */
int rs_mapped_files_take(int socket_fd, uint32_t *id);
/* The guardian's side: answers one request if there is one. False: the other end has closed. */
bool rs_mapped_files_answer(int socket_fd);

#endif
