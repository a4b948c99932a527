// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live - opens a live source, and the consumer's side of it
 */
#include "source/live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "base/pidns.h"
#include "base/thread.h"
#include "source/live/args-reader.h"
#include "source/live/live-reader.h"
#include "source/live/proc.h"
#include "source/perf/samples.h"

#define MAX_LONE_READERS 32 /* with more CPUs than this, a reader has several */

static struct rs_live *live_of(struct rs_source *s)
{
	return (struct rs_live *)s;
}

/* Moves the pages that a reader has pushed to the lists of their CPUs. */
static void live_collect(struct rs_reader *r)
{
	uint32_t slot;

	while (rs_page_ring_pop(&r->ring, &slot)) {
		struct rs_live_cpu *c = r->cpus[r->ring.slot[slot].cpu];

		r->ring.slot[slot].next = RS_NO_SLOT;
		if (c->first == RS_NO_SLOT)
			c->first = slot;
		else
			r->ring.slot[c->last].next = slot;
		c->last = slot;
	}
}

/* Returns the page's time stamp: events in it, and later ones of its CPU, are not earlier. */
static uint64_t page_stamp(const struct rs_live *l, const struct rs_reader *r, uint32_t slot)
{
	uint64_t ns = 0;

	if (r->ring.slot[slot].len_bytes >= l->stamp_offset + 8)
		memcpy(&ns, rs_page_ring_page(&r->ring, slot) + l->stamp_offset, 8);
	return ns;
}

static void live_raise_to(uint64_t *ns, uint64_t to_ns)
{
	if (to_ns > *ns)
		*ns = to_ns;
}

static enum rs_next fail_cpu(struct rs_live_cpu *c, int errnum, struct rs_error *err)
{
	if (c->failure_reported)
		return RS_NEXT_END;
	c->failure_reported = true;
	rs_fail(err, "reading CPU %u's buffer: %s", c->cpu, strerror(errnum));
	return RS_NEXT_ERROR;
}

/* Remembers the consumer's thread, for the watchdog. */
static void live_set_consumer(struct rs_live *l)
{
	pthread_getcpuclockid(pthread_self(), &l->consumer_clock);
	l->consumer_tid = gettid();
	atomic_store(&l->has_consumer, true);
}

static enum rs_next live_next(struct rs_source *s, unsigned int cpu, struct rs_page *page,
			      struct rs_error *err)
{
	struct rs_live *l = live_of(s);
	struct rs_live_cpu *c = &l->cpus[cpu];
	struct rs_reader *r = c->reader;
	uint32_t slot;

	if (!r)
		return RS_NEXT_END;
	if (!atomic_load_explicit(&l->has_consumer, memory_order_relaxed))
		live_set_consumer(l);
	if (c->held != RS_NO_SLOT)
		rs_page_ring_return(&r->ring, c->held);
	c->held = RS_NO_SLOT;
	if (c->first == RS_NO_SLOT) {
		/*
		 * Loaded before the pages are collected, so that the list has every page pushed before the
		 * end.
		 */
		bool done = atomic_load_explicit(&r->done, memory_order_acquire);
		int errnum = atomic_load_explicit(&c->failed, memory_order_acquire);

		live_collect(r);
		if (c->first == RS_NO_SLOT && errnum)
			return fail_cpu(c, errnum, err);
		if (c->first == RS_NO_SLOT)
			return done ? RS_NEXT_END : RS_NEXT_NONE;
	}
	slot = c->first;
	c->first = r->ring.slot[slot].next;
	c->held = slot;
	live_raise_to(&c->handed_ns, page_stamp(l, r, slot));
	*page = (struct rs_page){
		.data = rs_page_ring_page(&r->ring, slot),
		.len_bytes = r->ring.slot[slot].len_bytes,
		.empty_at_ns = r->ring.slot[slot].empty_at_ns,
	};
	return RS_NEXT_PAGE;
}

