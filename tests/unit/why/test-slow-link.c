// SPDX-License-Identifier: GPL-2.0-or-later
/* test-slow-link - who waits for the queue of a network device: traces of a tenth of a second */
#include <check.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* a/10 waits in a call; each 4 ms a queue goes on in a softirq of CPU 1, and a packet that it lets go wakes a/10 so much later. */
struct link_stage {
	const char *call;
	unsigned int vec, nr_ticks, after_us;
	bool has_device;            /* what the devices send is recorded */
};

static void link_tick(unsigned int us, const struct link_stage *h)
{
	made_line("%u000 cpu1 softirq_entry %u by idle/0", us, h->vec);
	if (h->has_device)
		made_line("%u500 cpu1 net_dev_start_xmit veth0 77 1500 by idle/0", us);
	made_line("%u000 cpu1 softirq_exit %u by idle/0", us + 5, h->vec);
	us += 5 + h->after_us;
	made_line("%u000 cpu1 softirq_entry 3 by idle/0", us);
	made_line("%u500 cpu1 sched_waking a/10 target=0 by idle/0", us);
	made_line("%u600 cpu1 softirq_exit 3 by idle/0", us);
	made_line("%u000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", us + 1);
	made_line("%u500 cpu0 sys_exit t=10 nr=%s ret=1000", us + 1, h->call);
	made_line("%u600 cpu0 sys_enter t=10 nr=%s 3 0 1000 0", us + 1, h->call);
	made_line("%u700 cpu0 sched_switch a/10 S -> idle/0", us + 1);
}

static void link_check(struct link_stage h, const char *const *expected)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("seed b/20 pid=20");
	made_line("with softirq_entry");
	made_line("with softirq_exit");
	if (h.has_device)
		made_line("with net_dev_start_xmit");
	made_line("1 cpu1 sched_switch idle/0 R -> b/20 next_prio=120");
	made_line("2 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("3 cpu0 sys_enter t=10 nr=%s 3 0 1000 0", h.call);
	made_line("4 cpu0 sched_switch a/10 S -> idle/0");
	made_line("5 cpu1 sched_switch b/20 S -> idle/0");
	for (unsigned int i = 0; i < h.nr_ticks; i++)
		link_tick(1000 + i * (98000 / h.nr_ticks), &h);
	made_line("100000000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("100001000 cpu0 sched_switch a/10 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

static const struct link_stage link = { "recvfrom", 2, 24, 20, false };

#define STAGE(...) ({ struct link_stage h = link; __VA_ARGS__; h; })

START_TEST(a_queue_lets_few_packets_go)
{
	link_check(link, ROWS("rule=slow-link victim=a text='a (10) waits 100 % of its time in recvfrom for the network: the network link is "
			      "slow, its queue goes on 239 times a second'"));
	link_check(STAGE(h.has_device = true), ROWS("rule=slow-link culprit=veth0"));
	/* the answer takes a round trip: who sends is told by an interrupt */
	link_check(STAGE(h.call = "sendto", h.after_us = 1500), ROWS("rule=slow-link victim=a"));
}
END_TEST

/* Each differs in one thing. */
START_TEST(no_slow_link)
{
	/* what is received comes from elsewhere; another softirq */
	link_check(STAGE(h.after_us = 1500), NO_ROWS);
	link_check(STAGE(h.vec = 1), NO_ROWS);
	/* too few: 9 a second */
	link_check(STAGE(h.nr_ticks = 1), NO_ROWS);
	/* so many that any waking is near one */
	link_check(STAGE(h.nr_ticks = 98, h.after_us = 300), NO_ROWS);
}
END_TEST

Suite *rs_suite_slow_link(void);
Suite *rs_suite_slow_link(void)
{
	Suite *s = suite_create("slow-link");
	TCase *t = tcase_create("all");

	tcase_add_test(t, a_queue_lets_few_packets_go);
	tcase_add_test(t, no_slow_link);
	tcase_set_timeout(t, 30); /* many recordings, each in all layouts */
	suite_add_tcase(s, t);
	return s;
}
