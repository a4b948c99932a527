// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-reader - the threads that move pages out of the kernel, and do nothing else
 *
 * Events are lost while a reader waits for a CPU, so readers run real-time. Because of that
 * they must never spin, and never wait for a thread that is not real-time.
 */
#include "source/live/live-reader.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"

#define LIVE_READER_STACK_BYTES (256u << 10)
#define ROUND_MS 50          /* a reader is not woken below buffer_percent, so it polls with a timeout */
#define ROUND_FULL_MS 1000   /* record: full pages are worth the wait */
#define STALE_NS 10000000 /* a CPU that poll() does not report is read this often, to advance its watermark \
			   */
#define PACE_MS 5            /* see live_reader_wait_for_work */
#define FULL_NS 1000000       /* sleep for the consumer while the page ring is full */
#define FULL_LONG_NS 10000000 /* the same after FULL_ROUNDS such rounds */
#define FULL_ROUNDS 1000
#define RUN_NS 200000000      /* longest time without sleep: see live_reader_rest_if_due */
#define REST_NS 50000
#define BATCH_PAGES 64        /* pages of one CPU before the next CPU is read */
#define WAKE_NS 5000000       /* least time between two wake-ups of the consumer, */
#define WAKE_PART 8           /* unless 1/WAKE_PART of the ring is waiting */

/*
 * An event gets its time stamp before it is committed and can be read: at most 2 us
 * before, in 30 M measured events, but an interrupt, or a hypervisor that preempts the
 * vCPU in between, makes it a millisecond. The margin delays the output by that much.
 */
#define WRITE_NS 2000000

enum outcome { READ_EMPTY, READ_ENOUGH, READ_BATCH_OVER, READ_RING_FULL };

/* Returns a time (trace clock) before which all events of the CPU are committed; 0: unknown. */
static uint64_t live_reader_committed_before(struct rs_live *l, unsigned int cpu)
{
	uint64_t now;

	if (l->has_clock)
		return rs_trace_clock_ns(l->clock) - WRITE_NS;
	return rs_instance_clock(l->instance, cpu, &now) ? now : 0;
}

static bool live_reader_page_is_partial(const struct rs_live *l, const uint8_t *page, size_t len)
{
	uint64_t commit = 0;

	/* The low 20 bits are the size. The page is of this kernel's byte order. */
	if (l->commit_bytes == 8 && len >= l->commit_offset + 8) {
		memcpy(&commit, page + l->commit_offset, 8);
	} else if (len >= l->commit_offset + 4) {
		uint32_t word;

		memcpy(&word, page + l->commit_offset, 4);
		commit = word;
	}
	return (commit & 0xfffff) < len / 2;
}

/*
 * The consumer sets consumer_sleeps, then checks nr_rounds again; the reader does it in the
 * opposite order. All four accesses are sequentially consistent, so at least one side sees
 * the other, and no wake-up is lost.
 */
static void live_reader_wake_consumer(struct rs_reader *r)
{
	struct rs_live *l = r->live;

	atomic_fetch_add(&r->nr_rounds, 1);
	if (atomic_load(&l->consumer_sleeps) && atomic_exchange(&l->consumer_sleeps, false))
		eventfd_write(l->wake_fd, 1);
}

/*
 * Each wake-up of the consumer interrupts a busy CPU, and causes an event or two itself:
 * under load there would be thousands per second. A wake-up that is skipped here is made up
 * for by the next round, or by the consumer, which sleeps no longer than one round.
 */
static void live_reader_wake_consumer_if_due(struct rs_reader *r, bool ring_full)
{
	uint64_t now_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);

	if (!ring_full && now_ns - r->woke_at_ns < WAKE_NS &&
	    r->nr_pages - r->nr_pages_at_wake < r->ring.nr_slots / WAKE_PART)
		return;
	r->woke_at_ns = now_ns;
	r->nr_pages_at_wake = r->nr_pages;
	live_reader_wake_consumer(r);
}

static enum outcome live_reader_handle_no_page(struct rs_reader *r, struct rs_live_cpu *c, int errnum,
					       uint64_t before_ns)
{
	if (errnum == ENOMEM) /* the kernel had no free page: whether the CPU's buffer is empty is unknown */
		return READ_ENOUGH;
	c->offline = errnum == ENODEV;
	if (errnum && errnum != EAGAIN && errnum != ENODEV) {
		atomic_store_explicit(&c->failed, errnum, memory_order_release);
		c->fd = -1;
		return READ_EMPTY;
	}
	c->empty_at_ns = before_ns;
	/*
	 * A clock like "local" may step back a little. Release: a consumer that sees this watermark also sees
	 * every page that was pushed before it.
	 */
	if (before_ns > atomic_load_explicit(&c->watermark, memory_order_relaxed))
		atomic_store_explicit(&c->watermark, before_ns, memory_order_release);
	return READ_EMPTY;
}

/*
 * Reads a CPU until it is empty, or until two partial pages came: the page that the kernel is
 * writing is returned with what it has so far, so a busy CPU would return partial pages without
 * end. For a quiet CPU the second read finds the buffer empty, which advances its watermark.
 */
