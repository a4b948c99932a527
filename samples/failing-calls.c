// SPDX-License-Identifier: GPL-2.0-or-later
/* failing-calls [-n TIMES] [-w] - calls that fail, each TIMES times, with an error that is known before */
#include <fcntl.h>

#include "sample.h"

int main(int argc, char **argv)
{
	long times = 100;
	int told = options(argc, argv, "n", &times);

	wait_to_be_told(told);
	for (long i = 0; i < times; i++) {
		if (openat(AT_FDCWD, "/nonexistent/file", O_RDONLY) >= 0 || errno != ENOENT)
			die("openat: %s", strerror(errno));
		if (close(-1) != -1 || errno != EBADF)
			die("close: %s", strerror(errno));
		if (chdir("/proc/self/status") != -1 || errno != ENOTDIR)
			die("chdir: %s", strerror(errno));
	}
	printf("pid=%d openat=%d close=%d chdir=%d times=%ld\n", (int)getpid(), ENOENT, EBADF, ENOTDIR,
	       times);
	return 0;
}
