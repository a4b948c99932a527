// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-fd-names - the working directory that the names of opened files begin at: when it is looked up, and
 * how long that holds
 *
 * See also names_below_the_working_directory and the tests after it in test-fd-paths.c.
 */
#include <check.h>

#include "engine/files/fd-paths-parts.h"
#include "engine/calls/syscall.h"
#include "fd-lines.h"
#include "made-lines.h"

/* Who closes and reads needs no directory, and it is not looked up; who opens a file does. */
START_TEST(asked_for_by_an_open)
{
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, 3, 1060, "/a"),
						     ANSWER(10, RS_FD_CWD, 1250, "/home"))),
		   LINES(A_10, CALL(900, 910, 10, close, "9 0 0 0 0 0", 0), TICK(950),
			 FILE_CALL(1000, 1010, 10, read, 3, 1), TICK(1050), OPENAT(1200, 1210, CWD, 5, "b"),
			 FILE_CALL(1220, 1224, 10, read, 5, 7), CALL(1230, 1235, 10, close, "5 0 0 0 0 0", 0),
			 TICK(1240), TICK(1260)),
		   ROWS("path=/a total_ns=10", "path=/home/b total_ns=4"));
}
END_TEST

/* The first of six asks, and all use its look-up. A set of the table has four entries: six do not fit. */
START_TEST(asked_for_once)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	for (unsigned int at = 10; at < 16; at++) {
		made_line("%u00 cpu0 sys_enter t=10 nr=openat " CWD " 0 0 0 0 0", at);
		made_line("%u00 cpu0 openat t=10 b", at);
		made_line("%u10 cpu0 sys_exit t=10 nr=openat ret=3", at);
		made_line("%u20 cpu0 sys_enter t=10 nr=read 3 0 64 0 0 0", at);
		made_line("%u24 cpu0 sys_exit t=10 nr=read ret=7", at);
		made_line("%u30 cpu0 sys_enter t=10 nr=close 3 0 0 0 0 0", at);
		made_line("%u40 cpu0 sys_exit t=10 nr=close ret=0", at);
		made_line("%u45 cpu1 sched_waking x/98 target=1 by y/99", at);
		made_line("%u60 cpu1 sched_waking x/98 target=1 by y/99", at);
	}
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, RS_FD_CWD, 1050, "/home"))), made_lines,
		   ROWS("path=/home/b reads=6 total_ns=24"));
}
END_TEST

/* A chdir may have been lost in the gap: it is asked for again, and the entry from before is gone. */
START_TEST(asked_for_after_a_gap)
{
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, RS_FD_CWD, 1050, "/home"),
						     ANSWER(10, RS_FD_CWD, 2260, "/new"))),
		   LINES(A_10, OPENAT(1000, 1010, CWD, 3, "b"), CLOSE(1030, 1040), TICK(1045), TICK(1060),
			 "cpu1 lost 1", TICK(2000), OPENAT(2100, 2110, CWD, 3, "c"),
			 FILE_CALL(2120, 2124, 10, read, 3, 7), CLOSE(2130, 2140), TICK(2250), TICK(2270)),
		   ROWS("path=/new/c total_ns=4"));
}
END_TEST

/* An exec leaves it as it is: looked up before, or by fchdir from a descriptor that the exec closes. */
START_TEST(over_an_exec)
{
	check_rows(ASK("filelat", .answers = ANSWERS(ANSWER(10, RS_FD_CWD, 1050, "/home"))),
		   LINES("seed a/10 pid=10", OPENAT(1000, 1010, CWD, 3, "b"), CLOSE(1030, 1040), TICK(1045),
			 TICK(1060), EXEC(1100, 1200), OPENAT(13000, 13010, CWD, 3, "c"),
			 FILE_CALL(13020, 13024, 10, read, 3, 7), CLOSE(13030, 13040)),
		   ROWS("path=/home/c total_ns=4"));
	check_rows(ASK("filelat"),
		   LINES("seed a/10 pid=10", ENTER(1000, 10, openat, CWD " 0 80000 0 0 0"), /* O_CLOEXEC */
			 "1000 cpu0 openat t=10 /dir", LEAVE(1010, 10, openat, 4),
			 CALL(1020, 1030, 10, fchdir, "4 0 0 0 0 0", 0), EXEC(1100, 1200),
			 OPENAT(13000, 13010, CWD, 3, "f"), FILE_CALL(13020, 13025, 10, read, 3, 7)),
		   ROWS("path=/dir/f total_ns=5"));
}
END_TEST

/*
 * That of a command is looked up before it runs, and a call of another process comes between: there is no
 * task of that number yet. A recording has it as descriptor 2147483647.
 */
START_TEST(of_a_command_that_has_not_run)
{
	check_rows(ASK("filelat"),
		   LINES("fd 10 2147483647 500 /home", "seed s/20 pid=20",
			 CALL(600, 610, 20, close, "9 0 0 0 0 0", 0),
			 "700 cpu0 task_newtask b/10 flags=0 by s/20", OPENAT(1000, 1010, CWD, 3, "b"),
			 FILE_CALL(1020, 1024, 10, read, 3, 7)),
		   ROWS("path=/home/b total_ns=4"));
}
END_TEST

