// SPDX-License-Identifier: GPL-2.0-or-later
/* client - asks a server: the daemon, or the engine of this process over a socketpair */
#include "rpc/client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "base/monotonic.h"
#include "rpc/frame.h"

#define CLIENT_MAX_OPEN RS_MAX_OPEN_REQUESTS
#define STOPPED_MS 10000 /* a stopped server is given up after this long */

/* A request without an answer yet; id 0: free. */
struct client_asked {
	uint32_t id;
	const struct rs_message *type; /* of the answer */
	rs_client_reply *reply;
	void *arg;
};

struct rs_client {
	struct rs_frames frames;
	struct rs_buf text;       /* the request being written */
	struct client_asked asked[CLIENT_MAX_OPEN];
	uint32_t last_id;
	/* the last answer to "hello"; the one with the catalogue */
	const struct rs_hello_reply *hello, *first;
	bool kept;                /* the callback took the current answer */
	struct rs_error failed;   /* the engine failed to start, with this error */
};

struct rs_client *rs_client_new(int fd, struct rs_error *err)
{
	struct rs_client *c = calloc(1, sizeof *c);

	if (!c) {
		close(fd);
		rs_fail(err, "cannot ask an engine: out of memory");
		return NULL;
	}
	rs_frames_init(&c->frames, fd, RS_ANSWER_BYTES);
	c->text = (struct rs_buf)RS_BUF_INIT;
	return c;
}

void rs_client_free(struct rs_client *c)
{
	if (!c)
		return;
	rs_frames_done(&c->frames);
	rs_buf_done(&c->text);
	if (c->first != c->hello)
		rs_message_drop(c->first);
	rs_message_drop(c->hello);
	free(c);
}

/* ---- requests ---- */

static struct client_asked *client_find_request(struct rs_client *c, uint32_t id)
{
	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		if (c->asked[i].id == id)
			return &c->asked[i];
	return NULL;
}

static void put_request(struct rs_client *c, const struct rs_protocol_op *op, const void *request)
{
	struct rs_json j;

	c->last_id = c->last_id < INT32_MAX ? c->last_id + 1 : 1;
	rs_buf_clear(&c->text);
	rs_json_init(&j, &c->text);
	rs_json_open(&j, '{');
	rs_message_put_members(&j, &rs_request_head_message,
			       &(struct rs_request_head){ c->last_id, op->name });
	if (request)
		rs_message_put_members(&j, op->request, request);
	rs_json_close(&j, '}');
}

uint32_t rs_client_ask_fd(struct rs_client *c, const char *name, const void *request, int passed_fd,
			  rs_client_reply *reply, void *arg)
{
	const struct rs_protocol_op *op = rs_protocol_find_op(name);
	struct client_asked *a = client_find_request(c, 0);

	put_request(c, op, request);
	if (!a || c->frames.fd < 0 || c->text.failed || c->text.len > RS_REQUEST_BYTES ||
	    !rs_frames_put(&c->frames, c->text.data, c->text.len, passed_fd))
		return 0;
	*a = (struct client_asked){ .id = c->last_id, .type = op->reply, .reply = reply, .arg = arg };
	return a->id;
}

uint32_t rs_client_ask(struct rs_client *c, const char *op, const void *request, rs_client_reply *reply,
		       void *arg)
{
	return rs_client_ask_fd(c, op, request, -1, reply, arg);
}

void rs_client_forget(struct rs_client *c, const void *arg)
{
	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		if (c->asked[i].id && c->asked[i].arg == arg)
			c->asked[i].reply = NULL; /* the place stays in use: the answer may still come */
}

unsigned int rs_client_nr_open(const struct rs_client *c)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		nr += c->asked[i].id != 0;
	return nr;
}

/* ---- answers ---- */

int rs_client_fd(const struct rs_client *c)
{
	return c->frames.fd;
}

short rs_client_events(const struct rs_client *c)
{
	return rs_frames_waiting(&c->frames) ? POLLIN | POLLOUT : POLLIN;
}

/*
 * Reads the event "failed", sent without a request: the engine could not start. Other events come from newer
 * servers.
 */
static void read_failure(struct rs_client *c, const struct rs_reply_head *head)
{
	if (head->event && !strcmp(head->event, "failed"))
		rs_fail(&c->failed, "%s", head->error ? head->error : "the engine could not begin");
}

