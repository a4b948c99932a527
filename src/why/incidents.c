// SPDX-License-Identifier: GPL-2.0-or-later
/* incidents - findings over time: when each began and ended, how often it came, and its slowest wait */
#include "why/incidents.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "ringside/plugin.h"

struct rs_incidents {
	struct rs_incident *at[RS_INCIDENTS_MOST]; /* in the order in which they began */
	size_t nr;
	uint64_t number;             /* of the last */
	uint64_t from_ns, to_ns, lost_ns; /* that was looked at; when events were lost last */
};

struct rs_incidents *rs_incidents_new(void)
{
	return calloc(1, sizeof(struct rs_incidents));
}

void rs_incidents_free(struct rs_incidents *in)
{
	for (size_t i = 0; in && i < in->nr; i++)
		free(in->at[i]);
	free(in);
}

static void incidents_remove(struct rs_incidents *in, size_t n)
{
	free(in->at[n]);
	in->nr--;
	memmove(&in->at[n], &in->at[n + 1], (in->nr - n) * sizeof *in->at);
}

/* ---- the waits of an incident ---- */

/* The number of the first wait that ended after a time. */
static uint64_t incidents_first_after(const struct rs_session *s, enum rs_slow_waits_class class,
				      uint64_t ts_ns)
{
	uint64_t number = rs_slow_waits_end(s, class);
	const struct rs_slow_wait *w;

	while (number && (w = rs_slow_waits_get(s, class, number - 1)) && w->to_ns > ts_ns)
		number--;
	return number;
}

/*
 * The slowest wait of a finding may be cut at the begin of an interval; here is all of it, once it has
 * ended.
 */
static bool incidents_find_kind(const struct rs_session *s, struct rs_incident *i,
				enum rs_slow_waits_class class)
{
	const struct rs_wait_instance *slowest = &i->item.slowest;
	const struct rs_slow_wait *w;

	for (uint64_t n = incidents_first_after(s, class, slowest->from_ns);
	     (w = rs_slow_waits_get(s, class, n)); n++)
		if (w->tid == slowest->tid && w->from_ns < slowest->to_ns) {
			i->waits.like = *w;
			i->waits.class = class;
			i->waits.next = incidents_first_after(s, class, i->begin_ns);
			return true;
		}
	return false;
}

static void incidents_add_begin(struct rs_incident_waits *waits, uint64_t from_ns)
{
	if (waits->nr_begins == RS_PERIOD_TIMES)
		memmove(waits->begins_ns, waits->begins_ns + 1,
			--waits->nr_begins * sizeof *waits->begins_ns);
	waits->begins_ns[waits->nr_begins++] = from_ns;
}

/* One that is far slower than those before is what it is about: these do not count. */
static void incidents_note_slowest(struct rs_incident *i, const struct rs_slow_wait *w)
{
	uint64_t before_ns = i->waits.nr ? i->slowest.to_ns - i->slowest.from_ns : 0;

	if (w->to_ns - w->from_ns <= before_ns)
		return;
	if (w->to_ns - w->from_ns > 2 * before_ns)
		i->waits.nr = i->waits.nr_begins = 0, i->waits.sum_ns = i->waits.last_to_ns = 0;
	i->slowest = (struct rs_wait_instance){ w->tid, w->from_ns, w->to_ns };
}

static void incidents_add_wait(struct rs_incident *i, const struct rs_slow_wait *w)
{
	struct rs_incident_waits *waits = &i->waits;

	incidents_note_slowest(i, w);
	if (2 * (w->to_ns - w->from_ns) < i->slowest.to_ns - i->slowest.from_ns)
		return;
	if (waits->nr && w->from_ns < waits->last_to_ns) {
		waits->sum_ns += w->to_ns - waits->last_to_ns;
		waits->last_to_ns = w->to_ns;
		return;
	}
	waits->nr++;
	waits->sum_ns += w->to_ns - w->from_ns;
	waits->last_from_ns = w->from_ns;
	waits->last_to_ns = w->to_ns;
	incidents_add_begin(waits, w->from_ns);
}

static void incidents_count_waits(const struct rs_session *s, struct rs_incident *i)
{
	const struct rs_slow_wait *w;

	if (!i->item.slowest.tid ||
	    (!i->waits.like.tid && !incidents_find_kind(s, i, RS_SLOW_WAITS_LOST) &&
	     !incidents_find_kind(s, i, RS_SLOW_WAITS_OTHER)))
		return;
	for (; (w = rs_slow_waits_get(s, i->waits.class, i->waits.next)); i->waits.next++)
		if (rs_slow_waits_are_alike(w, &i->waits.like))
			incidents_add_wait(i, w);
	i->waits.next = rs_slow_waits_end(s, i->waits.class);
	/* it ended with the last wait, not with the interval */
	if (i->waits.nr && i->waits.last_to_ns > i->begin_ns && i->waits.last_to_ns < i->end_ns)
		i->end_ns = i->waits.last_to_ns;
}

/* ---- an interval has ended ---- */

static struct rs_incident *incidents_find(const struct rs_incidents *in, const struct rs_finding_item *f,
					  uint64_t from_ns)
{
	for (size_t n = in->nr; n; n--) {
		struct rs_incident *i = in->at[n - 1];

		if (i->item.rule == f->rule && i->item.victim.program == f->victim.program &&
		    !strcmp(i->item.victim.name, f->victim.name) &&
		    i->found_ns + RS_INCIDENT_PAUSE_NS >= from_ns)
			return i;
	}
	return NULL;
}

