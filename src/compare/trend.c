// SPDX-License-Identifier: GPL-2.0-or-later
/* trend - measures of rows over many sides, in the order of time, and where they changed */
#include "compare/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "compare/change.h"

const char *rs_trend_word(enum rs_trend_measure measure)
{
	static const char *const words[RS_TREND_NR_MEASURES] = { "rate", "p50", "p99", "total" };

	return words[measure];
}

/* ---- the values ---- */

bool rs_trend_begin(struct rs_trend *trend, size_t nr_sides)
{
	*trend = (struct rs_trend){ .nr_sides = nr_sides };
	trend->failed = !rs_map_init(&trend->map, 256);
	return !trend->failed;
}

static void trend_free_series(struct rs_trend_series *s)
{
	free(s->values[0]);
	free(s->key);
	free(s);
}

void rs_trend_done(struct rs_trend *trend)
{
	for (size_t i = 0; i < trend->nr; i++)
		trend_free_series(trend->at[i]);
	free(trend->at);
	rs_map_done(&trend->map);
	*trend = (struct rs_trend){ 0 };
}

/* No value of a latency, and none of all counts. */
static void trend_set_empty(const struct rs_trend *trend, struct rs_trend_series *s, double *values)
{
	for (size_t m = 0; m < RS_TREND_NR_MEASURES; m++) {
		s->values[m] = values + m * trend->nr_sides;
		for (size_t i = 0; i < trend->nr_sides; i++)
			s->values[m][i] = m == RS_TREND_P50 || m == RS_TREND_P99 ? NAN : 0;
	}
}

static struct rs_trend_series *trend_make(struct rs_trend *trend, const char *view, const char *key,
					  uint64_t hash)
{
	struct rs_trend_series *s = calloc(1, sizeof *s), **at;
	double *values = calloc(RS_TREND_NR_MEASURES * trend->nr_sides, sizeof *values);

	if (s)
		s->key = strdup(key);
	at = s && s->key && values ? RS_VECTOR_ADD(&trend->at, &trend->nr, &trend->room) : NULL;
	if (!at) {
		trend->failed = true;
		free(values);
		free(s ? s->key : NULL);
		free(s);
		return NULL;
	}
	s->view = view;
	trend_set_empty(trend, s, values);
	rs_map_add(&trend->map, &s->node, hash);
	return *at = s;
}

static struct rs_trend_series *trend_get(struct rs_trend *trend, const char *view, const char *key)
{
	uint64_t hash = rs_hash_bytes(key, strlen(key)) ^ rs_hash_bytes(view, strlen(view));

	for (struct rs_map_node *n = rs_map_find(&trend->map, hash); n; n = rs_map_find_next(n)) {
		struct rs_trend_series *s = RS_MAP_ENTRY(n, struct rs_trend_series, node);

		if (!strcmp(s->view, view) && !strcmp(s->key, key))
			return s;
	}
	return trend_make(trend, view, key, hash);
}

static void trend_add_row(struct rs_trend_series *s, size_t n, const struct rs_side *side, bool is_latency,
			  struct rs_side_row *row)
{
	struct rs_dist dist = rs_dist_of(row, side->nr_blocks);

	s->values[RS_TREND_RATE][n] = rs_side_rate(side, (double)row->nr);
	s->values[RS_TREND_TOTAL][n] = is_latency ? rs_side_rate(side, (double)row->sum) : NAN;
	if (is_latency && dist.nr >= RS_CHANGE_LEAST_VALUES)
		s->values[RS_TREND_P50][n] = rs_dist_quantile(&dist, 500, 0).value;
	if (is_latency && dist.nr >= RS_CHANGE_LEAST_TAIL)
		s->values[RS_TREND_P99][n] = rs_dist_quantile(&dist, 990, 0).value;
}

void rs_trend_add(struct rs_trend *trend, size_t n, struct rs_side *side, size_t first_view)
{
	struct rs_buf key = RS_BUF_INIT;

	for (size_t i = first_view; i < side->nr_views; i++) {
		const struct rs_side_view *view = &side->views[i];

		for (size_t r = 0; r < view->nr_rows; r++) {
			struct rs_trend_series *s;

			rs_side_put_text(&key, view, view->rows[r]);
			s = key.data ? trend_get(trend, view->ref.view->name, key.data) : NULL;
			if (s)
				trend_add_row(s, n, side, view->is_latency, view->rows[r]);
		}
	}
	trend->failed |= key.failed;
	rs_buf_done(&key);
}

/* ---- where they change ---- */

static int trend_compare(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double trend_median(const double *values, size_t nr, double *scratch)
{
	memcpy(scratch, values, nr * sizeof *values);
	qsort(scratch, nr, sizeof *scratch, trend_compare);
	return nr % 2 ? scratch[nr / 2] : (scratch[nr / 2 - 1] + scratch[nr / 2]) / 2;
}

static bool trend_is_large(enum rs_trend_measure measure, double before, double after)
{
	double size = fabs(after - before);

	if (size < RS_CHANGE_LEAST_SHARE * before)
		return false;
	return (measure != RS_TREND_P50 && measure != RS_TREND_P99) || size >= RS_CHANGE_LEAST_NS ||
	       size >= RS_CHANGE_HALF * before;
}

/* known: the values that are, at these places of the series. */
struct trend_known {
	double *values, *scratch;
	size_t *places, nr;
};

static bool trend_take_known(const struct rs_trend *trend, const double *values, struct trend_known *known)
{
	known->values = calloc(2 * trend->nr_sides, sizeof *known->values);
	known->places = calloc(trend->nr_sides, sizeof *known->places);
	known->nr = 0;
	if (!known->values || !known->places)
		return false;
	known->scratch = known->values + trend->nr_sides;
	for (size_t i = 0; i < trend->nr_sides; i++)
		if (!isnan(values[i])) {
			known->places[known->nr] = i;
			known->values[known->nr++] = values[i];
		}
	return true;
}

static size_t trend_judge(const struct trend_known *known, enum rs_trend_measure measure,
			  const struct rs_e_divisive_point *cuts, size_t nr_cuts,
			  struct rs_trend_point points[RS_TREND_POINTS])
{
	size_t from = 0, nr = 0;

	for (size_t i = 0; i < nr_cuts; i++) {
		size_t at = cuts[i].at, to = i + 1 < nr_cuts ? cuts[i + 1].at : known->nr;
		struct rs_trend_point point = {
			known->places[at], trend_median(known->values + from, at - from, known->scratch),
			trend_median(known->values + at, to - at, known->scratch), cuts[i].share,
		};

		from = at;
		if (trend_is_large(measure, point.before, point.after))
			points[nr++] = point;
	}
	return nr;
}

size_t rs_trend_find(const struct rs_trend *trend, const struct rs_trend_series *series,
		     enum rs_trend_measure measure, struct rs_trend_point points[RS_TREND_POINTS])
{
	struct rs_e_divisive_point cuts[RS_TREND_POINTS];
	struct trend_known known;
	size_t nr = 0;

	if (trend_take_known(trend, series->values[measure], &known)) {
		nr = rs_e_divisive(known.values, known.nr, cuts, RS_TREND_POINTS);
		nr = trend_judge(&known, measure, cuts, nr, points);
	}
	free(known.values);
	free(known.places);
	return nr;
}
