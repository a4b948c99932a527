// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 3-copy [-b BYTES] [-m MIB] read|mmap - copies a file, in blocks of BYTES (4096), by system calls or through
 * memory
 *
 * The file of MIB (128) is made first, and is in the page cache then. "read" calls read and write once a
 * block; "mmap" maps both files and copies from one to the other. Both files are in the current directory and
 * removed at once.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "../sample.h"

static int copy_make(const char *path, long bytes, int filled)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	static char block[1 << 20];

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	unlink(path);
	for (long at = 0; filled && at < bytes; at += (long)sizeof block)
		if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
			die("%s: %s", path, strerror(errno));
	if (!filled && ftruncate(fd, bytes))
		die("%s: %s", path, strerror(errno));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void copy_by_calls(int from, int to, long bytes, long block)
{
	char *buffer = malloc((size_t)block);
	ssize_t n = -1;

	(void)bytes;
	while (buffer && (n = read(from, buffer, (size_t)block)) > 0)
		if (write(to, buffer, (size_t)n) != n)
			die("write: %s", strerror(errno));
	if (n < 0)
		die("read: %s", strerror(errno));
	free(buffer);
}

static void copy_by_memory(int from, int to, long bytes, long block)
{
	char *source = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, from, 0);
	char *target = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);

	if (source == MAP_FAILED || target == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	for (long at = 0; at < bytes; at += block)
		memcpy(target + at, source + at, (size_t)(bytes - at < block ? bytes - at : block));
}

int main(int argc, char **argv)
{
	long block = 4096, mib = 128, bytes, begin;
	int from, to, by_calls;

	options(argc, argv, "bm", &block, &mib);
	if (optind != argc - 1 || block < 1 || (strcmp(argv[optind], "read") && strcmp(argv[optind], "mmap")))
		die("usage: 3-copy [-b BYTES] [-m MIB] read|mmap");
	by_calls = !strcmp(argv[optind], "read");
	bytes = mib << 20;
	from = copy_make("labs.from", bytes, 1);
	to = copy_make("labs.to", bytes, 0);
	begin = now_us();
	(by_calls ? copy_by_calls : copy_by_memory)(from, to, bytes, block);
	printf("%s block=%ld blocks=%ld ms=%ld\n", argv[optind], block, (bytes + block - 1) / block,
	       (now_us() - begin) / 1000);
	return 0;
}
