// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe-rate - what probes would cost, before they begin: how often the functions are called, and what a call
 * costs here
 *
 * A hit costs one microsecond where the kernel emulates the instruction at the breakpoint, and several where
 * the CPU has to step over it, most in a virtual machine. So the cost is that of ringside's own calls of
 * malloc and free, which mostly are the same functions of the same file; else of a function that is stepped
 * over. Calls are counted without records; the breakpoints are in the program meanwhile, a tenth of a second.
 * Events of the kernel's allocations are counted as well, and cost what they add to ringside's own calls that
 * make such.
 */
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "base/vector.h"
#include "source/perf/perf-ring.h"
#include "source/perf/probe-parts.h"
#include "source/trace-clock.h"

#define RATE_MS 100u
#define OWN_RING_BYTES (4u << 20)  /* a batch has a thousand stacks of the kernel */
#define OWN_CALLS 200
#define OWN_BATCHES 10

/* ---- the cost of a call ---- */

#ifdef __clang__
#define RATE_AS_IT_STANDS __attribute__((noinline))
#else
#define RATE_AS_IT_STANDS __attribute__((noinline, noclone, optimize("omit-frame-pointer")))
#endif

/* It begins with its return, which the kernel does not emulate. */
RATE_AS_IT_STANDS static void rate_own_function(void)
{
	__asm__ volatile("");
}

static void rate_call_own(void)
{
	rate_own_function();
	rate_own_function();
}

static void *volatile rate_block;

static void rate_call_libc(void)
{
	rate_block = malloc(32);
	free(rate_block);
}

static int rate_find_offset(struct dl_phdr_info *info, size_t size, void *offset)
{
	uintptr_t address = (uintptr_t)rate_own_function - info->dlpi_addr;

	for (unsigned int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && address - p->p_vaddr < p->p_filesz)
			*(uint64_t *)offset = address - p->p_vaddr + p->p_offset;
	}
	return 1; /* the program itself comes first */
}

uint64_t rs_probe_rate_own_offset(void)
{
	uint64_t offset = 0;

	dl_iterate_phdr(rate_find_offset, &offset);
	return offset;
}

/*
 * What a batch of calls takes, the shortest of several, for others are interrupted; and how many hits all of
 * them had.
 */
static uint64_t rate_time_calls(struct rs_perf_ring *ring, void (*call)(void), unsigned int *nr_hits)
{
	struct rs_sample_record record;
	uint64_t least_ns = UINT64_MAX;

	*nr_hits = 0;
	for (int batch = 0; batch < OWN_BATCHES; batch++) {
		uint64_t ns = rs_trace_clock_ns(CLOCK_MONOTONIC);

		for (int i = 0; i < OWN_CALLS; i++)
			call();
		ns = rs_trace_clock_ns(CLOCK_MONOTONIC) - ns;
		least_ns = ns < least_ns ? ns : least_ns;
		while (rs_perf_ring_next(ring, &record))
			++*nr_hits;
	}
	return least_ns;
}

/* Events of this thread, that share a ring. */
struct rate_own {
	struct rs_perf_ring ring;
	int ring_fd, fds[RS_MAX_KERNEL_PROBES];
	size_t nr;
	bool works;
};

static void rate_open_own(struct rate_own *own)
{
	struct perf_event_attr dummy = rs_probes_dummy_attr();

	*own = (struct rate_own){ .ring_fd = rs_probes_open_event(&dummy, 0, -1) };
	own->works = own->ring_fd >= 0 &&
		     rs_perf_ring_map(&own->ring, own->ring_fd, OWN_RING_BYTES, OWN_RING_BYTES) == 0;
}

static void rate_add_own(struct rate_own *own, struct perf_event_attr *attr)
{
	int fd = own->works && attr->config && own->nr < RS_MAX_KERNEL_PROBES ?
			 rs_probes_open_event(attr, 0, -1) :
			 -1;

	own->works = fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, own->ring_fd) == 0 &&
		     ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
	if (fd >= 0)
		own->fds[own->nr++] = fd;
}

static void rate_close_own(struct rate_own *own)
{
	while (own->nr)
		close(own->fds[--own->nr]);
	rs_perf_ring_done(&own->ring);
	rs_close(&own->ring_fd);
}

