// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-random - spans laid at random beside a plain array, and every question asked of both */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "model/timeline.h"

#define NR_TRACKS 5
#define NR_SPANS 20000
#define NR_QUESTIONS 2000

/* The plain array: all that was laid on a track, sorted by end, equal ends as they were laid. */
static struct rs_timeline_span emitted[NR_TRACKS][NR_SPANS], found[NR_SPANS];
static size_t nr_emitted[NR_TRACKS], nr_found;
static struct rs_timeline *tl;
static uint64_t now_ns, seed;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static void insert_sorted(unsigned int k, const struct rs_timeline_span *s)
{
	size_t at = nr_emitted[k]++;

	for (; at && emitted[k][at - 1].end_ns > s->end_ns; at--)
		emitted[k][at] = emitted[k][at - 1];
	emitted[k][at] = *s;
}

/* Mostly short and in order; some end together, some come late, some are as long as all that was. */
static void emit_one(uint64_t nr, unsigned int late_percent)
{
	/* each in its turn, so that others run dry */
	unsigned int busy = (unsigned int)(nr % NR_SPANS / 2500 % NR_TRACKS);
	unsigned int k = random_below(40) ? busy : (unsigned int)random_below(NR_TRACKS);
	struct rs_timeline_span s = { .arg = nr, .kind = (uint16_t)random_below(4) };
	uint64_t length_ns;

	now_ns += random_below(4) ? random_below(20) : 0;
	s.end_ns = now_ns;
	if (random_below(100) < late_percent)
		s.end_ns -= random_below(random_below(10) ? 200 : now_ns) % (now_ns + 1);
	length_ns = random_below(random_below(50) ? 30 : now_ns + 1);
	s.start_ns = length_ns > s.end_ns ? 0 : s.end_ns - length_ns;
	ck_assert(rs_timeline_add_span(tl, rs_timeline_track(tl, 3, k), &s));
	insert_sorted(k, &s);
}

static bool collect(void *arg, const struct rs_timeline_span *s)
{
	found[nr_found++] = *s;
	return true;
}

static bool same(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	return a->start_ns == b->start_ns && a->end_ns == b->end_ns && a->arg == b->arg && a->kind == b->kind;
}

/* What the timeline shows is what the array has, without what may have gone; nothing that it has not. */
static void compare_window(unsigned int k, const struct rs_timeline_range *r, uint64_t whole_after_ns)
{
	size_t at = 0;

	nr_found = 0;
	ck_assert(rs_timeline_query(tl, rs_timeline_find(tl, 3, k), r, collect, NULL));
	for (size_t i = 0; i < nr_emitted[k]; i++) {
		const struct rs_timeline_span *s = &emitted[k][i];

		if (s->start_ns >= r->to_ns || s->end_ns < r->from_ns || s->end_ns - s->start_ns < r->min_duration_ns ||
		    (s->end_ns == r->from_ns && s->start_ns < s->end_ns))
			continue;
		if (at < nr_found && same(&found[at], s))
			at++;
		else
			ck_assert_msg(s->end_ns <= whole_after_ns, "track %u: %lu-%lu is not shown in %lu-%lu", k,
				      s->start_ns, s->end_ns, r->from_ns, r->to_ns);
	}
	ck_assert_uint_eq(at, nr_found);
}

static bool count(void *arg, const struct rs_timeline_span *s)
{
	const struct rs_timeline_range *r = arg;

	nr_found += s->end_ns >= r->from_ns && s->end_ns < r->to_ns;
	return true;
}

/* What is counted by the tree is as much as a walk finds. */
static void compare_count(unsigned int k, const struct rs_timeline_range *r)
{
	uint32_t track = rs_timeline_find(tl, 3, k);

	nr_found = 0;
	rs_timeline_query(tl, track, &(struct rs_timeline_range){ 0, UINT64_MAX, 0 }, count, (void *)r);
	ck_assert_uint_eq(rs_timeline_count(tl, track, r->from_ns, r->to_ns), nr_found);
}

