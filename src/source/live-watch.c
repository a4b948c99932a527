// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-watch - a watchdog thread: a capture that went wrong must not take the machine down
 *
 * A real-time reader that uses 20 % of a CPU for a second and gets little for it becomes an ordinary thread. A consumer that
 * takes nothing for two seconds, although pages wait, ends the session; so does the end of the process that it was
 * begun for. Each case is reported first, so that the session ends in good order; if it cannot, the process ends two seconds
 * later, and the guardians clean up.
 *
 * Standing still is counted in looks of this thread, not by a clock. A process that Ctrl-Z, SIGSTOP or a debugger has
 * stopped does not look. Still is who uses no CPU time: one that computes for long, or gets no CPU on a loaded machine,
 * does not stand still. Nor does one that waits for a disk, or for a pager to read its output: then the readers sleep,
 * and the kernel counts what is lost.
 *
 * It runs real-time itself, above the readers: where one spins on each CPU, an ordinary thread gets a twentieth of a
 * second at the end of each second, and would see that only after the kernel has ended the process. So it must not spin.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/crash.h"
#include "base/output-wait.h"
#include "base/thread.h"
#include "source/live-reader.h"

#define LIVE_WATCH_STACK_BYTES (128u << 10)
#define LIVE_WATCH_PERIOD_MS 250
#define PERIODS_PER_SECOND (1000 / LIVE_WATCH_PERIOD_MS)
#define PATIENCE (2 * PERIODS_PER_SECOND)
#define SPIN_NS 200000000 /* of a second */
/* So long a page of work may take: ten times what reading one in a slow emulator does. See spins. */
#define PAGE_NS 1000000
/* So often in a second a reader looks at its CPUs that need not wait: one that waits does so a few hundred times. */
#define SPIN_READS 2000
/* What ends the process where this thread gets no CPU to do its work: SIGXCPU, SIGKILL. */
#define RTTIME_US 2000000
#define RTTIME_MAX_US 4000000

/* The CPU time of a thread, by its own clock; 0: it has ended. */
static uint64_t watch_cpu_ns(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- readers ---- */

/*
 * Only pages that came half full count as work: one that polls without end gets a page for each event that happens, and
 * would seem to get on. A storm, which may keep a reader busy, fills pages. CPU time alone proves nothing: in a guest
 * whose host is busy it contains what the host gave to others.
 */
static bool live_watch_is_spinning(uint64_t cpu_ns, uint64_t nr_filled, uint64_t nr_reads)
{
	return cpu_ns > SPIN_NS && cpu_ns / PAGE_NS > nr_filled && nr_reads > SPIN_READS;
}

/* SCHED_RESET_ON_FORK stays as the reader set it: without root real-time can be taken away, but not this flag. */
static void watch_reader(struct rs_reader *r)
{
	uint64_t nr_filled, nr_reads, cpu_ns;

	if (!atomic_load(&r->fifo) || atomic_load(&r->done) || ++r->watched.nr_periods < PERIODS_PER_SECOND)
		return;
	nr_filled = atomic_load_explicit(&r->nr_filled, memory_order_relaxed);
	nr_reads = atomic_load_explicit(&r->nr_reads, memory_order_relaxed);
	cpu_ns = watch_cpu_ns(r->cpu_clock);
	if (live_watch_is_spinning(cpu_ns - r->watched.cpu_ns, nr_filled - r->watched.nr_filled, nr_reads - r->watched.nr_reads) &&
	    sched_setscheduler(r->tid, SCHED_OTHER | SCHED_RESET_ON_FORK, &(struct sched_param){ 0 }) == 0) {
		atomic_store(&r->demoted, true);
		atomic_store(&r->fifo, false);
	}
	r->watched.nr_filled = nr_filled;
	r->watched.nr_reads = nr_reads;
	r->watched.cpu_ns = cpu_ns;
	r->watched.nr_periods = 0;
}

/* ---- the consumer ---- */

static bool live_watch_pages_wait(struct rs_live *l)
{
	for (unsigned int i = 0; i < l->nr_readers; i++)
		if (rs_page_ring_has_pages(&l->readers[i].ring))
			return true;
	return false;
}

static uint64_t live_watch_nr_moved(struct rs_live *l)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; i < l->nr_readers; i++)
		nr += rs_page_ring_nr_moved(&l->readers[i].ring);
	return nr;
}

/* Waiting for a disk, or stopped alone by a debugger: /proc/self/task/TID/stat, "TID (COMM) STATE ...". */
static bool live_watch_is_held(pid_t tid)
{
	char path[64], text[256], *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	return end && end[1] && strchr("DTt", end[2]);
}

