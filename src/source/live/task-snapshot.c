// SPDX-License-Identifier: GPL-2.0-or-later
/* task-snapshot - the initial task snapshot: the tasks that exist when a capture begins, from /proc */
#include "source/live/task-snapshot.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/own-name.h"
#include "base/terminal-path.h"
#include "base/vector.h"
#include "source/live/proc.h"
#include "source/trace-clock.h"

#define PF_KTHREAD 0x00200000 /* field 9 of stat; the value is the kernel's and old */

struct rs_initial_task *rs_task_snapshot_add(struct rs_task_snapshot *snapshot)
{
	struct rs_initial_task *initial = RS_VECTOR_ADD(&snapshot->row, &snapshot->nr, &snapshot->room);

	if (initial)
		*initial = (struct rs_initial_task){ 0 };
	return initial;
}

/*
 * /proc adds to a worker's name what it works on, "kworker/0:1-events"; events
 * have the bare name. A rescuer, "kworker/R-writeb", has its dash from birth.
 */
static void cut_worker_name(struct rs_initial_task *initial)
{
	const char *at = initial->comm + strlen("kworker/");

	if (initial->kernel_thread && !strncmp(initial->comm, "kworker/", strlen("kworker/")) && *at != 'R')
		initial->comm[strcspn(initial->comm, "-+")] = '\0';
}

/*
 * "123 (a) b) S 1 ..." - the name may hold brackets and spaces, so it ends at the
 * last bracket. Returns how many threads the process has; 0 for what is no stat.
 */
static long parse_stat(char *text, size_t len, struct rs_initial_task *initial)
{
	char *begin = memchr(text, '(', len), *end = memrchr(text, ')', len);
	unsigned long long major, start;
	unsigned int flags;
	size_t comm_len;
	long nr_threads;

	if (!begin || !end || end < begin)
		return 0;
	/*
	 * state PPID pgrp session tty tpgid FLAGS, faults: minor, of children, MAJOR, of children, four
	 * times, priority nice NUM_THREADS itrealvalue STARTTIME
	 */
	if (sscanf(end + 1, " %c %d %*d %*d %*d %*d %u %*u %*u %llu %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu",
		   &initial->letter, &initial->ppid, &flags, &major, &nr_threads, &start) != 6)
		return 0;
	initial->stat_known = true;
	initial->nr_major_faults = major;
	initial->start_ticks = start;
	comm_len = (size_t)(end - begin) - 1;
	if (comm_len > sizeof initial->comm - 1)
		comm_len = sizeof initial->comm - 1;
	memcpy(initial->comm, begin + 1, comm_len);
	initial->comm[comm_len] = '\0';
	initial->kernel_thread = flags & PF_KTHREAD;
	cut_worker_name(initial);
	return nr_threads;
}

/* ticks since boot, suspend included, in the trace's clock; before its begin: its begin. */
static uint64_t task_snapshot_start_ns(const clockid_t *clock, uint64_t ticks)
{
	uint64_t age_ns, now_ns = rs_trace_clock_ns(*clock), boot_ns = rs_trace_clock_ns(CLOCK_BOOTTIME);
	uint64_t tick_ns = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);

	if (ticks > boot_ns / tick_ns)
		return 0;
	age_ns = boot_ns - ticks * tick_ns;
	return age_ns < now_ns ? now_ns - age_ns : 1;
}

struct scan {
	struct rs_task_snapshot *snapshot;
	const clockid_t *clock;
	const pid_t *own_pids;
	size_t nr_own_pids;
	const struct rs_initial_waits *waits; /* NULL: not asked for */
	uint8_t abi;             /* of the process whose threads are read */
};

static bool task_snapshot_is_own(const struct scan *s, pid_t pid)
{
	for (size_t i = 0; i < s->nr_own_pids; i++)
		if (s->own_pids[i] == pid)
			return true;
	return false;
}

static bool is_listed(const int32_t *list, size_t nr, int32_t id)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i] == id)
			return true;
	return false;
}

/* Reads the first line of a file beside the one at path. */
static void read_beside(int dir_fd, const char *path, const char *name, char *text, size_t size_bytes)
{
	const char *slash = strrchr(path, '/');
	char beside[80];

	snprintf(beside, sizeof beside, "%.*s/%s", slash ? (int)(slash - path) : 0, path, name);
	rs_proc_read(dir_fd, beside, text, size_bytes);
	text[strcspn(text, "\n")] = '\0';
}

