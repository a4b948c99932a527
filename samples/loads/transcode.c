// SPDX-License-Identifier: GPL-2.0-or-later
/* transcode - three threads with a queue between each two: demux reads, encode works, mux writes */
#include "load.h"

enum { QUEUE = 8 };

static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int length;
} raw = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 },
  coded = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };

/* Adds BY (1, -1) as soon as the length stays within 0 and QUEUE. */
static void queue_change(struct queue *q, int by)
{
	pthread_mutex_lock(&q->lock);
	while (q->length + by < 0 || q->length + by > QUEUE)
		pthread_cond_wait(&q->changed, &q->lock);
	q->length += by;
	pthread_cond_signal(&q->changed);
	pthread_mutex_unlock(&q->lock);
}

static void *demux(void *arg)
{
	for (;; queue_change(&raw, 1))
		load_work(300);
	return arg;
}

static void *encode(void *arg)
{
	for (;; queue_change(&coded, 1)) {
		queue_change(&raw, -1);
		load_work(9000);
	}
	return arg;
}

int main(void)
{
	load_calibrate();
	load_thread(demux, "demux", NULL);
	load_thread(encode, "encode", NULL);
	prctl(PR_SET_NAME, "mux");
	for (;; load_work(400))
		queue_change(&coded, -1);
}