/*
 * A reader's watermark covers what it has read, not what has been handed out. It is loaded
 * before the pages are collected: if the CPU's list is empty after that, every page before
 * the watermark has been handed out. Otherwise the next page's time stamp is the bound.
 */
static uint64_t live_watermark_ns(struct rs_source *s, unsigned int cpu)
{
	struct rs_live *l = live_of(s);
	struct rs_live_cpu *c = &l->cpus[cpu];
	struct rs_reader *r = c->reader;
	uint64_t mark;
	bool ended;

	if (!r)
		return UINT64_MAX;
	mark = atomic_load_explicit(&c->watermark, memory_order_acquire);
	ended = atomic_load_explicit(&r->done, memory_order_acquire) ||
		atomic_load_explicit(&c->failed, memory_order_acquire);
	if (c->first == RS_NO_SLOT)
		live_collect(r);
	if (c->first != RS_NO_SLOT)
		live_raise_to(&c->handed_ns, page_stamp(l, r, c->first));
	else
		live_raise_to(&c->handed_ns, ended ? UINT64_MAX : mark);
	return c->handed_ns;
}

/* Has a reader completed a round since the last call? */
static bool live_has_new_round(struct rs_live *l)
{
	bool news = false;

	for (unsigned int i = 0; i < l->nr_readers; i++) {
		uint32_t nr = atomic_load(&l->readers[i].nr_rounds);

		news |= nr != l->readers[i].nr_rounds_seen;
		l->readers[i].nr_rounds_seen = nr;
	}
	return news;
}

static bool at_end(struct rs_live *l)
{
	for (unsigned int i = 0; i < l->nr_readers; i++) {
		struct rs_reader *r = &l->readers[i];

		if (!atomic_load_explicit(&r->done, memory_order_acquire))
			return false;
		live_collect(r);
		for (unsigned int k = 0; k < r->nr_cpus; k++)
			if (r->cpus[k]->first != RS_NO_SLOT)
				return false;
	}
	return true;
}

static bool live_wait(struct rs_source *s, int timeout_ms)
{
	struct rs_live *l = live_of(s);
	struct pollfd p = { .fd = l->wake_fd, .events = POLLIN };
	eventfd_t count;

	if (live_has_new_round(l))
		return !at_end(l);
	if (at_end(l))
		return false;
	atomic_store(&l->consumer_sleeps, true);
	if (!live_has_new_round(l))
		poll(&p, 1, timeout_ms);
	atomic_store(&l->consumer_sleeps, false);
	eventfd_read(l->wake_fd, &count);
	live_has_new_round(l);
	return !at_end(l);
}

static void live_wake(struct rs_source *s)
{
	eventfd_write(live_of(s)->wake_fd, 1);
}

static size_t live_args(struct rs_source *s, const struct rs_process *of, char *buf, size_t size_bytes)
{
	struct rs_args_reader *reader = live_of(s)->args;

	if (buf)
		return rs_args_reader_read(reader, of, buf, size_bytes);
	rs_args_reader_ask(reader, of);
	return 0;
}

static void live_close(struct rs_source *s)
{
	struct rs_live *l = live_of(s);

	rs_live_readers_set_state(l, RS_LIVE_QUITTING);
	rs_live_watch_done(l); /* before the threads that it looks at */
	rs_live_readers_join(l);
	for (unsigned int i = 0; i < l->nr_readers; i++) {
		rs_page_ring_done(&l->readers[i].ring);
		rs_close(&l->readers[i].control_fd);
	}
	rs_close(&l->wake_fd);
	sem_destroy(&l->watch.quit);
	sem_destroy(&l->ready);
	rs_close(&l->source.info.kallsyms_fd);
	rs_args_reader_end(l->args);
	rs_live_info_done(l);
	rs_task_snapshot_done(&l->snapshot);
	rs_call_params_done(&l->call_params);
	rs_live_samples_done(l);
	if (s->samples)
		s->samples->ops->close(s->samples);
	if (s->switch_stacks)
		s->switch_stacks->ops->close(s->switch_stacks);
	free(l->readers);
	free(l->cpus);
	free(l);
}

