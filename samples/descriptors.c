// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * descriptors [-n READS] [-r ROUNDS] [-t MICROSECONDS] [-w] - reads of files that are known
 *
 * READS of the file "steady" (100 bytes each) and of a pipe (101 bytes), a while
 * apart. Then ROUNDS in which one number stands for "one", "two" and "three" in
 * turn: opened anew, or put over the one before by dup2. Each is read some times,
 * by 201, 202 and 203 bytes: the length says which file it really was. Files are
 * made in the working directory.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "sample.h"

static char buf[256];

static int open_new(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	return fd;
}

static void read_steadily(long times, long us)
{
	int fd = open_new("steady"), pipe_fds[2];
	struct stat st;

	if (pipe(pipe_fds) < 0 || fstat(pipe_fds[0], &st) < 0)
		die("pipe: %s", strerror(errno));
	for (long i = 0; i < times; i++) {
		if (pread(fd, buf, 100, 0) < 0 || write(pipe_fds[1], buf, 101) != 101 ||
		    read(pipe_fds[0], buf, 101) != 101)
			die("read: %s", strerror(errno));
		sleep_us(us);
	}
	printf("pid=%d steady=%d pipe=%d inode=%lu reads=%ld\n", (int)getpid(), fd, pipe_fds[0],
	       (unsigned long)st.st_ino, times);
	close(fd);
}

/* Every fourth round lasts long enough that somebody could look. */
static void read_in_turn(long rounds, long us)
{
	static const char *const names[] = { "one", "two", "three" };
	const int fd = 50;
	long reads = 0;

	for (long i = 0; i < rounds; i++) {
		int which = (int)(i % 3), opened = open_new(names[which]);

		if (i % 8 < 4)
			close(fd);
		if (dup2(opened, fd) != fd)
			die("dup2: %s", strerror(errno));
		close(opened);
		for (int k = 0; k < (i % 4 ? 3 : 40); k++, reads++) {
			if (pread(fd, buf, 201 + which, 0) < 0)
				die("pread: %s", strerror(errno));
			sleep_us(i % 4 ? us / 10 : us);
		}
	}
	printf("rounds=%ld turns=%ld\n", rounds, reads);
}

int main(int argc, char **argv)
{
	long reads = 50, rounds = 20, us = 10000;
	int told = options(argc, argv, "nrt", &reads, &rounds, &us);

	wait_to_be_told(told);
	read_steadily(reads, us);
	read_in_turn(rounds, us);
	return 0;
}
