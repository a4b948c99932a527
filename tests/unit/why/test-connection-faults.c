// SPDX-License-Identifier: GPL-2.0-or-later
/* test-connection-faults - connections that lose segments, are reset, or made anew each time: a tenth of a second */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* a/10 connects from ports 5000, 5001 ... to a server; b/20 is on the CPU when packets come, and so is c/30, the server */
struct connection_stage {
	unsigned int nr;            /* connections, one after the other */
	unsigned int apart_us;
	unsigned int lasts_us;       /* 0: until the end */
	unsigned int nr_resets;     /* of these */
	bool is_here;               /* the server is of this machine: its side is seen */
};

static void faults_begin(void)
{
	static const char *const tasks[] = { "a/10 pid=10", "b/20 pid=20", "c/30 pid=30" };
	static const char *const events[] = { "inet_sock_set_state", "tcp_receive_reset", "tcp_send_reset",
					      "tcp_retransmit_skb", "tcp_cong_state_set" };

	made_lines_begin();
	for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
		made_line("seed %s", tasks[i]);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		made_line("with %s", events[i]);
}

static void state_line(unsigned int us, unsigned int ns, unsigned int tid, bool by_packet, unsigned int sk, const char *from_to,
		       const char *local, const char *remote)
{
	made_line("%u%03u cpu0 inet_sock_set_state %u %s %s %s t=%u protocol=6 common_flags=%d", us, ns, sk, from_to, local, remote, tid,
		  by_packet ? 16 : 0);
}

static void connection_lines(unsigned int us, unsigned int i, const struct connection_stage *stage)
{
	char own[32], peer[] = "10.0.0.2:80";
	unsigned int sk = 2 * i + 10;

	snprintf(own, sizeof own, "10.0.0.1:%u", 5000 + i);
	state_line(us, 0, 10, false, sk, "7 -> 2", "10.0.0.1:0", peer);
	if (stage->is_here) {
		state_line(us, 50, 20, true, sk + 1, "10 -> 3", peer, "10.0.0.1:0");
		state_line(us, 60, 20, true, sk + 1, "3 -> 1", peer, own);
	}
	state_line(us + 100, 0, 20, true, sk, "2 -> 1", own, peer);
	us += stage->lasts_us;
	if (!stage->lasts_us)
		return;
	if (i >= stage->nr_resets) {
		state_line(us, 0, 10, false, sk, "1 -> 4", own, peer);
		state_line(us, 100, 20, true, sk, "4 -> 7", own, peer);
		return;
	}
	if (stage->is_here)
		state_line(us, 90, 30, false, sk + 1, "1 -> 7", peer, own);
	made_line("%u100 cpu0 tcp_receive_reset %u t=30", us, sk);
	state_line(us, 200, 30, true, sk, "1 -> 7", own, peer);
}

