/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs.h - the control side: find tracefs, make a private instance, apply a plan, remove it
 *
 * No other folder writes to tracefs. The global buffer, its clock and its settings are never changed.
 */
#ifndef RS_TRACEFS_TRACEFS_H
#define RS_TRACEFS_TRACEFS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct tracefs_instance; /* libtracefs's */

/*
 * Returns the directory of tracefs; the string lives as long as the program. If it is mounted nowhere, mounts
 * it in a private mount namespace, which becomes the caller's. libtracefs uses the same directory from then
 * on. Returns NULL with err set: not root, lockdown (mounted but empty), or not in this kernel.
 */
const char *rs_tracefs_find(struct rs_error *err);

/* One event to turn on. */
struct rs_plan_event {
	const char *system, *name;
	const char *filter;      /* in the kernel's filter language; NULL none */
	bool skip_own;           /* fired by syscalls, faults, allocations: filter our own threads out */
	bool skip_ringsides;     /* filter the threads of other sessions, where there are any */
	/*
	 * the kernel's stack follows events of which this is true, "": all that its filter lets pass; NULL
	 * none
	 */
	const char *stack_if;
};

/* Events that this session defines: see dynamic-events.c. */
#define RS_MAX_DYNAMIC_EVENTS 16
#define RS_DYNAMIC_GROUP_BYTES 40
#define RS_DYNAMIC_NAME_BYTES 24
#define RS_DYNAMIC_TEXT_BYTES 320

struct rs_dynamic_events {
	char group[RS_DYNAMIC_GROUP_BYTES];  /* their system */
	char names[RS_MAX_DYNAMIC_EVENTS][RS_DYNAMIC_NAME_BYTES]; /* nr of them */
	unsigned int nr;                     /* 0: none, or this kernel has no such events */
};

/* What to set up. Strings belong to the caller. */
struct rs_plan {
	const struct rs_plan_event *events;
	size_t nr_events;
	const char *clock;       /* "boot" */
	unsigned int buffer_kib; /* a CPU; 0: the kernel's default */
	const char *cpus;        /* -C list, "0,2-3"; NULL all: sets tracing_cpumask */
	const pid_t *tids;       /* set_event_pid with event-fork; only where every event is BY_TASK */
	size_t nr_tids;
	unsigned int buffer_percent;
	/* the program's stack follows each event; with switch_stacks_if: those of these switches */
	bool user_stacks;
	/*
	 * perf records the stack of each sched_switch of which this is true, see source/perf/switch-stacks.h;
	 * NULL: of none
	 */
	const char *switch_stacks_if;
	bool switchable;         /* rs_instance_event and rs_instance_resize will be wanted */
	/* the guardians remove them after the instance; NULL none */
	const struct rs_dynamic_events *dynamic_events;
	/* the guardians take this and its ".lock" away at the end; NULL none. Absolute */
	const char *socket_path;
};

/* See stack-triggers.c. */
struct rs_stack_trigger {
	char *text;              /* NULL: the event has none */
	int fd;                  /* its file */
	bool is_on;
};

/* An instance. All files are opened before privileges are dropped, with O_CLOEXEC. */
struct rs_instance {
	struct tracefs_instance *tracefs; /* owned */
	char name[64];           /* "ringside-<pid>", another suffix on EEXIST */
	char path[256];
	unsigned int nr_cpus;    /* possible ones */
	int *raw_fds;            /* trace_pipe_raw of each, O_NONBLOCK; -1 where there is none */
	int *stats_fds;          /* per_cpu/cpuN/stats */
	int tracing_on_fd, enable_fd, free_fd;
	int size_fd;             /* buffer_size_kb of a switchable plan */
	unsigned int buffer_kib; /* of a CPU, as the kernel made it; 0: it does not say */
	int *event_fds;          /* "enable" of each of the plan's events where it is switchable, else NULL */
	struct rs_stack_trigger *triggers; /* by event; NULL: no stacks */
	size_t page_bytes;       /* sub-buffer size */
	/* texts of its files, read before the clock is set; NULL: not there */
	char *header_page, *header_event;
	size_t header_page_len, header_event_len;
	int guardian_fds[2];     /* POLLHUP when that guardian dies: the session must end; nothing to read */
	int ask_fd;              /* the first guardian answers here, see guardian.h; -1 none */
	int files_fd;            /* likewise, with files: see mapped-files.h */
	int names_fd;            /* likewise, with what containers are called: RS_FD_CONTAINER */
	pid_t guardian_pids[2];  /* children: they end after the instance has gone */
	const char *clock;       /* the plan's; NULL: the one it was born with */
	pthread_t clock_writer;  /* see instance-plan.c */
	bool clock_is_due;       /* it is being set */
	int clock_failed;        /* a negative errno */
	const struct rs_plan *plan; /* the caller's, who keeps it until rs_live_open has read it */
	struct rs_tracing_settings *settings; /* see tracing-settings.c; NULL: not started */
};

/*
 * Starts the guardians, makes the instance with tracing off, sets buffer and options, opens all files, and
 * begins to set the clock. Events are not enabled yet. Call it before there are threads: it forks. -1: err is
 * set, nothing is left behind.
 */
int rs_instance_open(struct rs_instance *in, const struct rs_plan *plan, struct rs_error *err);

/*
 * Waits until the clock is set; returns the error of setting it. Reading the buffer earlier would wait in the
 * kernel.
 */
int rs_instance_await_clock(struct rs_instance *in, struct rs_error *err);

