/* SPDX-License-Identifier: GPL-2.0-or-later */
/* passed-fd.h - bytes over a Unix socket with a descriptor (SCM_RIGHTS), without waiting */
#ifndef RS_BASE_PASSED_FD_H
#define RS_BASE_PASSED_FD_H

#include <sys/types.h>

/* passed_fd goes with the first byte, and stays the caller's; -1: none. Returns as sendmsg(2); no SIGPIPE. */
ssize_t rs_passed_fd_send(int socket_fd, const void *bytes, size_t len, int passed_fd);

/*
 * Returns as recvmsg(2). passed_fd: what came along takes the place of what was there, which is closed; of
 * several only the last is kept. The caller's.
 */
ssize_t rs_passed_fd_receive(int socket_fd, void *bytes, size_t size_bytes, int *passed_fd);

#endif
