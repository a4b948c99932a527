/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal-guard.h - handles signals while the program uses the terminal, and restores the terminal however it ends
 */
#ifndef RS_TUI_TERMINAL_GUARD_H
#define RS_TUI_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * leave: the bytes that restore the terminal, prepared beforehand, because a signal handler cannot query terminfo.
 * fd: the terminal. Reads the terminal's modes, so call this before changing them.
 */
int rs_terminal_guard_open(int fd, const char *leave, size_t len, struct rs_error *err);
void rs_terminal_guard_close(void);
void rs_terminal_guard_active(bool active); /* true: from now on the terminal must be restored */

int rs_terminal_guard_fd(void);   /* readable after a signal */
int rs_terminal_guard_ended(void);
void rs_terminal_guard_end(int sig); /* as if that signal had arrived */

/* Returns the requests that arrived since the last call, and makes the descriptor unreadable. */
enum { RS_GUARD_RESIZED = 1, RS_GUARD_CONTINUED = 2, RS_GUARD_STOP = 4 };
unsigned int rs_terminal_guard_take(void);

void rs_terminal_guard_stop_now(void); /* raises SIGTSTP with its default action; returns when continued */

#endif