static bool live_watch_consumer_is_stalled(struct rs_live *l)
{
	struct rs_live_watch *w = &l->watch;
	uint64_t taken = live_watch_nr_moved(l), cpu_ns;
	bool still;

	if (!atomic_load(&l->has_consumer))
		return false;
	cpu_ns = watch_cpu_ns(l->consumer_clock);
	still = taken == w->nr_taken && cpu_ns == w->consumer_cpu_ns && live_watch_pages_wait(l) &&
		!rs_output_waits();
	w->nr_taken = taken;
	w->consumer_cpu_ns = cpu_ns;
	return still;
}

static void watch_consumer(struct rs_live *l)
{
	struct rs_live_watch *w = &l->watch;

	if (!live_watch_consumer_is_stalled(l)) {
		w->nr_still = 0;
		return;
	}
	w->nr_still++;
	if (w->nr_still >= PATIENCE && live_watch_is_held(l->consumer_tid))
		w->nr_still = 0;
	else if (w->nr_still == PATIENCE)
		eventfd_write(w->stall_fd, 1);
	else if (w->nr_still >= 2 * PATIENCE)
		rs_crash_end("nobody has taken the events that wait for 4 s (please report this)");
}

/* ---- the parent ---- */

static void watch_parent(struct rs_live *l)
{
	struct pollfd p = { .fd = l->watch.parent_fd, .events = POLLIN };

	if (p.fd >= 0 && poll(&p, 1, 0) > 0 && ++l->watch.nr_orphaned >= PATIENCE)
		rs_crash_end("the process that began this session has gone");
}

/* ---- the thread ---- */

/* Real-time where allowed, above the readers, whose priority is 1. */
static void live_watch_prepare_thread(struct rs_live *l)
{
	prctl(PR_SET_NAME, "ringside-watch");
	l->watch.tid = gettid();
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &(struct sched_param){ .sched_priority = 2 }) < 0)
		setpriority(PRIO_PROCESS, (id_t)l->watch.tid, -20);
	rs_privileges_drop_thread();
}

/* False when the thread is to end. Where it cannot poll it sleeps. */
static bool watch_wait(const struct rs_live_watch *w)
{
	struct pollfd p = { .fd = w->quit_fd, .events = POLLIN };
	int nr = poll(&p, 1, LIVE_WATCH_PERIOD_MS);

	if (nr < 0)
		nanosleep(&(struct timespec){ .tv_nsec = LIVE_WATCH_PERIOD_MS * 1000000L }, NULL);
	return nr <= 0;
}

static void *watch_main(void *arg)
{
	struct rs_live *l = arg;

	live_watch_prepare_thread(l);
	sem_post(&l->ready);
	while (watch_wait(&l->watch)) {
		if (atomic_load(&l->state) == RS_LIVE_WAITING)
			continue;
		for (unsigned int i = 0; i < l->nr_readers; i++)
			watch_reader(&l->readers[i]);
		watch_consumer(l);
		watch_parent(l);
	}
	return NULL;
}

/* Of the process, and inherited: whoever was to be launched has been forked by now. */
static void limit_real_time(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_RTTIME, &limit) < 0)
		return;
	if (limit.rlim_max > RTTIME_MAX_US)
		limit.rlim_max = RTTIME_MAX_US;
	if (limit.rlim_cur > RTTIME_US)
		limit.rlim_cur = RTTIME_US;
	setrlimit(RLIMIT_RTTIME, &limit);
}

int rs_live_watch_start(struct rs_live *l, struct rs_error *err)
{
	struct rs_live_watch *w = &l->watch;
	int errnum;

	w->quit_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->stall_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->quit_fd < 0 || w->stall_fd < 0)
		return rs_fail(err, "cannot make an eventfd: %s", strerror(errno));
	limit_real_time();
	errnum = rs_thread_begin(&w->thread, LIVE_WATCH_STACK_BYTES, watch_main, l);
	if (errnum)
		return rs_fail(err, "cannot start the watch's thread: %s", rs_thread_why(errnum));
	w->started = true;
	while (sem_wait(&l->ready) < 0 && errno == EINTR)
		;
	return 0;
}

void rs_live_watch_done(struct rs_live *l)
{
	struct rs_live_watch *w = &l->watch;

	if (w->started) {
		eventfd_write(w->quit_fd, 1);
		pthread_join(w->thread, NULL);
	}
	if (w->quit_fd >= 0)
		close(w->quit_fd);
	if (w->stall_fd >= 0)
		close(w->stall_fd);
}