/* "0 0x3 0x7f.. 0x1000 0x0 0x0 0x0 SP PC", "-1 SP PC", or "running" */
static bool parse_syscall(const char *text, struct rs_initial_wait *wait)
{
	unsigned long long args[6];
	long long nr;

	wait->syscall = -1;
	if (!strcmp(text, "running"))
		return false;
	if (sscanf(text, "%lld %llx %llx %llx %llx %llx %llx", &nr, &args[0], &args[1], &args[2], &args[3],
		   &args[4], &args[5]) != 7)
		return true;
	wait->syscall = nr;
	for (int i = 0; i < 6; i++)
		wait->args[i] = args[i];
	return true;
}

/* Room for one more; NULL: no memory */
static struct rs_initial_wait *task_snapshot_add_wait(struct rs_task_snapshot *snapshot)
{
	struct rs_initial_wait *wait;

	if (!RS_VECTOR_RESERVE(&snapshot->waits, &snapshot->waits_room, snapshot->nr_waits + 1))
		return NULL;
	wait = malloc(sizeof *wait);
	if (wait)
		snapshot->waits[snapshot->nr_waits++] = wait;
	return wait;
}

/*
 * Can this be a read of a terminal? True for the functions where such a read sleeps, in all kernel versions.
 */
static bool may_wait_for_terminal(const struct rs_initial_wait *wait)
{
	return wait->letter == 'S' && wait->syscall >= 0 && wait->args[0] <= INT32_MAX &&
	       (!wait->wchan[0] || !strcmp(wait->wchan, "wait_woken") || strstr(wait->wchan, "tty"));
}

/* Reads the link only, which the kernel makes from memory. */
static bool read_terminal(int dir_fd, const char *path, uint64_t fd)
{
	const char *slash = strrchr(path, '/');
	char beside[80], target[64];
	ssize_t len;

	snprintf(beside, sizeof beside, "%.*s/fd/%" PRIu64, slash ? (int)(slash - path) : 0, path, fd);
	len = readlinkat(dir_fd, beside, target, sizeof target);
	return len > 0 && rs_is_terminal_path(target, (size_t)len);
}

/*
 * NULL: it no longer sleeps, its system call is unknown, or no memory. Only root can read both files: without
 * root there is no answer.
 */
static const struct rs_initial_wait *read_wait(const struct scan *s, int dir_fd, const char *path,
					       char letter, bool named)
{
	struct rs_initial_wait wait = { .letter = letter, .syscall = -1, .named = named }, *kept;
	char text[256];

	read_beside(dir_fd, path, "syscall", text, sizeof text);
	if (!parse_syscall(text, &wait) || (letter == 'S' && wait.syscall < 0 && !named))
		return NULL;
	read_beside(dir_fd, path, "wchan", text, sizeof text);
	if (strcmp(text, "0") != 0)
		snprintf(wait.wchan, sizeof wait.wchan, "%.*s", (int)sizeof wait.wchan - 1, text);
	wait.terminal = may_wait_for_terminal(&wait) && read_terminal(dir_fd, path, wait.args[0]);
	kept = task_snapshot_add_wait(s->snapshot);
	if (kept)
		*kept = wait;
	return kept;
}

/*
 * The words that exec gave the program (man 5 proc, auxv) are pairs of its own size: a small number for what
 * it is, and its value. Of 32 bits each, the two together are no small number of 64. Read instead of the ELF
 * header of exe, since to open that may wait for a file system that does not answer.
 */
static uint8_t read_abi(int proc_fd, int32_t pid)
{
	char path[32], word[sizeof(uint64_t) + 1];
	uint64_t first;

	snprintf(path, sizeof path, "%d/auxv", pid);
	/* a kernel thread, or a task that is exiting */
	if (rs_proc_read(proc_fd, path, word, sizeof word) != sizeof first)
		return RS_ABI_UNKNOWN;
	memcpy(&first, word, sizeof first);
	return first < 4096 ? RS_ABI_NATIVE : RS_ABI_COMPAT;
}

