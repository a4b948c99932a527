/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machines.h - the recordings that a command reads: one, or those of a host and its guests on one clock
 *
 *	struct rs_machines *m = rs_machines_open("report", opt, err);
 *	for (size_t i = 0; m && i < m->nr; i++)
 *		show(&m->at[i].opt);
 *	rs_machines_close(m);
 *
 * Each has a session of its own: their pids, CPUs and disks are different ones. What they share is the clock,
 * to which a guest's times are converted as they are read (decode/retime.h), and from the first event of all
 * of which times are counted.
 */
#ifndef RS_CLI_SHOW_MACHINES_H
#define RS_CLI_SHOW_MACHINES_H

#include "cli/options/options.h"
#include "engine/net/machine-ends.h"

#define RS_MAX_MACHINES 16

struct rs_source;

struct rs_machine {
	struct rs_options opt;   /* the command's, of this recording: .input, .input_fd, .machine, .base */
	char name[64];           /* as its host calls it, else its own name, else its file's */
	struct rs_buf vcpus;     /* which of its tasks are guests' CPUs, in words; empty: none is known */
	struct rs_source *source; /* while they are compared */
	bool is_on_clock;        /* its times are of the clock that all share */
	struct rs_moment_clock clock; /* .begin_ns of the first event; 0: no event */
};

struct rs_machines {
	size_t nr;
	struct rs_machine at[RS_MAX_MACHINES];
	const struct rs_options *options[RS_MAX_MACHINES]; /* theirs */
	struct rs_machine_ends ends; /* of their connections: see rs_machines_collect_ends */
	struct rs_machine_ends untimed; /* the same, for a machine whose times are its own */
};

/*
 * rs_machines_open - opens what the arguments name, else -i, else trace.dat, and unpacks it where it is
 * packed. Of several each must share its clock with another: a guest with its host, or with another guest of
 * that. NULL: err is set.
 */
struct rs_machines *rs_machines_open(const char *command, const struct rs_options *opt, struct rs_error *err);
/*
 * rs_machines_collect_ends - of several: reads each once more, so that sessions of the options name the task
 * at the other end of a connection on another machine. -1: err is set.
 */
int rs_machines_collect_ends(struct rs_machines *m, struct rs_error *err);
void rs_machines_close(struct rs_machines *m);

#endif