/*
 * Waits for the clock, writes filters for own_tids, enables the events, turns tracing on. As root, before
 * rs_privileges_drop; later calls need no rights. An event that the kernel lacks is an error.
 */
int rs_instance_start(struct rs_instance *in, const struct rs_plan *plan,
		      const pid_t *own_tids, size_t nr_own_tids, struct rs_error *err);

/* Open, for writes that become events of the instance, when its clock is set; negative: it cannot be. */
int rs_instance_open_marker(struct rs_instance *in);
/*
 * Waits are recorded, by a trigger with their stacks, or not, before rs_instance_start: to measure what that
 * costs. 0 or -errno
 */
int rs_stack_triggers_try(struct rs_instance *in, bool with_trigger, bool on);
/* Throws away what is in the buffer. */
void rs_instance_clear(struct rs_instance *in);

/*
 * The plan's n-th event off or on; its filter stays. Needs no privileges; the plan must be switchable. 0 or
 * -errno.
 */
int rs_instance_event(struct rs_instance *in, size_t event, bool on);

/*
 * Buffers of so many KiB for each CPU, while they are written and read. Needs no privileges; the plan must be
 * switchable. The kernel may give a little more. 0 or -errno: -ENOMEM leaves them as they were.
 */
int rs_instance_resize(struct rs_instance *in, unsigned int kib);

void rs_instance_pause(struct rs_instance *in, bool pause); /* tracing_on; async-signal-safe */
void rs_instance_stop(struct rs_instance *in);  /* tracing off, events off; pages can still be read */
/* Closes all; waits, 2 s at most, until a guardian has removed the instance: RCU takes 30 to 60 ms. */
void rs_instance_close(struct rs_instance *in);

/* Reads per_cpu stats: overrun + dropped + commit overrun of a CPU; false: they cannot be read. */
bool rs_instance_lost(struct rs_instance *in, unsigned int cpu, uint64_t *nr_lost);

/*
 * The trace clock, as the kernel reads it for that buffer, in its own unit; cut to microseconds if it counts
 * time. For clocks that user space cannot read; costs a system call.
 */
bool rs_instance_clock(struct rs_instance *in, unsigned int cpu, uint64_t *now);

/* Counters of per_cpu stats. Only a cleared buffer sets them back. */
struct rs_cpu_counts {
	uint64_t entries, overrun, nr_read;
};

/* false: they cannot be read */
bool rs_instance_counts(struct rs_instance *in, unsigned int cpu, struct rs_cpu_counts *counts);

/*
 * tracing-settings.c: does the instance still record what it was told to? tracing, events_off (of each event
 * of the plan): what the session itself has turned. what: the differences, or the name of the other clock.
 * Needs no privileges. One thread.
 */
enum rs_tracing_settings_state { RS_TRACING_AS_SET, RS_TRACING_CHANGED, RS_TRACING_OTHER_CLOCK };
enum rs_tracing_settings_state rs_tracing_settings_check(struct rs_instance *in, bool tracing,
							 const bool *events_off, char *what, size_t size);

bool rs_tracefs_has_event(const char *tracefs, const char *system, const char *name);
/* The content of a file of tracefs, to be freed; NULL where it cannot be read. len may be NULL. */
char *rs_tracefs_read(const char *tracefs, const char *file, size_t *len);

/*
 * Defines an event, or another probe of the last one, as root, before the instance: "p", "mem",
 * "/usr/lib/libc.so.6:0x1234". 0 or -errno: -ENOENT or -EINVAL where the kernel cannot.
 */
int rs_dynamic_events_add(const char *tracefs, struct rs_dynamic_events *d, char type, const char *name,
			  const char *definition);
/*
 * Waits a second for those that are on in an instance or a process. instances_fd: of tracefs' folder of
 * instances. Allocates nothing.
 */
void rs_dynamic_events_remove(int instances_fd, const struct rs_dynamic_events *d);
/* Removes those that sessions without an instance have left. */
void rs_dynamic_events_cleanup(const char *tracefs);

/* eprobes.c: defines those that this kernel can; each has a field "filename". all: of stat, too. */
void rs_eprobes_make(const char *tracefs, bool all, struct rs_dynamic_events *d);

/*
 * Removes each ringside-* instance that is not in use (rmdir says EBUSY where it is). Returns how many it
 * removed.
 */
int rs_tracefs_cleanup(unsigned int *nr_busy);

/* The user that root becomes: `ringside`, else an id that no user has, else nobody. */
struct rs_engine_user {
	uid_t uid;
	gid_t gid;
	bool is_shared; /* nobody: other programs may have it too, and then send signals to the engine */
};

/* The look-up may query services of the machine, and take milliseconds. */
int rs_privileges_find(struct rs_engine_user *user, struct rs_error *err);
/*
 * The whole process becomes that user (NULL: looks it up), without groups and capabilities, no_new_privs, not
 * dumpable.
 */
int rs_privileges_drop(const struct rs_engine_user *user, bool keep_dumpable, struct rs_error *err);
/* Becomes that user, with that group only. */
int rs_privileges_become(uid_t uid, gid_t gid, struct rs_error *err);
/* Keeps the user, drops capabilities, and sets no_new_privs. Call it before there are threads. */
int rs_privileges_drop_caps(struct rs_error *err);
/*
 * For a thread that exists before that: no_new_privs and, where we are not root,
 * capabilities belong to each thread. -1 with errno set.
 */
int rs_privileges_drop_thread(void);

#endif