static void ask_windows(uint64_t whole_after_ns)
{
	for (unsigned int i = 0; i < NR_QUESTIONS; i++) {
		struct rs_timeline_range r = { .from_ns = random_below(now_ns + 10) };

		r.to_ns = r.from_ns + 1 + random_below(random_below(4) ? 300 : now_ns);
		r.min_duration_ns = random_below(3) ? 0 : random_below(100);
		compare_window((unsigned int)random_below(NR_TRACKS), &r, whole_after_ns);
		if (i % 20 == 0)
			compare_count((unsigned int)random_below(NR_TRACKS), &r);
	}
	for (unsigned int k = 0; k < NR_TRACKS; k++)
		compare_window(k, &(struct rs_timeline_range){ 0, UINT64_MAX, 0 }, whole_after_ns);
}

static int by_all(const void *a, const void *b)
{
	const struct rs_timeline_span *x = a, *y = b;
	uint64_t xs[] = { x->end_ns, x->start_ns, x->kind, x->arg }, ys[] = { y->end_ns, y->start_ns, y->kind, y->arg };

	for (int i = 0; i < 4; i++)
		if (xs[i] != ys[i])
			return xs[i] < ys[i] ? -1 : 1;
	return 0;
}

/* There and back again over all that is long enough. */
static void ask_neighbours(unsigned int k, uint64_t min_duration_ns)
{
	uint32_t track = rs_timeline_find(tl, 3, k);
	struct rs_timeline_span s;
	size_t at = 0;

	nr_found = 0;
	rs_timeline_query(tl, track, &(struct rs_timeline_range){ 0, UINT64_MAX, min_duration_ns }, collect, NULL);
	qsort(found, nr_found, sizeof found[0], by_all);
	for (bool more = rs_timeline_nearest(tl, track, false, NULL, min_duration_ns, NULL, NULL, &s); more;
	     more = rs_timeline_nearest(tl, track, false, &s, min_duration_ns, NULL, NULL, &s)) {
		ck_assert_uint_lt(at, nr_found);
		ck_assert(same(&s, &found[at++]));
	}
	ck_assert_uint_eq(at, nr_found);
	for (bool more = rs_timeline_nearest(tl, track, true, NULL, min_duration_ns, NULL, NULL, &s); more;
	     more = rs_timeline_nearest(tl, track, true, &s, min_duration_ns, NULL, NULL, &s)) {
		ck_assert_uint_gt(at, 0);
		ck_assert(same(&s, &found[--at]));
	}
	ck_assert_uint_eq(at, 0);
}

static void ask_moments(void)
{
	for (unsigned int i = 0; i < NR_QUESTIONS / 4; i++) {
		uint64_t at_ns = random_below(now_ns + 10);
		unsigned int k = (unsigned int)random_below(NR_TRACKS);
		uint32_t track = rs_timeline_find(tl, 3, k);
		struct rs_timeline_span s, *best = NULL;

		nr_found = 0;
		rs_timeline_query(tl, track, &(struct rs_timeline_range){ at_ns, at_ns + 1, 0 }, collect, NULL);
		for (size_t j = 0; j < nr_found; j++)
			if (!best || found[j].start_ns > best->start_ns ||
			    (found[j].start_ns == best->start_ns && found[j].end_ns < best->end_ns))
				best = &found[j];
		ck_assert(rs_timeline_at(tl, track, at_ns, &s) == (best != NULL));
		if (best)
			ck_assert(same(&s, best));
	}
}

/* All that is there and all that has gone is all that was laid. */
static void add_up(size_t size_bytes, struct rs_timeline_stats *stats)
{
	nr_found = 0;
	for (unsigned int k = 0; k < NR_TRACKS; k++)
		rs_timeline_query(tl, rs_timeline_find(tl, 3, k), &(struct rs_timeline_range){ 0, UINT64_MAX, 0 },
				  collect, NULL);
	rs_timeline_stats(tl, stats);
	ck_assert_uint_eq(stats->nr_spans, nr_found);
	ck_assert_uint_eq(stats->nr_spans + stats->nr_evicted, stats->nr_emitted);
	ck_assert_uint_le(stats->size_bytes, size_bytes);
}

