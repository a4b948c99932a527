/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine-set.h - the engines that the screens ask: one, or one of each machine, of a host and its guests on one clock
 *
 * Each machine has pids, CPUs and disks of its own, so a screen, and a block of the overview, belongs to one of them and
 * asks that one's engine. The app's current machine is that of the screen on top: what is opened there is of the same one.
 * The timeline shows the tracks of all; its machine is that of the row where the cursor is. What is shown of time, from the
 * first event of any to the last, is the same for all.
 */
#ifndef RS_TUI_MACHINE_SET_H
#define RS_TUI_MACHINE_SET_H

#include <poll.h>

#include "tui/toolkit/tui.h"

struct rs_app;

struct rs_tui_machine {
	struct rs_app *app;
	struct rs_client *client;
	const char *name;        /* NULL: it is the only one */
	const struct rs_state_reply *state; /* the last one; NULL: none yet */
	bool state_asked;
};

/* False: no memory. The clients have said hello, and stay the caller's. */
bool rs_machine_set_init(struct rs_app *app, const struct rs_tui_engine *engine);
void rs_machine_set_done(struct rs_app *app);

/* What is opened and asked from now on is of that machine. */
void rs_machine_set_use(struct rs_app *app, struct rs_tui_machine *machine);
/*
 * The screens go over to the next machine: each is made anew of it as far as it is of no process, CPU or disk, which
 * another machine does not have; those that are go.
 */
void rs_machine_set_next(struct rs_app *app);
/* What has been asked of any and is not answered. */
unsigned int rs_machine_set_nr_open(const struct rs_app *app);
void rs_machine_set_forget(struct rs_app *app, const void *arg);
/* A place for each in fds, of which there are RS_TUI_MAX_MACHINES; returns how many. */
nfds_t rs_machine_set_watch(const struct rs_app *app, struct pollfd *fds);
/* What has been answered is handed on. -1: one has gone. */
int rs_machine_set_read(struct rs_app *app, struct rs_error *err);

#endif
