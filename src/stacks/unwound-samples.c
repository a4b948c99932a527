// SPDX-License-Identifier: GPL-2.0-or-later
/* unwound-samples - live samples whose stacks a thread of its own unwinds: --call-graph dwarf */
#include "stacks/unwound-samples.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "decode/sample-merge.h"
#include "stacks/stack-builder.h"
#include "symbols/symbolizer.h"
#include "symbols/unwinder.h"

#define UNWOUND_PERIOD_MS 20        /* rings hold a second at most rates */
#define UNWOUND_WAIT_MS 10          /* who takes samples waits so long for the latest ones */
#define UNWOUND_MOST_BYTES (8u << 20)
#define UNWOUND_FRAMES 1024u

struct unwound {
	struct rs_sample_source source;     /* first */
	struct rs_sample_source *inner;
	const struct rs_trace_info *info;
	struct rs_symbolizer *symbolizer;   /* of both sides: a module has one number */
	struct rs_buf taken;                /* whole records, by who takes samples */
	size_t taken_at;
	pthread_mutex_t lock;               /* guards the members below */
	pthread_cond_t changed;
	struct rs_buf ready;
	uint64_t wanted_ns, done_ns;        /* who takes samples waits for those up to wanted_ns */
	uint64_t nr_lost;                   /* without memory */
	bool allowed, stopped, ended;
	/* the thread's */
	struct rs_sample_merge *merge;
	struct rs_stack_builder *builder;
	uint64_t frames[UNWOUND_FRAMES];
	uint8_t record[RS_SAMPLE_RECORD_MAX_BYTES];
};

static struct unwound *unwound_of(struct rs_sample_source *s)
{
	return (struct unwound *)s;
}

uint64_t rs_unwound_samples_regs(void)
{
	return rs_unwinder_regs();
}

/* ---- the thread ---- */

static size_t unwound_make_record(struct unwound *u, const struct rs_sample_event *ev)
{
	size_t len = ev->record.len_bytes;
	struct rs_sample_counts counts = { 0 };

	if (ev->kind == RS_SAMPLE_OF_CPU) {
		rs_sample_record_counts(&u->inner->info, ev, &counts);
		return rs_sample_record_put(
			u->record, ev, u->source.info.sample_type & PERF_SAMPLE_READ ? &counts : NULL,
			u->frames, rs_stack_builder_unwind(u->builder, ev, u->frames, UNWOUND_FRAMES));
	}
	rs_stack_builder_follow(u->builder, ev);
	memcpy(u->record, ev->record.data, len);
	rs_sample_record_set_time(&u->inner->info, u->record, len, ev->ts_ns);
	return len;
}

static void unwound_add(struct unwound *u, size_t len)
{
	pthread_mutex_lock(&u->lock);
	rs_buf_add(&u->ready, u->record, len);
	u->nr_lost += u->ready.failed;
	u->ready.failed = false;
	pthread_mutex_unlock(&u->lock);
}

static void unwound_take(struct unwound *u, uint64_t until_ns)
{
	struct rs_sample_event ev;

	rs_stack_builder_take_files(u->builder);
	while (rs_sample_merge_next(u->merge, until_ns, &ev))
		unwound_add(u, unwound_make_record(u, &ev));
	rs_stack_builder_take_files(u->builder);
}

static struct timespec unwound_after_ms(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t); /* of pthread_cond_timedwait */
	t.tv_nsec += ms * 1000000l;
	t.tv_sec += t.tv_nsec / 1000000000l;
	t.tv_nsec %= 1000000000l;
	return t;
}

/* With the lock. Returns false at the end. */
static bool unwound_wait(struct unwound *u, bool *has_room)
{
	const struct timespec until = unwound_after_ms(UNWOUND_PERIOD_MS);

	while (!u->stopped && u->wanted_ns <= u->done_ns &&
	       pthread_cond_timedwait(&u->changed, &u->lock, &until) != ETIMEDOUT)
		;
	*has_room = u->allowed && (u->stopped || u->ready.len < UNWOUND_MOST_BYTES);
	return !u->stopped;
}

void rs_unwound_samples_run(void *samples)
{
	struct unwound *u = samples;
	bool has_room, more = true;

	setpriority(PRIO_PROCESS, (id_t)gettid(), 0); /* what it is late with is counted */
	u->builder = rs_stack_builder_new(u->inner, u->info, 0);
	pthread_mutex_lock(&u->lock);
	while (more) {
		uint64_t known_ns;

		more = unwound_wait(u, &has_room);
		pthread_mutex_unlock(&u->lock);
		known_ns = u->inner->ops->known_ns(u->inner);
		if (has_room && u->builder)
			unwound_take(u, more ? known_ns : UINT64_MAX);
		pthread_mutex_lock(&u->lock);
		u->done_ns = known_ns;
		pthread_cond_broadcast(&u->changed);
	}
	u->ended = true;
	pthread_cond_broadcast(&u->changed);
	pthread_mutex_unlock(&u->lock);
}

void rs_unwound_samples_allow(struct rs_sample_source *samples)
{
	struct unwound *u = unwound_of(samples);

	pthread_mutex_lock(&u->lock);
	u->allowed = true;
	pthread_mutex_unlock(&u->lock);
}

