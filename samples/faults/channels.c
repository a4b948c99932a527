// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * channels.c - the verbs that send and receive: streams, and servers with a connection for each client
 *
 * "NAME" is a pipe, "unix:NAME" a pair of unix sockets, "tcp:NAME" a connection over the loopback; for a
 * server "NAME" is a pair of unix sockets, too. All are opened before the first fork.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "stage.h"

enum { REQUEST_BYTES = 64, BUFFER_BYTES = 1 << 20, FLOOD_DATAGRAMS = 16, FLOOD_SOCKETS = 32 };

/* [0] is the end of "put" and "ask", [1] that of "get" and "serve". */
static struct channel {
	const char *name;
	int nr_ends;
	int ends[STAGE_PLAYERS][2];
} channels[16];

static char *channels_buffer(void)
{
	static __thread char *buffer;

	if (!buffer)
		buffer = calloc(1, BUFFER_BYTES);
	return buffer;
}

static struct channel *channels_find(const char *name)
{
	struct channel *c = channels;

	while (c->name && strcmp(c->name, name))
		if (++c == channels + 15)
			die("too many channels");
	c->name = name;
	return c;
}

static void channels_connect(int ends[2])
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof address;
	int door = socket(AF_INET, SOCK_STREAM, 0), at_once = 1;

	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(door, (void *)&address, size) || listen(door, 1) ||
	    getsockname(door, (void *)&address, &size) || connect(ends[0], (void *)&address, size))
		die("tcp: %s", strerror(errno));
	ends[1] = accept(door, NULL, NULL);
	close(door);
	for (int i = 0; i < 2; i++)
		setsockopt(ends[i], IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
}

static int channels_add(struct channel *c, int both_ways)
{
	int *ends = c->ends[c->nr_ends], pipe_ends[2];

	if (c->nr_ends == STAGE_PLAYERS)
		die("%s: too many ends", c->name);
	if (!strncmp(c->name, "tcp:", 4))
		channels_connect(ends);
	else if (!strncmp(c->name, "unix:", 5) || both_ways) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
			die("socketpair: %s", strerror(errno));
	} else {
		if (pipe(pipe_ends))
			die("pipe: %s", strerror(errno));
		ends[0] = pipe_ends[1];
		ends[1] = pipe_ends[0];
	}
	return c->nr_ends++;
}

static void channels_prepare_stream(struct step *step, int nr_players)
{
	struct channel *c = channels_find(step->words[0]);

	(void)nr_players;
	if (!c->nr_ends)
		channels_add(c, 0);
	step->shared = c;
}

/* Each client has a connection of its own: step->position is the first player's. */
static void channels_prepare_ask(struct step *step, int nr_players)
{
	struct channel *c = channels_find(step->words[0]);

	step->shared = c;
	step->position = c->nr_ends;
	for (int i = 0; i < nr_players; i++)
		channels_add(c, 1);
}

static void channels_prepare_serve(struct step *step, int nr_players)
{
	(void)nr_players;
	step->shared = channels_find(step->words[0]);
}

static void channels_write(int fd, long bytes)
{
	while (bytes > 0) {
		ssize_t n = write(fd, channels_buffer(),
				  (size_t)(bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES));

		if (n < 0)
			die("write to a channel: %s", strerror(errno));
		bytes -= n;
	}
}

static void channels_read(int fd, long bytes)
{
	while (bytes > 0) {
		ssize_t n = read(fd, channels_buffer(),
				 (size_t)(bytes < BUFFER_BYTES ? bytes : BUFFER_BYTES));

		if (n <= 0)
			die("read from a channel: %s", n ? strerror(errno) : "end of file");
		bytes -= n;
	}
}

static long channels_bytes(struct player *player, const struct step *step)
{
	return step->nr_numbers ? step_number(player, step, 0) : REQUEST_BYTES;
}

static void channels_put(struct player *player, struct step *step)
{
	channels_write(((struct channel *)step->shared)->ends[0][0], channels_bytes(player, step));
}

