// SPDX-License-Identifier: GPL-2.0-or-later
/* test-tcpaccept - accepted connections, their time in the queue, and queues that are full */
#include <check.h>

#include "ask.h"

#define TASKS "seed cli/10 pid=10", "seed srv/20 pid=20", "with inet_sock_set_state", "with tcp_retransmit_skb", "with kfree_skb"
#define HERE "10.0.0.2:80"
#define STATE(ns, tid, flags, sk, from_to, local, remote) \
	#ns " cpu0 inet_sock_set_state " #sk " " from_to " " local " " remote " t=" #tid " protocol=6 common_flags=" #flags
#define CALL(from, to, tid, call, args, ret) #from " cpu0 sys_enter t=" #tid " nr=" #call " " args, #to " cpu0 sys_exit t=" #tid " nr=" #call " ret=" #ret
#define ACCEPT(from, to, fd) CALL(from, to, 20, accept4, "3 0 0 0 0 0", fd)
/* listen(3, backlog) */
#define LISTEN_AT(ns, event, end, sk, backlog, local) \
	#ns " cpu0 sys_enter t=20 nr=listen 3 " #backlog " 0 0 0 0", STATE(event, 20, 0, sk, "7 -> 10", local, "0.0.0.0:0"), \
		#end " cpu0 sys_exit t=20 nr=listen ret=0"
