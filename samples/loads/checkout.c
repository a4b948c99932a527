// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * checkout N KIND [US [FILE]] - "shop" sends N requests to "checkout", each when the last was answered; each
 * takes 2 ms of CPU time, and US (5000) more of KIND: none, cpu, sleep, disk (writes and syncs of FILE until
 * they have taken so long), lock (that "holder" has), peer ("store", who is asked), neighbor ("importer", on
 * the same CPU), link ("store" in the network namespace FILE, at LINK_ADDRESS: how long that takes is up to
 * the link)
 *
 * Says what the extra took, as measured here: "requests=200 extra_us=5012 took_us=7089".
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "load.h"

#define BASE_US 2000
#define BLOCK 4096
#define LINK_ADDRESS "10.77.83.2"
#define LINK_PORT 7183
#define LINK_BYTES 12500     /* of an answer */

static long us = 5000;
static int ask[2], helper;
static const char *path;
static struct shared {
	pthread_mutex_t lock;
} *shared;

static void burn(long len_us)
{
	struct timespec t;
	long begin;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	begin = t.tv_sec * 1000000 + t.tv_nsec / 1000;
	do {
		load_turn(20000);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000000 + t.tv_nsec / 1000 < begin + len_us);
}

static void doze(long len_us)
{
	nanosleep(&(struct timespec){ len_us / 1000000, len_us % 1000000 * 1000 }, NULL);
}

static void notify(int fd)
{
	if (write(fd, "x", 1) != 1)
		die("write: %s", strerror(errno));
}

static void receive(int fd)
{
	char x;

	if (read(fd, &x, 1) != 1)
		exit(0); /* who would ask is gone */
}

static void pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof set, &set);
}

/* ---- the helpers: each is asked, does it, and answers ---- */

static void hold(int fd)
{
	pthread_mutex_lock(&shared->lock);
	notify(fd);
	doze(us);
	pthread_mutex_unlock(&shared->lock);
}

static void store(int fd)
{
	burn(us);
	notify(fd);
}

/* On the same CPU and before everybody else: who is asked answers only when it has run. */
static void import(int fd)
{
	(void)fd;
	burn(us);
}

static void start(const char *name, void (*serve)(int fd), int on_cpu)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		die("socketpair: %s", strerror(errno));
	helper = ends[0];
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, name);
	close(ends[0]);
	close(ask[0]);
	close(ask[1]);
	if (on_cpu) {
		pin();
		sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 5 });
	}
	for (;;) {
		receive(ends[1]);
		serve(ends[1]);
	}
}

/* ---- the extras ---- */

static void extra_none(void)
{
}

static void extra_cpu(void)
{
	burn(us);
}

static void extra_sleep(void)
{
	doze(us);
}

static void extra_disk(void)
{
	static char *block;
	static int fd = -1;
	long begin = now_us();

	if (fd < 0) {
		fd = open(path, O_RDWR | O_CREAT | O_DIRECT, 0600);
		if (fd < 0 || posix_memalign((void **)&block, BLOCK, BLOCK))
			die("%s: %s", path, strerror(errno));
	}
	do
		if (pwrite(fd, block, BLOCK, 0) != BLOCK || fdatasync(fd) < 0)
			die("%s: %s", path, strerror(errno));
	while (now_us() < begin + us);
}

static void extra_lock(void)
{
	notify(helper);
	receive(helper);
	pthread_mutex_lock(&shared->lock);
	pthread_mutex_unlock(&shared->lock);
}

static void extra_peer(void)
{
	notify(helper);
	receive(helper);
}

static void extra_neighbor(void)
{
	notify(helper);
}

/* ---- over a link: the helper is in another network namespace ---- */

static struct sockaddr_in link_address(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(LINK_PORT) };

	inet_pton(AF_INET, LINK_ADDRESS, &address.sin_addr);
	return address;
}

