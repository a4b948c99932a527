// SPDX-License-Identifier: GPL-2.0-or-later
/* broadcaster - sends the pages of the window to followers, as they come */
#include "service/broadcaster.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/monotonic.h"
#include "rpc/follow-source.h"

#define END_MS 500 /* at the end, followers get this long for the rest: a stop must take less than a second \
		    */
#define END_LAST_MS \
	250 /* and this long for the word that it is the end, where the rest has taken all of that */
#define BROADCASTER_POLL_MS 20           /* nothing reports new pages, so the window is polled */
#define BROADCASTER_BATCH_BYTES (256u << 10)

struct follower {
	int fd;
	struct rs_source *pages;
	struct rs_pauses *pauses;
	struct rs_pauses_cursor paused;
	unsigned int nr_cpus, cpu;             /* the CPU to continue with */
	uint64_t mark_ns;
	bool *off;                             /* events that were reported as off */
	struct rs_fd_history *history;         /* NULL: there is none */
	uint64_t history_at;                   /* number of the last one that was sent */
	struct rs_buf out;
	size_t out_at;
};

struct rs_broadcaster {
	struct rs_capture *capture;
	int wake_fd;
	atomic_bool quit;
	_Atomic uint64_t known_ns;
	pthread_mutex_t lock;                  /* to add and to drop: other threads add, only its own drops */
	struct follower *all[RS_MAX_FOLLOWERS];
	atomic_uint nr;
};

struct rs_broadcaster *rs_broadcaster_new(struct rs_capture *capture, struct rs_error *err)
{
	struct rs_broadcaster *p = calloc(1, sizeof *p);

	if (!p || (p->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0) {
		rs_fail(err, "cannot hand events on: %s", strerror(errno));
		free(p);
		return NULL;
	}
	p->capture = capture;
	pthread_mutex_init(&p->lock, NULL);
	return p;
}

static void free_follower(struct follower *f)
{
	if (f->fd >= 0)
		close(f->fd);
	if (f->pages)
		f->pages->ops->close(f->pages);
	rs_buf_done(&f->out);
	free(f->off);
	free(f);
}

void rs_broadcaster_free(struct rs_broadcaster *p)
{
	if (!p)
		return;
	for (unsigned int i = 0; i < p->nr; i++)
		free_follower(p->all[i]);
	close(p->wake_fd);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void rs_broadcaster_quit(struct rs_broadcaster *p)
{
	atomic_store(&p->quit, true);
	eventfd_write(p->wake_fd, 1);
}

void rs_broadcaster_mark(struct rs_broadcaster *p, uint64_t known_ns)
{
	atomic_store_explicit(&p->known_ns, known_ns, memory_order_release);
}

/* ---- new followers ---- */

static void broadcaster_send_bytes(struct follower *f, struct rs_follow_head head, const void *bytes)
{
	rs_buf_add(&f->out, &head, sizeof head);
	rs_buf_add(&f->out, bytes, head.len_bytes);
}

static void broadcaster_send_sockets(struct follower *f, struct rs_fd_socket_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		const struct rs_fd_socket *known = &list->row[i];
		size_t len = strnlen(known->name, RS_FOLLOW_SOCKET_BYTES - 1);

		broadcaster_send_bytes(f, (struct rs_follow_head){ .type = RS_FOLLOW_SOCKET,
			.cpu = (uint32_t)known->pid, .fd = (uint32_t)known->fd, .len_bytes = (uint32_t)len,
			.a = known->since_ns, .b = known->until_ns }, known->name);
	}
	rs_fd_socket_list_done(list);
}

/* Those that are known at from_ns. What is noted meanwhile is sent twice, which does no harm. */
static void broadcaster_begin_sockets(struct follower *f, struct rs_fd_history *history, uint64_t from_ns)
{
	struct rs_fd_socket_list known = { 0 }, ignored = { 0 };

	f->history = history;
	if (!history)
		return;
	f->history_at = rs_fd_history_list_new(history, UINT64_MAX, &ignored);
	rs_fd_history_list(history, from_ns, UINT64_MAX, &known);
	broadcaster_send_sockets(f, &known);
}

static void broadcaster_put_sockets(struct follower *f)
{
	struct rs_fd_socket_list known = { 0 };

	if (!f->history)
		return;
	f->history_at = rs_fd_history_list_new(f->history, f->history_at, &known);
	broadcaster_send_sockets(f, &known);
}

static struct follower *broadcaster_create(struct rs_broadcaster *p, int fd, struct rs_window *w,
					   struct rs_source *of, struct rs_fd_history *history,
					   uint64_t from_ns)
{
	struct follower *f = calloc(1, sizeof *f);
	struct rs_error ignored = { 0 };
	size_t nr_events = 0;
	bool on;

	if (!f)
		return NULL;
	while (rs_switches_nth(&p->capture->switches, nr_events, &on))
		nr_events++;
	f->fd = -1;
	f->out = (struct rs_buf)RS_BUF_INIT;
	f->nr_cpus = of->info.nr_cpus;
	f->pauses = &of->pauses;
	f->paused = rs_pauses_end(&of->pauses);
	f->off = calloc(nr_events + 1, sizeof *f->off);
	f->pages = rs_window_open(w, of, from_ns, UINT64_MAX, RS_WINDOW_FOLLOWS, &ignored);
	if (!f->pages || !f->off) {
		free_follower(f);
		return NULL;
	}
	f->fd = fd;
	broadcaster_begin_sockets(f, history, from_ns);
	return f;
}

int rs_broadcaster_add(struct rs_broadcaster *p, int fd, struct rs_window *w, struct rs_source *of,
		       struct rs_fd_history *history, uint64_t from_ns)
{
	int type = 0, ret = -EBUSY;
	socklen_t len = sizeof type;
	struct follower *f;

