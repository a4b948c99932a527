// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-iofiles - the file of a block request, by the inode that its task writes or by the call that it is in
 *
 * The file system's device is 8,1, and the disk's 8,0. 3 is /a, and 4 is /b.
 */
#include <check.h>

#include "ask.h"

#define TASKS "seed a/10 pid=10", "seed k/50 pid=50"
#define PATHS .answers = ANSWERS({ 10, 3, 1160, "/a", false })
#define TICK(ns) #ns " cpu1 sched_waking x/98 target=1 by y/99"
#define ENTER(ns, call, fd) #ns " cpu0 sys_enter t=10 nr=" call " " #fd " 0 64 0 0 0"
#define EXIT(ns, call, ret) #ns " cpu0 sys_exit t=10 nr=" call " ret=" #ret
#define KNOWN ENTER(1000, "read", 3), EXIT(1100, "read", 100), TICK(1150), TICK(1200) /* 3 is looked up at 1160 */
#define START(ns, tid, rwbs, sector) #ns " cpu0 block_io_start t=" #tid " 8,0 " rwbs " 4096 sector=" #sector " nr=8 comm=t" #tid
#define ISSUE(ns, tid, rwbs, sector) #ns " cpu0 block_rq_issue t=" #tid " 8,0 " rwbs " 4096 sector=" #sector " nr=8 comm=t" #tid
#define DONE(ns, rwbs, sector) #ns " cpu0 block_rq_complete t=0 8,0 " rwbs " sector=" #sector " nr=8"
#define REQUEST(begin, end, tid, rwbs, sector) START(begin, tid, rwbs, sector), ISSUE(begin, tid, rwbs, sector), DONE(end, rwbs, sector)
#define REQUESTS "iofile", .some = true

/* The call that the task was in when the request began, whoever issues it, and whatever it is in when it ends. */
START_TEST(by_call)
{
	check_rows(ASK("iofile", PATHS),
		   LINES(TASKS, KNOWN, ENTER(2000, "read", 3), START(2010, 10, "R", 100), EXIT(2020, "read", 5), ISSUE(2030, 50, "R", 100),
			 DONE(2090, "R", 100), ENTER(3000, "fsync", 3), REQUEST(3010, 3060, 10, "WS", 200), EXIT(3100, "fsync", 0),
			 REQUEST(4000, 4010, 10, "R", 300)),
		   ROWS("end_ns=2090 lat_ns=60 sector=100 by=call file=/a", "end_ns=3060 lat_ns=50 sector=200 by=call file=/a",
			"end_ns=4010 sector=300 by=- file=-"));
}
END_TEST

/* iosnoop has no inodes, and asks for nothing: it shows what a recording tells. In a gap, and without look-ups, nothing is known. */
START_TEST(of_each_request)
{
#define READ_AND_SYNC TASKS, KNOWN, ENTER(2000, "read", 3), START(2010, 10, "R", 100), EXIT(2020, "read", 5), ISSUE(2030, 50, "R", 100), \
	DONE(2090, "R", 100), ENTER(3000, "fsync", 3), REQUEST(3010, 3060, 10, "WS", 200), REQUEST(3070, 3080, 10, "RM", 300), EXIT(3100, "fsync", 0), \
	REQUEST(4000, 4010, 10, "R", 400)
	check_rows(ASK("iosnoop", .some = true), LINES("fd 10 3 1160 /a", READ_AND_SYNC),
		   ROWS("end_ns=2090 sector=100 comm=t10 file=/a", "end_ns=3060 sector=200 file=/a", "end_ns=3080 file=-", "end_ns=4010 file=-"));
	check_rows(ASK("iosnoop", .some = true), LINES(READ_AND_SYNC), ROWS("file=-", "file=-", "file=-", "file=-"));
	check_rows(ASK("iosnoop", .some = true), LINES("fd 10 3 1160 pipe:[7]", READ_AND_SYNC), ROWS("file=-", "file=-", "file=-", "file=-"));
}
END_TEST

/* What is written in a read, and what is read in a sync, is of others: reclaim, metadata. */
START_TEST(the_other_direction)
{
	check_rows(ASK("iofile", PATHS),
		   LINES(TASKS, KNOWN, ENTER(2000, "read", 3), REQUEST(2010, 2020, 10, "W", 100), EXIT(2030, "read", 5), ENTER(3000, "fsync", 3),
			 REQUEST(3010, 3020, 10, "RM", 200), EXIT(3100, "fsync", 0), ENTER(4000, "write", 3), REQUEST(4010, 4020, 10, "R", 300),
			 EXIT(4100, "write", 5)),
		   ROWS("sector=100 file=-", "sector=200 file=-", "sector=300 by=call file=/a"));
}
END_TEST

#define FLUSH(from, begin, end, to, ino, sector) \
	#from " cpu0 writeback_single_inode_start t=50 " #ino, #from " cpu0 ext4_writepages t=50 8,1 " #ino, REQUEST(begin, end, 50, "W", sector), \
	#to " cpu0 ext4_writepages_result t=50 8,1 " #ino, #to " cpu0 writeback_single_inode t=50 " #ino

