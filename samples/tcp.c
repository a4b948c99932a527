// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcp [-n CONNECTIONS] [-m MESSAGES] [-s BYTES] [-d MILLISECONDS] [-r RESETS] [-a ATTEMPTS] [-v 4|6] [-w] -
 * a client and a server that is forked, over the loopback device
 *
 * One connection after the other the client sends MESSAGES times BYTES, and the server answers each with
 * twice as many after so many milliseconds. Then the client closes: the first RESETS by a reset. ATTEMPTS to
 * connect to a port where nobody listens are refused at the end.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "sample.h"

static long connections = 10, messages = 3, nr_bytes = 100, delay_ms, resets, attempts, version = 4;
static char bytes[1 << 20];

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

int main(int argc, char **argv)
{
	int told = options(argc, argv, "nmsdrav", &connections, &messages, &nr_bytes, &delay_ms, &resets,
			   &attempts, &version);
	unsigned int port, nobodys;
	int passive, deaf;
	pid_t server;

	if (nr_bytes < 1 || nr_bytes > (long)sizeof bytes / 2)
		die("-s %ld is not from 1 to %zu", nr_bytes, sizeof bytes / 2);
	wait_to_be_told(told);
	passive = bound(&port);
	deaf = bound(&nobodys);
	if (listen(passive, 128))
		die("listen: %s", strerror(errno));
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
	ask_for_all(port);
	for (long i = 0; i < attempts; i++)
		if (try_connect(nobodys) >= 0)
			die("somebody listens on port %u", nobodys);
	waitpid(server, NULL, 0);
	close(deaf);
	printf("client=%d server=%d port=%u nobodys=%u\n", (int)getpid(), (int)server, port, nobodys);
	return 0;
}
