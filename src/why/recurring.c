// SPDX-License-Identifier: GPL-2.0-or-later
/* recurring - slow waits of one kind that come again and again: how many, and whether at regular times */
#include "why/recurring.h"

#include "base/period.h"
#include "engine/internal.h"
#include "ringside/plugin.h"

/* The begins of a kind, while waits come in the order in which they ended, the last first. */
struct recurring_begins {
	uint64_t at_ns[RS_PERIOD_TIMES];
};

static struct rs_recurring *recurring_find(struct rs_recurring_list *list, const struct rs_slow_wait *w)
{
	unsigned int i = 0;

	while (i < list->nr && !rs_slow_waits_are_alike(list->at[i].slowest, w))
		i++;
	if (i == RS_RECURRING_KINDS)
		return NULL;
	if (i == list->nr)
		list->at[list->nr++] = (struct rs_recurring){ .slowest = w, .last_to_ns = w->to_ns,
							      .first_ns = UINT64_MAX };
	return &list->at[i];
}

static void recurring_add(struct rs_recurring *r, struct recurring_begins *begins,
			  const struct rs_slow_wait *w)
{
	if (w->to_ns - w->from_ns > r->slowest->to_ns - r->slowest->from_ns)
		r->slowest = w;
	if (!r->culprit && *w->culprit)
		r->culprit = w;
	if (w->from_ns >= r->first_ns) /* within another one */
		return;
	if (w->to_ns > r->first_ns) {
		r->sum_ns += r->first_ns - w->from_ns;
	} else {
		r->sum_ns += w->to_ns - w->from_ns;
		r->nr++;
	}
	r->first_ns = w->from_ns;
	if (r->nr <= RS_PERIOD_TIMES)
		begins->at_ns[r->nr - 1] = w->from_ns;
}

static void recurring_set_period(struct rs_recurring *r, const struct recurring_begins *begins)
{
	unsigned int nr = r->nr < RS_PERIOD_TIMES ? r->nr : RS_PERIOD_TIMES;
	uint64_t times_ns[RS_PERIOD_TIMES];

	for (unsigned int i = 0; i < nr; i++)
		times_ns[i] = begins->at_ns[nr - 1 - i];
	r->period_ns = rs_period_find(times_ns, nr);
}

void rs_recurring_collect(const struct rs_ctx *c, uint64_t least_ns, uint64_t most_ns,
			  struct rs_recurring_list *out)
{
	const struct rs_session *s = c->session;
	uint64_t number = rs_slow_waits_end(s, RS_SLOW_WAITS_LOST);
	struct recurring_begins begins[RS_RECURRING_KINDS];
	const struct rs_slow_wait *w;

	*out = (struct rs_recurring_list){ .from_ns = rs_slow_waits_from_ns(s, most_ns), .now_ns = s->now_ns,
					   .is_window = rs_slow_waits_are_of_window(s) };
	while (number && (w = rs_slow_waits_get(s, RS_SLOW_WAITS_LOST, --number)) &&
	       w->to_ns > out->from_ns) {
		struct rs_recurring *r = w->from_ns >= out->from_ns && w->to_ns - w->from_ns >= least_ns ?
						 recurring_find(out, w) :
						 NULL;

		if (r)
			recurring_add(r, &begins[r - out->at], w);
	}
	for (unsigned int i = 0; i < out->nr; i++)
		recurring_set_period(&out->at[i], &begins[i]);
}
