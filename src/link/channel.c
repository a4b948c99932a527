// SPDX-License-Identifier: GPL-2.0-or-later
/* channel - the channels of a link, their buffers and descriptors */
#include "link/channel.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/close.h"
#include "base/passed-fd.h"
#include "link/link.h"

static void channel_begin(struct rs_channel *c, uint32_t number, int fd, bool is_file)
{
	*c = (struct rs_channel){ .used = true, .is_file = is_file, .reads = !rs_channel_is_file(fd),
				       .number = number, .fd = fd, .out = RS_BUF_INIT, .pass_fd = -1 };
}

void rs_channels_init(struct rs_channels *channels, int socket_fd)
{
	*channels = (struct rs_channels){ .last = 0 };
	channel_begin(&channels->at[0], 0, socket_fd, false);
}

void rs_channel_close(struct rs_channel *c)
{
	rs_close(&c->fd);
	rs_close(&c->pass_fd);
	rs_buf_done(&c->out);
	c->used = false;
}

void rs_channels_done(struct rs_channels *channels)
{
	for (size_t i = 0; i < RS_LINK_CHANNELS; i++)
		if (channels->at[i].used)
			rs_channel_close(&channels->at[i]);
}

struct rs_channel *rs_channel_add(struct rs_channels *channels, uint32_t number, int fd,
					    bool is_file)
{
	if (number <= channels->last)
		return NULL;
	for (size_t i = 1; i < RS_LINK_CHANNELS; i++)
		if (!channels->at[i].used) {
			channel_begin(&channels->at[i], number, fd, is_file);
			channels->last = number;
			return &channels->at[i];
		}
	return NULL;
}

struct rs_channel *rs_channel_find(struct rs_channels *channels, uint32_t number)
{
	for (size_t i = 0; i < RS_LINK_CHANNELS; i++)
		if (channels->at[i].used && channels->at[i].number == number)
			return &channels->at[i];
	return NULL;
}

size_t rs_channel_waiting(const struct rs_channel *c)
{
	return c->out.len - c->out_at;
}

static void channel_drop_written(struct rs_channel *c)
{
	memmove(c->out.data, c->out.data + c->out_at, c->out.len - c->out_at);
	c->out.len -= c->out_at;
	c->pass_at -= c->pass_fd >= 0 ? c->out_at : 0;
	c->out_at = 0;
}

bool rs_channel_put(struct rs_channel *c, const void *bytes, size_t len)
{
	if (rs_channel_waiting(c) + len > RS_LINK_WINDOW)
		return false;
	if (c->out_at)
		channel_drop_written(c);
	rs_buf_add(&c->out, bytes, len);
	return !c->out.failed;
}

void rs_channel_pass(struct rs_channel *c, int fd)
{
	c->pass_fd = fd;
	c->pass_at = c->out.len;
}

static ssize_t channel_send(struct rs_channel *c)
{
	bool passes = c->pass_fd >= 0 && c->pass_at == c->out_at;
	size_t end = c->pass_fd >= 0 && !passes ? c->pass_at : c->out.len;
	ssize_t n = rs_passed_fd_send(c->fd, c->out.data + c->out_at, end - c->out_at,
				      passes ? c->pass_fd : -1);

	if (n > 0 && passes)
		rs_close(&c->pass_fd);
	return n;
}

/* Of a pipe that is ready so much never waits; its flags are shared with who passed it. */
static ssize_t channel_write_file(struct rs_channel *c)
{
	size_t len = rs_channel_waiting(c);
	struct stat st;

	if (fstat(c->fd, &st) == 0 && !S_ISREG(st.st_mode) && len > PIPE_BUF)
		len = PIPE_BUF;
	return write(c->fd, c->out.data + c->out_at, len);
}

ssize_t rs_channel_write(struct rs_channel *c)
{
	ssize_t n;

	if (!rs_channel_waiting(c))
		return 0;
	n = rs_channel_is_file(c->fd) ? channel_write_file(c) : channel_send(c);
	if (n > 0)
		c->out_at += (size_t)n;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : n;
}

ssize_t rs_channel_read(struct rs_channel *c, void *bytes, size_t size_bytes, int *passed_fd)
{
	ssize_t n = rs_passed_fd_receive(c->fd, bytes, size_bytes, passed_fd);

	return n < 0 ? (errno == EAGAIN || errno == EINTR ? -1 : 0) : n;
}

bool rs_channel_is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 || !S_ISSOCK(st.st_mode);
}
