// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waiters [-n TIMES] [-w] - waits in known functions: outer_pipe() for a byte, outer_futex() for a wake-up,
 * outer_vfork() for a child
 *
 * Another process ends each wait 2 ms after it was begun. A function that calls the library is hidden by it
 * where that has no frames, so each has a caller. Prints how often the task left its CPU in each, but to be
 * preempted, as the kernel counts it.
 */
#include <linux/futex.h>
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sample.h"

static int to_other[2], from_other[2];
static uint32_t *word;

static void other_process(void)
{
	char what;

	while (read(to_other[0], &what, 1) == 1) {
		usleep(2000);
		if (what == 'p' && write(from_other[1], &what, 1) != 1)
			_exit(1);
		__atomic_store_n(word, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
	_exit(0);
}

static void ask(char what)
{
	__atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
	if (write(to_other[1], &what, 1) != 1)
		die("cannot ask");
}

__attribute__((noinline, noclone)) static int inner_pipe(void)
{
	char got;

	return (int)read(from_other[0], &got, 1) - 1;
}

__attribute__((noinline, noclone)) static int outer_pipe(void)
{
	ask('p');
	return inner_pipe() + 1;
}

__attribute__((noinline, noclone)) static int inner_futex(void)
{
	while (!__atomic_load_n(word, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
	return 0;
}

__attribute__((noinline, noclone)) static int outer_futex(void)
{
	ask('f');
	return inner_futex() + 1;
}

__attribute__((noinline, noclone)) static int inner_vfork(void)
{
	long end = now_us() + 2000;
	int reaped;
	pid_t pid = vfork();

	if (!pid) {
		while (now_us() < end) /* it waits in no function of its own */
			;
		_exit(0);
	}
	/*
	 * It has woken this task and is about to end. To wait for that could be a wait that is over before
	 * the CPU is left, which the kernel counts and a trace does not have.
	 */
	while (!(reaped = waitpid(pid, NULL, WNOHANG)))
		sched_yield();
	return reaped == pid ? 0 : -1;
}

__attribute__((noinline, noclone)) static int outer_vfork(void)
{
	return inner_vfork() + 1;
}

static long times_left(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_nvcsw;
}

static long wait_often(int (*outer)(void), long nr)
{
	long before = times_left();

	while (nr-- > 0)
		if (!outer())
			die("a wait failed");
	return times_left() - before;
}

int main(int argc, char **argv)
{
	long nr = 10, left[3];
	int told = options(argc, argv, "n", &nr);

	word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (word == MAP_FAILED || pipe(to_other) < 0 || pipe(from_other) < 0)
		die("cannot make pipes");
	if (!fork()) {
		close(to_other[1]);
		other_process();
	}
	wait_to_be_told(told);
	left[0] = wait_often(outer_pipe, nr);
	left[1] = wait_often(outer_futex, nr);
	left[2] = wait_often(outer_vfork, nr);
	printf("pid=%d pipe=%ld futex=%ld vfork=%ld\n", (int)getpid(), left[0], left[1], left[2]);
	return 0;
}
