// SPDX-License-Identifier: GPL-2.0-or-later
/* test-overview-chain - the overview's first line: the slowest call of who lost most, link by link */
#include <check.h>
#include <string.h>

#include "overview-replies.h"

/*
 * Of 80 columns cost and bar take 12. Where the sentence is longer the chain stands for it, and its end, the culprit, stays
 * when the cause is cut. The bars are relative to the first: 1 of 2 s are 2 of 4 cells.
 */
START_TEST(chain)
{
	static const struct reply some[] = {
		REPLY("findings", NULL, "\"findings\":[{\"weight\":900,\"cost_ns\":2000000000,\"lost_ns\":2000000000,\"victim\":\"api\",\"cause\":\"for a disk in fsync\","
		      "\"words\":[{\"kind\":\"victim\",\"text\":\"api (7)\"},{\"kind\":\"text\",\"text\":\" waits \"},{\"kind\":\"share\",\"text\":\"83 %\"},"
		      "{\"kind\":\"of-time\",\"text\":\" of its time\"},{\"kind\":\"text\",\"text\":\" for a disk in fsync\"},{\"kind\":\"colon\",\"text\":\": \"},"
		      "{\"kind\":\"text\",\"text\":\"3 backup processes write before it\"}],"
		      "\"culprit\":\"backup\",\"culprits\":3,\"brief\":\"api (7) waits 83 % for a disk in fsync: 3 backup processes write before it\","
		      "\"text\":\"api (7) waits 83 % of its time for a disk in fsync: 3 backup processes write before it\"},"
		      "{\"weight\":400,\"cost_ns\":1000000000,\"lost_ns\":1000000000,\"text\":\"a little\"}]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 20, 120, some);

	check_screen(s, 4, " 2.00s ########## api (7) waits 83 % of its time for a disk in fsync: 3 backup processes write before it",
		     " 1.00s #####      a little");
	rs_stage_resize(s, 20, 76);
	check_screen(s, 4, " 2.00s #### api (7) waits 83 % for a disk in fsync <- 3 backup", " 1.00s ##   a little");
	rs_stage_resize(s, 20, 50);
	check_screen(s, 4, " 2.00s #### api (7) waits 83 % for a ~ <- 3 backup");
	rs_stage_free(s);
}
END_TEST

static const struct reply linked[] = {
	REPLY("findings", NULL, "\"from_ns\":109000000000,\"to_ns\":110000000000,\"chain_pid\":7,\"findings\":[{\"weight\":830,\"cost_ns\":830000000,\"lost_ns\":830000000,\"of_ns\":1000000000,"
	      "\"text\":\"api waits\",\"victim\":\"api\",\"victim_pids\":[7],\"victims\":1,\"view\":\"works\",\"where\":\"pid == 7\"},"
	      "{\"weight\":100,\"cost_ns\":100000000,\"lost_ns\":100000000,\"text\":\"a little\",\"view\":\"none\"}]"),
	REPLY("rows", "critical-path", "\"view\":\"critical-path\",\"of\":3,\"total\":3,\"rows\":["
	      "[\"api\",7,7,0,\"recvfrom\",100750000000,104000000000,39000000,\"socket\",null,\"db\",\"\",38500000],"
	      "[\"db\",8,8,0,\"fsync\",101000000000,103100000000,38500000,\"disk\",null,\"jbd2\",\"\",38300000],"
	      "[\"jbd2\",9,9,0,null,101500000000,102500000000,38200000,\"disk: in device\",\"vda\",null,\"\",38200000]]"),
	CORES, { 0 },
};

/* The sentence of who waits for a CPU says all of it: nothing is analyzed anew for it. */
START_TEST(chain_that_would_say_no_more)
{
	static const struct reply some[] = {
		REPLY("findings", NULL, "\"from_ns\":109000000000,\"to_ns\":110000000000,\"chain_pid\":null,\"findings\":[{\"weight\":830,"
		      "\"text\":\"api waits\",\"victim\":\"api\",\"victim_pids\":[7],\"victims\":1}]"),
		CORES, { 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 24, 80, some);

	check_not_asked(s, "\"view\":\"critical-path\"");
	rs_stage_free(s);
}
END_TEST

/*
 * The slowest call of the worst finding's victim, link by link: of 80 columns all fits, of 50 the calls of later links do not,
 * of 30 the selected link is what is seen. Enter opens its task; at the disk, and on a sentence, the evidence.
 */
START_TEST(chain_of_links)
{
	static const struct reply none[] = {
		STATE("2", "5000", "40"), REPLY("findings", NULL, "\"from_ns\":109000000000,\"to_ns\":110000000000,\"findings\":[]"), CORES, { 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 24, 80, linked);

	check_asked(s, "\"view\":\"critical-path\",\"limit\":10,\"pid\":7,\"from_ns\":109000000000,\"to_ns\":110000000000");
	check_screen(s, 4, "api 83 %: recvfrom <- db: fsync <- jbd2 <- vda 38.2ms", " 830ms #### api waits", " 100ms .    a little");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT, RS_KEY_LEFT, RS_KEY_LEFT, RS_KEY_TAB, RS_KEY_ENTER));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), " overview > db (8) "));
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_TAB, RS_KEY_TAB, RS_KEY_ENTER));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "api waits"));
	ck_assert_ptr_null(strstr(rs_stage_text(s), "Verdict"));
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_TAB));
	rs_stage_resize(s, 24, 44);
	check_screen(s, 4, "api 83 %: recvfrom <- db <- jbd2 <- vda 38.~");
	rs_stage_replies(s, none);
	rs_stage_later(s, 2000000000);
	check_screen(s, 4, "no known pattern of waits in 1.00s");
	rs_stage_free(s);
}
END_TEST

