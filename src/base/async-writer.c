// SPDX-License-Identifier: GPL-2.0-or-later
/* async-writer - one thread writes what another one produces */
#include "base/async-writer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"

#define ASYNC_NR_BUFFERS 3 /* waiting or being written: one slow write does not stop the filling thread */

static atomic_uint async_nr_waiting; /* writers of this process, each for a reader of its output */

struct rs_async_writer {
	rs_async_writer_write *write;
	void *arg;
	size_t buffer_bytes;
	pthread_t thread;
	bool has_thread, writes_at_once;
	struct rs_error err;       /* the writing thread's until it has ended */
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	/* under lock: a ring, of which `used` from `first` on are the writing thread's */
	struct rs_buf bufs[ASYNC_NR_BUFFERS];
	unsigned int first, used;
	bool writing;              /* the first one is being written */
	bool closing, failed;      /* nothing more is put; nothing more is written */
};

/* ---- the writing thread ---- */

/* The next buffer to write; it stays in the ring meanwhile. NULL: that was all. */
static struct rs_buf *async_next_full(struct rs_async_writer *w)
{
	struct rs_buf *b;

	pthread_mutex_lock(&w->lock);
	while (!w->used && !w->closing)
		pthread_cond_wait(&w->filled, &w->lock);
	b = w->used ? &w->bufs[w->first] : NULL;
	w->writing = b;
	pthread_mutex_unlock(&w->lock);
	return b;
}

static void async_release(struct rs_async_writer *w, bool failed)
{
	pthread_mutex_lock(&w->lock);
	w->first = (w->first + 1) % ASYNC_NR_BUFFERS;
	w->used--;
	w->writing = false;
	w->failed |= failed;
	pthread_cond_signal(&w->emptied);
	pthread_mutex_unlock(&w->lock);
}

void rs_async_writer_run(struct rs_async_writer *w)
{
	struct rs_buf *b;

	while ((b = async_next_full(w))) {
		bool failed = w->failed || w->write(w->arg, b, &w->err) < 0; /* only this thread sets it */

		rs_buf_clear(b);
		async_release(w, failed);
	}
}

static void *async_run_thread(void *arg)
{
	rs_async_writer_run(arg);
	return NULL;
}

void rs_async_writer_start(struct rs_async_writer *w)
{
	w->has_thread = rs_thread_begin(&w->thread, 0, async_run_thread, w) == 0;
	w->writes_at_once = !w->has_thread;
}

/* ---- the filling thread ---- */

static bool async_write_at_once(struct rs_async_writer *w, struct rs_buf *b)
{
	if (!w->failed)
		w->failed = w->write(w->arg, b, &w->err) < 0;
	rs_buf_clear(b);
	return !w->failed;
}

/*
 * The buffer that was put last, if it is not being written and has room for that much more; NULL otherwise.
 */
static struct rs_buf *async_last_with_room(struct rs_async_writer *w, size_t len)
{
	struct rs_buf *last = &w->bufs[(w->first + w->used + ASYNC_NR_BUFFERS - 1) % ASYNC_NR_BUFFERS];

	return w->used > (w->writing ? 1 : 0) && len < w->buffer_bytes && last->len < w->buffer_bytes - len ?
		       last :
		       NULL;
}

static void async_append(struct rs_buf *last, const struct rs_buf *b)
{
	rs_buf_add(last, b->data, b->len);
	last->failed |= b->failed;
}

static void async_swap(struct rs_buf *a, struct rs_buf *b)
{
	struct rs_buf saved = *a;

	*a = *b;
	*b = saved;
}

bool rs_async_writer_put(struct rs_async_writer *w, struct rs_buf *b)
{
	struct rs_buf *last;
	bool failed;

	if (w->writes_at_once)
		return async_write_at_once(w, b);
	pthread_mutex_lock(&w->lock);
	async_nr_waiting++;
	while (!(last = async_last_with_room(w, b->len)) && w->used == ASYNC_NR_BUFFERS)
		pthread_cond_wait(&w->emptied, &w->lock);
	async_nr_waiting--;
	if (last)
		async_append(last, b);
	else
		async_swap(&w->bufs[(w->first + w->used++) % ASYNC_NR_BUFFERS], b);
	failed = w->failed;
	pthread_cond_signal(&w->filled);
	pthread_mutex_unlock(&w->lock);
	rs_buf_clear(b);
	return !failed;
}

bool rs_async_writer_failed(struct rs_async_writer *w)
{
	bool failed;

	pthread_mutex_lock(&w->lock);
	failed = w->failed;
	pthread_mutex_unlock(&w->lock);
	return failed;
}

bool rs_async_writer_waits(void)
{
	return async_nr_waiting > 0;
}

void rs_async_writer_close(struct rs_async_writer *w)
{
	pthread_mutex_lock(&w->lock);
	w->closing = true;
	pthread_cond_signal(&w->filled);
	pthread_mutex_unlock(&w->lock);
}

/* ---- life cycle ---- */

static void async_destroy(struct rs_async_writer *w)
{
	for (unsigned int i = 0; i < ASYNC_NR_BUFFERS; i++)
		rs_buf_done(&w->bufs[i]);
	pthread_cond_destroy(&w->emptied);
	pthread_cond_destroy(&w->filled);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

struct rs_async_writer *rs_async_writer_new(rs_async_writer_write *write, void *arg, size_t buffer_bytes,
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
	w->buffer_bytes = buffer_bytes;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->filled, NULL);
	pthread_cond_init(&w->emptied, NULL);
	for (unsigned int i = 0; i < ASYNC_NR_BUFFERS; i++) {
		w->bufs[i] = (struct rs_buf)RS_BUF_INIT;
		has_room &= rs_buf_reserve(&w->bufs[i], buffer_bytes);
	}
	if (has_room)
		return w;
	rs_fail(err, "cannot write the output: out of memory");
	async_destroy(w);
	return NULL;
}

int rs_async_writer_free(struct rs_async_writer *w, struct rs_error *err)
{
	bool failed;

	if (!w)
		return 0;
	rs_async_writer_close(w);
	if (w->has_thread)
		pthread_join(w->thread, NULL);
	failed = w->failed;
	if (failed && err->status == RS_OK) /* of two errors the first one counts */
		*err = w->err;
	async_destroy(w);
	return failed ? -1 : 0;
}
