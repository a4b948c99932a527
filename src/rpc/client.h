/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client.h - asks a server: the daemon, or the engine of this process over a socketpair
 *
 *	struct rs_client *c = rs_client_new(fd, &err);          // a socket that is connected
 *	rs_client_hello(c, "tui", &err);                        // waits for the answer
 *	rs_client_ask(c, "rows", &(struct rs_rows_request){ .view = "sched" }, got_rows, screen);
 *								// a later rs_client_read() calls got_rows()
 *	poll(rs_client_fd(c), rs_client_events(c)); rs_client_read(c, &err);
 *
 * Nothing waits but rs_client_hello and rs_client_call. One thread uses a client.
 */
#ifndef RS_RPC_CLIENT_H
#define RS_RPC_CLIENT_H

#include "rpc/protocol.h"

struct rs_client;

/* An answer; freed after the callback. */
struct rs_reply {
	const void *message;     /* struct rs_NAME_reply of the request; NULL: an error */
	const char *code, *error; /* the error */
};

typedef void rs_client_reply(void *arg, const struct rs_reply *reply);
/* Call in the callback to keep the message; free it with rs_message_drop. Returns NULL if there is none. */
const void *rs_client_keep(struct rs_client *c, const struct rs_reply *reply);

struct rs_client *rs_client_new(int fd, struct rs_error *err); /* takes the fd, also on error */
void rs_client_free(struct rs_client *c);

/*
 * Waits without a timeout, because the engine of a busy machine answers late. Returns -1 if it has ended,
 * refuses, or is stopped (SIGSTOP, a debugger) and silent for ten seconds.
 */
int rs_client_hello(struct rs_client *c, const char *name, struct rs_error *err);
/* The same in two steps: between them, poll and call rs_client_read until it is answered. */
int rs_client_hello_begin(struct rs_client *c, const char *name, struct rs_error *err);
bool rs_client_hello_answered(const struct rs_client *c);
int rs_client_hello_end(struct rs_client *c, struct rs_error *err);
const struct rs_catalogue *rs_client_catalogue(const struct rs_client *c); /* after hello */
/* valid while the client exists, after hello */
const struct rs_hello_reply *rs_client_hello_reply(const struct rs_client *c);

/*
 * request: struct rs_NAME_request of op; NULL if it has no members. Returns the request's id; 0: no memory.
 */
uint32_t rs_client_ask(struct rs_client *c, const char *op, const void *request, rs_client_reply *reply,
		       void *arg);
/* Passes a descriptor along; passed_fd stays the caller's. */
uint32_t rs_client_ask_fd(struct rs_client *c, const char *op, const void *request, int passed_fd,
			  rs_client_reply *reply, void *arg);
/* Drops the answers to requests with this arg, because its owner is gone. */
void rs_client_forget(struct rs_client *c, const void *arg);
unsigned int rs_client_nr_open(const struct rs_client *c); /* sent and not answered */

/*
 * Closes the socket of a server that ended but may come back; further requests are not sent. Callers get an
 * error for pending requests in rs_client_become, so that screens keep their data until then.
 */
void rs_client_lose(struct rs_client *c);
/*
 * Returns true if both offer the same views and kinds: pointers into c's catalogue then stay valid with
 * either.
 */
bool rs_client_is_alike(const struct rs_client *c, const struct rs_client *other);
/* Lets c use the connection of `other`, which has said hello. Pending requests fail. Frees `other`. */
void rs_client_become(struct rs_client *c, struct rs_client *other);

int rs_client_fd(const struct rs_client *c);                               /* -1: lost */
short rs_client_events(const struct rs_client *c); /* for poll */
/* Reads and writes without waiting. Returns -1 if the server has ended, or breaks the protocol. */
int rs_client_read(struct rs_client *c, struct rs_error *err);
/*
 * Asks, and waits for the answer, which is the caller's (rs_message_drop). NULL with err: no answer, or a
 * refusal. passed_fd: as in rs_client_ask_fd; -1: none.
 */
const void *rs_client_call(struct rs_client *c, const char *op, const void *request, int passed_fd,
			   struct rs_error *err);

#endif
