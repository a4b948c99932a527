// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * allocs [-n ROUNDS] [-b ROUNDS] [-w] - a program with known allocations, by four functions
 *
 * In each round keep() allocates 1000 bytes and never frees them; pass() allocates 64 bytes with malloc and
 * frees them; grow() allocates 16 bytes, grows them to 4096 with realloc, and frees them; clear() allocates
 * 10 times 20 bytes with calloc, and frees those of every other round. Before that, one block that was
 * allocated at the begin is freed. With -b, pass() is called in so many rounds more, without a pause.
 */
#include "sample.h"

/* The compiler must neither drop a pair of malloc and free, nor make a call the last one of a function. */
static void *volatile held;

__attribute__((noinline, noclone)) static void keep(void)
{
	held = malloc(1000);
}

__attribute__((noinline, noclone)) static void pass(void)
{
	held = malloc(64);
	free(held);
	held = NULL;
}

__attribute__((noinline, noclone)) static void grow(void)
{
	held = malloc(16);
	held = realloc(held, 4096);
	free(held);
	held = NULL;
}

__attribute__((noinline, noclone)) static void clear(long round)
{
	held = calloc(10, 20);
	if (round % 2)
		free(held);
	held = NULL;
}

int main(int argc, char **argv)
{
	long rounds = 1000, busy = 0;
	int told = options(argc, argv, "nb", &rounds, &busy);
	void *volatile early = malloc(300);

	wait_to_be_told(told);
	free(early);
	for (long i = 0; i < rounds; i++) {
		keep();
		pass();
		grow();
		clear(i);
	}
	for (long i = 0; i < busy; i++)
		pass();
	printf("pid=%d rounds=%ld\n", (int)getpid(), rounds);
	return 0;
}
