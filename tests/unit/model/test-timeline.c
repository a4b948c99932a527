// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline - spans on tracks: cases by hand (test-timeline-random.c lays thousands beside a plain array) */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "model/timeline.h"

static struct rs_timeline *tl;
static uint32_t track;

static void set_up(void)
{
	struct rs_error err = { 0 };

	tl = rs_timeline_new(1 << 20, 0, &err);
	ck_assert_msg(tl != NULL, "%s", err.text);
	track = rs_timeline_track(tl, 1, 7);
}

static void tear_down(void)
{
	rs_timeline_free(tl);
}

static bool emit_arg(uint64_t start_ns, uint64_t end_ns, uint16_t kind, uint64_t arg)
{
	return rs_timeline_add_span(tl, track, &(struct rs_timeline_span){ start_ns, end_ns, arg, kind,
									   false });
}

static bool emit(uint64_t start_ns, uint64_t end_ns)
{
	return emit_arg(start_ns, end_ns, 0, 0);
}

static char text[4096];

static bool write_span(void *arg, const struct rs_timeline_span *s)
{
	size_t len = strlen(text);

	snprintf(text + len, sizeof text - len, "%s%llu-%llu", len ? " " : "", (unsigned long long)s->start_ns,
		 (unsigned long long)s->end_ns);
	return true;
}

/* "10-20 15-30": what a window shows. */
static const char *window_of(uint32_t of, uint64_t from_ns, uint64_t to_ns, uint64_t min_duration_ns)
{
	*text = '\0';
	rs_timeline_query(tl, of, &(struct rs_timeline_range){ from_ns, to_ns, min_duration_ns }, write_span, NULL);
	return text;
}

static const char *window(uint64_t from_ns, uint64_t to_ns)
{
	return window_of(track, from_ns, to_ns, 0);
}

static struct rs_timeline_stats stats(void)
{
	struct rs_timeline_stats s;

	rs_timeline_stats(tl, &s);
	return s;
}

START_TEST(a_window_shows_what_it_shares_a_moment_with)
{
	emit(10, 20);
	emit(20, 30);
	emit(5, 40); /* around both */
	ck_assert_str_eq(window(0, 5), "");        /* the window ends where it begins */
	ck_assert_str_eq(window(0, 6), "5-40");
	ck_assert_str_eq(window(20, 21), "20-30 5-40"); /* 10-20 ends as the window begins */
	ck_assert_str_eq(window(19, 20), "10-20 5-40");
	ck_assert_str_eq(window(30, 35), "5-40");
	ck_assert_str_eq(window(40, 50), "");
	ck_assert_str_eq(window(0, UINT64_MAX), "10-20 20-30 5-40");
}
END_TEST

START_TEST(a_moment_without_length_is_shown_where_it_lies)
{
	emit(10, 10);
	ck_assert_str_eq(window(10, 11), "10-10");
	ck_assert_str_eq(window(9, 10), "");
	ck_assert_str_eq(window(11, 12), "");
	ck_assert_str_eq(window(10, 10), ""); /* no time at all */
	ck_assert_str_eq(window(12, 10), "");
}
END_TEST

START_TEST(kind_and_argument_come_back_whole)
{
	struct rs_timeline_span s;

	emit_arg(1, 5, 65535, UINT64_MAX);
	ck_assert(rs_timeline_at(tl, track, 4, &s));
	ck_assert_uint_eq(s.start_ns, 1);
	ck_assert_uint_eq(s.end_ns, 5);
	ck_assert_uint_eq(s.kind, 65535);
	ck_assert_uint_eq(s.arg, UINT64_MAX);
	ck_assert(!s.longer);
}
END_TEST

START_TEST(what_is_no_span_is_refused)
{
	ck_assert(!emit(20, 19));
	ck_assert(!emit(UINT64_MAX, 0));
	ck_assert(!emit(0, UINT64_MAX));
	ck_assert(!emit(UINT64_MAX, UINT64_MAX));
	ck_assert(emit(0, 0));
	ck_assert(emit(UINT64_MAX - 1, UINT64_MAX - 1));
	ck_assert_uint_eq(stats().nr_refused, 4);
	ck_assert_uint_eq(stats().nr_emitted, 2);
	ck_assert_str_eq(window(0, UINT64_MAX), "0-0 18446744073709551614-18446744073709551614");
}
END_TEST

