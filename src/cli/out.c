// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/out.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static bool closed;

bool rs_out_closed(void)
{
	return closed;
}

/* Some shells and programs hand down a pipe that does not block: wait for it, not spin. */
static void wait_writable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	poll(&p, 1, -1);
}

/* 0, or the errno that ended it; what the buffer held is gone either way. */
static int out_write_all(int fd, struct rs_buf *b)
{
	size_t done = 0;
	int errnum = 0;

	while (done < b->len && !errnum) {
		ssize_t n = write(fd, b->data + done, b->len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno == EAGAIN)
			wait_writable(fd);
		else if (errno != EINTR)
			errnum = errno;
	}
	rs_buf_clear(b);
	return errnum;
}

int rs_out(struct rs_buf *b, struct rs_error *err)
{
	int errnum;

	if (b->failed)
		return rs_fail(err, "cannot write the output: out of memory");
	if (closed)
		rs_buf_clear(b);
	errnum = out_write_all(STDOUT_FILENO, b);
	closed |= errnum == EPIPE;
	if (errnum && errnum != EPIPE)
		return rs_fail(err, "cannot write the output: %s", strerror(errnum));
	return closed ? -1 : 0;
}

enum rs_exit rs_out_end(struct rs_buf *b, struct rs_error *err)
{
	rs_out(b, err);
	rs_buf_done(b);
	return err->status;
}

int rs_out_file(int fd, const char *path, struct rs_buf *b, struct rs_error *err)
{
	int errnum;

	if (b->failed)
		return rs_fail(err, "cannot write '%s': out of memory", path);
	errnum = out_write_all(fd, b);
	if (errnum && errnum != EPIPE)
		rs_fail(err, "cannot write '%s': %s (it is not whole)", path, strerror(errnum));
	return errnum ? -1 : 0;
}
