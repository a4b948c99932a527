// SPDX-License-Identifier: GPL-2.0-or-later
/* test-tracks - the names of tracks, both ways, and names that are none */
#include <check.h>

#include "query/tracks.h"

static const struct {
	const char *name;
	struct rs_track_ref ref;
} names[] = {
	{ "cpu:0", { RS_TRACK_CPU, 0 } },
	{ "cpu:4294967295", { RS_TRACK_CPU, UINT32_MAX } },
	{ "task:4242.7", { RS_TRACK_TASK, UINT64_C(4242) << 32 | 7 } },
	{ "disk:8:16", { RS_TRACK_DISK, 8 << 20 | 16 } },
	{ "disk:4095:1048575", { RS_TRACK_DISK, UINT32_MAX } },
	{ "connection:65538", { RS_TRACK_CONNECTION, 65538 } },
	{ "connection:18446744073709551615", { RS_TRACK_CONNECTION, UINT64_MAX } },
};

START_TEST(both_ways)
{
	struct rs_track_ref ref;
	char name[RS_TRACK_NAME];

	ck_assert_msg(rs_track_read(names[_i].name, &ref), "%s", names[_i].name);
	ck_assert_int_eq(ref.of, names[_i].ref.of);
	ck_assert_uint_eq(ref.id, names[_i].ref.id);
	rs_track_name(&names[_i].ref, name);
	ck_assert_str_eq(name, names[_i].name);
}
END_TEST

static const char *const wrong[] = {
	"", "cpu", "cpu:", "cpu:x", "cpu:-1", "cpu: 1", "cpu:4294967296", "cpu:1 ", "task:1", "task:1.", "task:2147483648.0", "task:1.4294967296",
	"disk:8", "disk:8:", "disk:4096:0", "disk:8:1048576", "connection:18446744073709551616", "connection:99999999999999999999", "net:1",
};

START_TEST(no_track)
{
	struct rs_track_ref ref;

	ck_assert_msg(!rs_track_read(wrong[_i], &ref), "%s", wrong[_i]);
}
END_TEST

Suite *rs_suite_tracks(void);
Suite *rs_suite_tracks(void)
{
	Suite *s = suite_create("tracks");
	TCase *t = tcase_create("names");

	tcase_add_loop_test(t, both_ways, 0, sizeof names / sizeof *names);
	tcase_add_loop_test(t, no_track, 0, sizeof wrong / sizeof *wrong);
	suite_add_tcase(s, t);
	return s;
}
