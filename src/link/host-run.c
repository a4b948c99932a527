// SPDX-License-Identifier: GPL-2.0-or-later
/* host-run - a command on other machines at once: a thread for each, which waits for its ssh */
#include "link/host-run.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/close.h"
#include "link/greeting.h"
#include "link/host-child.h"
#include "link/link.h"

#define HOST_RUN_PATIENCE_S 5
#define HOST_RUN_BYTES (64u << 10)
#define HOST_RUN_SSH_FAILED 255  /* its exit status */

struct host_run_one {
	struct host_run *run;
	size_t number;
	struct rs_host_child child;
	struct rs_host_clock clock;
	bool begun;              /* .child.out_fd is the main thread's from now on */
	bool has_thread;
	pthread_t thread;
};

struct host_run {
	const struct rs_host_run_config *config;
	int *statuses;
	pthread_mutex_t lock;
	pthread_cond_t greeted;
	size_t nr_expected;      /* have neither greeted nor failed */
	size_t nr_running;       /* threads */
	uint64_t now_ns;         /* when they began; 0: not yet */
	bool stopped;
	int ended_fd;
	struct host_run_one at[RS_HOSTS_MAX];
};

/* ---- up to the begin ---- */

static uint64_t host_run_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void host_run_note_greeted(struct host_run *run)
{
	run->nr_expected--;
	pthread_cond_broadcast(&run->greeted);
}

/* Under the lock: until all are there, or the first of them will not wait longer. */
static void host_run_wait_for_others(struct host_run *run)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += HOST_RUN_PATIENCE_S;
	while (run->nr_expected && !run->now_ns &&
	       pthread_cond_timedwait(&run->greeted, &run->lock, &until) != ETIMEDOUT)
		;
	if (!run->now_ns)
		run->now_ns = host_run_now_ns();
	pthread_cond_broadcast(&run->greeted);
}

static void host_run_begin(struct host_run_one *one)
{
	struct host_run *run = one->run;
	char words[RS_GREETING_LINE_BYTES - 16] = "";

	pthread_mutex_lock(&run->lock);
	host_run_note_greeted(run);
	host_run_wait_for_others(run);
	run->config->begin(run->config->arg, one->number,
			   &(struct rs_host_run_begin){ run->now_ns, &one->clock }, words, sizeof words);
	rs_greeting_begin(one->child.out_fd, words);
	one->begun = true;
	pthread_mutex_unlock(&run->lock);
}

static void host_run_fail(struct host_run_one *one, const char *why)
{
	struct host_run *run = one->run;

	pthread_mutex_lock(&run->lock);
	if (!one->begun)
		host_run_note_greeted(run);
	run->statuses[one->number] = RS_FAILED;
	run->config->failed(run->config->arg, one->number, why);
	pthread_mutex_unlock(&run->lock);
}

/* ---- what they print ---- */

/*
 * Under the lock. The first time the end of their input ends the commands; who has not begun, and the second
 * time all, go.
 */
static void host_run_stop(struct host_run *run)
{
	for (size_t i = 0; i < run->config->nr; i++) {
		struct host_run_one *one = &run->at[i];

		if (one->child.pid && (run->stopped || !one->begun))
			kill(one->child.pid, SIGTERM);
		if (one->begun)
			rs_close(&one->child.out_fd);
	}
	run->stopped = true;
}

typedef bool host_run_take(void *arg, size_t host, const char *bytes, size_t len);

/* Reads once. False: it has come to its end. */
static bool host_run_read(struct host_run_one *one, int *fd, host_run_take *take)
{
	struct host_run *run = one->run;
	char bytes[HOST_RUN_BYTES];
	ssize_t n = read(*fd, bytes, sizeof bytes);

	if (n < 0 && errno == EINTR)
		return true;
	pthread_mutex_lock(&run->lock);
	if (!take(run->config->arg, one->number, bytes, n > 0 ? (size_t)n : 0) && !run->stopped)
		host_run_stop(run);
	pthread_mutex_unlock(&run->lock);
	if (n <= 0)
		rs_close(fd);
	return n > 0;
}

static void host_run_read_all(struct host_run_one *one)
{
	struct rs_host_child *child = &one->child;

	while (child->in_fd >= 0 || child->err_fd >= 0) {
		struct pollfd fds[] = { { .fd = child->in_fd, .events = POLLIN },
					{ .fd = child->err_fd, .events = POLLIN } };

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (fds[1].revents)
			host_run_read(one, &child->err_fd, one->run->config->errors);
		if (fds[0].revents)
			host_run_read(one, &child->in_fd, one->run->config->output);
	}
}

/* ---- one host, from its begin to its end ---- */

