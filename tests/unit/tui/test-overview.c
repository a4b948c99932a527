// SPDX-License-Identifier: GPL-2.0-or-later
/* test-overview - the blocks of the overview, drawn from answers that are played to them: which lines, in which place */
#include <check.h>
#include <string.h>

#include "overview-replies.h"

/* comm, pid, tid, run_ns, calls, what */
#define WORKS \
	REPLY("rows", "\"view\":\"works\"", \
	      "\"of\":2,\"total\":2,\"rows\":[[\"sh\",7,7,1500000,3,null],[\"cc\\u001b[2J\",null,9,500000,2,\"x\"]]")
#define OPEN \
	REPLY("open", NULL, \
	      "\"now_ns\":110000000000,\"open\":[" \
	      "{\"kind\":\"asleep\",\"pid\":4,\"tid\":5,\"comm\":\"old\",\"what\":\"read(0)\",\"since_ns\":100000000000,\"at_least\":true}," \
	      "{\"kind\":\"call\",\"pid\":7,\"tid\":7,\"comm\":\"sh\",\"what\":\"wait4(-1)\",\"since_ns\":109500000000}," \
	      "{\"kind\":\"request\",\"pid\":null,\"tid\":null,\"comm\":null,\"what\":\"R 4096 vda\",\"since_ns\":109900000000}]")
#define SLOWEST \
	REPLY("worst", NULL, \
	      "\"worst\":[" \
	      "{\"kind\":1,\"start_ns\":101000000000,\"end_ns\":101000200000,\"label\":\"short\",\"comm\":\"sh\",\"pid\":7,\"tid\":7}," \
	      "{\"kind\":1,\"start_ns\":102000000000,\"end_ns\":103000000000,\"label\":\"long\",\"comm\":\"cc\",\"pid\":8,\"tid\":9}," \
	      "{\"kind\":1,\"start_ns\":104000000000,\"end_ns\":104500000000,\"label\":\"now\",\"comm\":\"ld\",\"pid\":6,\"tid\":6," \
	      "\"open\":true,\"longer\":true},{\"kind\":77,\"start_ns\":1,\"end_ns\":2}]")
#define FINDINGS \
	REPLY("findings", NULL, \
	      "\"findings\":[{\"weight\":800,\"cost_ns\":800000000,\"lost_ns\":800000000,\"text\":\"sh waits 80 % for vda\",\"view\":\"works\",\"where\":\"pid == 7\"}," \
	      "{\"weight\":100,\"cost_ns\":200000000,\"lost_ns\":200000000,\"text\":\"a little\",\"view\":\"none\"}]")

static const struct reply all[] = { STATE("1", "5000", "40"), WORKS, CORES, OPEN, SLOWEST, FINDINGS, { 0 } };
static const struct reply nothing[] = {
	REFUSAL("rows", NULL, "not now"), REFUSAL("open", NULL, "not now"), REFUSAL("worst", NULL, "not now"),
	REFUSAL("findings", NULL, "not now"), { 0 },
};

START_TEST(one_column)
{
	struct stage *s = rs_stage_new_overview(false, 34, 80, all);

	rs_stage_later(s, 1000000000); /* the first questions come before the first state */
	check_screen(s, 3,
		     "Verdict  sums over all threads; % of their awake time",
		     " 800ms #### sh waits 80 % for vda",
		     " 200ms #    a little",
		     "",
		     "Cores  R run  D disk  % of its time",
		     "  0 RRRRRRRRRRRRRRRRRRRRR                     run 50%",
		     "  1 RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRDDDDDDDDDD run 75%  disk 25%",
		     "  2 RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR run 100%",
		     "  3",
		     "",
		     "Work       PID  CALLS",
		     "sh           7      3",
		     "cc\\x1B[2     9      2", /* without a pid the tid */
		     "",
		     "Stuck now",
		     " >=10.0s asleep   old (5)  read(0)",
		     "   500ms call     sh (7)  wait4(-1)",
		     "   100ms request  -  R 4096 vda",
		     "",
		     "Slowest of the last 10 s",
		     "   1.00s job              cc (9)  long                                 7.00s ago",
		     " >=500ms job              ld (6)  now (goes on)                        5.50s ago",
		     "", /* 200 us are no neighbor of a second */
		     "Rates, and the last minute",
		     "events           5,000/s                                                       #",
		     "calls               40/s                                                       #");
	rs_stage_free(s);
}
END_TEST

