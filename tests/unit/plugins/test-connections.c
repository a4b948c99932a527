// SPDX-License-Identifier: GPL-2.0-or-later
/* test-connections - TCP sockets from their begin to their close, as connections, tcpconnect, tcpretrans and tcpstates show them */
#include <check.h>

#include "ask.h"

#define TASKS \
	"seed a/10 pid=10", "seed b/20 pid=20", "with inet_sock_set_state", "with inet_sk_error_report", "with sock_send_length", \
		"with sock_recv_length", "with tcp_receive_reset", "with tcp_send_reset", "with tcp_retransmit_skb"
#define US "10.0.0.1:5000"
#define PEER "10.0.0.2:80"
/* CALL: the task's own; PACKET: of a softirq in the time of whoever runs */
#define STATE(ns, tid, flags, sk, from_to, local, remote) \
	#ns " cpu0 inet_sock_set_state " #sk " " from_to " " local " " remote " t=" #tid " protocol=6 common_flags=" #flags
#define CALL(ns, tid, sk, from_to, local, remote) STATE(ns, tid, 0, sk, from_to, local, remote)
#define PACKET(ns, tid, sk, from_to, local, remote) STATE(ns, tid, 16, sk, from_to, local, remote)
#define SENT(ns, tid, sk, bytes) #ns " cpu0 sock_send_length " #sk " " #bytes " t=" #tid " protocol=6"
#define RECEIVED(ns, tid, sk, bytes) #ns " cpu0 sock_recv_length " #sk " " #bytes " t=" #tid " protocol=6"
#define REPORTED(ns, error) #ns " cpu0 inet_sk_error_report " #error " " US " " PEER " t=20 protocol=6"
#define AGAIN(ns, sk) #ns " cpu0 tcp_retransmit_skb " #sk " " US " " PEER " t=20 protocol=6"
#define CONGESTED(ns, sk, state) #ns " cpu0 tcp_cong_state_set " #sk " " #state " t=20"

/* The port is chosen after the first event, and what packets do is in the context of b. */
#define CONNECT CALL(1000, 10, 1, "7 -> 2", "10.0.0.1:0", PEER)
#define CONNECTED CONNECT, PACKET(1700, 20, 1, "2 -> 1", US, PEER)

START_TEST(client)
{
	check_rows(ASK("connections"),
		   LINES(TASKS, CONNECTED, SENT(2000, 10, 1, 100), SENT(2100, 10, 1, -32), RECEIVED(3000, 10, 1, 60), RECEIVED(3100, 10, 1, 0),
			 CALL(4000, 10, 1, "1 -> 4", US, PEER), PACKET(4100, 20, 1, "4 -> 5", US, PEER), PACKET(4200, 20, 1, "5 -> 7", US, PEER)),
		   ROWS("comm=a pid=10 side=client local=10.0.0.1 local_port=5000 remote=10.0.0.2 remote_port=80 state=CLOSED reset=- "
			"sends=1 sent_bytes=100 receives=2 received_bytes=60 connect_ns=700 age_ns=3200 begin_ns=1000"));
	/* it is open: up to the last event */
	check_rows(ASK("connections"), LINES(TASKS, CONNECTED, SENT(2000, 10, 1, 100)), ROWS("state=ESTAB age_ns=1000 sent_bytes=100"));
}
END_TEST

/* That of its process, where the row is of one connection. */
START_TEST(command_lines)
{
	check_rows(ASK("connections"), LINES(TASKS, "args 10 a --config x", CONNECTED), ROWS("comm=a cmdline='a --config x'"));
	check_rows(ASK("connections"), LINES(TASKS, "args 20 b", CONNECTED), ROWS("comm=a cmdline=-"));
	check_rows(ASK("connections", .by = "comm"), LINES(TASKS, "args 10 a --config x", CONNECTED,
			CALL(1800, 10, 2, "7 -> 2", "10.0.0.1:0", PEER)), ROWS("comm=a connections=2 cmdline=-"));
}
END_TEST

/* Whose control group it is in is its task's. */
START_TEST(control_groups)
{
	check_rows(ASK("connections", .by = "unit"),
		   LINES("seed a/10 pid=10 cgroup=/system.slice/web.service/w", "seed b/20 pid=20", "with inet_sock_set_state", CONNECTED),
		   ROWS("unit=web.service cgroup=- comm=- connections=1"));
	check_rows(ASK("connections"), LINES("seed a/10 pid=10 cgroup=/a", "seed b/20 pid=20", "with inet_sock_set_state", CONNECTED),
		   ROWS("comm=a cgroup=/a unit=a"));
}
END_TEST