/* Reaps it under the lock, so that a signal never goes to another process of its number. */
static int host_run_reap(struct host_run_one *one)
{
	siginfo_t info;
	int status;

	while (waitid(P_PID, (id_t)one->child.pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	pthread_mutex_lock(&one->run->lock);
	status = rs_host_child_end(&one->child);
	pthread_mutex_unlock(&one->run->lock);
	return status;
}

static void host_run_give_up(struct host_run_one *one, const char *before)
{
	char why[400], said[250] = "";

	kill(one->child.pid, SIGTERM);
	host_run_reap(one);
	if (one->child.err_fd >= 0)
		rs_link_last_line(one->child.err_fd, said, sizeof said);
	snprintf(why, sizeof why, "%.120s%s%s", before, *said ? ": " : "", said);
	host_run_fail(one, why);
}

/* What ringside ends with is passed on. All else is ssh's, or the shell's there. */
static void host_run_end(struct host_run_one *one)
{
	int status = host_run_reap(one);
	char why[100];

	if (WIFEXITED(status) && WEXITSTATUS(status) <= RS_CHECK_FAILED) {
		one->run->statuses[one->number] = WEXITSTATUS(status);
	} else if (WIFEXITED(status) && WEXITSTATUS(status) == HOST_RUN_SSH_FAILED) {
		host_run_fail(one, "the connection is lost");
	} else {
		snprintf(why, sizeof why, "ringside ended there by %s %d",
			 WIFEXITED(status) ? "status" : "signal",
			 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
		host_run_fail(one, why);
	}
}

static void *host_run_one(void *arg)
{
	struct host_run_one *one = arg;
	struct rs_error err = { 0 };

	if (rs_greeting_expect(one->child.in_fd, &err) == 0 &&
	    rs_greeting_ask_clock(one->child.in_fd, one->child.out_fd, &one->clock, &err) == 0) {
		host_run_begin(one);
		host_run_read_all(one);
		host_run_end(one);
	} else {
		host_run_give_up(one, err.text);
	}
	rs_close(&one->child.err_fd);
	pthread_mutex_lock(&one->run->lock);
	if (!--one->run->nr_running)
		eventfd_write(one->run->ended_fd, 1);
	pthread_mutex_unlock(&one->run->lock);
	return NULL;
}

/* ---- all of them ---- */

static void host_run_wait(struct host_run *run, const sigset_t *signals)
{
	struct pollfd fds[] = { { .fd = run->ended_fd, .events = POLLIN },
				{ .fd = signalfd(-1, signals, SFD_CLOEXEC), .events = POLLIN } };
	struct signalfd_siginfo info;

	while ((poll(fds, 2, -1) >= 0 || errno == EINTR) && !fds[0].revents) {
		if (!fds[1].revents || read(fds[1].fd, &info, sizeof info) != sizeof info)
			continue;
		pthread_mutex_lock(&run->lock);
		host_run_stop(run);
		pthread_mutex_unlock(&run->lock);
	}
	rs_close(&fds[1].fd);
}

static void host_run_fail_to_start(struct host_run *run, size_t number, const char *why)
{
	run->statuses[number] = RS_FAILED;
	run->config->failed(run->config->arg, number, why);
}

/* Before there are threads: a child that forks has no lock of another thread's. */
static void host_run_start_children(struct host_run *run)
{
	const struct rs_host_run_config *config = run->config;
	const struct rs_host_child_config child = { config->line, config->nr == 1, config->errors };

	for (size_t i = 0; i < config->nr; i++) {
		struct rs_error err = { 0 };

		if (rs_host_child_begin(&run->at[i].child, &config->hosts[i], &child, &err) < 0)
			host_run_fail_to_start(run, i, err.text);
	}
}

/* Under the lock, so that all are counted before one of them ends. */
static void host_run_start_threads(struct host_run *run)
{
	for (size_t i = 0; i < run->config->nr; i++) {
		struct host_run_one *one = &run->at[i];

		if (!one->child.pid)
			continue;
		one->run = run;
		one->number = i;
		one->has_thread = pthread_create(&one->thread, NULL, host_run_one, one) == 0;
		run->nr_expected += one->has_thread;
		if (one->has_thread)
			continue;
		kill(one->child.pid, SIGTERM);
		rs_host_child_end(&one->child);
		rs_close(&one->child.err_fd);
		host_run_fail_to_start(run, i, "out of threads");
	}
	run->nr_running = run->nr_expected;
}

int rs_host_run(const struct rs_host_run_config *config, int statuses[RS_HOSTS_MAX], struct rs_error *err)
{
	struct host_run run = { .config = config, .statuses = statuses, .lock = PTHREAD_MUTEX_INITIALIZER,
				.greeted = PTHREAD_COND_INITIALIZER };
	sigset_t signals, before;
	bool any;

	for (size_t i = 0; i < config->nr; i++)
		if (rs_host_check(&config->hosts[i], err) < 0)
			return -1;
	run.ended_fd = eventfd(0, EFD_CLOEXEC);
	if (run.ended_fd < 0)
		return rs_fail(err, "cannot wait for hosts: %s", strerror(errno));
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &signals, &before);
	host_run_start_children(&run);
	pthread_mutex_lock(&run.lock);
	host_run_start_threads(&run);
	any = run.nr_running;
	pthread_mutex_unlock(&run.lock);
	if (any)
		host_run_wait(&run, &signals);
	for (size_t i = 0; i < config->nr; i++)
		if (run.at[i].has_thread)
			pthread_join(run.at[i].thread, NULL);
	rs_close(&run.ended_fd);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return 0;
}
