// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sleeper [-n SLEEPS] [-t MICROSECONDS] [-w] - sleeps so many times for so long, with one clock_nanosleep
 * each
 */
#include "sample.h"

int main(int argc, char **argv)
{
	long sleeps = 100, us = 1000;
	int told = options(argc, argv, "nt", &sleeps, &us);

	wait_to_be_told(told);
	for (long i = 0; i < sleeps; i++)
		sleep_us(us);
	printf("pid=%d sleeps=%ld length_ns=%ld\n", (int)getpid(), sleeps, us * 1000);
	return 0;
}
