// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * acceptors epoll|exclusive|cond THREADS [US] - each US (2000) a client connects, or something is put into a
 * queue, and threads "acceptor" wait for it: all are woken (epoll, cond), or one (exclusive)
 */
#include <netinet/in.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "load.h"

static const char *mode;
static int door;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_work = PTHREAD_COND_INITIALIZER;
static unsigned int nr_queued;

static void *take_work(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&mutex);
		while (!nr_queued)
			pthread_cond_wait(&has_work, &mutex);
		nr_queued--;
		pthread_mutex_unlock(&mutex);
		load_work(150);
	}
	return arg;
}

static void serve(int client)
{
	char request[64];

	if (read(client, request, sizeof request) > 0) {
		load_work(100);
		if (write(client, request, 10) < 0)
			die("write: %s", strerror(errno));
	}
	close(client);
}

static void *accept_clients(void *arg)
{
	struct epoll_event event = { .events = EPOLLIN | *(unsigned int *)arg };
	int set = epoll_create1(0), client;

	if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, door, &event))
		die("epoll: %s", strerror(errno));
	for (;;) {
		epoll_wait(set, &event, 1, -1);
		client = accept(door, NULL, NULL);
		if (client >= 0)
			serve(client);
	}
	return arg;
}

static void put_work(long us)
{
	for (;; sleep_us(us)) {
		pthread_mutex_lock(&mutex);
		nr_queued++;
		pthread_cond_broadcast(&has_work);
		pthread_mutex_unlock(&mutex);
	}
}

static void connect_often(const struct sockaddr_in *to, long us)
{
	char answer[64] = "GET";

	prctl(PR_SET_NAME, "client");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;; sleep_us(us)) {
		int s = socket(AF_INET, SOCK_STREAM, 0);

		if (connect(s, (const struct sockaddr *)to, sizeof *to) || write(s, answer, 10) < 0 ||
		    read(s, answer, sizeof answer) < 0)
			die("client: %s", strerror(errno));
		close(s);
	}
}

int main(int argc, char **argv)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof addr;
	unsigned int flags;
	long us;

	if (argc < 3)
		die("usage: acceptors epoll|exclusive|cond THREADS [US]");
	mode = argv[1];
	us = argc > 3 ? number(argv[3]) : 2000;
	flags = !strcmp(mode, "exclusive") ? EPOLLEXCLUSIVE : 0;
	door = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (bind(door, (struct sockaddr *)&addr, len) || listen(door, 64) ||
	    getsockname(door, (struct sockaddr *)&addr, &len))
		die("listen: %s", strerror(errno));
	load_calibrate();
	for (long i = number(argv[2]); i; i--)
		load_thread(*mode == 'c' ? take_work : accept_clients, "acceptor", &flags);
	if (*mode == 'c')
		put_work(us);
	if (!fork())
		connect_often(&addr, us);
	wait(NULL);
	return 1;
}
