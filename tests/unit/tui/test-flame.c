// SPDX-License-Identifier: GPL-2.0-or-later
/* test-flame - the flame graph's screen: what is asked, what is drawn, keys and mouse */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

/*
 * main 100 = 10 itself + read 60 (of it copy 20) + write 30; all of sh. In 60 columns read has 36, write 18, copy 12.
 * Off-CPU: poll waited 3 ms for disk, 1 ms for a lock.
 */
#define TEXTS "\"texts\":[\"\",\"main\",\"read\",\"copy\",\"write\",\"sh.so\",\"[kernel]\"]"
#define ON "\"interval\":1,\"from_ns\":101000000000,\"to_ns\":102000000000,\"rows\":[],\"frames\":[[0,0,0,0,0],[0,1,5,0,10],[2,2,5,0,40],[3,3,6,0,20],[2,4,5,0,30]]," TEXTS

static const struct reply replies[] = {
	REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"]]"),
	REPLY("rows", "\"view\":\"profile-stacks\"", ON),
	REPLY("rows", "\"view\":\"wait-stacks\"",
	      "\"interval\":1,\"from_ns\":101000000000,\"to_ns\":102000000000,\"rows\":[],\"frames\":[[0,0,0,0,0],[0,1,2,3,3000000],[0,4,2,5,1000000]],"
	      "\"texts\":[\"\",\"poll\",\"[kernel]\",\"disk\",\"mutex\",\"lock\"]"),
	{ 0 },
};

static struct stage *begin_with(const struct reply *with, int height)
{
	struct stage *s = rs_stage_new_file(height, 60, "work", with);

	rs_stage_text(s);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('f'));
	rs_stage_text(s);
	rs_stage_settle(s);
	return s;
}

static struct stage *begin(void)
{
	return begin_with(replies, 12);
}

START_TEST(drawn)
{
	struct stage *s = begin();

	check_asked(s, "\"op\":\"rows\",\"view\":\"profile-stacks\",\"where\":\"pid == 7\",\"by\":[\"pid\",\"stack\"],\"limit\":1,\"tree\":true}");
	check_screen(s, 3, " on-CPU  100 samples  1.00s from 1.000000 s",
		     "|all", "|main", "|read                               |write",
		     "|copy", "", "",
		     " 100.0 % (96.3 to 100.0)   total 100   self 0   all");
	rs_stage_free(s);
}
END_TEST

START_TEST(arrows)
{
	struct stage *s = begin();

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN));
	/* 60 of 100: after Wilson 50.2 to 69.1 */
	check_screen(s, 10, " 60.0 % (50.2 to 69.1)   total 60   self 40   read (sh.so)");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT));
	check_screen(s, 10, " 30.0 % (21.9 to 39.6)   total 30   self 30   write (sh.so)");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT, RS_KEY_LEFT, RS_KEY_DOWN));
	check_screen(s, 10, " 20.0 % (13.3 to 28.9)   total 20   self 20   copy ([kernel~");
	rs_stage_keys(s, KEYS(RS_KEY_UP, RS_KEY_UP));
	check_screen(s, 10, " 100.0 % (96.3 to 100.0)   total 100   self 10   main (sh.s~");
	rs_stage_free(s);
}
END_TEST

/* Of 100, 60 are in read and 20 of them in copy: as the flame graph above. Of everything: the screen. */
START_TEST(copied_as_folded_text)
{
	struct stage *s = begin();

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN, 'y'));
	ck_assert_str_eq(rs_stage_app(s)->copied.data, "    main;read 60\n");
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, 'y'));
	ck_assert_str_eq(rs_stage_app(s)->copied.data, "    main;read;copy 20\n");
	rs_stage_keys(s, KEYS(RS_KEY_UP, RS_KEY_UP, RS_KEY_UP, 'y'));
	ck_assert_ptr_nonnull(strstr(rs_stage_app(s)->copied.data, "100 samples"));
	rs_stage_free(s);
}
END_TEST

/* Zoomed to read: its callers take whole lines, copy is a third of it. Backspace goes out, then closes the screen. */
START_TEST(zoom)
{
	struct stage *s = begin();

	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_ENTER));
	check_screen(s, 4, "|all", "|main", "|read", "|copy", "");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE));
	check_screen(s, 4, "|all", "|main", "|read                               |write", "|copy");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE));
	check_way(s, "work", "all of the file");
	rs_stage_free(s);
}
END_TEST

START_TEST(search)
{
	struct stage *s = begin();

	rs_stage_keys(s, KEYS('/'));
	rs_stage_type(s, "R");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	/* read and write, and copy, which is in [kernel] and counts with read */
	check_screen(s, 3, " on-CPU  100 samples  1.00s from 1.000000 s  \"R\": 90.0 %, 3");
	ck_assert_int_eq(rs_stage_style(s, 6, 3), RS_STYLE_PATH);
	rs_stage_keys(s, KEYS('n', 'n'));
	check_screen(s, 10, " 30.0 % (21.9 to 39.6)   total 30   self 30   write (sh.so)");
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE));
	check_screen(s, 3, " on-CPU  100 samples  1.00s from 1.000000 s", "|all");
	rs_stage_free(s);
}
END_TEST

