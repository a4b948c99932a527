// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * link - the frames between two sides, and the loop of each
 *
 * A head is three numbers of 32 bits, most significant byte first: type, channel, length. Numbers of channels
 * are never used again, so that what is still on its way to one that has closed is known as such.
 */
#include "link/link.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/close.h"
#include "link/channel.h"

#define LINK_CHUNK_BYTES (64u << 10)
#define LINK_WIRE_BYTES (256u << 10) /* more is not read while so much waits to be sent */
#define LINK_LAST_WORDS 200

enum link_type {
	LINK_DATA = 1,       /* the length is that of the bytes that follow; in all others none do */
	LINK_OPEN_STREAM,    /* a channel for a socket that the next byte of channel 0 passes */
	LINK_OPEN_FILE,      /* for a file: it is whole before the answer arrives that says so */
	LINK_CLOSE,
	LINK_TOOK,           /* the length: how many bytes of the channel were passed on */
};

struct link_head {
	uint32_t type, channel, len_bytes;
};

struct link {
	struct rs_link_config config;
	struct rs_buf in, wire;      /* from the other side, and to it */
	size_t in_at, wire_at;
	struct rs_channels channels;
	bool other_ended;            /* nothing more comes from the other side */
	bool ended;                  /* nor from the socket of this one */
	char last_words[LINK_LAST_WORDS];
};

/* ---- the wire ---- */

static void link_put(struct link *l, enum link_type type, uint32_t channel, const void *bytes, size_t len)
{
	const struct link_head head = { htobe32(type), htobe32(channel), htobe32((uint32_t)len) };

	rs_buf_add(&l->wire, &head, sizeof head);
	if (bytes)
		rs_buf_add(&l->wire, bytes, len);
}

static size_t link_waiting(const struct link *l)
{
	return l->wire.len - l->wire_at;
}

static void link_write_wire(struct link *l)
{
	ssize_t n = write(l->config.out_fd, l->wire.data + l->wire_at, link_waiting(l));

	if (n > 0)
		l->wire_at += (size_t)n;
	else if (errno != EAGAIN && errno != EINTR)
		l->other_ended = true;
	if (l->wire_at == l->wire.len) {
		rs_buf_clear(&l->wire);
		l->wire_at = 0;
	}
}

static int link_open(struct link *l, const struct link_head *head, struct rs_error *err)
{
	int pair[2];

	if (l->config.is_client)
		return rs_fail(err, "the other side passes a descriptor, which a server never does");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return rs_fail(err, "cannot make a socket: %s", strerror(errno));
	if (!rs_channel_add(&l->channels, head->channel, pair[0], head->type == LINK_OPEN_FILE)) {
		rs_close(&pair[0]);
		rs_close(&pair[1]);
		return rs_fail(err, "the other side opens channel %u, out of turn or one too many",
			       head->channel);
	}
	rs_channel_pass(&l->channels.at[0], pair[1]);
	return 0;
}

/* One frame, whole. What is of a channel that has closed here was sent before the other side knew. */
static int link_take(struct link *l, const struct link_head *head, const char *bytes, struct rs_error *err)
{
	struct rs_channel *c = rs_channel_find(&l->channels, head->channel);

	switch (head->type) {
	case LINK_DATA:
		if (c && !rs_channel_put(c, bytes, head->len_bytes))
			return rs_fail(err, "the other side sends more than it may");
		return 0;
	case LINK_OPEN_STREAM:
	case LINK_OPEN_FILE:
		return link_open(l, head, err);
	case LINK_CLOSE:
		if (c)
			c->at_end = true;
		return 0;
	case LINK_TOOK:
		if (c && head->len_bytes > c->sent_bytes)
			return rs_fail(err, "the other side took more than was sent");
		if (c)
			c->sent_bytes -= head->len_bytes;
		return 0;
	default:
		return rs_fail(err, "the other side sends what is no frame");
	}
}

/* Whether a whole frame is there, and may be taken: of descriptors that are passed, one at a time. */
static bool link_next(struct link *l, struct link_head *head, const char **bytes)
{
	size_t there = l->in.len - l->in_at, len;
	const char *at = l->in.data + l->in_at;

	if (there < sizeof *head)
		return false;
	memcpy(head, at, sizeof *head);
	*head = (struct link_head){ be32toh(head->type), be32toh(head->channel), be32toh(head->len_bytes) };
	len = head->type == LINK_DATA ? head->len_bytes : 0;
	if (len <= LINK_CHUNK_BYTES && there - sizeof *head < len)
		return false;
	if ((head->type == LINK_OPEN_STREAM || head->type == LINK_OPEN_FILE) &&
	    l->channels.at[0].pass_fd >= 0)
		return false;
	*bytes = at + sizeof *head;
	l->in_at += sizeof *head + len;
	return true;
}

