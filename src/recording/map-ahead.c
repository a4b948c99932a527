// SPDX-License-Identifier: GPL-2.0-or-later
/* map-ahead - a thread that maps the part of a file that is read next, and unmaps what has been read */
#include "recording/map-ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/thread.h"

#ifndef MADV_POPULATE_READ /* libc headers older than kernel 5.14 */
#define MADV_POPULATE_READ 22
#endif

struct map_ahead_request {
	struct rs_map_ahead_step step;
	bool open;            /* neither begun nor revoked */
};

struct rs_map_ahead {
	pthread_t thread;
	pthread_mutex_t lock; /* guards what is below */
	pthread_cond_t changed;
	bool ends;
	unsigned int nr_cpus, nr_open;
	struct map_ahead_request requests[];
};

static void advise(const struct rs_map_range *range, int advice)
{
	if (range->len_bytes)
		madvise((void *)(uintptr_t)range->from, range->len_bytes, advice);
}

void rs_map_ahead_step(const struct rs_map_ahead_step *step)
{
	advise(&step->next, MADV_POPULATE_READ);
	advise(&step->after, MADV_WILLNEED);
	advise(&step->passed, MADV_DONTNEED);
}

/*
 * Of the pending requests the one with the lowest address: in a file that of the CPU that was read longest
 * ago.
 */
static const struct map_ahead_request *map_ahead_pop_lowest(struct rs_map_ahead *a)
{
	struct map_ahead_request *first = NULL;

	for (struct map_ahead_request *r = a->requests; r < a->requests + a->nr_cpus; r++)
		if (r->open && (!first || r->step.next.from < first->step.next.from))
			first = r;
	first->open = false;
	a->nr_open--;
	return first;
}

static bool map_ahead_is_passed(const struct rs_map_range *range, const struct rs_map_ahead_step *now)
{
	return now->passed.len_bytes &&
	       range->from + range->len_bytes <= now->passed.from + now->passed.len_bytes;
}

static void *map(void *arg)
{
	struct rs_map_ahead *a = arg;
	const struct map_ahead_request *request;
	struct rs_map_ahead_step step;

	pthread_mutex_lock(&a->lock);
	for (;;) {
		while (!a->ends && !a->nr_open)
			pthread_cond_wait(&a->changed, &a->lock);
		if (a->ends)
			break;
		request = map_ahead_pop_lowest(a);
		step = request->step;
		pthread_mutex_unlock(&a->lock);
		rs_map_ahead_step(&step);
		pthread_mutex_lock(&a->lock);
		/*
		 * a reader that only counts pages is faster: it has given this back already, and would not
		 * again
		 */
		if (map_ahead_is_passed(&step.next, &request->step))
			advise(&step.next, MADV_DONTNEED);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

struct rs_map_ahead *rs_map_ahead_new(unsigned int nr_cpus)
{
	struct rs_map_ahead *a = calloc(1, sizeof *a + nr_cpus * sizeof a->requests[0]);

	if (!a)
		return NULL;
	a->nr_cpus = nr_cpus;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	if (rs_thread_begin(&a->thread, 0, map, a) == 0)
		return a;
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
	return NULL;
}

void rs_map_ahead_free(struct rs_map_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->ends = true;
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

void rs_map_ahead_ask(struct rs_map_ahead *a, unsigned int cpu, const struct rs_map_ahead_step *step)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->nr_open += !a->requests[cpu].open;
	a->requests[cpu] = (struct map_ahead_request){ *step, true };
	pthread_cond_signal(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

bool rs_map_ahead_take_back(struct rs_map_ahead *a, unsigned int cpu, struct rs_map_ahead_step *step)
{
	bool open;

	if (!a)
		return false;
	pthread_mutex_lock(&a->lock);
	open = a->requests[cpu].open;
	*step = a->requests[cpu].step;
	a->nr_open -= open;
	a->requests[cpu].open = false;
	pthread_mutex_unlock(&a->lock);
	return open;
}
