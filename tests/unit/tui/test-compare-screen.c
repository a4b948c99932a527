// SPDX-License-Identifier: GPL-2.0-or-later
/* test-compare-screen - two times of a timeline: which are asked for, and what changed between them */
#include <check.h>
#include <string.h>

#include "timeline-stage.h"

#define CHANGES \
	"\"a_ns\":500000000,\"b_ns\":250000000,\"lost_a_ns\":0,\"lost_b_ns\":10000000,\"compared\":3," \
	"\"undetermined\":1,\"processes\":[{\"process\":\"sh\",\"verdict\":\"slower\",\"text\":\"sh: 8.00ms for " \
	"each read instead of 3.00ms: +5.00ms timer\",\"evidence\":\"95 %: +4.90ms to +5.10ms\",\"unit\":\"read\"," \
	"\"a_ns\":3000000,\"b_ns\":8000000,\"change_ns\":5000000}],\"rows\":[{\"view\":\"syscall-latency\"," \
	"\"key\":\"sh read\",\"verdict\":\"new\",\"rate_a_milli\":0,\"rate_b_milli\":9,\"p50_a_ns\":null," \
	"\"p50_b_ns\":8000000,\"p99_a_ns\":null,\"p99_b_ns\":9000000,\"cost_ns\":-1000000}]"

START_TEST(two_times_of_a_timeline)
{
	static const struct reply replies[] = {
		TRACKS, REPLY("spans", NULL, PICTURE), REPLY("compare", NULL, CHANGES), { 0 },
	};
	struct stage *s = timeline_stage_begin_with(replies);

	rs_stage_keys(s, KEYS('g', 'm', RS_KEY_RIGHT, RS_KEY_RIGHT, 'm', 'D'));
	check_screen(s, 3, "250ms a cell AAv0                |5.0");
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT, 'm', RS_KEY_RIGHT, 'm', 'D'));
	check_asked(s, "\"from_ns\":100750000000,\"to_ns\":101000000000,"
		       "\"before\":{\"from_ns\":100000000000,\"to_ns\":100500000000}");
	check_screen(s, 3, "A: 0.000000 s to 0.500000 s, 500ms",
		     "B: 0.750000 s to 1.000000 s, 250ms, 10.0ms left out:",
		     "PROCESS           VERDICT    CHANGE        A        B",
		     "sh                slower    +5.00ms   3.00ms   8.00ms");
	check_screen(s, 14, "sh: 8.00ms for each read instead of 3.00ms: +5.00ms", "timer",
		     "95 %: +4.90ms to +5.10ms");
	rs_stage_keys(s, KEYS(RS_KEY_TAB));
	check_screen(s, 5, "KEY               VERDICT    COST/s    p50 A    p50 B",
		     "sh read           new       -1.00ms        -   8.00ms");
	rs_stage_keys(s, KEYS('q', 'D')); /* it is the next one that is compared with A, too */
	check_asked(s, "\"op\":\"compare\"");
	rs_stage_free(s);
}
END_TEST

START_TEST(no_difference)
{
	static const struct reply replies[] = {
		TRACKS, REPLY("spans", NULL, PICTURE),
		REPLY("compare", NULL, "\"compared\":3,\"undetermined\":0,\"processes\":[],\"rows\":[]"), { 0 },
	};
	struct stage *s = timeline_stage_begin_with(replies);

	rs_stage_keys(s, KEYS('g', 'm', RS_KEY_RIGHT, 'm', 'D', 'm', RS_KEY_RIGHT, 'm', 'D'));
	check_screen(s, 6, "no difference found: none of 3 processes takes", "longer, or less, for its work");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_compare_screen(void);
Suite *rs_suite_compare_screen(void)
{
	Suite *s = suite_create("compare-screen");
	TCase *t = tcase_create("all");

	tcase_add_test(t, two_times_of_a_timeline);
	tcase_add_test(t, no_difference);
	suite_add_tcase(s, t);
	return s;
}
