// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * squeeze [-m LEFT] [-r READERS] [-w] FILE - takes all memory but LEFT MiB, and reads FILE through what is left
 *
 * The readers want pages faster than the kernel's own reclaimer makes them free:
 * they have to do it themselves. For a small machine of one's own, without swap.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "sample.h"

static long available_mib(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kib = 0;

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "MemAvailable: %ld", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib / 1024;
}

static void take(long mib)
{
	size_t bytes = (size_t)mib << 20;
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap of %ld MiB: %s", mib, strerror(errno));
	for (size_t at = 0; at < bytes; at += 4096)
		p[at] = 1;
}

static void read_all(const char *path)
{
	static char buf[1 << 20];
	int fd = open(path, O_RDONLY);

	prctl(PR_SET_NAME, "reader");
	if (fd < 0)
		die("%s: %s", path, strerror(errno));
	while (read(fd, buf, sizeof buf) > 0)
		;
}

int main(int argc, char **argv)
{
	long left = 24, readers = 4;
	int opt, told = 0;

	while ((opt = getopt(argc, argv, "m:r:w")) >= 0) {
		if (opt == 'm')
			left = number(optarg);
		else if (opt == 'r')
			readers = number(optarg);
		else if (opt == 'w')
			told = 1;
		else
			return 2;
	}
	if (optind + 1 != argc)
		return 2;
	wait_to_be_told(told);
	if (available_mib() > left)
		take(available_mib() - left);
	for (long i = 0; i < readers; i++)
		if (fork() == 0) {
			read_all(argv[optind]);
			_exit(0);
		}
	for (long i = 0; i < readers; i++)
		wait(NULL);
	printf("pid=%d left=%ld readers=%ld\n", (int)getpid(), left, readers);
	return 0;
}