static void incidents_remove_first_ended(struct rs_incidents *in)
{
	size_t first = 0;

	for (size_t n = 1; n < in->nr; n++)
		if (in->at[n]->end_ns < in->at[first]->end_ns)
			first = n;
	incidents_remove(in, first);
}

static struct rs_incident *incidents_begin(struct rs_incidents *in, const struct rs_finding_item *f,
					   uint64_t from_ns)
{
	struct rs_incident *i = calloc(1, sizeof *i);
	size_t n;

	if (!i)
		return NULL;
	if (in->nr == RS_INCIDENTS_MOST)
		incidents_remove_first_ended(in);
	i->number = ++in->number;
	i->begin_ns = f->since_ns ? f->since_ns : from_ns;
	for (n = in->nr++; n && in->at[n - 1]->begin_ns > i->begin_ns; n--)
		in->at[n] = in->at[n - 1];
	in->at[n] = i;
	return i;
}

static void incidents_add_finding(struct rs_incidents *in, const struct rs_finding_item *f, uint64_t from_ns,
				  uint64_t to_ns)
{
	struct rs_incident *i = incidents_find(in, f, from_ns);

	if (!i)
		i = incidents_begin(in, f, from_ns);
	if (!i)
		return;
	if (!i->nr_found || f->cost_ns > i->item.cost_ns)
		i->item = *f;
	else
		i->item.slowest = f->slowest;
	if (f->slowest.tid &&
	    f->slowest.to_ns - f->slowest.from_ns > i->slowest.to_ns - i->slowest.from_ns)
		i->slowest = f->slowest;
	i->nr_found++;
	i->lost_ns += f->lost_ns;
	i->found_ns = i->end_ns = to_ns;
	i->is_open = true;
}

void rs_incidents_add(struct rs_incidents *in, const struct rs_session *s, const struct rs_finding_list *list,
		      uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_finding_item *f;

	in->from_ns = in->from_ns ? in->from_ns : from_ns;
	in->to_ns = to_ns;
	in->lost_ns = rs_slow_waits_lost_ns(s);
	for (size_t n = 0; n < in->nr; n++)
		in->at[n]->is_open = false;
	for (size_t n = 0; (f = rs_finding_list_get(list, n)); n++)
		incidents_add_finding(in, f, from_ns, to_ns);
	/* a wait that began in the interval before may have ended in this one */
	for (size_t n = 0; n < in->nr; n++)
		if (in->at[n]->is_open || in->at[n]->found_ns == from_ns)
			incidents_count_waits(s, in->at[n]);
}

void rs_incidents_expire(struct rs_incidents *in, uint64_t before_ns)
{
	for (size_t n = in->nr; n; n--)
		if (in->at[n - 1]->end_ns < before_ns)
			incidents_remove(in, n - 1);
	if (in->from_ns && in->from_ns < before_ns && before_ns <= in->to_ns)
		in->from_ns = before_ns;
}

/* ---- questions ---- */

const struct rs_incident *rs_incidents_get(const struct rs_incidents *in, size_t n)
{
	return n < in->nr ? in->at[n] : NULL;
}

void rs_incidents_time(const struct rs_incidents *in, uint64_t *from_ns, uint64_t *to_ns)
{
	*from_ns = in->from_ns;
	*to_ns = in->to_ns;
}

struct rs_value rs_incident_nr_waits(const struct rs_incidents *in, const struct rs_incident *i)
{
	return rs_u_if(i->waits.nr && in->lost_ns <= i->begin_ns, i->waits.nr);
}

struct rs_value rs_incident_period_ns(const struct rs_incidents *in, const struct rs_incident *i)
{
	uint64_t period_ns = rs_incident_nr_waits(in, i).known ?
				     rs_period_find(i->waits.begins_ns, i->waits.nr_begins) :
				     0;

	return rs_u_if(period_ns && i->waits.sum_ns / i->waits.nr <= period_ns / 2, period_ns);
}

static const char *incidents_duration(uint64_t ns, char *text)
{
	text[rs_units_put_duration(text, ns, RS_UNIT_AUTO, -1)] = '\0';
	return text;
}

const char *rs_incident_often(const struct rs_incidents *in, const struct rs_incident *i, uint64_t now_ns,
			      char *to, size_t size_bytes)
{
	struct rs_value nr = rs_incident_nr_waits(in, i), period_ns = rs_incident_period_ns(in, i);
	char each[RS_UNIT_TEXT + 1], period[RS_UNIT_TEXT + 1], ago[RS_UNIT_TEXT + 1];
	uint64_t slowest_ns = i->slowest.to_ns - i->slowest.from_ns;
	size_t len;

	if (!nr.known) {
		snprintf(to, size_bytes, "%s", "");
		return to;
	}
	if (period_ns.known)
		len = (size_t)snprintf(to, size_bytes, "%" PRIu64 " times %s, every %s", nr.u,
				       incidents_duration(i->waits.sum_ns / nr.u, each),
				       incidents_duration(period_ns.u, period));
	else if (nr.u > 1)
		len = (size_t)snprintf(to, size_bytes, "%" PRIu64 " times, slowest %s", nr.u,
				       incidents_duration(slowest_ns, each));
	else
		len = (size_t)snprintf(to, size_bytes, "once, %s", incidents_duration(slowest_ns, each));
	if (now_ns > i->waits.last_to_ns && len < size_bytes)
		snprintf(to + len, size_bytes - len, ", %s%s ago", nr.u > 1 ? "the last " : "",
			 incidents_duration(now_ns - i->waits.last_to_ns, ago));
	return to;
}
