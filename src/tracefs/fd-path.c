// SPDX-License-Identifier: GPL-2.0-or-later
#include "tracefs/fd-path.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

struct fd_path_request {
	int32_t pid, fd, clock;
};

#define FD_PATH_HEAD_BYTES offsetof(struct rs_fd_reply, path)

bool rs_fd_path_ask(int ask_fd, int32_t pid, int32_t fd, clockid_t clock)
{
	struct fd_path_request q = { .pid = pid, .fd = fd, .clock = clock };

	return ask_fd >= 0 && send(ask_fd, &q, sizeof q, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof q;
}

bool rs_fd_path_answer(int ask_fd, struct rs_fd_reply *reply)
{
	ssize_t n;

	/* a malformed reply is skipped: the next one may be valid */
	while (ask_fd >= 0 && (n = recv(ask_fd, reply, sizeof *reply, MSG_DONTWAIT)) > 0)
		if ((size_t)n >= FD_PATH_HEAD_BYTES && reply->len >= -1 &&
		    reply->len <= n - (ssize_t)FD_PATH_HEAD_BYTES)
			return true;
	return false;
}

/*
 * The link of a descriptor is made from what the kernel holds in memory, the path
 * of a dead network's file too: this look does not wait for a disk.
 */
static void fd_path_read_link(const struct fd_path_request *q, struct rs_fd_reply *reply)
{
	struct timespec t;
	char link[64];
	ssize_t n = -1;

	*reply = (struct rs_fd_reply){ .pid = q->pid, .fd = q->fd, .len = -1 };
	snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)q->pid, (int)q->fd);
	if (q->pid > 0 && q->fd >= 0)
		n = readlink(link, reply->path, sizeof reply->path);
	if (clock_gettime(q->clock, &t) < 0)
		return; /* without a time the reply is of no use */
	reply->read_ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	if (n > 0 && (size_t)n < sizeof reply->path) /* a link that fills the buffer was cut */
		reply->len = (int32_t)n;
}

bool rs_fd_path_serve(int socket_fd)
{
	static struct rs_fd_reply reply;
	struct fd_path_request q;
	ssize_t n = recv(socket_fd, &q, sizeof q, MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n != (ssize_t)sizeof q)
		return n != 0;
	fd_path_read_link(&q, &reply);
	/* never wait for the client: the guardian has a session to clean up */
	n = (ssize_t)FD_PATH_HEAD_BYTES + (reply.len > 0 ? reply.len : 0);
	(void)!send(socket_fd, &reply, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
	return true;
}
