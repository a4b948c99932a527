// SPDX-License-Identifier: GPL-2.0-or-later
/* test-fd-sockets - the socket of a call's descriptor, as the events of calls on it tell */
#include <check.h>
#include <stdio.h>

#include "engine/files/fd-history.h"
#include "engine/net/machine-ends.h"
#include "fd-lines.h"

#define TASKS A_10, "seed b/20 pid=20", "with inet_sock_set_state", "with sock_send_length", "with sock_recv_length"
#define SOCKET_COLUMN "syscalls", .some = true
#define US "10.0.0.1:5000"
#define PEER "10.0.0.2:80"
#define TCP "TCP:[10.0.0.1:5000->10.0.0.2:80]"
#define STATE(ns, tid, flags, sk, from_to, local, remote) \
	#ns " cpu0 inet_sock_set_state " #sk " " from_to " " local " " remote " t=" #tid " protocol=6 common_flags=" #flags
/* 10 connects its descriptor 3: the port is chosen after the first event, and a packet tells that the peer has accepted */
#define CONNECT \
	ENTER(1000, 10, connect, "3 0 10 0 0 0"), STATE(1010, 10, 0, 1, "7 -> 2", "10.0.0.1:0", PEER), \
		STATE(1700, 20, 16, 1, "2 -> 1", US, PEER), LEAVE(1800, 10, connect, 0)
#define SEND(from, to, tid, fd) CALL(from, to, tid, sendto, #fd " 0 64 0 0 0", 100)
#define IS(from, text) "start_ns=" #from " socket=" text

START_TEST(of_connect)
{
	check_rows(ASK(SOCKET_COLUMN), LINES(TASKS, CONNECT, SEND(2000, 2100, 11, 3), SEND(2200, 2300, 11, 4), SEND(2400, 2500, 20, 3)),
		   ROWS(IS(1000, TCP), IS(2000, TCP), IS(2200, "-"), IS(2400, "-")));
	/* it keeps it in a duplicate, and until a call closes it, which has it, too */
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, CONNECT, CALL(2000, 2010, 10, dup, "3 0 0 0 0 0", 5), CLOSE(2100, 2110), SEND(2200, 2300, 10, 3), SEND(2400, 2500, 10, 5)),
		   ROWS(IS(1000, TCP), IS(2100, TCP), IS(2200, "-"), IS(2400, TCP)));
	/* of another family, or the event was lost */
	check_rows(ASK(SOCKET_COLUMN), LINES(TASKS, CALL(1000, 1100, 10, connect, "3 0 10 0 0 0", 0), SEND(2000, 2100, 11, 3)),
		   ROWS(IS(1000, "-"), IS(2000, "-")));
	check_rows(ASK(SOCKET_COLUMN), LINES(TASKS, CONNECT, "cpu1 lost 1", TICK(1900), SEND(2000, 2100, 11, 3)), ROWS(IS(2000, "-")));
}
END_TEST

START_TEST(of_listen)
{
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, ENTER(1000, 20, listen, "3 5 0 0 0 0"), STATE(1010, 20, 0, 9, "7 -> 10", "0.0.0.0:80", "0.0.0.0:0"), LEAVE(1020, 20, listen, 0),
			 CALL(2000, 2100, 20, accept4, "3 0 0 0 0 0", 4), SEND(2200, 2300, 20, 4)),
		   ROWS(IS(1000, "TCP:[0.0.0.0:80]"), IS(2000, "TCP:[0.0.0.0:80]"), IS(2200, "-")));
}
END_TEST

#define LISTENS \
	ENTER(1000, 20, listen, "3 5 0 0 0 0"), STATE(1010, 20, 0, 9, "7 -> 10", "0.0.0.0:80", "0.0.0.0:0"), LEAVE(1020, 20, listen, 0)
/* the end of a handshake: of the socket sk, with a port of the client */
#define ARRIVES(from, to, sk, port) STATE(from, 10, 16, sk, "10 -> 3", PEER, "10.0.0.1:0"), STATE(to, 10, 16, sk, "3 -> 1", PEER, "10.0.0.1:" #port)
#define ACCEPTED(port) "TCP:[10.0.0.2:80->10.0.0.1:" #port "]"