	/* a write to a file or a pipe could block */
	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) < 0 || type != SOCK_STREAM)
		return -ENOTSOCK;
	pthread_mutex_lock(&p->lock);
	f = p->nr < RS_MAX_FOLLOWERS ? broadcaster_create(p, fd, w, of, history, from_ns) : NULL;
	if (f) {
		p->all[p->nr++] = f;
		ret = 0;
	} else if (p->nr < RS_MAX_FOLLOWERS) {
		ret = -ENOMEM;
	}
	pthread_mutex_unlock(&p->lock);
	eventfd_write(p->wake_fd, 1);
	return ret;
}

static void broadcaster_drop_follower(struct rs_broadcaster *p, unsigned int i)
{
	free_follower(p->all[i]);
	pthread_mutex_lock(&p->lock);
	p->all[i] = p->all[p->nr - 1];
	p->nr--;
	pthread_mutex_unlock(&p->lock);
}

/* ---- output ---- */

/* The source notes its own pause before tracing is on again, so before the window has any later page. */
static void broadcaster_put_pauses(struct follower *f)
{
	struct rs_pause pause;

	while (rs_pauses_next(f->pauses, &f->paused, &pause))
		broadcaster_send_bytes(f, (struct rs_follow_head){ .type = RS_FOLLOW_PAUSE,
			.len_bytes = (uint32_t)strlen(pause.what),
						.a = pause.off_ns, .b = pause.on_ns }, pause.what);
}

static void put_events(struct rs_broadcaster *p, struct follower *f)
{
	const struct rs_plan_event *ev;
	bool on;

	for (size_t i = 0; (ev = rs_switches_nth(&p->capture->switches, i, &on)); i++) {
		char name[RS_FOLLOW_NAME_BYTES];
		int len;

		if (f->off[i] == !on)
			continue;
		f->off[i] = !on;
		len = snprintf(name, sizeof name, "%s:%s", ev->system, ev->name);
		if (len > 0 && (size_t)len < sizeof name)
			broadcaster_send_bytes(f,
					       (struct rs_follow_head){ .type = RS_FOLLOW_EVENT,
						       .len_bytes = (uint32_t)len, .a = on }, name);
	}
}

/* Returns true if it has sent all pages that exist now. */
static bool put_pages(struct follower *f)
{
	struct rs_error ignored = { 0 };
	unsigned int nr_empty = 0;
	struct rs_page page;

	while (nr_empty < f->nr_cpus && f->out.len < BROADCASTER_BATCH_BYTES) {
		unsigned int cpu = f->cpu++ % f->nr_cpus;

		if (f->pages->ops->next(f->pages, cpu, &page, &ignored) != RS_NEXT_PAGE) {
			nr_empty++;
			continue;
		}
		nr_empty = 0;
		broadcaster_put_pauses(f);
		broadcaster_send_bytes(f, (struct rs_follow_head){ .type = RS_FOLLOW_PAGE, .cpu = cpu,
			.len_bytes = (uint32_t)page.len_bytes,
						.a = page.empty_at_ns }, page.data);
	}
	return nr_empty == f->nr_cpus;
}

