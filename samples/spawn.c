// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spawn [-p PROCESSES] [-t THREADS] [-h] [-w] - processes that have threads, one after the other, all with
 * names
 *
 * Process i is called "proc-i", its threads "p-i-t-k"; each sleeps once. With -h
 * the names are ones that a terminal, JSON or CSV must never get as they are.
 * With -w, threads "before-k" of the first process are there before the tracer.
 */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sample.h"

#define MAX_THREADS 64

static const char *const hostile[] = {
	"\033[2J\033[31mred", "\"}\\,\n\t{", "\xff\xfe\xc0\xaf", "n\xc3\xa9\xe2\x86\x92",
	"\xe2\x80\xae" "evil", "=cmd|' /C'!",
	"a b=c", "\x7f\x01\x9b" "31m",
};
#define NR_HOSTILE (sizeof hostile / sizeof *hostile)

static int is_hostile;
static pthread_barrier_t begin, end;

static void name_self(const char *fmt, long i, long k)
{
	char name[64];

	snprintf(name, sizeof name, fmt, i, k);
	prctl(PR_SET_NAME, is_hostile ? hostile[(i + k) % NR_HOSTILE] : name);
}

struct thread {
	pthread_t id;
	long process, number;
};

static void print_thread(const struct thread *t)
{
	char name[16];

	prctl(PR_GET_NAME, name);
	flockfile(stdout);
	printf("pid=%d tid=%d name=", (int)getpid(), (int)syscall(SYS_gettid));
	for (const char *p = name; *p; p++)
		printf("%02x", (unsigned char)*p);
	printf(" number=%ld\n", t->number);
	funlockfile(stdout);
}

static void *one(void *arg)
{
	const struct thread *t = arg;

	name_self("p-%ld-t-%ld", t->process, t->number);
	sleep_us(500);
	print_thread(t);
	return NULL;
}

static void process(long i, long threads)
{
	struct thread t[MAX_THREADS] = { 0 }, self = { .process = i, .number = -1 };

	name_self("proc-%ld", i, 0);
	for (long k = 0; k < threads; k++) {
		t[k].process = i;
		t[k].number = k;
		if (pthread_create(&t[k].id, NULL, one, &t[k]))
			die("no thread");
	}
	for (long k = 0; k < threads; k++)
		pthread_join(t[k].id, NULL);
	sleep_us(500);
	print_thread(&self);
	fflush(stdout);
}

/* Is there before the tracer, does something while it looks, and is still there after it. */
static void *before(void *arg)
{
	const struct thread *t = arg;

	name_self("before-%2$ld", 0, t->number);
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&end);
	sleep_us(500);
	print_thread(t);
	return NULL;
}

int main(int argc, char **argv)
{
	long processes = 4, threads = 3;
	struct thread t[MAX_THREADS] = { 0 };
	int opt, told = 0;

	while ((opt = getopt(argc, argv, "p:t:hw")) >= 0) {
		if (opt == 'p')
			processes = number(optarg);
		else if (opt == 't')
			threads = number(optarg);
		else if (opt == 'h')
			is_hostile = 1;
		else if (opt == 'w')
			told = 1;
		else
			return 2;
	}
	if (threads > MAX_THREADS)
		die("at most %d threads", MAX_THREADS);
	pthread_barrier_init(&begin, NULL, (unsigned int)threads + 1);
	pthread_barrier_init(&end, NULL, (unsigned int)threads + 1);
	for (long k = 0; told && k < threads; k++) {
		t[k].number = k;
		if (pthread_create(&t[k].id, NULL, before, &t[k]))
			die("no thread");
	}
	if (told)
		pthread_barrier_wait(&begin);
	wait_to_be_told(told);
	if (told)
		pthread_barrier_wait(&end);
	for (long k = 0; told && k < threads; k++)
		pthread_join(t[k].id, NULL);
	fflush(stdout);
	for (long i = 0; i < processes; i++) {
		pid_t child = fork();

		if (child < 0)
			die("fork: %s", strerror(errno));
		if (!child) {
			process(i, threads);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return 0;
}
