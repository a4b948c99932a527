/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon-file.h - the daemon's file of options, a line each: "max-overhead 5%", "# nothing"
 */
#ifndef RS_CLI_DAEMON_FILE_H
#define RS_CLI_DAEMON_FILE_H

#include "cli/options/options.h"

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
/* The line of the n-th "when", from 0 on; 0: there is none. */
unsigned int rs_daemon_file_when_line(const struct rs_daemon_file *f, size_t n);

#endif
