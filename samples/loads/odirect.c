// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * odirect NAME FILE BYTES PAUSE_US [write] - a task of that name that reads (or writes) blocks anywhere in
 * FILE, past the cache
 */
#include <fcntl.h>

#include "load.h"

int main(int argc, char **argv)
{
	long bytes, pause_us, blocks;
	void *block;
	int fd;

	if (argc < 5)
		die("usage: odirect NAME FILE BYTES PAUSE_US [write]");
	prctl(PR_SET_NAME, argv[1]);
	fd = open(argv[2], O_RDWR | O_DIRECT);
	bytes = number(argv[3]);
	pause_us = number(argv[4]);
	if (fd < 0 || posix_memalign(&block, 4096, (size_t)bytes))
		die("%s: %s", argv[2], strerror(errno));
	memset(block, 'x', (size_t)bytes);
	blocks = lseek(fd, 0, SEEK_END) / bytes;
	for (;;) {
		long at = random() % blocks * bytes;

		if ((argc > 5 ? pwrite(fd, block, (size_t)bytes, at) : pread(fd, block, (size_t)bytes, at)) <
		    0)
			die("%s: %s", argv[2], strerror(errno));
		if (pause_us)
			sleep_us(pause_us);
	}
}