/* The copy of a listener has no remote port at first; whose it is tells the first that receives. A listener is no connection. */
START_TEST(server)
{
	check_rows(ASK("connections"),
		   LINES(TASKS, CALL(500, 20, 9, "7 -> 10", "10.0.0.2:80", "0.0.0.0:0"), PACKET(1000, 10, 2, "10 -> 3", "10.0.0.2:80", "10.0.0.1:0"),
			 PACKET(1010, 10, 2, "3 -> 1", "10.0.0.2:80", US), RECEIVED(3000, 20, 2, 60)),
		   ROWS("comm=b pid=20 side=server local_port=80 remote=10.0.0.1 remote_port=5000 state=ESTAB received_bytes=60 connect_ns=- age_ns=2000"));
	check_rows(ASK("connections"), LINES(TASKS, PACKET(1000, 10, 2, "10 -> 3", "10.0.0.2:80", "10.0.0.1:0")), ROWS("comm=- pid=- state=SYN-RECV local=10.0.0.2 remote=-"));
}
END_TEST

/* Where messages are not recorded bytes are those that calls return: of a connection all of whose calls are known. */
#define FEW "seed a/10 pid=10", "seed b/20 pid=20", "with inet_sock_set_state"
#define DOES(from, to, tid, call, args, ret) #from " cpu0 sys_enter t=" #tid " nr=" #call " " args, #to " cpu0 sys_exit t=" #tid " nr=" #call " ret=" #ret
#define CONNECTS_3 "990 cpu0 sys_enter t=10 nr=connect 3 0 10 0 0 0", CONNECT, PACKET(1700, 20, 1, "2 -> 1", US, PEER), "1800 cpu0 sys_exit t=10 nr=connect ret=0"
START_TEST(by_calls)
{
	check_rows(ASK("connections"),
		   LINES(FEW, CONNECTS_3, DOES(2000, 2010, 10, sendto, "3 0 100 0 0 0", 100), DOES(2020, 2030, 10, write, "3 0 9 0 0 0", 9),
			 DOES(2040, 2050, 10, recvfrom, "3 0 64 2 0 0", 60), DOES(2060, 2070, 10, recvfrom, "3 0 64 0 0 0", 60), DOES(2080, 2090, 10, read, "4 0 64 0 0 0", 5)),
		   ROWS("comm=a sends=2 sent_bytes=109 receives=1 received_bytes=60"));
	/* the server's, from accept on; of one whose descriptor is not known nothing is */
	check_rows(ASK("connections"),
		   LINES(FEW, "400 cpu0 sys_enter t=20 nr=listen 3 5 0 0 0 0", CALL(500, 20, 9, "7 -> 10", "0.0.0.0:80", "0.0.0.0:0"), "510 cpu0 sys_exit t=20 nr=listen ret=0",
			 PACKET(1000, 10, 2, "10 -> 3", PEER, "10.0.0.1:0"), PACKET(1010, 10, 2, "3 -> 1", PEER, US), DOES(2000, 2010, 20, accept4, "3 0 0 0 0 0", 4),
			 DOES(2020, 2030, 20, recvfrom, "4 0 64 0 0 0", 60)),
		   ROWS("comm=b side=server sends=0 sent_bytes=0 receives=1 received_bytes=60"));
	check_rows(ASK("connections"), LINES(FEW, CONNECTED, DOES(2000, 2010, 10, sendto, "3 0 100 0 0 0", 100)), ROWS("comm=a sends=- sent_bytes=- received_bytes=-"));
	/* calls that return messages, move bytes of others, or are lost */
	check_rows(ASK("connections"), LINES(FEW, CONNECTS_3, DOES(2000, 2010, 10, sendmmsg, "3 0 2 0 0 0", 2)), ROWS("comm=a sent_bytes=-"));
	check_rows(ASK("connections"), LINES(FEW, CONNECTS_3, DOES(2000, 2010, 10, splice, "5 0 3 0 64 0", 64)), ROWS("comm=a sent_bytes=-"));
	check_rows(ASK("connections"), LINES(FEW, CONNECTS_3, "cpu0 lost 3", DOES(2000, 2010, 10, getppid, "0 0 0 0 0 0", 1)), ROWS("comm=a sent_bytes=-"));
}
END_TEST