/* a writes /a, which is inode 12 of 8,1: the flusher writes it later. Inode 13 is another one. Outside of both it is unknown. */
START_TEST(by_inode)
{
	check_rows(ASK("iofile", PATHS),
		   LINES(TASKS, KNOWN, ENTER(2000, "write", 3), "2010 cpu0 ext4_da_write_begin t=10 8,1 12", EXIT(2020, "write", 100),
			 FLUSH(3000, 3010, 3050, 3060, 12, 100), FLUSH(4000, 4010, 4050, 4060, 13, 200), REQUEST(5000, 5010, 50, "W", 300)),
		   ROWS("end_ns=3050 comm=t50 by=inode file=/a", "end_ns=4050 by=inode file='inode 13'", "end_ns=5010 by=- file=-"));
	/* the number is another inode's after it was evicted */
	check_rows(ASK("iofile", PATHS),
		   LINES(TASKS, KNOWN, ENTER(2000, "fsync", 3), "2010 cpu0 ext4_sync_file_enter t=10 8,1 12", EXIT(2020, "fsync", 0),
			 FLUSH(3000, 3010, 3050, 3060, 12, 100), "3100 cpu1 ext4_evict_inode t=10 8,1 12", FLUSH(4000, 4010, 4050, 4060, 12, 200)),
		   ROWS("end_ns=3050 by=inode file=/a", "end_ns=4050 by=inode file='inode 12'"));
	/* and nothing that was known before a gap is known after it */
	check_rows(ASK("iofile", PATHS),
		   LINES(TASKS, KNOWN, ENTER(2000, "write", 3), "2010 cpu0 ext4_da_write_begin t=10 8,1 12", EXIT(2020, "write", 100),
			 "3000 cpu0 writeback_single_inode_start t=50 12", "cpu1 lost 1", TICK(3500), REQUEST(4000, 4010, 50, "W", 300),
			 FLUSH(5000, 5010, 5050, 5060, 12, 100)),
		   ROWS("end_ns=4010 by=- file=-", "end_ns=5050 by=inode file='inode 12'"));
}
END_TEST

/* The look-up comes after the request: its row waits. A file that is closed before has none. */
START_TEST(a_row_waits_for_its_path)
{
	check_rows(ASK("iofile", PATHS),
		   LINES(TASKS, ENTER(1000, "read", 3), REQUEST(1010, 1020, 10, "R", 100), EXIT(1030, "read", 100), REQUEST(1040, 1050, 10, "R", 200), TICK(1150),
			 TICK(1200), ENTER(1300, "read", 3), EXIT(1310, "read", 5)),
		   ROWS("end_ns=1020 file=/a", "end_ns=1050 file=-"));
	check_rows(ASK("iofile", .answers = NO_ANSWERS),
		   LINES(TASKS, ENTER(1000, "read", 3), REQUEST(1010, 1020, 10, "R", 100), EXIT(1030, "read", 100), ENTER(1040, "close", 3), EXIT(1050, "close", 0),
			 TICK(1150)),
		   ROWS("end_ns=1020 by=call file=-"));
}
END_TEST

/* 40 and 60 ns of reads, 50 of a write of /a, 10 of something else: a table of both, and of the tasks. */
START_TEST(table)
{
#define LOAD LINES(TASKS, KNOWN, ENTER(2000, "read", 3), REQUEST(2010, 2050, 10, "R", 100), REQUEST(2100, 2160, 10, "RA", 108), EXIT(2200, "read", 5), \
		   ENTER(3000, "fsync", 3), "3001 cpu0 ext4_sync_file_enter t=10 8,1 12", REQUEST(3010, 3060, 10, "WS", 200), EXIT(3100, "fsync", 0), \
		   FLUSH(3500, 3510, 3540, 3560, 12, 100), REQUEST(4000, 4010, 10, "R", 300))
	check_rows(ASK("iofiles", PATHS), LOAD,
		   ROWS("file=/a requests=4 reads=2 writes=2 read_bytes=8192 write_bytes=8192 total_ns=180 max_ns=60",
			"file=- requests=1 reads=1 writes=0 read_bytes=4096 total_ns=10"));
	check_rows(ASK("iofiles", PATHS, .by = "comm,file"), LOAD,
		   ROWS("comm=t10 file=/a requests=3 total_ns=150", "comm=t50 file=/a requests=1 total_ns=30", "comm=t10 file=- requests=1"));
}
END_TEST

Suite *rs_suite_iofiles(void);
Suite *rs_suite_iofiles(void)
{
	Suite *s = suite_create("iofiles");
	TCase *t = tcase_create("iofiles");

	tcase_add_test(t, by_call);
	tcase_add_test(t, of_each_request);
	tcase_add_test(t, the_other_direction);
	tcase_add_test(t, by_inode);
	tcase_add_test(t, a_row_waits_for_its_path);
	tcase_add_test(t, table);
	suite_add_tcase(s, t);
	return s;
}
