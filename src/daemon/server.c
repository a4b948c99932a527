// SPDX-License-Identifier: GPL-2.0-or-later
/* server - the loop of an engine that serves: accepts clients, passes requests to jobs, sends what is done */
#include "daemon/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "base/monotonic.h"
#include "rpc/frame.h"
#include "rpc/protocol.h"

#define MAX_CLIENTS 80
#define MAX_USERS_CLIENTS 64 /* of all users but root and the owner, who are always admitted */
#define SERVER_BATCH_MS 1000 /* the interval to check for clients that do not read, or do not say hello */

struct client {
	struct rs_frames frames;
	uint32_t number;          /* never used again */
	bool said_hello, may_change;
	bool is_own;              /* .client_fd, beside others */
	uid_t uid;                /* of a client of the socket */
	int64_t hello_until_ms;   /* without hello it is dropped then */
	struct rs_job *open[RS_MAX_OPEN_REQUESTS];
	unsigned int nr_open;
	int64_t took_ms;
};

struct rs_server {
	struct rs_server_config config;
	struct rs_service *service;
	int wake_fd;
	atomic_bool quit;
	struct rs_job_list done;
	struct client *clients[MAX_CLIENTS];
	unsigned int nr_clients;
	uint32_t last_number;
	pthread_mutex_t lock;     /* guards the two below */
	bool fatal;
	char why[512];            /* an error for every client */
	atomic_bool has_failed;
	bool over;                /* used by this thread only: the fatal error has been sent */
};

/* ---- clients ---- */

/* Says why to a client that is dropped without memory. */
static void explain_drop(int fd)
{
	if (!rs_memory_failures_unreported())
		return;
	rs_memory_reported();
	rs_frame_send(fd, RS_FRAME_NO_MEMORY);
}

static struct client *add_client(struct rs_server *s, int fd, bool may_change)
{
	struct client *c = s->nr_clients < MAX_CLIENTS ? calloc(1, sizeof *c) : NULL;

	if (!c) {
		explain_drop(fd);
		close(fd);
		return NULL;
	}
	rs_frames_init(&c->frames, fd, RS_REQUEST_BYTES);
	c->number = ++s->last_number;
	c->may_change = may_change;
	c->took_ms = rs_monotonic_ms();
	s->clients[s->nr_clients++] = c;
	return c;
}

/* Its jobs go on: they are freed when they are done. */
static void drop_client(struct rs_server *s, struct client *c)
{
	if (!c->frames.out_at || !rs_frames_waiting(&c->frames)) /* else it is in the middle of a frame */
		explain_drop(c->frames.fd);
	for (unsigned int i = 0; i < c->nr_open; i++)
		atomic_store(&c->open[i]->dropped, true);
	if (s->service) /* after that: a job that pins looks whether it was dropped */
		rs_service_forget_client(s->service, c->number);
	for (unsigned int i = 0; i < s->nr_clients; i++)
		if (s->clients[i] == c)
			s->clients[i] = s->clients[--s->nr_clients];
	if (c->is_own && s->config.client_left && !atomic_load(&s->quit))
		s->config.client_left(s->config.arg);
	rs_frames_done(&c->frames);
	free(c);
}

static unsigned int server_count_clients(const struct rs_server *s)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < s->nr_clients; i++)
		nr += !s->clients[i]->is_own;
	return nr;
}

static bool server_add_own(struct rs_server *s, int fd)
{
	struct client *c = add_client(s, fd, true);

	if (c)
		c->is_own = s->config.listen_fd >= 0;
	return c;
}

/* Returns true if there is room for one more client of that user; otherwise sets err. */
static bool has_room(const struct rs_server *s, const struct rs_peer *peer, bool may_change,
		     struct rs_error *err)
{
	unsigned int nr_own = 0, nr_users = 0;

	for (unsigned int i = 0; i < s->nr_clients; i++) {
		nr_own += s->clients[i]->uid == peer->uid;
		nr_users += !s->clients[i]->may_change;
	}
	if (s->nr_clients == MAX_CLIENTS || (!may_change && nr_users >= MAX_USERS_CLIENTS))
		rs_fail(err, "the daemon has %u clients, and room for no more (end some, and try again)",
			s->nr_clients);
	else if (!may_change && nr_own >= RS_MAX_CLIENTS_OF_ONE)
		rs_fail(err,
			"user %u has %u connections to the daemon, as many as one may have (end some, and "
			"try again)",
			(unsigned int)peer->uid, nr_own);
	return err->status == RS_OK;
}

