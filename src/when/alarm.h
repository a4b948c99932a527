/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm.h - whether a condition that holds now is worth waking somebody: how long, how often, not at night
 *
 *	struct rs_alarm a = { 0 };
 *	if (rs_alarm_step(&a, &limits, &step) == RS_ALARM_FIRES)
 *		...
 *
 * It is on from the step in which it has held for .for_ns until it no longer holds, or with `until` until it
 * is back behind that value: what goes to and fro about the limit fires once. It fires at most once in
 * .every_ns, and in no silence: what holds still at the end of these fires then.
 */
#ifndef RS_WHEN_ALARM_H
#define RS_WHEN_ALARM_H

#include <stdbool.h>
#include <stdint.h>

#define RS_ALARM_SILENCES 4

/* Minutes of the local day, from <= t < to; of a silence over midnight from is later. */
struct rs_alarm_silence {
	int from, to;
};

struct rs_alarm_limits {
	uint64_t for_ns, every_ns;
	unsigned int nr_silences;
	struct rs_alarm_silence silences[RS_ALARM_SILENCES];
};

struct rs_alarm {
	bool is_on;
	bool is_held_back;           /* it would have fired, and is counted below */
	bool has_fired;
	uint64_t since_ns;           /* since when it holds, where it does */
	uint64_t fired_ns;           /* the end of that step */
	uint64_t nr_fired, nr_held_back;
};

struct rs_alarm_step {
	uint64_t from_ns, to_ns;
	bool begins, goes_on;        /* it holds; it is not yet back behind `until`, where it has that */
	int minute;                  /* of the local day; -1: unknown, it is in no silence */
};

enum rs_alarm_event { RS_ALARM_NOTHING, RS_ALARM_FIRES, RS_ALARM_ENDS };

enum rs_alarm_event rs_alarm_step(struct rs_alarm *a, const struct rs_alarm_limits *limits,
				  const struct rs_alarm_step *step);

#endif
