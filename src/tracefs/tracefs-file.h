/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs-file.h - control files, by way of libtracefs; for src/tracefs/ only
 *
 * tracefs is the library's handle of an instance, NULL the top level, as in its own calls. Three things here are ours:
 * - O_CLOEXEC. libtracefs 1.6.4 opens with the flags that it is given and, for its own writes, without any; a traced
 *   command that inherits one such fd keeps the instance busy for as long as it lives. Files that stay open while a
 *   command may be launched are therefore opened by rs_tracefs_file_open, also to be written once.
 * - Writing to a file that is already open: the library writes by name alone, which needs rights that the engine has
 *   given up by then.
 * - rs_tracefs_read and rs_tracefs_has_event (tracefs.h): the library's own say NULL and false for "no memory" and for
 *   "not there" alike, and an event must not be taken for absent because memory ran out.
 */
#ifndef RS_TRACEFS_TRACEFS_FILE_H
#define RS_TRACEFS_TRACEFS_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct tracefs_instance;

/* Opens a control file close-on-exec; the fd, or -errno. */
int rs_tracefs_file_open(struct tracefs_instance *tracefs, const char *file, int flags);
/* Writes text into a control file. 0 or -errno. Not where a command may be launched meanwhile, see above. */
int rs_tracefs_file_write(struct tracefs_instance *tracefs, const char *file, const char *text);
/* Writes all of text into a file that is open. 0 or -errno. */
int rs_tracefs_file_write_fd(int fd, const char *text);
/* tracefs_file_exists (1.6.4) says no where it has no memory for the path; an instance would be taken for gone. */
bool rs_tracefs_file_exists(const char *dir, const char *file);

#endif
