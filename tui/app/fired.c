// SPDX-License-Identifier: GPL-2.0-or-later
/* fired.c - which conditions of a machine's daemon fired: for the header, the list and the timeline */
#include "tui/app/fired.h"

#include "tui/app/app.h"

static uint64_t fired_last(const struct rs_tui_machine *machine)
{
	return machine->state ? machine->state->last_alarm : 0;
}

void rs_fired_ask(struct rs_tui_machine *machine, bool always)
{
	struct rs_fired *f = &machine->fired;
	uint64_t last = fired_last(machine);

	if (f->question.asked || (!always && last == f->asked))
		return;
	f->asked = last;
	f->question.machine = machine;
	rs_question_ask(&f->question, "alarms", &(struct rs_alarms_request){ .after = 0 });
}

const struct rs_alarms_reply *rs_fired_list(const struct rs_tui_machine *machine)
{
	return machine->fired.question.answer;
}

uint64_t rs_fired_nr_unseen(const struct rs_tui_machine *machine)
{
	uint64_t last = fired_last(machine), seen = machine->fired.seen;

	return last > seen ? last - seen : 0;
}

void rs_fired_note_seen(struct rs_tui_machine *machine)
{
	const struct rs_alarms_reply *list = rs_fired_list(machine);

	if (list && list->nr_alarms)
		machine->fired.seen = list->alarms[list->nr_alarms - 1].number;
}

void rs_fired_forget(struct rs_tui_machine *machine)
{
	if (machine->fired.question.machine)
		rs_question_done(&machine->fired.question);
	machine->fired = (struct rs_fired){ .asked = 0 };
}
