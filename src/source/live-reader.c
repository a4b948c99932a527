// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live-reader - the threads that move pages out of the kernel, and do nothing else
 *
 * What loses events is the reader's wait for a CPU, so these run real-time; and
 * because they run real-time they must never spin, and never wait for a thread
 * that is not.
 */
#include "source/live-reader.h"

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
#define STALE_NS 10000000    /* a CPU that is not ready is still read this often, for its watermark */
#define PACE_MS 5            /* see wait_for_work */
#define FULL_NS 1000000      /* how long to wait for the consumer when the store is full, */
#define FULL_LONG_NS 10000000 /* and when it has been */
#define FULL_ROUNDS 1000     /* for so many rounds */
#define RUN_NS 200000000     /* so long a reader runs on end, */
#define REST_NS 50000        /* before it rests: see rest_if_due */
#define BATCH_PAGES 64        /* then the next CPU has its turn */
#define WAKE_NS 5000000      /* the consumer is not woken more often than this, */
#define WAKE_PART 8          /* unless this part of the store waits for it */

/*
 * An event has its time stamp a moment before it can be read: 2 us at most were
 * seen in 30 M events of a quiet storm, but an interrupt, or a hypervisor that
 * takes the CPU away in between, makes it a millisecond. Waiting for that costs
 * nothing but freshness that nobody sees.
 */
#define WRITE_NS 2000000

enum outcome { READ_EMPTY, READ_ENOUGH, READ_BATCH_OVER, READ_RING_FULL };

/* A time of the trace's clock before which every event is written by now; 0 unknown. */
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

	/* Little or big end: the low 20 bits are what counts; a page is read by the kernel that wrote it. */
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
 * The consumer sets consumer_sleeps, then looks at nr_rounds once more; here it is
 * the other way round. All four are sequentially consistent, so one of the two
 * sees the other, and no wake-up is lost.
 */
static void live_reader_wake_consumer(struct rs_reader *r)
{
	struct rs_live *l = r->live;

	atomic_fetch_add(&r->nr_rounds, 1);
	if (atomic_load(&l->consumer_sleeps) && atomic_exchange(&l->consumer_sleeps, false))
		eventfd_write(l->wake_fd, 1);
}

/*
 * Each wake-up of the consumer interrupts a CPU that has work, and is an event or
 * two by itself: in a storm there would be thousands a second. What is held back
 * here is told by the next round, or found by the consumer, who sleeps no longer
 * than a round.
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
	if (errnum == ENOMEM) /* no free page: the content of the CPU's buffer is unknown */
		return READ_ENOUGH;
	c->offline = errnum == ENODEV;
	if (errnum && errnum != EAGAIN && errnum != ENODEV) {
		atomic_store_explicit(&c->failed, errnum, memory_order_release);
		c->fd = -1;
		return READ_EMPTY;
	}
	c->empty_at_ns = before_ns;
	/* Release: a consumer that sees this watermark sees every page that was pushed before it. */
	atomic_store_explicit(&c->watermark, before_ns, memory_order_release);
	return READ_EMPTY;
}

/*
 * Reads a CPU until it is empty, or until two pages came less than half full: a
 * page that the kernel still writes comes with what it has so far, and a busy
 * CPU would return such partial pages for ever. The second attempt finds a quiet CPU
 * empty, which is what its watermark lives on.
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

/* which: the CPUs that are ready and those not read for a while, all of them, or all to their end. */
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
 * Where there is always more to read a reader never sleeps. It may: it gets on. But the kernel ends a process with a
 * real-time thread that does not sleep for seconds, as it was told to (live-watch.c), and a ring holds more than this.
 */
static void live_reader_rest_if_due(struct rs_reader *r)
{
	if (rs_trace_clock_ns(CLOCK_MONOTONIC) - r->rested_ns > RUN_NS)
		reader_nap(r, REST_NS);
}

/* What cannot be handed over is not polled for: the kernel keeps it, or counts it as lost. */
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
		/* poll says POLLERR at once, for ever, for a CPU that has never been up. */
		p[i].fd = r->cpus[i]->offline ? -1 : r->cpus[i]->fd;
		p[i].revents = 0;
	}
	if (last->again)
		ms = 0;
	/*
	 * Kernels before 6.1 wake a poller for each event, whatever buffer_percent
	 * says: woken, and nothing worth the trip. Then sleep without listening. The
	 * second page of a CPU may be the read of the first: our own system calls.
	 */
	if (!last->again && woken && last->nr_pages <= 2 * r->nr_cpus) {
		ms = PACE_MS;
		for (unsigned int i = 0; i < r->nr_cpus; i++)
			p[i].fd = -1;
	}
	p[r->nr_cpus] = (struct pollfd){ .fd = r->control_fd, .events = POLLIN };
	nr = poll(p, r->nr_cpus + 1, ms);
	if (nr < 0 || p[r->nr_cpus].revents & ~POLLIN) {
		reader_nap(r, FULL_NS); /* it cannot wait, for whatever reason: it must not spin */
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

/* Only the control fd: tracing may be on before the start is given. */
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
 * It begins on the CPU whose events it reads: there it is woken without an
 * interrupt to another CPU, finds the pages in the cache, and where that CPU does
 * not get on (a hypervisor took it away: 7 ms were seen) there is nothing to be
 * read from it. It stays there by itself, but is not bound: where another
 * real-time task holds that CPU the scheduler may move it.
 */
static void live_reader_begin_on_cpu(const struct rs_reader *r)
{
	cpu_set_t allowed, own;

	/* fails beyond 1024 CPUs, where readers have several CPUs anyway */
	if (r->nr_cpus != 1 || sched_getaffinity(0, sizeof allowed, &allowed) < 0)
		return;
	CPU_ZERO(&own);
	CPU_SET(r->cpus[0]->cpu, &own);
	sched_setaffinity(0, sizeof own, &own); /* an error: it is offline, or not for us */
	sched_setaffinity(0, sizeof allowed, &allowed);
}

/* Real-time where allowed, and without a right that reading does not need. */
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
