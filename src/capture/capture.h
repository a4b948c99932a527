/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture.h - what every live command shares: from a list of needs to a running capture, and back
 *
 *	c = rs_capture_open(&config, &err);      // CMD forked, instance made, readers ready
 *	... open outputs, as root ...
 *	rs_capture_thread(c, consume, arg, &err); // it begins when the capture has
 *	rs_capture_start(c, &err);               // tracing on, privileges dropped, CMD released
 *	while ((e = rs_capture_wait(c, -1, &err)) < RS_CAPTURE_END_TIME)
 *		...                              // an interval, or the consumer's notice
 *	rs_capture_stop(c);                      // tracing off, the rest read, threads joined
 *	... show what was found ...
 *	rs_capture_close(c);                     // the instance is gone
 *
 * The order matters: CMD is forked before there is a thread, a tracefs fd or a private mount; own threads
 * exist before the first event, so that the filters can name them; tracing is on before /proc is read;
 * privileges are dropped last. Only the thread that opened a capture uses it, except where "any thread" is
 * noted.
 *
 * SIGINT, SIGTERM and SIGHUP end a capture normally. SIGTSTP turns tracing off until SIGCONT: a pause of the
 * source.
 */
#ifndef RS_CAPTURE_CAPTURE_H
#define RS_CAPTURE_CAPTURE_H

#include <sys/types.h>

#include "engine/session.h"
#include "source/live/live.h"
#include "capture/capture-parts.h"

struct rs_capture_config {
	/* from rs_requirements_list; a fallback follows the row it stands in for */
	const struct rs_event_requirement *needs;
	size_t nr_requirements;
	/* -e: "sys:event", "sys", "event", with * and ?; in addition to the needs */
	const char *const *events;
	size_t nr_events;
	/*
	 * likewise, but one that this kernel does not have is left out; if it has none of them that is an
	 * error
	 */
	const char *const *likely;
	size_t nr_likely;
	const char *clock;           /* --clock; NULL: boot */
	unsigned int buffer_kib;     /* -b; 0: the kernel's default */
	const char *cpus;            /* -C; NULL all */
	const int32_t *pids, *tids;  /* -p, -t: narrow in the kernel where every event is BY_TASK */
	size_t nr_pids, nr_tids;
	bool only_command;           /* the same for the launched command: no other task is shown */
	/* their children are not shown; the kernel's filter cannot tell children from new threads */
	bool no_children;
	struct rs_live_options live;
	uint64_t duration_ns;        /* -d; 0: no end */
	uint64_t interval_ns;        /* -I; 0: none */
	char **command;              /* after --; NULL none */
	bool outlives_command;       /* its end is RS_CAPTURE_COMMAND_ENDED */
	bool as_root;                /* --as-root: the command keeps our user, not SUDO_UID */
	bool core;                   /* --core: may dump core */
	/*
	 * Our own system calls are captured, too, for the engine to leave out: a filter of the kernel on
	 * raw_syscalls costs 12 ns of each event, of everybody's, and ours are 2 of 80. A recording is for
	 * others to read: false. Before 6.1 the filter stays: there each event wakes a reader.
	 */
	bool own_calls;
	bool self;                   /* --self: what other ringsides do is captured, too */
	/* --stacks: "off-cpu,block", "" what the analyses require; NULL: no stacks of events */
	const char *stacks;
	/*
	 * --max-overhead: what probes may take of the process' CPU time, events of the kernel's memory of the
	 * machine's; 0: see probe-cost.c
	 */
	unsigned int max_probe_milli;
	/* rs_capture_event will be wanted, and what an event costs is measured */
	bool switchable;
	const char *socket_path;     /* see rs_plan; NULL none */
	bool reloads;                /* SIGHUP is RS_CAPTURE_RELOAD */
	/* rs_capture_sandboxed will be called: nothing untrusted is read before */
	bool has_sandbox;
	bool finish_first;           /* a second signal is for rs_capture_interrupted, else it kills */
};


enum rs_capture_event {
	RS_CAPTURE_TIMEOUT,
	RS_CAPTURE_INTERVAL,     /* -I passed */
	RS_CAPTURE_NOTIFIED,     /* rs_capture_notify was called */
	RS_CAPTURE_RELOAD,       /* SIGHUP, where it is no end */
	/* another program has changed what is recorded, or changed it back: rs_changes_now */
	RS_CAPTURE_CHANGED,
	RS_CAPTURE_COMMAND_ENDED, /* CMD has ended, where that is no end */
	RS_CAPTURE_END_TIME,     /* -d passed */
	RS_CAPTURE_END_SIGNAL,
	RS_CAPTURE_END_COMMAND,  /* CMD has ended */
	RS_CAPTURE_END_ERROR,    /* err is set: CMD cannot be run, a guardian died */
};

