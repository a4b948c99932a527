/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usual-file.h - the file in which a daemon keeps what it has learned
 *
 *	f = rs_usual_file_open("/var/lib/ringside/usual", &err);   // as root, before the sandbox
 *	rs_usual_file_load(f, 0, &state);                         // later, without rights
 *	rs_usual_file_keep(f, &state);                            // never blocks
 *	rs_usual_file_run(f);                                     // a thread of its own, until quit
 *
 * The process that analyzes cannot create or rename files: the file has two halves of RS_USUAL_STATE_MOST
 * bytes, which are written in turn, each to the disk before the other one is touched. A crash or a full disk
 * damages one of them, which its checksum tells, and the other stays. A lock keeps a second daemon out.
 */
#ifndef RS_DAEMON_USUAL_FILE_H
#define RS_DAEMON_USUAL_FILE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

struct rs_usual_file;

/* Made if it is not there; its folder must be. path must outlive it. NULL: err is set. */
struct rs_usual_file *rs_usual_file_open(const char *path, struct rs_error *err);
void rs_usual_file_close(struct rs_usual_file *f);
const char *rs_usual_file_path(const struct rs_usual_file *f);

/*
 * Reads the half that was written last, n 0, or if that turns out to be damaged the other one, 1, in place of
 * what the buffer has. False: there is none. What is kept next goes to the half that was not read last.
 */
bool rs_usual_file_load(struct rs_usual_file *f, unsigned int n, struct rs_buf *state);

/* For struct rs_learner_config: any thread. The state that waits to be written is dropped. */
void rs_usual_file_keep(void *file, struct rs_buf *state);
void rs_usual_file_forget(void *file);

/* Writes what is to be kept, until quit: say tells why it could not, once. */
void rs_usual_file_run(struct rs_usual_file *f, void (*say)(void *arg, const char *text), void *arg);
void rs_usual_file_quit(struct rs_usual_file *f); /* any thread */

#endif
