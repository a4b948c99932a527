// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-compat-calls - whose calls are numbered by the table of 32-bit programs, and what follows from it
 *
 * On the x86-64 layouts: 308 is pselect6 in a 32-bit program and setns in a 64-bit one, 168 poll and swapoff, 11 execve
 * and munmap, 20 getpid and writev, 384 arch_prctl and nothing.
 */
#include <check.h>

#include "ask.h"

#define X86_64 .layout = "6.1 x86-64"
#define BY_TID "syscall-latency", .by = "tid,syscall", X86_64
/* A call of 10 ns; words in hex */
#define CALL(from, to, tid, nr, words, ret) \
	#from " cpu0 sys_enter t=" #tid " nr=" #nr " " words, #to " cpu0 sys_exit t=" #tid " nr=" #nr " ret=" #ret
#define STACK "ffd01000 0 0 0 0 0"  /* an address of a 32-bit program's stack */
#define HIGH "7ffd00001000 0 0 0 0 0"

/* Nothing but small words tells nothing: the names are the kernel's own. */
START_TEST(no_evidence)
{
	check_rows(ASK(BY_TID), LINES(CALL(1000, 1010, 10, 168, "3 0 0 0 0 0", 0), CALL(1100, 1110, 10, 308, "3 0 0 0 0 0", 0)),
		   ROWS("nr=168 syscall=swapoff", "nr=308 syscall=setns"));
}
END_TEST

/* An address where a 32-bit program has its stack, and no word beyond: likely, and marked so, from that call on. */
START_TEST(likely)
{
	check_rows(ASK("syscalls", X86_64),
		   LINES(CALL(1000, 1010, 10, 168, "3 0 0 0 0 0", 0), CALL(1100, 1110, 10, 308, STACK, 0), CALL(1200, 1210, 10, 168, "3 0 0 0 0 0", 0)),
		   ROWS("syscall=swapoff", "syscall=pselect6?", "syscall=poll?"));
	/* --syscall poll finds it; what is like it does not */
	ck_assert(rs_pattern_matches("read poll", "poll?"));
	ck_assert(rs_pattern_matches("pol*", "poll?"));
	ck_assert(!rs_pattern_matches("poll", "ppoll?"));
	ck_assert(!rs_pattern_matches("poll?", "poll"));
	/* in tables all calls of the program are what it is by the end */
	check_rows(ASK(BY_TID),
		   LINES(CALL(1000, 1010, 10, 168, "3 0 0 0 0 0", 0), CALL(1100, 1110, 10, 308, STACK, 0), CALL(1200, 1210, 10, 168, "3 0 0 0 0 0", 0)),
		   ROWS("nr=308 syscall=pselect6? calls=1", "nr=168 syscall=poll? calls=2"));
	/* the words of small negative numbers are no addresses */
	check_rows(ASK("syscalls", X86_64), LINES(CALL(1000, 1010, 10, 257, "ffffff9c fffff000 0 0 0 0", 3)), ROWS("syscall=openat"));
}
END_TEST

/* One word of more than 32 bits, and it is a 64-bit program. */
START_TEST(a_long_word)
{
	check_rows(ASK(BY_TID),
		   LINES(CALL(1100, 1110, 10, 308, STACK, 0), CALL(1200, 1210, 10, 308, HIGH, 0), CALL(1300, 1310, 10, 308, STACK, 0)),
		   ROWS("nr=308 syscall=setns calls=3"));
}
END_TEST

/* Eight such calls and no word beyond 32 bits in any: certain. */
START_TEST(many_are_certain)
{
	check_rows(ASK(BY_TID),
		   LINES(CALL(1000, 1010, 10, 168, STACK, 0), CALL(1020, 1030, 10, 168, STACK, 0), CALL(1040, 1050, 10, 168, STACK, 0),
			 CALL(1060, 1070, 10, 168, STACK, 0), CALL(1080, 1090, 10, 168, STACK, 0), CALL(1100, 1110, 10, 168, STACK, 0),
			 CALL(1120, 1130, 10, 168, STACK, 0), CALL(1140, 1150, 10, 168, STACK, 0), CALL(1160, 1170, 10, 20, HIGH, 0)),
		   ROWS("nr=168 syscall=poll calls=8 total_ns=80", "nr=20 syscall=getpid calls=1"));
}
END_TEST

