// SPDX-License-Identifier: GPL-2.0-or-later
/* test-pause - what a pause keeps of the time that is seen, and what is said when it cannot */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

#define WORK \
	"\"from_ns\":109000000000,\"to_ns\":110000000000,\"interval\":1,\"of\":2,\"total\":2," \
	"\"rows\":[[\"sh\",7,null,1500000,3,\"waits\"],[\"make\",8,9,1000,null,\"re\\\"ads\"]]"

static const struct reply rows[] = {
	REPLY("rows", "\"view\":\"work\"", WORK),
	REPLY("rows", "\"view\":\"log\"", "\"of\":9,\"total\":1,\"rows\":[[101000000000,\"sh\",7,null]]"),
	REPLY("rows", "\"view\":\"dist\"", "\"of\":0,\"total\":0,\"rows\":[]"),
	{ 0 },
};

#define PIN_MEMBERS "\"from_ns\":104000000000,\"to_ns\":110000000000,\"bytes\":5000000"
#define PIN "{" PIN_MEMBERS "}"
#define MOVED_ON "\"now_ns\":150000000000,\"oldest_ns\":130000000000,\"interval\":9,\"events\":1,\"lost\":0"

START_TEST(pause_keeps_what_is_seen)
{
	static const struct reply later[] = {
		REPLY("state", NULL, "\"now_ns\":115000000000,\"interval\":5,\"events\":1,\"lost\":0,\"pin\":" PIN),
		REPLY("rows", NULL, "\"of\":0,\"total\":0,\"rows\":[]"),
		{ 0 },
	};
	static const struct reply pinned[] = {
		REPLY("pin", "\"from_ns\":105000000000,\"to_ns\":110000000000", /* what a timeline shows, too */
		      PIN_MEMBERS),
		REPLY("unpin", NULL, ""), { 0 },
	};
	struct stage *s = rs_stage_new(14, 64, "work", rows);
	const char *asked;

	rs_stage_replies(s, pinned);
	rs_stage_keys(s, KEYS(' '));
	rs_stage_asked(s);
	rs_stage_replies(s, later);
	rs_stage_later(s, 2000000000);
	check_not_asked(s, "rows");
	check_way(s, "work", "PAUSED at 10.000000 s, pinned");
	check_screen(s, 5, "sh           7    1.500      3 waits");
	rs_stage_keys(s, KEYS('r')); /* what is asked is of the time that is seen */
	check_asked(s, "\"from_ns\":109000000000,\"to_ns\":110000000000");
	rs_stage_keys(s, KEYS(' '));
	asked = rs_stage_asked(s);
	ck_assert_ptr_nonnull(strstr(asked, "\"op\":\"unpin\""));
	ck_assert_ptr_nonnull(strstr(asked, "\"limit\":500}"));
	check_way(s, "work", "live 15.000000 s");
	rs_stage_free(s);
}
END_TEST