/* What accept returns is the first of its queue, where that is certain. */
START_TEST(of_accept)
{
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, LISTENS, ARRIVES(1100, 1110, 1, 5001), ARRIVES(1200, 1210, 2, 5002), CALL(2000, 2010, 20, accept4, "3 0 0 0 0 0", 4),
			 CALL(2020, 2030, 20, accept4, "3 0 0 0 0 0", 5), SEND(2100, 2110, 20, 4), SEND(2200, 2210, 20, 5)),
		   ROWS(IS(2100, ACCEPTED(5001)), IS(2200, ACCEPTED(5002))));
	/* two handshakes that end at once, on two CPUs: either may be the first */
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, LISTENS, STATE(1100, 10, 16, 1, "10 -> 3", PEER, "10.0.0.1:0"), STATE(1101, 10, 16, 2, "10 -> 3", PEER, "10.0.0.1:0"),
			 STATE(1110, 10, 16, 1, "3 -> 1", PEER, "10.0.0.1:5001"), STATE(1111, 10, 16, 2, "3 -> 1", PEER, "10.0.0.1:5002"),
			 CALL(2000, 2010, 20, accept4, "3 0 0 0 0 0", 4), SEND(2100, 2110, 20, 4)),
		   ROWS(IS(2100, "-")));
	/* two threads accept: who returns first may have the second one, unless there is one alone */
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, "seed c/21 pid=20", LISTENS, ARRIVES(1100, 1110, 1, 5001), CALL(1200, 1210, 20, accept4, "3 0 0 0 0 0", 4),
			 ENTER(1220, 20, accept4, "3 0 0 0 0 0"), ARRIVES(1300, 1310, 2, 5002), ARRIVES(1400, 1410, 3, 5003),
			 CALL(2000, 2010, 21, accept4, "3 0 0 0 0 0", 5), LEAVE(2020, 20, accept4, 6), SEND(2100, 2110, 20, 4), SEND(2200, 2210, 20, 5)),
		   ROWS(IS(2100, ACCEPTED(5001)), IS(2200, "-")));
	/* a look-up knows better: another network namespace has a listener that is older than the trace */
	check_rows(ASK("connections", .answers = ANSWERS(ANSWER(20, 3, 1060, "TCP:[0.0.0.0:80]"), ANSWER(20, 4, 2160, ACCEPTED(5009)))),
		   LINES(TASKS, LISTENS, TICK(1050), ARRIVES(1100, 1110, 1, 5001), CALL(2000, 2010, 20, accept4, "3 0 0 0 0 0", 4), TICK(2150), TICK(2200),
			 SEND(2300, 2310, 20, 4)),
		   ROWS("comm=- remote_port=5001 side=server", "comm=b remote_port=5009 side=-"));
}
END_TEST

/* A socket that is older than the trace has no addresses yet, but each event of a message tells of its descriptor. */
START_TEST(of_messages)
{
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, ENTER(1000, 10, recvfrom, "3 0 64 0 0 0"), "1010 cpu0 sock_recv_length 1 100 t=10 protocol=6", LEAVE(1020, 10, recvfrom, 100),
			 STATE(1100, 20, 16, 1, "1 -> 8", US, PEER), SEND(2000, 2100, 11, 3)),
		   ROWS(IS(1000, "-"), IS(2000, TCP)));
	/* what a softirq does in the time of a call is not that call's */
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, ENTER(1000, 10, recvfrom, "3 0 64 0 0 0"), STATE(1010, 10, 16, 1, "1 -> 8", US, PEER), LEAVE(1020, 10, recvfrom, 100)),
		   ROWS(IS(1000, "-")));
	/* nor is what it opens by another call */
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TASKS, ENTER(1000, 10, epoll_wait, "3 0 64 0 0 0"), STATE(1010, 10, 0, 1, "1 -> 8", US, PEER), LEAVE(1020, 10, epoll_wait, 1),
			 SEND(2000, 2100, 11, 3)),
		   ROWS(IS(1000, "-"), IS(2000, "-")));
}
END_TEST