/* Number 384 is arch_prctl in a 32-bit program, and none in a 64-bit one, which would be refused. */
START_TEST(a_number_of_one_table_alone)
{
	check_rows(ASK(BY_TID),
		   LINES(CALL(1000, 1010, 10, 20, "0 0 0 0 0 0", 10), CALL(1100, 1110, 10, 384, "3001 0 0 0 0 0", 0), CALL(1200, 1210, 10, 168, "3 0 0 0 0 0", 0)),
		   ROWS("nr=20 syscall=getpid", "nr=384 syscall=arch_prctl", "nr=168 syscall=poll"));
	check_rows(ASK("syscalls", X86_64, .some = true),
		   LINES(CALL(1100, 1110, 10, 384, "3001 0 0 0 0 0", -38), CALL(1200, 1210, 10, 168, HIGH, 0)),
		   ROWS("syscall=swapoff"));
}
END_TEST

/* exec: the exit has the number of execve in the new program's table, and is the same call. Both ways, and what was is as it was. */
START_TEST(exec)
{
	check_rows(ASK("syscalls", X86_64),
		   LINES(CALL(900, 910, 10, 20, HIGH, 1),
			 "1000 cpu0 sys_enter t=10 nr=59 7ffd00001000", "1005 cpu0 sched_process_exec /bin/x t=10 pid=10 old=10",
			 "1010 cpu0 sys_exit t=10 nr=11 ret=0",
			 CALL(1100, 1110, 10, 20, "0 0 0 0 0 0", 10),
			 "1200 cpu0 sys_enter t=10 nr=11 ffd01000", "1205 cpu0 sched_process_exec /bin/y t=10 pid=10 old=10",
			 "1210 cpu0 sys_exit t=10 nr=59 ret=0",
			 CALL(1300, 1310, 10, 20, "1 2 3 0 0 0", 10)),
		   ROWS("syscall=writev", "syscall=execve lat_ns=10 ret=0", "syscall=getpid", "syscall=execve lat_ns=10 ret=0", "syscall=writev",
			"_quality unmatched=0"));
	check_rows(ASK(BY_TID),
		   LINES(CALL(900, 910, 10, 20, HIGH, 1),
			 "1000 cpu0 sys_enter t=10 nr=59 7ffd00001000", "1010 cpu0 sys_exit t=10 nr=11 ret=0",
			 CALL(1100, 1110, 10, 20, "0 0 0 0 0 0", 10)),
		   ROWS("nr=20 syscall=writev calls=1", "nr=59 syscall=execve calls=1", "nr=20 syscall=getpid calls=1"));
	/* execveat's exit is execve's, too */
	check_rows(ASK("syscalls", X86_64),
		   LINES("1000 cpu0 sys_enter t=10 nr=322 3 7ffd00001000", "1010 cpu0 sys_exit t=10 nr=59 ret=0"),
		   ROWS("syscall=execveat lat_ns=10 ret=0", "_quality unmatched=0"));
}
END_TEST

/* A child is what its parent is, and its exit by the number of the 32-bit table does not return. */
START_TEST(child)
{
	check_rows(ASK(BY_TID),
		   LINES("seed a/10 pid=10 bits=32",
			 "1000 cpu0 sched_process_fork a/10 -> b/20", "1010 cpu0 sys_exit t=20 nr=2 ret=0", CALL(1100, 1110, 20, 20, "0 0 0 0 0 0", 20),
			 "1200 cpu0 sys_enter t=20 nr=1 0", "1300 cpu0 sched_process_exit b/20"),
		   ROWS("tid=20 nr=20 syscall=getpid calls=1", "_quality unmatched=0 in_flight=0"));
}
END_TEST

/* What /proc said of a process holds for its threads; what one thread tells holds for the others. */
START_TEST(processes)
{
	check_rows(ASK(BY_TID), LINES("seed a/10 pid=10 bits=32", CALL(1000, 1010, 10, 168, "3 0 0 0 0 0", 0)), ROWS("nr=168 syscall=poll"));
}
END_TEST

