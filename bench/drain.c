// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * drain - the live floor: what tracing itself costs, and the cheapest way to take the events away
 *
 *	drain ring|filter|read SYSTEM:EVENT,... COMMAND [ARGUMENT...]
 *
 *	ring    the events go round in the buffer and nobody reads them
 *	filter  the same, with a filter on system calls that leaves drain itself out
 *	read    a SCHED_FIFO thread for each CPU reads pages and forgets them
 *
 * An instance of its own with the kernel's default buffer and ringside's clock,
 * which goes at the end; its name is one that `ringside cleanup` knows, and the
 * open files keep a starting ringside from taking it away. Prints one line:
 * "events=N lost=N bytes=N cpu_ns=N", cpu_ns the readers' own.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACEFS "/sys/kernel/tracing"
#define MAX_CPUS 1024
#define PAGE_BYTES 4096
#define COMMIT_MASK 0xfffff
#define ROUND_MS 50

static char instance[128];
static atomic_bool ended;

struct reader {
	pthread_t thread;
	int fd;
	uint64_t nr_bytes;
};

/* ---- tracefs ---- */

static int open_file(const char *name, int flags)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", instance, name);
	return open(path, flags | O_CLOEXEC);
}

static int put(const char *name, const char *text)
{
	int fd = open_file(name, O_WRONLY);
	int ret = fd < 0 || write(fd, text, strlen(text)) < 0 ? -1 : 0;

	if (ret)
		fprintf(stderr, "drain: %s/%s: %s\n", instance, name, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ret;
}

/* "sched:sched_switch,block:block_rq_issue": cut up where it stands. */
static int enable(char *events)
{
	char *save = NULL, name[192];

	for (char *one = strtok_r(events, ",", &save); one; one = strtok_r(NULL, ",", &save)) {
		char *colon = strchr(one, ':');

		if (!colon)
			return -1;
		*colon = '/';
		snprintf(name, sizeof name, "events/%s/enable", one);
		if (put(name, "1") < 0)
			return -1;
	}
	return 0;
}

static int make_instance(char *events)
{
	snprintf(instance, sizeof instance, TRACEFS "/instances/ringside-bench-%d", getpid());
	if (mkdir(instance, 0750) < 0) {
		fprintf(stderr, "drain: %s: %s\n", instance, strerror(errno));
		instance[0] = '\0';
		return -1;
	}
	return put("tracing_on", "0") || put("trace_clock", "boot") || put("buffer_percent", "10") ||
	       enable(events);
}

static void remove_instance(void)
{
	if (!instance[0])
		return;
	put("events/enable", "0");
	if (rmdir(instance) < 0)
		fprintf(stderr, "drain: %s stays: %s (ringside cleanup removes it)\n", instance,
			strerror(errno));
}

/* Where a filter is, the kernel writes each event to a buffer of its own first. */
static int filter_self(void)
{
	static const char *const names[] = { "sys_enter", "sys_exit" };
	char file[64], filter[64];

	snprintf(filter, sizeof filter, "common_pid > %d || common_pid < %d", getpid(), getpid());
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(file, sizeof file, "events/raw_syscalls/%s/filter", names[i]);
		if (put(file, filter) < 0)
			return -1;
	}
	return 0;
}

struct totals {
	uint64_t events, lost;
};

/* Lines "name: number" of one CPU's stats. */
static void add_stats(int cpu, struct totals *sum)
{
	static const char *const lost[] = { "overrun", "commit overrun", "dropped events" };
	char path[64], line[128];
	FILE *file = NULL;
	int fd;

	snprintf(path, sizeof path, "per_cpu/cpu%d/stats", cpu);
	fd = open_file(path, O_RDONLY);
	if (fd >= 0)
		file = fdopen(fd, "r");
	while (file && fgets(line, sizeof line, file)) {
		char *colon = strchr(line, ':');
		uint64_t n = colon ? strtoull(colon + 1, NULL, 10) : 0;

		if (!colon)
			continue;
		*colon = '\0';
		if (!strcmp(line, "entries") || !strcmp(line, "read events"))
			sum->events += n;
		for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
			if (!strcmp(line, lost[i]))
				sum->lost += n;
	}
	if (file)
		fclose(file);
}

/* ---- reading ---- */

/* Until the CPU is empty, or the page was one that the kernel still writes. */
static void read_pages(struct reader *r)
{
	uint8_t page[PAGE_BYTES];
	uint64_t commit;

	while (read(r->fd, page, sizeof page) > 0) {
		memcpy(&commit, page + 8, sizeof commit);
		commit &= COMMIT_MASK;
		r->nr_bytes += commit;
		if (commit < PAGE_BYTES / 2 && !atomic_load(&ended))
			break;
	}
}

static void *reader_main(void *arg)
{
	struct pollfd p = { .fd = ((struct reader *)arg)->fd, .events = POLLIN };
	bool last;

	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
	do {
		last = atomic_load(&ended);
		if (!last)
			poll(&p, 1, ROUND_MS);
		read_pages(arg);
	} while (!last);
	return NULL;
}

static void start_readers(struct reader *readers, int nr)
{
	for (int i = 0; i < nr; i++) {
		char name[64];

		snprintf(name, sizeof name, "per_cpu/cpu%d/trace_pipe_raw", i);
		readers[i].fd = open_file(name, O_RDONLY | O_NONBLOCK);
		if (readers[i].fd < 0 || pthread_create(&readers[i].thread, NULL, reader_main, &readers[i])) {
			perror(name);
			exit(1); /* the threads before it go with us; `ringside cleanup` takes the rest */
		}
	}
}

static uint64_t join_readers(struct reader *readers, int nr)
{
	uint64_t nr_bytes = 0;

	for (int i = 0; i < nr; i++) {
		pthread_join(readers[i].thread, NULL);
		close(readers[i].fd);
		nr_bytes += readers[i].nr_bytes;
	}
	return nr_bytes;
}

/* ---- one run ---- */

static int run(char **argv)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		execvp(argv[0], argv);
		fprintf(stderr, "drain: %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) != pid ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static uint64_t own_cpu_ns(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
	       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

static int measure(bool reads, char **command)
{
	static struct reader readers[MAX_CPUS];
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), holder = open_file("tracing_on", O_RDONLY), ret;
	struct totals sum = { 0 };
	uint64_t nr_bytes = 0, before_ns = own_cpu_ns();

	if (nr_cpus > MAX_CPUS)
		nr_cpus = MAX_CPUS;
	if (reads)
		start_readers(readers, nr_cpus);
	if (put("tracing_on", "1") < 0)
		return 1;
	ret = run(command);
	put("tracing_on", "0");
	atomic_store(&ended, true);
	if (reads)
		nr_bytes = join_readers(readers, nr_cpus);
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		add_stats(cpu, &sum);
	close(holder);
	printf("events=%" PRIu64 " lost=%" PRIu64 " bytes=%" PRIu64 " cpu_ns=%" PRIu64 "\n",
	       sum.events + sum.lost, sum.lost, nr_bytes, own_cpu_ns() - before_ns);
	return ret;
}

int main(int argc, char **argv)
{
	bool reads = argc > 1 && !strcmp(argv[1], "read"), filters = argc > 1 && !strcmp(argv[1], "filter");
	int ret = 1;

	if (argc < 4 || (!reads && !filters && strcmp(argv[1], "ring"))) {
		fputs("usage: drain ring|filter|read SYSTEM:EVENT,... COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	/* what ends the command must leave us alive to clean up */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	if (make_instance(argv[2]) == 0 && (!filters || filter_self() == 0))
		ret = measure(reads, argv + 3);
	remove_instance();
	return ret;
}