static void channels_get(struct player *player, struct step *step)
{
	channels_read(((struct channel *)step->shared)->ends[0][1], channels_bytes(player, step));
}

static void channels_ask(struct player *player, struct step *step)
{
	struct channel *c = step->shared;
	int fd = c->ends[step->position + player->index][0];

	channels_write(fd, REQUEST_BYTES);
	channels_read(fd, channels_bytes(player, step));
}

/* The next connection with a request, after the one served last; -1: another player took it. */
static int channels_take_request(struct player *player, const struct channel *c, const struct pollfd *polled)
{
	char request[REQUEST_BYTES];

	for (int i = 1; i <= c->nr_ends; i++) {
		int at = (player->client + i + c->nr_ends) % c->nr_ends;

		if (polled[at].revents && recv(polled[at].fd, request, sizeof request, MSG_DONTWAIT) > 0)
			return at;
	}
	return -1;
}

static void channels_serve(struct player *player, struct step *step)
{
	struct channel *c = step->shared;
	struct pollfd polled[STAGE_PLAYERS];
	int at;

	for (int i = 0; i < c->nr_ends; i++)
		polled[i] = (struct pollfd){ c->ends[i][1], POLLIN, 0 };
	do
		poll(polled, (nfds_t)c->nr_ends, -1);
	while ((at = channels_take_request(player, c, polled)) < 0);
	player->client = at;
}

static void channels_reply(struct player *player, struct step *step)
{
	channels_write(((struct channel *)step->shared)->ends[player->client][1],
		       channels_bytes(player, step));
}

/*
 * Sockets that are never read; each gets a copy of what is broadcast: one send is much work for the receiving
 * softirq.
 */
static void channels_open_flood(struct step *step)
{
	static const struct sockaddr_in any = { AF_INET, 0x0900, { 0 }, { 0 } }; /* port 9, discard */
	int yes = 1;

	for (int i = 0; i < FLOOD_SOCKETS; i++) {
		int fd = socket(AF_INET, SOCK_DGRAM, 0);

		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
		if (bind(fd, (const void *)&any, sizeof any))
			die("port 9: %s", strerror(errno));
	}
	step->fd = socket(AF_INET, SOCK_DGRAM, 0);
	setsockopt(step->fd, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
}

static void channels_flood(struct player *player, struct step *step)
{
	/* 127.255.255.255 */
	static const struct sockaddr_in everybody = { AF_INET, 0x0900, { 0xffffff7f }, { 0 } };
	struct iovec bytes = { channels_buffer(), (size_t)step->numbers[0] };
	struct mmsghdr datagrams[FLOOD_DATAGRAMS];

	(void)player;
	if (!step->fd)
		channels_open_flood(step);
	for (int i = 0; i < FLOOD_DATAGRAMS; i++)
		datagrams[i] = (struct mmsghdr){ .msg_hdr = { (void *)(size_t)&everybody, sizeof everybody,
			&bytes, 1, NULL, 0, 0 } };
	sendmmsg(step->fd, datagrams, FLOOD_DATAGRAMS, MSG_DONTWAIT);
}

const struct verb channel_verbs[] = {
	{ "put", "CHANNEL [BYTES [BYTES]]: writes to it", 1, 1, channels_prepare_stream, channels_put },
	{ "get", "CHANNEL [BYTES [BYTES]]: reads so many from it", 1, 1, channels_prepare_stream,
	  channels_get },
	{ "ask", "SERVER [BYTES [BYTES]]: a request, and a reply of so many", 1, 1, channels_prepare_ask,
	  channels_ask },
	{ "serve", "SERVER: waits for a request with poll and reads it", 1, 1, channels_prepare_serve,
	  channels_serve },
	{ "reply", "SERVER [BYTES [BYTES]]: to the client served last", 1, 1, channels_prepare_serve,
	  channels_reply },
	{ "flood", "BYTES: 16 datagrams over the loopback, each to 32 sockets that are never read", 0, 1,
	  NULL, channels_flood },
	{ 0 },
};
