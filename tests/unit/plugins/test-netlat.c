// SPDX-License-Identifier: GPL-2.0-or-later
/* test-netlat - from the receipt of a packet until its reader runs */
#include <check.h>

#include "ask.h"

#define EVENTS "seed rd/10 pid=10", "with netif_receive_skb", "with napi_gro_receive_entry", "with sk_data_ready", "with inet_sock_set_state"
/* It sleeps on CPU 0, where packets come. */
#define SLEEPS "500 cpu0 sched_switch idle/0 R -> rd/10", "600 cpu0 sched_switch rd/10 S -> idle/0"
#define CONNECTED "100 cpu0 inet_sock_set_state 1 2 -> 1 10.0.0.1:5000 10.0.0.2:80 t=10 protocol=6 common_flags=16"
#define RECEIVES(ns, skb) #ns " cpu0 netif_receive_skb eth0 " #skb " 60 t=0"
#define READY(ns, sk) #ns " cpu0 sk_data_ready " #sk " t=0 protocol=6 common_flags=16"
#define WAKES(ns, flags) #ns " cpu0 sched_waking rd/10 target=0 by idle/0 common_flags=" #flags
#define ENDS_SOFTIRQ(ns) #ns " cpu0 softirq_exit 3 t=0"
#define RUNS(ns) #ns " cpu0 sched_switch idle/0 R -> rd/10"

START_TEST(steps)
{
	check_rows(ASK("netlat", .by = "comm,pid,protocol,port"), LINES(EVENTS, CONNECTED, SLEEPS, RECEIVES(1000, 7), READY(1200, 1), WAKES(1300, 16), ENDS_SOFTIRQ(1400), RUNS(1700)),
		   ROWS("comm=rd pid=10 protocol=TCP port=5000 wakeups=1 total_ns=700 max_ns=700 stack_avg_ns=300 stack_max_ns=300 delay_avg_ns=400 delay_max_ns=400"));
	/* the driver had this very packet before; a socket that is not known */
	check_rows(ASK("netlat", .by = "comm,pid,protocol,port"),
		   LINES(EVENTS, SLEEPS, "900 cpu0 napi_gro_receive_entry eth0 7 60 t=0", RECEIVES(1000, 7), READY(1200, 1), WAKES(1300, 16), ENDS_SOFTIRQ(1400), RUNS(1700)),
		   ROWS("comm=rd port=- total_ns=800"));
	check_rows(ASK("netlat"),
		   LINES(EVENTS, SLEEPS, "900 cpu0 napi_gro_receive_entry eth0 8 60 t=0", RECEIVES(1000, 7), READY(1200, 1), WAKES(1300, 16), ENDS_SOFTIRQ(1400), RUNS(1700)),
		   ROWS("comm=rd total_ns=700"));
}
END_TEST

/* Woken for another reason: before the packet is in a socket, by an interrupt in between, after the softirq, for the packet before. */
START_TEST(others)
{
	check_rows(ASK("netlat"), LINES(EVENTS, SLEEPS, RECEIVES(1000, 7), WAKES(1300, 16), RUNS(1700)), NO_ROWS);
	check_rows(ASK("netlat"), LINES(EVENTS, SLEEPS, RECEIVES(1000, 7), READY(1200, 1), WAKES(1300, 24), RUNS(1700)), NO_ROWS);
	check_rows(ASK("netlat"), LINES(EVENTS, SLEEPS, RECEIVES(1000, 7), READY(1200, 1), ENDS_SOFTIRQ(1250), WAKES(1300, 16), RUNS(1700)), NO_ROWS);
	check_rows(ASK("netlat"), LINES(EVENTS, SLEEPS, RECEIVES(1000, 7), READY(1200, 1), RECEIVES(1250, 8), WAKES(1300, 16), RUNS(1700)), NO_ROWS);
	check_rows(ASK("netlat"), LINES(EVENTS, SLEEPS, RECEIVES(1000, 7), READY(1200, 1), WAKES(1300, 16), "cpu0 lost 3", RUNS(1700)), NO_ROWS);
	check_rows(ASK("netlat", .pid = 11), LINES(EVENTS, SLEEPS, RECEIVES(1000, 7), READY(1200, 1), WAKES(1300, 16), RUNS(1700)), NO_ROWS);
}
END_TEST

Suite *rs_suite_netlat(void);
Suite *rs_suite_netlat(void)
{
	Suite *s = suite_create("netlat");
	TCase *t = tcase_create("netlat");

	tcase_add_test(t, steps);
	tcase_add_test(t, others);
	suite_add_tcase(s, t);
	return s;
}
