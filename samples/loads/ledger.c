// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ledger mutex|rwlock THREADS HOLD_US GAP_US - threads that want one lock: each works GAP_US without and
 * HOLD_US with it
 *
 * With rwlock one thread, "poster", writes, and the others, "reader", read it for a hundredth of HOLD_US.
 */
#include "load.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static long hold_us, gap_us;

static void *teller(void *arg)
{
	for (;; load_work(gap_us)) {
		pthread_mutex_lock(&mutex);
		load_work(hold_us);
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

static void *reader(void *arg)
{
	for (;; sleep_us(gap_us)) {
		pthread_rwlock_rdlock(&rwlock);
		load_work(hold_us / 100);
		pthread_rwlock_unlock(&rwlock);
	}
	return arg;
}

static void *poster(void *arg)
{
	for (;; sleep_us(gap_us)) {
		pthread_rwlock_wrlock(&rwlock);
		load_work(hold_us);
		pthread_rwlock_unlock(&rwlock);
	}
	return arg;
}

int main(int argc, char **argv)
{
	int is_rwlock = argc > 1 && !strcmp(argv[1], "rwlock");

	if (argc < 5)
		die("usage: ledger mutex|rwlock THREADS HOLD_US GAP_US");
	hold_us = number(argv[3]);
	gap_us = number(argv[4]);
	load_calibrate();
	if (is_rwlock)
		load_thread(poster, "poster", NULL);
	for (long i = 0; i < number(argv[2]); i++)
		load_thread(is_rwlock ? reader : teller, is_rwlock ? "reader" : "teller", NULL);
	for (;;)
		pause();
}
