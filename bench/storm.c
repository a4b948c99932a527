// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm - makes events as fast as the kernel lets it
 *
 *	storm MODE [-j THREADS] [-n ROUNDS]
 *
 *	getppid  the cheapest system call: two events a round
 *	mix      getppid, one byte into a pipe and out of it; a fresh page every 16th round
 *	pipe     pairs of threads that hand a byte to and fro: system calls, wakings, switches
 *
 * ROUNDS is for each thread: the work is fixed, so that two runs can be compared.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_THREADS 256
#define MIX_PAGES 256
#define MIX_TOUCH 16 /* rounds between two fresh pages */

struct thread {
	pthread_t id;
	long nr_rounds;
	int in, out;      /* pipe: this thread's ends */
	bool begins;      /* pipe: it writes first */
	bool failed;
};

static void run_getppid(struct thread *t)
{
	for (long i = 0; i < t->nr_rounds; i++)
		syscall(SYS_getppid);
}

static bool hand_over(int to, int from)
{
	char byte = 0;

	return write(to, &byte, 1) == 1 && read(from, &byte, 1) == 1;
}

static bool take_over(int from, int to)
{
	char byte = 0;

	return read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1;
}

/* Pages are given back before they are touched anew: each touch is a fault. */
static void touch_fresh(volatile char *pages, size_t page_bytes, long nr)
{
	long page = nr % MIX_PAGES;

	if (!page)
		madvise((void *)pages, MIX_PAGES * page_bytes, MADV_DONTNEED);
	pages[page * (long)page_bytes] = 1;
}

static void run_mix(struct thread *t)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, MIX_PAGES * page_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ends[2];

	t->failed = pages == MAP_FAILED || pipe(ends) < 0;
	if (t->failed)
		return;
	madvise(pages, MIX_PAGES * page_bytes, MADV_NOHUGEPAGE);
	for (long i = 0; i < t->nr_rounds && !t->failed; i++) {
		syscall(SYS_getppid);
		t->failed = !hand_over(ends[1], ends[0]);
		if (i % MIX_TOUCH == 0)
			touch_fresh(pages, page_bytes, i / MIX_TOUCH);
	}
	munmap(pages, MIX_PAGES * page_bytes);
	close(ends[0]);
	close(ends[1]);
}

static void run_pipe(struct thread *t)
{
	for (long i = 0; i < t->nr_rounds && !t->failed; i++)
		t->failed = t->begins ? !hand_over(t->out, t->in) : !take_over(t->in, t->out);
	close(t->out); /* a partner that still waits is not to wait for ever */
}

static int join_by_pipes(struct thread *threads, unsigned int nr)
{
	for (unsigned int i = 0; i + 1 < nr; i += 2) {
		int there[2], back[2];

		if (pipe(there) < 0 || pipe(back) < 0)
			return -1;
		threads[i].out = there[1];
		threads[i].in = back[0];
		threads[i].begins = true;
		threads[i + 1].out = back[1];
		threads[i + 1].in = there[0];
	}
	return 0;
}

static const struct mode {
	const char *name;
	void (*run)(struct thread *t);
	bool pairs;
} modes[] = {
	{ "getppid", run_getppid, false },
	{ "mix", run_mix, false },
	{ "pipe", run_pipe, true },
};

static const struct mode *mode_of(const char *name)
{
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(modes[i].name, name))
			return &modes[i];
	return NULL;
}

struct start {
	const struct mode *mode;
	struct thread *thread;
};

static void *body(void *arg)
{
	struct start *start = arg;

	start->mode->run(start->thread);
	return NULL;
}

static int run(const struct mode *mode, unsigned int nr, long nr_rounds)
{
	static struct thread threads[MAX_THREADS];
	static struct start starts[MAX_THREADS];
	bool failed = false;

	for (unsigned int i = 0; i < nr; i++)
		threads[i].nr_rounds = nr_rounds;
	if (mode->pairs && join_by_pipes(threads, nr) < 0) {
		perror("storm: pipe");
		return 1;
	}
	for (unsigned int i = 0; i < nr; i++) {
		starts[i] = (struct start){ mode, &threads[i] };
		errno = pthread_create(&threads[i].id, NULL, body, &starts[i]);
		if (errno) {
			perror("storm: cannot start a thread");
			return 1;
		}
	}
	for (unsigned int i = 0; i < nr; i++) {
		pthread_join(threads[i].id, NULL);
		failed |= threads[i].failed;
	}
	return failed;
}

int main(int argc, char **argv)
{
	const struct mode *mode = argc > 1 ? mode_of(argv[1]) : NULL;
	long nr_rounds = 100000, nr_threads = 1;
	int opt;

	optind = 2;
	while (mode && (opt = getopt(argc, argv, "j:n:")) != -1) {
		if (opt == 'j')
			nr_threads = atol(optarg);
		else if (opt == 'n')
			nr_rounds = atol(optarg);
		else
			mode = NULL;
	}
	if (mode && mode->pairs)
		nr_threads += nr_threads % 2;
	if (!mode || nr_rounds < 1 || nr_threads < 1 || nr_threads > MAX_THREADS) {
		fputs("usage: storm getppid|mix|pipe [-j THREADS] [-n ROUNDS]\n", stderr);
		return 2;
	}
	return run(mode, (unsigned int)nr_threads, nr_rounds);
}
