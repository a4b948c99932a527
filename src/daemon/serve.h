/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - an engine that answers clients: over a live kernel or a file, for the daemon or for one TUI
 */
#ifndef RS_DAEMON_SERVE_H
#define RS_DAEMON_SERVE_H

#include "service/control.h"
#include "service/service.h"
#include "daemon/listen.h"
#include "capture/capture.h"

struct rs_usual_file;

struct rs_serve_config {
	struct rs_session_config session;
	struct rs_capture_config capture; /* live: all but the needs, which follow from the session */
	const char *source;               /* "live", "daemon", "file" */
	const char *path;                 /* of a file */
	size_t window_bytes;              /* 0: the default */
	uint64_t window_ns, interval_ns;     /* interval_ns 0: the default */
	/* see rs_server_config; served until the client goes, or a signal comes */
	int listen_fd, client_fd;
	struct rs_peer_rules rules;       /* of listen_fd */
	/* owns listen_fd; closed at the end, before the instance is removed; may be NULL */
	struct rs_listen_socket *listen;
	struct rs_alarms *alarms;         /* live: conditions to judge; the caller's, NULL: none */
	bool learns;                      /* live: what is usual, see learner.h */
	struct rs_usual_file *usual_file; /* and keeps it there; the caller's, NULL: nowhere */
	int metrics_fd;                   /* live: metrics are served there, see metrics-http.h; 0: nowhere */
	/* enter the sandbox (sandbox.h) before the first client is served */
	bool sandbox;
	bool reloads;                     /* SIGHUP calls .reload and does not end it */
	unsigned int max_overhead_milli;  /* live: see budget.h; 0 no bound */
	uint64_t buffer_most_bytes;       /* live: see control.h */
	void (*ready)(void *arg);         /* tracing is on; may be NULL */
	void (*reload)(void *arg, struct rs_control *control);
	/* see rs_server_config; may be NULL */
	void (*client_left)(void *arg);
	void (*ending)(void *arg);        /* as soon as the end is known; may be NULL */
	void (*say)(void *arg, enum rs_say level, const char *text); /* any thread; may be NULL */
	void *arg;
};

/* Runs in the calling thread, until the end. A client gets the error, too, if the engine cannot start. */
int rs_serve_live(const struct rs_serve_config *config, struct rs_error *err);
/* The source stays the caller's. begin_ns: times since the begin count from here. */
int rs_serve_file(const struct rs_serve_config *config, struct rs_source *source, uint64_t begin_ns,
		  struct rs_error *err);
/* Sends a "failed" event to a client whose engine could not start. */
void rs_serve_failed(int client_fd, const struct rs_error *err);

/*
 * ---- the clients of a service: their sockets, their rights, their requests ----
 *
 * One thread runs it, at normal priority. A client that breaks a rule of the protocol, or does not read what
 * it is sent, is dropped: no thread waits for it.
 */

struct rs_server_config {
	int listen_fd;           /* -1: no other clients */
	/* of a socketpair: has all rights; with no others the server ends when it closes. -1: none */
	int client_fd;
	/* that one is gone, while others are served: it is the program's own, and not counted; may be NULL */
	void (*client_left)(void *arg);
	struct rs_peer_rules rules; /* for clients of listen_fd: who may read, and who may change */
	void (*ended)(void *arg); /* rs_server_run is about to return */
	void *arg;
};

struct rs_server;

/* takes the fds */
struct rs_server *rs_server_new(const struct rs_server_config *config, struct rs_error *err);
void rs_server_free(struct rs_server *s);
void rs_server_run(struct rs_server *s, struct rs_service *service);
void rs_server_quit(struct rs_server *s);                       /* any thread */
/* For rs_service_config.done and .failed, any thread; arg is the server. */
void rs_server_done(void *server, struct rs_job *job);
void rs_server_failed(void *server, bool fatal, const char *why);
/* After its end: err holds the fatal error, if there was one. */
void rs_server_failure(struct rs_server *s, struct rs_error *err);

#endif
