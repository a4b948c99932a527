/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * server.h - the clients of a service: their sockets, their rights, their requests
 *
 * One thread runs it, at normal priority. A client that breaks a rule of the protocol, or does not read what it
 * is sent, is dropped: nobody waits for it.
 */
#ifndef RS_DAEMON_SERVER_H
#define RS_DAEMON_SERVER_H

#include <sys/types.h>

#include "base/error.h"
#include "daemon/listen.h"
#include "service/service.h"

struct rs_server_config {
	int listen_fd;           /* -1: no one else may come */
	int client_fd;           /* of a socketpair: may do all; when it goes, the server ends. -1 none */
	struct rs_peer_rules rules; /* for clients of listen_fd: who may read, and who may change */
	void (*ended)(void *arg); /* rs_server_run is about to return */
	void *arg;
};

struct rs_server;

struct rs_server *rs_server_new(const struct rs_server_config *config, struct rs_error *err); /* the fds are its own from now on */
void rs_server_free(struct rs_server *s);
void rs_server_run(struct rs_server *s, struct rs_service *service);
void rs_server_quit(struct rs_server *s);                       /* any thread */
/* For rs_service_config.done and .failed, any thread; arg is the server. */
void rs_server_done(void *server, struct rs_job *job);
void rs_server_failed(void *server, bool fatal, const char *why);
/* After its end: err holds the fatal error, if there was one. */
void rs_server_failure(struct rs_server *s, struct rs_error *err);

#endif