/* a/10 waits in a call on descriptor 3 from 2000 to 3000. */
#define SLEEPS(call) \
	"1990 cpu0 sys_enter t=10 nr=" #call " 3 0 64 0 0 0", "2000 cpu0 sched_switch a/10 S -> idle/0", "3000 cpu1 sched_waking a/10 target=0 by idle/0", \
		"3010 cpu0 sched_switch idle/0 R -> a/10", "3020 cpu0 sys_exit t=10 nr=" #call " ret=5"
START_TEST(waits_by_side)
{
	const char *const from = "900 cpu0 sched_switch idle/0 R -> a/10";

	check_rows(ASK("connections"), LINES(FEW, from, CONNECTS_3, SLEEPS(recvfrom)), ROWS("comm=a wait_peer_ns=1000 wait_network_ns=0 wait_send_ns=0"));
	check_rows(ASK("connections"), LINES(FEW, from, CONNECTS_3, SLEEPS(sendto)), ROWS("comm=a wait_peer_ns=0 wait_network_ns=0 wait_send_ns=1000"));
	check_rows(ASK("connections"),
		   LINES(FEW, "with tcp_retransmit_skb", from, CONNECTS_3, "1990 cpu0 sys_enter t=10 nr=recvfrom 3 0 64 0 0 0", "2000 cpu0 sched_switch a/10 S -> idle/0",
			 "2900 cpu1 tcp_retransmit_skb 1 " US " " PEER " t=20 protocol=6", "3000 cpu1 sched_waking a/10 target=0 by idle/0", "3010 cpu0 sched_switch idle/0 R -> a/10",
			 "3020 cpu0 sys_exit t=10 nr=recvfrom ret=5"),
		   ROWS("comm=a wait_peer_ns=0 wait_network_ns=1000 wait_send_ns=0"));
	check_rows(ASK("connections"), LINES(FEW, CONNECTS_3), ROWS("comm=a wait_peer_ns=- wait_send_ns=-"));
}
END_TEST

/* It is older than the trace: neither side nor begin are known, and its ends from the first event that has them on. */
START_TEST(older)
{
	check_rows(ASK("connections"), LINES(TASKS, SENT(2000, 10, 1, 100)),
		   ROWS("comm=a side=- local=- remote=- state=- sent_bytes=100 connect_ns=- age_ns=- begin_ns=- retransmits=-"));
	check_rows(ASK("connections"), LINES(TASKS, SENT(2000, 10, 1, 100), CALL(2500, 20, 1, "1 -> 4", "fe80::1:5000", "fe80::2:80")),
		   ROWS("comm=a side=- local=fe80::1 remote=fe80::2 remote_port=80 state=FIN-WAIT-1 sent_bytes=100 age_ns=-"));
}
END_TEST

/* The address is another one's after a close, and after a close that was not seen. A lost event makes the state uncertain. */
START_TEST(addresses)
{
	check_rows(ASK("connections", .by = "connection,state"),
		   LINES(TASKS, CONNECTED, PACKET(2000, 20, 1, "1 -> 7", US, PEER), CALL(3000, 20, 1, "7 -> 2", "10.0.0.1:0", PEER)),
		   ROWS("connection=65536 state=CLOSED connections=1", "connection=131073 state=SYN-SENT connections=1"));
	check_rows(ASK("connections", .by = "connection,state"), LINES(TASKS, CONNECTED, CALL(3000, 20, 1, "7 -> 2", "10.0.0.1:0", PEER)),
		   ROWS("connection=65536 state=-", "connection=131073 state=SYN-SENT"));
	check_rows(ASK("connections"), LINES(TASKS, CONNECTED, "cpu0 lost 3", "5000 cpu0 sched_waking x/98 target=0 by y/99"), ROWS("state=- connect_ns=700"));
	check_rows(ASK("connections"), LINES(TASKS, CONNECT, "cpu0 lost 3", PACKET(5000, 20, 1, "2 -> 1", US, PEER)), ROWS("state=ESTAB connect_ns=-"));
}
END_TEST

