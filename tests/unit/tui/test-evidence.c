// SPDX-License-Identifier: GPL-2.0-or-later
/* test-evidence - why a sentence is true, and what the window has of a task that has ended */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

#define STATE \
	REPLY("state", NULL, "\"now_ns\":110000000000,\"oldest_ns\":100000000000,\"events\":5,\"lost\":0,\"interval\":1")
#define FINDING(text, brief) \
	REPLY("findings", NULL, "\"findings\":[{\"weight\":800,\"text\":\"" text "\",\"brief\":" brief ",\"view\":\"works\",\"where\":\"pid == 7\"," \
	      "\"evidence\":[{\"view\":\"log\",\"sort\":null,\"where\":\"pid == 7\",\"by\":null}," \
	      "{\"view\":\"nowhere\",\"sort\":null,\"where\":null,\"by\":null}," \
	      "{\"view\":\"work\",\"sort\":\"-calls\",\"where\":null,\"by\":\"what\"}]}]")
#define ROWS_OF_EACH \
	REPLY("rows", "\"view\":\"log\"", "\"of\":9,\"total\":1,\"rows\":[[101000000000,\"sh\",7,null]]"), \
	REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]")

#define SLOWEST(label, comm, on, id) \
	REPLY("worst", NULL, "\"worst\":[{\"kind\":1,\"start_ns\":102000000000,\"end_ns\":103000000000,\"label\":\"" label "\"," on \
	      "\"comm\":\"" comm "\",\"pid\":" id ",\"tid\":" id "}]")

/* The overview of these answers, a second after its begin. */
static struct stage *evidence_stage(int height, int width, const struct reply *replies)
{
	struct stage *s = rs_stage_new_overview(false, height, width, replies);

	rs_stage_later(s, 1000000000);
	return s;
}

