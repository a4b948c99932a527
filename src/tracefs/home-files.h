/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * home-files.h - files below the home of a user, opened by who has more rights than the user
 *
 * No link is followed, and the file has to be the user's own: a user cannot have another's file opened. Homes
 * that /etc/passwd does not have, and those that are not on a local disk or in memory, are left alone: a
 * server that does not answer would hold up who opens them.
 *
 * For a guardian: nothing here allocates.
 */
#ifndef RS_TRACEFS_HOME_FILES_H
#define RS_TRACEFS_HOME_FILES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Opens a file by its path below the home of the user, to be read. root: before each path; "" but for tests.
 * buf: room for /etc/passwd and /proc/self/mountinfo, one after the other; if one does not fit no home is
 * known. Returns -1: there is none, or it is not to be opened.
 */
int rs_home_files_open(const char *root, uint32_t uid, const char *file, char *buf, size_t size_bytes);
/* Reads from fd to its end, or as much as fits, and closes it. Returns the length; fd -1: 0. */
size_t rs_home_files_read(int fd, char *buf, size_t size_bytes);

#endif