/* Rows of several: what one has is not all of them's. */
START_TEST(grouped)
{
	check_rows(ASK("connections", .by = "remote_port"),
		   LINES(TASKS, CONNECTED, SENT(2000, 10, 1, 100), CALL(3000, 20, 2, "7 -> 2", "10.0.0.1:0", PEER), PACKET(3100, 20, 2, "2 -> 1", "10.0.0.1:5001", PEER),
			 SENT(3200, 20, 2, 50)),
		   ROWS("comm=- remote_port=80 connections=2 sends=2 sent_bytes=150 connect_ns=- age_ns=-"));
	/* whichever end is the server's: ephemeral ports make no rows */
	check_rows(ASK("connections", .by = "side,server,server_port"),
		   LINES(TASKS, CONNECTED, CALL(1800, 10, 2, "7 -> 2", "10.0.0.1:0", PEER), PACKET(1900, 10, 3, "10 -> 3", "10.0.0.2:81", "10.0.0.1:0")),
		   ROWS("side=client server=10.0.0.2 server_port=80 connections=2", "side=server server=10.0.0.2 server_port=81 connections=1"));
	check_rows(ASK("connections", .pid = 20), LINES(TASKS, CONNECTED, CALL(3000, 20, 2, "7 -> 2", "10.0.0.1:0", PEER)), ROWS("comm=b state=SYN-SENT"));
}
END_TEST

/* A quiet one is shown in each interval, and what went over it before is not. */
START_TEST(intervals)
{
	check_rows(ASK("connections", .resets = RESETS(2000)),
		   LINES(TASKS, CONNECTED, SENT(2000, 10, 1, 100), "cpu0 page", "4000 cpu0 sched_waking x/98 target=0 by y/99"),
		   ROWS("comm=a state=ESTAB connections=1 sent_bytes=0 connect_ns=700 age_ns=3000"));
}
END_TEST

/* The last one counts; of another socket at its address nothing is known. */
START_TEST(probed)
{
	check_rows(ASK("connections"),
		   LINES("with tcp_probe", TASKS, CONNECTED, "2000 cpu0 tcp_probe 1 900 10 65536 t=20", "2100 cpu0 tcp_probe 1 800 11 65535 t=20", "2200 cpu0 tcp_probe 2 7 7 7 t=20"),
		   ROWS("comm=a rtt_ns=800000 cwnd=11 window_bytes=65535"));
	check_rows(ASK("connections"), LINES(TASKS, CONNECTED), ROWS("comm=a rtt_ns=- cwnd=- window_bytes=-"));
}
END_TEST

START_TEST(attempts)
{
	check_rows(ASK("tcpconnect"), LINES(TASKS, CONNECTED),
		   ROWS("time_ns=1700 comm=a pid=10 tid=10 remote=10.0.0.2 remote_port=80 lat_ns=700 result=connected error=-"));
	/* refused by a reset, which is told before the close; by ICMP or after the last SYN, right after it; by the task itself */
	check_rows(ASK("tcpconnect"), LINES(TASKS, CONNECT, "1200 cpu0 tcp_receive_reset 1 t=20", PACKET(1300, 20, 1, "2 -> 7", US, PEER), REPORTED(1310, 111)),
		   ROWS("time_ns=1300 lat_ns=300 result=failed error=ECONNREFUSED local_port=5000"));
	check_rows(ASK("tcpconnect"), LINES(TASKS, CONNECT, PACKET(9000, 20, 1, "2 -> 7", US, PEER), REPORTED(9010, 110)),
		   ROWS("time_ns=9000 lat_ns=8000 result=failed error=ETIMEDOUT"));
	check_rows(ASK("tcpconnect"), LINES(TASKS, CONNECT, CALL(1300, 10, 1, "2 -> 7", US, PEER)), ROWS("lat_ns=300 result=aborted error=-"));
	/* another one's error */
	check_rows(ASK("tcpconnect"), LINES(TASKS, CONNECT, PACKET(9000, 20, 1, "2 -> 7", "10.0.0.1:5001", PEER), REPORTED(9010, 110)), NO_ROWS);
	/* lost events: its end may be another one's */
	check_rows(ASK("tcpconnect"), LINES(TASKS, CONNECT, "cpu0 lost 3", PACKET(5000, 20, 1, "2 -> 1", US, PEER)), NO_ROWS);
}
END_TEST

START_TEST(retransmits)
{
	check_rows(ASK("tcpretrans"),
		   LINES(TASKS, "with tcp_cong_state_set", CONNECT, AGAIN(1500, 1), PACKET(1700, 20, 1, "2 -> 1", US, PEER), AGAIN(2000, 1), CONGESTED(2100, 1, 3), AGAIN(2200, 1),
			 CONGESTED(2300, 1, 4), AGAIN(2400, 1)),
		   ROWS("time_ns=1500 comm=a pid=10 local_port=5000 remote=10.0.0.2 remote_port=80 state=SYN-SENT type=timer", "state=ESTAB type=probe",
			"time_ns=2200 type=fast", "time_ns=2400 type=timer"));
	/* without the event of the congestion state only a handshake's is known */
	check_rows(ASK("tcpretrans"), LINES(TASKS, CONNECTED, AGAIN(2000, 1)), ROWS("state=ESTAB type=-"));
	check_rows(ASK("connections"), LINES(TASKS, CONNECTED, AGAIN(2000, 1), AGAIN(2100, 1), "2200 cpu0 tcp_send_reset 1 t=20"), ROWS("retransmits=2 reset=local"));
}
END_TEST

