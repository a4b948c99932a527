/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * socket-names.h - what a socket is, by its inode: its ends, or the path that it is bound to
 *
 *	"TCP:[10.0.0.1:5000->10.0.0.2:80]", "UDP:[0.0.0.0:53]", "UNIX-STREAM:[4711]", as strace -yy has it; of
 *	a Unix socket see unix-ends.h
 *
 * From the tables of the process' network namespace, /proc/PID/net/tcp and its like. To read one takes time
 * that grows with the sockets that there are, or could be, so it is read again only after 50 times as long,
 * and what was read is kept: a connected socket has its ends for good, and its inode for as long as it lives.
 * Of Unix sockets of ringside's own network namespace the kernel is asked one by one: it has the peer, too.
 *
 * For a guardian: it calls nothing that allocates, and its memory is touched at the first question.
 */
#ifndef RS_TRACEFS_SOCKET_NAMES_H
#define RS_TRACEFS_SOCKET_NAMES_H

#include <stdint.h>
#include <stddef.h>

#define RS_SOCKET_NAME_BYTES 160 /* the longest, with a path as long as the kernel takes */

/* Takes its memory, which a guardian must do before it gives up the right to; else with the first look-up. */
void rs_socket_names_begin(void);
/*
 * link: "socket:[4711]", the text of a link in /proc/PID/fd. Returns the length of its name in buf; 0: it is
 * no link of a socket, or it is not known, or not now: ask again later. *state: of a TCP socket, the kernel's
 * number (TCP_ESTABLISHED 1), which it was in *age_ns ago; 0: none, or unknown.
 */
size_t rs_socket_names_find(int32_t pid, const char *link, char *buf, size_t size_bytes, uint8_t *state,
			    uint64_t *age_ns);

#endif
