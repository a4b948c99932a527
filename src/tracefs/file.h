/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - opening, reading and writing control files; for src/tracefs/ only
 *
 * libtracefs is not used for these: 1.6.4 opens without O_CLOEXEC, and a traced
 * command that inherits one fd keeps the instance busy for as long as it lives.
 */
#ifndef RS_TRACEFS_FILE_H
#define RS_TRACEFS_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Opens DIR/FILE close-on-exec; the fd, or -errno. */
int rs_file_open(const char *dir, const char *file, int flags);
/* Writes all of text in as many writes as the kernel wants: set_event takes a word at a time. 0 or -errno. */
int rs_file_write(const char *dir, const char *file, const char *text);
int rs_file_write_fd(int fd, const char *text);
bool rs_file_exists(const char *dir, const char *file);

#endif