/* Of two events of tracefs, in this thread, by calls of two functions each. 0: it could not be measured. */
static uint64_t rate_measure_call(const uint32_t event_ids[RS_NR_PROBE_SIDES], void (*call)(void))
{
	unsigned int nr_hits = 0;
	struct rate_own own;
	uint64_t ns = 0;

	rate_open_own(&own);
	for (enum rs_probe_side side = 0; side < RS_NR_PROBE_SIDES; side++) {
		struct perf_event_attr attr = rs_probes_attr(event_ids[side], side);

		rate_add_own(&own, &attr);
	}
	if (own.works)
		ns = rate_time_calls(&own.ring, call, &nr_hits);
	rate_close_own(&own);
	return nr_hits >= OWN_BATCHES * OWN_CALLS ? ns / OWN_CALLS / 2 : 0;
}

/* It makes a file, and what belongs to it, and frees most of it. */
static void rate_call_kernel(void)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

/*
 * Of the kernel's events that allocate, or that free, in this thread: how much longer the same calls take
 * with them. 0: it could not be measured
 */
static uint64_t rate_measure_kernel(const struct rs_probe_target *target, bool allocates)
{
	unsigned int nr_hits = 0, none = 0;
	struct rate_own own;
	uint64_t ns = 0, without_ns = 0;

	if (!target->nr_kernel)
		return 0;
	rate_open_own(&own);
	without_ns = own.works ? rate_time_calls(&own.ring, rate_call_kernel, &none) : 0;
	for (size_t i = 0; i < target->nr_kernel; i++) {
		struct perf_event_attr attr = rs_kernel_probe_attr(&target->kernel[i]);

		if (rs_kernel_probe_allocates(&target->kernel[i]) == allocates)
			rate_add_own(&own, &attr);
	}
	if (own.works)
		ns = rate_time_calls(&own.ring, rate_call_kernel, &nr_hits);
	rate_close_own(&own);
	return nr_hits && ns > without_ns ? (ns - without_ns) * OWN_BATCHES / nr_hits : 0;
}

/* ---- the rate of calls ---- */

enum rate_kind { RATE_CPU_NS, RATE_CALLS, RATE_ALLOCS, RATE_FREES, RATE_NR_KINDS };

struct rate_count {
	const struct rs_probe_target *target;
	struct rate_counter { int fd; enum rate_kind kind; } *counters;
	size_t nr, room;
};

static int rate_keep(struct rate_count *c, int fd, enum rate_kind kind)
{
	struct rate_counter *counter = fd < 0 ? NULL : RS_VECTOR_ADD(&c->counters, &c->nr, &c->room);

	if (counter)
		*counter = (struct rate_counter){ fd, kind };
	else if (fd >= 0)
		close(fd);
	return counter || (fd < 0 && (errno == ESRCH || errno == ENODEV)) ? 0 : -1;
}

static struct perf_event_attr rate_attr(uint32_t event_id)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_TRACEPOINT, .config = event_id };
}

static int rate_add_thread(void *arg, pid_t tid)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK };
	struct rate_count *c = arg;

	if (rate_keep(c, rs_probes_open_inherited(&attr, tid, -1), RATE_CPU_NS) < 0)
		return -1;
	attr = rate_attr(c->target->event_ids[RS_PROBE_BEGIN]);
	if (c->target->nr && rate_keep(c, rs_probes_open_inherited(&attr, tid, -1), RATE_CALLS) < 0)
		return -1;
	for (size_t i = 0; i < c->target->nr_kernel; i++) {
		attr = rate_attr(c->target->kernel[i].event_id);
		if (rs_kernel_probe_allocates(&c->target->kernel[i]) &&
		    rate_keep(c, rs_probes_open_inherited(&attr, tid, -1), RATE_ALLOCS) < 0)
			return -1;
	}
	return 0;
}

static int rate_add_frees(struct rate_count *c)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	for (size_t i = 0; i < c->target->nr_kernel; i++) {
		struct perf_event_attr attr = rate_attr(c->target->kernel[i].event_id);

		for (int cpu = 0; cpu < nr_cpus && !rs_kernel_probe_allocates(&c->target->kernel[i]); cpu++)
			if (rate_keep(c, rs_probes_open_event(&attr, -1, cpu), RATE_FREES) < 0)
				return -1;
	}
	return 0;
}

static void rate_turn(const struct rate_count *c, unsigned long request)
{
	for (size_t i = 0; i < c->nr; i++)
		ioctl(c->counters[i].fd, request, 0);
}