static const struct rs_source_ops live_ops = {
	.next = live_next,
	.watermark_ns = live_watermark_ns,
	.wait = live_wait,
	.wake = live_wake,
	.sample = rs_live_sample,
	.args = live_args,
	.close = live_close,
};

/*
 * One thread for each CPU, unless there are too many CPUs: each thread costs a comparison
 * in the event filters that exclude ringside's own threads, a stack and a page ring.
 */
static unsigned int live_nr_cpus_per_reader(unsigned int nr_cpus)
{
	unsigned int nr = (nr_cpus + MAX_LONE_READERS - 1) / MAX_LONE_READERS;

	return nr < RS_READER_CPUS ? nr : RS_READER_CPUS;
}

/* Assigns the CPUs that have a buffer to readers. */
static int make_readers(struct rs_live *l, size_t ring_bytes, struct rs_error *err)
{
	unsigned int nr_open = 0, nr_each = live_nr_cpus_per_reader(l->instance->nr_cpus);
	unsigned int nr_max = (l->instance->nr_cpus + nr_each - 1) / nr_each;

	l->cpus = calloc(l->instance->nr_cpus, sizeof *l->cpus);
	l->readers = calloc(nr_max, sizeof *l->readers);
	if (!l->cpus || !l->readers)
		return rs_fail(err, "out of memory");
	for (unsigned int i = 0; i < nr_max; i++)
		l->readers[i].control_fd = -1;
	for (unsigned int i = 0; i < l->instance->nr_cpus; i++) {
		struct rs_live_cpu *c = &l->cpus[i];

		c->cpu = i;
		c->fd = l->instance->raw_fds[i];
		c->first = c->last = c->held = RS_NO_SLOT;
		if (c->fd < 0)
			continue;
		c->reader = &l->readers[nr_open / nr_each];
		c->reader->cpus[c->reader->nr_cpus++] = c;
		nr_open++;
	}
	l->nr_readers = (nr_open + nr_each - 1) / nr_each;
	for (unsigned int i = 0; i < l->nr_readers; i++) {
		struct rs_reader *r = &l->readers[i];

		r->live = l;
		r->control_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (r->control_fd < 0)
			return rs_fail(err, "cannot make an eventfd: %s", strerror(errno));
		if (rs_page_ring_init(&r->ring, ring_bytes / nr_open * r->nr_cpus, l->instance->page_bytes,
				      r->nr_cpus) < 0)
			return rs_fail(err, "no memory for page rings of %zu bytes", ring_bytes);
	}
	return 0;
}

static int start_readers(struct rs_live *l, struct rs_error *err)
{
	for (unsigned int i = 0; i < l->nr_readers; i++) {
		int errnum = rs_live_reader_start(&l->readers[i]);

		if (errnum)
			return rs_fail(err, "cannot start a reader's thread: %s", rs_thread_why(errnum));
	}
	for (unsigned int i = 0; i < l->nr_readers; i++)
		while (sem_wait(&l->ready) < 0 && errno == EINTR)
			;
	return 0;
}

/* Without them the capture goes on: views of samples say why they have none. */
static void live_open_samples(struct rs_live *l, const struct rs_live_options *opt)
{
	unsigned int hz = 0;

	if (!(opt->samples & (RS_SAMPLE_STACKS | RS_SAMPLE_MAPPINGS | RS_SAMPLE_ALLOCATIONS)))
		return;
	if (rs_pidns() == RS_PIDNS_OTHER) {
		l->source.no_samples = "samples have the PIDs of this PID namespace, and events those of the "
				       "host (run it on the host)";
		return;
	}
	if (opt->samples & RS_SAMPLE_STACKS)
		hz = opt->sample_hz ? opt->sample_hz : RS_SAMPLES_HZ;
	l->source.samples = rs_samples_open(
		&(struct rs_samples_options){ hz, opt->sample_stack_bytes, opt->sample_regs,
					      l->source.info.clock, l->instance->files_fd },
		&l->no_samples);
	l->probes = l->source.samples ? opt->probes : NULL;
	if (l->probes)
		rs_samples_add_probes(l->source.samples, l->probes);
	else
		rs_probes_close(opt->probes);
	l->source.no_samples = l->source.samples ? NULL : l->no_samples.text;
}

