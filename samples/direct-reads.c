// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * direct-reads [-n READS] [-s BYTES] [-w] FILE - reads around the page cache, one after the other
 *
 * Each read is one request to the device, if the file's blocks are in one piece:
 * those of a device are, those of a file are for reads of its block size.
 */
#include <fcntl.h>
#include <unistd.h>

#include "sample.h"

int main(int argc, char **argv)
{
	long reads = 100, bytes = 4096, done = 0;
	int told = options(argc, argv, "ns", &reads, &bytes), fd;
	off_t at = 0, end;
	void *buffer;

	if (optind != argc - 1)
		die("usage: direct-reads [-n READS] [-s BYTES] [-w] FILE");
	fd = open(argv[optind], O_RDONLY | O_DIRECT);
	if (fd < 0)
		die("%s: %s", argv[optind], strerror(errno));
	end = lseek(fd, 0, SEEK_END);
	if (end < bytes || posix_memalign(&buffer, 4096, (size_t)bytes))
		die("%s: %lld bytes are too few", argv[optind], (long long)end);
	wait_to_be_told(told);
	for (; done < reads; done++, at += bytes) {
		if (at + bytes > end)
			at = 0;
		if (pread(fd, buffer, (size_t)bytes, at) != bytes)
			die("%s: read %ld: %s", argv[optind], done, strerror(errno));
	}
	printf("pid=%d reads=%ld bytes=%ld\n", (int)getpid(), done, bytes);
	return 0;
}
