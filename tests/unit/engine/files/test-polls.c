// SPDX-License-Identifier: GPL-2.0-or-later
/* test-polls - the socket that a wait in epoll_wait was for, and the client that waits in it for an answer */
#include <check.h>

#include "fd-lines.h"

#define TASKS A_10, "seed b/20 pid=20", "seed b/21 pid=20", "with inet_sock_set_state", "900 cpu0 sched_switch idle/0 R -> a/10"
#define US "10.0.0.1:5000"
#define PEER "10.0.0.2:80"
#define TCP "TCP:[10.0.0.1:5000->10.0.0.2:80]"
#define SERVER "TCP:[10.0.0.2:80->10.0.0.1:5000]"
#define STATE(ns, tid, flags, sk, from_to, local, remote) \
	#ns " cpu0 inet_sock_set_state " #sk " " from_to " " local " " remote " t=" #tid " protocol=6 common_flags=" #flags
/* a connects its descriptor 3 to the descriptor 4 of b, which listens on 3: socket 1 is a's, 2 b's */
#define CONNECTION \
	ENTER(1000, 20, listen, "3 5 0 0 0 0"), STATE(1010, 20, 0, 9, "7 -> 10", "0.0.0.0:80", "0.0.0.0:0"), LEAVE(1020, 20, listen, 0), \
		ENTER(1100, 10, connect, "3 0 10 0 0 0"), STATE(1110, 10, 0, 1, "7 -> 2", "10.0.0.1:0", PEER), \
		STATE(1120, 10, 16, 2, "10 -> 3", PEER, "10.0.0.1:0"), STATE(1130, 10, 16, 1, "2 -> 1", US, PEER), STATE(1140, 10, 16, 2, "3 -> 1", PEER, US), \
		LEAVE(1150, 10, connect, 0), CALL(1200, 1210, 20, accept4, "3 0 0 0 0 0", 4)
#define ASKS(tid, fd) CALL(1900, 1910, tid, sendto, #fd " 0 5 0 0 0", 5)
/* a polls from 2000 to 3000, when `by` wakes it, and `then` what is said of the time up to there */
#define POLLS(call, until, by) \
	ENTER(2000, 10, call, "5 0 8 0 0 0"), "2001 cpu0 sched_switch a/10 S -> idle/0", until, "3000 cpu1 sched_waking a/10 target=0 by " by, \
		"3001 cpu0 sched_switch idle/0 R -> a/10", LEAVE(3002, 10, call, 1)
#define B_SENDS(fd) "2900 cpu1 sys_enter t=20 nr=sendto " #fd " 0 5 0 0 0"
#define NOTHING TICK(2500)
#define READS(fd, ret) CALL(3100, 3110, 10, recvfrom, #fd " 0 64 0 0 0", ret)
#define OFFCPU "offcpu", .some = true, .by = "tid,syscall,cause,socket"

/* Who ended the wait was sending on the connection: its other end is what the poll was for. */
START_TEST(by_the_waker)
{
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(epoll_wait, B_SENDS(4), "b/20")),
		   ROWS("tid=10 syscall=epoll_wait cause=sleep count=1 socket=" TCP));
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(poll, B_SENDS(4), "b/20")), ROWS("tid=10 syscall=poll cause=sleep socket=" TCP));
	check_rows(ASK(SYSCALLS), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(epoll_wait, B_SENDS(4), "b/20")), ROWS("start_ns=2000 socket=" TCP));
	check_rows(ASK("why", .some = true, .by = "tid,part"), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(epoll_wait, B_SENDS(4), "b/20")),
		   ROWS("tid=10 part=socket total_ns=999 socket=" TCP));
	check_rows(ASK("connections"), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(epoll_wait, B_SENDS(4), "b/20")),
		   ROWS("comm=a wait_peer_ns=999", "remote_port=5000 wait_peer_ns=0"));
	check_rows(ASK("offcpu", .span = "socket wait"), LINES(TASKS, CONNECTION, POLLS(epoll_wait, B_SENDS(4), "b/20")),
		   ROWS("from=2001 to=3000 label=epoll_wait tid=10"));
	/* a file that had the number of its descriptor is none of its pieces */
	check_rows(ASK("why", .some = true, .by = "tid,part"),
		   LINES(TASKS, CONNECTION, CALL(1800, 1810, 10, write, "3 0 5 0 0 0", 5), ASKS(10, 3), ENTER(2000, 10, epoll_wait, "5 0 8 0 0 0"),
			 "2001 cpu0 sched_switch a/10 S -> idle/0", B_SENDS(4), "41002001 cpu1 sched_waking a/10 target=0 by b/20", "41002002 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("tid=10 part=socket total_ns=41000000"));
	/* on another connection, in no call that sends, or by an interrupt */
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(epoll_wait, B_SENDS(6), "b/20")), ROWS("tid=10 syscall=epoll_wait cause=idle socket=-"));
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(epoll_wait, "2900 cpu1 sys_enter t=20 nr=recvfrom 4 0 64 0 0 0", "b/20")),
		   ROWS("tid=10 syscall=epoll_wait cause=idle socket=-"));
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ASKS(10, 3), POLLS(epoll_wait, B_SENDS(4), "b/20 irq")), ROWS("tid=10 syscall=epoll_wait cause=idle socket=-"));
}
END_TEST

