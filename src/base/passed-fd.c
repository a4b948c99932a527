// SPDX-License-Identifier: GPL-2.0-or-later
/* passed-fd - sends and receives a descriptor along with bytes */
#include "base/passed-fd.h"

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "base/close.h"

#define PASSED_FD_MOST 4 /* of one message: what comes beyond, the kernel closes */

ssize_t rs_passed_fd_send(int socket_fd, const void *bytes, size_t len, int passed_fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec from = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = len };
	struct msghdr msg = { .msg_iov = &from, .msg_iovlen = 1 };
	struct cmsghdr *head = (struct cmsghdr *)(void *)control;

	if (passed_fd >= 0) {
		msg.msg_control = control;
		msg.msg_controllen = sizeof control;
		*head = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
					  .cmsg_len = CMSG_LEN(sizeof(int)) };
		memcpy(CMSG_DATA(head), &passed_fd, sizeof(int));
	}
	return sendmsg(socket_fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void passed_fd_take(struct msghdr *msg, int *passed_fd)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; at + sizeof(int) <= c->cmsg_len - CMSG_LEN(0); at += sizeof(int)) {
			rs_close(passed_fd);
			memcpy(passed_fd, CMSG_DATA(c) + at, sizeof(int));
		}
	}
}

ssize_t rs_passed_fd_receive(int socket_fd, void *bytes, size_t size_bytes, int *passed_fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(PASSED_FD_MOST * sizeof(int))];
	struct iovec to = { .iov_base = bytes, .iov_len = size_bytes };
	struct msghdr msg = { .msg_iov = &to, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof control };
	ssize_t n = recvmsg(socket_fd, &msg, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);

	if (n >= 0)
		passed_fd_take(&msg, passed_fd);
	return n;
}
