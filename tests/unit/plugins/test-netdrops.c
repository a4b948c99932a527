// SPDX-License-Identifier: GPL-2.0-or-later
/* test-netdrops - packets that are dropped, by reason, place and protocol */
#include <check.h>

#include "ask.h"

#define TASKS "seed a/10 pid=10", "with kfree_skb"
#define DROP(ns, place, reason, protocol, ...) #ns " cpu0 kfree_skb " #place " " #reason " protocol=" #protocol " t=10" __VA_ARGS__

/* The name of a reason is the format's; who runs when it is dropped has nothing to do with it. */
START_TEST(by_reason)
{
	check_rows(ASK("netdrops"),
		   LINES(TASKS, DROP(1000, 256, 3, 2048), DROP(2000, 256, 3, 2048), DROP(3000, 256, 2, 2048), DROP(4000, 512, 3, 34525), DROP(5000, 256, 77, 0)),
		   ROWS("reason=NO_SOCKET place=0x100 protocol=IPv4 drops=2 last_ns=2000 comm=- pid=-",
			"reason=NOT_SPECIFIED place=0x100 protocol=IPv4 drops=1 last_ns=3000", "reason=NO_SOCKET place=0x200 protocol=IPv6 drops=1",
			"reason=77 place=0x100 protocol=- drops=1"));
	check_rows(ASK("netdrops", .by = "protocol"), LINES(TASKS, DROP(1000, 256, 3, 2048), DROP(2000, 512, 2, 2048), DROP(3000, 256, 3, 33000)),
		   ROWS("reason=- place=- protocol=IPv4 drops=2 last_ns=2000", "protocol=0x80e8 drops=1"));
}
END_TEST

/* Its socket's task, where that is known; -p leaves out what belongs to no task. */
START_TEST(by_task)
{
#define OF_SOCKET \
	LINES("with sock_recv_length", TASKS, "1000 cpu0 sock_recv_length 9 10 t=10 protocol=6", DROP(2000, 256, 3, 2048, " rx_sk=9"), \
	      DROP(3000, 256, 3, 2048, " rx_sk=8"))
	check_rows(ASK("netdrops"), OF_SOCKET, ROWS("comm=a pid=10 drops=1", "comm=- pid=- drops=1"));
	check_rows(ASK("netdrops", .pid = 10), OF_SOCKET, ROWS("comm=a pid=10 drops=1"));
}
END_TEST

Suite *rs_suite_netdrops(void);
Suite *rs_suite_netdrops(void)
{
	Suite *s = suite_create("netdrops");
	TCase *t = tcase_create("netdrops");

	tcase_add_test(t, by_reason);
	tcase_add_test(t, by_task);
	suite_add_tcase(s, t);
	return s;
}
