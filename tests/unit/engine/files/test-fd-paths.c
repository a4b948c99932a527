// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-fd-paths - a descriptor's path is shown where it is certain, and not a row more
 *
 * READ is a row; TICK, on another CPU, ends a turn: then what is to be known is asked (fd-lines.h).
 */
#include <check.h>
#include <stdio.h>

#include "fd-lines.h"
#include "made-lines.h"

#define AT_THE_END ANSWER(10, 3, 9000, "/late") /* asked after the last row */

/* The look is at 1500: certain for what begins after the row that asked, and ends after the look. */
START_TEST(certain_after_the_answer)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1500, "/a"))),
		   LINES(A_10, "1000 cpu0 sys_enter t=11 nr=read 3 0 64 0 0 0", READ(1100, 1200), TICK(1250),
			 READ(1300, 1400), READ(1450, 1550), "1600 cpu0 sys_exit t=11 nr=read ret=100",
			 READ(1700, 1800), CALL(1900, 1910, 11, read, "3 0 64 0 0 0", 100)),
		   ROWS(PLAIN(1100), PLAIN(1300), PATH(1450, "/a"), PLAIN(1000), PATH(1700, "/a"), PATH(1900, "/a")));
}
END_TEST

/* What is closed by the end of the turn is not asked for: the file is gone. */
START_TEST(what_is_closed_is_not_asked_for)
{
	check_rows(ASK(SYSCALLS, .answers = NO_ANSWERS),
		   LINES(A_10, READ(1000, 1100), CALL(1200, 1210, 10, close, "3 0 0 0 0 0", 0), TICK(1300)),
		   ROWS(PLAIN(1000), "call='close(3)'"));
}
END_TEST

#define ENDED_BY(call, args, ret, row, answer) \
	check_rows(ASK(SYSCALLS, .answers = answer), \
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), READ(1300, 1400), \
			 CALL(1500, 1510, 11, call, args, ret), READ(1600, 1700), TICK(1750), READ(1800, 1900)), \
		   ROWS(PLAIN(1000), PATH(1300, "/a"), row, PLAIN(1600)))
#define TWO_ANSWERS ANSWERS(ANSWER(10, 3, 1160, "/a"), ANSWER(10, 3, 1760, "/b"))

/* By any thread of the process; the call itself still shows what it ends. */
START_TEST(calls_that_end_it)
{
	ENDED_BY(close, "3 0 0 0 0 0", 0, "call='close(3</a>)'", TWO_ANSWERS);
	ENDED_BY(close, "3 0 0 0 0 0", -5, "call='close(3</a>)'", TWO_ANSWERS);
	ENDED_BY(dup2, "4 3 0 0 0 0", 3, "call='dup2(4, 3</a>)'", TWO_ANSWERS);
	ENDED_BY(dup3, "4 3 0 0 0 0", 3, "call='dup3(4, 3</a>, O_RDONLY)'", TWO_ANSWERS);
	ENDED_BY(openat, "4 0 0 0 0 0", 3, "syscall=openat",
		 ANSWERS(ANSWER(10, 3, 1160, "/a"), ANSWER(10, 4, 1520, NULL), ANSWER(10, 3, 1760, "/b")));
	ENDED_BY(execve, "0 0 0 0 0 0", -2, "syscall=execve", TWO_ANSWERS);
	ENDED_BY(close_range, "2 5 0 0 0 0", 0, "syscall=close_range", TWO_ANSWERS);
	/* the look came after its begin */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1260, "/a"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), CALL(1250, 1300, 10, close, "3 0 0 0 0 0", 0)),
		   ROWS(PLAIN(1000), "call='close(3)'"));
}
END_TEST

START_TEST(calls_that_do_not_end_it)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"))),
		   LINES(A_10, "seed b/20 pid=20", READ(1000, 1100), TICK(1150), TICK(1200),
			 CALL(1300, 1310, 10, close, "4 0 0 0 0 0", 0), CALL(1320, 1330, 10, dup2, "3 5 0 0 0 0", 5),
			 CALL(1340, 1350, 20, close, "3 0 0 0 0 0", 0), CALL(1360, 1370, 10, read, "7 0 3 0 0 0", 3),
			 CALL(1380, 1390, 10, close_range, "4 ff 0 0 0 0", 0), READ(1400, 1500)),
		   ROWS("start_ns=1320 call='dup2(3</a>, 5)'", PATH(1400, "/a")));
}
END_TEST

