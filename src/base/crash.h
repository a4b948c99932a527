/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash.h - the last words of a process that crashes where that can be explained
 *
 * A library follows a null pointer because memory ran out (libtraceevent does so while it parses formats), or a plugin
 * does something wrong. Nothing can be saved then, but the process can say what happened and end with status 1 rather
 * than by a signal. A crash for any other reason stays one: its core tells more.
 */
#ifndef RS_BASE_CRASH_H
#define RS_BASE_CRASH_H

#include <stdbool.h>
#include <stddef.h>

/* From now on. Once, before threads are made. */
void rs_crash_watch(void);

/*
 * What this thread is about to do in a library ("libtraceevent, parsing the event formats"), NULL nothing. Returns
 * what it was; give that back afterwards. The text is kept, not copied.
 */
const char *rs_crash_doing(const char *what);

/*
 * rs_crash_survive - call(arg), which hands what a file says to a library that trusts it; what: as for rs_crash_doing.
 * False: it crashed. Then nothing that it had in hand may be used again, nor freed. Out of memory it ends as ever.
 */
bool rs_crash_survive(const char *what, void (*call)(void *arg), void *arg);

/*
 * Whose fault a crash is, where memory did not run out: called in the handler, it puts a sentence into text, or returns
 * false. It may not allocate nor lock.
 */
void rs_crash_blame(bool (*blame)(const char *signal_name, char *text, size_t size));

/* Where the last words go instead of standard error: say(fd, why), which may not allocate, lock or wait. */
void rs_crash_report(int fd, void (*say)(int fd, const char *why));
/* Says why, and ends the process at once with status 1; any thread. */
_Noreturn void rs_crash_end(const char *why);

#endif
