// SPDX-License-Identifier: GPL-2.0-or-later
/* series - what is learned of one thing */
#include "usual/series.h"

#include <string.h>

#include "usual/log-scale.h"

/* ---- the block that is being filled ---- */

static void series_learn(struct rs_series *s, const struct rs_series_window *w)
{
	for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++) {
		bool is_more = m == RS_SERIES_RATE_LOW ? w->value[m] < s->block[m] :
							 w->value[m] > s->block[m];

		if (w->known[m] && (!s->block_known[m] || is_more)) {
			s->block[m] = w->value[m];
			s->block_known[m] = true;
		}
	}
}

void rs_series_hold(struct rs_series *s, const struct rs_series_window *window)
{
	if (s->nr_held == RS_SERIES_HELD) {
		series_learn(s, &s->held[0]);
		memmove(s->held, s->held + 1, (RS_SERIES_HELD - 1) * sizeof *s->held);
		s->nr_held--;
	}
	s->held[s->nr_held++] = *window;
}

void rs_series_drop_held(struct rs_series *s, unsigned int measures)
{
	for (unsigned int i = 0; i < s->nr_held; i++)
		for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++)
			s->held[i].known[m] = s->held[i].known[m] && !(measures >> m & 1);
}

/* ---- blocks ---- */

void rs_series_end_block(struct rs_series *s, unsigned int place)
{
	for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++) {
		s->blocks[place][m] = s->block_known[m] ?
					      (uint16_t)(1 + rs_log_scale_step(s->block[m], RS_SERIES_BITS)) :
					      0;
		s->block_known[m] = false;
		s->block[m] = 0;
	}
}

static struct rs_series_usual series_find_range(const struct rs_series *s, unsigned int nr_blocks,
						const bool *is_like, unsigned int m)
{
	unsigned int low = UINT16_MAX, high = 0, nr = 0;

	for (unsigned int i = 0; i < nr_blocks; i++) {
		unsigned int step = s->blocks[i][m];

		if (!step || (is_like && !is_like[i]))
			continue;
		low = step < low ? step : low;
		high = step > high ? step : high;
		nr++;
	}
	return (struct rs_series_usual){
		.nr = nr, .by_day = is_like != NULL,
		.low = nr ? rs_log_scale_middle(low - 1, RS_SERIES_BITS) : 0,
		.high = nr ? rs_log_scale_middle(high - 1, RS_SERIES_BITS) : 0,
	};
}

/* What comes at another time of day alone is compared with itself there. */
void rs_series_find_usual(struct rs_series *s, const struct rs_block_ring *b,
			  const struct rs_block_ring_like *like)
{
	for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++) {
		struct rs_series_usual *u = &s->usual[m];

		*u = (struct rs_series_usual){ 0 };
		if (like->by_day)
			*u = series_find_range(s, b->nr, like->is_like, m);
		if (u->nr < RS_BLOCK_RING_LEAST)
			*u = series_find_range(s, b->nr, NULL, m);
	}
}

const char *rs_series_key(const struct rs_series *s, unsigned int n)
{
	const char *at = s->key;

	for (; n && at < s->key + s->key_bytes; n--)
		at += strlen(at) + 1;
	return at < s->key + s->key_bytes ? at : "";
}