static bool task_snapshot_is_named(const struct scan *s, const struct rs_initial_task *initial)
{
	const struct rs_initial_waits *w = s->waits;

	return is_listed(w->pids, w->nr_pids, initial->pid) || is_listed(w->tids, w->nr_tids, initial->tid);
}

/* 5 us a task were measured, as much as its stat. A kernel thread that sleeps in S has nothing to do. */
static bool asks_wait(const struct scan *s, const struct rs_initial_task *initial)
{
	if (!s->waits || initial->self)
		return false;
	return initial->letter == 'D' || (initial->letter == 'S' && (!initial->kernel_thread ||
								     task_snapshot_is_named(s, initial)));
}

/* Reads a stat file into a new row; returns the number of threads, 0 if it has gone, -1 no memory. */
static long read_stat(const struct scan *s, int dir_fd, const char *path, int32_t tid, int32_t pid)
{
	struct rs_initial_task initial = { .tid = tid, .pid = pid, .self = task_snapshot_is_own(s, pid),
					   .abi = s->abi },
	*row;
	char text[1024];
	long nr_threads;

	/* Before the reading: a rename in between is then an event later than this row, and wins. */
	initial.ts_ns = s->clock ? rs_trace_clock_ns(*s->clock) : 0;
	nr_threads = parse_stat(text, rs_proc_read(dir_fd, path, text, sizeof text), &initial);
	if (nr_threads <= 0)
		return 0;
	initial.start_ns = s->clock ? task_snapshot_start_ns(s->clock, initial.start_ticks) : 0;
	initial.self |= rs_own_name(initial.comm); /* another ringside's */
	if (asks_wait(s, &initial))
		initial.wait = read_wait(s, dir_fd, path, initial.letter,
					 task_snapshot_is_named(s, &initial));
	row = rs_task_snapshot_add(s->snapshot);
	if (!row)
		return -1;
	*row = initial;
	return nr_threads;
}

static int32_t task_snapshot_parse_number(const char *name)
{
	return isdigit((unsigned char)*name) ? (int32_t)strtol(name, NULL, 10) : 0;
}

/* The other threads of a process that has some; its first one has been read. */
static int scan_threads(const struct scan *s, int proc_fd, int32_t pid)
{
	int fd, ret = 0;
	char path[64];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof path, "%d/task", pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	while (dir && ret >= 0 && (d = readdir(dir))) {
		int32_t tid = task_snapshot_parse_number(d->d_name);

		if (tid <= 0 || tid == pid)
			continue;
		snprintf(path, sizeof path, "%d/stat", tid);
		ret = read_stat(s, fd, path, tid, pid) < 0 ? -1 : 0;
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	return ret;
}

int rs_task_snapshot_read(struct rs_task_snapshot *snapshot, const clockid_t *clock, const pid_t *own_pids,
			  size_t nr_own_pids, const struct rs_initial_waits *waits)
{
	struct scan s = { snapshot, clock, own_pids, nr_own_pids, waits, RS_ABI_UNKNOWN };
	DIR *proc = opendir("/proc");
	struct dirent *d;
	int ret = proc ? 0 : -1;

	while (proc && ret >= 0 && (d = readdir(proc))) {
		int32_t pid = task_snapshot_parse_number(d->d_name);
		char path[64];
		long nr_threads;

		if (pid <= 0)
			continue;
		s.abi = waits && waits->abis ? read_abi(dirfd(proc), pid) : RS_ABI_UNKNOWN;
		/* not PID/stat: its counters are those of all threads */
		snprintf(path, sizeof path, "%d/task/%d/stat", pid, pid);
		nr_threads = read_stat(&s, dirfd(proc), path, pid, pid);
		ret = nr_threads < 0 ? -1 : nr_threads > 1 ? scan_threads(&s, dirfd(proc), pid) : 0;
	}
	if (proc)
		closedir(proc);
	return ret;
}

int rs_task_snapshot_compare_tid(const void *a, const void *b)
{
	const struct rs_initial_task *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

void rs_task_snapshot_done(struct rs_task_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->nr_cgroups; i++)
		free(snapshot->cgroups[i]);
	free(snapshot->cgroups);
	for (size_t i = 0; i < snapshot->nr_waits; i++)
		free(snapshot->waits[i]);
	free(snapshot->waits);
	free(snapshot->row);
	*snapshot = (struct rs_task_snapshot){ 0 };
}
