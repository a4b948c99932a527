// SPDX-License-Identifier: GPL-2.0-or-later
/* frame - frames of the protocol (docs/protocol.md) over a socket that never blocks */
#include "rpc/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "base/log.h"
#include "base/passed-fd.h"

#define FRAME_HEAD_BYTES 4
#define FRAME_SENT_BYTES 4096 /* by rs_frame_send: room for an error whose every byte is escaped */
#define FRAME_READ_BYTES (64u << 10)
#define FRAME_LOG_BYTES 60 /* logged of each frame: enough for its name */

void rs_frames_init(struct rs_frames *f, int fd, size_t max_bytes)
{
	*f = (struct rs_frames){
		.fd = fd, .max_bytes = max_bytes, .in = RS_BUF_INIT, .out = RS_BUF_INIT, .passed_fd = -1,
		.to_pass_fd = -1,
	};
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void frame_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void rs_frames_done(struct rs_frames *f)
{
	frame_close_fd(&f->fd);
	frame_close_fd(&f->passed_fd);
	frame_close_fd(&f->to_pass_fd);
	rs_buf_done(&f->in);
	rs_buf_done(&f->out);
}

/* Drops the frames that were taken before reading more: keeps at most one frame and one read. */
static void drop_taken(struct rs_buf *b, size_t *at)
{
	memmove(b->data, b->data + *at, b->len - *at);
	b->len -= *at;
	*at = 0;
}

int rs_frames_read(struct rs_frames *f, struct rs_error *err)
{
	ssize_t n;

	if (f->in_at)
		drop_taken(&f->in, &f->in_at);
	if (!rs_buf_reserve(&f->in, FRAME_READ_BYTES + 1))
		return rs_fail(err, "cannot read what the other end says: out of memory");
	n = rs_passed_fd_receive(f->fd, f->in.data + f->in.len, FRAME_READ_BYTES, &f->passed_fd);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (!n)
		return -1;
	f->in.len += (size_t)n;
	f->in.data[f->in.len] = '\0';
	return 0;
}

static uint32_t length_at(const char *at)
{
	const unsigned char *b = (const unsigned char *)at;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

const char *rs_frames_next(struct rs_frames *f, size_t *len, struct rs_error *err)
{
	size_t there = f->in.len - f->in_at;
	const char *text;

	if (there < FRAME_HEAD_BYTES)
		return NULL;
	*len = length_at(f->in.data + f->in_at);
	if (*len > f->max_bytes) {
		rs_fail(err, "a frame of %zu bytes, at most %zu may be", *len, f->max_bytes);
		return NULL;
	}
	if (there - FRAME_HEAD_BYTES < *len)
		return NULL;
	text = f->in.data + f->in_at + FRAME_HEAD_BYTES;
	f->in_at += FRAME_HEAD_BYTES + *len;
	RS_LOG(RS_LOG_RPC, "fd %d: received %zu bytes: %.*s", f->fd, *len,
	       (int)(*len < FRAME_LOG_BYTES ? *len : FRAME_LOG_BYTES), text);
	return text;
}

bool rs_frames_put(struct rs_frames *f, const char *text, size_t len, int fd)
{
	char head[FRAME_HEAD_BYTES] = { (char)(len >> 24), (char)(len >> 16), (char)(len >> 8), (char)len };

	if (f->out_at)
		drop_taken(&f->out, &f->out_at);
	if (fd >= 0) {
		frame_close_fd(&f->to_pass_fd);
		f->to_pass_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	}
	if (!rs_buf_reserve(&f->out, FRAME_HEAD_BYTES + len + 1))
		return false;
	rs_buf_add(&f->out, head, sizeof head);
	rs_buf_add(&f->out, text, len);
	RS_LOG(RS_LOG_RPC, "fd %d: sent %zu bytes: %.*s", f->fd, len,
	       (int)(len < FRAME_LOG_BYTES ? len : FRAME_LOG_BYTES), text);
	return !f->out.failed;
}

pid_t rs_frames_pid(const struct rs_frames *f)
{
	struct ucred cred = { .pid = 0 };
	socklen_t len = sizeof cred;

	return getsockopt(f->fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0 ? 0 : cred.pid;
}

void rs_frame_send(int fd, const char *text)
{
	size_t len = strlen(text);
	char frame[FRAME_SENT_BYTES] = { (char)(len >> 24), (char)(len >> 16), (char)(len >> 8), (char)len };

	if (len > sizeof frame - FRAME_HEAD_BYTES)
		return;
	memcpy(frame + FRAME_HEAD_BYTES, text, len);
	(void)!send(fd, frame, FRAME_HEAD_BYTES + len, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void rs_frame_send_failed(int fd, const char *why)
{
	struct rs_buf text = RS_BUF_INIT;
	struct rs_json j;

	rs_json_init(&j, &text);
	rs_json_open(&j, '{');
	rs_json_put_str(&j, "event", "failed");
	rs_json_put_str(&j, "error", why);
	rs_json_close(&j, '}');
	rs_frame_send(fd, text.failed ? RS_FRAME_NO_MEMORY : text.data);
	rs_buf_done(&text);
}

int rs_frames_write(struct rs_frames *f, struct rs_error *err)
{
	while (rs_frames_waiting(f)) {
		ssize_t n = rs_passed_fd_send(f->fd, f->out.data + f->out_at, rs_frames_waiting(f),
					      f->to_pass_fd);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 :
						 rs_fail(err, "the other end has gone: %s", strerror(errno));
		frame_close_fd(&f->to_pass_fd);
		f->out_at += (size_t)n;
	}
	return 0;
}
