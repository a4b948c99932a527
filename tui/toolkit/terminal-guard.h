/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminal-guard.h - signals while the terminal is ours, and its way back by whatever way we leave
 */
#ifndef RS_TUI_TERMINAL_GUARD_H
#define RS_TUI_TERMINAL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * leave: what to write so that the terminal is as before, prepared now, for in a signal handler nothing can be asked;
 * fd is the terminal. Its modes are read here: before anything changed them.
 */
int rs_terminal_guard_open(int fd, const char *leave, size_t len, struct rs_error *err);
void rs_terminal_guard_close(void);
void rs_terminal_guard_active(bool active); /* the terminal is ours: from now on it must be put back */

int rs_terminal_guard_fd(void);   /* readable when a signal came */
void rs_terminal_guard_drain(void);
int rs_terminal_guard_ended(void);
void rs_terminal_guard_end(int sig); /* as if it had come */

/* Each tells once that it came. */
bool rs_terminal_guard_resized(void);
bool rs_terminal_guard_continued(void);
bool rs_terminal_guard_stop(void);

void rs_terminal_guard_stop_now(void); /* by SIGTSTP as by default; returns when continued */

#endif