/* A reply is not used without a process, nor while a call of it, or of an unknown one, may change things. */
START_TEST(replies_that_are_not_used)
{
	static const struct rs_trace_info info = { .machine = "x86_64" };
	static const struct rs_gaps gaps = { 0 };
	struct rs_syscall_names *names = rs_syscall_names_new(&info);
	struct rs_fd_paths *p = rs_fd_paths_new(&(struct rs_fd_requester){ .ask = NULL }, NULL, &gaps, names);

	ck_assert_ptr_nonnull(p);
	ck_assert_ptr_null(rs_fd_names_add_cwd(p, 0, 1000));
	ck_assert_ptr_null(rs_fd_names_add_cwd(p, -1, 1000));
	++*rs_fd_paths_in_flight(p, 10);
	ck_assert_ptr_null(rs_fd_names_add_cwd(p, 10, 1000));
	--*rs_fd_paths_in_flight(p, 10);
	++*rs_fd_paths_in_flight(p, 0);
	ck_assert_ptr_null(rs_fd_names_add_cwd(p, 10, 1000));
	--*rs_fd_paths_in_flight(p, 0);
	ck_assert_ptr_nonnull(rs_fd_names_add_cwd(p, 10, 1000));
	rs_fd_paths_free(p);
	rs_syscall_names_free(names);
}
END_TEST

/*
 * The directory was asked for, and a thread left it before the reply came: nothing is known of the new one, and the reply is of the old one.
 */
START_TEST(a_reply_from_before_a_chdir)
{
	check_rows(ASK("filelat", .some = true, .answers = ANSWERS(LATE(10, RS_FD_CWD, 1025, "/old"), ANSWER(10, 7, 1075, "/x"))),
		   LINES(A_10, "seed a/12 pid=10", OPENAT(1000, 1010, CWD, -2, "none"), TICK(1020),
			 ENTER(1030, 11, chdir, "0 0 0 0 0 0"), ENTER(1035, 12, close, "9 0 0 0 0 0"), LEAVE(1040, 11, chdir, 0),
			 LEAVE(1045, 12, close, 0), FILE_CALL(1050, 1060, 10, read, 7, 1), TICK(1070), TICK(1080),
			 OPENAT(1100, 1110, CWD, 3, "b"), FILE_CALL(1120, 1124, 10, read, 3, 7), CLOSE(1130, 1140), TICK(1150)),
		   ROWS("path=b reads=1 total_ns=4"));
	/* likewise, where the begin of the chdir was lost */
	check_rows(ASK("filelat", .some = true, .answers = ANSWERS(LATE(10, RS_FD_CWD, 1025, "/old"), ANSWER(10, 7, 1075, "/x"))),
		   LINES(A_10, OPENAT(1000, 1010, CWD, -2, "none"), TICK(1020),
			 LEAVE(1040, 11, chdir, 0),
			 FILE_CALL(1050, 1060, 10, read, 7, 1), TICK(1070), TICK(1080),
			 OPENAT(1100, 1110, CWD, 3, "b"), FILE_CALL(1120, 1124, 10, read, 3, 7), CLOSE(1130, 1140), TICK(1150)),
		   ROWS("path=b reads=1 total_ns=4"));
}
END_TEST

/* clone(CLONE_FS): the child's chdir moves its parent, too, also behind an exec of the parent. */
START_TEST(a_directory_that_another_process_moves)
{
	check_rows(ASK("filelat", .some = true),
		   LINES("seed a/10 pid=10", OPENAT(1000, 1010, CWD, 4, "/dir"), ENTER(1020, 10, clone, "11 0 0 0 0 0"),
			 "1025 cpu0 task_newtask b/20 flags=200 by a/10", LEAVE(1030, 10, clone, 20), EXEC(1100, 1200),
			 CALL(12100, 12110, 10, fchdir, "4 0 0 0 0 0", 0),
			 OPENAT(12200, 12210, CWD, 5, "/dir"), CALL(12220, 12230, 10, fchdir, "5 0 0 0 0 0", 0),
			 CALL(12300, 12310, 20, chdir, "0 0 0 0 0 0", 0),
			 OPENAT(13000, 13010, CWD, 3, "b"), FILE_CALL(13020, 13024, 10, read, 3, 7)),
		   ROWS("path=b reads=1 total_ns=4"));
}
END_TEST

Suite *rs_suite_fd_names(void);
Suite *rs_suite_fd_names(void)
{
	Suite *s = suite_create("fd-names");
	TCase *t = tcase_create("names");

	tcase_add_test(t, asked_for_by_an_open);
	tcase_add_test(t, asked_for_once);
	tcase_add_test(t, asked_for_after_a_gap);
	tcase_add_test(t, over_an_exec);
	tcase_add_test(t, of_a_command_that_has_not_run);
	tcase_add_test(t, replies_that_are_not_used);
	tcase_add_test(t, a_reply_from_before_a_chdir);
	tcase_add_test(t, a_directory_that_another_process_moves);
	suite_add_tcase(s, t);
	return s;
}
