// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/async-output.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output-wait.h"

struct rs_async_output {
	int fd;
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	/* under lock: a ring of size bytes, used of them from first on */
	char *ring;
	size_t size, first, used;
	bool closing;   /* nothing more is put */
	int failure;    /* errno of a write; 0 none */
};

/* All that can be written at once: up to the end of the ring. Waits for it; 0 at the end. */
static size_t output_next_piece(struct rs_async_output *box, const char **piece)
{
	size_t len;

	pthread_mutex_lock(&box->lock);
	while (!box->used && !box->closing)
		pthread_cond_wait(&box->filled, &box->lock);
	len = box->used < box->size - box->first ? box->used : box->size - box->first;
	*piece = box->ring + box->first;
	pthread_mutex_unlock(&box->lock);
	return len;
}

static void piece_written(struct rs_async_output *box, size_t len, int failure)
{
	pthread_mutex_lock(&box->lock);
	box->first = (box->first + len) % box->size;
	box->used -= len;
	box->failure = failure;
	pthread_cond_signal(&box->emptied);
	pthread_mutex_unlock(&box->lock);
}

void rs_async_output_run(struct rs_async_output *box)
{
	const char *piece;
	size_t len;

	while ((len = output_next_piece(box, &piece))) {
		ssize_t n = write(box->fd, piece, len);

		if (n >= 0) {
			piece_written(box, n, 0);
		} else if (errno == EAGAIN) {
			poll(&(struct pollfd){ .fd = box->fd, .events = POLLOUT }, 1, -1);
		} else if (errno != EINTR) {
			piece_written(box, 0, errno);
			break;
		}
	}
}

struct rs_async_output *rs_async_output_new(int fd, size_t max_bytes, struct rs_error *err)
{
	struct rs_async_output *box = calloc(1, sizeof *box);

	if (!box || !(box->ring = malloc(max_bytes))) {
		rs_fail(err, "cannot write the output: out of memory");
		free(box);
		return NULL;
	}
	box->fd = fd;
	box->size = max_bytes;
	pthread_mutex_init(&box->lock, NULL);
	pthread_cond_init(&box->filled, NULL);
	pthread_cond_init(&box->emptied, NULL);
	return box;
}

/* As much as there is room for; waits where there is none. 0: nobody takes it. */
static size_t put_some(struct rs_async_output *box, const char *data, size_t len)
{
	size_t at, room;

	pthread_mutex_lock(&box->lock);
	rs_output_wait_begin();
	while (box->used == box->size && !box->failure)
		pthread_cond_wait(&box->emptied, &box->lock);
	rs_output_wait_end();
	at = (box->first + box->used) % box->size;
	room = at >= box->first ? box->size - at : box->first - at;
	len = box->failure ? 0 : len < room ? len : room;
	memcpy(box->ring + at, data, len);
	box->used += len;
	pthread_cond_signal(&box->filled);
	pthread_mutex_unlock(&box->lock);
	return len;
}

bool rs_async_output_put(struct rs_async_output *box, struct rs_buf *b)
{
	size_t done = 0, n = 1;

	while (done < b->len && n)
		done += n = put_some(box, b->data + done, b->len - done);
	rs_buf_clear(b);
	return n != 0;
}

bool rs_async_output_broken(struct rs_async_output *box)
{
	bool broken;

	pthread_mutex_lock(&box->lock);
	broken = box->failure;
	pthread_mutex_unlock(&box->lock);
	return broken;
}

void rs_async_output_end(struct rs_async_output *box)
{
	pthread_mutex_lock(&box->lock);
	box->closing = true;
	pthread_cond_signal(&box->filled);
	pthread_mutex_unlock(&box->lock);
}

int rs_async_output_free(struct rs_async_output *box, struct rs_error *err)
{
	int failure;

	if (!box)
		return 0;
	failure = box->failure;
	pthread_cond_destroy(&box->emptied);
	pthread_cond_destroy(&box->filled);
	pthread_mutex_destroy(&box->lock);
	free(box->ring);
	free(box);
	if (failure && failure != EPIPE)
		return rs_fail(err, "cannot write the output: %s", strerror(failure));
	return 0;
}
