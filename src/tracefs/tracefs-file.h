/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs-file.h - control files, by way of libtracefs, and a plan's settings; for src/tracefs/ only
 *
 * tracefs is the library's handle of an instance, NULL the top level, as in its own calls. Three things here
 * are ours:
 * - O_CLOEXEC. libtracefs 1.6.4 opens with the flags that it is given and, for its own writes, without any; a
 * traced
 *   command that inherits one such fd keeps the instance busy for as long as it lives. Files that stay open
 *   while a
 *   command may be launched are therefore opened by rs_tracefs_file_open, also to be written once.
 * - Writing to a file that is already open: the library writes by name alone, which needs rights that the
 * engine has
 *   given up by then.
 * - rs_tracefs_read and rs_tracefs_has_event (tracefs.h): the library's own say NULL and false for "no
 * memory" and for
 *   "not there" alike, and an event must not be taken for absent because memory ran out.
 */
#ifndef RS_TRACEFS_TRACEFS_FILE_H
#define RS_TRACEFS_TRACEFS_FILE_H

#include "tracefs/tracefs.h"

/* Opens a control file close-on-exec; the fd, or -errno. */
int rs_tracefs_file_open(struct tracefs_instance *tracefs, const char *file, int flags);
/* Writes text into a control file. 0 or -errno. Not where a command may be launched meanwhile, see above. */
int rs_tracefs_file_write(struct tracefs_instance *tracefs, const char *file, const char *text);
/* Writes all of text into a file that is open. 0 or -errno. */
int rs_tracefs_file_write_fd(int fd, const char *text);
/*
 * tracefs_file_exists (1.6.4) says no where it has no memory for the path; an instance would be taken for
 * gone.
 */
bool rs_tracefs_file_exists(const char *dir, const char *file);

/* instance-plan.c */

/* Buffer, options, CPUs and tids: all but the clock. */
int rs_instance_plan_apply(const struct rs_instance *in, const struct rs_plan *plan, struct rs_error *err);

/*
 * Begins to set the clock (NULL: none) in the background, the last of an instance's settings, for it empties
 * the buffer. Writing a clock, even the present one, waits for an RCU grace period: 17 to 25 ms, more than
 * half of what a launch takes. Meanwhile the kernel holds the lock that most files of tracefs want; formats,
 * threads and /proc do not.
 */
int rs_instance_plan_begin_clock(struct rs_instance *in, const char *clock, struct rs_error *err);

/*
 * rs_instance_plan_parse_cpus - "0,2-3" to one byte a CPU, 1 where it is listed.
 * NULL lists all. A CPU that is not there is an error (usage).
 */
int rs_instance_plan_parse_cpus(const char *list, unsigned char *listed, unsigned int nr_cpus,
				struct rs_error *err);

/* ---- tracing-settings.c ---- */

/*
 * As root, when all is set and before tracing is on: reads and remembers it. -1 with err set: out of memory
 */
int rs_tracing_settings_watch(struct rs_instance *in, struct rs_error *err);
void rs_tracing_settings_done(struct rs_instance *in);
/* Calls resize; the new size is expected from then on. */
int rs_tracing_settings_resize(struct rs_instance *in,
			       int (*resize)(struct rs_instance *in, unsigned int kib), unsigned int kib);

/* ---- stack-triggers.c ---- */

/* The kernel's stack follows the plan's n-th event from now on. filter: the event's, "" none. */
int rs_stack_triggers_add(struct rs_instance *in, size_t event, const char *filter, struct rs_error *err);
/* Does nothing for an event without stacks. Needs no privileges. 0 or -errno */
int rs_stack_triggers_turn(struct rs_instance *in, size_t event, bool on);
void rs_stack_triggers_remove(struct rs_instance *in);
void rs_stack_triggers_close(struct rs_instance *in);

#endif