/* A client that has asked waits for the answer. Who asked nothing, or serves, waits for whatever comes. */
START_TEST(answers)
{
#define B_POLLS(until, by) \
	"1990 cpu1 sched_switch idle/0 R -> b/20", "2000 cpu1 sys_enter t=20 nr=epoll_wait 5 0 8 0 0 0", "2001 cpu1 sched_switch b/20 S -> idle/0", until, \
		"3000 cpu0 sched_waking b/20 target=1 by " by, "3001 cpu1 sched_switch idle/0 R -> b/20", "3002 cpu1 sys_exit t=20 nr=epoll_wait ret=1"
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, POLLS(epoll_wait, B_SENDS(4), "b/20")), ROWS("tid=10 syscall=epoll_wait cause=idle socket=" TCP));
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ASKS(10, 7), POLLS(epoll_wait, B_SENDS(4), "b/20")), ROWS("tid=10 cause=idle socket=" TCP));
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ASKS(20, 4), B_POLLS(ENTER(2900, 10, sendto, "3 0 5 0 0 0"), "a/10")),
		   ROWS("tid=20 syscall=epoll_wait cause=idle socket=" SERVER));
	check_rows(ASK("why", .some = true, .by = "tid,part"), LINES(TASKS, CONNECTION, ASKS(20, 4), B_POLLS(ENTER(2900, 10, sendto, "3 0 5 0 0 0"), "a/10")),
		   ROWS("tid=20 part=poll total_ns=999 socket=" SERVER));
	/* it hangs up: the end of the stream is what comes */
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, B_POLLS(ENTER(2900, 10, close, "3 0 0 0 0 0"), "a/10")), ROWS("tid=20 cause=idle socket=" SERVER));
}
END_TEST

/* A connect wakes who listens: the process itself, or one that has the descriptor of its parent. */
#define CONNECTS_TO(comm_tid, tid) \
	"1990 cpu1 sched_switch idle/0 R -> " comm_tid, "2000 cpu1 sys_enter t=" #tid " nr=epoll_wait 5 0 8 0 0 0", \
		"2001 cpu1 sched_switch " comm_tid " S -> idle/0", ENTER(2100, 10, connect, "8 0 10 0 0 0"), STATE(2110, 10, 0, 11, "7 -> 2", "10.0.0.1:0", PEER), \
		STATE(2120, 10, 16, 12, "10 -> 3", PEER, "10.0.0.1:0"), STATE(2130, 10, 16, 11, "2 -> 1", "10.0.0.1:5001", PEER), \
		STATE(2140, 10, 16, 12, "3 -> 1", PEER, "10.0.0.1:5001"), "2150 cpu0 sched_waking " comm_tid " target=1 by a/10 softirq", \
		"2160 cpu1 sched_switch idle/0 R -> " comm_tid, "2170 cpu1 sys_exit t=" #tid " nr=epoll_wait ret=1"
START_TEST(listener)
{
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, CONNECTS_TO("b/20", 20)), ROWS("tid=20 syscall=epoll_wait cause=idle count=1 socket=TCP:[0.0.0.0:80]"));
	check_rows(ASK(OFFCPU), LINES(TASKS, CONNECTION, ENTER(1490, 20, clone, "0 0 0 0 0 0"), "1500 cpu0 task_newtask b/30 flags=0 t=20", LEAVE(1510, 20, clone, 30), CONNECTS_TO("b/30", 30)),
		   ROWS("tid=30 syscall=epoll_wait cause=idle count=1 socket=TCP:[0.0.0.0:80]"));
	check_rows(ASK(OFFCPU), LINES(TASKS, "seed c/40 pid=40", CONNECTION, CONNECTS_TO("c/40", 40)), ROWS("tid=40 syscall=epoll_wait cause=idle count=1 socket=-"));
}
END_TEST

