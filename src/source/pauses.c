// SPDX-License-Identifier: GPL-2.0-or-later
/* pauses - when events of all CPUs are missing and no page marks the gap */
#include "source/pauses.h"

#include <string.h>

#include "base/time-limit.h"

static uint64_t pauses_clamp(uint64_t ts_ns, uint64_t least_ns)
{
	if (ts_ns < least_ns)
		return least_ns;
	return ts_ns > RS_MAX_TIME_NS ? RS_MAX_TIME_NS : ts_ns;
}

static bool pauses_goes_on(const struct rs_pauses *p, const struct rs_pause *pause)
{
	const struct rs_pause *last = p->nr ? &p->list[p->nr - 1] : NULL;

	return last && *pause->what && pause->off_ns <= last->on_ns && !strcmp(last->what, pause->what);
}

/* Under the lock. */
static void pauses_extend(struct rs_pauses *p, const struct rs_pause *pause)
{
	struct rs_pause *last = &p->list[p->nr - 1];

	last->on_ns = pause->on_ns;
	if (*pause->what)
		memcpy(last->what, pause->what, sizeof last->what);
	p->more_off_ns = pause->off_ns;
	p->nr_more++;
}

void rs_pauses_put(struct rs_pauses *p, const struct rs_pause *pause)
{
	struct rs_pause add = *pause;
	bool extends;

	pthread_mutex_lock(&p->lock);
	extends = p->nr == RS_MAX_PAUSES || pauses_goes_on(p, pause);
	add.off_ns = pauses_clamp(pause->off_ns, p->nr ? p->list[p->nr - 1].on_ns : 0);
	add.on_ns = pauses_clamp(pause->on_ns, add.off_ns);
	if (extends) {
		pauses_extend(p, &add);
	} else {
		p->list[p->nr++] = add;
		p->nr_more = 0;
	}
	pthread_mutex_unlock(&p->lock);
}

void rs_pauses_add(struct rs_pauses *p, uint64_t off_ns, uint64_t on_ns)
{
	rs_pauses_put(p, &(struct rs_pause){ .off_ns = off_ns, .on_ns = on_ns });
}

/* Under the lock. */
static struct rs_pauses_cursor pauses_end(const struct rs_pauses *p)
{
	return (struct rs_pauses_cursor){ p->nr, p->nr_more, p->nr ? p->list[p->nr - 1].on_ns : 0 };
}

/* Under the lock. Has the pause that was read last grown? Then *off_ns is where its new part begins. */
static bool pauses_has_grown(const struct rs_pauses *p, const struct rs_pauses_cursor *at, uint64_t *off_ns)
{
	*off_ns = at->to_ns;
	if (!at->nr || at->nr > p->nr)
		return false;
	if (at->nr < p->nr)
		return p->list[at->nr - 1].on_ns > at->to_ns;
	if (p->nr_more == at->nr_more + 1)
		*off_ns = p->more_off_ns;
	return p->nr_more != at->nr_more;
}

bool rs_pauses_next(struct rs_pauses *p, struct rs_pauses_cursor *at, struct rs_pause *pause)
{
	uint64_t off_ns;
	bool is_there = true;

	pthread_mutex_lock(&p->lock);
	if (pauses_has_grown(p, at, &off_ns)) {
		*pause = p->list[at->nr - 1];
		pause->off_ns = off_ns;
	} else if (at->nr < p->nr) {
		*pause = p->list[at->nr++];
	} else {
		is_there = false;
	}
	if (is_there)
		*at = (struct rs_pauses_cursor){ at->nr, at->nr == p->nr ? p->nr_more : 0, pause->on_ns };
	pthread_mutex_unlock(&p->lock);
	return is_there;
}

void rs_pauses_copy(struct rs_pauses *to, struct rs_pauses *from, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	while (rs_pauses_next(from, &at, &pause))
		if (pause.on_ns > from_ns && pause.off_ns <= to_ns)
			rs_pauses_put(to, &pause);
}

struct rs_pauses_cursor rs_pauses_end(struct rs_pauses *p)
{
	struct rs_pauses_cursor end;

	pthread_mutex_lock(&p->lock);
	end = pauses_end(p);
	pthread_mutex_unlock(&p->lock);
	return end;
}
