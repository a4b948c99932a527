/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarms.h - the conditions of a daemon, judged at the end of each interval, and which fired
 *
 *	alarms = rs_alarms_new(&err);
 *	rs_alarms_set(alarms, when);                    // any thread: from the next interval on
 *	service_config.alarms = alarms;
 *
 * The thread of the analysis judges them, with the rows of the interval that ends. What fired is numbered
 * from 1 on; the last RS_ALARMS_MOST are remembered, for who asks ("alarms" in docs/protocol.md).
 */
#ifndef RS_SERVICE_ALARMS_H
#define RS_SERVICE_ALARMS_H

#include "base/buf.h"
#include "when/when.h"

#define RS_ALARMS_MOST 256u

struct rs_alarm_record {
	uint64_t number;
	char name[RS_CONDITION_NAME], text[RS_CONDITION_BYTES + 1], sentence[RS_WHEN_SENTENCE];
	uint64_t from_ns, to_ns;         /* since when it held; the end of the interval */
	uint64_t nr_rows;
	char *recording;                 /* its path; NULL: none */
};

struct rs_alarms;
struct rs_interval_rows;

struct rs_alarms *rs_alarms_new(struct rs_error *err);
void rs_alarms_free(struct rs_alarms *a);
/* Takes the conditions; those that are the same as before go on. */
void rs_alarms_set(struct rs_alarms *a, struct rs_when *when);

/* ---- the thread of the analysis ---- */

/* Those that were set since, where there are such: before the first interval, and at the end of each. */
void rs_alarms_take_next(struct rs_alarms *a, struct rs_interval_rows *rows);
/* Before the reset of the session, with the findings of the interval. */
void rs_alarms_judge(struct rs_alarms *a, struct rs_interval_rows *rows, struct rs_session *s,
		     const struct rs_finding_list *findings, uint64_t from_ns, uint64_t to_ns);
const struct rs_when *rs_alarms_when(const struct rs_alarms *a); /* NULL: none yet */
/* The first with a number above after; NULL: no more. */
const struct rs_alarm_record *rs_alarms_next(const struct rs_alarms *a, uint64_t after);
uint64_t rs_alarms_last(const struct rs_alarms *a); /* the number of the last that fired; 0: none */
/* Those with these numbers, as far as they are remembered, are in a recording. -1: out of memory. */
int rs_alarms_set_recording(struct rs_alarms *a, uint64_t from, uint64_t to, const char *path,
			    struct rs_error *err);

#endif