/* The views in the order that the sentence gives them, one that is not there left out; Enter opens one as it is here. */
START_TEST(the_cause_first)
{
	static const struct reply all[] = { STATE, FINDING("sh (7) waits 80 % of its busy time for disk vda", "null"), ROWS_OF_EACH, { 0 } };
	struct stage *s = evidence_stage(16, 80, all);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	const char *asked = rs_stage_asked(s), *log = strstr(asked, "\"view\":\"log\",\"where\":\"pid == 7\""),
		   *work = strstr(asked, "\"view\":\"work\",\"sort\":\"-calls\",\"by\":[\"what\"]");

	ck_assert_msg(log && work && log < work, "%s", asked);
	check_way(s, "overview > why", "live 10.000000 s");
	check_screen(s, 3, " sh (7) waits 80 % of its busy time for disk vda", "",
		     ">log  1 row  pid == 7", "   TIME(s) COMM       PID", "  1.000000 sh           7", "",
		     " work      PID  RUN(ms)  CALLSvWHAT  1 row  who did what", "sh           7    1.500      3 -");
	rs_stage_keys(s, KEYS(RS_KEY_DOWN, RS_KEY_ENTER));
	check_asked(s, "\"view\":\"work\",\"sort\":\"-calls\",\"by\":[\"what\"]");
	check_way(s, "overview > why > work", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* Where the sentence does not fit its brief form does; what is cut is that one's end, and it says so. */
START_TEST(brief_where_there_is_little_room)
{
	static const struct reply all[] = {
		STATE, FINDING("tasks waited 295 ms (27 times) for the rwsem:R mm, last let go by cc (9)", "\"rwsem:R mm, let go by cc (9): 295 ms waited\""),
		{ 0 },
	};
	struct stage *s = evidence_stage(12, 90, all);

	check_screen(s, 4, "            tasks waited 295 ms (27 times) for the rwsem:R mm, last let go by cc (9)");
	rs_stage_resize(s, 12, 60);
	check_screen(s, 4, "            rwsem:R mm, let go by cc (9): 295 ms waited");
	rs_stage_resize(s, 12, 40);
	check_screen(s, 4, "            rwsem:R mm, let go by cc (9~");
	rs_stage_free(s);
}
END_TEST

/* In Slowest the number goes first, then the kind: what it is stays whole. */
START_TEST(what_it_is_stays)
{
	static const struct reply all[] = {
		STATE, SLOWEST("WS 16384", "disker", "\"on\":\"sda\",", "42401"), { 0 },
	};
	struct stage *s = evidence_stage(12, 64, all);

	check_screen(s, 4, "   1.00s job              disker  WS 16384 on sda      7.00s ago");
	rs_stage_resize(s, 12, 48); /* the blanks that keep rows alike have gone, too */
	check_screen(s, 4, "   1.00s job disker  WS 16384 on sda");
	rs_stage_resize(s, 12, 40);
	check_screen(s, 4, "   1.00s job disker  WS 16384 on sda");
	rs_stage_free(s);
}
END_TEST

/* Of what is stuck the arguments go before who it is, and never what it waits at; number and kind go for the call's name. */
START_TEST(a_stuck_task_stays)
{
	static const struct reply all[] = {
		STATE, REPLY("open", NULL, "\"now_ns\":110000000000,\"open\":[{\"kind\":\"call\",\"pid\":42401,\"tid\":42401,\"comm\":\"disker\","
			     "\"what\":\"read(3</srv/slow/fifo>, 0x7ffc00112233, 4096): in D, at pipe_read\",\"since_ns\":109500000000}]"), { 0 },
	};
	struct stage *s = evidence_stage(12, 64, all);

	check_screen(s, 4, "   500ms call     disker (42401)  read(3</s~: in D, at pipe_read");
	rs_stage_resize(s, 12, 50);
	check_screen(s, 4, "   500ms call disker  read(3<~: in D, at pipe_read");
	rs_stage_resize(s, 12, 44);
	check_screen(s, 4, "   500ms disker  read(3~: in D, at pipe_read");
	rs_stage_free(s);
}
END_TEST

/* All panels are empty now: its track says that it was there from 105 s to 106 s, and they are asked of that time. */
START_TEST(ended)
{
	static const struct reply all[] = {
		STATE,
		SLOWEST("x", "sh", "", "7"),
		REPLY("tracks", "\"pid\":7", "\"tracks\":[{\"track\":\"task:8.0\",\"tid\":8,\"pid\":7},{\"track\":\"task:7.1\",\"tid\":7,\"pid\":7}]"),
		REPLY("step", "\"back\":true", "\"span\":{\"track\":\"task:7.1\",\"start_ns\":105500000000,\"end_ns\":106000000000}"),
		REPLY("step", "\"by\":\"end\"}", "\"span\":{\"track\":\"task:7.1\",\"start_ns\":105000000000,\"end_ns\":105100000000}"),
		REPLY("rows", "\"to_ns\":106000000001", "\"of\":1,\"total\":1,\"rows\":[[105500000000,\"sh\",7,null]],\"from_ns\":105000000000,\"to_ns\":106000000001"),
		{ 0 },
	};
	struct stage *s = evidence_stage(16, 80, all);

	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	for (int i = 0; i < 4; i++)
		rs_stage_settle(s);
	check_asked(s, "\"view\":\"log\",\"where\":\"pid == 7\",\"limit\":20,\"from_ns\":105000000000,\"to_ns\":106000000001}");
	check_way(s, "overview > sh (7), ended", "live 10.000000 s");
	ck_assert(strstr(rs_stage_text(s), "log  1 row"));
	rs_stage_asked(s);
	rs_stage_later(s, 2000000000); /* it does not change any more */
	check_not_asked(s, "rows");
	rs_stage_free(s);
}
END_TEST

/* Nothing is kept of it: that is said. */
START_TEST(ended_and_forgotten)
{
	static const struct reply all[] = {
		STATE,
		SLOWEST("x", "sh", "", "7"),
		REPLY("tracks", NULL, "\"tracks\":[]"), { 0 },
	};
	struct stage *s = evidence_stage(16, 80, all);

	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	rs_stage_settle(s);
	ck_assert(strstr(rs_stage_text(s), "it has ended, and the window has nothing of it any more"));
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_evidence(void)
{
	Suite *s = suite_create("evidence");
	TCase *t = tcase_create("evidence");

	tcase_add_test(t, the_cause_first);
	tcase_add_test(t, brief_where_there_is_little_room);
	tcase_add_test(t, what_it_is_stays);
	tcase_add_test(t, a_stuck_task_stays);
	tcase_add_test(t, ended);
	tcase_add_test(t, ended_and_forgotten);
	suite_add_tcase(s, t);
	return s;
}
