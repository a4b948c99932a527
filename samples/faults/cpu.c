// SPDX-License-Identifier: GPL-2.0-or-later
/* cpu.c - the verbs that spend time: on a CPU, asleep, in timers and time-outs, in children and signals */
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "stage.h"

static double cpu_turns_per_us;
static volatile unsigned long cpu_sink;

static void cpu_turn(long turns)
{
	for (long i = 0; i < turns; i++)
		cpu_sink += (unsigned long)i;
}

/*
 * Work is counted in turns of a loop, so that a task that has to share its CPU takes longer. The best of ten
 * tries.
 */
void cpu_calibrate(void)
{
	enum { TURNS = 200000 };

	for (int i = 0; i < 10; i++) {
		long begin = now_us(), us;

		cpu_turn(TURNS);
		us = now_us() - begin;
		if (us > 0 && (double)TURNS / (double)us > cpu_turns_per_us)
			cpu_turns_per_us = (double)TURNS / (double)us;
	}
}

static void cpu_burn(struct player *player, struct step *step)
{
	cpu_turn((long)((double)step_number(player, step, 0) * cpu_turns_per_us));
}

static void cpu_sleep(struct player *player, struct step *step)
{
	sleep_us(step_number(player, step, 0));
}

static void cpu_yield(struct player *player, struct step *step)
{
	(void)player, (void)step;
	sched_yield();
}

static void cpu_tick(struct player *player, struct step *step)
{
	unsigned long expirations;

	(void)player;
	if (!step->fd) {
		long ns = 1000000000 / step->numbers[0];
		struct itimerspec every = { { ns / 1000000000, ns % 1000000000 }, { 0, 1 } };

		step->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
		if (step->fd < 0 || timerfd_settime(step->fd, 0, &every, NULL))
			die("timerfd: %s", strerror(errno));
	}
	if (read(step->fd, &expirations, sizeof expirations) != sizeof expirations)
		die("timerfd: %s", strerror(errno));
}

static void cpu_on_signal(int signo)
{
	(void)signo;
}

static void cpu_handle(int signo)
{
	struct sigaction action = { .sa_handler = cpu_on_signal, .sa_flags = SA_RESTART };

	sigaction(signo, &action, NULL);
}

/* Before any player begins: no signal comes too early. */
static void cpu_prepare_signals(struct step *step, int nr_players)
{
	(void)step, (void)nr_players;
	cpu_handle(SIGALRM);
	cpu_handle(SIGUSR1);
}

static void cpu_alarm(struct player *player, struct step *step)
{
	long us = step->numbers[0];
	struct itimerval every = { { us / 1000000, us % 1000000 }, { 0, 1 } };

	(void)player;
	if (!step->fd && setitimer(ITIMER_REAL, &every, NULL))
		die("setitimer: %s", strerror(errno));
	step->fd = 1;
	pause();
}

static void cpu_pause(struct player *player, struct step *step)
{
	(void)player, (void)step;
	pause();
}

static void cpu_signal(struct player *player, struct step *step)
{
	struct actor *to = players_find(step->words[0]);

	(void)player;
	while (!__atomic_load_n(&to->plays[0].tid, __ATOMIC_RELAXED))
		sleep_us(1000);
	kill(to->plays[0].tid, SIGUSR1);
}

/* The end of a pipe into which nobody writes. */
static int cpu_silent_fd(struct step *step)
{
	int fds[2];

	if (!step->fd) {
		if (pipe2(fds, O_NONBLOCK))
			die("pipe: %s", strerror(errno));
		step->fd = fds[0];
	}
	return step->fd;
}

static void cpu_poll(struct player *player, struct step *step)
{
	struct pollfd silent = { cpu_silent_fd(step), POLLIN, 0 };

	poll(&silent, 1, (int)(step_number(player, step, 0) / 1000));
}

static void cpu_epoll(struct player *player, struct step *step)
{
	struct epoll_event event = { .events = EPOLLIN };

	(void)player;
	if (!step->position) {
		int silent = cpu_silent_fd(step);

		step->fd = epoll_create1(0);
		if (step->fd < 0 || epoll_ctl(step->fd, EPOLL_CTL_ADD, silent, &event))
			die("epoll: %s", strerror(errno));
		step->position = 1;
	}
	epoll_wait(step->fd, &event, 1, (int)(step->numbers[0] / 1000));
}

static void cpu_again(struct player *player, struct step *step)
{
	char c;

	(void)player;
	if (read(cpu_silent_fd(step), &c, 1) >= 0 || errno != EAGAIN)
		die("the read of a silent pipe did not fail");
}

static void cpu_await(struct player *player, struct step *step)
{
	static unsigned nobodys;
	long us = step_number(player, step, 0);
	struct timespec length = { us / 1000000, us % 1000000 * 1000 };

	syscall(SYS_futex, &nobodys, FUTEX_WAIT_PRIVATE, 0, &length, NULL, 0);
}

static void cpu_run(struct player *player, struct step *step)
{
	(void)player;
	players_run_called(players_find(step->words[0]));
}

static void cpu_exec(struct player *player, struct step *step)
{
	char *argv[] = { (char *)(size_t)step->words[0], NULL }, *none[] = { NULL };
	pid_t pid;

	(void)player;
	if (posix_spawn(&pid, step->words[0], NULL, NULL, argv, none))
		die("%s cannot be run", step->words[0]);
	waitpid(pid, NULL, 0);
}

const struct verb cpu_verbs[] = {
	{ "burn", "US [US]: work that takes so long on a CPU of its own", 0, 1, NULL, cpu_burn },
	{ "sleep", "US [US]: clock_nanosleep", 0, 1, NULL, cpu_sleep },
	{ "yield", ": sched_yield", 0, 0, NULL, cpu_yield },
	{ "tick", "HZ: reads a timerfd that expires so often", 0, 1, NULL, cpu_tick },
	{ "alarm", "US: waits for the next SIGALRM of setitimer", 0, 1, cpu_prepare_signals, cpu_alarm },
	{ "pause", ": waits for a signal", 0, 0, cpu_prepare_signals, cpu_pause },
	{ "signal", "ACTOR: sends it SIGUSR1", 1, 1, cpu_prepare_signals, cpu_signal },
	{ "poll", "US [US]: poll of a silent pipe with that time-out", 0, 1, NULL, cpu_poll },
	{ "epoll", "US: epoll_wait with that time-out, 0: returns at once", 0, 1, NULL, cpu_epoll },
	{ "again", ": a read that fails with EAGAIN", 0, 0, NULL, cpu_again },
	{ "await", "US [US]: a futex wait that times out", 0, 1, NULL, cpu_await },
	{ "run", "ACTOR: a child that performs ACTOR (+called) once, waited for", 1, 1, NULL, cpu_run },
	{ "exec", "PATH: a child that executes PATH, waited for", 1, 1, NULL, cpu_exec },
	{ 0 },
};
