// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-link.c - any bytes as what the other side of a link sends: they are passed on, or the link ends
 *
 * The first byte says which side this is. What is passed on arrives in the order of the frames, and no more than came.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link/link.h"

#define MAX_BYTES 60000 /* a pipe, and a socket, take that at once */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static size_t read_all(int fd)
{
	static char bytes[65536];
	size_t all = 0;
	ssize_t n;

	while ((n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
		all += (size_t)n;
	return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	int to[2], from[2], pair[2];
	struct rs_error err = { 0 };

	if (!len || len > MAX_BYTES)
		return 0;
	if (pipe(to) < 0 || pipe(from) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ||
	    write(to[1], data + 1, len - 1) != (ssize_t)(len - 1))
		abort();
	close(to[1]);
	rs_link_run(&(struct rs_link_config){ to[0], from[1], pair[0], data[0] & 1, -1 }, &err);
	if (read_all(pair[1]) > len) {
		fprintf(stderr, "more was passed on than came\n");
		abort();
	}
	close(from[0]);
	close(pair[1]);
	return 0;
}