/* ---- who takes samples ---- */

static bool unwound_next(struct rs_sample_source *source, unsigned int ring, struct rs_sample_record *record)
{
	struct unwound *u = unwound_of(source);
	struct perf_event_header header;

	if (u->taken_at == u->taken.len) {
		struct rs_buf empty = u->taken;

		rs_buf_clear(&empty);
		pthread_mutex_lock(&u->lock);
		u->taken = u->ready;
		u->ready = empty;
		pthread_mutex_unlock(&u->lock);
		u->taken_at = 0;
	}
	if (u->taken_at == u->taken.len)
		return false;
	memcpy(&header, u->taken.data + u->taken_at, sizeof header);
	*record = (struct rs_sample_record){ (const uint8_t *)u->taken.data + u->taken_at, header.size };
	u->taken_at += header.size;
	return true;
}

/*
 * The thread is asked for what came up to now, so that a process has its mappings before its stacks are
 * looked up, and waited for, but not long: where it is late, its records come late. When sampling has stopped
 * all of them are waited for.
 */
static uint64_t unwound_known_ns(struct rs_sample_source *source)
{
	struct unwound *u = unwound_of(source);
	uint64_t now_ns = u->inner->ops->known_ns(u->inner);
	const struct timespec until = unwound_after_ms(UNWOUND_WAIT_MS);
	bool ended;

	pthread_mutex_lock(&u->lock);
	u->wanted_ns = now_ns;
	pthread_cond_broadcast(&u->changed);
	while (!u->ended && u->stopped)
		pthread_cond_wait(&u->changed, &u->lock);
	while (!u->ended && u->done_ns < now_ns && u->allowed &&
	       pthread_cond_timedwait(&u->changed, &u->lock, &until) != ETIMEDOUT)
		;
	ended = u->ended;
	pthread_mutex_unlock(&u->lock);
	return ended ? UINT64_MAX : now_ns;
}

static int64_t unwound_offset_ns(struct rs_sample_source *source)
{
	return 0;
}

static uint64_t unwound_nr_lost(struct rs_sample_source *source)
{
	struct unwound *u = unwound_of(source);
	uint64_t nr_lost;

	pthread_mutex_lock(&u->lock);
	nr_lost = u->nr_lost;
	pthread_mutex_unlock(&u->lock);
	return nr_lost + u->inner->ops->nr_lost(u->inner);
}

static void unwound_start(struct rs_sample_source *source)
{
	struct unwound *u = unwound_of(source);

	u->inner->ops->start(u->inner);
	source->info.mappings = u->inner->info.mappings;
	source->info.nr_mappings = u->inner->info.nr_mappings;
}

static void unwound_pause(struct rs_sample_source *source, bool pause)
{
	unwound_of(source)->inner->ops->pause(unwound_of(source)->inner, pause);
}

static void unwound_stop(struct rs_sample_source *source)
{
	struct unwound *u = unwound_of(source);

	u->inner->ops->stop(u->inner);
	pthread_mutex_lock(&u->lock);
	u->stopped = true;
	pthread_cond_broadcast(&u->changed);
	pthread_mutex_unlock(&u->lock);
}

static void unwound_close(struct rs_sample_source *source)
{
	struct unwound *u = unwound_of(source);

	rs_sample_merge_free(u->merge);
	rs_stack_builder_free(u->builder);
	rs_symbolizer_free(u->symbolizer);
	u->inner->ops->close(u->inner);
	rs_buf_done(&u->taken);
	rs_buf_done(&u->ready);
	pthread_cond_destroy(&u->changed);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

/* Files are requested by the thread alone. */
static const struct rs_sample_ops unwound_ops = {
	.next = unwound_next, .known_ns = unwound_known_ns, .offset_ns = unwound_offset_ns,
	.nr_lost = unwound_nr_lost,
	.start = unwound_start, .pause = unwound_pause, .stop = unwound_stop, .close = unwound_close,
};

int rs_unwound_samples_open(struct rs_sample_source **samples, const struct rs_trace_info *info)
{
	struct rs_sample_source *inner = *samples;
	struct unwound *u = calloc(1, sizeof *u);

	if (u)
		u->symbolizer = rs_stack_builder_new_symbolizer(&inner->info, info);
	if (u)
		u->merge = rs_sample_merge_new(inner);
	if (!u || !u->symbolizer || !u->merge) {
		if (u) {
			rs_sample_merge_free(u->merge);
			rs_symbolizer_free(u->symbolizer);
		}
		free(u);
		return -1;
	}
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->changed, NULL);
	inner->info.symbolizer = u->symbolizer;
	u->inner = inner;
	u->info = info;
	u->taken = u->ready = (struct rs_buf)RS_BUF_INIT;
	u->source = (struct rs_sample_source){ .ops = &unwound_ops, .info = inner->info };
	u->source.info.nr_rings = 1;
	u->source.info.sample_type = RS_SAMPLE_RECORD_TYPE | (inner->info.sample_type & PERF_SAMPLE_READ);
	u->source.info.read_format = RS_SAMPLES_READ_FORMAT;
	u->source.info.user_regs = 0;
	*samples = &u->source;
	return 0;
}