static enum outcome live_reader_read_cpu(struct rs_reader *r, struct rs_live_cpu *c, unsigned int index,
					 bool to_the_end)
{
	struct rs_live *l = r->live;
	unsigned int nr_partial = 0;

	c->read_at_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
	for (unsigned int nr = 1; nr <= BATCH_PAGES; nr++) {
		uint32_t slot = rs_page_ring_reserve(&r->ring, index);
		uint64_t before_ns;
		uint8_t *page;
		ssize_t len;
		bool partial;

		if (slot == RS_NO_SLOT)
			return READ_RING_FULL;
		page = rs_page_ring_page(&r->ring, slot);
		before_ns = live_reader_committed_before(l, c->cpu);
		do
			len = read(c->fd, page, r->ring.page_bytes);
		while (len < 0 && errno == EINTR);
		if (len <= 0) {
			rs_page_ring_unreserve(&r->ring, slot);
			return live_reader_handle_no_page(r, c, len < 0 ? errno : 0, before_ns);
		}
		c->offline = false;
		rs_page_ring_push(&r->ring, slot, (uint32_t)len, c->empty_at_ns);
		c->empty_at_ns = 0;
		atomic_fetch_add_explicit(&r->nr_pages, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&r->nr_bytes, (uint64_t)len, memory_order_relaxed);
		partial = live_reader_page_is_partial(l, page, (size_t)len);
		if (!partial)
			atomic_fetch_add_explicit(&r->nr_filled, 1, memory_order_relaxed);
		if (!to_the_end && partial && ++nr_partial == 2)
			return READ_ENOUGH;
	}
	return READ_BATCH_OVER;
}

struct round {
	bool again;        /* there is more to read now */
	bool ring_full;
	bool all_empty;
	uint64_t nr_pages;
};

/*
 * READY: the CPUs that poll() reports, and those not read for STALE_NS. TO_THE_END: all, until they are
 * empty.
 */
enum which { READ_READY, READ_ALL, READ_TO_THE_END };

static struct round live_reader_read_round(struct rs_reader *r, const struct pollfd *ready, enum which which)
{
	uint64_t now_ns = rs_trace_clock_ns(CLOCK_MONOTONIC), before = r->nr_pages;
	struct round round = { .all_empty = true };

	for (unsigned int i = 0; i < r->nr_cpus; i++) {
		struct rs_live_cpu *c = r->cpus[i];
		enum outcome outcome;

		if (c->fd < 0 ||
		    (which == READ_READY && !ready[i].revents && now_ns - c->read_at_ns < STALE_NS))
			continue;
		outcome = live_reader_read_cpu(r, c, i, which == READ_TO_THE_END);
		round.again |= outcome == READ_BATCH_OVER;
		round.ring_full |= outcome == READ_RING_FULL;
		round.all_empty &= outcome == READ_EMPTY;
	}
	round.nr_pages = r->nr_pages - before;
	if (round.ring_full)
		atomic_fetch_add_explicit(&r->nr_full, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&r->nr_reads, 1, memory_order_relaxed);
	live_reader_wake_consumer_if_due(r, round.ring_full);
	return round;
}

static void reader_nap(struct rs_reader *r, long ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
	r->rested_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
}

/*
 * A reader that always finds more to read would never sleep. The kernel kills a process whose real-time
 * thread does not sleep for seconds (RLIMIT_RTTIME, set in live-watch.c). The kernel's buffer holds more than
 * arrives during REST_NS.
 */
static void live_reader_rest_if_due(struct rs_reader *r)
{
	if (rs_trace_clock_ns(CLOCK_MONOTONIC) - r->rested_ns > RUN_NS)
		reader_nap(r, REST_NS);
}

/*
 * Does not poll while the page ring is full: events stay in the kernel's buffer, or the kernel counts them as
 * lost.
 */
static void live_reader_wait_for_room(struct rs_reader *r, struct pollfd *p)
{
	reader_nap(r, r->nr_full_rounds < FULL_ROUNDS ? FULL_NS : FULL_LONG_NS);
	r->nr_full_rounds++;
	for (unsigned int i = 0; i < r->nr_cpus; i++)
		p[i].revents = 0;
}

