// SPDX-License-Identifier: GPL-2.0-or-later
/* test-html-slices - the slices of a page: which there are, and their numbers */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "export/html/html-slices.h"

#define SLEEPS { .state = 10, .waker = RS_HTML_INTERRUPT, .part = RS_NR_PARTS }

static void slices_begin(struct rs_html_slices *s)
{
	memset(s, 0, sizeof *s);
	ck_assert(rs_html_slices_init(s, 4));
}

static void slices_add_some(struct rs_html_slices *s, unsigned int track, unsigned int nr, uint64_t len_ns)
{
	const struct rs_html_kind kind = SLEEPS;

	for (unsigned int i = 0; i < nr; i++)
		if (rs_html_slices_takes(s, track, len_ns))
			rs_html_slices_add(s, track, i * len_ns, (i + 1) * len_ns, &kind);
}

static unsigned int slices_nr(const struct rs_html_slices *s, unsigned int track)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		nr += s->at[i].track == track && s->at[i].use == s->tracks[track].use;
	return nr;
}

static unsigned int slices_nr_of(const struct rs_html_slices *s, uint64_t len_ns)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		nr += s->at[i].to_ns - s->at[i].from_ns == len_ns;
	return nr;
}

static void slices_check_put(struct rs_html_slices *s, size_t max_bytes, const char *expected)
{
	const struct rs_html_drawn drawn[] = {
		{ .track = 3, .cpu = 0, .y = 20 },
		{ .track = 0, .cpu = -1, .party = rs_html_slices_party(s, &(struct rs_html_party){ "a\x1b", "p", 7, 6 }), .y = 50 },
	};
	struct rs_buf out = RS_BUF_INIT;
	struct rs_json j;

	rs_json_init(&j, &out);
	rs_json_open(&j, '{');
	rs_html_slices_put(s, drawn, 2, 1000, max_bytes, &j);
	rs_json_close(&j, '}');
	if (expected)
		ck_assert_str_eq(out.data, expected);
	else
		ck_assert_uint_le(out.len, max_bytes + 2);
	rs_buf_done(&out);
}

/* Of a track: the time since the slice before, the length, the kind. Names are printable. Track 1 is not drawn. */
START_TEST(slices_as_numbers)
{
	struct rs_html_slices s;
	struct rs_html_kind kind = SLEEPS;
	char expected[512];

	slices_begin(&s);
	rs_html_slices_add(&s, 0, 1500, 1600, &kind);
	rs_html_slices_add(&s, 1, 1500, 9000, &kind);
	rs_html_slices_add(&s, 0, 1600, 1900, &(struct rs_html_kind){ .state = 1, .part = RS_NR_PARTS, .cpu = 1 });
	kind.culprit = rs_html_slices_party(&s, &(struct rs_html_party){ "b", "b", 8, 8 });
	kind.part = 3;
	rs_html_slices_add(&s, 0, 2000, 2001, &kind);
	snprintf(expected, sizeof expected,
		 "{\"tracks\":[{\"cpu\":0,\"y\":20,\"shorter_ns\":0,\"slices\":[]},"
		 "{\"inks\":\"0233331330100301\",\"party\":1,\"y\":50,\"shorter_ns\":0,\"slices\":[500,100,0,0,300,1,100,1,2]}],"
		 "\"kinds\":[[10,0,2,0,%d,0,0],[1,0,0,0,%d,1,0],[10,0,2,3,3,0,0]],"
		 "\"parties\":[[\"unknown\",0,0,\"\"],[\"a\\\\x1B\",7,6,\"p\"],[\"an interrupt\",0,0,\"\"],[\"b\",8,8,\"b\"]]}",
		 RS_NR_PARTS, RS_NR_PARTS);
	slices_check_put(&s, 10000, expected);
	rs_html_slices_done(&s);
}
END_TEST