/* The details of a row are asked for once the selection has rested there, and once. */
START_TEST(a_pane_follows)
{
	struct stage *s = rs_stage_new_overview(false, 44, 170, all);

	rs_stage_later(s, 1000000000);
	rs_stage_keys(s, KEYS(RS_KEY_TAB, RS_KEY_TAB)); /* cores, works: sh */
	rs_stage_later(s, 200000000);
	check_asked(s, "pid == 7");
	ck_assert_ptr_nonnull(strstr(rs_stage_text(s), "| sh (7)"));
	rs_stage_keys(s, KEYS(RS_KEY_DOWN));
	check_not_asked(s, "tid == 9");
	rs_stage_keys(s, KEYS(RS_KEY_UP));
	rs_stage_later(s, 200000000);
	check_not_asked(s, "tid == 9"); /* passed over */
	rs_stage_keys(s, KEYS(RS_KEY_DOWN));
	rs_stage_later(s, 200000000);
	check_asked(s, "tid == 9");
	rs_stage_later(s, 200000000);
	check_not_asked(s, "tid == 9");
	rs_stage_resize(s, 44, 159);
	rs_stage_later(s, 200000000);
	ck_assert_ptr_null(strstr(rs_stage_text(s), "(9)\n"));
	rs_stage_free(s);
}
END_TEST

/* Screens come and go, and with them their panes. */
START_TEST(a_pane_in_a_storm)
{
	for (unsigned int seed = 1; seed <= 8; seed++) {
		struct stage *s = rs_stage_new_overview(seed % 2, 44, 170, all);

		rs_stage_later(s, 1000000000);
		rs_stage_keys(s, KEYS(RS_KEY_TAB, RS_KEY_TAB));
		rs_stage_later(s, 200000000);
		rs_stage_storm(s, seed, 150);
		rs_stage_free(s);
	}
}
END_TEST

/* The verdict over all; what goes on in the left half, what is stuck and slow in the right. */
START_TEST(two_columns)
{
	struct stage *s = rs_stage_new_overview(false, 20, 120, all);

	check_screen(s, 3, "Verdict  sums over all threads; % of their awake time", " 800ms ########## sh waits 80 % for vda", " 200ms ##:        a little", "",
		     "Cores  R run  D disk  % of its time                                Stuck now",
		     "  0 RRRRRRRRRRRRRRRRRRRRR                     run 50%               >=10.0s asleep   old (5)  read(0)",
		     "  1 RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRDDDDDDDDDD run 75%  disk 25%       500ms call     sh (7)  wait4(-1)",
		     "  2 RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRR run 100%                100ms request  -  R 4096 vda");
	rs_stage_free(s);
}
END_TEST

/*
 * Of a file the bar is the history of its whole time, and the words say what the parts are: of 41 columns each has two of 60
 * pieces, and 11 are left. CPU 0 runs in the first half, CPU 1 in the last four pieces.
 */