/* Before it is connected a socket has a number alone, and its name from the next reply on, of calls that began before as well. */
START_TEST(of_replies)
{
	check_rows(ASK(SOCKET_COLUMN, .answers = ANSWERS(ANSWER(10, 3, 1160, "UNIX-STREAM:[7,\"/run/x\"]"))),
		   LINES(A_10, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3), READ(1500, 1600)),
		   ROWS(IS(1000, "-"), IS(1300, "UNIX-STREAM:[7,\"/run/x\"]"), IS(1500, "UNIX-STREAM:[7,\"/run/x\"]")));
	check_rows(ASK(SOCKET_COLUMN, .answers = ANSWERS(ANSWER(10, 3, 1160, "socket:[7]"), ANSWER(10, 3, 200000300, TCP))),
		   LINES(A_10, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3), ENTER(1500, 11, recvfrom, "3 0 64 0 0 0"),
			 SEND(200000000, 200000100, 10, 3), TICK(200000200), TICK(200000400), LEAVE(200000500, 11, recvfrom, 5)),
		   ROWS(IS(1000, "-"), IS(1300, "socket:[7]"), IS(200000000, "socket:[7]"), IS(1500, TCP)));
	/* a file is none */
	check_rows(ASK(SOCKET_COLUMN, .answers = ANSWERS(ANSWER(10, 3, 1160, "/a"))),
		   LINES(A_10, READ(1000, 1100), TICK(1150), TICK(1200), READ(1300, 1400)), ROWS(IS(1000, "-"), IS(1300, "-")));
}
END_TEST

/* Who is older than the trace has the ends that are looked up, and the address that an event tells then: it is one socket. */
START_TEST(joined)
{
	const char *const row = "comm=a local=10.0.0.1 local_port=5000 remote=10.0.0.2 remote_port=80 side=- connections=1";

	check_rows(ASK("connections", .answers = ANSWERS(ANSWER(10, 3, 1160, TCP))),
		   LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3), TICK(1500)), ROWS(row));
	check_rows(ASK("connections", .answers = ANSWERS(ANSWER(10, 3, 1160, TCP))),
		   LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), ENTER(1300, 10, sendto, "3 0 64 0 0 0"),
			 "1310 cpu0 sock_send_length 7 100 t=10 protocol=6", LEAVE(1400, 10, sendto, 100), STATE(1500, 20, 16, 7, "1 -> 8", US, PEER)),
		   ROWS("comm=a remote_port=80 sends=1 sent_bytes=100 state=CLOSE-WAIT connections=1"));
	check_rows(ASK("connections", .answers = ANSWERS(ANSWER(10, 3, 1160, TCP))),
		   LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3), STATE(1500, 20, 16, 7, "1 -> 8", US, PEER)),
		   ROWS("comm=a state=CLOSE-WAIT connections=1"));
	/* and the other way round */
	check_rows(ASK("connections", .answers = ANSWERS(ANSWER(10, 3, 1160, TCP))),
		   LINES(TASKS, ENTER(1000, 10, sendto, "3 0 64 0 0 0"), "1010 cpu0 sock_send_length 7 100 t=10 protocol=6", LEAVE(1100, 10, sendto, 100),
			 TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3)),
		   ROWS("comm=a local_port=5000 remote_port=80 sends=1 sent_bytes=100 state=- connections=1"));
}
END_TEST

/* The look-up tells the state, too, which an event knows better; lost events make it unknown. */
START_TEST(state_of_replies)
{
	const struct fd_answer *const answers = ANSWERS({ 10, 3, 1160, TCP, false, 8 });

	check_rows(ASK("connections", .answers = answers), LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3)),
		   ROWS("comm=a remote_port=80 state=CLOSE-WAIT"));
	check_rows(ASK("connections", .answers = answers),
		   LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), STATE(1250, 10, 0, 7, "8 -> 9", US, PEER), SEND(1300, 1400, 10, 3)),
		   ROWS("comm=a remote_port=80 state=LAST-ACK"));
	check_rows(ASK("connections", .answers = answers),
		   LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3), TICK(1450), "cpu1 lost 3", TICK(1500)), ROWS("comm=a state=-"));
	check_rows(ASK("connections", .answers = ANSWERS({ 10, 3, 1160, TCP, false, 99 })),
		   LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3)), ROWS("comm=a state=-"));
}
END_TEST

