// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usual-judge - whether the last five intervals of a series are beyond all that is comparable, and what is
 * learned of them
 */
#include "usual/usual-parts.h"

#include <string.h>

#define JUDGE_SECOND_NS UINT64_C(1000000000)
#define JUDGE_PPM UINT64_C(1000000)
#define JUDGE_SLOW_TIMES 2u            /* beyond the highest usual */
#define JUDGE_SLOW_PPM 20000u          /* of the time that latencies are beyond it, for each second */
#define JUDGE_LESS_TIMES 4u            /* below the lowest usual */
#define JUDGE_LESS_MILLI 10000u        /* which is ten a second at least */
#define JUDGE_MORE_MILLI 1500u         /* times the highest usual, in thousandths */
#define JUDGE_MORE_PPM 200000u         /* and so much more of a second */
#define JUDGE_LOAD_MILLI 1500u         /* of the highest usual rate: more load than ever */
#define JUDGE_MEDIAN_LEAST 10u         /* that ended: of fewer a median tells nothing */
#define JUDGE_LEAST_INTERVALS 2u       /* of the window's that are unusual */
#define JUDGE_STAYS_NS (5 * JUDGE_SECOND_NS)
#define JUDGE_LEARNS_NS (3600 * JUDGE_SECOND_NS) /* what goes on for longer is usual from then on */

/* What of a series is judged. */
struct judge {
	const struct rs_usual *u;
	const struct rs_series *s;
	struct rs_short_dist sum;      /* of the window */
	uint64_t len_ns;
	struct rs_series_window window;
	uint64_t cost_ppm;             /* of what is unusual */
};

static const unsigned int judge_measures[RS_SERIES_NR_KINDS] = {
	[RS_SERIES_SLOW] = RS_SERIES_P99, [RS_SERIES_MEDIAN] = RS_SERIES_P50,
	[RS_SERIES_LESS] = RS_SERIES_RATE_LOW, [RS_SERIES_MORE] = RS_SERIES_SHARE,
};

/* What is not learned meanwhile: latencies that are longer move both quantiles. */
static const unsigned int judge_unlearned[RS_SERIES_NR_KINDS] = {
	[RS_SERIES_SLOW] = 1u << RS_SERIES_P99 | 1u << RS_SERIES_P50,
	[RS_SERIES_MEDIAN] = 1u << RS_SERIES_P99 | 1u << RS_SERIES_P50,
	[RS_SERIES_LESS] = 1u << RS_SERIES_RATE_LOW, [RS_SERIES_MORE] = 1u << RS_SERIES_SHARE,
};

/* ---- the window ---- */

static uint64_t judge_scale(uint64_t value, uint64_t by, uint64_t whole)
{
	unsigned __int128 scaled = whole ? (unsigned __int128)value * by / whole : 0;

	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

static void judge_fill_window(struct judge *j)
{
	uint64_t rate;

	for (unsigned int i = 0; i < RS_SERIES_INTERVALS; i++) {
		rs_short_dist_merge(&j->sum, &j->s->intervals[i]);
		j->len_ns += j->u->lens_ns[i];
	}
	rate = judge_scale(j->sum.nr, 1000 * JUDGE_SECOND_NS, j->len_ns);
	j->window = (struct rs_series_window){
		.value = { [RS_SERIES_P99] = rs_short_dist_quantile(&j->sum, 990),
			   [RS_SERIES_P50] = rs_short_dist_quantile(&j->sum, 500),
			   [RS_SERIES_RATE_HIGH] = rate, [RS_SERIES_RATE_LOW] = rate,
			   [RS_SERIES_SHARE] = judge_scale(j->sum.sum, JUDGE_PPM, j->len_ns) },
		.known = { [RS_SERIES_P99] = j->sum.nr_ended > 0,
			   [RS_SERIES_P50] = j->sum.nr_ended >= JUDGE_MEDIAN_LEAST,
			   [RS_SERIES_RATE_HIGH] = true, [RS_SERIES_RATE_LOW] = true,
			   [RS_SERIES_SHARE] = true },
	};
}

static uint64_t judge_load_milli(const struct rs_series *s, uint64_t rate_milli)
{
	const struct rs_series_usual *u = &s->usual[RS_SERIES_RATE_HIGH];

	return u->high ? judge_scale(rate_milli, 1000, u->high) : 0;
}

/* ---- each kind ---- */

static unsigned int judge_nr_slow_intervals(const struct judge *j, unsigned int per_mille, uint64_t limit_ns)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < RS_SERIES_INTERVALS; i++)
		nr += rs_short_dist_quantile(&j->s->intervals[i], per_mille) >= limit_ns;
	return nr;
}

