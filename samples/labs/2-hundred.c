// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * 2-hundred [-n TASKS] [-r ROUNDS] [-k PAGES] threads|processes - the same work by threads, or by processes
 *
 * Each of 100 tasks maps PAGES (16), writes to each and unmaps them, 50 times. Threads do that in one address
 * space, processes each in their own.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../sample.h"

static long hundred_tasks = 100, hundred_rounds = 50, hundred_pages = 16;

static void *hundred_work(void *arg)
{
	long page = sysconf(_SC_PAGESIZE);

	for (long r = 0; r < hundred_rounds; r++) {
		size_t bytes = (size_t)(hundred_pages * page);
		volatile char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
					 0);

		if (at == MAP_FAILED)
			die("mmap: %s", strerror(errno));
		madvise((void *)at, bytes, MADV_NOHUGEPAGE); /* EINVAL: a kernel without huge pages */
		for (long p = 0; p < hundred_pages; p++)
			at[p * page] = 1;
		munmap((void *)at, bytes);
	}
	return arg;
}

static void hundred_threads(void)
{
	pthread_t *threads = calloc((size_t)hundred_tasks, sizeof *threads);

	for (long i = 0; i < hundred_tasks; i++)
		if (!threads || pthread_create(&threads[i], NULL, hundred_work, NULL))
			die("thread %ld cannot be created", i);
	for (long i = 0; i < hundred_tasks; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void hundred_processes(void)
{
	for (long i = 0; i < hundred_tasks; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork: %s", strerror(errno));
		if (!pid) {
			hundred_work(NULL);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	long begin, faults;
	struct rusage own, of_children;
	int by_threads;

	options(argc, argv, "nrk", &hundred_tasks, &hundred_rounds, &hundred_pages);
	if (optind != argc - 1 || (strcmp(argv[optind], "threads") && strcmp(argv[optind], "processes")))
		die("usage: 2-hundred [-n TASKS] [-r ROUNDS] [-k PAGES] threads|processes");
	by_threads = !strcmp(argv[optind], "threads");
	begin = now_us();
	if (by_threads)
		hundred_threads();
	else
		hundred_processes();
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &of_children);
	faults = own.ru_minflt + of_children.ru_minflt;
	printf("%s=%ld touched=%ld faults=%ld ms=%ld\n", argv[optind], hundred_tasks,
	       hundred_tasks * hundred_rounds * hundred_pages, faults, (now_us() - begin) / 1000);
	return 0;
}