/* A malformed answer counts as an error. */
static void read_reply(const struct client_asked *a, struct rs_frame_message *f,
		       const struct rs_reply_head *head)
{
	struct rs_reply reply = { .code = head->code, .error = head->error ? head->error : "refused" };
	struct rs_error err = { 0 };

	if (head->ok)
		reply = (struct rs_reply){ .message = rs_message_read(f, a->type, &err), .error = err.text };
	a->reply(a->arg, &reply);
}

const void *rs_client_keep(struct rs_client *c, const struct rs_reply *reply)
{
	c->kept = reply->message;
	return reply->message;
}

/* Frees the request's place before the callback, which may send another request. */
static int hand_on(struct rs_client *c, struct rs_frame_message *f, struct rs_error *err)
{
	const struct rs_reply_head *head = rs_message_read(f, &rs_reply_head_message, err);
	struct client_asked *a = head && head->id ? client_find_request(c, head->id) : NULL, answered;

	if (!head)
		return -1;
	if (!a) {
		read_failure(c, head);
		return 0;
	}
	if (head->code && !strcmp(head->code, "memory"))
		rs_memory_failed_elsewhere(); /* the caller's result lacks this answer */
	answered = *a;
	a->id = 0;
	if (answered.reply)
		read_reply(&answered, f, head);
	return 0;
}

/* Also after the server closed: its last message may tell why. */
static int hand_all(struct rs_client *c, struct rs_error *err)
{
	struct rs_frame_message *f;
	const char *text;
	size_t len;
	int status = 0;

	while (!status && (text = rs_frames_next(&c->frames, &len, err))) {
		f = rs_message_parse(text, len, err);
		if (!f)
			return -1;
		c->kept = false;
		status = hand_on(c, f, err);
		if (!c->kept)
			rs_message_free(f);
	}
	return err->status == RS_OK ? status : -1;
}

/* Names the server as the user knows it: a daemon's user has never seen an engine. */
static const char *why_expired(const struct rs_client *c)
{
	const char *source = c->hello ? c->hello->source : NULL;

	if (c->failed.status != RS_OK)
		return c->failed.text;
	return source && !strcmp(source, "daemon") ? "the daemon has gone (its log says why)" :
						     "the engine has gone";
}

int rs_client_read(struct rs_client *c, struct rs_error *err)
{
	struct rs_error unsent = { 0 };
	bool is_lost = rs_frames_write(&c->frames, &unsent) < 0;
	int bad;

	is_lost = rs_frames_read(&c->frames, err) < 0 || is_lost;
	bad = hand_all(c, err);
	if (!is_lost)
		return bad;
	return rs_fail(err, "%s", why_expired(c));
}

/* Returns 1 after the timeout. */
static int wait_for(struct rs_client *c, uint32_t id, int timeout_ms, struct rs_error *err)
{
	int64_t until_ms = rs_monotonic_ms() + timeout_ms;

	while (id && client_find_request(c, id)) {
		struct pollfd p = { .fd = c->frames.fd, .events = rs_client_events(c) };
		int64_t left_ms = timeout_ms < 0 ? -1 : until_ms - rs_monotonic_ms();

		if (timeout_ms >= 0 && left_ms < 0)
			return 1;
		poll(&p, 1, (int)left_ms);
		if (rs_client_read(c, err) < 0)
			return -1;
	}
	return id ? 0 : rs_fail(err, "cannot ask the engine: too many questions are open, or out of memory");
}

struct client_call {
	struct rs_client *client;
	const void *message;
	struct rs_error *err;
};

static void client_on_call_answer(void *arg, const struct rs_reply *reply)
{
	struct client_call *call = arg;

	call->message = rs_client_keep(call->client, reply);
	if (!call->message)
		rs_error_set(call->err, reply->code && !strcmp(reply->code, "usage") ? RS_USAGE : RS_FAILED,
			     "%s", reply->error);
}

const void *rs_client_call(struct rs_client *c, const char *op, const void *request, int passed_fd,
			   struct rs_error *err)
{
	struct client_call call = { .client = c, .err = err };

