// SPDX-License-Identifier: GPL-2.0-or-later
/* What the engine's process may still do behind its filter, and what not: each in a child of its own. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/sandbox.h"
#include "skip.h"

/* A sanitizer's runtime makes calls of its own that the filter is not for. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#define NOT_SANITIZED() \
	do { \
		if (SANITIZED) \
			SKIP("the runtime of a sanitizer makes calls of its own"); \
	} while (0)

Suite *rs_suite_sandbox(void);

enum { FINE, REFUSED, WRONG };

/* How the child ended that did it behind the filter. */
static int behind(int (*does)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct rs_sandbox sb = { 0 };
		struct rs_error err = { 0 };

		rs_sandbox_begin(&sb);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		signal(SIGSYS, SIG_DFL);
		_exit(rs_sandbox_enter(&sb, &err) < 0 ? WRONG : does());
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int judge(long ret)
{
	return ret >= 0 ? FINE : errno == EPERM ? REFUSED : WRONG;
}

static int opens_for_writing(void) { return judge(open("/tmp/ringside-sandbox", O_WRONLY | O_CREAT, 0600)); }
static int opens_both_ways(void) { return judge(open("/dev/null", O_RDWR)); }
static int opens_a_temporary(void) { return judge(open("/tmp", O_TMPFILE | O_WRONLY, 0600)); }
static int opens_for_reading(void) { return judge(open("/proc/self/stat", O_RDONLY | O_CLOEXEC)); }
static int connects(void) { return judge(socket(AF_UNIX, SOCK_STREAM, 0)); }
static int forks(void) { return judge(fork()); }
static int kills_another(void) { return judge(kill(getppid(), 0)); }
static int kills_itself(void) { return judge(kill(getpid(), 0)); }
static int becomes_root(void) { return judge(setresuid(0, 0, 0)); }
static int makes_code(void) { return judge((long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1 ? -1 : 0); }
static int traces(void) { return judge(syscall(SYS_ptrace, 0, 0, 0, 0)); }

static int execs(void)
{
	char *argv[] = { (char *)"true", NULL };

	execv("/bin/true", argv);
	return WRONG;
}

static void *in_thread(void *arg)
{
	void *p = malloc(100000);

	*(int *)arg = judge(open("/dev/null", O_RDWR)) == REFUSED && p;
	free(p);
	return NULL;
}

/* One that is begun later lives, and is behind the filter, too. */
static int makes_a_thread(void)
{
	int refused = 0;
	pthread_t t;

	if (pthread_create(&t, NULL, in_thread, &refused) || pthread_join(t, NULL))
		return WRONG;
	return refused ? FINE : WRONG;
}

static pthread_barrier_t barrier;

static void *waits(void *arg)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return in_thread(arg);
}

static int does_nothing(void) { return FINE; }

START_TEST(what_runs_may_go_on)
{
	NOT_SANITIZED();
	ck_assert_int_eq(behind(does_nothing), FINE);
	ck_assert_int_eq(behind(opens_for_reading), FINE);
	ck_assert_int_eq(behind(makes_a_thread), FINE);
	ck_assert_int_eq(behind(kills_itself), FINE);
}
END_TEST

START_TEST(what_is_not_needed_is_refused)
{
	NOT_SANITIZED();
	ck_assert_int_eq(behind(opens_for_writing), REFUSED);
	ck_assert_int_eq(behind(opens_both_ways), REFUSED);
	ck_assert_int_eq(behind(opens_a_temporary), REFUSED);
	ck_assert_int_eq(behind(connects), REFUSED);
	ck_assert_int_eq(behind(forks), REFUSED);
	ck_assert_int_eq(behind(kills_another), REFUSED);
	ck_assert_int_eq(behind(makes_code), REFUSED);
}
END_TEST

START_TEST(what_an_intruder_would_do_kills)
{
	NOT_SANITIZED();
	ck_assert_int_eq(behind(execs), -SIGSYS);
	ck_assert_int_eq(behind(becomes_root), -SIGSYS);
	ck_assert_int_eq(behind(traces), -SIGSYS);
}
END_TEST

/* A thread that was there before, as the readers are. */
START_TEST(threads_that_exist_are_behind_it_too)
{
	NOT_SANITIZED();
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct rs_sandbox sb = { 0 };
		struct rs_error err = { 0 };
		int refused = 0;
		pthread_t t;

		rs_sandbox_begin(&sb);
		pthread_barrier_init(&barrier, NULL, 2);
		pthread_create(&t, NULL, waits, &refused);
		pthread_barrier_wait(&barrier);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (rs_sandbox_enter(&sb, &err) < 0)
			_exit(2);
		pthread_barrier_wait(&barrier);
		pthread_join(t, NULL);
		_exit(refused ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

Suite *rs_suite_sandbox(void)
{
	Suite *s = suite_create("sandbox");
	TCase *t = tcase_create("sandbox");

	tcase_add_test(t, what_runs_may_go_on);
	tcase_add_test(t, what_is_not_needed_is_refused);
	tcase_add_test(t, what_an_intruder_would_do_kills);
	tcase_add_test(t, threads_that_exist_are_behind_it_too);
	suite_add_tcase(s, t);
	return s;
}