/* Of a Unix socket no event tells, but the look-up has both inodes: it is a connection, with the tasks and the bytes of both ends. */
#define SERVER_END "UNIX-STREAM:[8->7,\"/run/x\"]"
#define CLIENT_END "UNIX-STREAM:[7->8 \"/run/x\"]"
#define UNIX_ANSWERS ANSWERS(ANSWER(20, 4, 1160, SERVER_END), ANSWER(10, 3, 1170, CLIENT_END))
#define UNIX_KNOWN \
	TASKS, SEND(1000, 1100, 10, 3), SEND(1110, 1120, 20, 4), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3), \
		CALL(1500, 1600, 20, recvfrom, "4 0 64 0 0 0", 60), CALL(1610, 1620, 20, recvfrom, "4 0 64 0 0 0", -11)

START_TEST(unix_connections)
{
	check_rows(ASK("connections", .answers = UNIX_ANSWERS, .by = "connection,comm,side,local,local_port,remote,remote_port,state,protocol,peer_comm,peer_pid"), LINES(UNIX_KNOWN),
		   ROWS("comm=a side=client local=[7] local_port=- remote=/run/x remote_port=- state=ESTAB protocol=unix peer_comm=b peer_pid=20 "
			"connections=1 sends=- sent_bytes=- connect_ns=- age_ns=-",
			"comm=b side=server local=/run/x remote=[7] peer_comm=a peer_pid=10 receives=- received_bytes=- state=ESTAB"));
	/* what went over it before it was looked up is not known, but all of an interval that begins later is */
	check_rows(ASK("connections", .answers = UNIX_ANSWERS, .by = "connection,comm", .resets = RESETS(1620)),
		   LINES(UNIX_KNOWN, TICK(1630), SEND(1700, 1800, 10, 3), CALL(1810, 1820, 20, recvfrom, "4 0 64 0 0 0", 60)),
		   ROWS("comm=a sends=1 sent_bytes=100", "comm=b receives=1 received_bytes=60"));
	/* it is over when the last descriptor of it that is known is closed */
	check_rows(ASK("connections", .answers = UNIX_ANSWERS, .by = "connection,comm,state"),
		   LINES(UNIX_KNOWN, CALL(2000, 2010, 10, dup, "3 0 0 0 0 0", 5), CLOSE(2100, 2110), TICK(2200)), ROWS("comm=a state=ESTAB", "comm=b state=ESTAB"));
	check_rows(ASK("connections", .answers = UNIX_ANSWERS, .by = "connection,comm,state"),
		   LINES(UNIX_KNOWN, CALL(2000, 2010, 10, dup, "3 0 0 0 0 0", 5), CLOSE(2100, 2110), CALL(2120, 2130, 10, close, "5 0 0 0 0 0", 0), TICK(2200)),
		   ROWS("comm=a state=CLOSED", "comm=b state=ESTAB"));
	/* one that is not connected is none */
	check_rows(ASK("connections", .answers = ANSWERS(ANSWER(10, 3, 1160, "UNIX-STREAM:[7,\"/run/x\"]"))),
		   LINES(TASKS, SEND(1000, 1100, 10, 3), TICK(1150), TICK(1200), SEND(1300, 1400, 10, 3)), NO_ROWS);
}
END_TEST

