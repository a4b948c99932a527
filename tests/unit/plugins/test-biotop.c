// SPDX-License-Identifier: GPL-2.0-or-later
/* test-biotop - each disk by process: what it was served, and behind whom its requests waited */
#include <check.h>
#include <stdio.h>

#include "ask.h"

#define NAME_0 "idle"
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

#define THREE_IN_A_QUEUE \
	TASKS, INSERT(900, 10, "R", 100), ISSUE(1000, 10, "R", 100), ISSUE(1100, 20, "W", 200), ISSUE(1200, 21, "WS", 300), \
	DONE(1500, "W", 200), INSERT(1600, 30, "R", 400), DONE(1700, "WS", 300), ISSUE(1900, 30, "R", 400), DONE(2000, "R", 100), \
	DONE(2600, "R", 400)

/*
 * The device serves b from 1100 to 1500 and from 1500 to 1700 (both came after a, and overtake it), then a from 1700 to 2000: a waits
 * 400 + 200 behind b. It serves c from 2000 to 2600: c is there from 1600 on, and waits 100 behind b and 300 behind a.
 */
START_TEST(behind_whom)
{
	check_rows(ASK("biotop"), LINES(THREE_IN_A_QUEUE),
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

/*
 * Each request: how many were served before it since it was asked for. a's request (900 to 2000) has both of b before it, 400 and 200;
 * c's (1600 to 2600) that of b which ends at 1700, for 100, and a's, for 300. b's first has none, its second its own first for 300.
 */
START_TEST(ahead_of_each)
{
	check_rows(ASK("bioqueue"), LINES(THREE_IN_A_QUEUE),
		   ROWS("start_ns=1100 end_ns=1500 comm=b pid=20 tid=20 type=W lat_ns=400 ahead=0 ahead_ns=0 behind_ns=0 behind=-",
			"start_ns=1200 end_ns=1700 comm=b2 pid=20 tid=21 lat_ns=500 ahead=1 ahead_ns=300 behind_ns=0 behind=-",
			"start_ns=900 end_ns=2000 tid=10 lat_ns=1100 ahead=2 ahead_ns=600 behind_ns=600 behind=b behind_pid=20",
			"start_ns=1600 end_ns=2600 tid=30 lat_ns=1000 ahead=2 ahead_ns=400 behind_ns=400 behind=a behind_pid=10"));
	/* where no process is known, it is not known which are of others */
	check_rows(ASK("bioqueue", .some = true), LINES(ISSUE(1000, 10, "R", 100), ISSUE(1100, 20, "W", 200), DONE(1500, "W", 200), DONE(1600, "R", 100)),
		   ROWS("tid=10 pid=- ahead=1 ahead_ns=400 behind_ns=- behind=-"));
	/* whom the disk serves, one after the other; of an unknown owner it is not said */
	check_rows(ASK("biotop", .span = "served"), LINES(THREE_IN_A_QUEUE, ISSUE(3000, 0, "R", 500), DONE(3200, "R", 500)),
		   ROWS("from=1100 to=1500 label=b/20", "from=1500 to=1700 label=b2/21", "from=1700 to=2000 label=a/10",
			"from=2000 to=2600 label=c/30", "from=3000 to=3200 label='?'"));
}
END_TEST

/* Of 256 requests it is remembered when they were served: of one more the sum is not known, but who has most of it. */
START_TEST(very_deep)
{
	static char lines[2 * 257 + 6][120];
	static const char *list[2 * 257 + 6 + 1];
	unsigned int nr = 0;

	for (unsigned int deep = 256; deep <= 257; deep++) {
		nr = 0;
		snprintf(lines[nr++], sizeof *lines, "seed a/10 pid=10");
		snprintf(lines[nr++], sizeof *lines, "seed b/20 pid=20");
		snprintf(lines[nr++], sizeof *lines, ISSUE(1000, 10, "R", 90000));
		for (unsigned int i = 0; i < deep; i++) {
			snprintf(lines[nr++], sizeof *lines, "%u cpu0 block_rq_issue t=20 8,0 W 4096 sector=%u nr=8 comm=b", 2000 + 10 * i, 8 * i);
			snprintf(lines[nr++], sizeof *lines, "%u cpu0 block_rq_complete t=0 8,0 W sector=%u nr=8", 2004 + 10 * i, 8 * i);
		}
		snprintf(lines[nr++], sizeof *lines, DONE(9000, "R", 90000));
		for (unsigned int i = 0; i < nr; i++)
			list[i] = lines[i];
		list[nr] = NULL;
		check_rows(ASK("bioqueue", .pid = 10), list,
			   deep == 256 ? ROWS("tid=10 ahead=256 ahead_ns=1024 behind=b") : ROWS("tid=10 ahead=- ahead_ns=- behind=b"));
	}
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
	tcase_add_test(t, ahead_of_each);
	tcase_add_test(t, very_deep);
	tcase_add_test(t, flushes);
	tcase_add_test(t, lost);
	tcase_add_test(t, intervals);
	suite_add_tcase(s, t);
	return s;
}