#define RS_CAPTURE_MAX_OWN_TIDS 64
#define RS_CAPTURE_MAX_THREADS 5

struct rs_capture_thread {
	pthread_t id;
	struct rs_capture *c;
	void (*body)(void *arg);
	void *arg;
};

/* Other folders read the first members, and turn .switches; the rest belongs to capture.c. */
struct rs_capture {
	const char *tracefs;
	struct rs_source *source;
	struct rs_instance instance;
	struct rs_budget_costs costs;     /* of a switchable one; else 0 */
	struct rs_capture_plan plan;      /* .plan.nr_tids: narrowed to tasks in the kernel */
	struct rs_launch launch;          /* .pid: that of CMD, from rs_capture_open on */
	struct rs_switches switches;

	const struct rs_capture_config *config;
	struct rs_signals signals;
	struct rs_engine_user user;
	int nice_before;                  /* of the thread that opened it */
	int session_nice_before;          /* of its session, if it is raised */
	bool is_session_raised;
	bool is_raised, has_signals, has_instance, has_switches, unwinds, started, source_ended, stopped;
	int notify_fd, duration_fd, interval_fd, check_fd;
	enum rs_capture_event end;        /* RS_CAPTURE_TIMEOUT: not yet */
	struct rs_error end_error;

	struct rs_capture_thread threads[RS_CAPTURE_MAX_THREADS];
	unsigned int nr_threads;
	pthread_mutex_t lock;             /* guards the members below */
	pthread_cond_t changed;
	enum { RS_CAPTURE_WAITING, RS_CAPTURE_RUNNING, RS_CAPTURE_CANCELLED } phase;
	pid_t own_tids[RS_CAPTURE_MAX_OWN_TIDS];
	size_t nr_own_tids;
};

/* NULL on error, with nothing left behind. What the config points to must live until rs_capture_close. */
struct rs_capture *rs_capture_open(const struct rs_capture_config *config, struct rs_error *err);

/*
 * Returns a requester of descriptors for a session of this capture; .ask is NULL unless it captures all CPUs
 * and tasks, or the command with its children, with a clock and pids that the guardian can use. For one
 * thread, until rs_capture_stop.
 */
struct rs_fd_requester rs_capture_fd_requester(struct rs_capture *c);

/* Likewise of the names of containers: see container_requester of a session. */
struct rs_fd_requester rs_capture_container_requester(struct rs_capture *c);

#define RS_CAPTURE_NICE \
	(-20) /* of what must go on, or end, on a busy machine; never real-time, because it computes */

/*
 * Likewise of the whole session, if this process is its leader and launches no command. The kernel shares
 * CPUs among sessions first (sched_autogroup_enabled): a thread's nice counts inside of its own only. Less
 * than that of threads, for those that serve gain by it, too.
 */
#define RS_CAPTURE_SESSION_NICE (-10)

/*
 * Makes a thread of RS_CAPTURE_NICE whose own work is excluded from the capture. body begins when
 * rs_capture_start has succeeded, not at all if it fails, and must return at the end of the source.
 */
int rs_capture_thread(struct rs_capture *c, void (*body)(void *arg), void *arg, struct rs_error *err);

int rs_capture_start(struct rs_capture *c, struct rs_error *err);
void rs_capture_sandboxed(struct rs_capture *c);

/* Sleeps until something happens or timeout_ms passed (-1: none). After an end it says the same again. */
enum rs_capture_event rs_capture_wait(struct rs_capture *c, int timeout_ms, struct rs_error *err);
void rs_capture_notify(struct rs_capture *c);            /* any thread */
/* Tracing is off, and the source ends when what is left has been read; threads go on with what they have. */
void rs_capture_end_source(struct rs_capture *c);

void rs_capture_stop(struct rs_capture *c);
/* another signal came after the end: do not wait any longer */
bool rs_capture_interrupted(struct rs_capture *c);
void rs_capture_close(struct rs_capture *c);

/* What alloc and kmem lack here; *views: which of them. NULL: nothing, *views is NULL. */
const char *rs_probe_cost_missing(const char *tracefs, const char **views);

/* The owner of files and of the command: SUDO_UID and SUDO_GID where root came by sudo. */
bool rs_launch_sudo_user(uid_t *uid, gid_t *gid);

#endif