START_TEST(strips_of_a_file)
{
	static const struct reply some[] = {
		REPLY("rows", "\"view\":\"cores\"", "\"from_ns\":100000000000,\"to_ns\":110000000000,\"of\":2,\"total\":2,\"rows\":[[0,500,500,null,null,null],[1,750,0,250,null,null]]"),
		REPLY("spans", NULL, "\"from_ns\":100000000000,\"cell_ns\":166666667,\"cells\":60,\"tracks\":["
		      "{\"track\":\"cpu:0\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[0,30,0,0,0,1,8]]}]},"
		      "{\"track\":\"cpu:1\",\"lanes\":[{\"lane\":\"state\",\"depth\":0,\"runs\":[[56,60,0,0,0,1,8]]}]}],\"labels\":[\"x\"],\"arrows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(true, 24, 80, some);

	check_asked(s, "\"tracks\":[\"cpu:0\",\"cpu:1\"],\"from_ns\":100000000000,\"to_ns\":110000000000,\"cells\":60");
	check_screen(s, 4, "  0            RRRRRRRRRRRRRRR                run 50%",
		     "  1                                        RR run 75%  disk 25%");
	rs_stage_free(s);
}
END_TEST

/* Where there is room, after the words: the command line without the folder of its program, and a unit without what all units have, a container by the begin of its number; of / none. */
START_TEST(units_and_containers)
{
	static const struct reply some[] = {
		REPLY("rows", "\"view\":\"cores\"", "\"of\":4,\"total\":4,\"rows\":[[0,1000,0,0,\"/system.slice/postgresql@14-main.service\",\"/usr/lib/postgres -D /a\"],"
		      "[1,1000,0,0,\"/docker/3f2a90b1c4d75566778899aabbccddeeff00112233445566778899aabbccddee\",null],"
		      "[2,1000,0,0,\"/a/docker-0f2a90b1c4d75566.scope\",null],[3,1000,0,0,\"/\",\"sh /x\"]]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 24, 118, some);
	static const char *const units[] = { "run 100%         postgresql@14-main: postgres -D /a\n", "run 100%         3f2a90b1c4d7\n", "run 100%         docker-0f2a90b1c4d7\n",
					     "run 100%         sh /x\n" };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		ck_assert_msg(strstr(rs_stage_text(s), units[i]), "%s in %s", units[i], rs_stage_text(s));
	rs_stage_free(s);
}
END_TEST

/* Without findings a line says what was looked for, over which time; it cannot be selected. Enter opens the first row below it. */
START_TEST(healthy)
{
	static const struct reply some[] = { CORES, REPLY("findings", NULL, "\"from_ns\":1,\"to_ns\":2,\"findings\":[]"), { 0 } };
	struct stage *s = rs_stage_new_overview(true, 24, 80, some);

	check_screen(s, 4, "no known pattern of waits in 1ns", "", "Cores  R run  D disk  % of its time");
	rs_stage_keys(s, KEYS(RS_KEY_UP, RS_KEY_DOWN, RS_KEY_DOWN, RS_KEY_ENTER));
	check_way(s, "overview > cpu 1", "all of the file");
	rs_stage_free(s);
}
END_TEST

#define WAITS_FOR(category) \
	REPLY("findings", NULL, "\"findings\":[{\"weight\":800,\"text\":\"sh waits\",\"view\":\"procs\",\"victim\":\"sh\"," \
	      "\"victim_pids\":[7],\"category\":\"" category "\"}]")

/*
 * The heat map shows the waits that the costliest finding is about: of its category those with most time, here jobs, though
 * others ran longer. Enter opens it alone. The kinds are asked for once, not in each frame.
 */
START_TEST(heat)
{
	static const struct reply some[] = {
		STATE("1", "5000", "40"), WORKS, CORES, WAITS_FOR("lock"),
		REPLY("kinds", NULL, "\"kinds\":[{\"kind\":0,\"cause\":\"disk\",\"count\":9,\"total_ns\":9000},"
		      "{\"kind\":1,\"cause\":\"lock\",\"count\":5,\"total_ns\":500}]"),
		REPLY("latencies", NULL, "\"from_ns\":1,\"cell_ns\":1,\"rows\":[]"),
		{ 0 },
	};
	static const struct reply next[] = {
		REPLY("state", NULL, "\"now_ns\":111000000000,\"events\":123999,\"lost\":0,\"interval\":2"),
		WORKS, CORES, WAITS_FOR("lock"), REPLY("latencies", NULL, "\"from_ns\":1,\"cell_ns\":1,\"rows\":[]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 40, 120, some);
	const char *asked;

	rs_stage_later(s, 1000000000);
	rs_stage_text(s);
	rs_stage_settle(s);
	ck_assert(strstr(rs_stage_text(s), "Over time  job"));
	asked = rs_stage_asked(s);
	ck_assert(strstr(asked, "\"op\":\"kinds\",\"from_ns\""));
	ck_assert(strstr(asked, "\"latencies\",\"kind\":\"job\",\"from_ns\""));
	rs_stage_text(s);
	rs_stage_settle(s);
	check_not_asked(s, "\"kinds\"");
	/* the map needs no findings of its own */
	rs_stage_replies(s, next);
	rs_stage_later(s, 1000000000);
	asked = strstr(rs_stage_asked(s), "\"op\":\"findings\"");
	ck_assert(asked && !strstr(asked + 1, "\"op\":\"findings\""));
	rs_stage_keys(s, KEYS(RS_KEY_BACK_TAB, RS_KEY_ENTER)); /* the last block that can be selected */
	check_way(s, "overview > job over time of all 11.0s", "live 11.000000 s");
	rs_stage_free(s);
}
END_TEST

/* Each block its least, in order, while there is room. */
START_TEST(little_room)
{
	struct stage *s = rs_stage_new_overview(false, 10, 40, all);

	check_screen(s, 3, "Verdict", " 800ms #### sh waits 80 % for vda", " 200ms #    a little", "Cores  R run  D disk  % time    2 more v", "  0 RRRRRRRRRRR           run 50%",
		     "  1 RRRRRRRRRRRRRRRRDDDDD run 75%");
	rs_stage_free(s);
}
END_TEST

#define SLEEPING(what) \
	"{\"kind\":\"blocked\",\"pid\":41234,\"tid\":41234,\"comm\":\"backup-verify\",\"what\":\"" what "\",\"since_ns\":100000000000,\"at_least\":true}"
#define SLEEPERS \
	REPLY("open", NULL, "\"now_ns\":110000000000,\"open\":[" \
	      SLEEPING("read(0, 0x7ffc12345678, 131072): in S, at anon_pipe_read") "," \
	      SLEEPING("newfstatat(AT_FDCWD, \\\"/srv/backup/2026/11/22/database/base/16384/2619\\\", 0x7ffc12345678, 0): in D, at " \
		       "folio_wait_bit_common") "," \
	      SLEEPING("in D, at rwsem_down_write_slowpath") "]")

/*
 * What slept before the start: the arguments of its call are cut, never what it waits at. Of 80 columns the age takes 9; of
 * the others kind, name and number 31, so of the first row 40 are left: 25 for the cause, one for the mark, 14 for the call.
 */
START_TEST(cut_before_the_cause)
{
	static const struct reply some[] = { SLEEPERS, REFUSAL("rows", NULL, "no"), REFUSAL("worst", NULL, "no"), REFUSAL("findings", NULL, "no"), { 0 } };
	struct stage *s = rs_stage_new_overview(true, 12, 80, some);

	check_screen(s, 3, "Stuck at the end",
		     " >=10.0s blocked  backup-verify (41234)  read(0, 0x7ff~: in S, at anon_pipe_read",
		     " >=10.0s blocked  backup-verify  newfstatat(AT_~: in D, at folio_wait_bit_common",
		     " >=10.0s blocked  backup-verify (41234)  in D, at rwsem_down_write_slowpath");
	rs_stage_resize(s, 12, 60);
	check_screen(s, 4, " >=10.0s backup-verify  read(0, 0x~: in S, at anon_pipe_read");
	rs_stage_free(s);
}
END_TEST

#define ELSE REPLY("rows", "\"view\":\"else\"", "\"of\":1,\"total\":1,\"rows\":[[\"ev\",3,3,null,1,null]]")
#define NO_WORKS REPLY("rows", "\"view\":\"works\"", "\"of\":0,\"total\":0,\"rows\":[]")
#define NO_PROCS REPLY("rows", "\"view\":\"procs\"", "\"of\":0,\"total\":0,\"rows\":[]")
#define EMPTY_CORES REPLY("rows", "\"view\":\"cores\"", "\"of\":1,\"total\":1,\"rows\":[[0,0,0,null,null,null]]")
#define NO_OTHERS REFUSAL("open", NULL, "no"), REFUSAL("worst", NULL, "no"), REFUSAL("findings", NULL, "no")

/* A panel that is shown otherwise: where the others have no rows, or bars of no length, it stands in their place. */
START_TEST(otherwise)
{
	static const struct reply none[] = { NO_WORKS, NO_PROCS, EMPTY_CORES, ELSE, NO_OTHERS, { 0 } };
	static const struct reply some[] = { WORKS, NO_PROCS, EMPTY_CORES, ELSE, NO_OTHERS, { 0 } };
	struct stage *s = rs_stage_new_overview(true, 12, 60, none);

	check_screen(s, 3, "Else       PID", "ev           3", "");
	rs_stage_free(s);
	s = rs_stage_new_overview(true, 12, 60, some);
	ck_assert(strstr(rs_stage_text(s), "Work") && strstr(rs_stage_text(s), "Cores"));
	ck_assert(!strstr(rs_stage_text(s), "Else"));
	rs_stage_free(s);
}
END_TEST

/* Enter on a row of a panel that names a view opens that, with the rows of the same process; so "biotop" on a disk. */
START_TEST(a_panel_opens_its_view)
{
	static const struct reply none[] = { NO_WORKS, NO_PROCS, EMPTY_CORES, ELSE, NO_OTHERS, { 0 } };
	struct stage *s = rs_stage_new_overview(true, 12, 60, none);
	const char *asked;

	rs_stage_keys(s, KEYS(RS_KEY_TAB));
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	rs_stage_settle(s);
	asked = rs_stage_asked(s);
	ck_assert_msg(strstr(asked, "\"view\":\"log\"") && strstr(asked, "\"where\":\"pid == 3\""), "%s", asked);
	ck_assert_msg(strstr(rs_stage_text(s), "overview > log"), "%s", rs_stage_text(s));
	rs_stage_free(s);
}
END_TEST

START_TEST(nothing_yet)
{
	struct stage *s = rs_stage_new_overview(true, 12, 60, nothing);

	check_screen(s, 3, " waiting for the first numbers", "", "", "");
	rs_stage_keys(s, KEYS(RS_KEY_TAB, RS_KEY_DOWN, RS_KEY_UP, RS_KEY_ENTER, RS_KEY_BACK_TAB));
	rs_stage_mouse(s, RS_KEY_MOUSE_DOUBLE, 4, 4);
	check_screen(s, 3, " waiting for the first numbers", "", "", "");
	rs_stage_free(s);
}
END_TEST

/* A block whose question is refused goes; the others stay. */
START_TEST(refused)
{
	static const struct reply some[] = { REFUSAL("open", NULL, "no"), REFUSAL("worst", NULL, "no"), WORKS, CORES, FINDINGS, { 0 } };
	struct stage *s = rs_stage_new_overview(true, 20, 60, some);

	ck_assert(!strstr(rs_stage_text(s), "Stuck now"));
	ck_assert(!strstr(rs_stage_text(s), "Slowest"));
	ck_assert(strstr(rs_stage_text(s), "Cores"));
	ck_assert(strstr(rs_stage_text(s), "Verdict"));
	rs_stage_free(s);
}
END_TEST

/* Answers of another shape than they must have: what can be shown is shown. */
START_TEST(nonsense)
{
	static const struct reply odd[] = {
		REPLY("rows", NULL, "\"rows\":{\"a\":1}"), REPLY("open", NULL, "\"open\":[1,null,{\"since_ns\":\"x\"}],\"now_ns\":1"),
		REPLY("worst", NULL, "\"worst\":\"none\""), REPLY("findings", NULL, "\"findings\":[[],{}]"),
		REPLY("state", NULL, "\"interval\":1,\"now_ns\":-1,\"rates\":[7,{\"name\":5},{\"per_s\":1}]"), { 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 20, 60, odd);

	ck_assert(!strstr(rs_stage_text(s), "Stuck now"));
	rs_stage_later(s, 2000000000);
	rs_stage_free(s);
}
END_TEST

#define ASLEEP(name, pid, cause, since_ns) \
	"{\"kind\":\"call\",\"pid\":" pid ",\"tid\":" pid ",\"comm\":\"" name "\",\"what\":\"read(0)\",\"since_ns\":" since_ns "," \
	"\"cause\":\"" cause "\"}"
#define JOB(name, pid, cause, end_ns) \
	"{\"kind\":1,\"start_ns\":101000000000,\"end_ns\":" end_ns ",\"label\":\"x\",\"comm\":\"" name "\",\"pid\":" pid ",\"tid\":" pid "," \
	"\"cause\":\"" cause "\"}"

/*
 * A shell that waits for input, and an idle pool, are neither stuck nor slow, however long that takes; a wait for a disk is, and
 * so is one for a peer where a finding says that it cost: api's. Of what did not begin to wait nothing is known: it is listed.
 */
START_TEST(healthy_waits)
{
	static const struct reply some[] = {
		STATE("1", "5000", "40"),
		REPLY("open", NULL, "\"now_ns\":110000000000,\"open\":[" ASLEEP("bash", "4", "sleep", "100000000000") ","
		      ASLEEP("pool", "5", "futex", "101000000000") "," ASLEEP("api", "7", "sleep", "109000000000") ","
		      ASLEEP("tar", "8", "disk", "109500000000") "," ASLEEP("new", "9", "unknown", "109900000000") "]"),
		REPLY("worst", NULL, "\"worst\":[" JOB("bash", "4", "sleep", "109000000000") "," JOB("pool", "5", "idle", "109000000000") ","
		      JOB("tar", "8", "disk", "101500000000") "," JOB("api", "7", "sleep", "102000000000") ","
		      JOB("gzip", "6", "run", "101300000000") "]"),
		REPLY("findings", NULL, "\"findings\":[{\"weight\":800,\"cost_ns\":800000000,\"lost_ns\":800000000,\"text\":\"api waits\","
		      "\"victim\":\"api\",\"victim_pids\":[7],\"victims\":1,\"category\":\"peer\"}]"),
		{ 0 },
	};
	struct stage *s = rs_stage_new_overview(true, 20, 80, some);

	check_screen(s, 3, "Verdict  sums over all threads; % of their awake time", " 800ms #### api waits", "", "Stuck at the end", "   1.00s call     api (7)  read(0)",
		     "   500ms call     tar (8)  read(0)", "   100ms call     new (9)  read(0)", "",
		     "Slowest                                                               all 10.0s",
		     "   1.00s job              api (7)  x                                  2.000000 s",
		     "   500ms job              tar (8)  x                                  1.500000 s",
		     "   300ms job              gzip (6)  x                                 1.300000 s");
	rs_stage_free(s);
}
END_TEST

/* Where nothing cost anybody anything both lists are not there, and say nothing in vain. */
START_TEST(all_healthy)
{
	static const struct reply some[] = {
		STATE("1", "5000", "40"),
		REPLY("open", NULL, "\"now_ns\":110000000000,\"open\":[" ASLEEP("bash", "4", "sleep", "100000000000") "]"),
		REPLY("worst", NULL, "\"worst\":[" JOB("bash", "4", "sleep", "109000000000") "]"),
		REPLY("findings", NULL, "\"from_ns\":100000000000,\"to_ns\":110000000000,\"findings\":[]"), { 0 },
	};
	struct stage *s = rs_stage_new_overview(true, 20, 80, some);

	check_screen(s, 3, "Verdict                                                               all 10.0s", "no known pattern of waits in 10.0s", "");
	rs_stage_free(s);
}
END_TEST

/* Enter on a sentence: the view that it is from, filtered; on a row: all about what it names. */
START_TEST(opened)
{
	struct stage *s = rs_stage_new_overview(false, 34, 80, all);

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_asked(s, "\"where\":\"pid == 7\"");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_TAB, RS_KEY_TAB, RS_KEY_TAB, RS_KEY_DOWN, RS_KEY_ENTER)); /* sh, stuck */
	check_way(s, "overview > sh (7)", "live 10.000000 s");
	rs_stage_keys(s, KEYS(RS_KEY_BACKSPACE, RS_KEY_DOWN));
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER)); /* a request of nobody that is known */
	check_way(s, "overview", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

#define OF(from_s, to_s) "\"from_ns\":" from_s "000000000,\"to_ns\":" to_s "000000000,"
#define WORKS_OF(from_s, to_s) \
	REPLY("rows", "\"view\":\"works\"", OF(from_s, to_s) "\"of\":1,\"total\":1,\"rows\":[[\"sh\",7,7,1500000,3,null]]")
#define CORES_OF(from_s, to_s) \
	REPLY("rows", "\"view\":\"cores\"", OF(from_s, to_s) "\"of\":1,\"total\":1,\"rows\":[[0,500,500,null,null,null]]")
#define FINDINGS_OF(from_s, to_s) \
	REPLY("findings", NULL, OF(from_s, to_s) "\"findings\":[{\"weight\":100,\"cost_ns\":100000000,\"lost_ns\":100000000,\"text\":\"a little\",\"view\":\"none\"}]")

/* Each block says which time it covers, by its own answer: the engine is at 110 s, and has what came since 100 s. */
START_TEST(each_block_names_its_time)
{
	static const struct reply live[] = { CORES_OF("109", "110"), WORKS_OF("103", "104"), FINDINGS_OF("109", "110"), NO_OTHERS, { 0 } };
	static const struct reply file[] = { CORES_OF("100", "110"), WORKS_OF("103", "104"), FINDINGS_OF("100", "110"), SLOWEST, NO_OTHERS, { 0 } };
	struct stage *s = rs_stage_new_overview(false, 20, 60, live);

	rs_stage_later(s, 2000000000);
	check_screen(s, 3,
		     "Verdict                                          last 1.00s",
		     " 100ms #### a little",
		     "",
		     "Cores  R run  D disk  % of its time              last 1.00s",
		     "  0 RRRRRRRRRRRRRRRRRRR                   run 50%",
		     "",
		     "Work       PID  CALLS                 1.00s from 3.000000 s",
		     "sh           7      3");
	rs_stage_free(s);
	s = rs_stage_new_overview(true, 20, 60, file);
	check_screen(s, 3,
		     "Verdict                                           all 10.0s",
		     " 100ms #### a little",
		     "",
		     "Cores  R run  D disk  % of its time               all 10.0s",
		     "  0 RRRRRRRRRRRRRRRRRRR                   run 50%",
		     "",
		     "Work       PID  CALLS                 1.00s from 3.000000 s",
		     "sh           7      3",
		     "",
		     "Slowest                                           all 10.0s");
	rs_stage_free(s);
}
END_TEST

/* Where there is no room for both, headings stay, and a block without them keeps its title. */
START_TEST(headings_before_the_time)
{
	static const struct reply file[] = { CORES_OF("100", "110"), WORKS_OF("103", "104"), FINDINGS_OF("100", "110"), NO_OTHERS, { 0 } };
	struct stage *s = rs_stage_new_overview(true, 12, 40, file);

	check_screen(s, 9, "Work       PID  CALLS", "sh           7      3");
	rs_stage_free(s);
}
END_TEST

/* The selected row is followed by what it names, not by its line. */
START_TEST(followed)
{
	static const struct reply turned[] = {
		STATE("2", "5000", "40"),
		REPLY("rows", "\"view\":\"works\"", "\"of\":2,\"total\":2,\"rows\":[[\"cc\",null,9,900000,2,\"x\"],[\"sh\",7,7,600000,3,null]]"),
		CORES, OPEN, SLOWEST, FINDINGS, { 0 },
	};
	struct stage *s = rs_stage_new_overview(false, 34, 80, all);

	rs_stage_keys(s, KEYS(RS_KEY_TAB, RS_KEY_TAB)); /* sh, the first of Work */
	rs_stage_replies(s, turned);
	rs_stage_later(s, 2000000000);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "overview > sh (7)", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* An answer that comes late does not find the selection elsewhere, but where the user has put it. */
START_TEST(late)
{
	static const struct reply without[] = { STATE("1", "5000", "40"), WORKS, CORES, OPEN, SLOWEST, { 0 } };
	struct stage *s = rs_stage_new_overview(false, 34, 80, without);

	rs_stage_replies(s, all);
	rs_stage_later(s, 2000000000);
	rs_stage_asked(s);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER)); /* the sentence */
	check_asked(s, "\"where\":\"pid == 7\"");
	rs_stage_free(s);

	s = rs_stage_new_overview(false, 34, 80, without);
	rs_stage_keys(s, KEYS(RS_KEY_TAB)); /* sh, the first of Work */
	rs_stage_replies(s, all);
	rs_stage_later(s, 2000000000);
	rs_stage_keys(s, KEYS(RS_KEY_ENTER));
	check_way(s, "overview > sh (7)", "live 10.000000 s");
	rs_stage_free(s);
}
END_TEST

/* Of the past, what was stuck at its end and what is judged of it: asked about that time, and named so. */
START_TEST(history)
{
	struct stage *s = rs_stage_new_overview(false, 34, 80, all);
	const char *asked;

	rs_stage_asked(s);
	rs_stage_keys(s, KEYS('['));
	ck_assert(strstr(rs_stage_text(s), "PAST"));
	ck_assert(!strstr(rs_stage_text(s), "Stuck now"));
	ck_assert(strstr(rs_stage_text(s), "Stuck then"));
	ck_assert(strstr(rs_stage_text(s), "Verdict"));
	ck_assert(strstr(rs_stage_text(s), "Slowest"));
	ck_assert(!strstr(rs_stage_text(s), "of the last 10 s"));
	ck_assert(!strstr(rs_stage_text(s), "Rates")); /* they are of now */
	asked = rs_stage_asked(s);
	ck_assert(strstr(asked, "\"op\":\"worst\",\"from_ns\":"));
	ck_assert(strstr(asked, "\"op\":\"findings\",\"from_ns\":"));
	ck_assert(strstr(asked, "\"op\":\"open\",\"from_ns\":"));
	rs_stage_keys(s, KEYS('l'));
	ck_assert(strstr(rs_stage_text(s), "Stuck now"));
	rs_stage_free(s);
}
END_TEST

/* A sample for each interval, the newest at the right, as high as it is of the most. */
START_TEST(rates)
{
	static const struct reply half[] = { STATE("2", "2500", "80"), { 0 } }, none[] = { STATE("3", "0", "0"), { 0 } };
	struct stage *s = rs_stage_new_overview(false, 20, 50, (const struct reply[]){ STATE("1", "5000", "40"), { 0 } });

	rs_stage_later(s, 2000000000);
	rs_stage_replies(s, half);
	rs_stage_later(s, 2000000000);
	rs_stage_later(s, 2000000000);
	check_screen(s, 3, "Rates, and the last minute", "events           2,500/s                        #-", "calls               80/s                        -#");
	rs_stage_replies(s, none);
	rs_stage_later(s, 2000000000);
	rs_stage_later(s, 2000000000);
	check_screen(s, 3, "Rates, and the last minute", "events               0/s                       #-", "calls                0/s                       -#");
	rs_stage_free(s);
}
END_TEST

Suite *rs_suite_overview(void);
Suite *rs_suite_overview(void)
{
	Suite *s = suite_create("overview");
	TCase *t = tcase_create("overview");

	tcase_add_test(t, one_column);
	tcase_add_test(t, two_columns);
	tcase_add_test(t, a_pane_follows);
	tcase_add_test(t, a_pane_in_a_storm);
	tcase_add_test(t, strips_of_a_file);
	tcase_add_test(t, units_and_containers);
	tcase_add_test(t, heat);
	tcase_add_test(t, healthy);
	tcase_add_test(t, little_room);
	tcase_add_test(t, cut_before_the_cause);
	tcase_add_test(t, otherwise);
	tcase_add_test(t, a_panel_opens_its_view);
	tcase_add_test(t, nothing_yet);
	tcase_add_test(t, refused);
	tcase_add_test(t, nonsense);
	tcase_add_test(t, healthy_waits);
	tcase_add_test(t, all_healthy);
	tcase_add_test(t, opened);
	tcase_add_test(t, each_block_names_its_time);
	tcase_add_test(t, headings_before_the_time);
	tcase_add_test(t, followed);
	tcase_add_test(t, late);
	tcase_add_test(t, history);
	tcase_add_test(t, rates);
	suite_add_tcase(s, t);
	return s;
}