/* The look may have been before it, or after: nothing is asked while it lasts, and what comes of it is anew. */
START_TEST(in_flight)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1550, "/b"))),
		   LINES(A_10, "1000 cpu0 sys_enter t=11 nr=dup2 4 3 0 0 0 0", READ(1100, 1200), TICK(1210),
			 "1300 cpu0 sys_exit t=11 nr=dup2 ret=3", READ(1400, 1500), TICK(1540), TICK(1600), READ(1700, 1800)),
		   ROWS(PLAIN(1100), PLAIN(1400), PATH(1700, "/b")));
	/* whose begin was lost, and whose end was */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"), ANSWER(10, 3, 1550, "/b"), AT_THE_END)),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), "1300 cpu0 sys_exit t=11 nr=dup2 ret=7",
			 READ(1400, 1500), TICK(1540), "1550 cpu0 sys_enter t=11 nr=dup2 4 8 0 0 0 0",
			 CALL(1560, 1570, 11, getppid, "0 0 0 0 0 0", 1), READ(1700, 1800)),
		   ROWS(PLAIN(1000), PLAIN(1400), PLAIN(1700)));
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(AT_THE_END)),
		   LINES(A_10, "1000 cpu0 sys_enter t=11 nr=dup2 4 8 0 0 0 0", CALL(1100, 1200, 11, close, "9 0 0 0 0 0", 0),
			 READ(1300, 1400)),
		   ROWS(PLAIN(1300)));
	/* the end of it, and the begin of the next */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(AT_THE_END)),
		   LINES(A_10, ENTER(1000, 11, dup2, "4 8 0 0 0 0"), LEAVE(1200, 11, getppid, 1),
			 READ(1300, 1400)),
		   ROWS(PLAIN(1300)));
}
END_TEST

/* An answer that was on its way when the number became another file's. */
START_TEST(a_late_answer)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(LATE(10, 3, 1160, "/a"), LATE(10, 3, 1560, "/b"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), CALL(1200, 1210, 10, close, "3 0 0 0 0 0", 0),
			 READ(1300, 1400), TICK(1410), READ(1450, 1500), TICK(1550), READ(1570, 1600)),
		   ROWS(PLAIN(1000), PLAIN(1300), PLAIN(1450), PLAIN(1570)));
	/* dup2 makes 3 a duplicate of 4, which is /b: what 3 was before puts that in no doubt */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 4, 1030, "/b"), LATE(10, 3, 1080, "/old"),
						    ANSWER(10, 7, 1150, NULL))),
		   LINES(A_10, FILE_CALL(1000, 1010, 10, read, 4, 1), TICK(1020), TICK(1040),
			 READ(1050, 1060), TICK(1070), CLOSE(1090, 1095),
			 CALL(1100, 1110, 10, dup2, "4 3 0 0 0 0", 3), FILE_CALL(1120, 1130, 10, read, 7, 1),
			 TICK(1140), TICK(1160), READ(1170, 1180)),
		   ROWS(PLAIN(1050), PATH(1170, "/b")));
}
END_TEST

START_TEST(a_gap_ends_it)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"), ANSWER(10, 3, 2260, "/b"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), READ(1300, 1400), "cpu1 lost 1", TICK(2000),
			 READ(2100, 2200), TICK(2250), TICK(2270), READ(2300, 2400)),
		   ROWS(PLAIN(1000), PLAIN(2100), PATH(2300, "/b")));
	/* so late that an empty entry, as looked up at time 0, would be asked for again: of process 0 */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 2000000160, "/a"),
						    ANSWER(10, 3, 3000000260, "/b"))),
		   LINES(A_10, READ(2000000000, 2000000100), TICK(2000000150), TICK(2000000200),
			 "cpu1 lost 1", TICK(3000000000), READ(3000000100, 3000000200),
			 TICK(3000000250), TICK(3000000270), READ(3000000300, 3000000400)),
		   ROWS(PLAIN(2000000000), PLAIN(3000000100), PATH(3000000300, "/b")));
}
END_TEST

/* A process that ends, and another of its number; exec leaves open what it does, under the same numbers or not. */
START_TEST(instances)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"), AT_THE_END)),
		   LINES(A_10, "seed p/5 pid=5", READ(1000, 1100), TICK(1150), TICK(1200), "1250 cpu0 sched_process_exit a/10",
			 "1300 cpu0 task_newtask b/10 flags=0 by p/5", READ(1400, 1500)),
		   ROWS(PLAIN(1000), PLAIN(1400)));
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"), ANSWER(10, 3, 1560, "/b"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200),
			 "1300 cpu0 sched_process_exec /bin/x t=10 pid=10 old=10", IS_64_BITS(1310, 1320), READ(1400, 1500), TICK(1550), TICK(1600),
			 READ(1700, 1800)),
		   ROWS(PLAIN(1000), PLAIN(1400), PATH(1700, "/b")));
	/* dead in the call: nothing is in flight any more */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"))),
		   LINES(A_10, "900 cpu0 sys_enter t=11 nr=close 5 0 0 0 0 0", "950 cpu0 sched_process_exit a/11",
			 READ(1000, 1100), TICK(1150), TICK(1200), READ(1300, 1400)),
		   ROWS(PATH(1300, "/a")));
}
END_TEST