/* The kernel has an event of a single call of a 64-bit program alone: with it the name is certain, without it another's is likely. */
START_TEST(its_own_event)
{
	check_rows(ASK("syscalls", X86_64),
		   LINES("with sys_enter_read", "with sys_exit_read",
			 "1000 cpu0 sys_enter t=10 nr=0 3 ffd01000", "1001 cpu0 sys_enter_read t=10 nr=0 fd=3",
			 "1010 cpu0 sys_exit t=10 nr=0 ret=0", "1011 cpu0 sys_exit_read t=10 nr=0 ret=0",
			 CALL(1100, 1110, 11, 0, "0 0 0 0 0 0", 0)),
		   ROWS("tid=10 syscall=read", "tid=11 syscall=restart_syscall?"));
}
END_TEST

/* A wait is idle by the right table: in poll by the one, in swapoff by the other. */
START_TEST(causes)
{
#define WAIT(words) \
	"900 cpu0 sched_switch idle/0 R -> a/10", "1000 cpu0 sys_enter t=10 nr=168 " words, "1100 cpu0 sched_switch a/10 S -> idle/0", \
	"1300 cpu1 sched_waking a/10 target=0 by idle/0", "1400 cpu0 sched_switch idle/0 R -> a/10", "1500 cpu0 sys_exit t=10 nr=168 ret=0"
	check_rows(ASK("offcpu", .by = "tid,syscall,cause", .some = true, X86_64), LINES("seed a/10 pid=10 bits=32", WAIT("0")),
		   ROWS("tid=10 syscall=poll cause=idle total_ns=200"));
	check_rows(ASK("offcpu", .by = "tid,syscall,cause", .some = true, X86_64), LINES(WAIT(HIGH)),
		   ROWS("tid=10 syscall=swapoff cause=sleep total_ns=200"));
}
END_TEST

/* A 32-bit program's call of a name that takes a long word takes two for it: words, and no names for them. */
START_TEST(text)
{
	check_rows(ASK("syscalls", X86_64),
		   LINES("seed a/10 pid=10 bits=32", CALL(1000, 1010, 10, 3, "5 ffd01000 100 0 0 0", 1), CALL(1100, 1110, 10, 180, "5 ffd01000 100 8 0 0", 1)),
		   ROWS("call='read(5, 0xffd01000, 256)'", "call='pread64(0x5, 0xffd01000, 0x100, 0x8, 0x0, 0x0)'"));
}
END_TEST

/* x32's numbers bear a bit of the kernel's: 520 is execve there. */
START_TEST(x32)
{
	check_rows(ASK("syscalls", X86_64), LINES(CALL(1000, 1010, 10, 1073741824, STACK, 0), CALL(1100, 1110, 10, 1073742335, STACK, 0)),
		   ROWS("syscall=read", "syscall=syscall_1073742335"));
}
END_TEST

/* s390x: mmap2 is there in the table of 31 bits alone. A 32-bit kernel has one table. */
START_TEST(other_architectures)
{
	check_rows(ASK("syscalls", .layout = "6.1 s390x"), LINES("seed a/10 pid=10 bits=32", CALL(1000, 1010, 10, 192, "0 0 0 0 0 0", 0)), ROWS("syscall=mmap2"));
	check_rows(ASK("syscalls", .layout = "6.1 i386"), LINES(CALL(1000, 1010, 10, 168, STACK, 0)), ROWS("syscall=poll"));
}
END_TEST

Suite *rs_suite_compat_calls(void)
{
	Suite *s = suite_create("compat-calls");
	TCase *t = tcase_create("compat-calls");

	tcase_add_test(t, no_evidence);
	tcase_add_test(t, likely);
	tcase_add_test(t, a_long_word);
	tcase_add_test(t, many_are_certain);
	tcase_add_test(t, a_number_of_one_table_alone);
	tcase_add_test(t, exec);
	tcase_add_test(t, child);
	tcase_add_test(t, processes);
	tcase_add_test(t, its_own_event);
	tcase_add_test(t, causes);
	tcase_add_test(t, text);
	tcase_add_test(t, x32);
	tcase_add_test(t, other_architectures);
	suite_add_tcase(s, t);
	return s;
}
