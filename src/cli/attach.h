/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * attach.h - a command as the daemon's client
 */
#ifndef RS_CLI_ATTACH_H
#define RS_CLI_ATTACH_H

#include "cli/options/options.h"
#include "rpc/client.h"

/* --socket, else RINGSIDE_SOCKET of the environment, else where a daemon is by itself. */
const char *rs_attach_socket_path(const struct rs_options *opt);

/* On --host, or of this machine. NULL with err set: no daemon runs, or this user may not talk to it. */
struct rs_client *rs_attach(const struct rs_options *opt, struct rs_error *err);

/* What an engine that begins on --host is told of what is traced: options for "serve --stdio", quoted. */
void rs_attach_engine_words(const struct rs_options *opt, struct rs_buf *quoted);
/* On the only --host; clock: that machine's, against ours. */
struct rs_client *rs_attach_host(const struct rs_options *opt, struct rs_host_clock *clock,
				 struct rs_error *err);

/* The same as rs_attach, and the caller says hello (rs_client_hello). */
struct rs_client *rs_attach_unasked(const struct rs_options *opt, struct rs_error *err);

/* The daemon's begin and its current time, to resolve the moments of the options (rs_config_times). */
int rs_attach_clock(struct rs_client *c, struct rs_moment_clock *clock, struct rs_error *err);

/* The daemon's account of itself as a line of JSON. */
void rs_attach_put_status(const struct rs_status_reply *status, struct rs_buf *out);

#endif