/* Accepts every connection, and answers a refused one with the reason: a full backlog would keep root out. */
static void accept_client(struct rs_server *s)
{
	int fd = accept4(s->config.listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	const struct rs_peer_rules *rules = &s->config.rules;
	struct rs_error err = { 0 };
	struct rs_peer peer;
	struct client *c;
	bool may_change;

	if (fd < 0)
		return;
	if (!rs_listen_peer(fd, rules, &peer) || !rs_listen_may_read(rules, &peer)) {
		close(fd);
		return;
	}
	may_change = rs_listen_may_change(rules, &peer);
	if (!has_room(s, &peer, may_change, &err)) {
		rs_serve_failed(fd, &err);
		close(fd);
		return;
	}
	c = add_client(s, fd, may_change);
	if (c) {
		c->uid = peer.uid;
		c->hello_until_ms = rs_monotonic_ms() + RS_HELLO_SECONDS * 1000;
	}
}

/* ---- answers ---- */

static bool send_text(struct client *c, const struct rs_buf *text)
{
	return rs_frames_waiting(&c->frames) + text->len <= RS_MAX_UNREAD_BYTES &&
	       rs_frames_put(&c->frames, text->data, text->len, -1);
}

static struct client *client_of(struct rs_server *s, const struct rs_job *job)
{
	for (unsigned int i = 0; i < s->nr_clients; i++)
		if (s->clients[i]->number == job->client)
			return s->clients[i];
	return NULL;
}

static void close_job(struct client *c, const struct rs_job *job)
{
	for (unsigned int i = 0; i < c->nr_open; i++)
		if (c->open[i] == job)
			c->open[i] = c->open[--c->nr_open];
}

static void answer(struct rs_server *s, struct rs_job *job)
{
	struct client *c = client_of(s, job);

	if (c) {
		close_job(c, job);
		if (!send_text(c, &job->text))
			drop_client(s, c);
	}
	rs_job_free(job);
}

static void answer_all(struct rs_server *s)
{
	struct rs_job *job;
	eventfd_t count;

	eventfd_read(s->wake_fd, &count);
	while ((job = rs_jobs_take(&s->done)))
		answer(s, job);
}

void rs_server_done(void *server, struct rs_job *job)
{
	struct rs_server *s = server;

	rs_jobs_put(&s->done, job);
	eventfd_write(s->wake_fd, 1);
}

void rs_server_failed(void *server, bool fatal, const char *why)
{
	struct rs_server *s = server;

	pthread_mutex_lock(&s->lock);
	s->fatal |= fatal;
	snprintf(s->why, sizeof s->why, "%s", why);
	pthread_mutex_unlock(&s->lock);
	atomic_store(&s->has_failed, true);
	eventfd_write(s->wake_fd, 1);
}

void rs_server_failure(struct rs_server *s, struct rs_error *err)
{
	pthread_mutex_lock(&s->lock);
	if (s->fatal)
		rs_fail(err, "%s", s->why);
	pthread_mutex_unlock(&s->lock);
}

/* ---- requests ---- */

static const char *refusal(const struct client *c, const struct rs_job *job, const char **code)
{
	*code = "usage";
	if (!job->op)
		return "unknown request (see docs/protocol.md)";
	*code = "busy";
	if (c->nr_open == RS_MAX_OPEN_REQUESTS)
		return "too many requests are open (wait for answers)";
	*code = "denied";
	if (job->op->changes && !c->may_change)
		return "only root and the owner of the daemon may change what is traced, or save it";
	return NULL;
}

static bool take_request(struct rs_server *s, struct client *c, struct rs_frame_message *frame)
{
	struct rs_error err = { 0 };
	const struct rs_request_head *head = rs_message_read(frame, &rs_request_head_message, &err);
	struct rs_job *job = rs_job_new(rs_job_find_op(head ? head->op : NULL), s->service, frame);
	const char *code, *why;

	if (!job)
		return false;
	if (!head || !head->id || (!c->said_hello && (!job->op || strcmp(job->op->name, "hello")))) {
		rs_job_free(job);
		return false;
	}
	job->id = head->id;
	c->said_hello = true;
	job->client = c->number;
	job->uid = c->uid;
	job->may_change = c->may_change;
	job->pid = rs_frames_pid(&c->frames);
	/* It may come with the bytes of requests before its own: the socket does not tell with which. */
	if (job->op && job->op->takes_fd) {
		job->fd = c->frames.passed_fd;
		c->frames.passed_fd = -1;
	}
	why = refusal(c, job, &code);
	if (why)
		rs_job_refuse(job, code, why);
	else if (rs_job_read_request(job, &err) < 0)
		rs_job_fail(job, &err);
	if (why || err.status != RS_OK) {
		answer(s, job);
		return true;
	}
	c->open[c->nr_open++] = job;
	rs_service_post(s->service, job);
	return true;
}

static bool read_client(struct rs_server *s, struct client *c)
{
	struct rs_error err = { 0 };
	uint32_t number = c->number;
	const char *text;
	struct rs_frame_message *frame;
	size_t len;

	if (rs_frames_read(&c->frames, &err) < 0)
		return false;
	while ((text = rs_frames_next(&c->frames, &len, &err))) {
		frame = rs_message_parse(text, len, &err);
		if (!frame || !take_request(s, c, frame))
			return false;
		if (!s->nr_clients || client_of(s, &(struct rs_job){ .client = number }) != c)
			return true; /* dropped while it was answered */
	}
	return err.status == RS_OK;
}

/* A client must say hello in time. The one that this engine was started for may take longer. */
static bool is_silent(const struct client *c)
{
	return !c->said_hello && c->hello_until_ms && rs_monotonic_ms() > c->hello_until_ms;
}

/* Returns false if it has disconnected, or does not read. */
static bool feed_client(struct client *c)
{
	size_t before = rs_frames_waiting(&c->frames);
	struct rs_error err = { 0 };

	if (rs_frames_write(&c->frames, &err) < 0)
		return false;
	if (!before || rs_frames_waiting(&c->frames) < before)
		c->took_ms = rs_monotonic_ms();
	return rs_monotonic_ms() - c->took_ms <= RS_MAX_UNREAD_SECONDS * 1000;
}

/* ---- the loop ---- */

static void report_failure(struct rs_server *s)
{
	struct rs_buf text = RS_BUF_INIT;
	struct rs_json j;

	rs_json_init(&j, &text);
	rs_json_open(&j, '{');
	rs_json_key(&j, "event");
	pthread_mutex_lock(&s->lock);
	s->over = s->fatal;
	rs_json_str(&j, s->over ? "failed" : "note");
	rs_json_put_str(&j, "error", s->why);
	pthread_mutex_unlock(&s->lock);
	rs_json_close(&j, '}');
	for (unsigned int i = 0; i < s->nr_clients; i++)
		if (text.failed || !send_text(s->clients[i], &text))
			rs_frame_send(s->clients[i]->frames.fd, RS_FRAME_NO_MEMORY);
	rs_buf_done(&text);
}

static nfds_t server_fill_pollfds(const struct rs_server *s, struct pollfd *fds)
{
	nfds_t nr = 0;

	fds[nr++] = (struct pollfd){ .fd = s->wake_fd, .events = POLLIN };
	fds[nr++] = (struct pollfd){ .fd = s->config.listen_fd, .events = POLLIN };
	for (unsigned int i = 0; i < s->nr_clients; i++) {
		struct rs_frames *f = &s->clients[i]->frames;

		fds[nr++] = (struct pollfd){ .fd = f->fd,
					     .events = rs_frames_waiting(f) ? POLLIN | POLLOUT : POLLIN };
	}
	return nr;
}

static void serve_clients(struct rs_server *s, const struct pollfd *fds, nfds_t nr)
{
	for (nfds_t i = 0; i < nr; i++) {
		struct client *c = NULL;

		for (unsigned int k = 0; k < s->nr_clients && !c; k++)
			if (s->clients[k]->frames.fd == fds[i].fd)
				c = s->clients[k];
		if (c && fds[i].revents && !read_client(s, c))
			drop_client(s, c);
	}
	for (unsigned int i = s->nr_clients; i-- > 0;)
		if (is_silent(s->clients[i]) || !feed_client(s->clients[i]))
			drop_client(s, s->clients[i]);
}

static bool goes_on(const struct rs_server *s)
{
	return !atomic_load(&s->quit) && !s->over && (s->config.listen_fd >= 0 || s->nr_clients);
}

void rs_server_run(struct rs_server *s, struct rs_service *service)
{
	struct pollfd fds[MAX_CLIENTS + 2];

	s->service = service;
	while (goes_on(s)) {
		nfds_t nr = server_fill_pollfds(s, fds);

		service->nr_clients = server_count_clients(s);
		if (poll(fds, nr, SERVER_BATCH_MS) < 0 && errno != EINTR)
			break;
		answer_all(s);
		if (atomic_exchange(&s->has_failed, false))
			report_failure(s);
		if (fds[1].revents)
			accept_client(s);
		serve_clients(s, fds + 2, nr - 2);
	}
	if (atomic_exchange(&s->has_failed, false)) /* it quits in the same moment */
		report_failure(s);
	for (unsigned int i = s->nr_clients; i-- > 0;) /* send what fits before the end */
		feed_client(s->clients[i]);
	s->config.ended(s->config.arg);
}

struct rs_server *rs_server_new(const struct rs_server_config *config, struct rs_error *err)
{
	struct rs_server *s = calloc(1, sizeof *s);

	if (!s) {
		rs_fail(err, "cannot serve: out of memory");
		return NULL;
	}
	s->config = *config;
	rs_jobs_init(&s->done);
	pthread_mutex_init(&s->lock, NULL);
	s->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->wake_fd < 0 || (config->client_fd >= 0 && !server_add_own(s, config->client_fd))) {
		rs_fail(err, "cannot serve: %s", strerror(errno));
		rs_server_free(s);
		return NULL;
	}
	return s;
}

void rs_server_free(struct rs_server *s)
{
	if (!s)
		return;
	while (s->nr_clients)
		drop_client(s, s->clients[0]);
	rs_jobs_done(&s->done);
	if (s->wake_fd >= 0)
		close(s->wake_fd);
	if (s->config.listen_fd >= 0)
		close(s->config.listen_fd);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void rs_server_quit(struct rs_server *s)
{
	atomic_store(&s->quit, true);
	eventfd_write(s->wake_fd, 1);
}
