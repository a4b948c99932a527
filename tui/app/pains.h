/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pains.h - whose waits cost, by the findings of the time that is shown: what rs_cause_ink asks of a task
 */
#ifndef RS_TUI_APP_PAINS_H
#define RS_TUI_APP_PAINS_H

#include "ringside/wait.h"
#include "rpc/client.h"

#define RS_MAX_PAINS 320 /* 20 findings, each of 16 processes */

struct rs_tui_machine;

/* The time range, shared by all screens of the stack. */
struct rs_shown_time {
	bool now;                /* live: the last interval; a file: all of it. Otherwise from_ns to to_ns */
	uint64_t from_ns, to_ns; /* trace clock */
};

/* A member of each machine. */
struct rs_pains {
	bool asked, is_known;        /* a reply is pending; .of_time and .of_events are of the last one */
	struct rs_shown_time of_time;
	uint64_t of_events;
	unsigned int nr;
	unsigned int nr_read;        /* how often they were read: they may be others each time */
	struct rs_pain {
		int32_t pid;
		char name[24];
		uint32_t categories; /* bit n: category n */
		/* of its costliest finding: how many victims, the share of their time, the slowest wait */
		uint32_t nr_victims, milli;
		int32_t slowest_tid; /* 0: unknown */
		uint64_t slowest_ns;
		/* of the costliest finding of that category; "": unknown */
		char culprits[RS_NR_CATEGORIES][16];
	} at[RS_MAX_PAINS];
};

/* Asks for the findings of the app's time, unless they are known: for screens that show none themselves. */
void rs_pains_ask(struct rs_tui_machine *machine);
void rs_pains_read(struct rs_pains *pains, const struct rs_findings_reply *from);
/* name: that of its process, or of its thread. pid 0: of all processes of that name. */
struct rs_ink_task rs_pains_of(const struct rs_pains *pains, int64_t pid, const char *name);
/* Likewise, returns the costliest finding's victim; NULL: no finding is about them. */
const struct rs_pain *rs_pains_find(const struct rs_pains *pains, int64_t pid, const char *name);
/*
 * cause: what its task waits for, a word of the protocol; NULL: unknown, or of no task. Returns true if it is
 * long and cost nobody anything: it waits for another task or for whatever comes, and no finding says that
 * its task lost time by that. So of ringside's own.
 */
bool rs_pains_is_healthy(const struct rs_pains *pains, int64_t pid, const char *name, const char *cause);
/* Returns who had what these tasks waited for, by category, by the costliest finding; "": unknown. */
const char *rs_pains_culprit(const struct rs_pains *pains, int64_t pid, const char *name,
			     enum rs_category category);

#endif
