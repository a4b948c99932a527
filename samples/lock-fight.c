// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lock-fight [-n ROUNDS] [-t MICROSECONDS] [-w] - a lock of the kernel that is held while another waits,
 * ROUNDS times
 *
 * "holder" writes to a pipe from a page that is not there. The kernel takes the
 * pipe's mutex, copies, faults, and waits with the mutex held until this program
 * hands out the page (userfaultfd). Meanwhile "waiter" writes to the same pipe:
 * its one wait for the mutex begins before it is seen asleep, and ends after the
 * page was handed out, MICROSECONDS later, by a wake-up of the holder's.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "sample.h"

static int pipe_fds[2], faults;
static char *page;
static long page_bytes;

struct actor {
	const char *name;
	int from_the_page;  /* the holder's write is */
	long rounds;
	sem_t go, done;
	int tid;
};

static void take(sem_t *s)
{
	while (sem_wait(s) < 0)
		;
}

static void *act(void *arg)
{
	struct actor *a = arg;

	prctl(PR_SET_NAME, a->name);
	a->tid = (int)gettid();
	sem_post(&a->done);
	for (long i = 0; i < a->rounds; i++) {
		take(&a->go);
		if (write(pipe_fds[1], a->from_the_page ? page : "x", 1) != 1)
			die("write: %s", strerror(errno));
		sem_post(&a->done);
	}
	return NULL;
}

static void begin(struct actor *a, pthread_t *thread)
{
	sem_init(&a->go, 0, 0);
	sem_init(&a->done, 0, 0);
	if (pthread_create(thread, NULL, act, a))
		die("cannot start %s", a->name);
	take(&a->done);
}

/* Uninterruptible: in the mutex, since it does nothing else that could make it wait so. */
static int sleeps_in_d(int tid)
{
	char path[64], text[512], *state;
	FILE *f;
	size_t len;

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	len = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	text[len] = '\0';
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'D';
}

static void watch_page(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register watched = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	page_bytes = sysconf(_SC_PAGESIZE);
	page = mmap(NULL, (size_t)page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (page == MAP_FAILED || faults < 0 || ioctl(faults, UFFDIO_API, &api) < 0)
		die("no userfaultfd: %s", strerror(errno));
	watched.range.start = (unsigned long)page;
	watched.range.len = (unsigned long)page_bytes;
	if (ioctl(faults, UFFDIO_REGISTER, &watched) < 0)
		die("userfaultfd: %s", strerror(errno));
}

/* One round: the page is away, the holder faults, the waiter waits, the page comes. */
static void fight(struct actor *holder, struct actor *waiter, long us)
{
	struct uffdio_zeropage give = { .range = { (unsigned long)page, (unsigned long)page_bytes } };
	struct uffd_msg fault;
	char text[2];

	madvise(page, (size_t)page_bytes, MADV_DONTNEED);
	sem_post(&holder->go);
	if (read(faults, &fault, sizeof fault) != sizeof fault)
		die("read of a fault: %s", strerror(errno));
	sem_post(&waiter->go);
	while (!sleeps_in_d(waiter->tid))
		sleep_us(200);
	sleep_us(us);
	if (ioctl(faults, UFFDIO_ZEROPAGE, &give) < 0)
		die("UFFDIO_ZEROPAGE: %s", strerror(errno));
	take(&holder->done);
	take(&waiter->done);
	if (read(pipe_fds[0], text, 2) != 2)
		die("read: %s", strerror(errno));
}

int main(int argc, char **argv)
{
	long rounds = 20, us = 2000;
	struct actor holder = { .name = "holder", .from_the_page = 1 }, waiter = { .name = "waiter" };
	pthread_t threads[2];
	int told = options(argc, argv, "nt", &rounds, &us);

	wait_to_be_told(told);
	if (pipe(pipe_fds) < 0)
		die("pipe: %s", strerror(errno));
	watch_page();
	holder.rounds = waiter.rounds = rounds;
	begin(&holder, &threads[0]);
	begin(&waiter, &threads[1]);
	for (long i = 0; i < rounds; i++)
		fight(&holder, &waiter, us);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	printf("pid=%d holder=%d waiter=%d rounds=%ld us=%ld\n", (int)getpid(), holder.tid, waiter.tid,
	       rounds, us);
	return 0;
}
