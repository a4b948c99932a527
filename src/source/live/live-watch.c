// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-watch - a watchdog thread: a capture that went wrong must not take the machine down
 *
 * A real-time reader that uses 20 % of a CPU for a second and reads few pages, or that one round keeps on a
 * CPU for a second, is demoted to SCHED_OTHER. The session ends if the consumer is blocked for two seconds
 * although pages are waiting, and if the parent process has ended. Both are signaled first, so that the
 * session can end normally; if it does not, the process ends two seconds later and the guardians clean up.
 *
 * A stall is counted in periods of this thread, not by a clock, so a process that is stopped by Ctrl-Z,
 * SIGSTOP or a debugger is not stalled. A stalled consumer sleeps, or has gone. One that computes for long is
 * not stalled, nor one that waits for a CPU, or for a thread of this session that does or waits for a disk:
 * the kernel counts the events that are lost meanwhile, the session says that it is starved, and goes on.
 * Neither is one that waits for a disk, or for a pager to read its output.
 *
 * The watchdog is real-time itself, above the readers: if a reader spins on each CPU, an ordinary thread gets
 * only 50 ms at the end of each second, and would notice only after the kernel has killed the process. So it
 * must not spin either.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/async-writer.h"
#include "base/close.h"
#include "base/crash.h"
#include "base/thread.h"
#include "source/live/live-reader.h"
#include "source/live/own-threads.h"

#define LIVE_WATCH_STACK_BYTES (128u << 10)
#define LIVE_WATCH_PERIOD_MS 250
#define PERIODS_PER_SECOND (1000 / LIVE_WATCH_PERIOD_MS)
#define PATIENCE (2 * PERIODS_PER_SECOND)
#define SPIN_NS 200000000 /* of a second */
/*
 * CPU time allowed for each filled page: ten times what reading one takes in a slow emulator. See
 * live_watch_is_spinning().
 */
#define PAGE_NS 1000000
/* Rounds per second of a reader that never sleeps: a reader that does makes a few hundred. */
#define SPIN_READS 2000
#define STUCK_NS 100000000 /* of a period; the kernel takes 50 ms of each second from real-time threads */
/* The kernel sends SIGXCPU, then SIGKILL, if this thread gets no CPU to do its work. */
#define RTTIME_US 2000000
#define RTTIME_MAX_US 4000000

/* ---- readers ---- */

/*
 * Only pages that are at least half full count as work: a reader that polls without end gets a page for each
 * event, and would look productive. A high event rate, which may keep a reader busy, fills pages. CPU time
 * alone proves nothing: in a guest it includes steal time.
 */
static bool live_watch_is_spinning(uint64_t cpu_ns, uint64_t nr_filled, uint64_t nr_reads)
{
	return cpu_ns > SPIN_NS && cpu_ns / PAGE_NS > nr_filled && nr_reads > SPIN_READS;
}

/*
 * In one round since the last period, and on a CPU all the time: the kernel keeps it, as where it waits for a
 * lock of the memory management without sleeping. After two seconds of that the kernel would end the process
 * (RTTIME_US).
 */
static bool live_watch_is_stuck(struct rs_reader *r, uint64_t cpu_ns, uint64_t nr_reads)
{
	bool stays = nr_reads == r->watched.nr_reads_before && cpu_ns - r->watched.cpu_before_ns > STUCK_NS;

	r->watched.nr_reads_before = nr_reads;
	r->watched.cpu_before_ns = cpu_ns;
	r->watched.nr_stuck = stays ? r->watched.nr_stuck + 1 : 0;
	return r->watched.nr_stuck >= PERIODS_PER_SECOND;
}

/*
 * Keeps SCHED_RESET_ON_FORK as the reader set it: an unprivileged thread may leave SCHED_FIFO, but not clear
 * this flag. At nice 0: one that spins would take a CPU from the consumer at any other.
 */
static void live_watch_demote(struct rs_reader *r)
{
	if (sched_setscheduler(r->tid, SCHED_OTHER | SCHED_RESET_ON_FORK, &(struct sched_param){ 0 }) < 0)
		return;
	setpriority(PRIO_PROCESS, (id_t)r->tid, 0);
	atomic_store(&r->demoted, true);
	atomic_store(&r->fifo, false);
}