	return wait_for(c, rs_client_ask_fd(c, op, request, passed_fd, client_on_call_answer, &call), -1,
			err) < 0 ?
		       NULL :
		       call.message;
}

/* ---- hello ---- */

static void got_hello(void *arg, const struct rs_reply *reply)
{
	struct rs_client *c = arg;

	c->hello = c->first = rs_client_keep(c, reply);
	if (!c->hello)
		rs_fail(&c->failed, "the engine refuses: %s", reply->error);
}

static uint32_t send_hello(struct rs_client *c, const char *name)
{
	return rs_client_ask(c, "hello", &(struct rs_hello_request){ .protocol = RS_PROTOCOL, .name = name },
			     got_hello, c);
}

int rs_client_hello_begin(struct rs_client *c, const char *name, struct rs_error *err)
{
	return send_hello(c, name) ? 0 : rs_fail(err, "cannot ask the engine: out of memory");
}

bool rs_client_hello_answered(const struct rs_client *c)
{
	return c->hello || c->failed.status != RS_OK;
}

int rs_client_hello_end(struct rs_client *c, struct rs_error *err)
{
	return c->hello ? 0 : rs_fail(err, "%s", c->failed.text);
}

/* The state letter follows the name, which may contain any character. */
static bool client_is_stopped(pid_t pid)
{
	char path[32], stat[512], *letter;
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	n = fread(stat, 1, sizeof stat - 1, f);
	fclose(f);
	stat[n] = '\0';
	letter = strrchr(stat, ')');
	return letter && letter[1] == ' ' && (letter[2] == 'T' || letter[2] == 't');
}

int rs_client_hello(struct rs_client *c, const char *name, struct rs_error *err)
{
	uint32_t id = send_hello(c, name);
	pid_t pid = rs_frames_pid(&c->frames);
	int waited;

	while ((waited = wait_for(c, id, STOPPED_MS, err)) > 0)
		if (client_is_stopped(pid))
			return rs_fail(err, "the engine (pid %d) is stopped (kill -CONT %d lets it go on)",
				       (int)pid, (int)pid);
	return waited < 0 ? -1 : rs_client_hello_end(c, err);
}

/* ---- reconnect ---- */

void rs_client_lose(struct rs_client *c)
{
	rs_frames_done(&c->frames); /* sets its fd to -1 */
}

/* Compares both as messages, whose tables know all members. */
bool rs_client_is_alike(const struct rs_client *c, const struct rs_client *other)
{
	struct rs_buf texts[2] = { RS_BUF_INIT, RS_BUF_INIT };
	bool alike;

	for (int i = 0; i < 2; i++) {
		struct rs_json j;

		rs_json_init(&j, &texts[i]);
		rs_message_put(&j, &rs_catalogue_message, rs_client_catalogue(i ? other : c));
	}
	alike = !texts[0].failed && !texts[1].failed && !strcmp(texts[0].data, texts[1].data);
	rs_buf_done(&texts[0]);
	rs_buf_done(&texts[1]);
	return alike;
}

/* Frees the places before the callbacks: new requests go to the new server. */
static void refuse_all(struct rs_client *c)
{
	const struct rs_reply refusal = { .error = "the daemon has begun anew" };
	struct client_asked asked[CLIENT_MAX_OPEN];

	memcpy(asked, c->asked, sizeof asked);
	memset(c->asked, 0, sizeof c->asked);
	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		if (asked[i].id && asked[i].reply)
			asked[i].reply(asked[i].arg, &refusal);
}

void rs_client_become(struct rs_client *c, struct rs_client *other)
{
	struct rs_client before = *c;
	bool alike = rs_client_is_alike(c, other);

	c->frames = other->frames;
	c->hello = other->hello;
	c->failed = other->failed;
	other->frames = before.frames;
	if (alike) {
		other->hello = before.hello == before.first ? NULL : before.hello;
		other->first = other->hello;
	} else {
		c->first = other->first;
		other->hello = before.hello;
		other->first = before.first;
	}
	rs_client_free(other);
	refuse_all(c);
}

const struct rs_catalogue *rs_client_catalogue(const struct rs_client *c)
{
	return &c->first->catalogue;
}

const struct rs_hello_reply *rs_client_hello_reply(const struct rs_client *c)
{
	return c->hello;
}
