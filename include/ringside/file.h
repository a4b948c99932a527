/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - the file that a call on a descriptor works on
 *
 * An event has the descriptor's number only. The engine follows the descriptors of each process by open, dup,
 * close, fork and exec, and looks their files up in /proc: live, or as ringside did while it recorded. The
 * reply may come after the call, so a call has a file, a key for a store, and the file's path is asked for
 * when rows are shown.
 */
#ifndef RINGSIDE_FILE_H
#define RINGSIDE_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct rs_ctx;
struct rs_call;
struct rs_task;

/* What a call does with its first argument, a descriptor. */
enum rs_file_op {
	RS_FILE_NONE,              /* it is no descriptor, or it is neither read, written nor synced */
	RS_FILE_READ,
	RS_FILE_WRITE,
	RS_FILE_SYNC,              /* fsync, fdatasync, sync_file_range, syncfs */
};

/*
 * An analysis that calls these sets .requires_files, or .uses_files. Without descriptors, rs_call_file
 * returns 0.
 */
enum rs_file_op rs_call_file_op(const struct rs_ctx *c, int64_t nr);
/* Returns the file of a call that ends now. 0: it is and stays unknown. */
uint64_t rs_call_file(const struct rs_ctx *c, const struct rs_call *call);
/*
 * Returns the file of the call that the task is in, and sets what that does with it. 0: in none, or it is
 * unknown.
 */
uint64_t rs_task_file(struct rs_ctx *c, struct rs_task *t, enum rs_file_op *op);
/*
 * Returns its path as far as it is known by now ("/etc/passwd", "socket:[123]"), or NULL. Lives as long as
 * the session.
 */
const char *rs_file_path(const struct rs_ctx *c, uint64_t file);
/*
 * Returns what a path is of: "file", "pipe", "socket", "device", "kernel", "other"; NULL if path is. A pipe
 * with a name in a file system is taken for a file: its path does not tell.
 */
const char *rs_file_kind(const char *path);

#endif
