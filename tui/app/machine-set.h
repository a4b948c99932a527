/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine-set.h - the engines that the screens ask: one for each machine, a host and its guests on one clock
 *
 * Each machine has its own pids, CPUs and disks. So each screen, and each widget of the overview, belongs to
 * one machine and asks its engine. The app's current machine is that of the top screen; screens that open
 * from it belong to the same machine. The timeline shows the tracks of all machines; its machine is that of
 * the cursor's row. All machines share the time range, from the first event of any to the last event of any.
 *
 * Several hosts have clocks of their own. So each is a set by itself, with one machine, and one of them is
 * shown; the others are only read.
 */
#ifndef RS_TUI_APP_MACHINE_SET_H
#define RS_TUI_APP_MACHINE_SET_H

#include <poll.h>

#include "tui/app/fired.h"
#include "tui/app/pains.h"
#include "tui/app/tui.h"

struct rs_app;

struct rs_tui_machine {
	struct rs_app *app;
	struct rs_client *client;
	const char *name;        /* NULL: there is only one machine */
	const char *clock;       /* how far it is from ours, in words; NULL: none */
	bool lost;               /* its connection has ended: the screens show its last data */
	const struct rs_state_reply *state; /* the last answer; NULL: none yet */
	bool state_asked;
	struct rs_pains pains;   /* of the last findings that a screen has read */
	struct rs_fired fired;
};

/* The clients must have answered "hello"; they stay the caller's. Returns false without memory. */
bool rs_machine_set_init(struct rs_app *app, const struct rs_tui_engine *engine);
void rs_machine_set_done(struct rs_app *app);

/* True if another host can be shown. */
bool rs_machine_set_has_hosts(const struct rs_app *app);
/* The next host is the only machine from now on. The caller opens the screens anew. */
void rs_machine_set_next_host(struct rs_app *app);
/* The current host's place among all; 0: there is one. */
unsigned int rs_machine_set_host(const struct rs_app *app);

/* From now on screens open on that machine, and ask its engine. */
void rs_machine_set_use(struct rs_app *app, struct rs_tui_machine *machine);
/* Returns the number of requests without an answer, of all machines. */
unsigned int rs_machine_set_nr_open(const struct rs_app *app);
void rs_machine_set_forget(struct rs_app *app, const void *arg);
/* Fills fds, which has room for RS_TUI_MAX_MACHINES; returns the number of entries. */
nfds_t rs_machine_set_watch(const struct rs_app *app, struct pollfd *fds);
/* Reads the hosts that are not shown. One that has ended is said, and stays lost until it is shown. */
void rs_machine_set_read_hidden(struct rs_app *app);
/* Reads and dispatches answers. Returns -1 if an engine has ended. */
int rs_machine_set_read(struct rs_app *app, struct rs_error *err);

#endif
