// SPDX-License-Identifier: GPL-2.0-or-later
/* alarm - whether a condition that holds now is worth waking somebody: how long, how often, not at night */
#include "when/alarm.h"

static bool alarm_is_silent(const struct rs_alarm_limits *limits, int minute)
{
	for (unsigned int i = 0; minute >= 0 && i < limits->nr_silences; i++) {
		const struct rs_alarm_silence *s = &limits->silences[i];
		bool after_from = minute >= s->from, before_to = minute < s->to;

		if (s->from <= s->to ? after_from && before_to : after_from || before_to)
			return true;
	}
	return false;
}

static bool alarm_is_too_soon(const struct rs_alarm *a, const struct rs_alarm_limits *limits, uint64_t now_ns)
{
	return a->has_fired && now_ns - a->fired_ns < limits->every_ns;
}

/* A clock that was set back: what it said before is from now on. */
static void alarm_follow_clock(struct rs_alarm *a, const struct rs_alarm_step *step)
{
	if (a->since_ns > step->to_ns)
		a->since_ns = step->from_ns < step->to_ns ? step->from_ns : step->to_ns;
	if (a->fired_ns > step->to_ns)
		a->fired_ns = step->to_ns;
}

static enum rs_alarm_event alarm_fire(struct rs_alarm *a, const struct rs_alarm_limits *limits,
				      const struct rs_alarm_step *step)
{
	if (alarm_is_silent(limits, step->minute) || alarm_is_too_soon(a, limits, step->to_ns)) {
		a->nr_held_back += !a->is_held_back;
		a->is_held_back = true;
		return RS_ALARM_NOTHING;
	}
	a->is_on = a->has_fired = true;
	a->is_held_back = false;
	a->fired_ns = step->to_ns;
	a->nr_fired++;
	return RS_ALARM_FIRES;
}

enum rs_alarm_event rs_alarm_step(struct rs_alarm *a, const struct rs_alarm_limits *limits,
				  const struct rs_alarm_step *step)
{
	alarm_follow_clock(a, step);
	if (a->is_on && (step->begins || step->goes_on))
		return RS_ALARM_NOTHING;
	if (!step->begins) {
		bool was_on = a->is_on;

		a->is_on = a->is_held_back = false;
		a->since_ns = 0;
		return was_on ? RS_ALARM_ENDS : RS_ALARM_NOTHING;
	}
	if (!a->since_ns)
		a->since_ns = step->from_ns ? step->from_ns : 1;
	if (step->to_ns - a->since_ns < limits->for_ns)
		return RS_ALARM_NOTHING;
	return alarm_fire(a, limits, step);
}