/* Of the second with most of them. */
static uint64_t judge_peak_milli(const struct judge *j)
{
	uint64_t peak = 0;

	for (unsigned int i = 0; i < RS_SERIES_INTERVALS; i++) {
		uint64_t rate = judge_scale(j->s->intervals[i].nr, 1000 * JUDGE_SECOND_NS, j->u->lens_ns[i]);

		peak = rate > peak ? rate : peak;
	}
	return judge_load_milli(j->s, peak);
}

/* Under more load than was ever seen nothing compares, until it is known what load each time of day has. */
static bool judge_is_quantile(struct judge *j, enum rs_series_measure m, unsigned int per_mille)
{
	const struct rs_series_usual *u = &j->s->usual[m];
	uint64_t limit_ns = judge_scale(u->high, JUDGE_SLOW_TIMES, 1), beyond_ns;

	if (!j->s->can_be_slow || u->nr < RS_BLOCK_RING_LEAST || !j->window.known[m] ||
	    j->window.value[m] < limit_ns)
		return false;
	if (!u->by_day && judge_peak_milli(j) > JUDGE_LOAD_MILLI)
		return false;
	rs_short_dist_above(&j->sum, u->high, &beyond_ns);
	j->cost_ppm = judge_scale(beyond_ns, JUDGE_PPM, j->len_ns);
	return j->cost_ppm >= JUDGE_SLOW_PPM &&
	       judge_nr_slow_intervals(j, per_mille, limit_ns) >= JUDGE_LEAST_INTERVALS;
}

static bool judge_is_slow(struct judge *j)
{
	return judge_is_quantile(j, RS_SERIES_P99, 990);
}

/* A rare stall in the past hides what is slow always from the highest quantile. One answer is enough. */
static bool judge_is_median(struct judge *j)
{
	return !j->s->unusual[RS_SERIES_SLOW].since_ns && judge_is_quantile(j, RS_SERIES_P50, 500);
}

static bool judge_knows_day(const struct rs_series_usual *u)
{
	return u->by_day && u->nr >= RS_BLOCK_RING_LEAST;
}

/* The load of a time of day is not known before days were seen. */
static bool judge_is_less(struct judge *j)
{
	const struct rs_series_usual *u = &j->s->usual[RS_SERIES_RATE_LOW];
	uint64_t rate = j->window.value[RS_SERIES_RATE_LOW];

	if (!j->s->can_be_less || !judge_knows_day(u) || u->low < JUDGE_LESS_MILLI ||
	    rate > u->low / JUDGE_LESS_TIMES)
		return false;
	j->cost_ppm = judge_scale(u->low - rate, JUDGE_PPM, u->low);
	return true;
}

static bool judge_is_more(struct judge *j)
{
	const struct rs_series_usual *u = &j->s->usual[RS_SERIES_SHARE];
	uint64_t share = j->window.value[RS_SERIES_SHARE],
		 limit = judge_scale(u->high, JUDGE_MORE_MILLI, 1000);
	unsigned int nr = 0;

	if (!j->s->can_be_more || !judge_knows_day(u) || share < limit || share - u->high < JUDGE_MORE_PPM)
		return false;
	for (unsigned int i = 0; i < RS_SERIES_INTERVALS; i++)
		nr += judge_scale(j->s->intervals[i].sum, JUDGE_PPM, j->u->lens_ns[i]) >= limit;
	j->cost_ppm = share - u->high;
	return nr >= JUDGE_LEAST_INTERVALS;
}

