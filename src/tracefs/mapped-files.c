// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mapped-files - programs and libraries that processes have mapped, opened by a guardian, which is still root
 */
#include "tracefs/mapped-files.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Room for one descriptor, aligned as cmsg(3) wants it. */
union mapped_files_control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

bool rs_mapped_files_ask(int socket_fd, const struct rs_mapped_files_request *request)
{
	return socket_fd >= 0 &&
	       send(socket_fd, request, sizeof *request, MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof *request;
}

/*
 * The guardian must not wait for the disk of a dead network: fstat and read take what is in memory, where the
 * head of a program that runs usually is.
 */
static bool mapped_files_is_elf(int fd)
{
	char magic[SELFMAG];
	struct iovec at = { magic, sizeof magic };
	struct statx st;

	return statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &st) == 0 &&
	       S_ISREG(st.stx_mode) && preadv2(fd, &at, 1, 0, RWF_NOWAIT) == SELFMAG &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

static int mapped_files_open(const struct rs_mapped_files_request *q)
{
	char path[80];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)q->pid, q->start, q->end);
	fd = q->pid > 0 ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	if (fd >= 0 && !mapped_files_is_elf(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void mapped_files_send(int socket_fd, uint32_t id, int fd)
{
	union mapped_files_control control = { .header = { 0 } };
	struct iovec part = { &id, sizeof id };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
				  .msg_controllen = sizeof control.bytes };

	control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET,
					   .cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
	(void)!sendmsg(socket_fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

bool rs_mapped_files_answer(int socket_fd)
{
	struct rs_mapped_files_request q;
	ssize_t n = recv(socket_fd, &q, sizeof q, MSG_DONTWAIT | MSG_TRUNC);
	int fd;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n != (ssize_t)sizeof q)
		return n != 0;
	fd = mapped_files_open(&q);
	if (fd >= 0) {
		mapped_files_send(socket_fd, q.id, fd);
		close(fd);
	}
	return true;
}

int rs_mapped_files_take(int socket_fd, uint32_t *id)
{
	union mapped_files_control control = { .header = { 0 } };
	struct iovec part = { id, sizeof *id };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
				  .msg_controllen = sizeof control.bytes };
	const struct cmsghdr *header;
	int fd;

	if (socket_fd < 0 ||
	    recvmsg(socket_fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *id)
		return -1;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof fd))
		return -1;
	memcpy(&fd, CMSG_DATA(header), sizeof fd);
	return fd;
}
