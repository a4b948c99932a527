// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jitvm - a thread "mutator" that maps, touches and unmaps little, and two threads "sweeper" that do so with
 * much: one mmap_lock
 */
#include <sys/mman.h>

#include "load.h"

static void sweep(long bytes)
{
	char *area = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (area == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	munmap(area, (size_t)bytes);
}

static void *sweeper(void *arg)
{
	for (;; sleep_us(100))
		sweep(48 << 20);
	return arg;
}

static void *mutator(void *arg)
{
	for (;; sleep_us(400))
		sweep(64 << 10);
	return arg;
}

int main(void)
{
	load_thread(sweeper, "sweeper", NULL);
	load_thread(sweeper, "sweeper", NULL);
	load_thread(mutator, "mutator", NULL);
	for (;;)
		pause();
}
