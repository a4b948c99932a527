// SPDX-License-Identifier: GPL-2.0-or-later
/* test-thread - a thread that pauses can be ended at once, whatever interrupted it before */
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/monotonic.h"
#include "base/thread.h"

#define TOO_LONG_MS 3600000u /* the test's own limit ends it long before */

struct paused {
	sem_t end;
	pthread_t thread;
	unsigned int ms;
	bool ended;              /* what rs_thread_pause() returned */
};

static atomic_uint nr_signals;

static void on_signal(int sig)
{
	(void)sig;
	nr_signals++;
}

static void *pause_it(void *arg)
{
	struct paused *p = arg;

	p->ended = rs_thread_pause(&p->end, p->ms);
	return NULL;
}

/* A sanitizer of threads runs the handler only when the thread calls what it knows: the wait for that is bounded. */
static void interrupt(pthread_t thread, unsigned int nr)
{
	const struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGUSR1, &action, NULL);
	nr_signals = 0;
	for (unsigned int i = 1; i <= nr; i++) {
		pthread_kill(thread, SIGUSR1);
		for (unsigned int ms = 0; nr_signals < i && ms < 100; ms++)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
}

/* A thread of an hour's pause is interrupted, as by setresuid(): it pauses on. It is told to end: it ends now. */
START_TEST(a_paused_thread_ends_when_it_is_told)
{
	struct paused p = { .ms = TOO_LONG_MS };

	sem_init(&p.end, 0, 0);
	ck_assert_int_eq(pthread_create(&p.thread, NULL, pause_it, &p), 0);
	interrupt(p.thread, 5);
	sem_post(&p.end);
	pthread_join(p.thread, NULL);
	ck_assert(p.ended);
	sem_destroy(&p.end);
}
END_TEST

START_TEST(an_end_that_came_before_counts)
{
	struct paused p = { .ms = TOO_LONG_MS };

	sem_init(&p.end, 0, 1);
	ck_assert(rs_thread_pause(&p.end, TOO_LONG_MS));
	sem_destroy(&p.end);
}
END_TEST

START_TEST(a_pause_ends_by_itself_and_not_before)
{
	uint64_t begin_ns = rs_monotonic_ns();
	struct paused p = { .ms = 1010 };

	sem_init(&p.end, 0, 0);
	ck_assert_int_eq(pthread_create(&p.thread, NULL, pause_it, &p), 0);
	interrupt(p.thread, 5);
	pthread_join(p.thread, NULL);
	ck_assert(!p.ended);
	ck_assert_uint_ge(rs_monotonic_ns() - begin_ns, 1010000000);
	sem_destroy(&p.end);
}
END_TEST

Suite *rs_suite_thread(void)
{
	Suite *s = suite_create("thread");
	TCase *t = tcase_create("thread");

	tcase_add_test(t, a_paused_thread_ends_when_it_is_told);
	tcase_add_test(t, an_end_that_came_before_counts);
	tcase_add_test(t, a_pause_ends_by_itself_and_not_before);
	suite_add_tcase(s, t);
	return s;
}