#define LISTEN LISTEN_AT(100, 110, 120, 9, 1, "0.0.0.0:80")
/* a handshake's last packet, in whatever task */
#define ARRIVES(ns, end, sk, port) \
	STATE(ns, 10, 16, sk, "10 -> 3", HERE, "10.0.0.1:0"), STATE(end, 10, 16, sk, "3 -> 1", HERE, "10.0.0.1:" #port)

START_TEST(in_order)
{
#define TWO LINES(TASKS, LISTEN, ARRIVES(1000, 1010, 1, 5001), ARRIVES(1100, 1110, 2, 5002), ACCEPT(2000, 2010, 4), ACCEPT(2020, 2110, 5))
	check_rows(ASK("tcpaccept"), TWO,
		   ROWS("time_ns=2010 comm=srv pid=20 tid=20 fd=4 local=10.0.0.2 local_port=80 remote=10.0.0.1 remote_port=5001 queue_ns=1000 waiting=1",
			"time_ns=2110 fd=5 remote_port=5002 queue_ns=1000 waiting=0"));
	check_rows(ASK("listeners"), TWO,
		   ROWS("comm=srv pid=20 local=0.0.0.0 local_port=80 backlog=1 accepts=2 queue_avg_ns=1000 queue_max_ns=1000 waiting=0 "
			"waiting_max=2 full_ns=900 overflows=0"));
	/* nothing was there, or it failed */
	check_rows(ASK("tcpaccept"), LINES(TASKS, LISTEN, ACCEPT(2000, 2010, -11)), NO_ROWS);
	check_rows(ASK("listeners"), LINES(TASKS, LISTEN, ARRIVES(1000, 1010, 1, 5001)), ROWS("accepts=0 waiting=1 queue_avg_ns=- full_ns=0"));
}
END_TEST

/* It is told by what uses the new descriptor, where anything does; several sockets at one address have queues of their own. */
START_TEST(by_use)
{
#define CLOSES(ns, event, end, fd, sk, port) \
	#ns " cpu0 sys_enter t=20 nr=close " #fd " 0 0 0 0 0", STATE(event, 20, 0, sk, "8 -> 9", HERE, "10.0.0.1:" #port), \
		#end " cpu0 sys_exit t=20 nr=close ret=0"
	check_rows(ASK("tcpaccept"), LINES(TASKS, ARRIVES(1000, 1010, 1, 5001), ACCEPT(2000, 2010, 4), CLOSES(3000, 3010, 3020, 4, 1, 5001), ACCEPT(4000, 4010, 4)),
		   ROWS("time_ns=2010 comm=srv fd=4 local=10.0.0.2 local_port=80 remote_port=5001 queue_ns=1000 waiting=-", "time_ns=4010 fd=4 remote=- queue_ns=-"));
	check_rows(ASK("tcpaccept"),
		   LINES(TASKS, "with sock_recv_length", ARRIVES(1000, 1010, 1, 5001), ACCEPT(2000, 2010, 4), "2100 cpu0 sys_enter t=20 nr=read 4 0 9 0 0 0",
			 "2110 cpu0 sock_recv_length 1 9 t=20 protocol=6", "2120 cpu0 sys_exit t=20 nr=read ret=9"),
		   ROWS("time_ns=2010 fd=4 remote_port=5001 queue_ns=1000"));
	check_rows(ASK("tcpaccept"), LINES(TASKS, LISTEN, STATE(200, 10, 0, 8, "7 -> 10", "0.0.0.0:80", "0.0.0.0:0"), ARRIVES(1000, 1010, 1, 5001), ACCEPT(2000, 2010, 4)),
		   ROWS("time_ns=2010 remote=- queue_ns=- waiting=-"));
}
END_TEST

/* A listener that was looked up: its queue is known once one that it had is told. */
START_TEST(older)
{
	check_rows(ASK("tcpaccept"),
		   LINES("fd 20 3 2015 TCP:[0.0.0.0:80]", TASKS, ARRIVES(1000, 1010, 1, 5001), ARRIVES(1100, 1110, 2, 5002), ACCEPT(2000, 2010, 4),
			 ACCEPT(2020, 2110, 5), CLOSES(3000, 3010, 3020, 5, 2, 5002), ARRIVES(4000, 4010, 3, 5003), ACCEPT(5000, 5010, 6),
			 CLOSES(6000, 6010, 6020, 4, 1, 5001)),
		   ROWS("time_ns=2110 fd=5 remote_port=5002 queue_ns=1000 waiting=-", "time_ns=5010 fd=6 remote_port=5003 queue_ns=1000 waiting=0",
			"time_ns=2010 fd=4 remote_port=5001 queue_ns=1000 waiting=-"));
}
END_TEST

/* The queue has one more than the backlog: each SYN is dropped from then on, up to the next accept. */
START_TEST(overflow)
{
#define CONNECTS(ns, sk) STATE(ns, 10, 0, sk, "7 -> 2", "10.0.0.1:0", HERE)
	check_rows(ASK("listeners"),
		   LINES(TASKS, LISTEN, CONNECTS(990, 11), ARRIVES(1000, 1010, 1, 5001), CONNECTS(1090, 12), ARRIVES(1100, 1110, 2, 5002), CONNECTS(1200, 13),
			 "1300 cpu0 tcp_retransmit_skb 13 10.0.0.1:5003 " HERE " t=10 protocol=6", "1400 cpu0 kfree_skb 256 9 t=10 rx_sk=9",
			 "1410 cpu0 kfree_skb 256 3 t=10 rx_sk=8", ACCEPT(2000, 2110, 4), "2150 cpu0 kfree_skb 256 3 t=10 rx_sk=9", "2200 cpu0 tcp_retransmit_skb 13 10.0.0.1:5003 " HERE " t=10 protocol=6"),
		   ROWS("accepts=1 overflows=3 full_ns=1000 waiting=1 waiting_max=2"));
	/* a loss: nothing is known of the queue any more */
	check_rows(ASK("tcpaccept"), LINES(TASKS, LISTEN, ARRIVES(1000, 1010, 1, 5001), "cpu0 lost 3", ACCEPT(2000, 2010, 4)), ROWS("remote=- queue_ns=- waiting=-"));
}
END_TEST

Suite *rs_suite_tcpaccept(void);
Suite *rs_suite_tcpaccept(void)
{
	Suite *s = suite_create("tcpaccept");
	TCase *t = tcase_create("tcpaccept");

	tcase_add_test(t, in_order);
	tcase_add_test(t, by_use);
	tcase_add_test(t, older);
	tcase_add_test(t, overflow);
	suite_add_tcase(s, t);
	return s;
}
