// SPDX-License-Identifier: GPL-2.0-or-later
/* test-biotop - each disk by process: what it was served, and behind whom its requests waited */
#include <check.h>

#include "ask.h"

#define NAME_10 "a"
#define NAME_20 "b"
#define NAME_21 "b2"
#define NAME_30 "c"
#define TASKS "seed a/10 pid=10", "seed b/20 pid=20", "seed b2/21 pid=20", "seed c/30 pid=30"
#define AT(ns, event, tid, rwbs, bytes, sector) \
	#ns " cpu0 block_rq_" event " t=" #tid " 8,0 " rwbs " " #bytes " sector=" #sector " nr=8 comm=" NAME_##tid
#define INSERT(ns, tid, rwbs, sector) AT(ns, "insert", tid, rwbs, 4096, sector)
#define ISSUE(ns, tid, rwbs, sector) AT(ns, "issue", tid, rwbs, 4096, sector)
#define DONE(ns, rwbs, sector) #ns " cpu0 block_rq_complete t=0 8,0 " rwbs " sector=" #sector " nr=8"

/*
 * The device serves b from 1100 to 1500 and from 1500 to 1700 (both came after a, and overtake it), then a from 1700 to 2000: a waits
 * 400 + 200 behind b. It serves c from 2000 to 2600: c is there from 1600 on, and waits 100 behind b and 300 behind a.
 */
START_TEST(behind_whom)
{
	check_rows(ASK("biotop"),
		   LINES(TASKS, INSERT(900, 10, "R", 100), ISSUE(1000, 10, "R", 100), ISSUE(1100, 20, "W", 200), ISSUE(1200, 21, "WS", 300),
			 DONE(1500, "W", 200), INSERT(1600, 30, "R", 400), DONE(1700, "WS", 300), ISSUE(1900, 30, "R", 400),
			 DONE(2000, "R", 100), DONE(2600, "R", 400)),
		   ROWS("dev=8,0 comm=a pid=10 requests=1 reads=1 writes=0 read_bytes=4096 write_bytes=0 served_ns=300 served_pct=20000 "
			"i2d_avg_ns=100 d2c_avg_ns=1000 behind_ns=600 behind=b behind_pid=20 sync_pct=-",
			"dev=8,0 comm=b pid=20 requests=2 reads=0 writes=2 write_bytes=8192 sync_pct=50000 served_ns=600 served_pct=40000 "
			"i2d_avg_ns=- d2c_avg_ns=450 behind_ns=0 behind=- behind_pid=-",
			"dev=8,0 comm=c pid=30 served_ns=600 served_pct=40000 i2d_avg_ns=300 behind_ns=400 behind=a behind_pid=10"));
	check_rows(ASK("biotop", .by = "dev"),
		   LINES(TASKS, ISSUE(1000, 10, "R", 100), ISSUE(1100, 20, "W", 200), DONE(1500, "R", 100), DONE(1600, "W", 200)),
		   ROWS("dev=8,0 comm=- pid=- requests=2 served_ns=600 served_pct=100000"));
	check_rows(ASK("biotop", .by = "pid", .pid = 10),
		   LINES(TASKS, ISSUE(1000, 10, "R", 100), ISSUE(1100, 20, "W", 200), DONE(1500, "W", 200), DONE(1600, "R", 100)),
		   ROWS("dev=- pid=10 requests=1 served_ns=100 served_pct=- behind_ns=400 behind=b"));
}
END_TEST

/* A flush has no data, and is the caller's of fsync; a discard is neither read nor write. */
START_TEST(flushes)
{
	check_rows(ASK("biotop"),
		   LINES(TASKS, "1000 cpu0 block_rq_issue t=10 8,0 FF 0 sector=0 nr=0 comm=a",
			 "1500 cpu0 block_rq_complete t=0 8,0 FF sector=0 nr=0", ISSUE(2000, 10, "FWFS", 100), DONE(2100, "FWFS", 100),
			 ISSUE(3000, 10, "DS", 200), DONE(3100, "DS", 200)),
		   ROWS("comm=a requests=3 reads=0 writes=1 flushes=1 sync_pct=100000 served_ns=700"));
}
END_TEST

/* Nothing is known of who was served in a gap, nor of a request that began before it. */
START_TEST(lost)
{
	check_rows(ASK("biotop"),
		   LINES(TASKS, ISSUE(1000, 20, "W", 200), DONE(1500, "W", 200), "1550 cpu1 sched_waking x/98 target=1 by y/99", INSERT(1600, 10, "R", 100), "cpu1 lost 1",
			 "2000 cpu1 sched_waking x/98 target=1 by y/99", ISSUE(2100, 10, "R", 300), ISSUE(2200, 20, "W", 400), DONE(2500, "W", 400),
			 DONE(2600, "R", 300)),
		   ROWS("pid=10 requests=1 behind_ns=300 behind=b", "pid=20 requests=2 behind_ns=0"));
}
END_TEST

/* Sums take the part of an interval after the last reset; what a device served before it still counts for who waited. */
START_TEST(intervals)
{
	check_rows(ASK("biotop", .resets = RESETS(1500)),
		   LINES(TASKS, ISSUE(1000, 10, "R", 100), ISSUE(1100, 20, "W", 200), "1500 cpu0 sched_waking x/98 target=1 by y/99", "cpu0 page",
			 DONE(1800, "W", 200), DONE(2000, "R", 100)),
		   ROWS("pid=10 requests=1 served_ns=200 behind_ns=300", "pid=20 requests=1 served_ns=300 behind_ns=0"));
}
END_TEST

Suite *rs_suite_biotop(void);
Suite *rs_suite_biotop(void)
{
	Suite *s = suite_create("biotop");
	TCase *t = tcase_create("biotop");

	tcase_add_test(t, behind_whom);
	tcase_add_test(t, flushes);
	tcase_add_test(t, lost);
	tcase_add_test(t, intervals);
	suite_add_tcase(s, t);
	return s;
}