/* A reply about now that was on its way when Space was pressed is of a later time than that of the pause. */
START_TEST(a_late_answer_changes_nothing)
{
	static const struct reply later[] = {
		REPLY("rows", NULL, "\"from_ns\":110000000000,\"to_ns\":111000000000,\"of\":0,\"total\":0,\"rows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 64, "work", rows);

	rs_stage_key_unanswered(s, 'r'); /* asks for the rows */
	rs_stage_replies(s, later);
	rs_stage_key_unanswered(s, ' ');
	rs_stage_settle(s);
	check_screen(s, 5, "sh           7    1.500      3 waits");
	check_way(s, "work", "PAUSED at 10.000000 s, not pinned");
	rs_stage_free(s);
}
END_TEST

/* What is pinned is older than the window: steps stay in it, or say that they leave it. */
START_TEST(steps_in_what_is_pinned)
{
	static const struct reply pinned[] = {
		REPLY("pin", NULL, PIN_MEMBERS), REPLY("rows", NULL, "\"of\":0,\"total\":0,\"rows\":[]"),
		REPLY("state", NULL, MOVED_ON ",\"pin\":" PIN), { 0 },
	};
	struct stage *s = rs_stage_new(14, 80, "work", rows);

	rs_stage_replies(s, pinned);
	rs_stage_keys(s, KEYS(' '));
	rs_stage_later(s, 2000000000);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('['));
	check_asked(s, "\"from_ns\":108000000000,\"to_ns\":109000000000");
	check_way(s, "work", "PAST 8.000000 s to 9.000000 s, pinned");
	rs_stage_keys(s, KEYS('[', '[', '[', '[', '['));
	check_asked(s, "\"from_ns\":104000000000,\"to_ns\":105000000000"); /* its begin: no earlier */
	rs_stage_keys(s, KEYS(']', ']', ']', ']', ']', ']'));
	check_way(s, "work", "PAST 9.000000 s to 10.000000 s, pinned");
	check_screen(s, 12, " what is between the pinned time and the window has expired");
	rs_stage_free(s);
}
END_TEST

/* Never another time in silence. */
START_TEST(a_lost_pin_is_said)
{
	static const struct reply lost[] = {
		REPLY("pin", NULL, PIN_MEMBERS), REPLY("rows", NULL, "\"of\":0,\"total\":0,\"rows\":[]"),
		REPLY("state", NULL, MOVED_ON ",\"pin\":null"), { 0 },
	}, shorter[] = {
		REPLY("pin", NULL, "\"from_ns\":109500000000,\"to_ns\":110000000000,\"bytes\":5000000"),
		REPLY("rows", NULL, "\"of\":0,\"total\":0,\"rows\":[]"),
		REPLY("state", NULL, MOVED_ON ",\"pin\":{\"from_ns\":109500000000,\"to_ns\":110000000000,\"bytes\":5}"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 110, "work", rows);

	rs_stage_replies(s, lost);
	rs_stage_keys(s, KEYS(' '));
	rs_stage_later(s, 2000000000);
	check_way(s, "work", "PAUSED at 10.000000 s, expired");
	rs_stage_free(s);
	s = rs_stage_new(14, 110, "work", rows);
	rs_stage_replies(s, shorter);
	rs_stage_keys(s, KEYS(' '));
	check_screen(s, 12, " pinned from 9.500000 s on only, 4.77MiB: at most half of the window can be (a larger --window)");
	check_way(s, "work", "PAUSED at 10.000000 s, pinned in part");
	rs_stage_free(s);
}
END_TEST

/* The line of data quality is that of the time which the pause names, however the capture goes on. */
START_TEST(pause_has_the_quality_of_its_moment)
{
	static const struct reply later[] = {
		REPLY("state", NULL, "\"now_ns\":115000000000,\"interval\":5,\"events\":999,\"lost\":5"),
		REPLY("rows", "\"to_ns\":110000000000",
		      WORK ",\"quality\":{\"events\":7,\"unmatched\":1,\"discarded\":2,\"from_ns\":109000000000,\"to_ns\":110000000000}"),
		{ 0 },
	};
	struct stage *s = rs_stage_new(14, 80, "work", rows);

	check_screen(s, 1, "", "");
	rs_stage_replies(s, later);
	rs_stage_keys(s, KEYS(' '));
	check_screen(s, 1, " 1.00 s  7 events  lost 0  unmatched 1  discarded 2  inferred 0  in flight 0");
	rs_stage_later(s, 2000000000);
	check_screen(s, 1, " 1.00 s  7 events  lost 0  unmatched 1  discarded 2  inferred 0  in flight 0");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_pause(void);
Suite *rs_suite_pause(void)
{
	Suite *s = suite_create("pause");
	TCase *t = tcase_create("all");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, pause_keeps_what_is_seen);
	tcase_add_test(t, a_late_answer_changes_nothing);
	tcase_add_test(t, steps_in_what_is_pinned);
	tcase_add_test(t, a_lost_pin_is_said);
	tcase_add_test(t, pause_has_the_quality_of_its_moment);
	suite_add_tcase(s, t);
	return s;
}
