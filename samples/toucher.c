// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * toucher [-n PAGES] [-k PAGES] [-m PAGES -f FILE] [-s] [-w] - touches pages that are not there yet
 *
 * -n: so many of its own memory, one fault each (never a huge page). -k: likewise,
 * but the kernel touches them, for read(2). -m: so many of a file that was put out
 * of the page cache, one wait for the disk each; the file is made, and goes.
 * -s: stays, with all that it has, until it is ended. Prints what its own books
 * say of the faults of the time in between.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "sample.h"

static long page_bytes;

static char *fresh(long pages)
{
	char *at = mmap(NULL, (size_t)(pages * page_bytes), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	madvise(at, (size_t)(pages * page_bytes), MADV_NOHUGEPAGE); /* EINVAL: a kernel without huge pages */
	return at;
}

static void touch(volatile char *at, long pages)
{
	for (long i = 0; i < pages; i++)
		at[i * page_bytes] = 1;
}

/* /dev/zero is copied from the kernel's own code: the fault is the kernel's. */
static void let_kernel_touch(char *at, long pages)
{
	int fd = open("/dev/zero", O_RDONLY);

	for (long i = 0; i < pages; i++)
		if (read(fd, at + i * page_bytes, 1) != 1)
			die("/dev/zero: %s", strerror(errno));
	close(fd);
}

static const volatile char *cold_file(const char *path, long pages)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	char *block = calloc(1, (size_t)page_bytes), *at;

	if (fd < 0 || !block)
		die("%s: %s", path, strerror(errno));
	unlink(path);
	for (long i = 0; i < pages; i++)
		if (write(fd, block, (size_t)page_bytes) != page_bytes)
			die("%s: %s", path, strerror(errno));
	free(block);
	fsync(fd); /* what is dirty stays in the cache */
	at = mmap(NULL, (size_t)(pages * page_bytes), PROT_READ, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	madvise(at, (size_t)(pages * page_bytes), MADV_RANDOM); /* no page but the one that is asked for */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return at;
}

static long read_all(const volatile char *at, long pages)
{
	long sum = 0;

	for (long i = 0; i < pages; i++)
		sum += at[i * page_bytes];
	return sum;
}

int main(int argc, char **argv)
{
	long pages = 0, kernels = 0, cold = 0;
	const volatile char *file = NULL;
	const char *path = NULL;
	struct rusage before, after;
	int opt, told = 0, stays = 0;
	char *own, *lent;

	while ((opt = getopt(argc, argv, "n:k:m:f:sw")) >= 0) {
		if (opt == 'n')
			pages = number(optarg);
		else if (opt == 'k')
			kernels = number(optarg);
		else if (opt == 'm')
			cold = number(optarg);
		else if (opt == 'f')
			path = optarg;
		else if (opt == 's')
			stays = 1;
		else if (opt == 'w')
			told = 1;
		else
			return 2;
	}
	page_bytes = sysconf(_SC_PAGESIZE);
	own = fresh(pages + 1);
	lent = fresh(kernels + 1);
	if (cold)
		file = cold_file(path ? path : "toucher.cold", cold);
	wait_to_be_told(told);
	getrusage(RUSAGE_SELF, &before);
	touch(own, pages);
	let_kernel_touch(lent, kernels);
	if (file && read_all(file, cold))
		die("the file has changed");
	getrusage(RUSAGE_SELF, &after);
	printf("pid=%d pages=%ld kernel_pages=%ld minor=%ld major=%ld page_bytes=%ld\n", (int)getpid(), pages,
	       kernels, after.ru_minflt - before.ru_minflt, after.ru_majflt - before.ru_majflt, page_bytes);
	fflush(stdout);
	if (stays)
		pause();
	return 0;
}
