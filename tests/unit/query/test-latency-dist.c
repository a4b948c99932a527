// SPDX-License-Identifier: GPL-2.0-or-later
/* test-latency-dist - how long spans were, beside a plain count of them; the longest; and from the longest to the next */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/latency-dist.h"
#include "query/step.h"

enum { CALL, WAIT, RUN };
#define NR_CPUS 3
#define NR_SPANS 20000

static const char *letter(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%c%llu", (char)(arg & 0xff), (unsigned long long)(arg >> 8));
	return buf;
}

static bool is_sleep(struct rs_ctx *c, uint64_t arg)
{
	return (arg & 0xff) == 's';
}

static bool is_no_sleep(struct rs_ctx *c, uint64_t arg)
{
	return !is_sleep(c, arg);
}

static const struct rs_span_kind kinds[] = {
	[CALL] = { .name = "call", .track = RS_TRACK_CPU, .label = letter, .by_choice = is_sleep, .slowest = "call",
		   .is_slowest = is_no_sleep },
	[WAIT] = { .name = "wait", .track = RS_TRACK_CPU, .slowest = "wait" },
	[RUN] = { .name = "run", .track = RS_TRACK_CPU, .shape = RS_SPAN_STATE },
};

static struct rs_timelines *t;
static struct { struct rs_timeline_span span; unsigned int cpu; } emitted[NR_SPANS];
static size_t nr_emitted;
static char text[4096];
static struct rs_error err;

static void begin(void)
{
	struct rs_ctx c = { 0 };
	struct rs_span_sink *sink;

	err = (struct rs_error){ 0 };
	t = rs_timelines_new(8 << 20, 0, &err);
	ck_assert_msg(t, "%s", err.text);
	sink = rs_timelines_sink(t);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		sink->kind(sink, &c, &kinds[i]);
	nr_emitted = 0;
}

static void end(void)
{
	rs_timelines_free(t);
}

static void emit(unsigned int cpu, unsigned int kind, uint64_t start_ns, uint64_t end_ns, uint64_t arg)
{
	struct rs_timeline *tl = rs_timelines_of(t);
	struct rs_timeline_span s = { .start_ns = start_ns, .end_ns = end_ns, .kind = (uint16_t)kind, .arg = arg };

	ck_assert(rs_timeline_add_span(tl, rs_timeline_track(tl, rs_track_type(RS_TRACK_CPU, kinds[kind].shape), cpu), &s));
	emitted[nr_emitted].cpu = cpu;
	emitted[nr_emitted++].span = s;
}