static int link_take_all(struct link *l, struct rs_error *err)
{
	struct link_head head;
	const char *bytes;

	while (link_next(l, &head, &bytes)) {
		if (head.type == LINK_DATA && head.len_bytes > LINK_CHUNK_BYTES)
			return rs_fail(err, "the other side sends a frame of %u bytes", head.len_bytes);
		if (link_take(l, &head, bytes, err) < 0)
			return -1;
	}
	return 0;
}

static void link_read_wire(struct link *l)
{
	ssize_t n;

	memmove(l->in.data, l->in.data + l->in_at, l->in.len - l->in_at);
	l->in.len -= l->in_at;
	l->in_at = 0;
	n = read(l->config.in_fd, l->in.data + l->in.len, LINK_CHUNK_BYTES);
	if (n > 0)
		l->in.len += (size_t)n;
	else if (!n || errno != EINTR)
		l->other_ended = true;
}

/* ---- the channels ---- */

static void link_close_channel(struct link *l, struct rs_channel *c)
{
	if (c->number == 0)
		l->ended = true;
	else if (!c->at_end)
		link_put(l, LINK_CLOSE, c->number, NULL, 0);
	rs_channel_close(c);
}

static void link_open_passed(struct link *l, int fd)
{
	struct rs_channel *c = rs_channel_add(&l->channels, l->channels.last + 1, fd,
							rs_channel_is_file(fd));

	if (c)
		link_put(l, c->is_file ? LINK_OPEN_FILE : LINK_OPEN_STREAM, c->number, NULL, 0);
	else
		rs_close(&fd);
}

/* What there is, as far as the window goes. Returns whether that was all. */
static bool link_read_channel(struct link *l, struct rs_channel *c)
{
	char bytes[LINK_CHUNK_BYTES];
	size_t room = RS_LINK_WINDOW - c->sent_bytes;
	int passed_fd = -1;
	ssize_t n;

	if (!room)
		return false;
	n = rs_channel_read(c, bytes, room < sizeof bytes ? room : sizeof bytes, &passed_fd);
	if (n < 0)
		return true;
	if (passed_fd >= 0 && l->config.is_client)
		link_open_passed(l, passed_fd);
	else
		rs_close(&passed_fd);
	if (n > 0) {
		link_put(l, LINK_DATA, c->number, bytes, (size_t)n);
		c->sent_bytes += (size_t)n;
		return false;
	}
	link_close_channel(l, c);
	return true;
}

/* The server's side: more of a file may be there than may be read now, and no answer goes before that. */
static bool link_files_are_held(const struct link *l)
{
	for (size_t i = 1; i < RS_LINK_CHANNELS; i++)
		if (l->channels.at[i].used && l->channels.at[i].is_file && l->channels.at[i].reads &&
		    l->channels.at[i].sent_bytes >= RS_LINK_WINDOW)
			return true;
	return false;
}

/* Returns whether all of files has been read: it goes before the answer that they are written. */
static bool link_read_files(struct link *l)
{
	for (size_t i = 1; i < RS_LINK_CHANNELS; i++) {
		struct rs_channel *c = &l->channels.at[i];

		while (c->used && c->is_file && c->reads && !c->at_end && c->sent_bytes < RS_LINK_WINDOW &&
		       !link_read_channel(l, c))
			;
	}
	return !link_files_are_held(l);
}

/* The client's side: an answer waits until the files that came before it are written. */
static bool link_files_wait(const struct link *l)
{
	for (size_t i = 1; i < RS_LINK_CHANNELS; i++)
		if (l->channels.at[i].used && l->channels.at[i].is_file &&
		    rs_channel_waiting(&l->channels.at[i]))
			return true;
	return false;
}

static void link_write_channel(struct link *l, struct rs_channel *c)
{
	ssize_t n = rs_channel_write(c);

	if (n > 0)
		link_put(l, LINK_TOOK, c->number, NULL, (size_t)n);
	if (n < 0 || (c->at_end && !rs_channel_waiting(c)))
		link_close_channel(l, c);
}

static bool link_may_read(const struct link *l, const struct rs_channel *c)
{
	if (!c->number && link_files_are_held(l))
		return false;
	return c->reads && !c->at_end && c->sent_bytes < RS_LINK_WINDOW && link_waiting(l) < LINK_WIRE_BYTES;
}

static bool link_may_write(const struct link *l, const struct rs_channel *c)
{
	return (rs_channel_waiting(c) || c->at_end) && (c->number || !link_files_wait(l));
}