/* In units of 100 ns. */
#define ASLEEP(from, to) \
	ENTER(from##00, 10, recvfrom, "3 0 64 0 0 0"), #from "01 cpu0 sched_switch a/10 S -> idle/0", \
		#to "00 cpu0 sched_waking a/10 target=0 by idle/0 irq", #to "01 cpu0 sched_switch idle/0 R -> a/10", LEAVE(to##02, 10, recvfrom, 5)

/* A wait in a call names the socket that the call is on. */
START_TEST(of_waits)
{
	static const char *const by = "comm,syscall,cause,socket";

	check_rows(ASK("offcpu", .some = true, .by = by), LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", CONNECT, ASLEEP(20, 30)),
		   ROWS("comm=a syscall=recvfrom cause=sleep count=1 socket=" TCP));
	check_rows(ASK("offcpu", .some = true, .by = by), LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", ASLEEP(20, 30)),
		   ROWS("comm=a syscall=recvfrom cause=sleep count=1 socket=-"));
	/* a thread that serves thousands of connections has one row, unless they are asked for */
	check_rows(ASK("offcpu", .pid = 10), LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", CONNECT, ASLEEP(20, 30), ENTER(4000, 10, recvfrom, "4 0 64 0 0 0"),
			 "4001 cpu0 sched_switch a/10 S -> idle/0", "5000 cpu0 sched_waking a/10 target=0 by idle/0 irq", "5001 cpu0 sched_switch idle/0 R -> a/10"),
		   ROWS("comm=a syscall=recvfrom cause=sleep count=2 socket=-"));
}
END_TEST

/* b has the other end, and read from it. 20 and 30: in units of 100 ns, 10 waits in a call from the one to the other, and `by` wakes it. */
#define PEERS \
	"900 cpu0 sched_switch idle/0 R -> a/10", CONNECT, STATE(1810, 20, 16, 2, "10 -> 3", PEER, "10.0.0.1:0"), \
		STATE(1820, 20, 16, 2, "3 -> 1", PEER, US), "1830 cpu1 sys_enter t=20 nr=recvfrom 4 0 64 0 0 0", \
		"1840 cpu1 sock_recv_length 2 5 t=20 protocol=6", "1850 cpu1 sys_exit t=20 nr=recvfrom ret=5"
#define BLOCKS(call, by) \
	ENTER(2000, 10, call, "3 0 64 0 0 0"), "2001 cpu0 sched_switch a/10 S -> idle/0", "3000 cpu1 sched_waking a/10 target=0 by " by, \
		"3001 cpu0 sched_switch idle/0 R -> a/10", LEAVE(3002, 10, call, 5)
#define BLOCKS_UNTIL(event) \
	ENTER(2000, 10, recvfrom, "3 0 64 0 0 0"), "2001 cpu0 sched_switch a/10 S -> idle/0", event, "3000 cpu1 sched_waking a/10 target=0 by b/20", \
		"3001 cpu0 sched_switch idle/0 R -> a/10", LEAVE(3002, 10, recvfrom, 5)
#define BLOCKS_41_MS \
	ENTER(2000, 10, recvfrom, "3 0 64 0 0 0"), "2001 cpu0 sched_switch a/10 S -> idle/0", "41002001 cpu1 sched_waking a/10 target=0 by idle/0 irq", \
		"41002002 cpu0 sched_switch idle/0 R -> a/10", LEAVE(41002003, 10, recvfrom, 5)
/* and b listens: the connection is in its queue from 1820 on */
#define CONNECT_AT_11 \
	ENTER(1100, 10, connect, "3 0 10 0 0 0"), STATE(1110, 10, 0, 1, "7 -> 2", "10.0.0.1:0", PEER), STATE(1700, 20, 16, 1, "2 -> 1", US, PEER), \
		LEAVE(1800, 10, connect, 0), ARRIVES(1810, 1820, 2, 5000)
#define WHY "why", .some = true, .by = "tid,part"

