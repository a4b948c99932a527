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
static void wait_writable(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	poll(&p, 1, -1);
}

int rs_out(struct rs_buf *b, struct rs_error *err)
{
	size_t done = 0;

	if (b->failed)
		return rs_fail(err, "cannot write the output: out of memory");
	while (done < b->len && !closed) {
		ssize_t n = write(STDOUT_FILENO, b->data + done, b->len - done);

		if (n >= 0)
			done += n;
		else if (errno == EAGAIN)
			wait_writable();
		else if (errno == EPIPE)
			closed = true;
		else if (errno != EINTR)
			return rs_fail(err, "cannot write the output: %s", strerror(errno));
	}
	rs_buf_clear(b);
	return closed ? -1 : 0;
}
