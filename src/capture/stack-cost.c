// SPDX-License-Identifier: GPL-2.0-or-later
/* stack-cost - what a wait costs that is recorded with its stack, as this machine does it */
#include "capture/stack-cost.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "base/close.h"
#include "base/thread.h"
#include "source/perf/samples.h"
#include "source/trace-clock.h"
#include "tracefs/tracefs.h"

#define STACK_COST_ROUND_TRIPS 200
#define STACK_COST_ROUNDS 5
#define STACK_COST_TRIES 4

/*
 * Two threads on one CPU that wake each other by pipes: each round trip is two waits, and nothing runs in
 * between.
 */
struct stack_cost {
	int to_other[2], from_other[2];
};

static void *stack_cost_answer(void *arg)
{
	const struct stack_cost *s = arg;
	char byte;

	while (read(s->to_other[0], &byte, 1) == 1 && write(s->from_other[1], &byte, 1) == 1)
		;
	return NULL;
}

/* The least of some rounds, in ns of a wait: others that run on the CPU only add. */
static uint64_t stack_cost_wait_ns(const struct stack_cost *s)
{
	uint64_t least_ns = UINT64_MAX;
	char byte = 0;

	for (int round = 0; round < STACK_COST_ROUNDS; round++) {
		uint64_t begin_ns = rs_trace_clock_ns(CLOCK_MONOTONIC), ns;

		for (int i = 0; i < STACK_COST_ROUND_TRIPS; i++)
			if (write(s->to_other[1], &byte, 1) != 1 || read(s->from_other[0], &byte, 1) != 1)
				return UINT64_MAX;
		ns = rs_trace_clock_ns(CLOCK_MONOTONIC) - begin_ns;
		least_ns = ns < least_ns ? ns : least_ns;
	}
	return least_ns / (2 * STACK_COST_ROUND_TRIPS);
}

/* With perf the event is on, see capture.c. */
static int stack_cost_turn(struct rs_instance *in, struct rs_sample_source *perf, bool on)
{
	if (!perf)
		return rs_stack_triggers_try(in, true, on);
	(on ? perf->ops->start : perf->ops->stop)(perf);
	return 0;
}

static void stack_cost_drain(struct rs_sample_source *perf)
{
	struct rs_sample_record record;

	for (unsigned int ring = 0; ring < perf->info.nr_rings; ring++)
		while (perf->ops->next(perf, ring, &record))
			;
}

/* With stacks on, and off again; UINT64_MAX: it could not be measured. */
static uint64_t stack_cost_wait_with_ns(struct rs_instance *in, struct rs_sample_source *perf,
					const struct stack_cost *s)
{
	uint64_t ns = UINT64_MAX;

	rs_instance_pause(in, false);
	if (stack_cost_turn(in, perf, true) == 0)
		ns = stack_cost_wait_ns(s);
	stack_cost_turn(in, perf, false);
	rs_instance_pause(in, true);
	rs_instance_clear(in);
	if (perf)
		stack_cost_drain(perf);
	return ns;
}

/*
 * On a busy machine all rounds without stacks may be disturbed: then both are tried again. 0: not measured
 */
static uint64_t stack_cost_compare(struct rs_instance *in, struct rs_sample_source *perf,
				   const struct stack_cost *s)
{
	uint64_t off_ns = UINT64_MAX, on_ns = UINT64_MAX;

	for (int i = 0; i < STACK_COST_TRIES && off_ns >= on_ns; i++) {
		uint64_t ns = stack_cost_wait_ns(s);

		off_ns = ns < off_ns ? ns : off_ns;
		ns = stack_cost_wait_with_ns(in, perf, s);
		on_ns = ns < on_ns ? ns : on_ns;
	}
	return on_ns != UINT64_MAX && on_ns > off_ns ? on_ns - off_ns : 0;
}

uint64_t rs_stack_cost_measure(struct rs_instance *in, struct rs_sample_source *perf)
{
	struct stack_cost s = { { -1, -1 }, { -1, -1 } };
	cpu_set_t before, one;
	pthread_t other;
	uint64_t ns = 0;

	CPU_ZERO(&one);
	CPU_SET((unsigned int)sched_getcpu(), &one);
	if (sched_getaffinity(0, sizeof before, &before) < 0 || sched_setaffinity(0, sizeof one, &one) < 0)
		return 0;
	if (pipe2(s.to_other, O_CLOEXEC) == 0 && pipe2(s.from_other, O_CLOEXEC) == 0 &&
	    rs_thread_begin(&other, 0, stack_cost_answer, &s) == 0) {
		ns = stack_cost_compare(in, perf, &s);
		rs_close(&s.to_other[1]);
		pthread_join(other, NULL);
	}
	for (int i = 0; i < 2; i++) {
		rs_close(&s.to_other[i]);
		rs_close(&s.from_other[i]);
	}
	sched_setaffinity(0, sizeof before, &before);
	return ns;
}
