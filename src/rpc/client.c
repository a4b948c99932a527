// SPDX-License-Identifier: GPL-2.0-or-later
#include "rpc/client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/memory-watch.h"
#include "rpc/frame.h"
#include "rpc/protocol.h"
#include "rpc/wire.h"

#define CLIENT_MAX_OPEN RS_MAX_OPEN_REQUESTS
#define STOPPED_MS 10000 /* who is stopped and said nothing for so long is not waited for */

/* What was asked and has no answer yet; id 0: free. */
struct client_asked {
	uint32_t id;
	rs_client_reply *reply;
	void *arg;
};

struct rs_client {
	struct rs_frames frames;
	struct rs_buf text;       /* the request that is being written */
	struct rs_json json;
	struct client_asked asked[CLIENT_MAX_OPEN];
	uint32_t last_id;
	cJSON *about;
	struct rs_catalogue catalogue;
	struct rs_error failed;   /* the engine could not begin: it said so */
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
	rs_catalogue_done(&c->catalogue);
	cJSON_Delete(c->about);
	free(c);
}

/* ---- asking ---- */

static struct client_asked *client_find_request(struct rs_client *c, uint32_t id)
{
	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		if (c->asked[i].id == id)
			return &c->asked[i];
	return NULL;
}

struct rs_json *rs_client_begin(struct rs_client *c, const char *op)
{
	c->last_id = c->last_id < INT32_MAX ? c->last_id + 1 : 1;
	rs_buf_clear(&c->text);
	rs_json_init(&c->json, &c->text);
	rs_json_open(&c->json, '{');
	rs_json_put_u64(&c->json, "id", c->last_id);
	rs_json_put_str(&c->json, "op", op);
	return &c->json;
}

uint32_t rs_client_send(struct rs_client *c, int passed_fd, rs_client_reply *reply, void *arg)
{
	struct client_asked *a = client_find_request(c, 0);

	rs_json_close(&c->json, '}');
	if (!a || c->frames.fd < 0 || c->text.failed || c->text.len > RS_REQUEST_BYTES ||
	    !rs_frames_put(&c->frames, c->text.data, c->text.len, passed_fd))
		return 0;
	*a = (struct client_asked){ .id = c->last_id, .reply = reply, .arg = arg };
	return a->id;
}

void rs_client_forget(struct rs_client *c, const void *arg)
{
	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		if (c->asked[i].id && c->asked[i].arg == arg)
			c->asked[i].reply = NULL; /* the place stays taken: the answer is still to come */
}

unsigned int rs_client_nr_open(const struct rs_client *c)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		nr += c->asked[i].id != 0;
	return nr;
}

/* ---- hearing ---- */

int rs_client_fd(const struct rs_client *c)
{
	return c->frames.fd;
}

short rs_client_events(const struct rs_client *c)
{
	return rs_frames_waiting(&c->frames) ? POLLIN | POLLOUT : POLLIN;
}

/* What comes without having been asked for: the engine could not begin. Other events are of later servers. */
static void read_failure(struct rs_client *c, const cJSON *said)
{
	const char *event = rs_wire_text_of(said, "event"), *why = rs_wire_text_of(said, "error");

	if (event && !strcmp(event, "failed"))
		rs_fail(&c->failed, "%s", why ? why : "the engine could not begin");
}

static void hand_on(struct rs_client *c, const cJSON *said)
{
	struct client_asked *a, answered;
	uint64_t id;

	if (!rs_wire_u64_of(said, "id", 0, &id) || !id || id > INT32_MAX ||
	    !(a = client_find_request(c, (uint32_t)id))) {
		read_failure(c, said);
		return;
	}
	if (!strcmp(rs_wire_text_of(said, "code") ? rs_wire_text_of(said, "code") : "", "memory"))
		rs_memory_failed_elsewhere(); /* whatever is made of it lacks this answer */
	answered = *a;
	a->id = 0; /* free before the callback, which may ask anew */
	if (answered.reply)
		answered.reply(answered.arg, said);
}

/* Also where it has gone: what it said before, it may have said why. */
static int hand_all(struct rs_client *c, struct rs_error *err)
{
	const char *text;
	cJSON *said;
	size_t len;

	while ((text = rs_frames_next(&c->frames, &len, err))) {
		said = rs_frame_parse(text, len, err);
		if (!said)
			return -1;
		hand_on(c, said);
		cJSON_Delete(said);
	}
	return err->status == RS_OK ? 0 : -1;
}

/* As the user knows it: who began a daemon never saw an engine. */
static const char *why_expired(const struct rs_client *c)
{
	const char *source = rs_wire_text_of(c->about, "source");

	if (c->failed.status != RS_OK)
		return c->failed.text;
	return source && !strcmp(source, "daemon") ? "the daemon has gone (its log says why)" : "the engine has gone";
}

int rs_client_read(struct rs_client *c, struct rs_error *err)
{
	struct rs_error unsent = { 0 };
	bool gone = rs_frames_write(&c->frames, &unsent) < 0;
	int bad;

	gone = rs_frames_read(&c->frames, err) < 0 || gone;
	bad = hand_all(c, err);
	if (!gone)
		return bad;
	return rs_fail(err, "%s", why_expired(c));
}