START_TEST(parts_of_waits)
{
	/* it is full: b reads from before the wait on, or only when it ends it; or an interrupt does, and nothing is known of b */
	check_rows(ASK(WHY), LINES(TASKS, PEERS, "1900 cpu1 sys_enter t=20 nr=recvfrom 4 0 64 0 0 0", BLOCKS(sendto, "idle/0 irq")),
		   ROWS("tid=10 part='send buffer: link' total_ns=999"));
	check_rows(ASK(WHY), LINES(TASKS, PEERS, "2900 cpu1 sys_enter t=20 nr=recvfrom 4 0 64 0 0 0", BLOCKS(sendto, "b/20")),
		   ROWS("tid=10 part='send buffer: peer' total_ns=999"));
	check_rows(ASK(WHY), LINES(TASKS, PEERS, BLOCKS(sendto, "idle/0 irq")), ROWS("tid=10 part='send buffer' total_ns=999"));
	/* what it had sent was on its way for half of the wait at least; else the peer may be slow */
	check_rows(ASK(WHY), LINES(TASKS, "with tcp_retransmit_skb", PEERS, "2900 cpu1 tcp_retransmit_skb 1 " US " " PEER " t=20", BLOCKS(recvfrom, "b/20")),
		   ROWS("tid=10 part=network total_ns=999"));
	check_rows(ASK(WHY), LINES(TASKS, "with tcp_retransmit_skb", PEERS, "2100 cpu1 tcp_retransmit_skb 1 " US " " PEER " t=20", BLOCKS(recvfrom, "b/20")),
		   ROWS("tid=10 part=socket total_ns=999"));
	/* the server has the connection, and does not accept it; one that it has accepted for half of the wait it answers late */
#define QUEUED LISTENS, "1030 cpu0 sched_switch idle/0 R -> a/10", CONNECT_AT_11
	check_rows(ASK(WHY, .pid = 10), LINES(TASKS, QUEUED, BLOCKS(recvfrom, "b/20")), ROWS("tid=10 part='accept queue' total_ns=999 socket=" TCP));
	check_rows(ASK(WHY, .pid = 10),
		   LINES(TASKS, QUEUED, "1900 cpu1 sys_enter t=20 nr=accept4 3 0 0 0 0 0", BLOCKS_UNTIL("2800 cpu1 sys_exit t=20 nr=accept4 ret=4")),
		   ROWS("tid=10 part='accept queue' total_ns=999"));
	check_rows(ASK(WHY, .pid = 10),
		   LINES(TASKS, QUEUED, "1900 cpu1 sys_enter t=20 nr=accept4 3 0 0 0 0 0", BLOCKS_UNTIL("2200 cpu1 sys_exit t=20 nr=accept4 ret=4")),
		   ROWS("tid=10 part=socket total_ns=999"));
	/* two small pieces, and a wait as long as TCP delays an ACK; one piece: the peer needs so long */
	check_rows(ASK(WHY, .pid = 10), LINES(TASKS, PEERS, SEND(1900, 1910, 10, 3), SEND(1920, 1930, 10, 3), BLOCKS_41_MS), ROWS("tid=10 part='delayed ACK' total_ns=41000000"));
	check_rows(ASK(WHY, .pid = 10), LINES(TASKS, PEERS, SEND(1900, 1910, 10, 3), BLOCKS_41_MS), ROWS("tid=10 part=socket total_ns=41000000"));
	/* of a socket that is not known only the call is */
	check_rows(ASK(WHY), LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", BLOCKS(sendto, "b/20")), ROWS("tid=10 part=socket total_ns=999"));
	/* the handshake */
	check_rows(ASK(WHY),
		   LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", ENTER(1000, 10, connect, "3 0 10 0 0 0"), STATE(1010, 10, 0, 1, "7 -> 2", "10.0.0.1:0", PEER),
			 "1020 cpu0 sched_switch a/10 S -> idle/0", STATE(1500, 20, 16, 1, "2 -> 1", US, PEER), "1520 cpu0 sched_waking a/10 target=0 by idle/0 irq",
			 "1521 cpu0 sched_switch idle/0 R -> a/10", LEAVE(1530, 10, connect, 0)),
		   ROWS("tid=10 part=network total_ns=500"));
}
END_TEST

#define TOLD(from, to) "told 10 3 " #from " " #to " " TCP

