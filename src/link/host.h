/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - an engine on another machine, by ssh: "ringside serve" there, a socket of the protocol here
 *
 *	fd = rs_host_connect(&(struct rs_host){ "root@web1", NULL }, &err);
 *	client = rs_client_new(fd, &err);            // as of a daemon here
 *
 * A process of its own carries the bytes, from ssh's pipes to the socket; it ends with either. RINGSIDE_SSH
 * of the environment is the program, and its options, in place of ssh.
 */
#ifndef RS_LINK_HOST_H
#define RS_LINK_HOST_H

#include <stdbool.h>

#include "base/error.h"

struct rs_host {
	const char *name;        /* as ssh takes it: user@server */
	const char *command;     /* what ringside is there: "sudo -n ringside"; NULL: "ringside" */
};

/* Checks the name: one that begins with "-" would be an option of ssh. -1 with err: wrong usage */
int rs_host_check(const struct rs_host *host, struct rs_error *err);

/*
 * Returns the socket once ssh has connected and the other side has greeted: until then ssh may ask for a
 * password. -1 with err set, of which the last line is what ssh said.
 */
int rs_host_connect(const struct rs_host *host, struct rs_error *err);
/* Returns at once, and asks for nothing: where it fails, the socket says so and ends. -1: no memory */
int rs_host_connect_again(const struct rs_host *host);

/*
 * Runs ringside there with the words of line, quoted for a shell, and its output is ours; "serve" there
 * sees the end of its input where a signal comes here. Returns the exit status; -1 with err set.
 */
int rs_host_run(const struct rs_host *host, const char *line, struct rs_error *err);

#endif
