/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon-config.h - what a daemon is to be: its command line, and below it a file of the same options
 */
#ifndef RS_CLI_DAEMON_CONFIG_H
#define RS_CLI_DAEMON_CONFIG_H

#include "cli/options.h"
#include "service/control.h"

#define RS_DAEMON_CONFIG "/etc/ringside/daemon.conf"
/* What both take; --config is the command line's alone. */
#define RS_DAEMON_OPTIONS "socket,group,window,max-overhead,mem,log-level,analysis,event,buffer-size,clock,cpus,self"

/* The file's lines, as long as it is used: "max-overhead 5%", "analysis = sched", "# nothing". */
struct rs_daemon_file {
	char *text, **words;     /* each of the words is ours, and ends with NULL */
	char **argv;             /* the same, in the order that the parser leaves */
	struct rs_options opt;
};

/* path NULL: the usual one, which need not be there. */
int rs_daemon_config_read(struct rs_daemon_file *f, const char *path, struct rs_error *err);
void rs_daemon_config_done(struct rs_daemon_file *f);

/* Of both: what the command line says goes first; analyses and events of either. */
struct rs_options rs_daemon_config_merge(const struct rs_options *line, const struct rs_options *file);

enum rs_say rs_daemon_config_log_level(const char *name); /* NULL: info */

#endif