/* 2^48 - 1 = 281474976710655: the end stays, the start is the latest that it can have been. */
START_TEST(a_span_too_long_is_kept_as_its_end)
{
	struct rs_timeline_span s;

	ck_assert(emit(1, 281474976710655));                /* a nanosecond less */
	ck_assert(emit(0, 281474976710655));                /* just as long: may be longer for all that is kept */
	ck_assert(emit(0, UINT64_MAX - 1));
	ck_assert_uint_eq(stats().nr_longer, 2);
	ck_assert(rs_timeline_nearest(tl, track, false, NULL, 0, NULL, NULL, &s));
	ck_assert_uint_eq(s.start_ns, 0);
	ck_assert(s.longer);
	ck_assert(rs_timeline_nearest(tl, track, false, &s, 0, NULL, NULL, &s));
	ck_assert_uint_eq(s.start_ns, 1);
	ck_assert(!s.longer);
	ck_assert(rs_timeline_nearest(tl, track, false, &s, 0, NULL, NULL, &s));
	ck_assert_uint_eq(s.end_ns, UINT64_MAX - 1);
	ck_assert_uint_eq(s.start_ns, UINT64_MAX - 1 - 281474976710655);
	ck_assert(s.longer);
	ck_assert(!rs_timeline_nearest(tl, track, false, &s, 0, NULL, NULL, &s));
}
END_TEST

START_TEST(the_innermost_span_at_a_moment)
{
	struct rs_timeline_span s;

	emit(20, 30);
	emit(10, 40);
	emit(10, 50);
	ck_assert(rs_timeline_at(tl, track, 25, &s) && s.start_ns == 20);
	ck_assert(rs_timeline_at(tl, track, 30, &s) && s.end_ns == 40); /* 20-30 is over; 10-40 is inside 10-50 */
	ck_assert(rs_timeline_at(tl, track, 45, &s) && s.end_ns == 50);
	ck_assert(!rs_timeline_at(tl, track, 9, &s));
	ck_assert(!rs_timeline_at(tl, track, 50, &s));
	ck_assert(!rs_timeline_at(tl, track, UINT64_MAX, &s));
}
END_TEST

static bool is_kind(void *arg, const struct rs_timeline_span *s)
{
	return s->kind == *(const uint16_t *)arg;
}

START_TEST(next_and_previous_slowest)
{
	struct rs_timeline_span s = { 0 };
	uint16_t two = 2;

	emit_arg(0, 5, 1, 0);
	emit_arg(3, 20, 2, 0); /* 17 long */
	emit_arg(1, 20, 1, 0); /* 19 long, ends with it: after it by their starts */
	emit_arg(19, 22, 1, 0);
	emit_arg(0, 90, 2, 0);
	ck_assert(rs_timeline_nearest(tl, track, false, NULL, 10, NULL, NULL, &s) && s.start_ns == 1);
	ck_assert(rs_timeline_nearest(tl, track, false, &s, 10, NULL, NULL, &s) && s.start_ns == 3);
	ck_assert(rs_timeline_nearest(tl, track, false, &s, 10, NULL, NULL, &s) && s.end_ns == 90);
	ck_assert(!rs_timeline_nearest(tl, track, false, &s, 10, NULL, NULL, &s));
	ck_assert(rs_timeline_nearest(tl, track, true, &s, 10, NULL, NULL, &s) && s.start_ns == 3);
	ck_assert(rs_timeline_nearest(tl, track, true, &s, 10, NULL, NULL, &s) && s.start_ns == 1);
	ck_assert(!rs_timeline_nearest(tl, track, true, &s, 10, NULL, NULL, &s));
	ck_assert(rs_timeline_nearest(tl, track, false, NULL, 10, is_kind, &two, &s) && s.start_ns == 3);
	ck_assert(rs_timeline_nearest(tl, track, true, NULL, 0, is_kind, &two, &s) && s.end_ns == 90);
	ck_assert(rs_timeline_nearest(tl, track, true, NULL, 0, NULL, NULL, &s) && s.end_ns == 90);
	/* from a place where none is */
	s = (struct rs_timeline_span){ .start_ns = 50, .end_ns = 60 };
	ck_assert(rs_timeline_nearest(tl, track, true, &s, 0, NULL, NULL, &s) && s.end_ns == 22);
}
END_TEST

