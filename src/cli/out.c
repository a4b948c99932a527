// SPDX-License-Identifier: GPL-2.0-or-later
/* out - standard output: whole writes, checked; warnings on stderr */
#include "cli/out.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"

bool rs_out_quiet;
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

int rs_out_file(int fd, const char *path, const char *left, struct rs_buf *b, struct rs_error *err)
{
	int errnum;

	if (b->failed)
		return rs_fail(err, "cannot write '%s': out of memory", path);
	errnum = out_write_all(fd, b);
	if (errnum && errnum != EPIPE)
		rs_fail(err, "cannot write '%s': %s (%s)", path, strerror(errnum), left);
	return errnum ? -1 : 0;
}

/* ---- standard error ---- */

/* Several views of one file would repeat the same warning. */
static bool was_said(const char *note, size_t len)
{
	static struct rs_buf said = RS_BUF_INIT; /* each between two newlines */
	struct rs_buf key = RS_BUF_INIT;
	bool known;

	rs_buf_putc(&key, '\n');
	rs_buf_add(&key, note, len);
	rs_buf_putc(&key, '\n');
	known = strstr(said.data, key.data);
	if (!known)
		rs_buf_add(&said, key.data, key.len);
	rs_buf_done(&key);
	return known;
}

void rs_out_note(const char *lines)
{
	struct rs_buf b = RS_BUF_INIT, line = RS_BUF_INIT;

	for (const char *at = lines; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
		if (was_said(at, strcspn(at, "\n")))
			continue;
		rs_buf_clear(&line);
		rs_buf_add(&line, at, strcspn(at, "\n"));
		rs_buf_puts(&b, "ringside: note: ");
		rs_escape_text(&b, line.data);
		rs_buf_putc(&b, '\n');
	}
	if (b.len)
		fputs(b.data, stderr);
	rs_buf_done(&line);
	rs_buf_done(&b);
}

void rs_out_warn(const char *fmt, ...)
{
	char *lines = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (!rs_out_quiet && vasprintf(&lines, fmt, ap) >= 0)
		rs_out_note(lines);
	va_end(ap);
	free(lines);
}

void rs_out_aside(struct rs_buf *aside, bool once)
{
	for (const char *at = aside->data, *end; !rs_out_quiet && (end = strchr(at, '\n')); at = end + 1)
		if (!once || !was_said(at, (size_t)(end - at)))
			fwrite(at, 1, (size_t)(end + 1 - at), stderr);
	rs_buf_clear(aside);
}
