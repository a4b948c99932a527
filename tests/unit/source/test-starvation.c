// SPDX-License-Identifier: GPL-2.0-or-later
/* test-starvation - when a capture is starved of CPU time, and how a waiting thread is told from a blocked one */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "source/live/starvation.h"

#define S 1000000000ull

/* A thread whose sums are read once a second: what it waited in each. */
static uint64_t waited(struct rs_starvation_thread *t, char state, uint64_t cpu_ns, uint64_t wait_ns)
{
	return rs_starvation_waited_ns(t, state, cpu_ns, wait_ns, S);
}

START_TEST(waits_that_ended_count_when_they_end)
{
	struct rs_starvation_thread t = { 0 };

	ck_assert_uint_eq(waited(&t, 'S', 10, 200), 200);            /* since it began */
	ck_assert_uint_eq(waited(&t, 'S', 20, 500), 300);
	ck_assert_uint_eq(waited(&t, 'S', 30, 500), 0);
	ck_assert_uint_eq(waited(&t, 'R', 40, 9 * S), S);            /* never more than has passed */
}
END_TEST

/* Runnable at 1 s, 2 s, 3 s, and no CPU time: it waits. At 4 s it has run, after a wait of 3.4 s, of which 2 s are counted. */
START_TEST(a_wait_that_goes_on_counts_once)
{
	struct rs_starvation_thread t = { 0 };

	waited(&t, 'S', 10, 0);
	ck_assert_uint_eq(waited(&t, 'R', 10, 0), 0);                /* it may have been woken just now */
	ck_assert_uint_eq(waited(&t, 'R', 10, 0), S);
	ck_assert_uint_eq(waited(&t, 'R', 10, 0), S);
	ck_assert_uint_eq(waited(&t, 'S', 11, 3 * S + S * 4 / 10), S);
	ck_assert_uint_eq(waited(&t, 'S', 12, 3 * S + S * 4 / 10 + 7), 7);
}
END_TEST

START_TEST(half_a_second_of_waiting_is_a_starved_second)
{
	struct rs_starvation s = { 0 };

	rs_starvation_add(&s, S / 2 - 1, S, 100 * S);
	ck_assert(!rs_starvation_is_on(&s, 100 * S));
	rs_starvation_add(&s, S / 2, S, 101 * S);
	ck_assert(rs_starvation_is_on(&s, 101 * S));
	for (uint64_t at = 102; at < 106; at++) {                    /* told for five seconds, counted once */
		rs_starvation_add(&s, 0, S, at * S);
		ck_assert(rs_starvation_is_on(&s, at * S));
	}
	rs_starvation_add(&s, 0, S, 106 * S);
	ck_assert(!rs_starvation_is_on(&s, 106 * S));
	ck_assert_uint_eq(rs_starvation_ns(&s, 106 * S), S);
}
END_TEST

/* Real-time tasks have all CPUs: who counts does not run either, and who is asked sees it. */
START_TEST(one_that_counts_late_is_starved_itself)
{
	struct rs_starvation s = { 0 };

	ck_assert(!rs_starvation_is_on(&s, 100 * S));                /* it has not begun */
	rs_starvation_add(&s, 0, S, 100 * S);
	ck_assert(!rs_starvation_is_on(&s, 102 * S));
	ck_assert(rs_starvation_is_on(&s, 109 * S));
	ck_assert_uint_eq(rs_starvation_ns(&s, 109 * S), 9 * S);
	rs_starvation_add(&s, 9 * S, 10 * S, 110 * S);               /* it runs again: it waited most of ten seconds */
	ck_assert_uint_eq(rs_starvation_ns(&s, 110 * S), 10 * S);
}
END_TEST

/* ---- threads of this process, as /proc has them ---- */

struct thread {
	pthread_t id;
	_Atomic pid_t tid;
	atomic_bool end;
	sem_t sleep;
	bool spins;
	int pipe_fds[2];
};

static void *thread_main(void *arg)
{
	struct thread *t = arg;

	t->tid = gettid();
	while (t->spins && !t->end)
		;
	if (!t->spins)
		sem_wait(&t->sleep);
	return NULL;
}

static void thread_begin(struct thread *t)
{
	sem_init(&t->sleep, 0, 0);
	ck_assert_int_eq(pthread_create(&t->id, NULL, thread_main, t), 0);
	while (!t->tid)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void thread_end(struct thread *t)
{
	t->end = true;
	sem_post(&t->sleep);
	pthread_join(t->id, NULL);
	sem_destroy(&t->sleep);
}

static bool is_not(const void *tid, pid_t other)
{
	return other != *(const pid_t *)tid && other != gettid();
}

/* A thread that runs, or waits for a CPU, is R; one that waits for another is not. A thread that ended has none. */
START_TEST(a_runnable_thread_is_told_from_a_blocked_one)
{
	struct thread spinner = { .spins = true }, sleeper = { 0 };
	pid_t spinning, ended;

	thread_begin(&sleeper);
	while (rs_own_threads_state(sleeper.tid) != 'S')
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	thread_begin(&spinner);
	spinning = spinner.tid;
	ended = sleeper.tid;
	ck_assert_int_eq(rs_own_threads_state(spinning), 'R');
	ck_assert(rs_own_threads_any_goes_on(is_not, &ended));
	ck_assert(!rs_own_threads_any_goes_on(is_not, &spinning));
	thread_end(&sleeper);
	while (rs_own_threads_state(ended))
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	thread_end(&spinner);
	ck_assert_int_eq(rs_own_threads_process_state(getpid()), 'R');
}
END_TEST

/*
 * A parent waits for its vfork'ed child as for a disk: in D. Not by vfork(), which the thread sanitizer makes a fork(); the child
 * has a memory of its own (no CLONE_VM), so that it may return from here.
 */
static void *in_vfork(void *arg)
{
	struct thread *t = arg;
	char byte;

	atomic_store(&t->tid, gettid());
	if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0) {
		syscall(SYS_read, t->pipe_fds[0], &byte, 1);
		syscall(SYS_exit_group, 0);
	}
	return NULL;
}

START_TEST(a_thread_that_waits_for_a_disk_goes_on_by_itself)
{
	struct thread waiter = { 0 };

	ck_assert_int_eq(pipe(waiter.pipe_fds), 0);
	ck_assert_int_eq(pthread_create(&waiter.id, NULL, in_vfork, &waiter), 0);
	while (!atomic_load(&waiter.tid) || rs_own_threads_state(waiter.tid) != 'D')
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	ck_assert(rs_own_threads_any_goes_on(is_not, &(const pid_t){ 0 }));
	ck_assert_int_eq(write(waiter.pipe_fds[1], "x", 1), 1);
	pthread_join(waiter.id, NULL);
	close(waiter.pipe_fds[0]);
	close(waiter.pipe_fds[1]);
}
END_TEST

Suite *rs_suite_starvation(void)
{
	Suite *s = suite_create("starvation");
	TCase *t = tcase_create("starvation");

	tcase_add_test(t, waits_that_ended_count_when_they_end);
	tcase_add_test(t, a_wait_that_goes_on_counts_once);
	tcase_add_test(t, half_a_second_of_waiting_is_a_starved_second);
	tcase_add_test(t, one_that_counts_late_is_starved_itself);
	tcase_add_test(t, a_runnable_thread_is_told_from_a_blocked_one);
	tcase_add_test(t, a_thread_that_waits_for_a_disk_goes_on_by_itself);
	suite_add_tcase(s, t);
	return s;
}