/* /proc of another PID namespace has other PIDs: it would describe other processes. */
static void live_open_args(struct rs_live *l, const struct rs_live_options *opt)
{
	if (opt->no_args || rs_pidns() == RS_PIDNS_OTHER)
		return;
	l->args = rs_args_reader_begin(l->has_clock ? &l->clock : NULL, opt->plain_args);
	l->source.info.args = rs_args_reader_table(l->args);
}

struct rs_source *rs_live_open(struct rs_instance *in, const struct rs_live_options *opt,
			       struct rs_error *err)
{
	struct rs_live *l = calloc(1, sizeof *l);

	if (!l) {
		rs_fail(err, "out of memory");
		rs_probes_close(opt->probes);
		if (opt->switch_stacks)
			opt->switch_stacks->ops->close(opt->switch_stacks);
		return NULL;
	}
	l->source.ops = &live_ops;
	l->source.switch_stacks = opt->switch_stacks;
	l->source.starvation = &l->starvation;
	l->instance = in;
	l->full_pages = opt->full_pages;
	l->samples = opt->samples;
	l->waits = (struct rs_initial_waits){ opt->pids, opt->tids, opt->nr_pids, opt->nr_tids, opt->abis };
	l->watch = (struct rs_live_watch){ .stall_fd = -1,
					   .parent_fd = opt->parent_pidfd > 0 ? opt->parent_pidfd : -1 };
	sem_init(&l->ready, 0, 0);
	sem_init(&l->watch.quit, 0, 0);
	/*
	 * opened as root: the kernel shows addresses only to a privileged opener. Without it locks have no
	 * names
	 */
	l->source.info.kallsyms_fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	l->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->wake_fd < 0)
		rs_fail(err, "cannot make an eventfd: %s", strerror(errno));
	else if (rs_live_info_read(l, err) == 0 && make_readers(l, opt->page_ring_bytes, err) == 0 &&
		 rs_live_watch_start(l, err) == 0 && start_readers(l, err) == 0) {
		live_open_args(l, opt);
		live_open_samples(l, opt);
		return &l->source;
	}
	rs_probes_close(opt->probes);
	live_close(&l->source);
	return NULL;
}

size_t rs_live_tids(struct rs_source *s, pid_t *tids, size_t max)
{
	struct rs_live *l = live_of(s);
	size_t nr = 0;

	for (; nr < l->nr_readers && nr < max; nr++)
		tids[nr] = l->readers[nr].tid;
	if (nr < max)
		tids[nr++] = l->watch.tid;
	if (nr < max && l->args)
		tids[nr++] = rs_args_reader_tid(l->args);
	return nr;
}

void rs_live_consumer_ended(struct rs_source *s)
{
	atomic_store(&live_of(s)->has_consumer, false);
}

const char *rs_live_probes_note(struct rs_source *s)
{
	return live_of(s)->probes ? rs_probes_note(live_of(s)->probes) : NULL;
}

struct rs_args_reader *rs_live_args(struct rs_source *s)
{
	return live_of(s)->args;
}

int rs_live_stall_fd(struct rs_source *s)
{
	return live_of(s)->watch.stall_fd;
}

