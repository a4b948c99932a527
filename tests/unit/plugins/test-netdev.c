// SPDX-License-Identifier: GPL-2.0-or-later
/* test-netdev - packets of devices, and how long they were queued */
#include <check.h>

#include "ask.h"

#define EVENTS \
	"with net_dev_queue", "with net_dev_start_xmit", "with net_dev_xmit", "with netif_receive_skb", "with net_dev_xmit_timeout", \
		"with napi_poll", "with kfree_skb"
#define PACKET(ns, event, dev, skb, len, ...) #ns " cpu0 " event " " dev " " #skb " " #len " t=0" __VA_ARGS__
#define QUEUED(ns, dev, skb) PACKET(ns, "net_dev_queue", dev, skb, 100)
#define STARTED(ns, dev, skb) PACKET(ns, "net_dev_start_xmit", dev, skb, 100)

/* Each device has its own; the longest name has 15 bytes, and differs in the last from another. */
START_TEST(packets)
{
	check_rows(ASK("netdev"),
		   LINES(EVENTS, QUEUED(1000, "eth0", 1), QUEUED(1100, "eth0", 2), STARTED(1500, "eth0", 1), STARTED(2100, "eth0", 2),
			 PACKET(2200, "netif_receive_skb", "eth0", 3, 60), PACKET(2300, "netif_receive_skb", "veth-4711-aaaa0", 4, 70),
			 PACKET(2400, "netif_receive_skb", "veth-4711-aaaa1", 5, 80), "2500 cpu0 net_dev_xmit_timeout eth0 t=0", "2600 cpu0 napi_poll eth0 64 64 t=0",
			 "2700 cpu0 napi_poll eth0 3 64 t=0"),
		   ROWS("device=eth0 tx_packets=2 tx_bytes=200 rx_packets=1 rx_bytes=60 queue_avg_ns=750 queue_max_ns=1000 queue_total_ns=1500 "
			"requeues=0 drops=0 timeouts=1 polls=2 full_polls=1",
			"device=veth-4711-aaaa0 tx_packets=0 rx_packets=1 rx_bytes=70 queue_avg_ns=-", "device=veth-4711-aaaa1 rx_bytes=80"));
}
END_TEST

/* A device that is busy gives it back: it is sent once. Another device's, or one cut into parts, was not seen in that queue. */
START_TEST(queues)
{
	check_rows(ASK("netdev"),
		   LINES(EVENTS, QUEUED(1000, "eth0", 1), STARTED(1500, "eth0", 1), PACKET(1510, "net_dev_xmit", "eth0", 1, 100, " rc=16"),
			 STARTED(2500, "eth0", 1), PACKET(2510, "net_dev_xmit", "eth0", 1, 100, " rc=0")),
		   ROWS("device=eth0 tx_packets=1 tx_bytes=100 requeues=1 queue_max_ns=500"));
	check_rows(ASK("netdev"), LINES(EVENTS, QUEUED(1000, "bond0", 1), STARTED(1500, "eth0", 1), STARTED(1600, "eth0", 7)),
		   ROWS("device=eth0 tx_packets=2 queue_avg_ns=-"));
}
END_TEST

/* Dropped in the queue: of that device; before or after: of none. What was lost meanwhile makes both uncertain. */
START_TEST(drops)
{
	check_rows(ASK("netdev"),
		   LINES(EVENTS, QUEUED(1000, "eth0", 1), "1100 cpu0 kfree_skb 256 2 t=0 skbaddr=1", "1200 cpu0 kfree_skb 256 2 t=0 skbaddr=1", QUEUED(1300, "eth0", 2),
			 STARTED(1400, "eth0", 2), "1500 cpu0 kfree_skb 256 2 t=0 skbaddr=2"),
		   ROWS("device=eth0 drops=1 tx_packets=1"));
	check_rows(ASK("netdev"),
		   LINES(EVENTS, QUEUED(1000, "eth0", 1), QUEUED(1001, "eth0", 2), "cpu0 lost 3", STARTED(2000, "eth0", 1), "2100 cpu0 kfree_skb 256 2 t=0 skbaddr=2"),
		   ROWS("device=eth0 tx_packets=1 queue_avg_ns=- drops=0"));
}
END_TEST

/*
 * CPU 0: NET_RX from 1000 to 2000 polls eth0 up to 1400 and lo up to 1900, the end is lo's. NET_TX from 3000 to 3100 sends to eth0, from
 * 4000 to 4300 to both, from 5000 to 5050 to none; what is sent in other softirqs, or polled in none, tells of no time. A loss hides an end.
 */
#define SOFTIRQ(ns, what, vec) #ns " cpu0 softirq_" #what " " #vec " t=0"
START_TEST(softirqs)
{
	check_rows(ASK("netdev"),
		   LINES(EVENTS, SOFTIRQ(1000, entry, 3), "1400 cpu0 napi_poll eth0 64 64 t=0", STARTED(1500, "eth0", 1), "1900 cpu0 napi_poll lo 3 64 t=0",
			 SOFTIRQ(2000, exit, 3), "2500 cpu0 napi_poll eth0 3 64 t=0", SOFTIRQ(3000, entry, 2), STARTED(3010, "eth0", 1), STARTED(3020, "eth0", 2),
			 SOFTIRQ(3100, exit, 2), SOFTIRQ(4000, entry, 2), STARTED(4010, "eth0", 1), STARTED(4020, "lo", 2), STARTED(4030, "lo", 3), SOFTIRQ(4300, exit, 2),
			 SOFTIRQ(5000, entry, 2), SOFTIRQ(5050, exit, 2), SOFTIRQ(6000, entry, 1), STARTED(6010, "eth0", 1), SOFTIRQ(6500, exit, 1),
			 SOFTIRQ(7000, entry, 3), "cpu0 lost 3", SOFTIRQ(8000, exit, 3)),
		   ROWS("device=eth0 net_rx_ns=400 net_tx_ns=100 polls=2 full_polls=1", "device=lo net_rx_ns=600 net_tx_ns=0 polls=1", "device=- net_rx_ns=0 net_tx_ns=350"));
	check_rows(ASK("netdev"), LINES("without softirq_entry", EVENTS, STARTED(3010, "eth0", 1), SOFTIRQ(3100, exit, 2)), ROWS("net_rx_ns=- net_tx_ns=-"));
}
END_TEST

Suite *rs_suite_netdev(void);
Suite *rs_suite_netdev(void)
{
	Suite *s = suite_create("netdev");
	TCase *t = tcase_create("netdev");

	tcase_add_test(t, packets);
	tcase_add_test(t, queues);
	tcase_add_test(t, drops);
	tcase_add_test(t, softirqs);
	suite_add_tcase(s, t);
	return s;
}