static void emit_and_ask(size_t size_bytes, uint64_t age_ns, unsigned int late_percent, bool needs_eviction)
{
	struct rs_error err = { 0 };
	struct rs_timeline_stats stats;

	memset(nr_emitted, 0, sizeof nr_emitted);
	seed = 88172645463325252ull + late_percent;
	now_ns = 0;
	tl = rs_timeline_new(size_bytes, age_ns, &err);
	ck_assert_msg(tl != NULL, "%s", err.text);
	for (unsigned int round = 1; round <= 4; round++) {
		for (unsigned int i = 0; i < NR_SPANS / 4; i++)
			emit_one((uint64_t)round * NR_SPANS + i, late_percent);
		add_up(size_bytes, &stats);
		ask_windows(stats.whole_after_ns);
		ask_moments();
		for (unsigned int k = 0; k < NR_TRACKS; k++)
			ask_neighbours(k, round & 1 ? 0 : 40);
	}
	ck_assert(needs_eviction == (stats.nr_evicted > 0));
	rs_timeline_free(tl);
}

START_TEST(all_of_it_in_order)
{
	emit_and_ask(4 << 20, 0, 0, false);
}
END_TEST

START_TEST(all_of_it_with_late_ones)
{
	emit_and_ask(4 << 20, 0, 20, false);
}
END_TEST

START_TEST(a_window_of_it)
{
	emit_and_ask(RS_TIMELINE_MIN_BYTES, 0, 0, true);
}
END_TEST

START_TEST(a_window_of_it_with_late_ones)
{
	emit_and_ask(RS_TIMELINE_MIN_BYTES, 0, 20, true);
}
END_TEST

START_TEST(the_last_while_of_it)
{
	emit_and_ask(4 << 20, 20000, 2, true);
}
END_TEST

/* Anything at all as times: what is laid is counted, memory holds, and asking ends. */
START_TEST(hostile_times)
{
	static const uint64_t edges[] = { 0, 1, 2, 1ull << 47, 1ull << 48, 1ull << 63, UINT64_MAX - 1, UINT64_MAX };
	struct rs_error err = { 0 };
	struct rs_timeline_stats stats;

	seed = 4711;
	tl = rs_timeline_new(RS_TIMELINE_MIN_BYTES, 1000, &err);
	for (unsigned int i = 0; i < 50000; i++) {
		struct rs_timeline_span s = { .start_ns = edges[random_below(8)], .end_ns = edges[random_below(8)] };

		s.start_ns -= random_below(3);
		s.end_ns += random_below(3);
		rs_timeline_add_span(tl, rs_timeline_track(tl, (uint32_t)random_below(3), random_below(50)),
				     &s);
		if (random_below(100))
			continue;
		nr_found = 0;
		rs_timeline_query(tl, rs_timeline_find(tl, (uint32_t)random_below(3), random_below(50)),
				  &(struct rs_timeline_range){ edges[random_below(8)], edges[random_below(8)], 0 },
				  collect, NULL);
		ck_assert_uint_lt(nr_found, RS_TIMELINE_MIN_BYTES / 24);
	}
	rs_timeline_stats(tl, &stats);
	ck_assert_uint_eq(stats.nr_emitted + stats.nr_refused, 50000);
	rs_timeline_free(tl);
}
END_TEST

Suite *rs_suite_timeline_random(void)
{
	Suite *s = suite_create("timeline-random");
	TCase *t = tcase_create("timeline-random");

	tcase_set_timeout(t, 120);
	tcase_add_test(t, all_of_it_in_order);
	tcase_add_test(t, all_of_it_with_late_ones);
	tcase_add_test(t, a_window_of_it);
	tcase_add_test(t, a_window_of_it_with_late_ones);
	tcase_add_test(t, the_last_while_of_it);
	tcase_add_test(t, hostile_times);
	suite_add_tcase(s, t);
	return s;
}