static int64_t client_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* 1: it took longer than that. */
static int wait_for(struct rs_client *c, uint32_t id, int timeout_ms, struct rs_error *err)
{
	int64_t until_ms = client_now_ms() + timeout_ms;

	while (id && client_find_request(c, id)) {
		struct pollfd p = { .fd = c->frames.fd, .events = rs_client_events(c) };
		int64_t left_ms = timeout_ms < 0 ? -1 : until_ms - client_now_ms();

		if (timeout_ms >= 0 && left_ms < 0)
			return 1;
		poll(&p, 1, (int)left_ms);
		if (rs_client_read(c, err) < 0)
			return -1;
	}
	return id ? 0 : rs_fail(err, "cannot ask the engine: too many questions are open, or out of memory");
}

int rs_client_wait(struct rs_client *c, uint32_t id, int timeout_ms, struct rs_error *err)
{
	int waited = wait_for(c, id, timeout_ms, err);

	return waited > 0 ? rs_fail(err, "the engine does not answer") : waited;
}

/* ---- hello ---- */

static void got_hello(void *arg, const cJSON *reply)
{
	struct rs_client *c = arg;

	c->about = cJSON_Duplicate(reply, true);
}

static uint32_t send_hello(struct rs_client *c, const char *who)
{
	struct rs_json *j = rs_client_begin(c, "hello");

	rs_json_put_u64(j, "protocol", RS_PROTOCOL);
	rs_json_put_str(j, "who", who);
	return rs_client_send(c, -1, got_hello, c);
}

int rs_client_hello_begin(struct rs_client *c, const char *who, struct rs_error *err)
{
	return send_hello(c, who) ? 0 : rs_fail(err, "cannot ask the engine: out of memory");
}

bool rs_client_hello_answered(const struct rs_client *c)
{
	return c->about;
}

int rs_client_hello_end(struct rs_client *c, struct rs_error *err)
{
	const char *why = c->about ? rs_wire_text_of(c->about, "error") : "out of memory";

	if (why)
		return rs_fail(err, "the engine refuses: %s", why);
	return rs_catalogue_read(&c->catalogue, c->about, err);
}

/* The letter is behind the name, which may have any signs in it. */
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

static pid_t pid_of_server(const struct rs_client *c)
{
	struct ucred cred = { .pid = 0 };
	socklen_t len = sizeof cred;

	return getsockopt(c->frames.fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0 ? 0 : cred.pid;
}

int rs_client_hello(struct rs_client *c, const char *who, struct rs_error *err)
{
	uint32_t id = send_hello(c, who);
	pid_t pid = pid_of_server(c);
	int waited;

	while ((waited = wait_for(c, id, STOPPED_MS, err)) > 0)
		if (client_is_stopped(pid))
			return rs_fail(err, "the engine (pid %d) is stopped (kill -CONT %d lets it go on)", (int)pid, (int)pid);
	return waited < 0 ? -1 : rs_client_hello_end(c, err);
}

/* ---- lost and found ---- */

void rs_client_lose(struct rs_client *c)
{
	rs_frames_done(&c->frames); /* its fd is -1 then */
}

bool rs_client_is_alike(const struct rs_client *c, const struct rs_client *other)
{
	static const char *const members[] = { "views", "kinds" };

	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (!cJSON_Compare(cJSON_GetObjectItemCaseSensitive(c->about, members[i]),
				   cJSON_GetObjectItemCaseSensitive(other->about, members[i]), true))
			return false;
	return true;
}

/* Places are freed first: who is told may ask anew, and that goes to the new server. */
static void refuse_all(struct rs_client *c)
{
	cJSON *refusal = cJSON_CreateObject();
	struct client_asked asked[CLIENT_MAX_OPEN];

	cJSON_AddFalseToObject(refusal, "ok");
	cJSON_AddStringToObject(refusal, "error", "the daemon has begun anew");
	memcpy(asked, c->asked, sizeof asked);
	memset(c->asked, 0, sizeof c->asked);
	for (size_t i = 0; i < CLIENT_MAX_OPEN; i++)
		if (asked[i].id && asked[i].reply)
			asked[i].reply(asked[i].arg, refusal);
	cJSON_Delete(refusal);
}

void rs_client_become(struct rs_client *c, struct rs_client *other)
{
	struct rs_client before = *c;
	bool alike = rs_client_is_alike(c, other);

	c->frames = other->frames;
	c->about = other->about;
	c->failed = other->failed;
	other->frames = before.frames;
	other->about = before.about;
	if (!alike) {
		c->catalogue = other->catalogue;
		other->catalogue = before.catalogue;
	}
	rs_client_free(other);
	refuse_all(c);
}

const struct rs_catalogue *rs_client_catalogue(const struct rs_client *c)
{
	return &c->catalogue;
}

const cJSON *rs_client_details(const struct rs_client *c)
{
	return c->about;
}
