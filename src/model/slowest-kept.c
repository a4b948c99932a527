// SPDX-License-Identifier: GPL-2.0-or-later
/* slowest-kept - the longest spans of a kind, collected as they are emitted */
#include "model/slowest-kept.h"

#include <stdlib.h>

static uint64_t slowest_kept_duration_of(const struct rs_long_span *s)
{
	return s->span.end_ns - s->span.start_ns;
}

/* The entry that a longer one replaces. */
static unsigned int shortest(const struct rs_slowest_time *t)
{
	unsigned int at = 0;

	for (unsigned int i = 1; i < t->nr; i++)
		if (slowest_kept_duration_of(&t->spans[i]) < slowest_kept_duration_of(&t->spans[at]))
			at = i;
	return at;
}

void rs_slowest_kept_add(struct rs_slowest_kept *l, const struct rs_long_span *span)
{
	struct rs_slowest_time *t = rs_slowest_kept_at(l, span->span.end_ns);
	uint64_t number = l->width_ns ? span->span.end_ns / l->width_ns : 0;

	if (number < t->number) /* it ended so long ago that its slot belongs to a later time */
		return;
	if (number > t->number)
		*t = (struct rs_slowest_time){ .number = number };
	if (t->nr < RS_SLOWEST_OF_EACH)
		t->spans[t->nr++] = *span;
	else if (slowest_kept_duration_of(span) > t->least_ns)
		t->spans[shortest(t)] = *span;
	if (t->nr == RS_SLOWEST_OF_EACH)
		t->least_ns = slowest_kept_duration_of(&t->spans[shortest(t)]);
}

static int slowest_kept_compare_duration(const void *a, const void *b)
{
	uint64_t x = slowest_kept_duration_of(a), y = slowest_kept_duration_of(b);

	return (x < y) - (x > y);
}

size_t rs_slowest_kept_get(const struct rs_slowest_kept *l, uint64_t from_ns, struct rs_long_span *to,
			   size_t max)
{
	struct rs_long_span all[RS_SLOWEST_TIMES * RS_SLOWEST_OF_EACH];
	size_t nr = 0;

	for (unsigned int i = 0; i < RS_SLOWEST_TIMES; i++)
		for (unsigned int k = 0; k < l->times[i].nr; k++)
			if (l->times[i].spans[k].span.end_ns >= from_ns)
				all[nr++] = l->times[i].spans[k];
	qsort(all, nr, sizeof *all, slowest_kept_compare_duration);
	if (nr > max)
		nr = max;
	for (size_t i = 0; i < nr; i++)
		to[i] = all[i];
	return nr;
}
