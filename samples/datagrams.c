// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * datagrams [-n DATAGRAMS] [-w] - sends itself so many datagrams over the loopback device, and waits for each
 *
 * The loopback device hands a datagram to the softirq NET_RX of the CPU that sends, and the next one
 * is sent when that has delivered it: each takes a softirq of its own.
 */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "sample.h"

static int make_socket(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof to;
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || bind(s, (struct sockaddr *)&to, len) || getsockname(s, (struct sockaddr *)&to, &len) ||
	    connect(s, (struct sockaddr *)&to, len))
		die("no socket on the loopback device: %s", strerror(errno));
	return s;
}

int main(int argc, char **argv)
{
	long datagrams = 100;
	int told = options(argc, argv, "n", &datagrams), s;
	char c = 'x';

	s = make_socket();
	wait_to_be_told(told);
	for (long i = 0; i < datagrams; i++)
		if (send(s, &c, 1, 0) != 1 || recv(s, &c, 1, 0) != 1)
			die("datagram %ld: %s", i, strerror(errno));
	printf("pid=%d datagrams=%ld\n", (int)getpid(), datagrams);
	return 0;
}
