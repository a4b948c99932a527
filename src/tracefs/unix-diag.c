// SPDX-License-Identifier: GPL-2.0-or-later
/* unix-diag - what the kernel tells of a Unix socket by its inode */
#include "tracefs/unix-diag.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <string.h>
#include <sys/socket.h>

#define UNIX_DIAG_REPLY_BYTES 1024    /* of one socket, and more */

struct unix_diag_question {
	struct nlmsghdr head;
	struct unix_diag_req req;
};

int rs_unix_diag_open(void)
{
	return socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
}

/* An abstract name begins with a zero byte, and may have others: @, as /proc/net/unix has it. */
static void unix_diag_set_path(const struct rtattr *attribute, struct rs_unix_ends *ends)
{
	const char *name = RTA_DATA(attribute);
	size_t len = RTA_PAYLOAD(attribute);

	if (len && *name) /* a path may end with its zero, or without one */
		len = strnlen(name, len);
	if (len >= sizeof ends->path)
		return;
	for (size_t i = 0; i < len; i++)
		ends->path[i] = name[i] ? name[i] : '@';
	ends->path[len] = '\0';
}

static void unix_diag_read(const struct nlmsghdr *head, struct rs_unix_ends *ends)
{
	const struct unix_diag_msg *msg = NLMSG_DATA(head);
	const struct rtattr *at = (const struct rtattr *)(msg + 1);
	unsigned int len = head->nlmsg_len - NLMSG_LENGTH(sizeof *msg);

	for (; RTA_OK(at, len); at = RTA_NEXT(at, len)) {
		if (at->rta_type == UNIX_DIAG_NAME)
			unix_diag_set_path(at, ends);
		else if (at->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(at) >= sizeof ends->peer)
			memcpy(&ends->peer, RTA_DATA(at), sizeof ends->peer);
	}
}

/* The kernel has put the answer into the socket when the question is sent. */
bool rs_unix_diag_ask(int diag_fd, uint32_t inode, int *type, struct rs_unix_ends *ends)
{
	struct unix_diag_question q = {
		.head = { .nlmsg_len = sizeof q, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST },
		.req = { .sdiag_family = AF_UNIX, .udiag_states = UINT32_MAX, .udiag_ino = inode,
			 .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
			 .udiag_cookie = { UINT32_MAX, UINT32_MAX } }, /* any */
	};
	_Alignas(struct nlmsghdr) char reply[UNIX_DIAG_REPLY_BYTES];
	const struct nlmsghdr *head = (const struct nlmsghdr *)reply;
	ssize_t n;

	*ends = (struct rs_unix_ends){ .inode = inode };
	if (diag_fd < 0 || send(diag_fd, &q, sizeof q, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)sizeof q)
		return false;
	n = recv(diag_fd, reply, sizeof reply, MSG_DONTWAIT);
	if (n < (ssize_t)NLMSG_LENGTH(sizeof(struct unix_diag_msg)) || head->nlmsg_len > (size_t)n ||
	    head->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    head->nlmsg_len < NLMSG_LENGTH(sizeof(struct unix_diag_msg)))
		return false;
	*type = ((const struct unix_diag_msg *)NLMSG_DATA(head))->udiag_type;
	unix_diag_read(head, ends);
	return true;
}
