/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host-run.h - a command of ringside's on other machines at once, by ssh; what they print comes out here
 *
 * Each is greeted and asked for its clocks. When all have answered, or five seconds after the first that has,
 * they begin; a host that answers later begins then. A signal that ends us ends their input, after which they
 * show what they have; the second one ends ssh.
 */
#ifndef RS_LINK_HOST_RUN_H
#define RS_LINK_HOST_RUN_H

#include <stddef.h>

#include "link/host.h"

struct rs_host_run_begin {
	uint64_t now_ns;                 /* CLOCK_BOOTTIME of this machine: one moment for all */
	const struct rs_host_clock *clock;
};

struct rs_host_run_config {
	const struct rs_host *hosts;
	size_t nr;                       /* RS_HOSTS_MAX at most */
	const char *line;                /* "serve -- 'runqlat'", quoted for a shell */
	/*
	 * One at a time, of any thread. words: one line for rs_greeting_begin. output, errors: bytes as they
	 * come; len 0: their end. output returns false where no more is wanted. errors NULL: theirs are ours
	 */
	void (*begin)(void *arg, size_t host, const struct rs_host_run_begin *begin, char *words,
		      size_t size_bytes);
	bool (*output)(void *arg, size_t host, const char *bytes, size_t len);
	bool (*errors)(void *arg, size_t host, const char *bytes, size_t len);
	/* It did not begin, or was lost, or ended as no ringside does. */
	void (*failed)(void *arg, size_t host, const char *why);
	void *arg;
};

/*
 * While there is one thread. statuses: of each what it ended with; RS_FAILED where failed was called. -1 with
 * err set: nothing has begun
 */
int rs_host_run(const struct rs_host_run_config *config, int statuses[RS_HOSTS_MAX], struct rs_error *err);

#endif
