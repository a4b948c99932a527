/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - an engine on another machine, by ssh: "ringside serve" there, a socket of the protocol here
 *
 *	fd = rs_host_connect(&(struct rs_host){ "root@web1", NULL }, &clock, &err);
 *	client = rs_client_new(fd, &err);            // as of a daemon here
 *
 * A process of its own carries the bytes, from ssh's pipes to the socket; it ends with either. RINGSIDE_SSH
 * of the environment is the program, and its options, in place of ssh.
 */
#ifndef RS_LINK_HOST_H
#define RS_LINK_HOST_H

#include <stdbool.h>

#include "base/error.h"
#include "base/host-clock.h"

struct rs_host {
	const char *name;        /* as ssh takes it: user@server */
	const char *command;     /* what ringside is there: "sudo -n ringside"; NULL: "ringside" */
	const char *engine;      /* options of "serve --stdio", quoted for a shell; NULL: none */
};

/* Checks the name: one that begins with "-" would be an option of ssh. -1 with err: wrong usage */
int rs_host_check(const struct rs_host *host, struct rs_error *err);

/*
 * Returns the socket once ssh has connected and the other side has greeted: until then ssh may ask for a
 * password. Where it cannot, the socket says so and ends, as that of an engine that fails; clock is not known
 * then. -1 with err set: no host's name, or no memory
 */
int rs_host_connect(const struct rs_host *host, struct rs_host_clock *clock, struct rs_error *err);
/* Returns at once, and asks for nothing: where it fails, the socket says so and ends. -1: no memory */
int rs_host_connect_again(const struct rs_host *host);

#endif
