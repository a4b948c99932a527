/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture-parts.h - the pieces of a capture: the plan, the launched command, what ends it
 */
#ifndef RS_CAPTURE_CAPTURE_PARTS_H
#define RS_CAPTURE_CAPTURE_PARTS_H

#include <pthread.h>
#include <signal.h>

#include "base/buf.h"
#include "capture/budget.h"
#include "source/perf/probes.h"
#include "source/source.h"
#include "tracefs/tracefs.h"

struct rs_capture_config;

/* ---- capture-plan.c: which events, clock and tasks ---- */

#define RS_MAX_STACK_CALLS 16
#define RS_PROBE_COST_BYTES 400

struct rs_capture_plan {
	struct rs_plan plan;
	struct rs_dynamic_events dynamic_events; /* made before the instance */
	bool has_eprobes;            /* they were tried */
	struct rs_probe_target probes; /* .nr 0: none */
	char probe_cost[RS_PROBE_COST_BYTES]; /* what they cost, for who starts them; "": none */
	struct rs_plan_event *events;
	size_t nr_events, events_room;
	bool all_by_task, own_calls, self;
	char *available;             /* available_events, cut into its names; -e only */
	char **names;                /* "sys\0event", into available; ends with NULL */
	/* optional events that this kernel lacks, a line "system:name (analysis)" each */
	struct rs_buf missing;
	pid_t *tids;
	char *call_names[RS_MAX_STACK_CALLS]; /* events of single calls, see stack-events.c */
	unsigned int nr_names;
};

int rs_capture_plan_make(struct rs_capture_plan *p, const char *tracefs,
			 const struct rs_capture_config *config, pid_t command, struct rs_error *err);
void rs_capture_plan_done(struct rs_capture_plan *p);
bool rs_capture_plan_kernel_is(unsigned int least_major, unsigned int least_minor); /* or later */
/* An event beside those that the analyses require; system and name outlive the plan. 0, or -1 with err set */
int rs_capture_plan_add_event(struct rs_capture_plan *p, const char *system, const char *name,
			      struct rs_error *err);

/* ---- capture-threads.c ---- */

struct rs_capture;

/* RS_CAPTURE_WAITING, ..._RUNNING, ..._CANCELLED: then they end without having run. */
void rs_capture_threads_set_phase(struct rs_capture *c, int phase);
void rs_capture_threads_join(struct rs_capture *c);
/* This thread, the guardian's processes, and the threads that read the kernel. */
void rs_capture_threads_add_own(struct rs_capture *c);

/* ---- stack-events.c ---- */

/*
 * words: of --stacks, "" without a list; NULL: no stacks. Adds what is missing to the plan's events. 0, or -1
 * with err set
 */
int rs_stack_events_plan(struct rs_capture_plan *p, const char *tracefs, const char *words,
			 struct rs_error *err);

/*
 * ---- alloc-probes.c, kmem-probes.c: they fill in p->probes, of the one process. 0, or -1 with err set ----
 */

/* Defines probes of the functions by which it allocates memory. */
int rs_alloc_probes_plan(struct rs_capture_plan *p, const char *tracefs, struct rs_error *err);
/* Finds the kernel's events of memory. */
int rs_kmem_probes_plan(struct rs_capture_plan *p, const char *tracefs, struct rs_error *err);

/* ---- probe-cost.c ---- */

/*
 * Opens what p->probes says, off, and measures what it will cost: p->probe_cost. max_milli: see
 * rs_capture_config. -1 with err set: it is more
 */
int rs_probe_cost_open(struct rs_capture_plan *p, unsigned int max_milli, struct rs_probes **probes,
		       struct rs_error *err);

/* ---- launch.c: the command, forked early, released late ---- */

struct rs_launch {
	const char *name;            /* argv[0] */
	pid_t pid;                   /* 0: none */
	int pidfd;
	int go_fd;                   /* a byte lets it run; closed without one, it ends unseen */
	int error_fd;                /* its errno where it could not be run; the end of file where it could */
	bool released;
	bool held;                   /* at its first instruction, until it is released */
	/* it exists and may be executed, but execve failed (a bad interpreter) */
	bool failed;
	bool status_known;           /* false: it goes on, or there is none */
	int status;                  /* as wait(2) has it */
};

