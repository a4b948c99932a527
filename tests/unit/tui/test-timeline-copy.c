// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-copy - y on the timeline, and on the distribution of what is selected there */
#include <check.h>
#include <string.h>

#include "timeline-stage.h"

#define COPY_HEADING \
	"| TASK | STATE | BEGIN | LENGTH | WOKEN BY | CULPRIT |\n" \
	"| --- | --- | ---: | ---: | --- | --- |\n"

static const struct reply copied[] = {
	TRACKS, REPLY("spans", NULL, PICTURE), REPLY("step", NULL, SPAN_OF("")),
	REPLY("span", NULL, SPAN_OF(",\"waker\":{\"track\":\"task:8.0\",\"tid\":8,\"comm\":\"m|ke\",\"at_ns\":103100000000}")),
	REPLY("rows", "critical-path", "\"view\":\"critical-path\",\"of\":2,\"total\":2,\"rows\":["
	      "[\"sh\",7,7,0,\"read\",100750000000,104000000000,3250000000,\"pipe\",null,\"make\",\"sh reads\",2100000000],"
	      "[\"make\",7,8,0,\"write\",101000000000,103100000000,2100000000,null,null,null,\"make writes\",null]]"),
	REPLY("kinds", NULL, "\"kinds\":[{\"kind\":1,\"cause\":null,\"count\":5,\"total_ns\":12500}]"),
	REPLY("latencies", NULL, "\"count\":5,\"avg_ns\":2500,\"max_ns\":7000,\"buckets\":[[1024,2048,4],[2048,4096,0],[4096,8192,1]]"),
	{ 0 },
};

static struct stage *copy_stage(void)
{
	struct stage *s = timeline_stage_begin();

	rs_stage_replies(s, copied);
	return s;
}

/* Nothing is selected: what is seen. Then the call, its waker's name escaped; with the path of the call its culprit. */
START_TEST(a_span)
{
	struct stage *s = copy_stage();

	rs_stage_keys(s, KEYS('y'));
	ck_assert_ptr_nonnull(strstr(rs_stage_app(s)->copied.data, "**timeline**\n\n    250ms a cell"));
	rs_stage_keys(s, KEYS('n'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('y'));
	ck_assert_str_eq(rs_stage_app(s)->copied.data,
			 COPY_HEADING
			 "| sh (7) | job read | 0.750000 s | 3.25s | m\\|ke (8) | - |\n"
			 "\n    ringside work -i /tmp/a/trace.dat -t 7 --where 'what == read' --from @100.750000000 --to @104.000000000\n");
	rs_stage_keys(s, KEYS('c'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('y'));
	ck_assert_ptr_nonnull(strstr(rs_stage_app(s)->copied.data, " | m\\|ke (8) | make |\n"));
	rs_stage_free(s);
}
END_TEST

/* A link without a wait has its own length. */
START_TEST(a_path)
{
	struct stage *s = copy_stage();

	rs_stage_keys(s, KEYS('n', 'c'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS(RS_KEY_ESCAPE, 'y'));
	ck_assert_str_eq(rs_stage_app(s)->copied.data,
			 COPY_HEADING
			 "| sh (7) | pipe | 0.750000 s | 2.10s | make (8) | make |\n"
			 "| make (8) | write | 1.000000 s | 2.10s | - | - |\n"
			 "\n    ringside critical-path -i /tmp/a/trace.dat -t 7 --from @100.750000000 --to @104.000000000\n");
	rs_stage_free(s);
}
END_TEST

START_TEST(a_distribution)
{
	struct stage *s = copy_stage();

	rs_stage_keys(s, KEYS('n'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('h'));
	rs_stage_text(s);
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('y'));
	ck_assert_str_eq(rs_stage_app(s)->copied.data,
			 "**job read of sh (7)**\n\n"
			 "| FROM | TO | COUNT |\n| ---: | ---: | ---: |\n"
			 "| 1.02us | 2.05us | 4 |\n| 2.05us | 4.10us | 0 |\n| 4.10us | 8.19us | 1 |\n"
			 "\n5   avg 2.50us   max 7.00us\n"
			 "\n    ringside work -i /tmp/a/trace.dat -t 7 --where 'what == read'\n");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_timeline_copy(void)
{
	Suite *s = suite_create("timeline-copy");
	TCase *t = tcase_create("timeline-copy");

	tcase_add_test(t, a_span);
	tcase_add_test(t, a_path);
	tcase_add_test(t, a_distribution);
	suite_add_tcase(s, t);
	return s;
}