/* Where calls do not tell all that changes a table, nothing is asked; after exec it is the process' own again. */
START_TEST(tables_that_others_change)
{
	check_rows(ASK(SYSCALLS, .answers = NO_ANSWERS),
		   LINES(A_10, CALL(900, 910, 11, io_uring_setup, "8 0 0 0 0 0", -1), READ(1000, 1100), TICK(1150), TICK(1200)),
		   ROWS(PLAIN(1000)));
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"))),
		   LINES(A_10, CALL(900, 910, 11, unshare, "400 0 0 0 0 0", 0), READ(920, 930), TICK(940),
			 "950 cpu0 sched_process_exec /bin/x t=10 pid=10 old=10", IS_64_BITS(960, 970), READ(1000, 1100), TICK(1150), TICK(1200),
			 READ(1300, 1400)),
		   ROWS(PLAIN(920), PLAIN(1000), PATH(1300, "/a")));
	/* CLONE_FILES without CLONE_THREAD: both; with it, a thread as any */
	check_rows(ASK(SYSCALLS, .answers = NO_ANSWERS),
		   LINES(A_10, "900 cpu0 task_newtask b/20 flags=400 by a/10", READ(1000, 1100),
			 CALL(1110, 1120, 20, read, "3 0 64 0 0 0", 1), TICK(1150)),
		   ROWS(PLAIN(1000), PLAIN(1110)));
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"))),
		   LINES(A_10, "900 cpu0 task_newtask a/12 flags=10400 by a/10", READ(1000, 1100), TICK(1150)),
		   ROWS(PLAIN(1000)));
	/* and whose process is not known may be any */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"), ANSWER(10, 3, 1560, "/b"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), CALL(1250, 1260, 77, close, "3 0 0 0 0 0", 0),
			 READ(1400, 1500), TICK(1550)),
		   ROWS(PLAIN(1000), PLAIN(1400)));
	/* a number that it gets was free: no process is known to have it, though it would survive an exec */
	check_rows(ASK("filelat", .some = true),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"),
			 CALL(1100, 1110, 77, openat, CWD " 0 0 0 0 0", 3),
			 FILE_CALL(1200, 1210, 10, read, 3, 1)),
		   ROWS("path=- reads=1 total_ns=10"));
}
END_TEST

/* No descriptor, no right: looked at again after a second. A name that changed holds from the new look on. */
START_TEST(looked_at_again)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, NULL), ANSWER(10, 3, 2000000000, "/a"),
						ANSWER(10, 3, 4000000000, "/b"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), READ(1300, 1400), TICK(1500),
			 READ(1900000000, 1900000100), TICK(1900000200), READ(2000000100, 2000000200), TICK(2000000300),
			 READ(3900000000, 3900000100), TICK(3900000200), TICK(3900000300), READ(3900000400, 3900000500),
			 READ(3999999900, 4000000050), READ(4000000100, 4000000200)),
		   ROWS(PLAIN(1300), PLAIN(1900000000), PATH(2000000100, "/a"), PATH(3900000000, "/a"),
			PLAIN(3900000400), PLAIN(3999999900), PATH(4000000100, "/b")));
	/* the same path again puts no call in doubt, not before the time of the new look either */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"),
						    ANSWER(10, 3, 2000000000, "/a"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), READ(1900000000, 1900000100),
			 TICK(1900000200), TICK(1900000300), READ(1900000400, 1900000500)),
		   ROWS(PLAIN(1000), PATH(1900000000, "/a"), PATH(1900000400, "/a")));
}
END_TEST

/* A duplicate has the path that was looked up, also of a file that was opened by another name. */
START_TEST(a_duplicate_is_not_looked_up)
{
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 2000000160, "/a"))),
		   LINES(A_10, READ(2000000000, 2000000100), TICK(2000000150), TICK(2000000200),
			 CALL(2000000300, 2000000310, 10, dup, "3 0 0 0 0 0", 5),
			 FILE_CALL(2000000400, 2000000500, 10, read, 5, 100), TICK(2000000600)),
		   ROWS(PLAIN(2000000000), "start_ns=2000000400 call='read(5</a>, NULL, 100)'"));
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, 3, 1260, "/real"))),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/link"), FILE_CALL(1100, 1140, 10, read, 3, 7),
			 TICK(1250), TICK(1270), CALL(1300, 1310, 10, dup, "3 0 0 0 0 0", 5),
			 FILE_CALL(1400, 1410, 10, read, 5, 1), TICK(1500)),
		   ROWS("path=/real reads=2 total_ns=50"));
}
END_TEST

/*
 * 257 descriptors, each asked for in a turn of its own, and looked up at 900 ms: only 256 replies can wait
 * for that time, and the last one stays with the requester until they are used. Then all are known at once,
 * also those that share a set of the table.
 */
