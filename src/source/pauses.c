// SPDX-License-Identifier: GPL-2.0-or-later
#include "source/pauses.h"

void rs_pauses_add(struct rs_pauses *p, uint64_t off_ns, uint64_t on_ns)
{
	uint64_t before_ns;

	pthread_mutex_lock(&p->lock);
	before_ns = p->nr ? p->list[p->nr - 1].on_ns : 0;
	if (off_ns < before_ns)
		off_ns = before_ns;
	if (on_ns < off_ns)
		on_ns = off_ns;
	if (p->nr < RS_MAX_PAUSES) {
		p->list[p->nr++] = (struct rs_pause){ off_ns, on_ns };
	} else {
		p->list[p->nr - 1].on_ns = on_ns;
		p->more_off_ns = off_ns;
		p->nr_more++;
	}
	pthread_mutex_unlock(&p->lock);
}

/* Under the lock. */
static struct rs_pauses_cursor pauses_end(const struct rs_pauses *p)
{
	return (struct rs_pauses_cursor){ p->nr + p->nr_more, p->nr ? p->list[p->nr - 1].on_ns : 0 };
}

bool rs_pauses_next(struct rs_pauses *p, struct rs_pauses_cursor *at, struct rs_pause *pause)
{
	const struct rs_pauses_cursor before = *at;
	struct rs_pauses_cursor end;

	pthread_mutex_lock(&p->lock);
	end = pauses_end(p);
	if (at->nr < p->nr) {
		*pause = p->list[at->nr];
		*at = (struct rs_pauses_cursor){ at->nr + 1, pause->on_ns };
		if (at->nr == RS_MAX_PAUSES) /* it includes what it has grown by */
			*at = end;
	} else if (at->nr < end.nr) {
		*pause = (struct rs_pause){ at->nr + 1 == end.nr ? p->more_off_ns : at->to_ns, end.to_ns };
		*at = end;
	}
	pthread_mutex_unlock(&p->lock);
	return at->nr != before.nr;
}

void rs_pauses_copy(struct rs_pauses *to, struct rs_pauses *from, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	while (rs_pauses_next(from, &at, &pause))
		if (pause.on_ns > from_ns && pause.off_ns <= to_ns)
			rs_pauses_add(to, pause.off_ns, pause.on_ns);
}

struct rs_pauses_cursor rs_pauses_end(struct rs_pauses *p)
{
	struct rs_pauses_cursor end;

	pthread_mutex_lock(&p->lock);
	end = pauses_end(p);
	pthread_mutex_unlock(&p->lock);
	return end;
}
