// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/fd-out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STALL_MS 10000
#define ASK_MS 200

int rs_fd_out_check(struct rs_fd_out *o, struct rs_error *err)
{
	int flags = fcntl(o->fd, F_GETFL);
	struct stat st;

	if (flags < 0 || fstat(o->fd, &st) < 0)
		return rs_fail_usage(err, "no descriptor to write to was passed");
	if ((flags & O_ACCMODE) == O_RDONLY || flags & O_PATH)
		return rs_fail_usage(err, "the descriptor that was passed is not open for writing");
	o->is_file = S_ISREG(st.st_mode);
	return 0;
}

/* Returns 0 if it takes PIPE_BUF bytes at once. */
static int fd_out_wait_for_room(struct rs_fd_out *o, struct rs_error *err)
{
	int stall_ms = o->stall_ms ? o->stall_ms : STALL_MS;

	for (int waited_ms = 0; waited_ms < stall_ms; waited_ms += ASK_MS) {
		struct pollfd p = { .fd = o->fd, .events = POLLOUT };
		int n = poll(&p, 1, ASK_MS < stall_ms ? ASK_MS : stall_ms);

		if (n > 0)
			return 0; /* has room, or the write will report the error */
		if (n < 0 && errno != EINTR)
			return rs_fail(err, "cannot write: %s", strerror(errno));
		if (o->go_on && !o->go_on(o->arg))
			return rs_fail(err, "who asked for it has gone");
	}
	return rs_fail(err, "nobody reads what is written (nothing was taken for %d s)", stall_ms / 1000);
}

int rs_fd_out(struct rs_fd_out *o, const void *data, size_t len_bytes, struct rs_error *err)
{
	const char *p = data;

	while (len_bytes) {
		size_t most = o->is_file ? len_bytes : PIPE_BUF;
		ssize_t n;

		if (!o->is_file && fd_out_wait_for_room(o, err) < 0)
			return -1;
		n = write(o->fd, p, len_bytes < most ? len_bytes : most);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return rs_fail(err, "cannot write: %s", strerror(n < 0 ? errno : ENOSPC));
		p += n;
		len_bytes -= (size_t)n;
		o->bytes += (uint64_t)n;
	}
	return 0;
}