static int link_listen(void)
{
	struct sockaddr_in address = link_address();
	int fd, on = 1;

	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
		die("%s: %s", path, strerror(errno));
	fd = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 1) < 0)
		die("listen: %s", strerror(errno));
	return fd;
}

static void link_answer(int fd)
{
	static char answer[LINK_BYTES];

	if (write(fd, answer, sizeof answer) != sizeof answer)
		die("write: %s", strerror(errno));
}

/* The helper listens before anybody asks: it says so on a pipe. */
static void link_start(void)
{
	struct sockaddr_in address = link_address();
	int ready[2], fd;

	if (pipe(ready) < 0)
		die("pipe: %s", strerror(errno));
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, "store");
		fd = link_listen();
		notify(ready[1]);
		fd = accept(fd, NULL, NULL);
		for (;;) {
			receive(fd);
			link_answer(fd);
		}
	}
	receive(ready[0]);
	helper = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(helper, (struct sockaddr *)&address, sizeof address) < 0)
		die("connect: %s", strerror(errno));
}

static void extra_link(void)
{
	static char answer[LINK_BYTES];

	notify(helper);
	if (recv(helper, answer, sizeof answer, MSG_WAITALL) != sizeof answer)
		die("recv: %s", strerror(errno));
}

static const struct {
	const char *kind;
	void (*extra)(void);
	const char *name;
	void (*serve)(int fd);
	int on_cpu;
	void (*start)(void);
} kinds[] = {
	{ .kind = "none", .extra = extra_none },
	{ .kind = "cpu", .extra = extra_cpu },
	{ .kind = "sleep", .extra = extra_sleep },
	{ .kind = "disk", .extra = extra_disk },
	{ .kind = "lock", .extra = extra_lock, .name = "holder", .serve = hold },
	{ .kind = "peer", .extra = extra_peer, .name = "store", .serve = store },
	{ .kind = "link", .extra = extra_link, .start = link_start },
	{ .kind = "neighbor", .extra = extra_neighbor, .name = "importer", .serve = import, .on_cpu = 1 },
};

static long checkout(int fd, void (*extra)(void))
{
	long begin, took;

	receive(fd);
	burn(BASE_US);
	begin = now_us();
	extra();
	took = now_us() - begin;
	notify(fd);
	return took;
}

static void shop(int fd, long nr)
{
	long begin = now_us();

	prctl(PR_SET_NAME, "shop");
	for (long i = 0; i < nr; i++) {
		notify(fd);
		receive(fd);
	}
	printf("took_us=%ld ", (now_us() - begin) / nr);
	fflush(stdout);
}

static void share(void)
{
	pthread_mutexattr_t attr;

	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->lock, &attr);
}

static void serve_all(size_t kind, long nr)
{
	long all_us = 0;

	if (kinds[kind].start)
		kinds[kind].start();
	if (kinds[kind].serve)
		start(kinds[kind].name, kinds[kind].serve, kinds[kind].on_cpu);
	if (kinds[kind].on_cpu)
		pin();
	for (long i = 0; i < nr; i++)
		all_us += checkout(ask[1], kinds[kind].extra);
	printf("requests=%ld extra_us=%ld\n", nr, all_us / nr);
}

int main(int argc, char **argv)
{
	size_t kind = 0;
	pid_t client;
	long nr;

	if (argc < 3)
		die("usage: checkout N KIND [US [FILE]]");
	nr = number(argv[1]);
	while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].kind, argv[2]) != 0)
		kind++;
	if (kind == sizeof kinds / sizeof *kinds)
		die("checkout: no kind %s", argv[2]);
	us = argc > 3 ? number(argv[3]) : us;
	path = argc > 4 ? argv[4] : "checkout.data";
	share();
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ask) < 0)
		die("socketpair: %s", strerror(errno));
	client = fork();
	if (!client) {
		close(ask[1]);
		shop(ask[0], nr);
		_exit(0);
	}
	close(ask[0]);
	serve_all(kind, nr);
	waitpid(client, NULL, 0);
	return 0;
}