void rs_live_start(struct rs_source *s)
{
	struct rs_live *l = live_of(s);
	const pid_t own[] = { getpid(), l->instance->guardian_pids[0], l->instance->guardian_pids[1] };

	rs_live_readers_set_state(l, RS_LIVE_RUNNING);
	if (s->samples)
		s->samples->ops->start(s->samples);
	if (s->switch_stacks)
		s->switch_stacks->ops->start(s->switch_stacks);
	/*
	 * Tracing is on: a task that is not in this snapshot is named by an event. If it fails, only
	 * names are missing. /proc of another PID namespace has other PIDs, and is not read.
	 */
	if (rs_pidns() != RS_PIDNS_OTHER)
		rs_task_snapshot_read(&l->snapshot, l->has_clock ? &l->clock : NULL, own,
				      sizeof own / sizeof *own, &l->waits);
	if (l->samples & RS_SAMPLE_CGROUPS)
		rs_proc_cgroups(&l->snapshot, "/proc");
	l->source.info.snapshot = l->snapshot.row;
	l->source.info.nr_initial = l->snapshot.nr;
	if (l->waits.abis) /* calls are captured: 360 files, read in 1.5 ms that delay nothing by now */
		rs_call_params_read(&l->call_params, l->instance->path);
	l->source.info.call_params = l->call_params.row;
	l->source.info.nr_call_params = l->call_params.nr;
	rs_live_first_sample(l);
	RS_LOG(RS_LOG_SOURCE,
	       "%u readers for %u CPUs, pages of %zu bytes, clock %s, %zu tasks in the initial snapshot",
	       l->nr_readers, l->instance->nr_cpus, (size_t)l->instance->page_bytes,
	       s->info.clock ? s->info.clock : "unknown", l->snapshot.nr);
}

static void live_log_stats(struct rs_source *s)
{
	struct rs_live_stats stats;

	rs_live_stats(s, &stats);
	RS_LOG(RS_LOG_SOURCE,
	       "readers %s, %llu pages, %llu bytes, %llu times full, page rings held at most %llu bytes",
	       stats.fifo ? "are SCHED_FIFO" : "have normal priority", (unsigned long long)stats.pages,
	       (unsigned long long)stats.bytes, (unsigned long long)stats.reader_full,
	       (unsigned long long)stats.page_ring_peak_bytes);
}

void rs_live_stop_samples(struct rs_source *s)
{
	if (s->samples)
		s->samples->ops->stop(s->samples);
	if (s->switch_stacks)
		s->switch_stacks->ops->stop(s->switch_stacks);
}

void rs_live_stop(struct rs_source *s)
{
	rs_live_last_sample(s);
	rs_live_readers_set_state(live_of(s), RS_LIVE_DRAINING);
	live_log_stats(s);
}

void rs_live_stats(struct rs_source *s, struct rs_live_stats *stats)
{
	struct rs_live *l = live_of(s);

	*stats = (struct rs_live_stats){ .fifo = l->nr_readers > 0 };
	for (unsigned int i = 0; i < l->nr_readers; i++) {
		struct rs_reader *r = &l->readers[i];

		stats->pages += atomic_load_explicit(&r->nr_pages, memory_order_relaxed);
		stats->bytes += atomic_load_explicit(&r->nr_bytes, memory_order_relaxed);
		stats->reader_full += atomic_load_explicit(&r->nr_full, memory_order_relaxed);
		stats->page_ring_peak_bytes += r->ring.page_bytes *
			(uint64_t)atomic_load_explicit(&r->ring.nr_peak, memory_order_relaxed);
		stats->fifo &= atomic_load_explicit(&r->fifo, memory_order_relaxed);
	}
}

const char *rs_live_starving(struct rs_source *s)
{
	if (rs_starvation_is_on(&live_of(s)->starvation, rs_trace_clock_ns(CLOCK_MONOTONIC)))
		return "starved: ringside's threads wait for a CPU half of the time or more, and events can "
		       "be lost (give it a larger share of the CPUs)";
	return NULL;
}

const char *rs_live_demotion(struct rs_source *s)
{
	struct rs_live *l = live_of(s);

	for (unsigned int i = 0; i < l->nr_readers; i++)
		if (atomic_load_explicit(&l->readers[i].demoted, memory_order_relaxed))
			return "a reader of the trace buffers ran without a pause and lost its real-time "
			       "priority: events can be lost (please report this)";
	return NULL;
}