static uint64_t random_below(uint64_t n)
{
	static uint64_t seed = 88172645463325252u;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

/* Some end together, some late. */
static void emit_many(void)
{
	uint64_t now_ns = 1000000;

	while (nr_emitted < NR_SPANS) {
		uint64_t length_ns = random_below(UINT64_C(1) << random_below(20));

		now_ns += random_below(3) ? random_below(100) : 0;
		emit((unsigned int)random_below(NR_CPUS), random_below(4) ? CALL : WAIT, now_ns - length_ns, now_ns,
		    'a' + random_below(3) + (random_below(5) << 8));
	}
}

static struct rs_latency_dist *latency_dist(struct rs_latency_panel_ask ask, uint64_t a_turn,
				      unsigned int *nr_batches)
{
	struct rs_latency_dist *s;

	if (!ask.max_ns)
		ask.max_ns = UINT64_MAX;
	s = rs_latency_dist_new(t, &ask, &err);
	ck_assert_msg(s, "%s", err.text);
	for (*nr_batches = 1; rs_latency_dist_go(s, a_turn); ++*nr_batches)
		;
	return s;
}

static bool counts(const struct rs_latency_panel_ask *ask, size_t i)
{
	const struct rs_timeline_span *s = &emitted[i].span;
	uint64_t length_ns = s->end_ns - s->start_ns;

	return s->kind == ask->kind && s->end_ns >= ask->from_ns && s->end_ns < ask->to_ns && length_ns >= ask->min_ns &&
	       length_ns < (ask->max_ns ? ask->max_ns : UINT64_MAX) && (!ask->one_track || emitted[i].cpu == ask->track.id) &&
	       (!ask->nr_labels || (char)(s->arg & 0xff) == *ask->labels[0] ||
		(ask->nr_labels > 1 && (char)(s->arg & 0xff) == *ask->labels[1]));
}

static const struct rs_latency_panel_ask asks[] = {
	{ .kind = CALL, .to_ns = UINT64_MAX },
	{ .kind = WAIT, .to_ns = UINT64_MAX },
	{ .kind = CALL, .from_ns = 1100000, .to_ns = 1200000 },
	{ .kind = CALL, .from_ns = 1100000, .to_ns = 1200000, .one_track = true, .track = { RS_TRACK_CPU, 2 } },
	{ .kind = CALL, .to_ns = UINT64_MAX, .min_ns = 1000, .max_ns = 2000 },
	{ .kind = CALL, .to_ns = UINT64_MAX, .labels = { "a*" }, .nr_labels = 1 },
	{ .kind = CALL, .to_ns = UINT64_MAX, .labels = { "b*", "c*" }, .nr_labels = 2 },
	{ .kind = RUN, .to_ns = UINT64_MAX },
};

#define NR_ASKS (sizeof asks / sizeof *asks)

/* In one turn, in many, and one span at a time: each is counted once. */
START_TEST(histograms)
{
	static const uint64_t turns[] = { UINT64_MAX, 1000, 1 };

	emit_many();
	for (size_t i = 0; i < NR_ASKS; i++)
		for (size_t k = 0; k < 3; k++) {
			unsigned int nr_batches;
			struct rs_latency_dist *s = latency_dist(asks[i], turns[k], &nr_batches);
			uint64_t nr = 0, sum = 0;

			for (size_t n = 0; n < nr_emitted; n++)
				if (counts(&asks[i], n)) {
					nr++;
					sum += emitted[n].span.end_ns - emitted[n].span.start_ns;
				}
			ck_assert_msg(s->hist.nr == nr && s->hist.sum == sum, "question %zu: %lu spans, not %lu", i, s->hist.nr, nr);
			ck_assert(turns[k] != 1000 || i || nr_batches > 10);
			ck_assert_uint_ge(rs_latency_dist_nr(s), nr);
			ck_assert(i || rs_latency_dist_nr(s) == NR_SPANS); /* other kinds of the same tracks are passed over one by one */
			rs_latency_dist_free(s);
		}
}
END_TEST

/* The spans of each cell of a heat map, and the time that they took together. */
START_TEST(heat_maps)
{
	struct rs_latency_panel_ask ask = { .kind = CALL, .from_ns = 1000000, .to_ns = 1400000, .as = RS_LATENCY_DIST_HEAT, .columns = 37 };
	static struct rs_heat_cell expected[RS_HEAT_ROWS][37];
	unsigned int nr_batches;
	struct rs_latency_dist *s;

	emit_many();
	s = latency_dist(ask, 500, &nr_batches);
	ck_assert_uint_eq(s->cells.cell_ns, 10811); /* 400000 / 37, rounded up */
	for (size_t n = 0; n < nr_emitted; n++)
		if (counts(&ask, n)) {
			const struct rs_timeline_span *span = &emitted[n].span;

			struct rs_heat_cell *cell = &expected[rs_latency_dist_heat_row(span->end_ns - span->start_ns)]
							     [(span->end_ns - 1000000) / 10811];

			cell->count++;
			cell->ns += span->end_ns - span->start_ns;
		}
	for (size_t row = 0; row < RS_HEAT_ROWS; row++)
		for (size_t i = 0; i < 37; i++) {
			ck_assert_uint_eq(s->heat[row * 37 + i].count, expected[row][i].count);
			ck_assert_uint_eq(s->heat[row * 37 + i].ns, expected[row][i].ns);
		}
	rs_latency_dist_free(s);
}
END_TEST

/* In 2 cells of 1000 ns: of 600 and 700 ns (one row) the first has 1300 ns; the median of 600, 700, 5 is 600. */
START_TEST(time_of_a_cell)
{
	struct rs_latency_panel_ask ask = { .kind = CALL, .from_ns = 1000, .to_ns = 3000, .as = RS_LATENCY_DIST_HEAT, .columns = 2 };
	unsigned int nr_batches, row = rs_latency_dist_heat_row(600);
	struct rs_latency_dist *s;

	emit(0, CALL, 500, 1100, 'a');
	emit(0, CALL, 1200, 1900, 'a');
	emit(0, CALL, 2500, 2505, 'a');
	s = latency_dist(ask, UINT64_MAX, &nr_batches);
	ck_assert_uint_eq(s->cells.nr, 2);
	ck_assert_uint_eq(rs_latency_dist_heat_row(700), row);
	ck_assert_uint_eq(s->heat[row * 2].count, 2);
	ck_assert_uint_eq(s->heat[row * 2].ns, 1300);
	ck_assert_uint_eq(s->heat[row * 2 + 1].ns, 0);
	ck_assert_uint_eq(s->heat[rs_latency_dist_heat_row(5) * 2 + 1].ns, 5);
	ck_assert_uint_eq(rs_hist_quantile(&s->hist, 500), 600);
	rs_latency_dist_free(s);
}
END_TEST

START_TEST(heat_rows)
{
	uint64_t from_ns, to_ns, before_ns = 0;

	for (unsigned int row = 0; row < RS_HEAT_ROWS; row++) {
		rs_latency_dist_heat_bounds(row, &from_ns, &to_ns);
		if (row == 2) /* [1, 2) has no upper half */
			continue;
		ck_assert_uint_eq(from_ns, before_ns);
		ck_assert_uint_eq(rs_latency_dist_heat_row(from_ns), row);
		ck_assert_uint_eq(rs_latency_dist_heat_row(to_ns - 1), row);
		before_ns = to_ns;
	}
	ck_assert_uint_eq(rs_latency_dist_heat_row(3), 4);  /* [3, 4) */
	ck_assert_uint_eq(rs_latency_dist_heat_row(95), 13);
	ck_assert_uint_eq(rs_latency_dist_heat_row(96), 14); /* [96, 128) */
	ck_assert_uint_eq(rs_latency_dist_heat_row(UINT64_MAX), RS_HEAT_ROWS - 1);
}
END_TEST

static int slowest_first(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x > *y ? -1 : *x < *y;
}

START_TEST(the_slowest)
{
	static uint64_t latencies[NR_SPANS];

	emit_many();
	for (size_t i = 0; i < NR_ASKS; i++) {
		struct rs_latency_panel_ask ask = asks[i];
		unsigned int nr_batches;
		struct rs_latency_dist *s;
		size_t nr = 0;

		ask.as = RS_LATENCY_DIST_SLOWEST;
		ask.limit = 20;
		s = latency_dist(ask, 700, &nr_batches);
		for (size_t n = 0; n < nr_emitted; n++)
			if (counts(&asks[i], n))
				latencies[nr++] = emitted[n].span.end_ns - emitted[n].span.start_ns;
		qsort(latencies, nr, sizeof *latencies, slowest_first);
		ck_assert_uint_eq(s->nr_slowest, nr < 20 ? nr : 20);
		for (size_t n = 0; n < s->nr_slowest; n++)
			ck_assert_uint_eq(s->slowest[n].span.end_ns - s->slowest[n].span.start_ns, latencies[n]);
		rs_latency_dist_free(s);
	}
}
END_TEST

START_TEST(what_makes_no_sense)
{
	static const struct rs_latency_panel_ask bad[] = {
		{ .kind = 99, .to_ns = 1 },
		{ .kind = CALL, .from_ns = 5, .to_ns = 5 },
		{ .kind = CALL, .to_ns = 5, .as = RS_LATENCY_DIST_HEAT },
		{ .kind = CALL, .to_ns = 5, .as = RS_LATENCY_DIST_HEAT, .columns = RS_MAX_CELLS + 1 },
		{ .kind = CALL, .to_ns = 5, .as = RS_LATENCY_DIST_SLOWEST },
		{ .kind = CALL, .to_ns = 5, .pid = 7 },
		{ .kind = CALL, .to_ns = 5, .one_track = true, .track = { RS_TRACK_TASK, 7 } },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		err = (struct rs_error){ 0 };
		ck_assert_ptr_null(rs_latency_dist_new(t, &bad[i], &err));
		ck_assert_int_eq(err.status, RS_USAGE);
	}
}
END_TEST

/* ---- from one to the next ---- */

static void write_slow(const struct rs_slowest_span *s)
{
	size_t len = strlen(text);

	snprintf(text + len, sizeof text - len, "%s%s/%llu:%llu-%llu", len ? " " : "", kinds[s->span.kind].name,
		 (unsigned long long)s->ref.id, (unsigned long long)s->span.start_ns, (unsigned long long)s->span.end_ns);
}

static const char *slowest(uint64_t from_ns, uint64_t to_ns, size_t limit, uint64_t budget)
{
	size_t nr;
	struct rs_slowest_span *all = rs_latency_dist_find_slowest(t, from_ns, to_ns, limit, budget, NULL, NULL, &nr);

	*text = '\0';
	for (size_t i = 0; i < nr; i++)
		write_slow(&all[i]);
	free(all);
	return text;
}

/* Sleeps are none, nor kinds that are not worth it, nor what is too short to be anybody's trouble. */
START_TEST(the_slowest_of_each_kind)
{
	emit(0, CALL, 0, 50000000, 's');
	emit(0, CALL, 1000000, 3000000, 'a');
	emit(1, CALL, 1000000, 5000000, 'a');
	emit(1, CALL, 6000000, 6500000, 'b');
	emit(2, CALL, 6000000, 6009999, 'b');
	emit(2, WAIT, 7000000, 7020000, 0);
	emit(2, RUN, 0, 9000000, 0);
	ck_assert_str_eq(slowest(0, UINT64_MAX, 2, 1000), "call/1:1000000-5000000 call/0:1000000-3000000 wait/2:7000000-7020000");
	ck_assert_str_eq(slowest(0, UINT64_MAX, 9, 1000), "call/1:1000000-5000000 call/0:1000000-3000000 "
			 "call/1:6000000-6500000 wait/2:7000000-7020000");
	ck_assert_str_eq(slowest(5000001, 7000000, 9, 1000), "call/1:6000000-6500000");
	ck_assert_str_eq(slowest(0, 5000000, 9, 1000), "call/0:1000000-3000000"); /* ended by then */
	/* with no more to spend the longest are found all the same */
	ck_assert_str_eq(slowest(0, UINT64_MAX, 2, 5), "call/1:1000000-5000000 call/0:1000000-3000000");
}
END_TEST

static unsigned int step_turns;

static bool step_over(struct rs_step step, size_t nr_tracks, uint64_t a_turn, struct rs_slowest_span *found)
{
	static struct rs_track_ref cpus[RS_STEP_TRACKS];
	struct rs_stepping *s;
	bool any;

	for (size_t i = 0; i < nr_tracks; i++)
		cpus[i] = (struct rs_track_ref){ RS_TRACK_CPU, i };
	step.tracks = cpus;
	step.nr_tracks = nr_tracks;
	step.shapes = step.shapes ? step.shapes : 0xf;
	step.to_ns = UINT64_MAX;
	s = rs_step_new(t, &step);
	ck_assert_ptr_nonnull(s);
	for (step_turns = 1; rs_step_go(s, a_turn); step_turns++)
		ck_assert_uint_lt(step_turns, 1000000);
	any = rs_step_found(s, found);
	rs_step_free(s);
	return any;
}

static bool is_same(const struct rs_slowest_span *a, const struct rs_slowest_span *b)
{
	return a->ref.id == b->ref.id && a->span.start_ns == b->span.start_ns && a->span.end_ns == b->span.end_ns;
}

/* In one turn, and a span at a time: the same. */
static const char *step(struct rs_step step)
{
	struct rs_slowest_span found, same;
	bool any = step_over(step, 2, UINT64_MAX, &found);

	*text = '\0';
	ck_assert(step_over(step, 2, 1, &same) == any);
	if (any)
		write_slow(&found);
	ck_assert(!any || is_same(&same, &found));
	return text;
}

static int by_end(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	if (a->end_ns != b->end_ns)
		return a->end_ns < b->end_ns ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

#define STEP(...) step((struct rs_step){ __VA_ARGS__ })
#define THAN(from, to) .than_known = true, .than = { .start_ns = from, .end_ns = to }

/* Over both tracks by their ends, there and back. */
START_TEST(one_after_the_other)
{
	emit(0, CALL, 10, 20, 'a');
	emit(1, CALL, 12, 22, 'a');
	emit(0, RUN, 15, 30, 0);
	emit(0, CALL, 25, 90, 's');
	emit(2, CALL, 40, 50, 'a'); /* not asked for */
	ck_assert_str_eq(STEP(.back = false), "call/0:10-20");
	ck_assert_str_eq(STEP(THAN(10, 20)), "call/1:12-22");
	ck_assert_str_eq(STEP(THAN(12, 22)), "run/0:15-30");
	ck_assert_str_eq(STEP(THAN(12, 22), .shapes = 1u << RS_SPAN_SLICE), "call/0:25-90");
	ck_assert_str_eq(STEP(THAN(25, 90)), "");
	ck_assert_str_eq(STEP(.back = true), "call/0:25-90");
	ck_assert_str_eq(STEP(THAN(25, 90), .back = true), "run/0:15-30");
	ck_assert_str_eq(STEP(THAN(10, 20), .back = true), "");
	ck_assert_str_eq(STEP(.min_ns = 15), "run/0:15-30");
}
END_TEST

/* Whatever the kind; of two as long the one that ended first; the sleep, which is the longest, is passed over. */
START_TEST(by_duration)
{
	emit(0, CALL, 1000, 5000, 'a');
	emit(0, CALL, 6000, 7000, 'b');
	emit(1, RUN, 2000, 9000, 0);
	emit(1, CALL, 20000, 24000, 'b');
	emit(0, CALL, 10000, 90000, 's');
	ck_assert_str_eq(STEP(.by_duration = true), "run/1:2000-9000");
	ck_assert_str_eq(STEP(.by_duration = true, THAN(2000, 9000)), "call/0:1000-5000");
	ck_assert_str_eq(STEP(.by_duration = true, THAN(1000, 5000)), "call/1:20000-24000");
	ck_assert_str_eq(STEP(.by_duration = true, THAN(20000, 24000)), "call/0:6000-7000");
	ck_assert_str_eq(STEP(.by_duration = true, THAN(6000, 7000)), "");
	ck_assert_str_eq(STEP(.by_duration = true, .back = true, THAN(6000, 7000)), "call/1:20000-24000");
	ck_assert_str_eq(STEP(.by_duration = true, .back = true, THAN(20000, 24000)), "call/0:1000-5000");
	ck_assert_str_eq(STEP(.by_duration = true, .back = true, THAN(2000, 9000)), "");
	ck_assert_str_eq(STEP(.by_duration = true, .from_ns = 9001), "call/1:20000-24000");
}
END_TEST

/* The longest is on the last of all tracks that a screen may have; what is much shorter is not even looked at. */
START_TEST(over_all_tracks)
{
	struct rs_slowest_span found;

	for (unsigned int cpu = 0; cpu < RS_STEP_TRACKS; cpu++)
		for (uint64_t i = 0; i < 20; i++)
			emit(cpu, CALL, 1000 * i + cpu, 1000 * i + cpu + 100, 'a');
	emit(RS_STEP_TRACKS - 1, CALL, 100000, 100500, 'b');
	ck_assert(step_over((struct rs_step){ .by_duration = true }, RS_STEP_TRACKS, RS_STEP_TRACKS * RS_NR_SPAN_SHAPES, &found));
	ck_assert_uint_eq(found.ref.id, RS_STEP_TRACKS - 1);
	ck_assert_uint_eq(found.span.start_ns, 100000);
	ck_assert_uint_le(step_turns, 20); /* 18 rounds from 2^42 to 2^8, each a turn long, and one span */
	ck_assert(step_over((struct rs_step){ .by_duration = true, THAN(100000, 100500) }, RS_STEP_TRACKS, 1000, &found));
	ck_assert_uint_eq(found.span.end_ns, 100); /* of those as long the first that ended */
	ck_assert(!step_over((struct rs_step){ .by_duration = true }, 0, 1000, &found));
}
END_TEST

/* Beside a plain search: many ends alike, any turn, forward and back. */
START_TEST(as_a_plain_search)
{
	emit_many();
	for (unsigned int n = 0; n < 300; n++) {
		const struct rs_timeline_span *than = &emitted[random_below(nr_emitted)].span, *best = NULL;
		struct rs_step step = { .than_known = true, .than = *than, .back = n & 1, .min_ns = random_below(1 << 18) };
		struct rs_slowest_span found;
		bool any;

		for (size_t i = 0; i < nr_emitted; i++) {
			const struct rs_timeline_span *s = &emitted[i].span;
			bool nearer = step.back ? by_end(s, than) < 0 && (!best || by_end(s, best) > 0) :
						  by_end(s, than) > 0 && (!best || by_end(s, best) < 0);

			if (nearer && s->end_ns - s->start_ns >= step.min_ns)
				best = s;
		}
		any = step_over(step, NR_CPUS, 1 + random_below(50), &found);
		ck_assert(any == (best != NULL));
		ck_assert(!any || (found.span.start_ns == best->start_ns && found.span.end_ns == best->end_ns));
	}
}
END_TEST

static int longer_first(const struct rs_timeline_span *a, const struct rs_timeline_span *b)
{
	uint64_t a_ns = a->end_ns - a->start_ns, b_ns = b->end_ns - b->start_ns;

	return a_ns != b_ns ? (a_ns > b_ns ? -1 : 1) : by_end(a, b);
}

/* The same by length: of no sleep, wherever a turn ends, from the longest on and to longer ones. */
START_TEST(by_length_as_a_plain_search)
{
	emit_many();
	for (unsigned int n = 0; n < 200; n++) {
		const struct rs_timeline_span *than = &emitted[random_below(nr_emitted)].span, *best = NULL;
		struct rs_step step = { .than_known = n % 5 != 0, .than = *than, .back = n & 1, .by_duration = true };
		struct rs_slowest_span found;
		bool any;

		for (size_t i = 0; i < nr_emitted; i++) {
			const struct rs_timeline_span *s = &emitted[i].span;
			int way = step.back ? -1 : 1;

			if ((s->kind == CALL && is_sleep(NULL, s->arg)) || (step.than_known && way * longer_first(s, than) <= 0))
				continue;
			if (!best || way * longer_first(s, best) < 0)
				best = s;
		}
		any = step_over(step, NR_CPUS, 1 + random_below(50), &found);
		ck_assert(any == (best != NULL));
		ck_assert(!any || (found.span.start_ns == best->start_ns && found.span.end_ns == best->end_ns));
	}
}
END_TEST

Suite *rs_suite_latency_dist(void)
{
	Suite *s = suite_create("latency-dist");
	TCase *c = tcase_create("spread");

	tcase_add_checked_fixture(c, begin, end);
	tcase_add_test(c, histograms);
	tcase_add_test(c, heat_maps);
	tcase_add_test(c, time_of_a_cell);
	tcase_add_test(c, heat_rows);
	tcase_add_test(c, the_slowest);
	tcase_add_test(c, what_makes_no_sense);
	tcase_add_test(c, the_slowest_of_each_kind);
	tcase_add_test(c, one_after_the_other);
	tcase_add_test(c, by_duration);
	tcase_add_test(c, over_all_tracks);
	tcase_add_test(c, as_a_plain_search);
	tcase_add_test(c, by_length_as_a_plain_search);
	suite_add_tcase(s, c);
	return s;
}
