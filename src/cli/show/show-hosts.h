/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-hosts.h - views of a time that has passed on several hosts: their windows are read here */
#ifndef RS_CLI_SHOW_SHOW_HOSTS_H
#define RS_CLI_SHOW_SHOW_HOSTS_H

#include "cli/show/show.h"
#include "rpc/client.h"

struct rs_show_host {
	struct rs_options opt;   /* of this host: .input_fd is its window, 0: it failed; see machines.h */
	struct rs_client *client; /* private, as the clock is */
	struct rs_moment_clock clock;
};

struct rs_show_hosts {
	struct rs_show_host at[RS_HOSTS_MAX];
	size_t nr, nr_failed;
};

/*
 * Fetches the windows of opt->hosts, all at one moment. A host that fails is said at once. NULL with err set:
 * no memory
 */
struct rs_show_hosts *rs_show_hosts_open(const struct rs_options *opt, struct rs_error *err);
void rs_show_hosts_close(struct rs_show_hosts *hosts);

/*
 * Of each of opt->hosts what its window has of --from, --to and --last, under its name, on one clock. A host
 * that fails is said at once; the others are shown all the same.
 */
enum rs_exit rs_show_hosts(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			   const struct rs_options *opt, struct rs_error *err);

#endif
