/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.h - what the loads of this folder share: work of a known length, and threads with names */
#ifndef LOAD_H
#define LOAD_H

#include <pthread.h>
#include <sys/prctl.h>

#include "../sample.h"

static double load_turns_per_us;
static volatile unsigned long load_sink;

static inline void load_turn(long turns)
{
	for (long i = 0; i < turns; i++)
		load_sink += (unsigned long)i;
}

/* Work is counted in turns of a loop: a task that has to share its CPU takes longer. */
static inline void load_calibrate(void)
{
	for (int i = 0; i < 10; i++) {
		long begin = now_us();

		load_turn(200000);
		begin = now_us() - begin;
		if (begin > 0 && 200000.0 / (double)begin > load_turns_per_us)
			load_turns_per_us = 200000.0 / (double)begin;
	}
}

static inline void load_work(long us)
{
	load_turn((long)((double)us * load_turns_per_us));
}

static inline void load_thread(void *(*begin)(void *), const char *name, void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, begin, arg))
		die("pthread_create");
	pthread_setname_np(thread, name);
}

#endif
