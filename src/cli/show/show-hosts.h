/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-hosts.h - views of a time that has passed on several hosts: their windows are read here */
#ifndef RS_CLI_SHOW_SHOW_HOSTS_H
#define RS_CLI_SHOW_SHOW_HOSTS_H

#include "cli/show/show.h"

/*
 * Of each of opt->hosts what its window has of --from, --to and --last, under its name, on one clock. A host
 * that fails is said at once; the others are shown all the same.
 */
enum rs_exit rs_show_hosts(enum rs_show_kind kind, const struct rs_view_ref *views, size_t nr_views,
			   const struct rs_options *opt, struct rs_error *err);

#endif
