/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host-child.h - ssh as a child process, which runs ringside on another machine; its pipes are ours */
#ifndef RS_LINK_HOST_CHILD_H
#define RS_LINK_HOST_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "link/host.h"

struct rs_host_child {
	pid_t pid;                       /* 0: it has been waited for */
	int in_fd, out_fd, err_fd;       /* its standard output, input and error; err_fd -1: it has ours */
};

struct rs_host_child_config {
	const char *line;        /* what ringside is to do there, quoted for a shell */
	bool asks;               /* ssh may ask for a password */
	bool takes_errors;       /* its standard error is a pipe, too */
};

/* While there is one thread. Ctrl-C is not for the child. -1 with err set: nothing has begun */
int rs_host_child_begin(struct rs_host_child *child, const struct rs_host *host,
			const struct rs_host_child_config *config, struct rs_error *err);
/* Closes its pipes, but err_fd, by which it ends, and waits for that. Returns what waitpid has of it. */
int rs_host_child_end(struct rs_host_child *child);

#endif