/* Threads 7, 71 and 72 of one process are named once, and one step goes over them; sh of another process is not of them. */
START_TEST(chain_of_threads_of_one_process)
{
	static const struct reply threads[] = {
		REPLY("findings", NULL, "\"from_ns\":109000000000,\"to_ns\":110000000000,\"chain_pid\":7,\"findings\":[{\"weight\":830,"
		      "\"text\":\"api waits\",\"victim\":\"api\",\"victim_pids\":[7],\"victims\":1}]"),
		REPLY("rows", "critical-path", "\"view\":\"critical-path\",\"of\":6,\"total\":6,\"rows\":["
		      "[\"api\",7,7,0,\"futex\",100750000000,104000000000,39000000,\"lock\",null,\"api\",\"\",38500000],"
		      "[\"api\",7,71,0,\"futex\",101000000000,103100000000,38500000,\"lock\",null,\"api\",\"\",38300000],"
		      "[\"api\",7,72,0,\"read\",101000000000,103100000000,38500000,\"pipe\",null,\"db\",\"\",38300000],"
		      "[\"db\",8,8,0,\"fsync\",101000000000,103100000000,38500000,\"pipe\",null,\"sh\",\"\",38300000],"
		      "[\"sh\",9,9,0,null,101500000000,102500000000,38200000,\"pipe\",null,\"sh\",\"\",38200000],"
		      "[\"sh\",10,10,0,null,101500000000,102500000000,38200000,\"run\",null,null,\"\",38200000]]"),
		CORES, { 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 24, 80, threads);

	check_screen(s, 4, "api x3: futex <- db: fsync <- sh <- sh: on a CPU 38.2ms");
	rs_stage_keys(s, KEYS(RS_KEY_RIGHT, RS_KEY_ENTER));
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), " overview > db (8) "));
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_LEFT, RS_KEY_ENTER));
	ck_assert_ptr_null(strstr(rs_stage_text(s), " overview > db (8) "));
	rs_stage_free(s);
}
END_TEST

START_TEST(storm)
{
	struct stage *s = rs_stage_new_overview(_i % 2, 24, 80, linked);

	rs_stage_storm(s, (unsigned int)_i + 1, 300);
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_overview_chain(void);
Suite *rs_suite_overview_chain(void)
{
	Suite *s = suite_create("overview_chain");
	TCase *t = tcase_create("overview_chain");

	tcase_add_test(t, chain);
	tcase_add_test(t, chain_that_would_say_no_more);
	tcase_add_test(t, chain_of_links);
	tcase_add_test(t, chain_of_threads_of_one_process);
	tcase_add_loop_test(t, storm, 0, 10);
	suite_add_tcase(s, t);
	return s;
}