static void ends_check(struct connection_stage stage, const char *const *expected)
{
	faults_begin();
	made_line("1 cpu1 sched_switch idle/0 R -> b/20 next_prio=120");
	for (unsigned int i = 0; i < stage.nr; i++)
		connection_lines(1000 + i * stage.apart_us, i, &stage);
	made_line("100001000 cpu1 sched_switch b/20 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

START_TEST(a_connection_for_each_exchange)
{
	const struct connection_stage churn = { 12, 8000, 500, 0, false };

	ends_check(churn, ROWS("rule=connection-churn victim=a culprit=- text='a (10) opens 120 connections a second to 10.0.0.2:80: each "
				"lasts for 400 us, 100 us of that for its handshake'"));
	/* too few; they are kept open until the end */
	ends_check((struct connection_stage){ 8, 12000, 500, 0, false }, NO_ROWS);
	ends_check((struct connection_stage){ 12, 8000, 0, 0, false }, NO_ROWS);
}
END_TEST

START_TEST(the_peer_resets)
{
	ends_check((struct connection_stage){ 6, 15000, 500, 3, true },
		    ROWS("rule=connection-resets victim=a culprit=c text='a (10) loses 30 connections a second to 10.0.0.2:80, by a reset: "
			 "c (30) aborts them 400 us after they are established'"));
	/* on another machine */
	ends_check((struct connection_stage){ 6, 15000, 500, 3, false }, ROWS("rule=connection-resets culprit=10.0.0.2:80"));
	/* one in six */
	ends_check((struct connection_stage){ 6, 15000, 500, 0, true }, NO_ROWS);
}
END_TEST

struct again_stage {
	const char *state;          /* of the socket that sends again: "2" SYN_SENT, "1" ESTABLISHED */
	unsigned int nr, nr_timers;
	bool is_here;
	unsigned int wait_us;       /* a/10 is in recvfrom, or connect, from 2 ms on; connects since 1 ms */
};

static void again_lines(const struct again_stage *h)
{
	for (unsigned int i = 0; i < h->nr; i++) {
		if (i < h->nr_timers || (i && i == h->nr_timers))
			made_line("%u000 cpu0 tcp_cong_state_set 10 %u t=20", 5000 + i * 500, i < h->nr_timers ? 4 : 0);
		made_line("%u100 cpu0 tcp_retransmit_skb 10 10.0.0.1:5000 10.0.0.2:80 t=20", 5000 + i * 500);
	}
}

static void again_check(struct again_stage h, const char *const *expected)
{
	bool connects = *h.state == '2';

	faults_begin();
	made_line("1 cpu1 sched_switch idle/0 R -> b/20 next_prio=120");
	made_line("2 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	if (h.is_here) {
		state_line(500, 0, 30, false, 90, "7 -> 10", "10.0.0.2:80", "0.0.0.0:0");
		state_line(600, 0, 20, true, 11, "10 -> 3", "10.0.0.2:80", "10.0.0.1:0");
		state_line(600, 10, 20, true, 11, "3 -> 1", "10.0.0.2:80", "10.0.0.1:4999");
	}
	made_line("900000 cpu0 sys_enter t=10 nr=%s 3 0 0 0", connects ? "connect" : "recvfrom");
	state_line(1000, 0, 10, false, 10, "7 -> 2", "10.0.0.1:0", "10.0.0.2:80");
	if (!connects)
		state_line(1000, 100, 20, true, 10, "2 -> 1", "10.0.0.1:5000", "10.0.0.2:80");
	made_line("2000000 cpu0 sched_switch a/10 S -> idle/0");
	again_lines(&h);
	if (connects)
		state_line(2000 + h.wait_us, 0, 20, true, 10, "2 -> 1", "10.0.0.1:5000", "10.0.0.2:80");
	made_line("%u000 cpu1 sched_waking a/10 target=0 by b/20", 2000 + h.wait_us);
	made_line("%u001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", 2000 + h.wait_us);
	made_line("%u002 cpu0 sys_exit t=10 nr=%s ret=0", 2000 + h.wait_us, connects ? "connect" : "recvfrom");
	made_line("100000000 cpu0 sched_switch a/10 S -> idle/0");
	made_line("100001000 cpu1 sched_switch b/20 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

START_TEST(segments_again)
{
	again_check((struct again_stage){ "1", 5, 3, false, 30000 },
		    ROWS("rule=retransmits victim=a text='a (10) sends 5 TCP segments again, to 10.0.0.2:80: lost on the way, 3 of them are found "
			 "missing by a time-out alone, during 30 ms of waits'"));
	again_check((struct again_stage){ "1", 3, 0, false, 30000 }, ROWS("rule=retransmits"));
	/* too few; no time-outs, and the wait is short */
	again_check((struct again_stage){ "1", 2, 2, false, 30000 }, NO_ROWS);
	again_check((struct again_stage){ "1", 1, 0, false, 4900 }, NO_ROWS);
}
END_TEST

/* It is older than the trace: its task is named after the first segments, and counts for all of them. */
START_TEST(older_than_the_trace)
{
	faults_begin();
	made_line("with sock_recv_length");
	made_line("1 cpu1 sched_switch idle/0 R -> b/20 next_prio=120");
	made_line("2 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1000 cpu0 tcp_cong_state_set 10 4 t=20");
	for (unsigned int i = 0; i < 5; i++) {
		made_line("%u000 cpu0 tcp_retransmit_skb 10 10.0.0.1:5000 10.0.0.2:80 t=20", 5000 + i * 500);
		if (i == 1)
			made_line("%u100 cpu0 sock_recv_length 10 100 t=10 protocol=6", 5000 + i * 500);
	}
	made_line("100000000 cpu0 sched_switch a/10 S -> idle/0");
	made_line("100001000 cpu1 sched_switch b/20 S -> idle/0");
	check_rows(FINDINGS, made_lines, ROWS("rule=retransmits victim=a text='a (10) sends 5 TCP segments again, to 10.0.0.2:80: lost on the way, "
					      "5 of them are found missing by a time-out alone'"));
}
END_TEST

START_TEST(no_handshake)
{
	again_check((struct again_stage){ "2", 3, 0, true, 60000 },
		    ROWS("rule=accept-queue victim=a culprit=c text='a (10) waits for 61 ms in all to be connected to 10.0.0.2:80: c (30) accepts too "
			 "slowly, its accept queue is full: 3 packets of handshakes are dropped, and what they begin is sent again'"));
	again_check((struct again_stage){ "2", 3, 0, false, 60000 },
		    ROWS("rule=retransmits victim=a text='a (10) sends 3 requests to connect again, to 10.0.0.2:80: nobody answers them, for "
			 "61 ms in all'"));
	again_check((struct again_stage){ "2", 2, 0, true, 60000 }, NO_ROWS);
	/* the last packet of the handshake was dropped: the client is established, and the server has no such connection */
	again_check((struct again_stage){ "1", 3, 3, true, 60000 }, ROWS("rule=accept-queue victim=a culprit=c"));
}
END_TEST

/*
 * Two that connect since before the trace, by their requests alone; a/10 has another connection there, so they are taken for its.
 * After 100 ms they have waited for 200 ms. With another program there nobody knows whose they are.
 */
static void stuck_check(const char *also, const char *const *expected)
{
	faults_begin();
	made_line("seed %s", "d/40 pid=40");
	made_line("1 cpu1 sched_switch idle/0 R -> b/20 next_prio=120");
	state_line(500, 0, 30, false, 90, "7 -> 10", "10.0.0.2:80", "0.0.0.0:0");
	connection_lines(1000, 0, &(struct connection_stage){ 1, 0, 500, 0, true });
	if (also)
		state_line(1700, 0, 40, false, 60, "7 -> 2", "10.0.0.1:0", "10.0.0.2:80");
	for (unsigned int i = 0; i < 4; i++)
		made_line("%u000 cpu0 tcp_retransmit_skb %u 10.0.0.1:%u 10.0.0.2:80 state=2 t=20", 5000 + i * 500, 70 + i % 2, 6000 + i % 2);
	made_line("100000001 cpu1 sched_switch b/20 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

START_TEST(handshakes_older_than_the_trace)
{
	stuck_check(NULL, ROWS("rule=accept-queue victim=a culprit=c text='a (10) waits for 200 ms in all to be connected to 10.0.0.2:80: c (30) accepts too "
			       "slowly, its accept queue is full: 4 packets of handshakes are dropped, and what they begin is sent again'"));
	stuck_check("d", ROWS("rule=accept-queue victim=10.0.0.1 culprit=c"));
}
END_TEST

/* Of connections that are older than the trace, and send data again, the kernel says that a queue has overflowed, or something else. */
static void half_open_check(unsigned int reason, const char *const *expected)
{
	faults_begin();
	made_line("with kfree_skb");
	made_line("1 cpu1 sched_switch idle/0 R -> b/20 next_prio=120");
	state_line(500, 0, 30, false, 90, "7 -> 10", "10.0.0.2:80", "0.0.0.0:0");
	connection_lines(1000, 0, &(struct connection_stage){ 1, 0, 500, 0, true });
	for (unsigned int i = 0; i < 4; i++) {
		made_line("%u000 cpu0 tcp_cong_state_set %u 4 t=20", 5000 + i * 500, 70 + i % 2);
		made_line("%u010 cpu0 tcp_retransmit_skb %u 10.0.0.1:%u 10.0.0.2:80 state=1 t=20", 5000 + i * 500, 70 + i % 2, 6000 + i % 2);
		made_line("%u020 cpu0 kfree_skb 256 %u rx_sk=7 t=20", 5000 + i * 500, reason);
	}
	made_line("100000001 cpu1 sched_switch b/20 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

START_TEST(half_open_older_than_the_trace)
{
	half_open_check(9, ROWS("rule=accept-queue victim=a culprit=c"));
	half_open_check(2, ROWS("rule=retransmits culprit=-"));
}
END_TEST

Suite *rs_suite_connection_faults(void);
Suite *rs_suite_connection_faults(void)
{
	Suite *s = suite_create("connection-faults");
	TCase *t = tcase_create("all");

	tcase_add_test(t, a_connection_for_each_exchange);
	tcase_add_test(t, the_peer_resets);
	tcase_add_test(t, segments_again);
	tcase_add_test(t, older_than_the_trace);
	tcase_add_test(t, no_handshake);
	tcase_add_test(t, handshakes_older_than_the_trace);
	tcase_add_test(t, half_open_older_than_the_trace);
	tcase_set_timeout(t, 30); /* many recordings, each in all layouts */
	suite_add_tcase(s, t);
	return s;
}