static bool (*const judge_kinds[RS_SERIES_NR_KINDS])(struct judge *j) = {
	[RS_SERIES_SLOW] = judge_is_slow, [RS_SERIES_MEDIAN] = judge_is_median,
	[RS_SERIES_LESS] = judge_is_less, [RS_SERIES_MORE] = judge_is_more,
};

/* ---- beginning and ending ---- */

static void judge_end(struct rs_usual *u, struct rs_series *s, enum rs_series_kind kind)
{
	struct rs_usual_item *item = &u->recent[u->nr_recent++ % RS_USUAL_RECENT];

	rs_usual_fill_item(u, s, kind, item);
	item->has_ended = true;
	s->unusual[kind] = (struct rs_series_unusual){ 0 };
}

static void judge_note(struct rs_usual *u, struct rs_series *s, enum rs_series_kind kind,
		       const struct judge *j, const struct rs_usual_interval *interval)
{
	struct rs_series_unusual *x = &s->unusual[kind];

	u->nr_begun += !x->since_ns;
	if (!x->since_ns)
		x->since_ns = interval->from_ns ? interval->from_ns : 1;
	x->last_ns = interval->to_ns;
	x->value = j->window.value[judge_measures[kind]];
	x->load_milli = judge_load_milli(s, j->window.value[RS_SERIES_RATE_HIGH]);
	x->cost_ppm = j->cost_ppm > x->cost_ppm ? j->cost_ppm : x->cost_ppm;
}

/* Returns the measures that are not learned now: what is unusual, until it has gone on for long. */
static unsigned int judge_all_kinds(struct rs_usual *u, struct rs_series *s, struct judge *j,
				    const struct rs_usual_interval *interval)
{
	unsigned int unlearned = 0;

	for (enum rs_series_kind kind = 0; kind < RS_SERIES_NR_KINDS; kind++) {
		struct rs_series_unusual *x = &s->unusual[kind];

		if (judge_kinds[kind](j))
			judge_note(u, s, kind, j, interval);
		else if (x->since_ns && interval->to_ns - x->last_ns >= JUDGE_STAYS_NS)
			judge_end(u, s, kind);
		if (x->since_ns && interval->to_ns - x->since_ns < JUDGE_LEARNS_NS)
			unlearned |= judge_unlearned[kind];
	}
	return unlearned;
}

void rs_usual_judge(struct rs_usual *u, struct rs_series *s, const struct rs_usual_interval *interval)
{
	struct judge j = { .u = u, .s = s };
	unsigned int unlearned;

	s->nr_known += s->nr_known < RS_SERIES_INTERVALS;
	if (s->nr_known < RS_SERIES_INTERVALS || u->nr_intervals < RS_SERIES_INTERVALS)
		return;
	judge_fill_window(&j);
	unlearned = judge_all_kinds(u, s, &j, interval);
	if (unlearned)
		rs_series_drop_held(s, unlearned);
	for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++)
		j.window.known[m] = j.window.known[m] && !(unlearned >> m & 1);
	rs_series_hold(s, &j.window);
}

void rs_usual_fill_item(const struct rs_usual *u, const struct rs_series *s, enum rs_series_kind kind,
			struct rs_usual_item *item)
{
	const struct rs_series_usual *usual = &s->usual[judge_measures[kind]];
	const struct rs_series_unusual *x = &s->unusual[kind];

	*item = (struct rs_usual_item){
		.kind = kind, .source = s->source, .key_bytes = s->key_bytes, .value = x->value,
		.low = usual->low, .high = usual->high, .cost_ppm = x->cost_ppm,
		.load_milli = x->load_milli > JUDGE_LOAD_MILLI ? x->load_milli : 0,
		.nr_blocks = usual->nr, .by_day = usual->by_day, .since_ns = x->since_ns,
		.last_ns = x->last_ns,
	};
	memcpy(item->key, s->key, s->key_bytes);
	if (kind == RS_SERIES_LESS)
		item->high = s->usual[RS_SERIES_RATE_HIGH].high;
	item->times_milli = kind == RS_SERIES_LESS ? judge_scale(usual->low, 1000, x->value) :
						     judge_scale(x->value, 1000, usual->high);
}