START_TEST(short_ones_are_left_out_where_asked)
{
	for (uint64_t i = 0; i < 1000; i++)
		emit(i * 10, i * 10 + (i == 500 ? 10 : 3));
	ck_assert_str_eq(window_of(track, 0, UINT64_MAX, 4), "5000-5010");
}
END_TEST

/* Two hundred short spans in five chunks, and one in the middle that began before all of them. */
START_TEST(a_long_span_is_found_from_within)
{
	for (uint64_t i = 1; i <= 200; i++)
		emit(i == 150 ? 5 : i * 10, i * 10 + 9);
	ck_assert_str_eq(window(305, 312), "300-309 310-319 5-1509");
}
END_TEST

START_TEST(a_span_that_comes_late_is_put_in_its_place)
{
	for (uint64_t i = 0; i < 100; i++)
		emit(i * 10, i * 10 + 5);
	emit(97, 986); /* into the tail, from far before it */
	emit(2, 3);    /* before all, into a full chunk, which is split */
	emit(11, 12);
	emit(404, 405);
	ck_assert_str_eq(window(0, 15), "2-3 0-5 11-12 10-15");
	ck_assert_str_eq(window(400, 410), "400-405 404-405 97-986"); /* equal ends: as they were laid */
	ck_assert_str_eq(window(980, 995), "980-985 97-986 990-995");
	ck_assert_uint_eq(stats().nr_spans, 104);
	ck_assert_uint_eq(stats().nr_late, 4);
}
END_TEST

START_TEST(tracks_are_apart_and_in_order)
{
	struct rs_timeline_track list[3];
	uint32_t other = rs_timeline_track(tl, 1, 6), cpu = rs_timeline_track(tl, 0, 7);

	rs_timeline_track(tl, 0, 1); /* without spans: not shown */
	ck_assert_uint_eq(rs_timeline_track(tl, 1, 7), track);
	ck_assert_uint_eq(rs_timeline_find(tl, 1, 6), other);
	ck_assert_uint_eq(rs_timeline_find(tl, 2, 6), 0);
	emit(1, 2);
	rs_timeline_add_span(tl, other, &(struct rs_timeline_span){ .start_ns = 3, .end_ns = 4 });
	rs_timeline_add_span(tl, cpu, &(struct rs_timeline_span){ .start_ns = 5, .end_ns = 6 });
	ck_assert_str_eq(window(0, 100), "1-2");
	ck_assert_str_eq(window_of(other, 0, 100, 0), "3-4");
	ck_assert_uint_eq(rs_timeline_tracks(tl, list, 2), 3);
	ck_assert_uint_eq(rs_timeline_tracks(tl, list, 3), 3);
	ck_assert_uint_eq(list[0].number, cpu);
	ck_assert_uint_eq(list[1].number, other);
	ck_assert_uint_eq(list[2].number, track);
}
END_TEST

START_TEST(a_number_that_is_none)
{
	struct rs_timeline_span s;

	track = 0;
	ck_assert(!emit(1, 2));
	track = UINT32_MAX;
	ck_assert(!emit(1, 2));
	ck_assert_str_eq(window(0, 100), "");
	ck_assert(!rs_timeline_at(tl, track, 1, &s));
	ck_assert(!rs_timeline_nearest(tl, track, false, NULL, 0, NULL, NULL, &s));
	ck_assert(!rs_timeline_nearest(tl, track, true, NULL, 0, NULL, NULL, &s));
}
END_TEST

