// SPDX-License-Identifier: GPL-2.0-or-later
/* mapper [-n TIMES] [-w] - maps a page and unmaps it, TIMES times: each takes the map's lock to write */
#include <sys/mman.h>

#include "sample.h"

int main(int argc, char **argv)
{
	long times = 1000;
	int told = options(argc, argv, "n", &times);

	wait_to_be_told(told);
	for (long i = 0; i < times; i++) {
		void *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED || munmap(p, 4096) < 0)
			die("mmap: %s", strerror(errno));
	}
	printf("pid=%d times=%ld\n", (int)getpid(), times);
	return 0;
}
