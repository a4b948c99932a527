// SPDX-License-Identifier: GPL-2.0-or-later
/* alarms - the conditions of a daemon, judged at the end of each interval, and which fired */
#include "service/alarms.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/interval-rows.h"

struct rs_alarms {
	struct rs_when *when;
	_Atomic(struct rs_when *) next; /* that take its place; NULL: none */
	struct rs_alarm_record ring[RS_ALARMS_MOST];
	uint64_t number;                /* of the last */
	uint64_t handled_ns;            /* events before were in the intervals before */
};

struct rs_alarms *rs_alarms_new(struct rs_error *err)
{
	struct rs_alarms *a = calloc(1, sizeof *a);

	if (!a)
		rs_fail(err, "cannot judge conditions: out of memory");
	return a;
}

void rs_alarms_free(struct rs_alarms *a)
{
	if (!a)
		return;
	rs_when_free(a->when);
	rs_when_free(atomic_load(&a->next));
	for (unsigned int i = 0; i < RS_ALARMS_MOST; i++)
		free(a->ring[i].recording);
	free(a);
}

void rs_alarms_set(struct rs_alarms *a, struct rs_when *when)
{
	rs_when_free(atomic_exchange(&a->next, when));
}

static void alarms_note(void *arg, const struct rs_when_event *event)
{
	struct rs_alarms *a = arg;
	struct rs_alarm_record *r;

	if (event->event != RS_ALARM_FIRES)
		return;
	a->number++;
	r = &a->ring[a->number % RS_ALARMS_MOST];
	free(r->recording);
	*r = (struct rs_alarm_record){ .number = a->number, .from_ns = event->from_ns, .to_ns = event->to_ns,
				       .nr_rows = event->nr_rows };
	snprintf(r->name, sizeof r->name, "%s", event->condition->name);
	snprintf(r->text, sizeof r->text, "%s", event->condition->text);
	snprintf(r->sentence, sizeof r->sentence, "%s", event->sentence);
}

void rs_alarms_take_next(struct rs_alarms *a, struct rs_interval_rows *rows)
{
	struct rs_when *next = atomic_exchange(&a->next, NULL);
	struct rs_view_ref ref;
	struct rs_sink *sink;

	if (!next)
		return;
	rs_when_notify(next, &(struct rs_when_to){ .fired = alarms_note, .arg = a });
	if (a->when)
		rs_when_inherit(next, a->when);
	rs_interval_rows_pass_to_none(rows);
	for (size_t n = 0; (sink = rs_when_stream(next, n, &ref)); n++)
		rs_interval_rows_pass(rows, &ref, sink);
	rs_when_free(a->when);
	a->when = next;
}

void rs_alarms_judge(struct rs_alarms *a, struct rs_interval_rows *rows, struct rs_session *s,
		     const struct rs_finding_list *findings, uint64_t from_ns, uint64_t to_ns)
{
	rs_alarms_take_next(a, rows);
	/* intervals go by the clock, and events may come later: a recording has to have those of the rows */
	if (a->handled_ns && a->handled_ns < from_ns)
		from_ns = a->handled_ns;
	if (a->when)
		rs_when_judge(a->when, s, findings, from_ns, to_ns);
	a->handled_ns = rs_session_now_ns(s);
}

const struct rs_when *rs_alarms_when(const struct rs_alarms *a)
{
	return a->when;
}

const struct rs_alarm_record *rs_alarms_next(const struct rs_alarms *a, uint64_t after)
{
	uint64_t first = a->number > RS_ALARMS_MOST ? a->number - RS_ALARMS_MOST + 1 : 1,
		 number = after + 1 > first ? after + 1 : first;

	return after < a->number ? &a->ring[number % RS_ALARMS_MOST] : NULL;
}

uint64_t rs_alarms_last(const struct rs_alarms *a)
{
	return a->number;
}

int rs_alarms_set_recording(struct rs_alarms *a, uint64_t from, uint64_t to, const char *path,
			    struct rs_error *err)
{
	for (size_t i = 0; i < RS_ALARMS_MOST; i++) {
		struct rs_alarm_record *r = &a->ring[i];

		if (!r->number || r->number < from || r->number > to)
			continue;
		free(r->recording);
		r->recording = strdup(path);
		if (!r->recording)
			return rs_fail(err, "cannot note a recording: out of memory");
	}
	return 0;
}