START_TEST(many_at_once)
{
	static struct fd_answer answers[257 + 1];

	made_lines_begin();
	made_line("seed a/10 pid=10");
	for (unsigned int i = 0; i < 257; i++) {
		answers[i] = (struct fd_answer)ANSWER(10, (int32_t)i, 900000000, "/all");
		made_line("%u000000 cpu%u sys_enter t=10 nr=read %x 0 64 0 0 0", i + 1, i % 2, i);
		made_line("%u000100 cpu%u sys_exit t=10 nr=read ret=1", i + 1, i % 2);
	}
	for (unsigned int i = 0; i < 3; i++) {
		made_line("%u000000 cpu%u sys_enter t=10 nr=read 100 0 64 0 0 0", 1000 + i, 1 - i % 2);
		made_line("%u000100 cpu%u sys_exit t=10 nr=read ret=1", 1000 + i, 1 - i % 2);
	}
	check_rows(ASK("filelat", .answers = answers), made_lines,
		   ROWS("path=/all reads=260 total_ns=26000"));
}
END_TEST

/*
 * 3 is /a: written (100 ns), duplicated as 4, which is read (40 ns) and synced (100 ns). Then 3 is closed and another file,
 * whose look-up comes too late.
 */
START_TEST(calls_by_file)
{
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, 3, 1260, "/a"), AT_THE_END)),
		   LINES(A_10, CALL(1000, 1010, 10, openat, "ffffff9c 0 0 0 0 0", 3), FILE_CALL(1100, 1200, 10, write, 3, 100), TICK(1250),
			 TICK(1270), CALL(1300, 1310, 10, dup2, "3 4 0 0 0 0", 4), FILE_CALL(1400, 1440, 10, read, 4, 50),
			 FILE_CALL(1500, 1600, 11, fsync, 4, 0), CALL(1700, 1710, 10, close, "3 0 0 0 0 0", 0),
			 CALL(1800, 1810, 10, openat, "ffffff9c 0 0 0 0 0", 3), FILE_CALL(1900, 1910, 10, write, 3, 7)),
		   ROWS("path=/a reads=1 writes=1 syncs=1 read_bytes=50 write_bytes=100 total_ns=240 max_ns=100",
			"path=- reads=0 writes=1 syncs=0 write_bytes=7 total_ns=10"));
}
END_TEST

/* The child has the parent's descriptor, but after its exec that may be closed. The close of the one is not that of the other. */
START_TEST(calls_by_file_after_fork)
{
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, 3, 1060, "/a"), ANSWER(20, 3, 9000, NULL))),
		   LINES(A_10, FILE_CALL(1000, 1010, 10, read, 3, 1), TICK(1050), TICK(1070), "1100 cpu0 sys_enter t=10 nr=clone 11 0 0 0 0 0",
			 "1110 cpu0 task_newtask b/20 flags=0 by a/10", "1120 cpu0 sys_exit t=10 nr=clone ret=20",
			 CALL(1200, 1210, 10, close, "3 0 0 0 0 0", 0), FILE_CALL(1300, 1320, 20, read, 3, 2),
			 "1400 cpu0 sched_process_exec /bin/x t=20 pid=20 old=20",
			 CALL(1410, 1420, 20, getppid, "7fff00001000 0 0 0 0 0", 1), FILE_CALL(1500, 1505, 20, read, 3, 4)),
		   ROWS("path=/a reads=2 read_bytes=3 total_ns=30", "path=- reads=1 read_bytes=4 total_ns=5"));
}
END_TEST

/* The kernel has read the names: of files that are closed before any look-up, too. The look-up's path wins, and no path leaves the name. */
START_TEST(names_from_the_kernel)
{
	check_rows(ASK("filelat", .answers = NO_ANSWERS),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"), FILE_CALL(1100, 1140, 10, read, 3, 7), CALL(1200, 1210, 10, close, "3 0 0 0 0 0", 0),
			 "1299 cpu0 openat t=10 b", "1300 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1310 cpu0 sys_exit t=10 nr=openat ret=3",
			 FILE_CALL(1400, 1410, 10, read, 3, 1), CALL(1500, 1510, 10, close, "3 0 0 0 0 0", 0), TICK(1600)),
		   ROWS("path=/a reads=1 read_bytes=7 total_ns=40", "path=b reads=1 total_ns=10"));
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, 3, 1260, "/real"))),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/link"), FILE_CALL(1100, 1140, 10, read, 3, 7), TICK(1250), TICK(1270),
			 FILE_CALL(1300, 1310, 10, read, 3, 1)),
		   ROWS("path=/real reads=2 total_ns=50"));
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1260, NULL))),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"), READ(1100, 1140), TICK(1250), TICK(1270), READ(1300, 1310)),
		   ROWS(PATH(1100, "/a"), PATH(1300, "/a")));
}
END_TEST

