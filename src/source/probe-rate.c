// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probe-rate - what probes would cost, before they begin: how often the functions are called, and what a call costs here
 *
 * A hit costs one microsecond where the kernel emulates the instruction at the breakpoint, and several where the CPU has to step
 * over it, most in a virtual machine. So the cost is that of ringside's own calls of malloc and free, which mostly are the same
 * functions of the same file; else of a function that is stepped over. Calls are counted without records; the breakpoints are
 * in the program meanwhile, a tenth of a second.
 */
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "base/vector.h"
#include "source/perf-ring.h"
#include "source/probe-parts.h"
#include "source/trace-clock.h"

#define RATE_MS 100u
#define OWN_RING_BYTES (1u << 20)
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

/* Of two calls that call() makes; the shortest of several batches, for others are interrupted. 0: they have no hits. */
static uint64_t rate_time_calls(struct rs_perf_ring *ring, void (*call)(void))
{
	struct rs_sample_record record;
	uint64_t least_ns = UINT64_MAX;
	unsigned int nr = 0;

	for (int batch = 0; batch < OWN_BATCHES; batch++) {
		uint64_t ns = rs_trace_clock_ns(CLOCK_MONOTONIC);

		for (int i = 0; i < OWN_CALLS; i++)
			call();
		ns = rs_trace_clock_ns(CLOCK_MONOTONIC) - ns;
		least_ns = ns < least_ns ? ns : least_ns;
		while (rs_perf_ring_next(ring, &record))
			nr++;
	}
	return nr >= OWN_BATCHES * OWN_CALLS ? least_ns / OWN_CALLS / 2 : 0;
}

/* Of two events of tracefs, in this thread. 0: it could not be measured. */
static uint64_t rate_measure_call(const uint32_t event_ids[RS_NR_PROBE_SIDES], void (*call)(void))
{
	struct perf_event_attr dummy = rs_probes_dummy_attr(), attr;
	int ring_fd = rs_probes_open_event(&dummy, 0, -1), fds[RS_NR_PROBE_SIDES] = { -1, -1 };
	struct rs_perf_ring ring = { 0 };
	bool works = ring_fd >= 0 && rs_perf_ring_map(&ring, ring_fd, OWN_RING_BYTES, OWN_RING_BYTES) == 0;
	uint64_t ns = 0;

	for (enum rs_probe_side side = 0; side < RS_NR_PROBE_SIDES && works; side++) {
		attr = rs_probes_attr(event_ids[side], side);
		fds[side] = event_ids[side] ? rs_probes_open_event(&attr, 0, -1) : -1;
		works = fds[side] >= 0 && ioctl(fds[side], PERF_EVENT_IOC_SET_OUTPUT, ring_fd) == 0 && ioctl(fds[side], PERF_EVENT_IOC_ENABLE, 0) == 0;
	}
	if (works)
		ns = rate_time_calls(&ring, call);
	for (enum rs_probe_side side = 0; side < RS_NR_PROBE_SIDES; side++)
		rs_close(&fds[side]);
	rs_perf_ring_done(&ring);
	rs_close(&ring_fd);
	return ns;
}

/* ---- the rate of calls ---- */

struct rate_count {
	const struct rs_probe_target *target;
	struct rate_counter { int fd; bool of_cpu; } *counters;
	size_t nr, room;
};

static int rate_add(struct rate_count *c, struct perf_event_attr *attr, pid_t tid)
{
	int fd = rs_probes_open_inherited(attr, tid, -1);
	struct rate_counter *counter = fd < 0 ? NULL : RS_VECTOR_ADD(&c->counters, &c->nr, &c->room);

	if (counter)
		*counter = (struct rate_counter){ fd, attr->type == PERF_TYPE_SOFTWARE };
	else if (fd >= 0)
		close(fd);
	return counter || (fd < 0 && errno == ESRCH) ? 0 : -1;
}

static int rate_add_thread(void *arg, pid_t tid)
{
	struct perf_event_attr cpu = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK };
	struct rate_count *c = arg;
	struct perf_event_attr calls = { .type = PERF_TYPE_TRACEPOINT, .config = c->target->event_ids[RS_PROBE_BEGIN] };

	return rate_add(c, &cpu, tid) < 0 ? -1 : rate_add(c, &calls, tid);
}

static void rate_turn(const struct rate_count *c, unsigned long request)
{
	for (size_t i = 0; i < c->nr; i++)
		ioctl(c->counters[i].fd, request, 0);
}

static void rate_read(struct rate_count *c, uint64_t *nr_calls, uint64_t *cpu_ns)
{
	for (size_t i = 0; i < c->nr; i++) {
		uint64_t n;

		if (read(c->counters[i].fd, &n, sizeof n) == sizeof n)
			*(c->counters[i].of_cpu ? cpu_ns : nr_calls) += n;
		close(c->counters[i].fd);
	}
	free(c->counters);
}

int rs_probe_rate_measure(struct rs_probes *p, struct rs_probe_rate *rate, struct rs_error *err)
{
	struct rate_count count = { .target = rs_probes_target(p) };
	uint64_t begin_ns, ns, nr_calls = 0, cpu_ns = 0, cost_ns, own_ns;
	int ret = rs_probes_for_each_thread(count.target, rate_add_thread, &count);

	*rate = (struct rs_probe_rate){ .call_ns = rate_measure_call(count.target->event_ids, rate_call_libc) };
	if (!rate->call_ns) /* it has another C library */
		rate->call_ns = rate_measure_call(count.target->own_ids, rate_call_own);
	begin_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
	rate_turn(&count, PERF_EVENT_IOC_ENABLE);
	if (!ret)
		nanosleep(&(struct timespec){ .tv_nsec = RATE_MS * 1000000L }, NULL);
	rate_turn(&count, PERF_EVENT_IOC_DISABLE);
	ns = rs_trace_clock_ns(CLOCK_MONOTONIC) - begin_ns;
	if (ret)
		rs_probes_fail(count.target, err);
	rate_read(&count, &nr_calls, &cpu_ns);
	if (ret)
		return -1;
	/* what it does when nobody counts: without the breakpoints, of which there was one a call */
	cost_ns = nr_calls * rate->call_ns / 2;
	own_ns = cpu_ns > cost_ns ? cpu_ns - cost_ns : cpu_ns / 10;
	cost_ns = nr_calls * rate->call_ns;
	rate->calls_per_s = (uint64_t)((double)nr_calls * 1e9 / (double)ns);
	rate->cpu_ns_per_s = (uint64_t)((double)cpu_ns * 1e9 / (double)ns);
	rate->share_milli = own_ns + cost_ns ? (unsigned int)(cost_ns * 1000 / (own_ns + cost_ns)) : 0;
	RS_LOG(RS_LOG_SOURCE, "%llu calls in %llu us, with %llu us of CPU time; a call costs %llu ns", (unsigned long long)nr_calls,
	       (unsigned long long)ns / 1000, (unsigned long long)cpu_ns / 1000, (unsigned long long)rate->call_ns);
	return 0;
}