/* A click selects, a second one zooms. */
START_TEST(mouse)
{
	struct stage *s = begin();

	rs_stage_mouse(s, RS_KEY_MOUSE, 6, 40);
	check_screen(s, 10, " 30.0 % (21.9 to 39.6)   total 30   self 30   write (sh.so)");
	rs_stage_mouse(s, RS_KEY_MOUSE, 6, 40);
	check_screen(s, 4, "|all", "|main", "|write", "");
	rs_stage_mouse(s, RS_KEY_MOUSE_DOUBLE, 5, 10);
	check_screen(s, 4, "|all", "|main", "|read                               |write");
	rs_stage_mouse(s, RS_KEY_WHEEL_DOWN, 5, 10);
	check_screen(s, 10, " 20.0 % (13.3 to 28.9)   total 20   self 20   copy ([kernel~");
	rs_stage_free(s);
}
END_TEST

/* Fewer lines than levels: the selected one stays in sight. Of 40 columns read has 24, copy 8. */
START_TEST(scrolls_and_resizes)
{
	static const struct reply deep[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"]]"),
		REPLY("rows", "\"view\":\"profile-stacks\"",
		      "\"interval\":1,\"from_ns\":101000000000,\"to_ns\":102000000000,\"rows\":[],\"frames\":[[0,0,0,0,0],[0,1,5,0,10],[2,2,5,0,40],[3,3,6,0,0],"
		      "[2,4,5,0,30],[4,1,5,0,10],[6,2,5,0,10]]," TEXTS),
		{ 0 },
	};
	struct stage *s = begin_with(deep, 10);

	check_screen(s, 4, "|all", "|main", "|read                               |write", "|copy");
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_DOWN));
	check_screen(s, 4, "|main", "|read                               |write", "|copy", "|main");
	rs_stage_resize(s, 12, 40);
	check_screen(s, 4, "|all", "|main", "|read                   |write", "|copy", "|main", "|r..");
	rs_stage_resize(s, 3, 2);
	rs_stage_text(s);
	rs_stage_resize(s, 12, 60);
	check_screen(s, 4, "|all");
	rs_stage_free(s);
}
END_TEST

/* Both: 29 and 30 columns. Off-CPU is colored by what was waited for. */
START_TEST(side_by_side)
{
	struct stage *s = begin();

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('X', 'X'));
	check_asked(s, "\"view\":\"wait-stacks\",\"where\":\"pid == 7 && type == \\\"off-cpu\\\"\",\"by\":[\"pid\",\"type\",\"stack\"]");
	check_screen(s, 3, " on-CPU  100 samples  1.00s f  off-CPU  4.00ms  1.00s from 1", "|all                          |all",
		     "|main                         |poll                 |mutex", "|read            |write");
	ck_assert_int_eq(rs_stage_style(s, 5, 32), RS_STYLE_FRAME + RS_CAUSE_DISK);
	rs_stage_keys(s, KEYS(RS_KEY_TAB, RS_KEY_DOWN));
	check_screen(s, 10, " 75.0 %   total 3.00ms   self 3.00ms   poll ([kernel])   wa~");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('K'));
	check_asked(s, "type == \\\"run-queue\\\"");
	rs_stage_free(s);
}
END_TEST

/* Half of what comes next is in write, which had 30 %: red. read had 60 % and has 50 %: blue. */
START_TEST(compared)
{
	static const struct reply later[] = {
		REPLY("rows", "\"view\":\"profile-stacks\"",
		      "\"interval\":2,\"from_ns\":103000000000,\"to_ns\":103500000000,\"rows\":[],\"frames\":[[0,0,0,0,0],[0,1,5,0,0],[2,2,5,0,10],[2,4,5,0,10]]," TEXTS),
		{ 0 },
	};
	struct stage *s = begin();

	rs_stage_keys(s, KEYS('D'));
	rs_stage_replies(s, later);
	rs_stage_keys(s, KEYS('['));
	check_screen(s, 3, " on-CPU  20 samples  500ms from 3.000000 s  compared with 1.", "|all", "|main", "|-read                           |+write");
	ck_assert_int_eq(rs_stage_style(s, 6, 3), RS_STYLE_LESS + 2);
	ck_assert_int_eq(rs_stage_style(s, 6, 36), RS_STYLE_MORE + 2);
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_RIGHT));
	check_screen(s, 10, " 50.0 % (+20.0, was 30.0 %)   total 10   self 10   write (s~");
	rs_stage_free(s);
}
END_TEST

START_TEST(malformed)
{
	static const struct reply wrong[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,\"waits\"]]"),
		REPLY("rows", "\"view\":\"profile-stacks\"", "\"rows\":[],\"frames\":[[2,1,0,0,5]],\"texts\":[\"\",\"a\"]"),
		{ 0 },
	};
	struct stage *s = begin_with(wrong, 12);

	check_screen(s, 3, " on-CPU  ! profile-stacks: malformed answer");
	rs_stage_storm(s, 1, 300);
	rs_stage_free(s);
}
END_TEST

START_TEST(storm)
{
	struct stage *s = begin();

	rs_stage_storm(s, (unsigned int)_i, 400);
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_flame(void)
{
	Suite *s = suite_create("flame");
	TCase *t = tcase_create("flame");

	tcase_add_test(t, drawn);
	tcase_add_test(t, arrows);
	tcase_add_test(t, copied_as_folded_text);
	tcase_add_test(t, zoom);
	tcase_add_test(t, search);
	tcase_add_test(t, mouse);
	tcase_add_test(t, scrolls_and_resizes);
	tcase_add_test(t, side_by_side);
	tcase_add_test(t, compared);
	tcase_add_test(t, malformed);
	tcase_add_loop_test(t, storm, 1, 4);
	suite_add_tcase(s, t);
	return s;
}
