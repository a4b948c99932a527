/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * incidents.h - findings over time: when each began and ended, how often it came, and its slowest wait
 *
 *	struct rs_incidents *in = rs_incidents_new();
 *	// at the end of each interval, before the session is reset:
 *	rs_incidents_add(in, session, &findings, from_ns, to_ns);
 *	for (size_t n = 0; (i = rs_incidents_get(in, n)); n++)   // in the order in which they began
 *		...
 *
 * A finding of a rule with the same victim is the same incident, whoever is the culprit, unless it was
 * not found for RS_INCIDENT_PAUSE_NS. There are at most RS_INCIDENTS_MOST: those that ended first are
 * forgotten.
 */
#ifndef RS_WHY_INCIDENTS_H
#define RS_WHY_INCIDENTS_H

#include "base/period.h"
#include "model/finding-list.h"
#include "why/slow-waits.h"

#define RS_INCIDENTS_MOST 128
#define RS_INCIDENT_PAUSE_NS 60000000000u

/*
 * Waits like the slowest one (see slow-waits.h) that took at least half as long. Those that overlap, as
 * of several threads, are one.
 */
struct rs_incident_waits {
	struct rs_slow_wait like;    /* .tid 0: none is known */
	enum rs_slow_waits_class class;
	uint64_t next;               /* number of the first that was not looked at yet */
	uint64_t nr, sum_ns, last_from_ns, last_to_ns;
	uint64_t begins_ns[RS_PERIOD_TIMES]; /* of the last nr_begins */
	unsigned int nr_begins;
};

struct rs_incident {
	uint64_t number;             /* counts all incidents from 1 on */
	struct rs_finding_item item; /* as it was found when it cost most */
	uint64_t begin_ns, end_ns;
	bool is_open;                /* it was found in the last interval */
	uint64_t nr_found;           /* intervals in which it was found */
	uint64_t found_ns;           /* end of the last one of these */
	uint64_t lost_ns;            /* in these, as measured; 0: the rule measures something else */
	struct rs_wait_instance slowest; /* .tid 0: none is known */
	struct rs_incident_waits waits;
};

struct rs_incidents;
struct rs_session;

struct rs_incidents *rs_incidents_new(void); /* NULL: no memory */
void rs_incidents_free(struct rs_incidents *in);
/* Without memory an incident is missing: see base/memory-watch.h. */
void rs_incidents_add(struct rs_incidents *in, const struct rs_session *s, const struct rs_finding_list *list,
		      uint64_t from_ns, uint64_t to_ns);
/* Forgets those that ended before: their time can no longer be shown. */
void rs_incidents_expire(struct rs_incidents *in, uint64_t before_ns);
/* NULL: no more. Valid until the next call of another function. */
const struct rs_incident *rs_incidents_get(const struct rs_incidents *in, size_t n);
/* The time that was looked at; both 0: none yet. */
void rs_incidents_time(const struct rs_incidents *in, uint64_t *from_ns, uint64_t *to_ns);
/*
 * How many waits there were: null if none is known, or if events were lost since it began. The period:
 * null if there is none, or if they took more than half of the time.
 */
struct rs_value rs_incident_nr_waits(const struct rs_incidents *in, const struct rs_incident *i);
struct rs_value rs_incident_period_ns(const struct rs_incidents *in, const struct rs_incident *i);
/*
 * Writes "4 times 300 ms, every 5.00s", "2 times, slowest 300ms", "once, 300ms"; "" where no wait is known
 * exactly. now_ns: "the last 3.10s ago" as well; 0: not. Returns to.
 */
const char *rs_incident_often(const struct rs_incidents *in, const struct rs_incident *i, uint64_t now_ns,
			      char *to, size_t size_bytes);

#endif
