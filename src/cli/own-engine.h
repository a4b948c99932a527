/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own-engine.h - engines of our own, one or one of each machine's recording: child processes that serve over
 * a socketpair
 *
 * A child keeps what it takes to trace; this process, which draws, gives its privileges up. It begins with
 * the first question: when the terminal is ours, so that no key that is typed until then is left for the
 * shell.
 */
#ifndef RS_CLI_OWN_ENGINE_H
#define RS_CLI_OWN_ENGINE_H

#include <sys/types.h>

#include "cli/options/options.h"
#include "cli/show/machines.h"

/* These say what is traced, which a client of the daemon cannot change; so does a command. */
#define RS_OWN_ENGINE_OPTIONS \
	"own,pid,tid,no-children,system,as-root,comm,cgroup,cpus,self,clock,buffer-size,stacks,window," \
	"analysis,samples,frequency,call-graph"

bool rs_own_engine_is_needed(const struct rs_options *opt);

struct rs_own_engines {
	struct {
		int fd;          /* the socket, its user's */
		pid_t pid;       /* the child's */
	} at[RS_MAX_MACHINES];
	size_t nr;
};

/*
 * Of opt->input, else live; before any thread is made. opt stays as it is as long as the child lives. -1 with
 * err set
 */
int rs_own_engine_begin(struct rs_own_engines *own, const struct rs_options *opt, struct rs_error *err);
/* engines: struct rs_own_engines. Does not wait; rs_own_engine_end must still be called. */
bool rs_own_engine_have_ended(void *engines);
/* The socket has been closed: waits until the engine has cleaned up. err: it has failed */
void rs_own_engine_end(pid_t pid, struct rs_error *err);

#endif
