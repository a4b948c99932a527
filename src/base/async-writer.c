// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/async-writer.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/thread.h"

#define NR_BUFFERS 3 /* that wait, or are being written: a write that takes longer than others holds nobody up */

struct rs_async_writer {
	rs_async_writer_write *write;
	void *arg;
	pthread_t thread;
	bool has_thread;
	struct rs_error err;       /* the writing thread's until it has ended */
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	/* under lock: a ring, of which `used` from `first` on are the writing thread's */
	struct rs_buf bufs[NR_BUFFERS];
	unsigned int first, used;
	bool closing, failed;      /* nothing more is put; nothing more is written */
};

/* The next one to write; it stays in the ring meanwhile. NULL: that was all. */
static struct rs_buf *next_full(struct rs_async_writer *w)
{
	struct rs_buf *b;

	pthread_mutex_lock(&w->lock);
	while (!w->used && !w->closing)
		pthread_cond_wait(&w->filled, &w->lock);
	b = w->used ? &w->bufs[w->first] : NULL;
	pthread_mutex_unlock(&w->lock);
	return b;
}

static void now_empty(struct rs_async_writer *w, bool failed)
{
	pthread_mutex_lock(&w->lock);
	w->first = (w->first + 1) % NR_BUFFERS;
	w->used--;
	w->failed |= failed;
	pthread_cond_signal(&w->emptied);
	pthread_mutex_unlock(&w->lock);
}

static void *async_run_thread(void *arg)
{
	struct rs_async_writer *w = arg;
	struct rs_buf *b;

	while ((b = next_full(w))) {
		bool failed = w->failed || w->write(w->arg, b, &w->err) < 0; /* only this thread sets it */

		rs_buf_clear(b);
		now_empty(w, failed);
	}
	return NULL;
}

static void free_all(struct rs_async_writer *w)
{
	for (unsigned int i = 0; i < NR_BUFFERS; i++)
		rs_buf_done(&w->bufs[i]);
	pthread_cond_destroy(&w->emptied);
	pthread_cond_destroy(&w->filled);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

struct rs_async_writer *rs_async_writer_new(rs_async_writer_write *write, void *arg, size_t bytes,
					    struct rs_error *err)
{
	struct rs_async_writer *w = calloc(1, sizeof *w);
	bool has_room = true;

	if (!w) {
		rs_fail(err, "cannot write the output: out of memory");
		return NULL;
	}
	w->write = write;
	w->arg = arg;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->filled, NULL);
	pthread_cond_init(&w->emptied, NULL);
	for (unsigned int i = 0; i < NR_BUFFERS; i++) {
		w->bufs[i] = (struct rs_buf)RS_BUF_INIT;
		has_room &= rs_buf_reserve(&w->bufs[i], bytes);
	}
	if (!has_room) {
		rs_fail(err, "cannot write the output: out of memory");
		free_all(w);
		return NULL;
	}
	w->has_thread = rs_thread_begin(&w->thread, 0, async_run_thread, w) == 0;
	return w;
}

static bool put_at_once(struct rs_async_writer *w, struct rs_buf *b)
{
	if (!w->failed)
		w->failed = w->write(w->arg, b, &w->err) < 0;
	rs_buf_clear(b);
	return !w->failed;
}

bool rs_async_writer_put(struct rs_async_writer *w, struct rs_buf *b)
{
	struct rs_buf *slot, empty;
	bool failed;

	if (!w->has_thread)
		return put_at_once(w, b);
	pthread_mutex_lock(&w->lock);
	while (w->used == NR_BUFFERS)
		pthread_cond_wait(&w->emptied, &w->lock);
	slot = &w->bufs[(w->first + w->used++) % NR_BUFFERS];
	empty = *slot;
	*slot = *b;
	*b = empty;
	failed = w->failed;
	pthread_cond_signal(&w->filled);
	pthread_mutex_unlock(&w->lock);
	return !failed;
}

int rs_async_writer_end(struct rs_async_writer *w, struct rs_error *err)
{
	bool failed;

	if (!w)
		return 0;
	pthread_mutex_lock(&w->lock);
	w->closing = true;
	pthread_cond_signal(&w->filled);
	pthread_mutex_unlock(&w->lock);
	if (w->has_thread)
		pthread_join(w->thread, NULL);
	failed = w->failed;
	if (failed && err->status == RS_OK) /* of two errors the first one counts */
		*err = w->err;
	free_all(w);
	return failed ? -1 : 0;
}
