// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * udpblast BYTES - datagrams over the loopback, as fast as it can, to a port where nobody listens: each is
 * answered by ICMP
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "load.h"

int main(int argc, char **argv)
{
	static char bytes[65536];
	struct sockaddr_in nobody = { .sin_family = AF_INET, .sin_port = htons(9),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	for (;;)
		sendto(fd, bytes, (size_t)(argc > 1 ? number(argv[1]) : 100), MSG_DONTWAIT, (void *)&nobody,
		       sizeof nobody);
}