START_TEST(more_tracks_than_there_is_room_for)
{
	struct rs_timeline_stats s;
	uint32_t first = track, nr = 0;

	emit(1, 2);
	for (uint64_t id = 100; !stats().nr_tracks_expired && nr < 1u << 20; id++, nr++) {
		track = rs_timeline_track(tl, 1, id);
		ck_assert(emit(id, id + 1));
	}
	/* the one that ended first went, with its span, and its number is no task's */
	s = stats();
	ck_assert_uint_eq(s.nr_evicted, 1);
	ck_assert_uint_eq(s.whole_after_ns, 2);
	ck_assert_uint_eq(rs_timeline_find(tl, 1, 7), 0);
	track = first;
	ck_assert(!emit(1, 2));
	ck_assert_uint_eq(s.nr_spans, nr);
	ck_assert_uint_eq(s.nr_tracks, nr);
}
END_TEST

START_TEST(the_earliest_end_of_all_tracks_goes_first)
{
	uint32_t quiet = track, busy = rs_timeline_track(tl, 1, 8), slow = rs_timeline_track(tl, 1, 9);

	emit(1, 1000); /* one span, and then no more */
	track = slow;
	emit(1500, 1500); /* its chunk is taken before the busy one's, and goes on for as long */
	for (uint64_t i = 0; !stats().nr_evicted; i++) {
		track = busy;
		emit(2000 + i, 2001 + i);
		track = slow;
		if (!(i % 100))
			emit(2000 + i, 2001 + i);
	}
	ck_assert_str_eq(window_of(quiet, 0, UINT64_MAX, 0), "");
	ck_assert_uint_eq(stats().nr_evicted, 1);
	ck_assert_uint_eq(stats().whole_after_ns, 1000);
	while (stats().nr_evicted == 1) {
		track = busy;
		emit(1u << 30, 1u << 30);
	}
	ck_assert_uint_eq(stats().whole_after_ns, 2040); /* the first 40 of the busy one */
	ck_assert_str_eq(window_of(slow, 1500, 2001, 0), "1500-1500 2000-2001");
}
END_TEST

/* Nothing of what a track had is left, its chunks are others', and it begins anew; late ones too. */
START_TEST(a_track_that_was_emptied_begins_anew)
{
	uint32_t first = track, other = rs_timeline_track(tl, 1, 8);

	for (uint64_t i = 0; i < 100; i++)
		emit(i, i + 1);
	track = other;
	while (*window_of(first, 0, UINT64_MAX, 0))
		emit(5000, 6000);
	track = first;
	emit(40, 50);
	emit(10, 20);
	ck_assert_str_eq(window(0, UINT64_MAX), "10-20 40-50");
	for (uint64_t i = 0; i < 100; i++)
		emit(7000 + i, 7000 + i);
	emit(7030, 7031);
	ck_assert_str_eq(window(7029, 7032), "7029-7029 7030-7030 7031-7031 7030-7031");
}
END_TEST

/* Chunks of a time that is held stay, those before and after go; up to half of all, and until it is held no more. */
START_TEST(what_is_held_stays)
{
	uint32_t quiet = track, busy = rs_timeline_track(tl, 1, 8);
	uint64_t nr_evicted;

	emit(1000, 3000); /* a chunk of its own */
	track = busy;
	for (uint64_t i = 1; i <= 400; i++)
		emit(10 * i, 10 * i); /* ten chunks: 10..400, 410..800, ... */
	rs_chunk_hold(tl, 850, 1210); /* in the third and the fourth, 810..1200 and 1210..1600, and in the quiet one */
	for (uint64_t i = 401; i < 100000; i++)
		emit(10 * i, 10 * i);
	ck_assert_str_eq(window_of(quiet, 0, UINT64_MAX, 0), "1000-3000");
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 0, 10000), 80);
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 810, 1601), 80);
	ck_assert_uint_gt(stats().whole_after_ns, 10000); /* of what is not held */
	emit(900, 900); /* late, into a held one, which is full and splits */
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 810, 1601), 81);
	nr_evicted = stats().nr_evicted;
	rs_chunk_hold(tl, UINT64_MAX, 0);
	ck_assert_uint_eq(stats().nr_evicted, nr_evicted); /* until their place is needed */
	for (uint64_t i = 100000; i < 100400; i++)
		emit(10 * i, 10 * i);
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 0, 10000), 0);
	ck_assert_str_eq(window_of(quiet, 0, UINT64_MAX, 0), "");
	/* more than half of all: its latest part, and the rest goes on */
	for (uint64_t i = 100400; i < 150000; i++)
		emit(10 * i, 10 * i);
	rs_chunk_hold(tl, 0, 1490000);
	for (uint64_t i = 150000; i < 300000; i++)
		emit(10 * i, 10 * i);
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 2999990, 2999991), 1);
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 1390000, 1490000), 10000);
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 1500400, 2000000), 0);
	ck_assert_uint_eq(rs_timeline_count(tl, busy, 0, 1000000), 0);
}
END_TEST

