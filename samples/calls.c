// SPDX-License-Identifier: GPL-2.0-or-later
/* calls [-n CALLS] [-w] - the shortest system call there is, so many times; -n 0: until it is ended */
#include <sys/syscall.h>

#include "sample.h"

int main(int argc, char **argv)
{
	long calls = 100000;
	int told = options(argc, argv, "n", &calls);

	wait_to_be_told(told);
	for (long i = 0; !calls || i < calls; i++)
		syscall(SYS_getppid);
	printf("pid=%d getppid=%ld\n", (int)getpid(), calls);
	return 0;
}