/* What was opened without O_CLOEXEC is the same file after an exec, as the files of a shell's < and >, until fcntl marks it. */
START_TEST(over_an_exec)
{
	static const char *const flags[] = { "ffffff9c 0 0", "ffffff9c 0 80000" };

	for (int cloexec = 0; cloexec < 2; cloexec++) {
		char open[80];

		snprintf(open, sizeof open, "1000 cpu0 sys_enter t=10 nr=openat %s 0 0 0", flags[cloexec]);
		check_rows(ASK("filelat", .some = true),
			   LINES("seed a/10 pid=10", open, "1000 cpu0 openat t=10 /a", "1010 cpu0 sys_exit t=10 nr=openat ret=3", EXEC(1100, 1200),
				 FILE_CALL(13000, 13040, 10, read, 3, 7)),
			   cloexec ? ROWS("path=- reads=1 total_ns=40") : ROWS("path=/a reads=1 total_ns=40"));
	}
	check_rows(ASK("filelat", .some = true),
		   LINES("seed a/10 pid=10", OPENAT(1000, 1010, CWD, 3, "/a"), CALL(1020, 1030, 10, dup2, "3 0 0 0 0 0", 0), CALL(1040, 1050, 10, fcntl, "3 2 1 0 0 0", 0),
			 EXEC(1100, 1200), FILE_CALL(13000, 13040, 10, read, 3, 7), FILE_CALL(14000, 14020, 10, read, 0, 1)),
		   ROWS("path=- reads=1 total_ns=40", "path=/a reads=1 total_ns=20"));
}
END_TEST

/*
 * The end of the exec was lost, which tells on x86 of which table the program's calls are: the first one may
 * be a 32-bit program's close.
 */
START_TEST(over_an_exec_to_an_unknown_table)
{
#define OPENED_AND_EXECED "seed a/10 pid=10", OPENAT(1000, 1010, CWD, 3, "/a"), \
	ENTER(1100, 10, execve, "0 0 0 0 0 0"), EXEC_AT(1110)
	static const char *const layouts[] = { "6.1 x86-64", "6.1 s390x" };

	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		check_rows(ASK("filelat", .some = true, .layout = layouts[i]),
			   LINES(OPENED_AND_EXECED, CALL(1200, 1210, 10, getppid, "0 0 0 0 0 0", 1),
				 IS_64_BITS(1220, 1230), FILE_CALL(1300, 1340, 10, read, 3, 7)),
			   ROWS("path=- reads=1 total_ns=40"));
		check_rows(ASK("filelat", .some = true, .layout = layouts[i]),
			   LINES(OPENED_AND_EXECED, IS_64_BITS(1220, 1230),
				 FILE_CALL(1300, 1340, 10, read, 3, 7)),
			   ROWS("path=/a reads=1 total_ns=40"));
	}
}
END_TEST

/* Of a recording that has no look-ups at all. */
START_TEST(names_in_a_recording)
{
	check_rows(ASK("filelat"), LINES(A_10, OPENAT(1000, 1010, CWD, 3, "f"), FILE_CALL(1100, 1140, 10, read, 3, 7), CALL(1200, 1210, 10, close, "3 0 0 0 0 0", 0)),
		   ROWS("path=f kind=file reads=1 total_ns=40"));
}
END_TEST

/* Below a folder whose path is known; the name of a call that failed is no other call's, nor is that of another thread. */
START_TEST(names_and_their_calls)
{
	check_rows(ASK("filelat", .answers = NO_ANSWERS),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 4, "/dir"), OPENAT(1020, 1030, "4", 3, "f"), FILE_CALL(1100, 1140, 10, read, 3, 7),
			 CALL(1150, 1160, 10, close, "3 0 0 0 0 0", 0), OPENAT(1200, 1210, CWD, -2, "/none"), "1300 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0",
			 "1305 cpu0 openat t=11 /other", "1310 cpu0 sys_exit t=10 nr=openat ret=3", FILE_CALL(1400, 1410, 10, read, 3, 1),
			 CALL(1500, 1510, 10, close, "3 0 0 0 0 0", 0), CALL(1520, 1530, 10, close, "4 0 0 0 0 0", 0), TICK(1600)),
		   ROWS("path=/dir/f reads=1 total_ns=40", "path=- reads=1 total_ns=10"));
}
END_TEST

/* A relative name: the directory is looked up at 1050, after the file was closed. That of after a chdir is not known: the name stays. */
START_TEST(names_below_the_working_directory)
{
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, RS_FD_CWD, 1050, "/home"))),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "./b"), FILE_CALL(1020, 1024, 10, read, 3, 7), CLOSE(1030, 1040), TICK(1045), TICK(1060),
			 OPENAT(1100, 1110, CWD, 3, "c"), FILE_CALL(1120, 1123, 10, read, 3, 7), CLOSE(1130, 1140),
			 CALL(1200, 1210, 11, chdir, "0 0 0 0 0 0", 0), OPENAT(1300, 1310, CWD, 3, "d"), FILE_CALL(1320, 1322, 10, read, 3, 7), CLOSE(1330, 1340),
			 TICK(1400)),
		   ROWS("path=/home/b total_ns=4", "path=/home/c total_ns=3", "path=d total_ns=2"));
	/* a chdir while the file is opened: before or after */
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, RS_FD_CWD, 1080, "/home"))),
		   LINES(A_10, "1000 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", "1001 cpu0 openat t=10 b", CALL(1002, 1003, 11, chdir, "0 0 0 0 0 0", 0),
			 "1010 cpu0 sys_exit t=10 nr=openat ret=3", FILE_CALL(1020, 1024, 10, read, 3, 7), CLOSE(1030, 1040), TICK(1045), TICK(1090),
			 OPENAT(1100, 1110, CWD, 3, "c"), FILE_CALL(1120, 1123, 10, read, 3, 7), CLOSE(1130, 1140), TICK(1200)),
		   ROWS("path=b total_ns=4", "path=/home/c total_ns=3"));
	/* the directory was deleted */
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, RS_FD_CWD, 1050, "/home (deleted)"))),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "b"), FILE_CALL(1020, 1024, 10, read, 3, 7), CLOSE(1030, 1040), TICK(1045), TICK(1060)),
		   ROWS("path=b total_ns=4"));
}
END_TEST