static void watch_reader(struct rs_reader *r)
{
	uint64_t nr_filled, nr_reads, cpu_ns;

	if (!atomic_load(&r->fifo) || atomic_load(&r->done))
		return;
	nr_reads = atomic_load_explicit(&r->nr_reads, memory_order_relaxed);
	cpu_ns = rs_trace_clock_ns(r->cpu_clock);
	if (live_watch_is_stuck(r, cpu_ns, nr_reads))
		live_watch_demote(r);
	if (++r->watched.nr_periods < PERIODS_PER_SECOND)
		return;
	nr_filled = atomic_load_explicit(&r->nr_filled, memory_order_relaxed);
	if (live_watch_is_spinning(cpu_ns - r->watched.cpu_ns, nr_filled - r->watched.nr_filled,
				   nr_reads - r->watched.nr_reads))
		live_watch_demote(r);
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

/*
 * Does it sleep for somebody, or has it gone? It is not blocked if it waits for a CPU or for a disk, or a
 * debugger stopped it.
 */
static bool live_watch_is_blocked(pid_t tid)
{
	char state = rs_own_threads_state(tid);

	return !state || !strchr("RDTt", state);
}

/* Readers take no lock that the consumer takes, and run as often as events come. */
static bool live_watch_may_be_waited_for(const void *live, pid_t tid)
{
	const struct rs_live *l = live;

	for (unsigned int i = 0; i < l->nr_readers; i++)
		if (l->readers[i].tid == tid)
			return false;
	return tid != l->watch.tid;
}

/* Does a thread or a guardian that the consumer may be waiting for want a CPU, or a thread a disk? */
static bool live_watch_others_go_on(const struct rs_live *l)
{
	for (int i = 0; i < 2; i++)
		if (l->instance->guardian_pids[i] > 0 &&
		    rs_own_threads_process_state(l->instance->guardian_pids[i]) == 'R')
			return true;
	return rs_own_threads_any_goes_on(live_watch_may_be_waited_for, l);
}

static bool live_watch_consumer_is_stalled(struct rs_live *l)
{
	struct rs_live_watch *w = &l->watch;
	uint64_t taken = live_watch_nr_moved(l), cpu_ns;
	bool stalled;

	if (!atomic_load(&l->has_consumer))
		return false;
	cpu_ns = rs_trace_clock_ns(l->consumer_clock);
	stalled = taken == w->nr_taken && cpu_ns == w->consumer_cpu_ns && live_watch_pages_wait(l) &&
		!rs_async_writer_waits() && live_watch_is_blocked(l->consumer_tid);
	w->nr_taken = taken;
	w->consumer_cpu_ns = cpu_ns;
	return stalled;
}

static void watch_consumer(struct rs_live *l)
{
	struct rs_live_watch *w = &l->watch;

	if (!live_watch_consumer_is_stalled(l)) {
		w->nr_stalled = 0;
		return;
	}
	w->nr_stalled++;
	if (w->nr_stalled >= PATIENCE && live_watch_others_go_on(l))
		w->nr_stalled = 0;
	else if (w->nr_stalled == PATIENCE)
		eventfd_write(w->stall_fd, 1);
	else if (w->nr_stalled >= 2 * PATIENCE)
		rs_crash_end("nobody has taken the events that wait for 4 s (please report this)");
}

/* ---- CPU time ---- */

static uint64_t live_watch_waited_ns(struct rs_starvation_thread *t, pid_t tid, clockid_t cpu_clock,
				     uint64_t elapsed_ns)
{
	return rs_starvation_waited_ns(t, rs_own_threads_state(tid), rs_trace_clock_ns(cpu_clock),
				       rs_own_threads_wait_ns(tid), elapsed_ns);
}

static void live_watch_raise_to(uint64_t *most_ns, uint64_t ns)
{
	*most_ns = ns > *most_ns ? ns : *most_ns;
}

/*
 * Once a second, of each thread that events pass. This one may be starved as well: then a second takes
 * longer.
 */
static void watch_cpu_time(struct rs_live *l)
{
	struct rs_live_watch *w = &l->watch;
	uint64_t now_ns, elapsed_ns, most_ns;

	if (++w->nr_periods < PERIODS_PER_SECOND)
		return;
	w->nr_periods = 0;
	now_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
	elapsed_ns = now_ns - w->read_ns;
	w->read_ns = now_ns;
	most_ns = live_watch_waited_ns(&w->own, w->tid, CLOCK_THREAD_CPUTIME_ID, elapsed_ns);
	for (unsigned int i = 0; i < l->nr_readers; i++) {
		struct rs_reader *r = &l->readers[i];

		if (!atomic_load(&r->done))
			live_watch_raise_to(&most_ns, live_watch_waited_ns(&r->watched.times, r->tid,
									   r->cpu_clock, elapsed_ns));
	}
	if (atomic_load(&l->has_consumer))
		live_watch_raise_to(&most_ns, live_watch_waited_ns(&w->consumer, l->consumer_tid,
								   l->consumer_clock, elapsed_ns));
	rs_starvation_add(&l->starvation, most_ns, elapsed_ns, now_ns);
}

/* ---- the parent ---- */

static void watch_parent(struct rs_live *l)
{
	struct pollfd p = { .fd = l->watch.parent_fd, .events = POLLIN };

	if (p.fd >= 0 && poll(&p, 1, 0) > 0 && ++l->watch.nr_orphaned >= PATIENCE)
		rs_crash_end("the process that began this session has gone");
}

/* ---- the thread ---- */

/* Makes the thread real-time if allowed, above the readers, whose priority is 1. */
static void live_watch_prepare_thread(struct rs_live *l)
{
	prctl(PR_SET_NAME, "ringside-watch");
	l->watch.tid = gettid();
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK,
			       &(struct sched_param){ .sched_priority = 2 }) < 0)
		setpriority(PRIO_PROCESS, (id_t)l->watch.tid, -20);
	rs_privileges_drop_thread();
}

static void *watch_main(void *arg)
{
	struct rs_live *l = arg;

	live_watch_prepare_thread(l);
	l->watch.read_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
	sem_post(&l->ready);
	while (!rs_thread_pause(&l->watch.quit, LIVE_WATCH_PERIOD_MS)) {
		if (atomic_load(&l->state) == RS_LIVE_WAITING)
			continue;
		for (unsigned int i = 0; i < l->nr_readers; i++)
			watch_reader(&l->readers[i]);
		watch_consumer(l);
		watch_cpu_time(l);
		watch_parent(l);
	}
	return NULL;
}

/* The limit holds for the process and is inherited: the traced command has been forked already. */
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

	w->stall_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->stall_fd < 0)
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
		sem_post(&w->quit);
		pthread_join(w->thread, NULL);
	}
	rs_close(&w->stall_fd);
}
