// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * capture-signals - what ends or stops a capture comes through a descriptor, and what it changed is as before
 * at the end
 */
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/close.h"
#include "capture/capture-parts.h"

static void capture_signals_ignore(int sig, struct sigaction *before)
{
	struct sigaction action = { .sa_handler = SIG_IGN };

	sigaction(sig, &action, before);
}

void rs_capture_signals_done(struct rs_signals *s)
{
	rs_close(&s->fd);
	sigaction(SIGPIPE, &s->pipe_before, NULL);
	sigaction(SIGXFSZ, &s->xfsz_before, NULL);
	sigaction(SIGCHLD, &s->chld_before, NULL);
	pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}

/*
 * Blocked before there are threads, so that every thread inherits it and only the signalfd sees them. SIGINT
 * is taken even if a shell ignores it for what it starts with &: scripts end a recording with kill -INT.
 * SIGHUP is left alone under nohup, unless it means a reload.
 */
int rs_capture_signals_take(struct rs_signals *s, bool hup_too, struct rs_error *err)
{
	struct sigaction hup, chld = { .sa_handler = SIG_DFL };

	s->fd = -1;
	sigemptyset(&s->ours);
	sigaddset(&s->ours, SIGINT);
	sigaddset(&s->ours, SIGTERM);
	sigaddset(&s->ours, SIGTSTP);
	sigaction(SIGHUP, NULL, &hup);
	if (hup_too || hup.sa_handler != SIG_IGN)
		sigaddset(&s->ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &s->ours, &s->before);
	capture_signals_ignore(SIGPIPE, &s->pipe_before); /* EPIPE says it better */
	capture_signals_ignore(SIGXFSZ, &s->xfsz_before); /* so does EFBIG */
	/* an inherited SIG_IGN would throw the command's status away */
	sigaction(SIGCHLD, &chld, &s->chld_before);
	s->fd = signalfd(-1, &s->ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0) {
		rs_fail(err, "cannot watch for signals: %s", strerror(errno));
		rs_capture_signals_done(s);
		return -1;
	}
	return 0;
}

int rs_capture_signals_next(struct rs_signals *s)
{
	struct signalfd_siginfo si;
	ssize_t n;

	do {
		n = read(s->fd, &si, sizeof si);
	} while (n < 0 && errno == EINTR);
	return n == sizeof si ? (int)si.ssi_signo : 0;
}

/*
 * By the signal itself, not SIGSTOP: the shell prints its usual message, and a process without one does not
 * stop for ever.
 */
void rs_capture_signals_stop_self(void)
{
	struct sigaction before, action = { .sa_handler = SIG_DFL };
	sigset_t stop, mask;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigaction(SIGTSTP, &action, &before);
	kill(getpid(), SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, &mask); /* stops here until SIGCONT */
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGTSTP, &before, NULL);
}

void rs_capture_signals_give_back(struct rs_signals *s)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	sigaction(SIGINT, &action, NULL); /* see above: it may have been ignored, and must work now */
	pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}
