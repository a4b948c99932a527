// SPDX-License-Identifier: GPL-2.0-or-later
/* test-timeline-order - which tracks come first on the timeline */
#include <check.h>
#include <string.h>

#include "tui-stage.h"

#define TASK(tid, pid, label, spans, kernel) \
	"{\"track\":\"task:" #tid ".0\",\"of\":\"task\",\"label\":\"" label "\",\"pid\":" #pid ",\"tid\":" #tid \
	",\"kernel_thread\":" #kernel ",\"spans\":" #spans ",\"lanes\":[\"state\"]}"
#define ORDER_TRACKS \
	REPLY("tracks", NULL, "\"tracks\":[" \
	      "{\"track\":\"cpu:0\",\"of\":\"cpu\",\"label\":\"CPU 0\",\"pid\":null,\"tid\":null,\"lanes\":[\"state\"]}," \
	      TASK(4, 4, "kworker", 9000, true) "," TASK(5, 5, "ringside", 8000, false) "," \
	      TASK(7, 7, "sh", 40, false) "," TASK(8, 7, "make", 90, false) "," TASK(9, 7, "cc", 2, false) "," \
	      TASK(20, 20, "tar", 900, false) "," TASK(21, 21, "gzip", 1000, false) "," \
	      TASK(30, 30, "api", 1, false) "]")
#define ORDER_SPANS \
	REPLY("spans", NULL, "\"from_ns\":100000000000,\"cell_ns\":250000000,\"cells\":40,\"tracks\":[],\"labels\":[],\"arrows\":[]")
#define ORDER_FINDINGS(of) \
	REPLY("findings", NULL, "\"from_ns\":100000000000,\"to_ns\":110000000000,\"findings\":[" of "]")

static struct stage *order_stage(const struct reply *replies)
{
	struct stage *s = rs_stage_new_file(22, 53, "timeline", replies);

	rs_stage_text(s); /* the first frame says how many cells there is room for */
	rs_stage_settle(s);
	rs_stage_text(s); /* the findings came after the tracks */
	rs_stage_settle(s);
	return s;
}

/*
 * By PID kworker would be first, and api last. sh, make and cc have 132 together; tar (2^9 to 2^10) and gzip have as
 * many as each other, so these stand by PID.
 */
START_TEST(what_costs_first_kernel_threads_last)
{
	static const struct reply some[] = {
		ORDER_TRACKS, ORDER_SPANS,
		ORDER_FINDINGS("{\"weight\":800,\"text\":\"api waits\",\"victim\":\"api\",\"victim_pids\":[30],\"category\":\"peer\"}"), { 0 },
	};
	struct stage *s = order_stage(some);

	check_screen(s, 4, "api       30", "CPU 0", "tar       20", "gzip      21", "sh         7", "make       8", "cc         9", "ringside   5", "kworker    4", "");
	rs_stage_free(s);
}
END_TEST

/* A kernel thread that a finding is about is among the first. Of threads, the one with the slowest wait, then the busiest. */
START_TEST(the_costliest_of_two)
{
	static const struct reply some[] = {
		ORDER_TRACKS, ORDER_SPANS,
		ORDER_FINDINGS("{\"weight\":800,\"text\":\"kworker waits\",\"victim\":\"kworker\",\"victim_pids\":[4],\"category\":\"disk\"},"
			       "{\"weight\":700,\"text\":\"sh waits\",\"victim\":\"sh\",\"victim_pids\":[7],"
			       "\"slowest\":{\"tid\":9,\"from_ns\":102000000000,\"to_ns\":102300000000},\"category\":\"disk\"}"), { 0 },
	};
	struct stage *s = order_stage(some);

	check_screen(s, 4, "kworker    4", "cc         9", "make       8", "sh         7", "CPU 0", "tar       20", "gzip      21", "api       30", "ringside   5", "");
	rs_stage_free(s);
}
END_TEST

START_TEST(nothing_costs)
{
	static const struct reply some[] = { ORDER_TRACKS, ORDER_SPANS, ORDER_FINDINGS(""), { 0 } };
	struct stage *s = order_stage(some);

	check_screen(s, 4, "CPU 0", "tar       20", "gzip      21", "sh         7", "make       8", "cc         9", "api       30", "ringside   5", "kworker    4", "");
	rs_stage_free(s);
}
END_TEST

/* Of a wait of sh alone; 0: all, who woke or was woken first, then who used its disk, each with its word. */
START_TEST(tracks_near_a_wait)
{
#define INVOLVED(tid, label, spans, word) \
	"{\"track\":\"task:" #tid ".0\",\"of\":\"task\",\"label\":\"" label "\",\"pid\":" #tid ",\"tid\":" #tid ",\"spans\":" #spans \
	",\"involved\":" word ",\"lanes\":[\"state\"]}"
	static const struct reply some[] = {
		REPLY("rows", "\"view\":\"work\"", "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]"),
		REPLY("rows", "\"view\":\"wait-tree\"", "\"of\":1,\"total\":1,\"rows\":["
		      "[0,\"task\",\"sh\",7,7,\"read\",null,102000000000,103000000000,1000000000,\"sh reads\",\"victim\"]]"),
		REPLY("tracks", NULL, "\"tracks\":["
		      "{\"track\":\"cpu:0\",\"of\":\"cpu\",\"label\":\"CPU 0\",\"pid\":null,\"tid\":null,\"lanes\":[\"state\"]},"
		      TASK(7, 7, "sh", 4, false) "," TASK(8, 7, "make", 90, false) "," INVOLVED(20, "tar", 2, "\"same disk\"") ","
		      INVOLVED(21, "pipe", 2, "\"woken\"") "," INVOLVED(22, "init", 9, "\"waker\"") "]"),
		ORDER_SPANS, ORDER_FINDINGS(""), { 0 },
	};
	struct stage *s = rs_stage_new_trees(22, 90, "work", some);

	rs_stage_keys(s, KEYS('W'));
	rs_stage_settle(s);
	rs_stage_keys(s, KEYS('t'));
	rs_stage_settle(s);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('0'));
	rs_stage_settle(s);
	check_asked(s, "\"near\":[\"task:7.0\"],\"near_from_ns\":102000000000,\"near_to_ns\":103000000000}");
	check_screen(s, 4, "victim    sh                  7", "waker     init               22", "woken     pipe               21",
		     "same disk tar                20", "          make                8", "          CPU 0", "");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_timeline_order(void)
{
	Suite *s = suite_create("timeline-order");
	TCase *t = tcase_create("timeline-order");

	tcase_add_test(t, what_costs_first_kernel_threads_last);
	tcase_add_test(t, the_costliest_of_two);
	tcase_add_test(t, nothing_costs);
	tcase_add_test(t, tracks_near_a_wait);
	suite_add_tcase(s, t);
	return s;
}
