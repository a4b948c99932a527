/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command-line.h - the command lines of live processes, read by a thread of its own and cached
 *
 * To read one may last as long as the process holds its mmap_lock: the screen goes on meanwhile.
 */
#ifndef RS_TUI_COMMAND_LINE_H
#define RS_TUI_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_COMMAND_LINE 120

/* See rs_proc_args of source/live/proc.h; secrets are masked. */
typedef size_t rs_command_line_read(int32_t pid, const char *comm, char *buf, size_t size_bytes);

/*
 * Copies what is known of the process, "" if nothing, and has the thread read it if it is not known yet. The
 * program without its folder, and its arguments; hostile bytes. From one thread.
 */
void rs_command_line_get(rs_command_line_read *read, int32_t pid, const char *comm,
			 char text[RS_COMMAND_LINE]);

#endif
