/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * when.h - conditions that are judged at the end of each step of a session
 *
 *	struct rs_when *w = rs_when_new(&(struct rs_when_to){ fired, arg }, &err);
 *	if (rs_when_add(w, "--when", text, &err) < 0) ...
 *	nr = rs_when_views(w, refs, max);                // whose analyses the session has to run
 *	rs_when_subscribe(w, session);                   // its streams: before the run
 *	config.end_step = rs_when_end_step;              // with w as .step_arg; or once for each interval
 *
 * Conditions of one view with the same keys ask for its rows once. A step costs no memory that grows: of the
 * rows that pass, the one with the highest value (the lowest for < and <=) is what is told.
 */
#ifndef RS_WHEN_WHEN_H
#define RS_WHEN_WHEN_H

#include "when/condition.h"

#define RS_WHEN_MOST 64
#define RS_WHEN_SENTENCE 400

/* A condition that fires, or no longer holds. */
struct rs_when_event {
	unsigned int number;               /* of the condition, from 0 on */
	const struct rs_condition *condition;
	const struct rs_alarm *alarm;
	enum rs_alarm_event event;
	uint64_t from_ns, to_ns;           /* since when it has held; the end of the step */
	const char *sentence;              /* "p99_ns 23.4ms: comm nginx"; of a finding its sentence */
	uint64_t nr_rows;                  /* that passed in the step */
};

struct rs_when_to {
	void (*fired)(void *arg, const struct rs_when_event *event);
	void *arg;
};

struct rs_when;

struct rs_when *rs_when_new(const struct rs_when_to *to, struct rs_error *err);
void rs_when_free(struct rs_when *w);
/* see rs_condition_new */
int rs_when_add(struct rs_when *w, const char *what, const char *text, struct rs_error *err);
/* Says anew whom it tells. */
void rs_when_notify(struct rs_when *w, const struct rs_when_to *to);
/* Conditions that `before` has, too, go on where they are there: after a change of others. */
void rs_when_inherit(struct rs_when *w, const struct rs_when *before);

unsigned int rs_when_nr(const struct rs_when *w);
const struct rs_condition *rs_when_condition(const struct rs_when *w, unsigned int n);
const struct rs_alarm *rs_when_alarm(const struct rs_when *w, unsigned int n);
/* "slow-disk", else its text. */
const char *rs_when_name(const struct rs_condition *c);
/* The views that conditions are about, each once. Returns how many. */
size_t rs_when_views(const struct rs_when *w, struct rs_view_ref *refs, size_t max);
bool rs_when_needs_findings(const struct rs_when *w);

/* Subscribes to the streams that conditions are about. -1: a view is not run. */
int rs_when_subscribe(struct rs_when *w, struct rs_session *s, struct rs_error *err);
/* The sink of the n-th stream, for who has subscribed to it already; NULL: no more. */
struct rs_sink *rs_when_stream(struct rs_when *w, size_t n, struct rs_view_ref *ref);
/* findings: of the step, where the caller has them; NULL: they are made where a condition is about them. */
void rs_when_judge(struct rs_when *w, struct rs_session *s, const struct rs_finding_list *findings,
		   uint64_t from_ns, uint64_t to_ns);
/* For rs_session_config.end_step. */
void rs_when_end_step(void *when, struct rs_session *s, uint64_t from_ns, uint64_t to_ns);

#endif