/* Returns the number of CPUs that are ready. */
static int live_reader_wait_for_work(struct rs_reader *r, struct pollfd *p, const struct round *last,
				     bool woken)
{
	int ms = r->live->full_pages ? ROUND_FULL_MS : ROUND_MS, nr;
	eventfd_t count;

	if (last->ring_full && !last->again) {
		live_reader_wait_for_room(r, p);
		return 0;
	}
	r->nr_full_rounds = 0;
	live_reader_rest_if_due(r);
	for (unsigned int i = 0; i < r->nr_cpus; i++) {
		/* For a CPU that was never online poll() always returns POLLERR at once. */
		p[i].fd = r->cpus[i]->offline ? -1 : r->cpus[i]->fd;
		p[i].revents = 0;
	}
	if (last->again)
		ms = 0;
	/*
	 * Kernels before 6.1 wake poll() for each event, whatever buffer_percent says. If such a
	 * wake-up brought hardly any pages, sleep without polling the CPUs. Two pages of a CPU
	 * count as hardly any: the second may hold only the events of reading the first.
	 */
	if (!last->again && woken && last->nr_pages <= 2 * r->nr_cpus) {
		ms = PACE_MS;
		for (unsigned int i = 0; i < r->nr_cpus; i++)
			p[i].fd = -1;
	}
	p[r->nr_cpus] = (struct pollfd){ .fd = r->control_fd, .events = POLLIN };
	nr = poll(p, r->nr_cpus + 1, ms);
	if (nr < 0 || p[r->nr_cpus].revents & ~POLLIN) {
		reader_nap(r, FULL_NS); /* poll() failed: do not spin */
		return 0;
	}
	if (!nr)
		r->rested_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
	if (p[r->nr_cpus].revents) {
		eventfd_read(r->control_fd, &count);
		nr--;
	}
	return nr;
}

/* Polls only the control fd: tracing may be on before the state changes. */
static void live_reader_await_start(struct rs_reader *r)
{
	struct pollfd p = { .fd = r->control_fd, .events = POLLIN };

	while (atomic_load_explicit(&r->live->state, memory_order_acquire) == RS_LIVE_WAITING)
		if (poll(&p, 1, -1) < 0)
			reader_nap(r, FULL_NS);
}

static void live_reader_run_thread(struct rs_reader *r)
{
	struct pollfd p[RS_READER_CPUS + 1];
	struct round round = { 0 };
	bool woken = false;

	for (unsigned int i = 0; i < r->nr_cpus; i++)
		p[i] = (struct pollfd){ .events = POLLIN };
	live_reader_await_start(r);
	for (;;) {
		bool settled = !round.again;
		int nr_ready = live_reader_wait_for_work(r, p, &round, woken);
		int state = atomic_load_explicit(&r->live->state, memory_order_acquire);

		if (state == RS_LIVE_QUITTING)
			return;
		woken = nr_ready > 0;
		round = live_reader_read_round(r, p, state == RS_LIVE_DRAINING ? READ_TO_THE_END :
					       !woken && settled ? READ_ALL : READ_READY);
		if (state == RS_LIVE_DRAINING && round.all_empty)
			return;
	}
}

/*
 * Starts the reader on the CPU whose events it reads: it is woken there without an IPI,
 * finds the pages in the cache, and while a hypervisor preempts that vCPU (7 ms were seen)
 * there is nothing to read from it either. The reader is not pinned: the scheduler may move
 * it if another real-time task uses that CPU.
 */
static void live_reader_begin_on_cpu(const struct rs_reader *r)
{
	cpu_set_t allowed, own;

	/* fails with more than 1024 CPUs, but then each reader has several CPUs */
	if (r->nr_cpus != 1 || sched_getaffinity(0, sizeof allowed, &allowed) < 0)
		return;
	CPU_ZERO(&own);
	CPU_SET(r->cpus[0]->cpu, &own);
	sched_setaffinity(0, sizeof own, &own); /* fails if the CPU is offline or not allowed */
	sched_setaffinity(0, sizeof allowed, &allowed);
}

/* Makes the thread real-time if allowed, and drops the capabilities that reading does not need. */
static void live_reader_prepare_thread(struct rs_reader *r)
{
	char name[16];

	snprintf(name, sizeof name, "ringside-rd%u", (unsigned int)(r - r->live->readers) % 1000);
	prctl(PR_SET_NAME, name);
	r->tid = gettid();
	pthread_getcpuclockid(pthread_self(), &r->cpu_clock);
	live_reader_begin_on_cpu(r);
	r->fifo = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK,
				     &(struct sched_param){ .sched_priority = 1 }) == 0;
	if (!r->fifo)
		setpriority(PRIO_PROCESS, (id_t)r->tid, -20);
	rs_privileges_drop_thread();
}

static void *reader_main(void *arg)
{
	struct rs_reader *r = arg;

	live_reader_prepare_thread(r);
	sem_post(&r->live->ready);
	rs_page_ring_prefault(&r->ring);
	live_reader_run_thread(r);
	atomic_store_explicit(&r->done, true, memory_order_release);
	live_reader_wake_consumer(r);
	return NULL;
}

int rs_live_reader_start(struct rs_reader *r)
{
	int errnum = rs_thread_begin(&r->thread, LIVE_READER_STACK_BYTES, reader_main, r);

	r->started = !errnum;
	return errnum;
}

void rs_live_readers_set_state(struct rs_live *l, enum rs_live_state state)
{
	atomic_store_explicit(&l->state, state, memory_order_release);
	for (unsigned int i = 0; i < l->nr_readers; i++)
		if (l->readers[i].control_fd >= 0)
			eventfd_write(l->readers[i].control_fd, 1);
}

void rs_live_readers_join(struct rs_live *l)
{
	for (unsigned int i = 0; i < l->nr_readers; i++)
		if (l->readers[i].started)
			pthread_join(l->readers[i].thread, NULL);
}