/* How long the state before was seen; of one that began in the trace there is none before. Two states that ended are drawn, and one that goes on. */
START_TEST(states)
{
	check_rows(ASK("tcpstates"), LINES(TASKS, CONNECTED, CALL(4000, 10, 1, "1 -> 4", US, PEER)),
		   ROWS("time_ns=1000 comm=a pid=10 old_state=CLOSED state=SYN-SENT remote_port=80 length_ns=-", "time_ns=1700 old_state=SYN-SENT state=ESTAB length_ns=700",
			"time_ns=4000 old_state=ESTAB state=FIN-WAIT-1 length_ns=2300"));
	check_rows(ASK("tcpstates"), LINES(TASKS, CONNECT, "cpu0 lost 3", PACKET(5000, 20, 1, "2 -> 1", US, PEER)), ROWS("length_ns=-", "state=ESTAB length_ns=-"));
	check_rows(ASK("tcpstates", .span = "connection"), LINES(TASKS, CONNECTED, CALL(4000, 10, 1, "1 -> 4", US, PEER), "5000 cpu0 sched_waking x/98 target=0 by y/99"),
		   ROWS("id=65536 from=1000 to=1700 label=SYN-SENT open=0 tid=10 local_port=5000", "id=65536 from=1700 to=4000 label=ESTAB open=0",
			"id=65536 from=4000 to=5000 label=FIN-WAIT-1 open=1"));
	check_rows(ASK("tcpstates", .span = "retransmit"), LINES(TASKS, CONNECTED, AGAIN(2000, 1)), ROWS("id=65536 from=2000 to=2000 pid=10 remote_port=80"));
	/* a listener is no connection, and one that is over has no state */
	check_rows(ASK("tcpstates", .span = "connection"),
		   LINES(TASKS, CALL(500, 20, 9, "7 -> 10", "10.0.0.2:80", "0.0.0.0:0"), CALL(600, 20, 9, "10 -> 7", "10.0.0.2:80", "0.0.0.0:0")), NO_ROWS);
}
END_TEST

/* A task sleeps in a call on the descriptor that connected: the wait is on the connection's track, one on another descriptor is on none. */
START_TEST(waits)
{
#define WAITS_ON(fd) \
	"2000 cpu0 sys_enter t=10 nr=recvfrom " fd " 0 100 0 0 0", "2100 cpu0 sched_switch a/10 S -> idle/0", "2500 cpu1 sched_waking a/10 target=0 by b/20", \
		"2600 cpu0 sched_switch idle/0 R -> a/10", "2700 cpu0 sys_exit t=10 nr=recvfrom ret=5"
#define IN_CALL "900 cpu0 sys_enter t=10 nr=connect 3 0 10", CONNECTED, "1800 cpu0 sys_exit t=10 nr=connect ret=0"
	check_rows(ASK("offcpu", .span = "socket wait"), LINES(TASKS, IN_CALL, WAITS_ON("3")),
		   ROWS("id=65536 from=2100 to=2500 label=recvfrom open=0 tid=10"));
	check_rows(ASK("offcpu", .span = "socket wait"), LINES(TASKS, IN_CALL, WAITS_ON("4")), NO_ROWS);
}
END_TEST

Suite *rs_suite_connections(void);
Suite *rs_suite_connections(void)
{
	Suite *s = suite_create("connections");
	TCase *t = tcase_create("connections");

	tcase_add_test(t, client);
	tcase_add_test(t, command_lines);
	tcase_add_test(t, control_groups);
	tcase_add_test(t, server);
	tcase_add_test(t, by_calls);
	tcase_add_test(t, waits_by_side);
	tcase_add_test(t, older);
	tcase_add_test(t, addresses);
	tcase_add_test(t, grouped);
	tcase_add_test(t, intervals);
	tcase_add_test(t, probed);
	tcase_add_test(t, attempts);
	tcase_add_test(t, retransmits);
	tcase_add_test(t, states);
	tcase_add_test(t, waits);
	suite_add_tcase(s, t);
	return s;
}
