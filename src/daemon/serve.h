/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve.h - an engine that answers clients: over a live kernel or a file, for the daemon or for one TUI
 */
#ifndef RS_DAEMON_SERVE_H
#define RS_DAEMON_SERVE_H

#include "service/control.h"
#include "daemon/listen.h"
#include "daemon/server.h"
#include "capture/capture.h"

struct rs_serve_config {
	struct rs_session_config session;
	struct rs_capture_config capture; /* live: all but the needs, which follow from the session */
	const char *source;               /* "live", "daemon", "file" */
	const char *path;                 /* of a file */
	size_t window_bytes;              /* 0: the default */
	uint64_t window_ns, interval_ns;     /* interval_ns 0: the default */
	int listen_fd, client_fd;         /* see server.h; served until the client goes, or a signal comes */
	struct rs_peer_rules rules;       /* of listen_fd */
	struct rs_listen_socket *listen;     /* owns listen_fd; closed at the end, before the instance is removed; may be NULL */
	bool sandbox;                     /* enter the sandbox (sandbox.h) before the first client is served */
	bool reloads;                     /* SIGHUP is for .reload, and no end */
	unsigned int max_overhead_milli;  /* live: see budget.h; 0 no bound */
	uint64_t buffer_most_bytes;       /* live: see control.h */
	void (*ready)(void *arg);         /* tracing is on; may be NULL */
	void (*reload)(void *arg, struct rs_control *control);
	void (*ending)(void *arg);        /* as soon as it is known; may be NULL */
	void (*say)(void *arg, enum rs_say level, const char *text); /* any thread; may be NULL */
	void *arg;
};

/* In the calling thread, until the end. What cannot begin is also told to the client, if there is one. */
int rs_serve_live(const struct rs_serve_config *config, struct rs_error *err);
/* The source stays the caller's. begin_ns: times since the begin count from here. */
int rs_serve_file(const struct rs_serve_config *config, struct rs_source *source, uint64_t begin_ns, struct rs_error *err);
/* Sends a "failed" event to a client whose engine could not start. */
void rs_serve_failed(int client_fd, const struct rs_error *err);

#endif