/* What another session knew before the range begins: until a call closes it, if it did not then already. */
START_TEST(told)
{
	check_rows(ASK(SOCKET_COLUMN), LINES(TOLD(500, 9000), TASKS, SEND(1000, 1100, 11, 3), SEND(1200, 1300, 11, 4), CLOSE(2000, 2010), SEND(2100, 2110, 10, 3)),
		   ROWS(IS(1000, TCP), IS(1200, "-"), IS(2000, TCP), IS(2100, "-")));
	check_rows(ASK(SOCKET_COLUMN), LINES(TOLD(500, 999), TASKS, SEND(1000, 1100, 11, 3)), ROWS(IS(1000, "-")));
	/* it was opened in the range, where the calls tell of it, and what was looked up then is known from then on */
	check_rows(ASK(SOCKET_COLUMN),
		   LINES(TOLD(2010, 9000), TASKS, SEND(1000, 1100, 11, 3), CLOSE(1200, 1210), CALL(2000, 2010, 10, accept4, "9 0 0 0 0 0", 3), SEND(2100, 2110, 10, 3)),
		   ROWS(IS(1000, "-"), IS(1200, "-"), IS(2100, TCP)));
	check_rows(ASK("connections"), LINES(TOLD(500, 9000), TASKS, SEND(1000, 1100, 11, 3)), ROWS("comm=a remote_port=80 connections=1"));
	/* of no process */
	check_rows(ASK(SOCKET_COLUMN), LINES("told 0 0 500 9000 " TCP, TASKS, SEND(1000, 1100, 11, 0)), ROWS(IS(1000, "-")));
	/* lost events: it may have been closed */
	check_rows(ASK(SOCKET_COLUMN), LINES(TOLD(500, 9000), TASKS, SEND(1000, 1100, 11, 3), "cpu1 lost 1", TICK(1900), SEND(2000, 2100, 11, 3)),
		   ROWS(IS(2000, "-")));
}
END_TEST

static struct rs_fd_socket known(int32_t fd, uint64_t since_ns, uint64_t until_ns)
{
	return (struct rs_fd_socket){ .since_ns = since_ns, .until_ns = until_ns, .pid = 10, .fd = fd, .name = (char[]){ TCP } };
}

