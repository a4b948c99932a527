// SPDX-License-Identifier: GPL-2.0-or-later
/* test-overview-folds - rows of the overview that stand for many: of one name, of one control group */
#include <check.h>
#include <string.h>

#include "overview-replies.h"

/* A row that stands for many says how many, in its column's width; Enter lists those. */
START_TEST(folded)
{
	static const struct reply some[] = {
		STATE("1", "5000", "40"),
		REPLY("rows", "\"view\":\"procs\"",
		      "\"of\":1336,\"total\":1336,\"rows\":[[\"true\",null,900,null,null],[\"sh\",7,800,\"ssh.service\",\"/bin/sh -c x\\u001b[2J\"],[\"kworker/u8:2-ev\",null,700,null,null]],\"folded\":[312,1,1023]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(true, 14, 60, some);

	check_screen(s, 3, "Procs                PID  RUN(ms)", "true x312              -    0.001", "sh                     7    0.001",
		     "kworker/u8 x1023       -    0.001");
	check_asked(s, "\"view\":\"procs\",\"fold\":\"comm\",\"limit\":64");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"view\":\"procs\",\"where\":\"comm == \\\"true\\\"\"");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_DOWN, RS_KEY_ENTER)); /* one that is itself: all about it */
	check_way(s, "overview > sh (7)", "all of the file");
	ck_assert_msg(strstr(rs_stage_text(s), "\n /bin/sh -c x\\x1B[2J\n"), "%s", rs_stage_text(s));
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_DOWN, RS_KEY_ENTER)); /* whose name is cut: by all of it */
	check_asked(s, "\"where\":\"comm == \\\"kworker/u8:2-ev\\\"\"");
	rs_stage_free(s);
}
END_TEST

/* U folds processes into their control groups, and unfolds them; Enter on a group lists its processes. */
START_TEST(groups)
{
	static const struct reply some[] = {
		STATE("1", "5000", "40"),
		REPLY("rows", "\"by\":[\"unit\"]",
		      "\"of\":2,\"total\":2,\"rows\":[[null,null,900000,\"ssh.service\",null],[null,null,800000,\"docker 3f2a1b4c5d6e\",null]]"),
		REPLY("rows", "\"view\":\"procs\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,800000,\"ssh.service\",null]]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(true, 14, 60, some);

	check_screen(s, 3, "Procs                PID  RUN(ms)", "sh                     7    0.800");
	rs_stage_keys(s, KEYS('U'));
	check_asked(s, "\"view\":\"procs\",\"by\":[\"unit\"],\"limit\":64");
	check_screen(s, 3, "Control groups", "ssh.service", "docker 3f2a1b4c5d6e");
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"where\":\"unit == \\\"ssh.service\\\"\"");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, 'U'));
	check_screen(s, 3, "Procs                PID  RUN(ms)", "sh                     7    0.800");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_overview_folds(void);
Suite *rs_suite_overview_folds(void)
{
	Suite *s = suite_create("overview_folds");
	TCase *t = tcase_create("overview_folds");

	tcase_add_test(t, folded);
	tcase_add_test(t, groups);
	suite_add_tcase(s, t);
	return s;
}
