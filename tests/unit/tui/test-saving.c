// SPDX-License-Identifier: GPL-2.0-or-later
/* test-saving - what the screens write to files: a time range of the window, and the screen itself */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui-stage.h"

static const struct reply rows[] = {
	REPLY("rows", "\"view\":\"work\"", "\"from_ns\":109000000000,\"to_ns\":110000000000,\"interval\":1,\"of\":2,\"total\":2,"
	      "\"rows\":[[\"sh\",7,null,1500000,3,\"waits\"],[\"make\",8,9,1000,null,\"re\\\"ads\"]]"),
	{ 0 },
};

static char folder[] = "/tmp/ringside-test-XXXXXX";

static void enter_folder(void)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(system(command), 0);
}

/* What is selected first of the times, in the format with that letter. */
static void save_as(struct stage *s, const char *path)
{
	rs_stage_keys(s, KEYS('e'));
	if (strstr(rs_stage_text(s), " save  (type"))
		rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	rs_stage_keys(s, KEYS('t', RS_KEY_ENTER, 'u' & 0x1f));
	rs_stage_type(s, path);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
}

static const struct reply saves[] = {
	REPLY("save", "\"format\":\"trace.dat\"", "\"bytes\":2048,\"events\":1234"),
	{ 0 },
};

START_TEST(saving_a_span)
{
	struct stage *s = rs_stage_new(14, 64, "work", saves);

	rs_stage_keys(s, KEYS('['));
	rs_stage_asked(s);
	save_as(s, "a.dat");
	check_screen(s, 12, " a.dat: 2.00KiB, 1,234 events");
	check_asked(s, "\"format\":\"trace.dat\",\"from_ns\":109000000000,\"to_ns\":110000000000");
	ck_assert_int_eq(access("a.dat", F_OK), 0);
	save_as(s, "a.dat"); /* not unasked */
	check_screen(s, 12, "a.dat exists. Write over it? (y/n)");
	rs_stage_keys(s, KEYS('n', RS_KEY_ENTER));
	check_not_asked(s, "\"op\":\"save\",\"format\":\"trace.dat\",\"from_ns\":109000000000,\"to_ns\":110000000000}\n{");
	save_as(s, "a.dat");
	rs_stage_keys(s, KEYS('y', RS_KEY_ENTER));
	check_screen(s, 12, " a.dat: 2.00KiB, 1,234 events");
	save_as(s, "no/such/folder");
	check_screen(s, 12, " no/such/folder: No such file or directory");
	save_as(s, "/dev/null");
	rs_stage_keys(s, KEYS('y', RS_KEY_ENTER));
	check_screen(s, 12, " /dev/null: not a file");
	rs_stage_free(s);
}
END_TEST

/* Each time there is with its length and size; the one that is selected is what is saved. */
START_TEST(times_to_be_saved)
{
	static const struct reply sizes[] = {
		REPLY("rows", NULL, "\"from_ns\":109000000000,\"to_ns\":110000000000,\"of\":0,\"total\":0,\"rows\":[]"),
		REPLY("size", "\"from_ns\":104000000000", "\"bytes\":5242880"),
		REPLY("size", "\"from_ns\":109000000000", "\"bytes\":1048576"),
		REPLY("size", NULL, "\"bytes\":67108864"),
		REPLY("pin", NULL, "\"from_ns\":104000000000,\"to_ns\":110000000000,\"bytes\":5242880"),
		REPLY("state", NULL, "\"now_ns\":110000000000,\"interval\":2,\"pin\":{\"from_ns\":104000000000,"
		      "\"to_ns\":110000000000,\"bytes\":5242880}"),
		REPLY("save", "\"format\":\"trace.dat\"", "\"bytes\":2048,\"events\":1234"), { 0 },
	};
	struct stage *s = rs_stage_new(14, 80, "work", sizes);

	rs_stage_keys(s, KEYS(' ', 'e'));
	check_screen(s, 4, " the time shown     1.00s       ~1.00MiB  from 9.000000 s",
		     " what is pinned     6.00s       ~5.00MiB  from 4.000000 s",
		     " all                10.0s       ~64.0MiB");
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_ENTER, 't', RS_KEY_ENTER));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "save what is pinned as: ringside-"));
	rs_stage_keys(s, KEYS('u' & 0x1f));
	rs_stage_type(s, "p.dat");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"format\":\"trace.dat\",\"from_ns\":104000000000,\"to_ns\":110000000000");
	rs_stage_free(s);
}
END_TEST

START_TEST(what_cannot_be_saved_leaves_no_file)
{
	static const struct reply refused[] = { REFUSAL("save", NULL, "save: too dear (ask for less)"), { 0 } };
	struct stage *s = rs_stage_new(14, 64, "work", refused);

	save_as(s, "b.dat");
	check_screen(s, 12, " save: too dear (ask for less)");
	ck_assert_int_ne(access("b.dat", F_OK), 0);
	rs_stage_free(s);
}
END_TEST

START_TEST(the_screen_to_a_file)
{
	struct stage *s = rs_stage_new(14, 64, "work", rows);
	char text[100] = "";
	FILE *f;

	rs_stage_keys(s, KEYS('P'));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), " this screen is in ringside-"));
	f = popen("sed -n 4p ringside-*.txt", "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(fgets(text, sizeof text, f));
	pclose(f);
	ck_assert_str_eq(text, "sh           7    1.500      3 waits\n");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_saving(void);
Suite *rs_suite_saving(void)
{
	Suite *s = suite_create("saving");
	TCase *t = tcase_create("saving");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, enter_folder, leave_folder);
	tcase_add_test(t, saving_a_span);
	tcase_add_test(t, times_to_be_saved);
	tcase_add_test(t, what_cannot_be_saved_leaves_no_file);
	tcase_add_test(t, the_screen_to_a_file);
	suite_add_tcase(s, t);
	return s;
}