static void rate_read(struct rate_count *c, uint64_t sums[RATE_NR_KINDS])
{
	for (size_t i = 0; i < c->nr; i++) {
		uint64_t n;

		if (read(c->counters[i].fd, &n, sizeof n) == sizeof n)
			sums[c->counters[i].kind] += n;
		close(c->counters[i].fd);
	}
	free(c->counters);
}

/* Of so many calls; the process would have this CPU time without the probes. */
static unsigned int rate_share(uint64_t nr, uint64_t each_ns, uint64_t own_ns)
{
	uint64_t cost_ns = nr * each_ns;

	return own_ns + cost_ns ? (unsigned int)(cost_ns * 1000 / (own_ns + cost_ns)) : 0;
}

static uint64_t rate_per_s(uint64_t nr, uint64_t ns)
{
	return (uint64_t)((double)nr * 1e9 / (double)ns);
}

static void rate_fill_in(struct rs_probe_rate *rate, const uint64_t sums[RATE_NR_KINDS], uint64_t ns)
{
	/* what it does when nobody counts: without the breakpoints, of which there was one a call */
	uint64_t cost_ns = sums[RATE_CALLS] * rate->call_ns / 2;
	uint64_t own_ns = sums[RATE_CPU_NS] > cost_ns ? sums[RATE_CPU_NS] - cost_ns : sums[RATE_CPU_NS] / 10;

	rate->calls_per_s = rate_per_s(sums[RATE_CALLS], ns);
	rate->cpu_ns_per_s = rate_per_s(sums[RATE_CPU_NS], ns);
	rate->share_milli = rate_share(sums[RATE_CALLS], rate->call_ns, own_ns);
	rate->allocs_per_s = rate_per_s(sums[RATE_ALLOCS], ns);
	rate->frees_per_s = rate_per_s(sums[RATE_FREES], ns);
	/* what it allocates it frees, sooner or later, or another task does */
	rate->kernel_share_milli = rate_share(sums[RATE_ALLOCS], rate->alloc_ns + rate->free_ns, own_ns);
	cost_ns = sums[RATE_ALLOCS] * rate->alloc_ns + sums[RATE_FREES] * rate->free_ns;
	rate->machine_milli = (unsigned int)(cost_ns * 1000 / (ns * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN)));
}

int rs_probe_rate_measure(struct rs_probes *p, struct rs_probe_rate *rate, struct rs_error *err)
{
	struct rate_count count = { .target = rs_probes_target(p) };
	uint64_t begin_ns, sums[RATE_NR_KINDS] = { 0 };
	int ret = rs_probes_for_each_thread(count.target, rate_add_thread, &count);

	ret = ret ? ret : rate_add_frees(&count);
	*rate = (struct rs_probe_rate){ .alloc_ns = rate_measure_kernel(count.target, true),
					.free_ns = rate_measure_kernel(count.target, false) };
	if (count.target->nr)
		rate->call_ns = rate_measure_call(count.target->event_ids, rate_call_libc);
	if (count.target->nr && !rate->call_ns) /* it has another C library */
		rate->call_ns = rate_measure_call(count.target->own_ids, rate_call_own);
	begin_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
	rate_turn(&count, PERF_EVENT_IOC_ENABLE);
	if (!ret)
		nanosleep(&(struct timespec){ .tv_nsec = RATE_MS * 1000000L }, NULL);
	rate_turn(&count, PERF_EVENT_IOC_DISABLE);
	begin_ns = rs_trace_clock_ns(CLOCK_MONOTONIC) - begin_ns;
	if (ret)
		rs_probes_fail(count.target, err);
	rate_read(&count, sums);
	if (ret)
		return -1;
	rate_fill_in(rate, sums, begin_ns);
	RS_LOG(RS_LOG_SOURCE,
	       "%llu calls, %llu allocations of the kernel and %llu frees in %llu us, with %llu us of CPU "
	       "time; a call costs %llu ns, an allocation of the kernel %llu ns, a free %llu ns",
	       (unsigned long long)sums[RATE_CALLS], (unsigned long long)sums[RATE_ALLOCS],
	       (unsigned long long)sums[RATE_FREES], (unsigned long long)begin_ns / 1000,
	       (unsigned long long)sums[RATE_CPU_NS] / 1000, (unsigned long long)rate->call_ns,
	       (unsigned long long)rate->alloc_ns, (unsigned long long)rate->free_ns);
	return 0;
}
