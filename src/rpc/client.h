/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client.h - asks a server: the daemon's, or an engine's of one's own over a socketpair
 *
 *	struct rs_client *c = rs_client_new(fd, &err);          // a socket that is connected
 *	rs_client_hello(c, "tui", &err);                        // waits for the answer
 *	rs_client_ask(c, "rows", &(struct rs_rows_request){ .view = "sched" }, got_rows, screen);
 *	                                                        // got_rows() is called by a later rs_client_read()
 *	poll(rs_client_fd(c), rs_client_events(c)); rs_client_read(c, &err);
 *
 * Nothing waits but rs_client_hello and rs_client_wait. One thread uses a client.
 */
#ifndef RS_RPC_CLIENT_H
#define RS_RPC_CLIENT_H

#include "rpc/protocol.h"

struct rs_client;

/* An answer; freed when the callback returns. */
struct rs_reply {
	const void *message;     /* struct rs_NAME_reply of the request; NULL: it was refused, or cannot be read */
	const char *code, *error; /* why */
};

typedef void rs_client_reply(void *arg, const struct rs_reply *reply);
/* In the callback: the message becomes the caller's, for rs_message_drop. NULL where it is. */
const void *rs_client_keep(struct rs_client *c, const struct rs_reply *reply);

struct rs_client *rs_client_new(int fd, struct rs_error *err); /* the fd is the client's from now on, also on error */
void rs_client_free(struct rs_client *c);

/*
 * Waits as long as it takes: an engine on a machine that is busy answers late. -1: it has gone, refuses, or is
 * stopped (SIGSTOP, a debugger) and says nothing for ten seconds.
 */
int rs_client_hello(struct rs_client *c, const char *name, struct rs_error *err);
/* The same in two steps, for who has something else to do meanwhile: poll and rs_client_read until it is answered. */
int rs_client_hello_begin(struct rs_client *c, const char *name, struct rs_error *err);
bool rs_client_hello_answered(const struct rs_client *c);
int rs_client_hello_end(struct rs_client *c, struct rs_error *err);
const struct rs_catalogue *rs_client_catalogue(const struct rs_client *c); /* after hello */
const struct rs_hello_reply *rs_client_hello_reply(const struct rs_client *c); /* after hello, while the client lives */

/* request: struct rs_NAME_request of op; NULL where it has no members. Returns the request's id; 0: no memory. */
uint32_t rs_client_ask(struct rs_client *c, const char *op, const void *request, rs_client_reply *reply, void *arg);
/* passed_fd goes along, and stays the caller's. */
uint32_t rs_client_ask_fd(struct rs_client *c, const char *op, const void *request, int passed_fd, rs_client_reply *reply, void *arg);
/* The answer to that request, if it comes, goes nowhere: who asked has gone. arg NULL: of that id alone. */
void rs_client_forget(struct rs_client *c, const void *arg);
unsigned int rs_client_nr_open(const struct rs_client *c); /* sent and not answered */

/*
 * The server has gone and may come again: the socket is closed, and what is asked from now on is not sent. Who waits for
 * an answer gets a refusal by rs_client_become: until then what they show may stay.
 */
void rs_client_lose(struct rs_client *c);
/* Do both offer the same views and kinds? Then what points into c's catalogue may stay, whichever is asked. */
bool rs_client_is_alike(const struct rs_client *c, const struct rs_client *other);
/* c asks where `other`, which has said hello, would: all that is open is refused. `other` is freed. */
void rs_client_become(struct rs_client *c, struct rs_client *other);

int rs_client_fd(const struct rs_client *c);                               /* -1: it is lost */
short rs_client_events(const struct rs_client *c); /* for poll */
/* Reads and writes what can be at once. -1: the server has gone, or does not speak our language. */
int rs_client_read(struct rs_client *c, struct rs_error *err);
/* Until the answer to id came, and was handed on, or timeout_ms passed (-1: none). */
int rs_client_wait(struct rs_client *c, uint32_t id, int timeout_ms, struct rs_error *err);

#endif