/* The track of many gives up its shortest: of track 0 those of 100 ns; the three of track 1 are shorter, and stay. */
START_TEST(long_slices_stay)
{
	struct rs_html_slices s;

	slices_begin(&s);
	slices_add_some(&s, 1, 3, 10);
	slices_add_some(&s, 0, 50, 5000);
	slices_add_some(&s, 0, RS_HTML_SLICES - 53, 100);
	ck_assert_uint_eq(s.nr, RS_HTML_SLICES);
	slices_add_some(&s, 0, 1, 100);
	ck_assert_uint_eq(s.nr, RS_HTML_SLICES / 2);
	ck_assert_uint_eq(slices_nr(&s, 1), 3);
	ck_assert_uint_eq(slices_nr_of(&s, 5000), 50);
	ck_assert(!rs_html_slices_takes(&s, 0, 100) && rs_html_slices_takes(&s, 0, 101) && rs_html_slices_takes(&s, 1, 1));
	slices_add_some(&s, 0, 2 * RS_HTML_SLICES, 101);
	ck_assert_uint_eq(s.tracks[0].least_ns, 101);
	ck_assert_uint_eq(slices_nr(&s, 0), RS_HTML_SLICES / 2 - 3);
	rs_html_slices_done(&s);
}
END_TEST

/* Room comes first of all from the slices of who had the track before. */
START_TEST(a_track_is_reused)
{
	struct rs_html_slices s;

	slices_begin(&s);
	slices_add_some(&s, 0, RS_HTML_SLICES / 2, 100);
	rs_html_slices_reuse(&s, 0);
	slices_add_some(&s, 0, RS_HTML_SLICES / 2 + 10, 7);
	ck_assert_uint_eq(slices_nr(&s, 0), RS_HTML_SLICES / 2 + 10);
	ck_assert_uint_eq(s.nr, RS_HTML_SLICES / 2 + 10);
	ck_assert_uint_eq(s.tracks[0].least_ns, 0);
	rs_html_slices_done(&s);
}
END_TEST

START_TEST(no_more_bytes_than_asked)
{
	struct rs_html_slices s;

	slices_begin(&s);
	slices_add_some(&s, 0, 1000, 100);
	slices_check_put(&s, 2000, NULL);
	ck_assert_uint_gt(slices_nr(&s, 0), 100);
	rs_html_slices_done(&s);
}
END_TEST

static void slices_count(void *arg, int32_t tid)
{
	*(int *)arg += tid;
}

/* Of the slices of track 0 in 1000..2000: that at 1999, which 8 woke, and 9 had what it waited for. */
START_TEST(parties_of_a_time)
{
	struct rs_html_kind kind = SLEEPS;
	struct rs_html_slices s;
	int sum = 0;

	slices_begin(&s);
	kind.waker = rs_html_slices_party(&s, &(struct rs_html_party){ "c", "", 100, 0 });
	rs_html_slices_add(&s, 0, 0, 1000, &kind);
	rs_html_slices_add(&s, 0, 2000, 3000, &kind);
	rs_html_slices_add(&s, 1, 1000, 2000, &kind);
	kind.waker = rs_html_slices_party(&s, &(struct rs_html_party){ "b", "", 8, 0 });
	kind.culprit = rs_html_slices_party(&s, &(struct rs_html_party){ "b", "", 9, 0 });
	rs_html_slices_add(&s, 0, 1999, 2000, &kind);
	rs_html_slices_visit(&s, 0, 1000, 2000, slices_count, &sum);
	ck_assert_int_eq(sum, 17);
	ck_assert_int_eq(memcmp(rs_html_slices_kind_at(&s, 0, 1999), &kind, sizeof kind), 0);
	ck_assert_ptr_null(rs_html_slices_kind_at(&s, 0, 1998));
	rs_html_slices_done(&s);
}
END_TEST

Suite *rs_suite_html_slices(void)
{
	Suite *s = suite_create("html-slices");
	TCase *t = tcase_create("html-slices");

	tcase_add_test(t, slices_as_numbers);
	tcase_add_test(t, long_slices_stay);
	tcase_add_test(t, a_track_is_reused);
	tcase_add_test(t, no_more_bytes_than_asked);
	tcase_add_test(t, parties_of_a_time);
	suite_add_tcase(s, t);
	return s;
}
