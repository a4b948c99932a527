/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon-file.h - the daemon's file of options, a line each: "max-overhead 5%", "# nothing"
 */
#ifndef RS_CLI_DAEMON_FILE_H
#define RS_CLI_DAEMON_FILE_H

#include "cli/options/options.h"
#include "when/when.h"

/* What the command line and the file take; --config is the command line's alone. */
#define RS_DAEMON_OPTIONS \
	"socket,group,metrics,window,max-overhead,mem,log-level,analysis,event,frequency,call-graph,buffer-" \
	"size,stacks,clock,cpus,self,silence,when,keep,keep-in,keep-around,keep-as,run,learn"

struct rs_daemon_file {
	const char *path;
	char **words, **parsed;       /* "daemon", "--max-overhead=5%"; what opt points into */
	unsigned int *lines;          /* of the words, from 1 on; that of the first is 0 */
	int nr;
	struct rs_options opt;
};

/*
 * path NULL: the usual one, which need not be there. takes: see rs_options_parse. An error names the file and
 * the line. The caller calls rs_daemon_file_done, also after an error.
 */
int rs_daemon_file_read(struct rs_daemon_file *f, const char *path, const char *takes, struct rs_error *err);
void rs_daemon_file_done(struct rs_daemon_file *f);
/* Adds the conditions of the command line, then its own; an error names the file and the line. */
int rs_daemon_file_conditions(const struct rs_daemon_file *f, const struct rs_options *line,
			      struct rs_when *when, struct rs_error *err);

#endif
