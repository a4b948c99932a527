/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash.h - a message from a process that crashes, where the crash can be explained
 *
 * A library follows a null pointer because memory ran out (libtraceevent does so while it parses formats), or
 * a plugin does something wrong. Nothing can be saved then, but the process can say what happened and end
 * with status 1 rather than by a signal. A crash for any other reason stays one: its core tells more.
 */
#ifndef RS_BASE_CRASH_H
#define RS_BASE_CRASH_H

#include <stdbool.h>
#include <stddef.h>

/* Catches crashes from now on. Call it once, before there are threads. */
void rs_crash_watch(void);

/*
 * Names what this thread is about to do in a library ("libtraceevent, parsing the event formats"); NULL:
 * nothing. Returns the name before, which the caller restores afterwards. The text is not copied.
 */
const char *rs_crash_doing(const char *what);

/*
 * rs_crash_survive - call(arg), which hands what a file says to a library that trusts it; what: as for
 * rs_crash_doing. False: it crashed. Then nothing that call had in use may be used or freed. Where memory ran
 * out, the process ends.
 */
bool rs_crash_survive(const char *what, void (*call)(void *arg), void *arg);

/*
 * Says what caused a crash where memory did not run out. It is called in the signal handler: it puts a
 * sentence into text, or returns false, and may neither allocate nor lock.
 */
void rs_crash_blame(bool (*blame)(const char *signal_name, char *text, size_t size));

/* Sends the message to say(fd, why) instead of standard error. say may not allocate, lock or wait. */
void rs_crash_report(int fd, void (*say)(int fd, const char *why));
/* Says why, and ends the process at once with status 1; any thread. */
_Noreturn void rs_crash_end(const char *why);

#endif
