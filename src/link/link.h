/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link.h - carries a connection of the protocol over two pipes, with the descriptors that its requests pass
 *
 *	rs_link_run(&(struct rs_link_config){ in, out, engine_socket, .err_fd = -1 }, &err);
 *
 * A client here talks to an engine on another machine, as if it were on this one: each side of the link has
 * one end of a Unix socket. What passes between is frames of a head, see link.c, and bytes of a channel.
 * Channel 0 is the connection. A descriptor that a request passes is a channel of its own: the engine gets a
 * socket there, and what it writes to it is written to the descriptor here.
 *
 * A side sends RS_LINK_WINDOW bytes of a channel ahead of what the other has passed on: a reader that is slow
 * holds up its own channel alone.
 */
#ifndef RS_LINK_LINK_H
#define RS_LINK_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define RS_LINK_VERSION 2
#define RS_LINK_WINDOW (1u << 20)

struct rs_link_config {
	int in_fd, out_fd;   /* pipes from and to the other side */
	int socket_fd;       /* to the client, or to the engine */
	bool is_client;      /* the client's side: it is here that descriptors are passed */
	int err_fd;          /* read, for the last line is in err where the link breaks; -1: none */
};

/* The last line of what is there now of a program's errors. False: nothing is; line stays. */
bool rs_link_last_line(int fd, char *line, size_t size_bytes);

/*
 * Until one of the ends closes; takes all fds of the config. Ignores SIGPIPE from then on. -1 with err set:
 * the other side is gone, or breaks the format.
 */
int rs_link_run(const struct rs_link_config *config, struct rs_error *err);

#endif
