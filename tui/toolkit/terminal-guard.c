// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * terminal-guard.c - handles signals while the program uses the terminal
 *
 * A signal that asks for something (resize, stop, end) sets a flag and writes to a pipe, so that poll wakes
 * up even if the signal arrives just before it. A signal that kills first restores the terminal, with bytes
 * prepared beforehand: a handler may call write and tcsetattr, but no ncurses function.
 */
#include "tui/toolkit/terminal-parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/monotonic.h"

static const int asking[] = { SIGWINCH, SIGTSTP, SIGCONT };
static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
/* With SIGQUIT, for a program that hangs. The last four also end a program by default. */
static const int killing[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP, SIGQUIT,
			       SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM };

static struct {
	int fd;
	pid_t owner; /* a forked child inherits the handlers, but does not own the terminal */
	struct termios before;
	char leave[512];
	size_t leave_len;
	int pipe[2];
	struct sigaction old[NSIG];
	int64_t ended_ms;
	volatile sig_atomic_t open, active, ended;
	unsigned int requests; /* RS_GUARD_* that have arrived; atomic */
	stack_t old_stack;
} guard = { .fd = -1, .pipe = { -1, -1 } };

/* The thread that crashed may have used up its stack. */
static char crash_stack[65536] __attribute__((aligned(16)));

/* ---- in signal handlers ---- */

/* Waits at most 200 ms: a stopped terminal must not keep the program from ending. */
static void write_leave(void)
{
	struct pollfd pfd = { .fd = guard.fd, .events = POLLOUT };

	if (poll(&pfd, 1, 200) == 1 && (pfd.revents & POLLOUT))
		(void)!write(guard.fd, guard.leave, guard.leave_len);
}

static void guard_restore(void)
{
	if (!guard.active || getpid() != guard.owner)
		return;
	guard.active = 0;
	write_leave();
	tcflush(guard.fd, TCIFLUSH); /* the shell must not run keys that were typed for this program */
	tcsetattr(guard.fd, TCSANOW, &guard.before);
}

static void terminal_guard_wake(void)
{
	(void)!write(guard.pipe[1], "", 1); /* if it is full, it is readable already */
}

static void guard_on_request(int sig)
{
	int saved = errno;

	__atomic_fetch_or(&guard.requests,
			  sig == SIGWINCH ? RS_GUARD_RESIZED :
			  sig == SIGCONT  ? RS_GUARD_CONTINUED :
					    RS_GUARD_STOP,
			  __ATOMIC_RELAXED);
	terminal_guard_wake();
	errno = saved;
}

/*
 * Handles the signal as the previous handler did (a sanitizer's report), or as the default. A fault occurs
 * again when this returns, with its address; other signals are raised again.
 */
static void guard_redeliver(int sig, const siginfo_t *info)
{
	bool fault = info->si_code > 0 && (sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL);

	sigaction(sig, &guard.old[sig], NULL);
	if (!fault)
		raise(sig); /* delivered when the handler returns */
}

/*
 * sudo, and a terminal that closes, send two signals at a time. Only a later one means that the program
 * ignored the first.
 */
static void on_ending(int sig, siginfo_t *info, void *context)
{
	int saved = errno;

	if (!guard.ended) {
		guard.ended_ms = rs_monotonic_ms();
		guard.ended = sig;
	} else if (rs_monotonic_ms() - guard.ended_ms >= 500) {
		guard_restore();
		guard_redeliver(sig, info);
	}
	terminal_guard_wake();
	errno = saved;
}

static void on_killing(int sig, siginfo_t *info, void *context)
{
	guard_restore();
	guard_redeliver(sig, info);
}

/* ---- set up ---- */

static void guard_catch(const int *signals, size_t nr, void (*handler)(int),
			void (*with_info)(int, siginfo_t *, void *))
{
	for (size_t i = 0; i < nr; i++) {
		struct sigaction act = { .sa_flags = SA_RESTART | SA_ONSTACK | (with_info ? SA_SIGINFO : 0) };
		struct sigaction *old = &guard.old[signals[i]];

		sigaction(signals[i], NULL, old);
		if (old->sa_handler == SIG_IGN && signals[i] != SIGWINCH && signals[i] != SIGCONT)
			continue; /* ignored by nohup or by a shell for a background job */
		if (with_info)
			act.sa_sigaction = with_info;
		else
			act.sa_handler = handler;
		sigfillset(&act.sa_mask);
		sigaction(signals[i], &act, NULL);
	}
}

#define NR(signals) (sizeof signals / sizeof signals[0])

static void guard_release(const int *signals, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		sigaction(signals[i], &guard.old[signals[i]], NULL);
}

static void use_crash_stack(void)
{
	stack_t stack = { .ss_sp = crash_stack, .ss_size = sizeof crash_stack };

	sigaltstack(&stack, &guard.old_stack);
}

int rs_terminal_guard_open(int fd, const char *leave, size_t len, struct rs_error *err)
{
	static bool at_exit;

	if (tcgetattr(fd, &guard.before) < 0)
		return rs_fail(err, "cannot read the terminal's modes: %s", strerror(errno));
	if (pipe2(guard.pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return rs_fail(err, "cannot make a pipe: %s", strerror(errno));
	guard.fd = fd;
	guard.owner = getpid();
	guard.leave_len = len < sizeof guard.leave ? len : sizeof guard.leave;
	memcpy(guard.leave, leave, guard.leave_len);
	guard.requests = 0;
	guard.ended = guard.active = 0;
	use_crash_stack();
	guard_catch(asking, NR(asking), guard_on_request, NULL);
	guard_catch(ending, NR(ending), NULL, on_ending);
	guard_catch(killing, NR(killing), NULL, on_killing);
	guard.open = 1;
	if (!at_exit)
		at_exit = !atexit(guard_restore); /* for code that calls exit() */
	return 0;
}

void rs_terminal_guard_close(void)
{
	if (!guard.open)
		return;
	guard.open = guard.active = 0;
	guard_release(asking, NR(asking));
	guard_release(ending, NR(ending));
	guard_release(killing, NR(killing));
	sigaltstack(&guard.old_stack, NULL);
	close(guard.pipe[0]);
	close(guard.pipe[1]);
	guard.pipe[0] = guard.pipe[1] = -1;
}

void rs_terminal_guard_active(bool active)
{
	guard.active = active;
}

/* ---- signals that arrived ---- */

int rs_terminal_guard_fd(void)
{
	return guard.pipe[0];
}

unsigned int rs_terminal_guard_take(void)
{
	char bytes[256];

	while (read(guard.pipe[0], bytes, sizeof bytes) > 0)
		;
	return __atomic_exchange_n(&guard.requests, 0, __ATOMIC_RELAXED);
}

int rs_terminal_guard_ended(void)
{
	return guard.ended;
}

void rs_terminal_guard_end(int sig)
{
	if (!guard.ended) {
		guard.ended_ms = rs_monotonic_ms();
		guard.ended = sig;
	}
}

/* In an orphaned process group the kernel ignores the stop: this returns at once. */
void rs_terminal_guard_stop_now(void)
{
	struct sigaction ours;

	sigaction(SIGTSTP, &guard.old[SIGTSTP], &ours);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
}