/* An interrupt ends the wait, since the peer is elsewhere: one descriptor is ready, and the next call reads from it. */
START_TEST(by_the_next_call)
{
	static const char *const none[] = { "comm=a wait_peer_ns=0", "remote_port=5000", NULL };
#define BY_IRQ POLLS(epoll_wait, NOTHING, "idle/0 irq")
	check_rows(ASK("connections"), LINES(TASKS, CONNECTION, ASKS(10, 3), BY_IRQ, READS(3, 5)), ROWS("comm=a wait_peer_ns=999 wait_network_ns=0", "remote_port=5000"));
	check_rows(ASK("connections"),
		   LINES(TASKS, CONNECTION, "with tcp_retransmit_skb", POLLS(epoll_wait, "2900 cpu1 tcp_retransmit_skb 1 " US " " PEER " t=20", "idle/0 irq"), READS(3, 5)),
		   ROWS("comm=a wait_peer_ns=0 wait_network_ns=999", "remote_port=5000"));
	check_rows(ASK("offcpu", .span = "socket wait"), LINES(TASKS, CONNECTION, BY_IRQ, READS(3, 5)), ROWS("from=2001 to=3000 label=epoll_wait tid=10"));
	/* nothing was there to read, it is another call, or another one comes first; two were ready; it did not sleep; events were lost */
	check_rows(ASK("connections"), LINES(TASKS, CONNECTION, BY_IRQ, READS(3, -11)), none);
	check_rows(ASK("connections"), LINES(TASKS, CONNECTION, BY_IRQ, CALL(3100, 3110, 10, sendto, "3 0 5 0 0 0", 5)), none);
	check_rows(ASK("connections"), LINES(TASKS, CONNECTION, BY_IRQ, CALL(3050, 3060, 10, getppid, "0 0 0 0 0 0", 1), READS(3, 5)), none);
	check_rows(ASK("connections"), LINES(TASKS, CONNECTION, BY_IRQ, CALL(3050, 3060, 10, epoll_wait, "5 0 8 0 0 0", 1), READS(3, 5)), none);
	check_rows(ASK("connections"), LINES(TASKS, CONNECTION, BY_IRQ, "cpu1 lost 3", READS(3, 5), TICK(3200)), none);
	check_rows(ASK("connections"),
		   LINES(TASKS, CONNECTION, ENTER(2000, 10, epoll_wait, "5 0 8 0 0 0"), "2001 cpu0 sched_switch a/10 S -> idle/0", "3000 cpu1 sched_waking a/10 target=0 by idle/0 irq",
			 "3001 cpu0 sched_switch idle/0 R -> a/10", LEAVE(3002, 10, epoll_wait, 2), READS(3, 5)), none);
}
END_TEST

/* The tree of a wait has the connection that it was on, also one that has closed since, for the timeline of those that take part. */
START_TEST(in_the_tree)
{
#define RECEIVES \
	ENTER(2000, 10, recvfrom, "3 0 8 0 0 0"), "2001 cpu0 sched_switch a/10 S -> idle/0", B_SENDS(4), "3000 cpu1 sched_waking a/10 target=0 by b/20", \
		"3001 cpu0 sched_switch idle/0 R -> a/10", LEAVE(3002, 10, recvfrom, 5)
	check_rows(ASK("wait-tree", .pid = 10, .some = true), LINES(TASKS, CONNECTION, ASKS(10, 3), RECEIVES),
		   ROWS("node=1 kind=task comm=a socket=- connection=-", "node=2 kind=task role=peer comm=b socket=" TCP " connection=131073"));
	check_rows(ASK("wait-tree", .pid = 10, .some = true),
		   LINES(TASKS, CONNECTION, ASKS(10, 3), RECEIVES, STATE(4000, 10, 0, 1, "1 -> 4", US, PEER), STATE(4010, 10, 16, 1, "4 -> 7", US, PEER)),
		   ROWS("node=2 kind=task comm=b connection=131073"));
	/* another one had the addresses before */
	check_rows(ASK("wait-tree", .pid = 10, .some = true),
		   LINES(TASKS, STATE(910, 10, 0, 7, "7 -> 2", "10.0.0.1:0", PEER), STATE(920, 10, 16, 7, "2 -> 1", US, PEER), STATE(930, 10, 16, 7, "1 -> 7", US, PEER), CONNECTION,
			 ASKS(10, 3), RECEIVES),
		   ROWS("node=2 kind=task comm=b connection=196610"));
}
END_TEST

Suite *rs_suite_polls(void);
Suite *rs_suite_polls(void)
{
	Suite *s = suite_create("polls");
	TCase *t = tcase_create("polls");

	tcase_add_test(t, by_the_waker);
	tcase_add_test(t, answers);
	tcase_add_test(t, listener);
	tcase_add_test(t, by_the_next_call);
	tcase_add_test(t, in_the_tree);
	suite_add_tcase(s, t);
	return s;
}