/*
 * Forks its process; rs_launch_await waits until it is ready, or returns why it is not. mask: the command's
 * signal mask.
 */
int rs_launch_fork(struct rs_launch *l, char **argv, bool as_root, const sigset_t *mask,
		   struct rs_error *err);
int rs_launch_await(struct rs_launch *l, struct rs_error *err);
void rs_launch_release(struct rs_launch *l);
/*
 * launch-entry.c: runs it up to its first instruction, after rs_launch_await. The thread that calls it
 * releases it.
 */
int rs_launch_run_to_entry(struct rs_launch *l, struct rs_error *err);
void rs_launch_let_go(struct rs_launch *l);
int rs_launch_check(struct rs_launch *l, struct rs_error *err); /* -1: it could not be run. Does not wait */
void rs_launch_reap(struct rs_launch *l);                  /* its pidfd says that it has ended */
void rs_launch_done(struct rs_launch *l);                  /* a released command goes on */

/*
 * ---- switches.c: tracing, and single events, off and on ----
 *
 * Any thread, from rs_capture_start to rs_capture_stop. What was off is a pause of the source. Functions that
 * return int return -1 with err set if the kernel refuses.
 */

struct rs_switches {
	struct rs_instance *instance;
	struct rs_source *source;
	pthread_mutex_t lock;        /* held while something is turned, until the source knows */
	bool ready, off;             /* between begin and end; tracing was turned off */
	uint64_t off_ns;
	bool *events_off;            /* by the plan's order */
	uint64_t checked_ns;         /* when the settings were last compared */
	char changed[RS_PAUSE_WHAT_BYTES]; /* what they differed in then; "": nothing */
};

int rs_switches_init(struct rs_switches *sw, struct rs_instance *in, struct rs_source *source);
void rs_switches_done(struct rs_switches *sw);
void rs_switches_allow(struct rs_switches *sw, bool allow);
int rs_switches_trace(struct rs_switches *sw, bool on, struct rs_error *err);
/*
 * The number of an event, "system:name", or its name if it is unique; -1 (usage): the capture was not begun
 * with it.
 */
int rs_switches_find(const struct rs_switches *sw, const char *event, size_t *index, struct rs_error *err);
int rs_switches_event(struct rs_switches *sw, size_t i, bool on, struct rs_error *err);
bool rs_switches_tracing(struct rs_switches *sw);
/* The i-th event of the capture, and whether it is on; NULL: no more. */
const struct rs_plan_event *rs_switches_nth(struct rs_switches *sw, size_t i, bool *on);
/* Tracing is off while between() runs; this becomes a pause of the source. */
void rs_switches_pause(struct rs_switches *sw, void (*between)(void));

uint64_t rs_switches_now_ns(const struct rs_switches *sw); /* by the trace clock, for a pause */

/* ---- changes.c: what other programs changed. Any thread ---- */

/*
 * Compares the settings; a difference is a pause of the source. 1: what differs has changed; -1: err is set,
 * the session must end
 */
int rs_changes_check(struct rs_switches *sw, struct rs_error *err);
/* What differed at the last comparison, "": nothing. */
void rs_changes_now(struct rs_switches *sw, char what[RS_PAUSE_WHAT_BYTES]);

/* ---- session-nice.c: false where the kernel does not group sessions, or without the right to it ---- */

bool rs_session_nice_raise(int nice, int *before); /* also false if it is raised already */
bool rs_session_nice_set(int nice);

/* ---- capture-signals.c ---- */

struct rs_signals {
	int fd;                      /* signalfd */
	sigset_t ours, before;
	struct sigaction pipe_before, xfsz_before, chld_before;
};

/* -1 with err set: nothing is changed. hup_too: SIGHUP, too, where it is ignored. */
int rs_capture_signals_take(struct rs_signals *s, bool hup_too, struct rs_error *err);
void rs_capture_signals_done(struct rs_signals *s);
/* The next signal that came; 0: none. Does not wait. */
int rs_capture_signals_next(struct rs_signals *s);
/* Another signal does what it did before: a user who cannot wait for the end can still end the process. */
void rs_capture_signals_give_back(struct rs_signals *s);
/* Stops this process as SIGTSTP does; returns after SIGCONT. */
void rs_capture_signals_stop_self(void);

#endif