static void check_list(struct rs_fd_history *h, uint64_t from_ns, uint64_t to_ns, const char *expected)
{
	struct rs_fd_socket_list list = { 0 };
	char text[256] = "";

	ck_assert_int_eq(rs_fd_history_list(h, from_ns, to_ns, &list), 0);
	for (size_t i = 0; i < list.nr && i < 8; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%d ", list.row[i].fd);
	ck_assert_str_eq(text, expected);
	rs_fd_socket_list_done(&list);
}

START_TEST(history)
{
	struct rs_fd_history *h = rs_fd_history_new();
	struct rs_fd_socket_list fresh = { 0 };
	struct rs_fd_socket of;
	uint64_t first, last;

	of = known(4, 2000, 2100);
	rs_fd_history_note(h, &of);
	of = known(3, 1000, 2200);
	first = rs_fd_history_note(h, &of);
	check_list(h, 0, 999, "");
	check_list(h, 0, 9000, "3 4 ");
	rs_fd_history_end(h, first, 3000);
	check_list(h, 3001, 9000, "4 ");
	/* the number alone tells: it is closed already */
	rs_fd_history_end(h, first, 5000);
	check_list(h, 3001, 9000, "4 ");
	last = rs_fd_history_list_new(h, 0, &fresh);
	ck_assert_uint_eq(last, first);
	ck_assert_uint_eq(fresh.nr, 2);
	ck_assert_int_eq(fresh.row[0].fd, 4);
	ck_assert_uint_eq(fresh.row[0].until_ns, 2100);
	rs_fd_socket_list_done(&fresh);
	ck_assert_uint_eq(rs_fd_history_list_new(h, last, &fresh), last);
	ck_assert_uint_eq(fresh.nr, 0);
	/* closed ones make room first */
	for (int i = 0; i < 10000; i++) {
		of = known(5, 4000, 4001);
		rs_fd_history_end(h, rs_fd_history_note(h, &of), 4100);
	}
	check_list(h, 4200, 9000, "4 ");
	rs_fd_history_end_all(h, 4150);
	check_list(h, 4200, 9000, "");
	rs_fd_history_free(h);
}
END_TEST

/* IPv4 as the kernel maps it */
#define END(number, at) { .addr = { [10] = 0xff, [11] = 0xff, [12] = 10, [15] = number }, .port = at }
#define ON(name, process, on) { .comm = name, .pid = process, .machine = on }

/* Who has the other end on another machine, by its addresses, which are the other way round there. */
START_TEST(on_another_machine)
{
	struct rs_machine_end there[] = { { END(2, 80), END(1, 5000), ON("httpd", 7, "guest") }, { END(1, 5000), END(2, 80), ON("curl", 10, "host") },
					  { END(2, 80), END(1, 5001), ON("other", 8, "guest") }, { END(2, 80), END(1, 5000), ON("same", 9, "host") } };
	struct rs_machine_ends ends = { .row = there, .nr = 4 };

	rs_machine_ends_sort(&ends);
	check_rows(ASK("offcpu", .some = true, .by = "comm,syscall,cause,socket", .machine_ends = &ends),
		   LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", CONNECT, BLOCKS(recvfrom, "idle/0 irq")),
		   ROWS("comm=a syscall=recvfrom cause=sleep socket=" TCP " peer='httpd (7) on guest'"));
	check_rows(ASK("why", .some = true, .by = "tid,part", .machine_ends = &ends),
		   LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", CONNECT, BLOCKS(recvfrom, "idle/0 irq")),
		   ROWS("tid=10 part=socket socket=" TCP " peer='httpd (7) on guest'"));
	check_rows(ASK("wait-tree", .some = true, .machine_ends = &ends),
		   LINES(TASKS, "900 cpu0 sched_switch idle/0 R -> a/10", CONNECT, BLOCKS(recvfrom, "idle/0 irq")),
		   ROWS("kind=part part=socket peer='httpd (7) on guest' text='  socket, httpd (7) on guest'"));
	check_rows(ASK("connections", .by = "connection,peer_comm,peer_pid,peer_machine", .machine_ends = &ends), LINES(TASKS, CONNECT),
		   ROWS("peer_comm=httpd peer_pid=7 peer_machine=guest"));
	/* this machine has it */
	check_rows(ASK("connections", .by = "connection,comm,peer_comm,peer_pid,peer_machine", .machine_ends = &ends), LINES(TASKS, PEERS),
		   ROWS("comm=a peer_comm=b peer_pid=20 peer_machine=-", "comm=b peer_comm=a peer_pid=10 peer_machine=-"));
	/* two machines have the same addresses */
	there[0] = there[1] = (struct rs_machine_end){ END(2, 80), END(1, 5000), ON("httpd", 7, "guest") };
	there[1].task.machine = "guest2";
	ends.nr = 2;
	rs_machine_ends_sort(&ends);
	check_rows(ASK("connections", .by = "connection,peer_comm,peer_pid,peer_machine", .machine_ends = &ends), LINES(TASKS, CONNECT),
		   ROWS("peer_comm=- peer_pid=- peer_machine=-"));
}
END_TEST

Suite *rs_suite_fd_sockets(void);
Suite *rs_suite_fd_sockets(void)
{
	Suite *s = suite_create("fd-sockets");
	TCase *t = tcase_create("fd-sockets");

	tcase_add_test(t, of_connect);
	tcase_add_test(t, of_listen);
	tcase_add_test(t, of_accept);
	tcase_add_test(t, of_messages);
	tcase_add_test(t, of_replies);
	tcase_add_test(t, joined);
	tcase_add_test(t, state_of_replies);
	tcase_add_test(t, unix_connections);
	tcase_add_test(t, told);
	tcase_add_test(t, history);
	tcase_add_test(t, of_waits);
	tcase_add_test(t, parts_of_waits);
	tcase_add_test(t, on_another_machine);
	suite_add_tcase(s, t);
	return s;
}
