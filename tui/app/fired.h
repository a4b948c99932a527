/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fired.h - which conditions of a machine's daemon fired: for the header, the list and the timeline
 *
 * The state says how many there are; the list is asked for by the screens that show it, and when it has
 * grown. An engine without conditions never has any.
 */
#ifndef RS_TUI_APP_FIRED_H
#define RS_TUI_APP_FIRED_H

#include "tui/app/question.h"

/* A member of each machine. */
struct rs_fired {
	struct rs_question question; /* of rs_alarms_reply */
	uint64_t asked;           /* the number of the last one when it was asked for */
	uint64_t seen;            /* that of the last one that the user has seen in the list */
};

/* Asks for the list if more have fired; always: also if not, for a recording may have been kept since. */
void rs_fired_ask(struct rs_tui_machine *machine, bool always);
/* NULL: not known yet. The last that fired is the last of its alarms. */
const struct rs_alarms_reply *rs_fired_list(const struct rs_tui_machine *machine);
/* How many fired that the user has not seen in the list. */
uint64_t rs_fired_nr_unseen(const struct rs_tui_machine *machine);
void rs_fired_note_seen(struct rs_tui_machine *machine);
void rs_fired_forget(struct rs_tui_machine *machine); /* another server answers from now on */

#endif
