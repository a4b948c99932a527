// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcp [-n CONNECTIONS] [-m MESSAGES] [-s BYTES] [-d MILLISECONDS] [-r RESETS] [-a ATTEMPTS] [-v 4|6]
 * [-q MILLISECONDS] [-w] - a client and a server that is forked, over the loopback device
 *
 * One connection after the other the client sends MESSAGES times BYTES, and the server answers each with
 * twice as many after so many milliseconds. Then the client closes: the first RESETS by a reset. ATTEMPTS to
 * connect to a port where nobody listens are refused at the end.
 *
 * -q: the server listens with a backlog of 1; the client begins to connect with all CONNECTIONS (at most 64)
 * at once, sends nothing, and closes each. So many milliseconds after that the server begins to accept.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "sample.h"

static long connections = 10, messages = 3, nr_bytes = 100, delay_ms, resets, attempts, version = 4, queue_ms;
static char bytes[1 << 20];
static int began[2];               /* a pipe: the crowd is there */

/* The loopback address, and a port: 0 any. Returns the length. */
static socklen_t loopback(struct sockaddr_in6 *to, unsigned int port)
{
	struct sockaddr_in *ipv4 = (struct sockaddr_in *)to;

	memset(to, 0, sizeof *to);
	to->sin6_port = htons(port); /* where an IPv4 address has it, too */
	if (version == 6) {
		to->sin6_family = AF_INET6;
		to->sin6_addr = in6addr_loopback;
		return sizeof *to;
	}
	ipv4->sin_family = AF_INET;
	ipv4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof *ipv4;
}

static int bound(unsigned int *port)
{
	int fd = socket(version == 6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in6 at;
	socklen_t len = loopback(&at, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&at, len) || getsockname(fd, (struct sockaddr *)&at, &len))
		die("bind: %s", strerror(errno));
	*port = ntohs(at.sin6_port);
	return fd;
}

static void take(int fd, long wanted)
{
	for (ssize_t n; wanted > 0; wanted -= n) {
		n = recv(fd, bytes, wanted < (long)sizeof bytes ? wanted : (long)sizeof bytes, 0);
		if (n <= 0)
			die("recv: %s", n ? strerror(errno) : "the end");
	}
}

static void give(int fd, long wanted)
{
	if (send(fd, bytes, wanted, 0) != wanted)
		die("send: %s", strerror(errno));
}

static void serve(int passive)
{
	const struct timespec delay = { delay_ms / 1000, delay_ms % 1000 * 1000000 };

	const struct timespec wait = { queue_ms / 1000, queue_ms % 1000 * 1000000 };

	if (queue_ms && read(began[0], bytes, 1) != 1)
		die("read: %s", strerror(errno));
	nanosleep(&wait, NULL);
	for (long i = 0; i < connections; i++) {
		int fd = accept(passive, NULL, NULL);

		if (fd < 0)
			die("accept: %s", strerror(errno));
		for (long m = 0; m < messages; m++) {
			take(fd, nr_bytes);
			if (delay_ms)
				nanosleep(&delay, NULL);
			give(fd, 2 * nr_bytes);
		}
		while (recv(fd, bytes, sizeof bytes, 0) > 0)
			;
		close(fd);
	}
}

static int try_connect(unsigned int port)
{
	int fd = socket(version == 6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in6 to;
	socklen_t len = loopback(&to, port);

	if (fd < 0)
		die("socket: %s", strerror(errno));
	if (!connect(fd, (struct sockaddr *)&to, len))
		return fd;
	close(fd);
	return -1;
}

static void ask_for_all(unsigned int port)
{
	const struct linger at_once = { 1, 0 };

	for (long i = 0; i < connections; i++) {
		int fd = try_connect(port);

		if (fd < 0)
			die("connect: %s", strerror(errno));
		for (long m = 0; m < messages; m++) {
			give(fd, nr_bytes);
			take(fd, 2 * nr_bytes);
		}
		if (i < resets)
			setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
		close(fd);
	}
}

static void crowd(unsigned int port)
{
	struct pollfd fds[64];
	struct sockaddr_in6 to;
	socklen_t len = loopback(&to, port);

	for (long i = 0; i < connections; i++) {
		fds[i].fd = socket(version == 6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		fds[i].events = POLLOUT;
		if (connect(fds[i].fd, (struct sockaddr *)&to, len) && errno != EINPROGRESS)
			die("connect: %s", strerror(errno));
	}
	if (write(began[1], "", 1) != 1)
		die("write: %s", strerror(errno));
	for (long i = 0; i < connections; i++) {
		if (poll(&fds[i], 1, -1) != 1)
			die("poll: %s", strerror(errno));
		close(fds[i].fd);
	}
}

int main(int argc, char **argv)
{
	int told = options(argc, argv, "nmsdravq", &connections, &messages, &nr_bytes, &delay_ms, &resets,
			   &attempts, &version, &queue_ms);
	unsigned int port, nobodys;
	int passive, deaf;
	pid_t server;

	if (nr_bytes < 1 || nr_bytes > (long)sizeof bytes / 2)
		die("-s %ld is not from 1 to %zu", nr_bytes, sizeof bytes / 2);
	if (queue_ms && connections > 64)
		die("-n %ld is more than 64", connections);
	messages = queue_ms ? 0 : messages;
	wait_to_be_told(told);
	passive = bound(&port);
	deaf = bound(&nobodys);
	if (listen(passive, queue_ms ? 1 : 128))
		die("listen: %s", strerror(errno));
	if (pipe2(began, O_CLOEXEC))
		die("pipe: %s", strerror(errno));
	server = fork();
	if (server < 0)
		die("fork: %s", strerror(errno));
	if (!server) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "tcp-server");
		serve(passive);
		_exit(0);
	}
	prctl(PR_SET_NAME, "tcp-client");
	if (queue_ms)
		crowd(port);
	else
		ask_for_all(port);
	for (long i = 0; i < attempts; i++)
		if (try_connect(nobodys) >= 0)
			die("somebody listens on port %u", nobodys);
	waitpid(server, NULL, 0);
	close(deaf);
	printf("client=%d server=%d port=%u nobodys=%u\n", (int)getpid(), (int)server, port, nobodys);
	return 0;
}