static void link_serve_channel(struct link *l, struct rs_channel *c, short events)
{
	if (link_may_write(l, c) && events & (POLLOUT | POLLERR | POLLHUP))
		link_write_channel(l, c);
	if (!c->used || !link_may_read(l, c) || !(events & (POLLIN | POLLHUP | POLLERR)))
		return;
	if (c->number || l->config.is_client || link_read_files(l))
		link_read_channel(l, c);
}

/* ---- the loop ---- */

bool rs_link_last_line(int fd, char *line, size_t size_bytes)
{
	char text[2000], *at;
	ssize_t n = read(fd, text, sizeof text - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	while (n && isspace((unsigned char)text[n - 1]))
		text[--n] = '\0';
	at = strrchr(text, '\n');
	snprintf(line, size_bytes, "%s", at ? at + 1 : text);
	return true;
}

enum { LINK_POLL_IN, LINK_POLL_OUT, LINK_POLL_ERR, LINK_POLL_CHANNELS };

static void link_fill_pollfds(const struct link *l, struct pollfd *fds)
{
	bool takes = l->channels.at[0].pass_fd < 0 || l->in.len - l->in_at < LINK_CHUNK_BYTES;

	fds[LINK_POLL_IN] = (struct pollfd){ .fd = takes ? l->config.in_fd : -1, .events = POLLIN };
	fds[LINK_POLL_OUT] = (struct pollfd){ .fd = link_waiting(l) ? l->config.out_fd : -1,
					      .events = POLLOUT };
	fds[LINK_POLL_ERR] = (struct pollfd){ .fd = l->config.err_fd, .events = POLLIN };
	for (size_t i = 0; i < RS_LINK_CHANNELS; i++) {
		const struct rs_channel *c = &l->channels.at[i];
		short events = (short)((c->used && link_may_read(l, c) ? POLLIN : 0) |
				       (c->used && link_may_write(l, c) ? POLLOUT : 0));

		fds[LINK_POLL_CHANNELS + i] = (struct pollfd){ .fd = events ? c->fd : -1, .events = events };
	}
}

static int link_step(struct link *l, struct rs_error *err)
{
	struct pollfd fds[LINK_POLL_CHANNELS + RS_LINK_CHANNELS];

	if (!rs_buf_reserve(&l->in, LINK_CHUNK_BYTES) || l->wire.failed)
		return rs_fail(err, "out of memory");
	link_fill_pollfds(l, fds);
	if (poll(fds, sizeof fds / sizeof *fds, -1) < 0 && errno != EINTR)
		return rs_fail(err, "poll: %s", strerror(errno));
	if (fds[LINK_POLL_ERR].revents &&
	    !rs_link_last_line(l->config.err_fd, l->last_words, sizeof l->last_words))
		rs_close(&l->config.err_fd);
	if (fds[LINK_POLL_IN].revents)
		link_read_wire(l);
	if (link_take_all(l, err) < 0)
		return -1;
	for (size_t i = RS_LINK_CHANNELS; i--;)
		if (l->channels.at[i].used && fds[LINK_POLL_CHANNELS + i].revents)
			link_serve_channel(l, &l->channels.at[i], fds[LINK_POLL_CHANNELS + i].revents);
	if (link_waiting(l) && !l->other_ended)
		link_write_wire(l);
	return l->wire.failed ? rs_fail(err, "out of memory") : 0;
}

/* What has come is passed on, whichever side has ended. A client that has closed waits for nothing. */
static bool link_goes_on(const struct link *l)
{
	if (l->ended)
		return !l->config.is_client && !l->other_ended && link_waiting(l);
	return !l->other_ended || rs_channel_waiting(&l->channels.at[0]);
}

static int link_loop(struct link *l, struct rs_error *err)
{
	int status = 0;

	while (status == 0 && link_goes_on(l)) {
		if (l->other_ended) /* it would be ready to read for ever */
			rs_close(&l->config.in_fd);
		status = link_step(l, err);
	}
	if (status == 0 && l->other_ended && !l->ended && l->config.is_client)
		status = rs_fail(err, "the connection is lost%s%s", *l->last_words ? ": " : "",
				 l->last_words);
	return status;
}

int rs_link_run(const struct rs_link_config *config, struct rs_error *err)
{
	struct link l = { .config = *config, .in = RS_BUF_INIT, .wire = RS_BUF_INIT };
	int status;

	signal(SIGPIPE, SIG_IGN);
	fcntl(config->out_fd, F_SETFL, fcntl(config->out_fd, F_GETFL) | O_NONBLOCK);
	rs_channels_init(&l.channels, config->socket_fd);
	status = link_loop(&l, err);
	rs_channels_done(&l.channels);
	rs_buf_done(&l.in);
	rs_buf_done(&l.wire);
	rs_close(&l.config.in_fd);
	rs_close(&l.config.out_fd);
	rs_close(&l.config.err_fd);
	return status;
}