/* fchdir goes where its descriptor is of; a child begins where its parent is, and goes elsewhere alone. */
START_TEST(working_directories_that_move)
{
	check_rows(ASK("filelat", .answers = NO_ANSWERS),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 4, "/dir"), CALL(1020, 1030, 10, fchdir, "4 0 0 0 0 0", 0), OPENAT(1040, 1050, CWD, 3, "f"),
			 FILE_CALL(1060, 1065, 10, read, 3, 7), CLOSE(1070, 1080), CALL(1082, 1084, 10, close, "4 0 0 0 0 0", 0),
			 "1100 cpu0 sys_enter t=10 nr=clone 11 0 0 0 0 0", "1110 cpu0 task_newtask b/20 flags=0 by a/10",
			 "1120 cpu0 sys_exit t=10 nr=clone ret=20", CALL(1130, 1140, 10, chdir, "0 0 0 0 0 0", 0),
			 "1200 cpu0 sys_enter t=20 nr=openat " CWD " 0 0 0 0 0", "1201 cpu0 openat t=20 g", "1210 cpu0 sys_exit t=20 nr=openat ret=5",
			 FILE_CALL(1220, 1224, 20, read, 5, 7), CALL(1230, 1240, 20, close, "5 0 0 0 0 0", 0)),
		   ROWS("path=/dir/f total_ns=5", "path=/dir/g total_ns=4"));
	/* close_range leaves it where it is; with CLONE_FS the child's chdir is the parent's, too */
	check_rows(ASK("filelat", .answers = NO_ANSWERS),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 4, "/dir"), CALL(1020, 1030, 10, fchdir, "4 0 0 0 0 0", 0), CALL(1032, 1034, 10, close_range, "3 ffffffff 0 0 0 0", 0),
			 OPENAT(1040, 1050, CWD, 3, "f"), FILE_CALL(1060, 1065, 10, read, 3, 7), CLOSE(1070, 1080), "1100 cpu0 sys_enter t=10 nr=clone 11 0 0 0 0 0",
			 "1110 cpu0 task_newtask b/20 flags=200 by a/10", "1120 cpu0 sys_exit t=10 nr=clone ret=20", OPENAT(1140, 1150, CWD, 3, "g"),
			 FILE_CALL(1160, 1164, 10, read, 3, 7)),
		   ROWS("path=/dir/f total_ns=5", "path=- total_ns=4"));
}
END_TEST

#define KNOWN_A A_10, READ(1000, 1100), TICK(1150), TICK(1200), READ(1300, 1400) /* of 3, from 1160 on */
#define A_AT_1160 ANSWERS(ANSWER(10, 3, 1160, "/a"))
#define IN_CLOSE(from, to, ...) #from " cpu0 sys_enter t=11 nr=close 3 0 0 0 0 0", __VA_ARGS__, #to " cpu0 sys_exit t=11 nr=close ret=0"

/* While it is closed its name is that of the closing call alone; of two that close it, of neither. */
START_TEST(while_it_is_closed)
{
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160),
		   LINES(KNOWN_A, "1450 cpu0 sys_enter t=10 nr=read 3 0 64 0 0 0", IN_CLOSE(1500, 1700, "1600 cpu0 sys_exit t=10 nr=read ret=100")),
		   ROWS(PATH(1300, "/a"), PLAIN(1450), "call='close(3</a>)'"));
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160), LINES(KNOWN_A, IN_CLOSE(1500, 1700, READ(1500, 1600))),
		   ROWS(PATH(1300, "/a"), PLAIN(1500), "call='close(3</a>)'"));
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160), LINES(KNOWN_A, IN_CLOSE(1500, 1700, CALL(1510, 1600, 10, close, "3 0 0 0 0 0", -9))),
		   ROWS(PATH(1300, "/a"), "start_ns=1510 call='close(3)'", "start_ns=1500 call='close(3)'"));
	check_rows(ASK("filelat", .answers = NO_ANSWERS),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"), FILE_CALL(1100, 1140, 10, read, 3, 7),
			 "1450 cpu0 sys_enter t=10 nr=read 3 0 64 0 0 0", IN_CLOSE(1500, 1700, "1600 cpu0 sys_exit t=10 nr=read ret=9", READ(1610, 1613))),
		   ROWS("path=/a reads=1 total_ns=40", "path=- reads=2 total_ns=153"));
}
END_TEST