/* Reads the mark before the pages: the window has all pages up to the mark. */
static void broadcaster_fill(struct rs_broadcaster *p, struct follower *f)
{
	uint64_t known_ns = atomic_load_explicit(&p->known_ns, memory_order_acquire);

	rs_buf_clear(&f->out);
	f->out_at = 0;
	put_events(p, f);
	broadcaster_put_sockets(f);
	broadcaster_put_pauses(f);
	if (put_pages(f) && known_ns > f->mark_ns) {
		f->mark_ns = known_ns;
		broadcaster_send_bytes(f, (struct rs_follow_head){ .type = RS_FOLLOW_MARK, .a = known_ns },
				       NULL);
	}
}

/* Returns -1: the follower closed; 0: its socket is full; 1: all is sent. */
static int broadcaster_flush(struct follower *f)
{
	while (f->out_at < f->out.len) {
		ssize_t n = send(f->fd, f->out.data + f->out_at, f->out.len - f->out_at,
				 MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -1;
		f->out_at += (size_t)n;
	}
	return 1;
}

/* Returns -1: the follower closed; 0: its socket is full, or all is sent; 1: there may be more to send. */
static int feed(struct rs_broadcaster *p, struct follower *f)
{
	int flushed;

	if (f->out_at == f->out.len)
		broadcaster_fill(p, f);
	flushed = f->out.failed ? -1 : broadcaster_flush(f);
	return flushed <= 0 ? flushed : f->out.len >= BROADCASTER_BATCH_BYTES;
}

/* Waits for room in the full sockets, and for any follower to close. */
static void wait_a_while(struct rs_broadcaster *p)
{
	struct pollfd fds[RS_MAX_FOLLOWERS + 1] = { { .fd = p->wake_fd, .events = POLLIN } };
	unsigned int nr = p->nr;
	eventfd_t count;

	for (unsigned int i = 0; i < nr; i++)
		fds[i + 1] = (struct pollfd){ .fd = p->all[i]->fd,
					      .events = p->all[i]->out_at < p->all[i]->out.len ? POLLOUT :
												 0 };
	poll(fds, nr + 1, nr ? BROADCASTER_POLL_MS : -1);
	eventfd_read(p->wake_fd, &count);
}

static bool feed_all(struct rs_broadcaster *p)
{
	bool more = false;

	for (unsigned int i = p->nr; i-- > 0;) {
		int fed = feed(p, p->all[i]);

		if (fed < 0)
			broadcaster_drop_follower(p, i);
		more |= fed > 0;
	}
	return more;
}

static bool flush_all(struct rs_broadcaster *p)
{
	bool all = true;

	for (unsigned int i = p->nr; i-- > 0;) {
		int flushed = broadcaster_flush(p->all[i]);

		if (flushed < 0)
			broadcaster_drop_follower(p, i);
		all &= flushed != 0;
	}
	return all;
}

/*
 * Sends what fits, then waits a moment before the end: a follower is often behind by its socket buffer, and
 * without the rest would take the end for a crash.
 */
static void broadcaster_notify_end(struct rs_broadcaster *p)
{
	int64_t end_ms = rs_monotonic_ms() + END_MS;

	while (feed_all(p) && rs_monotonic_ms() < end_ms)
		;
	for (unsigned int i = p->nr; i-- > 0;)
		broadcaster_send_bytes(p->all[i], (struct rs_follow_head){ .type = RS_FOLLOW_END }, NULL);
	while (!flush_all(p) && rs_monotonic_ms() < end_ms + END_LAST_MS)
		wait_a_while(p);
}

void rs_broadcaster_run(struct rs_broadcaster *p)
{
	while (!atomic_load(&p->quit))
		if (!feed_all(p))
			wait_a_while(p);
	broadcaster_notify_end(p);
}