START_TEST(what_is_older_than_the_age_goes)
{
	struct rs_error err = { 0 };

	rs_timeline_free(tl);
	tl = rs_timeline_new(1 << 20, 1000, &err);
	track = rs_timeline_track(tl, 1, 1);
	for (uint64_t i = 0; i < 80; i++)
		emit(i, i + 1); /* two chunks: 1..40, 41..80 */
	rs_chunk_expire(tl, 1040);
	ck_assert_uint_eq(stats().nr_evicted, 0);
	rs_chunk_expire(tl, 1041);
	ck_assert_uint_eq(stats().nr_evicted, 40);
	ck_assert_uint_eq(stats().whole_after_ns, 40);
	emit(5000, 5000); /* a new chunk is wanted: the other one is too old by then */
	ck_assert_uint_eq(stats().nr_evicted, 80);
	ck_assert_str_eq(window(0, UINT64_MAX), "5000-5000");
	rs_chunk_expire(tl, 0);
	ck_assert_uint_eq(stats().nr_spans, 1);
}
END_TEST

START_TEST(a_window_too_small_is_refused)
{
	struct rs_error err = { 0 };

	ck_assert_ptr_null(rs_timeline_new(RS_TIMELINE_MIN_BYTES - 1, 0, &err));
	ck_assert_int_eq(err.status, RS_USAGE);
	ck_assert_str_eq(err.text, "a window of 65535 bytes is too small (65536 is the least)");
	err = (struct rs_error){ 0 };
	ck_assert_ptr_null(rs_timeline_new(SIZE_MAX / 2, 0, &err));
	ck_assert_int_eq(err.status, RS_FAILED);
	ck_assert_uint_le(stats().size_bytes, 1 << 20);
}
END_TEST

Suite *rs_suite_timeline(void)
{
	Suite *s = suite_create("timeline");
	TCase *t = tcase_create("timeline");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, a_window_shows_what_it_shares_a_moment_with);
	tcase_add_test(t, a_moment_without_length_is_shown_where_it_lies);
	tcase_add_test(t, kind_and_argument_come_back_whole);
	tcase_add_test(t, what_is_no_span_is_refused);
	tcase_add_test(t, a_span_too_long_is_kept_as_its_end);
	tcase_add_test(t, the_innermost_span_at_a_moment);
	tcase_add_test(t, next_and_previous_slowest);
	tcase_add_test(t, short_ones_are_left_out_where_asked);
	tcase_add_test(t, a_long_span_is_found_from_within);
	tcase_add_test(t, a_span_that_comes_late_is_put_in_its_place);
	tcase_add_test(t, tracks_are_apart_and_in_order);
	tcase_add_test(t, a_number_that_is_none);
	tcase_add_test(t, more_tracks_than_there_is_room_for);
	tcase_add_test(t, the_earliest_end_of_all_tracks_goes_first);
	tcase_add_test(t, a_track_that_was_emptied_begins_anew);
	tcase_add_test(t, what_is_held_stays);
	tcase_add_test(t, what_is_older_than_the_age_goes);
	tcase_add_test(t, a_window_too_small_is_refused);
	suite_add_tcase(s, t);
	return s;
}