/* A call that began before the number was this file's: the read, the copy and the child may be of the file before. */
START_TEST(calls_that_began_before)
{
#define OPENED_MEANWHILE(call, args) A_10, "1000 cpu0 sys_enter t=11 nr=" call " " args, OPENAT(1010, 1020, CWD, 3, "/a")
	check_rows(ASK("filelat", .some = true), LINES(OPENED_MEANWHILE("read", "3 0 64 0 0 0"), "1100 cpu0 sys_exit t=11 nr=read ret=5"), ROWS("path=- reads=1 total_ns=100"));
	check_rows(ASK("filelat", .some = true), LINES(OPENED_MEANWHILE("dup", "3 0 0 0 0 0"), "1100 cpu0 sys_exit t=11 nr=dup ret=5", FILE_CALL(1200, 1210, 10, read, 5, 1)),
		   ROWS("path=- reads=1 total_ns=10"));
	check_rows(ASK("filelat", .some = true),
		   LINES(OPENED_MEANWHILE("clone", "11 0 0 0 0 0"), "1030 cpu0 task_newtask b/20 flags=0 by a/11", "1100 cpu0 sys_exit t=11 nr=clone ret=20",
			 FILE_CALL(1200, 1210, 20, read, 3, 1)),
		   ROWS("path=- reads=1 total_ns=10"));
}
END_TEST

/* By a coarse clock a call begins when the one before ends: that is not before. */
START_TEST(calls_that_begin_at_once)
{
	check_rows(ASK("filelat", .some = true),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"), CALL(1010, 1020, 10, dup, "3 0 0 0 0 0", 5),
			 FILE_CALL(1100, 1110, 10, read, 5, 1)),
		   ROWS("path=/a reads=1 total_ns=10"));
}
END_TEST

/* Closed before the child is made, or after: the child has it, or not. */
START_TEST(a_fork_in_a_close)
{
	check_rows(ASK("filelat", .some = true),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"), ENTER(1020, 10, clone, "11 0 0 0 0 0"),
			 ENTER(1030, 11, close, "3 0 0 0 0 0"), "1040 cpu0 task_newtask b/20 flags=0 by a/10",
			 LEAVE(1050, 11, close, 0), LEAVE(1060, 10, clone, 20),
			 FILE_CALL(1200, 1210, 20, read, 3, 1)),
		   ROWS("path=- reads=1 total_ns=10"));
}
END_TEST

/* Behind a gap a copy, and a child's copy, are of what the number is now. */
START_TEST(copies_behind_a_gap)
{
#define OPENED_BEFORE_A_GAP A_10, OPENAT(1000, 1010, CWD, 3, "/a"), "cpu1 lost 1", TICK(2000)
	check_rows(ASK("filelat", .some = true),
		   LINES(OPENED_BEFORE_A_GAP, CALL(2100, 2110, 10, dup, "3 0 0 0 0 0", 5), FILE_CALL(2200, 2210, 10, read, 5, 1)), ROWS("path=- reads=1 total_ns=10"));
	check_rows(ASK("filelat", .some = true),
		   LINES(OPENED_BEFORE_A_GAP, "2100 cpu0 sys_enter t=10 nr=clone 11 0 0 0 0 0", "2110 cpu0 task_newtask b/20 flags=0 by a/10",
			 "2120 cpu0 sys_exit t=10 nr=clone ret=20", FILE_CALL(2200, 2210, 20, read, 3, 1)),
		   ROWS("path=- reads=1 total_ns=10"));
}
END_TEST

/* What was known when the table becomes one that others change is not known any more. */
START_TEST(known_before_others_change_it)
{
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160), LINES(KNOWN_A, CALL(1500, 1510, 11, io_uring_setup, "8 0 0 0 0 0", 4), READ(1600, 1700)),
		   ROWS(PATH(1300, "/a"), PLAIN(1600)));
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160), LINES(KNOWN_A, CALL(1500, 1510, 11, unshare, "400 0 0 0 0 0", 0), READ(1600, 1700)),
		   ROWS(PATH(1300, "/a"), PLAIN(1600)));
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160), LINES(KNOWN_A, CALL(1500, 1510, 11, unshare, "200 0 0 0 0 0", 0), READ(1600, 1700)),
		   ROWS(PATH(1300, "/a"), PLAIN(1600)));
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160), LINES(KNOWN_A, CALL(1500, 1510, 11, unshare, "20000 0 0 0 0 0", 0), READ(1600, 1700)),
		   ROWS(PATH(1300, "/a"), PLAIN(1600)));
	check_rows(ASK(SYSCALLS, .answers = A_AT_1160), LINES(KNOWN_A, CALL(1500, 1510, 11, close_range, "64 64 2 0 0 0", 0), READ(1600, 1700)),
		   ROWS(PATH(1300, "/a"), PLAIN(1600)));
	/* nothing is asked while a process that is not known closes something */
	check_rows(ASK(SYSCALLS, .answers = ANSWERS(ANSWER(10, 3, 1550, "/b"))),
		   LINES(A_10, "1000 cpu0 sys_enter t=77 nr=close 3 0 0 0 0 0", READ(1100, 1200), TICK(1210), "1300 cpu0 sys_exit t=77 nr=close ret=0",
			 READ(1400, 1500), TICK(1540), TICK(1600), READ(1700, 1800)),
		   ROWS(PLAIN(1100), PLAIN(1400), PATH(1700, "/b")));
	/* nor about what is being closed, though the kernel has told its name */
	check_rows(ASK(SYSCALLS, .answers = NO_ANSWERS), LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"), IN_CLOSE(1100, 1200, TICK(1150)), TICK(1300)),
		   ROWS("call='close(3</a>)'"));
}
END_TEST

/* How a number survives an exec, and what of it does: each copies 3 to 5, or marks 3. */
START_TEST(marks_and_copies_over_an_exec)
{
	static const struct {
		const char *call, *args, *fd, *row;
	} cases[] = {
		{ "fcntl", "3 0 0 0 0 0", "5", "path=/a reads=1" },     /* F_DUPFD */
		{ "fcntl", "3 406 0 0 0 0", "5", "path=- reads=1" },    /* F_DUPFD_CLOEXEC */
		{ "dup3", "3 5 80000 0 0 0", "5", "path=- reads=1" },
		{ "fcntl", "3 2 0 0 0 0", "3", "path=/a reads=1" },     /* F_SETFD takes a mark away */
		{ "ioctl", "3 5451 0 0 0 0", "3", "path=- reads=1" },   /* FIOCLEX */
		{ "ioctl", "3 5452 0 0 0 0", "3", "path=/a reads=1" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char enter[80], leave[80], read[80];

		snprintf(enter, sizeof enter, "1020 cpu0 sys_enter t=10 nr=%s %s", cases[i].call, cases[i].args);
		snprintf(leave, sizeof leave, "1030 cpu0 sys_exit t=10 nr=%s ret=%s", cases[i].call, cases[i].fd[0] == '5' ? "5" : "0");
		snprintf(read, sizeof read, "13000 cpu0 sys_enter t=10 nr=read %s 0 64 0 0 0", cases[i].fd);
		check_rows(ASK("filelat", .some = true),
			   LINES("seed a/10 pid=10", OPENAT(1000, 1010, CWD, 3, "/a"), enter, leave, EXEC(1100, 1200), read, "13040 cpu0 sys_exit t=10 nr=read ret=7"),
			   ROWS(cases[i].row));
	}
	/* F_DUPFD_CLOEXEC is a copy, too */
	check_rows(ASK("filelat", .some = true),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "/a"), CALL(1020, 1030, 10, fcntl, "3 406 0 0 0 0", 5), FILE_CALL(1100, 1140, 10, read, 5, 7)),
		   ROWS("path=/a reads=1 total_ns=40"));
}
END_TEST

Suite *rs_suite_fd_paths(void)
{
	Suite *s = suite_create("fd-paths");
	TCase *t = tcase_create("paths");

	tcase_add_test(t, certain_after_the_answer);
	tcase_add_test(t, what_is_closed_is_not_asked_for);
	tcase_add_test(t, calls_that_end_it);
	tcase_add_test(t, calls_that_do_not_end_it);
	tcase_add_test(t, in_flight);
	tcase_add_test(t, a_late_answer);
	tcase_add_test(t, a_gap_ends_it);
	tcase_add_test(t, instances);
	tcase_add_test(t, tables_that_others_change);
	tcase_add_test(t, looked_at_again);
	tcase_add_test(t, a_duplicate_is_not_looked_up);
	tcase_add_test(t, many_at_once);
	tcase_add_test(t, calls_by_file);
	tcase_add_test(t, calls_by_file_after_fork);
	tcase_add_test(t, names_from_the_kernel);
	tcase_add_test(t, names_and_their_calls);
	tcase_add_test(t, names_in_a_recording);
	tcase_add_test(t, names_below_the_working_directory);
	tcase_add_test(t, working_directories_that_move);
	tcase_add_test(t, over_an_exec);
	tcase_add_test(t, over_an_exec_to_an_unknown_table);
	tcase_add_test(t, while_it_is_closed);
	tcase_add_test(t, calls_that_began_before);
	tcase_add_test(t, calls_that_begin_at_once);
	tcase_add_test(t, a_fork_in_a_close);
	tcase_add_test(t, copies_behind_a_gap);
	tcase_add_test(t, known_before_others_change_it);
	tcase_add_test(t, marks_and_copies_over_an_exec);
	suite_add_tcase(s, t);
	return s;
}
